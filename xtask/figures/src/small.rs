//! Pictures with 256 colours: a third of the size, and no difference to see.

use crate::Outcome;
use std::collections::HashMap;
use std::path::Path;

/// Writes a PNG file with a palette. `rgb` has three bytes a pixel.
pub(crate) fn write(path: &Path, [width, height]: [usize; 2], rgb: &[u8]) -> Outcome {
    let (palette, indices) = palette_of(rgb);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    // Numbers of colours have no slope that a filter could take out.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(std::fs::write(path, file)?)
}

/// Writes a PNG file anew with a palette, unless it has one.
pub(crate) fn shrink(path: &Path) -> Outcome {
    let mut decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path)?));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut bytes)?;
    let rgb: Vec<u8> = match info.color_type {
        png::ColorType::Indexed => return Ok(()),
        png::ColorType::Rgb => bytes,
        png::ColorType::Rgba => bytes.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
        other => return Err(format!("{} has colours of type {other:?}", path.display()).into()),
    };
    write(path, [info.width as usize, info.height as usize], &rgb)
}

/// At most 256 colours, and the number of one for each pixel: boxes of colours are halved at the median of
/// their widest channel.
fn palette_of(rgb: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in rgb.as_chunks::<3>().0 {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut all: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    all.sort_unstable();
    let mut boxes = vec![all];
    while boxes.len() < 256 {
        // Errors are shared fairly where the root of the number of pixels counts.
        let cost = |colours: &Vec<([u8; 3], usize)>| {
            let pixels: usize = colours.iter().map(|c| c.1).sum();
            f64::from(widest(colours).0) * (pixels as f64).sqrt()
        };
        let most = (0..boxes.len()).max_by(|&a, &b| cost(&boxes[a]).total_cmp(&cost(&boxes[b])));
        let Some(most) = most.filter(|&most| boxes[most].len() > 1) else { break };
        let mut lower = std::mem::take(&mut boxes[most]);
        let channel = widest(&lower).1;
        lower.sort_unstable_by_key(|c| (c.0[channel], c.0));
        let upper = lower.split_off(lower.len() / 2);
        boxes[most] = lower;
        boxes.push(upper);
    }
    let mut numbers = HashMap::new();
    let mut palette = Vec::new();
    for (number, colours) in boxes.iter().enumerate() {
        let pixels: usize = colours.iter().map(|c| c.1).sum();
        palette.extend([0, 1, 2].map(|channel| {
            let sum: usize = colours.iter().map(|c| usize::from(c.0[channel]) * c.1).sum();
            ((sum + pixels / 2) / pixels.max(1)) as u8
        }));
        numbers.extend(colours.iter().map(|c| (c.0, number as u8)));
    }
    let indices = rgb.as_chunks::<3>().0.iter().map(|pixel| numbers[pixel]).collect();
    (palette, indices)
}

/// The extent of the channel with the largest one, and that channel.
fn widest(colours: &[([u8; 3], usize)]) -> (u8, usize) {
    let extent = |channel: usize| {
        let values = colours.iter().map(|c| c.0[channel]);
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    [0, 1, 2].map(|channel| (extent(channel), channel)).into_iter().max().unwrap_or((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_come_near() {
        let few = [[200, 10, 10], [255; 3], [200, 10, 10]].concat();
        let (palette, indices) = palette_of(&few);
        let back: Vec<u8> =
            indices.iter().flat_map(|&i| palette[3 * usize::from(i)..][..3].to_vec()).collect();
        assert_eq!(back, few);
        let many: Vec<u8> = (0..=255).flat_map(|i: u8| (0..16).flat_map(move |j| [i, 16 * j, 128])).collect();
        let (palette, indices) = palette_of(&many);
        for (pixel, &index) in many.chunks(3).zip(&indices) {
            let colour = &palette[3 * usize::from(index)..][..3];
            assert!((0..3).all(|c| colour[c].abs_diff(pixel[c]) <= 16), "{pixel:?} {colour:?}");
        }
    }
}
