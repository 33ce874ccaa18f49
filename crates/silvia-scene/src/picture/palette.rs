//! A few colours that stand for all of a picture: median cut (Heckbert 1982) over a histogram.

use super::Image;

/// Bits of each channel that colours are told apart by.
const BITS: u32 = 5;
/// Number of colours told apart.
const CELLS: usize = 1 << (3 * BITS);

/// A palette, and the nearest of its colours to any.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// By cell of the histogram; none where nothing was asked yet.
    nearest: Vec<Option<u8>>,
}

/// A cell of the histogram: how many pixels, and the sum of their colours.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u64,
    sum: [u64; 3],
}

impl Cell {
    fn mean(&self, channel: usize) -> f64 {
        self.sum[channel] as f64 / self.count.max(1) as f64
    }
}

impl Palette {
    /// At most so many colours, chosen from the pixels of images.
    pub(super) fn of(images: &[Image], most: usize) -> Palette {
        let mut cells = vec![Cell::default(); CELLS];
        for rgb in images.iter().flat_map(|image| image.bytes.chunks_exact(3)) {
            let cell = &mut cells[cell_of(rgb)];
            cell.count += 1;
            (0..3).for_each(|channel| cell.sum[channel] += u64::from(rgb[channel]));
        }
        cells.retain(|cell| cell.count > 0);
        let mut boxes = vec![cells];
        while boxes.len() < most {
            let widest = boxes.iter().enumerate().map(|(number, cells)| (spread(cells), number));
            let Some(((error, channel), number)) = widest.max_by(|a, b| a.0.0.total_cmp(&b.0.0)) else {
                break;
            };
            if error <= 0.0 {
                break;
            }
            let mut lower = std::mem::take(&mut boxes[number]);
            lower.sort_by(|a, b| a.mean(channel).total_cmp(&b.mean(channel)));
            let upper = lower.split_off(middle(&lower));
            boxes[number] = lower;
            boxes.push(upper);
        }
        let colours = boxes.iter().map(|cells| mean(cells)).collect();
        Palette { colours, nearest: vec![None; CELLS] }
    }

    /// Red, green and blue of each colour.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// The number of the colour nearest to one.
    pub(super) fn index(&mut self, rgb: &[u8]) -> u8 {
        let cell = cell_of(rgb);
        if let Some(known) = self.nearest[cell] {
            return known;
        }
        let off = |colour: &[u8; 3]| -> i32 {
            (0..3).map(|channel| (i32::from(colour[channel]) - i32::from(rgb[channel])).pow(2)).sum()
        };
        let best = self.colours.iter().enumerate().min_by_key(|(_, colour)| off(colour));
        let best = best.map_or(0, |(number, _)| number as u8);
        self.nearest[cell] = Some(best);
        best
    }
}

fn cell_of(rgb: &[u8]) -> usize {
    rgb.iter().fold(0, |cell, &value| cell << BITS | usize::from(value >> (8 - BITS)))
}

/// The squared deviation along the channel where it is largest, and that channel.
fn spread(cells: &[Cell]) -> (f64, usize) {
    let count: f64 = cells.iter().map(|cell| cell.count as f64).sum();
    let of = |channel: usize| {
        let mean = cells.iter().map(|cell| cell.sum[channel] as f64).sum::<f64>() / count.max(1.0);
        let error = |cell: &Cell| cell.count as f64 * (cell.mean(channel) - mean).powi(2);
        (cells.iter().map(error).sum::<f64>(), channel)
    };
    [0, 1, 2].map(of).into_iter().fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
}

/// Where half of the pixels of sorted cells are below; neither part is empty.
fn middle(cells: &[Cell]) -> usize {
    let half = cells.iter().map(|cell| cell.count).sum::<u64>() / 2;
    let mut below = 0;
    let at = cells.iter().position(|cell| {
        below += cell.count;
        below > half
    });
    at.unwrap_or(0).clamp(1, cells.len() - 1)
}

fn mean(cells: &[Cell]) -> [u8; 3] {
    let count: u64 = cells.iter().map(|cell| cell.count).sum();
    [0, 1, 2].map(|channel| {
        let sum: u64 = cells.iter().map(|cell| cell.sum[channel]).sum();
        ((sum + count / 2) / count.max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_near_theirs() {
        let bytes: Vec<u8> = [[200, 10, 10], [10, 200, 10], [255, 255, 255]].concat();
        let few = Image { width: 3, height: 1, bytes };
        let mut palette = Palette::of(std::slice::from_ref(&few), 255);
        assert_eq!(palette.colours.len(), 3);
        for rgb in few.bytes.chunks_exact(3) {
            let index = usize::from(palette.index(rgb));
            assert_eq!(palette.colours[index], rgb);
        }
        let bytes = (0..64 * 64).flat_map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 128]).collect();
        let many = Image { width: 64, height: 64, bytes };
        let mut palette = Palette::of(std::slice::from_ref(&many), 255);
        assert_eq!(palette.colours.len(), 255);
        for rgb in many.bytes.chunks_exact(3) {
            let index = usize::from(palette.index(rgb));
            let colour = palette.colours[index];
            assert!((0..3).all(|channel| colour[channel].abs_diff(rgb[channel]) <= 20), "{rgb:?} {colour:?}");
        }
    }
}
