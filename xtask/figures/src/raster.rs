//! A small software rasteriser: flat-shaded triangles and lines with a depth buffer, drawn large and averaged down.

use crate::camera::Camera;
use silvia::solid::{Soup, Vec3};
use std::path::Path;

/// Red, green and blue, each from 0 to 1, linear.
pub(crate) type Color = [f64; 3];

/// Drawn pixels for each pixel of the picture, in each direction; they are averaged, which smooths the edges.
const OVERSAMPLING: usize = 3;
/// Lines are pulled towards the eye by this fraction of the distance, so that the faces they bound do not hide them.
const LINE_PULL: f64 = 3e-4;
/// A picture being drawn.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    camera: Camera,
    colors: Vec<Color>,
    /// Distance from the eye's plane.
    depths: Vec<f64>,
}

impl Canvas {
    /// An empty picture of this size in pixels.
    pub(crate) fn new(width: usize, height: usize, background: Color, camera: Camera) -> Canvas {
        let (width, height) = (width * OVERSAMPLING, height * OVERSAMPLING);
        let count = width * height;
        Canvas { width, height, camera, colors: vec![background; count], depths: vec![f64::INFINITY; count] }
    }

    /// Draws all triangles of a soup, each in the colour the function gives for its index.
    pub(crate) fn triangles(&mut self, soup: &Soup, color: impl Fn(usize) -> Color) {
        for triangle in 0..soup.triangles().len() {
            let corners = soup.corners(triangle);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let light = Camera::light(self.camera.direction(normal), false);
            self.triangle(corners, color(triangle).map(|c| c * light));
        }
    }

    /// Draws a straight line with round ends; its width is in pixels of the finished picture.
    pub(crate) fn line(&mut self, from: Vec3, to: Vec3, width: f64, color: Color) {
        let [a, b] = [from, to].map(|p| self.on_screen(p));
        let length = (b - a).truncate().length();
        let steps = (2.0 * length).ceil().max(1.0);
        for step in 0..=steps as usize {
            self.disc(a.lerp(b, step as f64 / steps), 0.5 * width * OVERSAMPLING as f64, color);
        }
    }

    /// Draws a round dot; its width is in pixels of the finished picture.
    pub(crate) fn dot(&mut self, at: Vec3, width: f64, color: Color) {
        let center = self.on_screen(at);
        self.disc(center, 0.5 * width * OVERSAMPLING as f64, color);
    }

    /// The eye.
    pub(crate) fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Drawn pixels in each direction.
    pub(crate) fn drawn_size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// The ray through the middle of a drawn pixel.
    pub(crate) fn ray(&self, x: usize, y: usize) -> (Vec3, Vec3) {
        let scale = 2.0 / self.height as f64;
        let (right, down) = (x as f64 + 0.5 - 0.5 * self.width as f64, y as f64 + 0.5);
        self.camera.ray(scale * right, 1.0 - scale * down)
    }

    /// Covers part of what a drawn pixel shows, unless that is nearer.
    pub(crate) fn blend(&mut self, x: usize, y: usize, depth: f64, color: Color, cover: f64) {
        let at = y * self.width + x;
        if depth < self.depths[at] {
            let behind = self.colors[at];
            self.colors[at] = std::array::from_fn(|i| cover * color[i] + (1.0 - cover) * behind[i]);
        }
    }

    /// Writes the picture as a PNG file.
    pub(crate) fn save(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let (width, height) = (self.width / OVERSAMPLING, self.height / OVERSAMPLING);
        let mut bytes = Vec::with_capacity(3 * width * height);
        for row in 0..height {
            for column in 0..width {
                bytes.extend(self.average(column, row).map(encoded));
            }
        }
        let file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let mut encoder = png::Encoder::new(file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(())
    }

    /// Drawn pixels right, drawn pixels down, depth.
    fn on_screen(&self, p: Vec3) -> Vec3 {
        let seen = self.camera.project(p);
        let scale = 0.5 * self.height as f64;
        Vec3::new(0.5 * self.width as f64 + scale * seen.x, scale * (1.0 - seen.y), seen.z)
    }

    fn triangle(&mut self, corners: [Vec3; 3], color: Color) {
        let [a, b, c] = corners.map(|p| self.on_screen(p));
        let area = doubled_area(a, b, c);
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for y in pixels(low.y, high.y, self.height) {
            for x in pixels(low.x, high.x, self.width) {
                let p = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let weights = [
                    doubled_area(b, c, p) / area,
                    doubled_area(c, a, p) / area,
                    doubled_area(a, b, p) / area,
                ];
                if weights.iter().all(|&w| w >= 0.0) {
                    let depth = weights[0] * a.z + weights[1] * b.z + weights[2] * c.z;
                    self.put(x, y, depth, color);
                }
            }
        }
    }

    fn disc(&mut self, center: Vec3, radius: f64, color: Color) {
        for y in pixels(center.y - radius, center.y + radius, self.height) {
            for x in pixels(center.x - radius, center.x + radius, self.width) {
                let (dx, dy) = (x as f64 + 0.5 - center.x, y as f64 + 0.5 - center.y);
                if dx * dx + dy * dy <= radius * radius {
                    self.put(x, y, center.z * (1.0 - LINE_PULL), color);
                }
            }
        }
    }

    fn put(&mut self, x: usize, y: usize, depth: f64, color: Color) {
        let at = y * self.width + x;
        if depth < self.depths[at] {
            self.depths[at] = depth;
            self.colors[at] = color;
        }
    }

    fn average(&self, column: usize, row: usize) -> Color {
        let mut sum = [0.0; 3];
        for y in row * OVERSAMPLING..(row + 1) * OVERSAMPLING {
            for x in column * OVERSAMPLING..(column + 1) * OVERSAMPLING {
                let color = self.colors[y * self.width + x];
                sum = std::array::from_fn(|i| sum[i] + color[i]);
            }
        }
        sum.map(|s| s / (OVERSAMPLING * OVERSAMPLING) as f64)
    }
}

/// The pixels whose middle may lie between two coordinates, within the picture.
fn pixels(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
    (low.floor().max(0.0) as usize)..(high.ceil().clamp(0.0, count as f64) as usize)
}

fn doubled_area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Linear light to the 8-bit sRGB value, by its usual approximation.
fn encoded(linear: f64) -> u8 {
    (255.0 * linear.clamp(0.0, 1.0).powf(1.0 / 2.2)).round() as u8
}
