//! Moving pictures: frames of a recording as an animated GIF that plays for ever.
//!
//! One palette serves all frames, and each frame holds only what has changed, so that files stay small.

use super::palette::Palette;
use super::{Artist, Image, PictureError, PictureOptions};

/// An animated GIF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// Number of frames.
    pub frames: usize,
}

/// The most frames of a film.
pub const MOST_FRAMES: usize = 2000;
/// The most frames a second: players take shorter times for mistakes.
pub const MOST_FPS: f64 = 50.0;
/// Unit of times in GIF files, 1/s.
const TICKS: f64 = 100.0;
/// How long the last frame stays before the film begins again, in such units.
const LAST: u16 = 100;
/// Frames from which the colours are chosen, evenly spread.
const SAMPLES: usize = 6;
/// The index that leaves a pixel as it was.
const SAME: u8 = 255;

impl Artist<'_> {
    /// Draws a film of the recording from one time to another, s, with so many frames a second of simulated
    /// time; each shows the recorded frame nearest to its time.
    pub fn film(
        &self,
        [from, to]: [f64; 2],
        fps: f64,
        options: &PictureOptions,
    ) -> Result<Film, PictureError> {
        let count = ((to - from) * fps + 1e-9).floor() + 1.0;
        if !(fps > 0.0 && fps <= MOST_FPS && count >= 1.0 && count <= MOST_FRAMES as f64) {
            return Err(PictureError::Film { from, to, fps, frames: count.max(0.0) });
        }
        let count = count as usize;
        let number = |i: usize| self.number_at(from + i as f64 / fps);
        let drawn = |i: usize| self.frame(number(i)?, options);
        let samples = count.min(SAMPLES);
        let samples = (0..samples).map(|i| drawn(i * (count - 1) / (samples - 1).max(1)));
        let palette = Palette::of(&samples.collect::<Result<Vec<Image>, PictureError>>()?, SAME.into());
        let mut writer = Writer::new(options, palette)?;
        for i in 0..count {
            let ticks = |i: usize| (TICKS * i as f64 / fps).round() as u16;
            let delay = if i + 1 == count { LAST } else { ticks(i + 1).wrapping_sub(ticks(i)) };
            writer.add(&drawn(i)?, delay)?;
        }
        Ok(Film { bytes: writer.end()?, frames: count })
    }
}

struct Writer {
    encoder: gif::Encoder<Vec<u8>>,
    palette: Palette,
    size: [usize; 2],
    /// Indices of the frame before; empty at the start.
    before: Vec<u8>,
}

impl Writer {
    fn new(options: &PictureOptions, palette: Palette) -> Result<Writer, PictureError> {
        let size = [options.width, options.height];
        // Sizes were checked when the samples were drawn.
        let [width, height] = size.map(|pixels| u16::try_from(pixels).unwrap_or(u16::MAX));
        let mut encoder = gif::Encoder::new(Vec::new(), width, height, &palette.bytes())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Writer { encoder, palette, size, before: Vec::new() })
    }

    fn add(&mut self, image: &Image, delay: u16) -> Result<(), PictureError> {
        let now: Vec<u8> = image.bytes.chunks_exact(3).map(|rgb| self.palette.index(rgb)).collect();
        let [left, top, right, bottom] = self.changed(&now);
        let width = self.size[0];
        let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
        for row in top..bottom {
            let span = row * width + left..row * width + right;
            let before = self.before.get(span.clone()).unwrap_or_default();
            let before = before.iter().map(Some).chain(std::iter::repeat(None));
            buffer.extend(now[span].iter().zip(before).map(|(a, b)| if b == Some(a) { SAME } else { *a }));
        }
        // No picture has more pixels in a direction than 16 bits count.
        let short = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        self.encoder.write_frame(&gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(SAME),
            left: short(left),
            top: short(top),
            width: short(right - left),
            height: short(bottom - top),
            buffer: buffer.into(),
            ..gif::Frame::default()
        })?;
        self.before = now;
        Ok(())
    }

    /// Left, top, right and bottom of what differs from the frame before; one pixel if nothing does.
    fn changed(&self, now: &[u8]) -> [usize; 4] {
        let [width, height] = self.size;
        if self.before.is_empty() {
            return [0, 0, width, height];
        }
        let mut found: Option<[usize; 4]> = None;
        for (at, _) in now.iter().zip(&self.before).enumerate().filter(|(_, (a, b))| a != b) {
            let (column, row) = (at % width, at / width);
            let [left, top, right, bottom] = found.unwrap_or([column, row, column, row]);
            found = Some([left.min(column), top.min(row), right.max(column + 1), bottom.max(row + 1)]);
        }
        found.unwrap_or([0, 0, 1, 1])
    }

    fn end(self) -> Result<Vec<u8>, PictureError> {
        Ok(self.encoder.into_inner()?)
    }
}
