//! Finished pixels, and PNG encoding.

use super::PictureError;

/// Rows of sRGB pixels from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue for each pixel.
    pub bytes: Vec<u8>,
}

impl Image {
    /// The colour of a pixel; none outside.
    pub fn pixel(&self, column: usize, row: usize) -> Option<[u8; 3]> {
        let at = 3 * (row * self.width + column);
        (column < self.width)
            .then(|| self.bytes.get(at..at + 3))
            .flatten()
            .and_then(|rgb| rgb.try_into().ok())
    }

    /// Places images side by side, aligned at the top, `space` pixels apart.
    pub fn beside(images: &[Image], space: usize) -> Image {
        let height = images.iter().map(|image| image.height).max().unwrap_or(0);
        let width = images.iter().map(|image| image.width + space).sum::<usize>().saturating_sub(space);
        let mut bytes = vec![255; 3 * width * height];
        let mut left = 0;
        for image in images {
            for row in 0..image.height {
                let (from, to) = (3 * row * image.width, 3 * (row * width + left));
                let row = &image.bytes[from..from + 3 * image.width];
                bytes[to..to + row.len()].copy_from_slice(row);
            }
            left += image.width + space;
        }
        Image { width, height, bytes }
    }

    /// Encodes as PNG; the same bytes for the same picture.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut file = Vec::new();
        let size = |pixels: usize| {
            u32::try_from(pixels).map_err(|_| PictureError::Size { width: self.width, height: self.height })
        };
        let mut encoder = png::Encoder::new(&mut file, size(self.width)?, size(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(file)
    }
}
