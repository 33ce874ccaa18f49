//! A small software rasteriser: triangles and lines with a depth buffer, drawn large and averaged down.

use super::camera::Camera;
use super::image::Image;
use silvia_solid::{Soup, Vec3};
use std::ops::Range;

/// Red, green and blue, each from 0 to 1, linear.
pub type Colour = [f64; 3];

/// Samples per pixel in each direction; they are averaged, which smooths the edges.
pub(super) const OVERSAMPLING: usize = 3;
/// Lines are pulled towards the eye by this fraction of the distance, so that the faces beside them do not
/// hide them.
const LINE_PULL: f64 = 3e-4;
/// Points nearer than this to the plane of the eye, m, are not drawn: one point there would fill the picture.
const NEAR: f64 = 1e-6;

/// A picture under construction, or some rows of it.
pub struct Canvas {
    /// Width of the whole picture, samples.
    width: usize,
    height: usize,
    /// The rows of samples stored here.
    rows: Range<usize>,
    camera: Camera,
    colours: Vec<[f32; 3]>,
    /// Inverse distance from the eye's plane, 1/m: in the picture it is linear over a triangle. 0 where
    /// nothing is.
    nearness: Vec<f32>,
}

impl Canvas {
    /// An empty picture of this size in pixels.
    pub fn new(width: usize, height: usize, background: Colour, camera: Camera) -> Canvas {
        Canvas::part(width, height, 0..height, background, camera)
    }

    /// Some rows of a picture of this size in pixels.
    pub fn part(
        width: usize,
        height: usize,
        rows: Range<usize>,
        background: Colour,
        camera: Camera,
    ) -> Canvas {
        let (width, height) = (width * OVERSAMPLING, height * OVERSAMPLING);
        let rows = rows.start * OVERSAMPLING..rows.end * OVERSAMPLING;
        let count = width * rows.len();
        let colours = vec![background.map(|c| c as f32); count];
        Canvas { width, height, rows, camera, colours, nearness: vec![0.0; count] }
    }

    /// Draws all triangles of a soup; the function gives the colour of each by index.
    pub fn triangles(&mut self, soup: &Soup, colour: impl Fn(usize) -> Colour) {
        for triangle in 0..soup.triangles().len() {
            let corners = soup.corners(triangle);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let light = Camera::light(self.camera.direction(normal), false);
            let colour = colour(triangle).map(|c| c * light);
            self.triangle(corners, |_| colour);
        }
    }

    /// Draws a straight line with round ends; its width is in pixels of the finished picture.
    pub fn line(&mut self, from: Vec3, to: Vec3, width: f64, colour: Colour) {
        let depths = [from, to].map(|p| self.camera.depth(p));
        if depths.iter().all(|&depth| depth <= NEAR) {
            return;
        }
        // Clip the part behind the eye.
        let cut = |p: Vec3, depth: f64, other: Vec3, beyond: f64| {
            if depth > NEAR { p } else { p.lerp(other, (NEAR - depth) / (beyond - depth)) }
        };
        let ends = [cut(from, depths[0], to, depths[1]), cut(to, depths[1], from, depths[0])];
        let [a, b] = ends.map(|p| self.on_screen(p));
        let Some((start, end)) = self.seen_part(a, b, width * OVERSAMPLING as f64) else { return };
        let (a, b) = (a.lerp(b, start), a.lerp(b, end));
        let length = (b - a).truncate().length();
        let steps = (2.0 * length).ceil().max(1.0);
        for step in 0..=steps as usize {
            self.disc(a.lerp(b, step as f64 / steps), 0.5 * width * OVERSAMPLING as f64, colour);
        }
    }

    /// Draws a round dot; its width is in pixels of the finished picture.
    pub fn dot(&mut self, at: Vec3, width: f64, colour: Colour) {
        if self.camera.depth(at) > NEAR {
            let center = self.on_screen(at);
            self.disc(center, 0.5 * width * OVERSAMPLING as f64, colour);
        }
    }

    /// The camera.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Number of samples in each direction.
    pub fn drawn_size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// The rows of samples stored here.
    pub fn drawn_rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// Number of rows of the finished picture; widths scale with it.
    pub(super) fn picture_rows(&self) -> f64 {
        (self.height / OVERSAMPLING) as f64
    }

    /// Colours all samples near the box around two points that the function selects by their centres.
    pub(super) fn cover(
        &mut self,
        [a, b]: [[f64; 2]; 2],
        margin: f64,
        colour: Colour,
        chosen: impl Fn(f64, f64) -> bool,
    ) {
        for y in pixels(a[1].min(b[1]) - margin, a[1].max(b[1]) + margin, &self.rows) {
            for x in pixels(a[0].min(b[0]) - margin, a[0].max(b[0]) + margin, &(0..self.width)) {
                if chosen(x as f64 + 0.5, y as f64 + 0.5) {
                    let at = self.place(x, y);
                    self.colours[at] = colour.map(|c| c as f32);
                }
            }
        }
    }

    /// The ray through the centre of a sample.
    pub fn ray(&self, x: usize, y: usize) -> (Vec3, Vec3) {
        let scale = 2.0 / self.height as f64;
        let (right, down) = (x as f64 + 0.5 - 0.5 * self.width as f64, y as f64 + 0.5);
        self.camera.ray(scale * right, 1.0 - scale * down)
    }

    /// Blends a colour into a sample, unless something nearer is there.
    pub fn blend(&mut self, x: usize, y: usize, depth: f64, colour: Colour, cover: f64) {
        if self.is_free(x, y, depth) {
            let at = self.place(x, y);
            let behind = self.colours[at];
            self.colours[at] =
                std::array::from_fn(|i| (cover * colour[i] + (1.0 - cover) * f64::from(behind[i])) as f32);
        }
    }

    /// Whether nothing nearer than this depth is at a sample.
    pub fn is_free(&self, x: usize, y: usize, depth: f64) -> bool {
        1.0 / depth > f64::from(self.nearness[self.place(x, y)])
    }

    /// Draws a triangle. The colour is a function of the barycentric weights.
    pub fn triangle(&mut self, corners: [Vec3; 3], colour: impl Fn([f64; 3]) -> Colour) {
        let depths = corners.map(|p| self.camera.depth(p));
        if depths.iter().all(|&depth| depth > NEAR) {
            return self.fill(corners.map(|p| self.on_screen(p)), colour);
        }
        // The part in front of the eye: a triangle or a quadrilateral, with corners given by their weights.
        let unit = |i: usize| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
        let mut part: Vec<[f64; 3]> = Vec::with_capacity(4);
        for i in 0..3 {
            let j = (i + 1) % 3;
            if depths[i] > NEAR {
                part.push(unit(i));
            }
            if (depths[i] > NEAR) != (depths[j] > NEAR) {
                let t = (NEAR - depths[i]) / (depths[j] - depths[i]);
                let mut weights = [0.0; 3];
                (weights[i], weights[j]) = (1.0 - t, t);
                part.push(weights);
            }
        }
        let point = |w: [f64; 3]| w[0] * corners[0] + w[1] * corners[1] + w[2] * corners[2];
        for k in 2..part.len() {
            let kept = [part[0], part[k - 1], part[k]];
            let inner = |w: [f64; 3]| {
                std::array::from_fn(|i| w[0] * kept[0][i] + w[1] * kept[1][i] + w[2] * kept[2][i])
            };
            // Clipped at the plane of the eye, up to rounding.
            let on_screen = kept.map(|w| self.on_screen_at(point(w), self.camera.depth(point(w)).max(NEAR)));
            self.fill(on_screen, |w| colour(inner(w)));
        }
    }

    /// Projects a point: samples right, samples down, and inverse depth.
    pub fn on_screen(&self, p: Vec3) -> Vec3 {
        self.on_screen_at(p, self.camera.depth(p))
    }

    /// Draws a triangle whose corners come from [`Canvas::on_screen`], all in front of the eye. The colour is
    /// a function of the barycentric weights in space.
    pub fn fill(&mut self, [a, b, c]: [Vec3; 3], colour: impl Fn([f64; 3]) -> Colour) {
        let area = doubled_area(a, b, c);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let columns = pixels(low.x, high.x, &(0..self.width));
        for y in pixels(low.y, high.y, &self.rows) {
            // Each weight is linear along the row: skip the samples where one must be negative.
            let mut range = (columns.start as f64, columns.end as f64);
            for (p, q) in [(b, c), (c, a), (a, b)] {
                let slope = (p.y - q.y) / area;
                let at_0 = doubled_area(p, q, Vec3::new(0.5, y as f64 + 0.5, 0.0)) / area;
                let root = -at_0 / slope;
                if slope > 0.0 {
                    range.0 = range.0.max(root - 1.0);
                } else if slope < 0.0 {
                    range.1 = range.1.min(root + 2.0);
                }
            }
            for x in pixels(range.0, range.1, &columns) {
                let p = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let weights = [
                    doubled_area(b, c, p) / area,
                    doubled_area(c, a, p) / area,
                    doubled_area(a, b, p) / area,
                ];
                if weights.iter().all(|&w| w >= 0.0) {
                    let near = [weights[0] * a.z, weights[1] * b.z, weights[2] * c.z];
                    let sum = near[0] + near[1] + near[2];
                    let at = self.place(x, y);
                    if sum as f32 > self.nearness[at] {
                        self.nearness[at] = sum as f32;
                        self.colours[at] = colour(near.map(|n| n / sum)).map(|c| c as f32);
                    }
                }
            }
        }
    }

    /// The finished picture, or the rows of it stored here.
    pub fn image(&self) -> Image {
        let (width, rows) = (self.width / OVERSAMPLING, self.rows.len() / OVERSAMPLING);
        let mut bytes = Vec::with_capacity(3 * width * rows);
        for row in 0..rows {
            for column in 0..width {
                bytes.extend(self.average(column, row).map(encoded));
            }
        }
        Image { width, height: rows, bytes }
    }

    fn on_screen_at(&self, p: Vec3, depth: f64) -> Vec3 {
        let seen = self.camera.project(p);
        let scale = 0.5 * self.height as f64;
        Vec3::new(0.5 * self.width as f64 + scale * seen.x, scale * (1.0 - seen.y), 1.0 / depth)
    }

    /// The part of a line that may be visible, as fractions of its length.
    fn seen_part(&self, a: Vec3, b: Vec3, margin: f64) -> Option<(f64, f64)> {
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        let limits = [
            (a.x, b.x, -margin, self.width as f64 + margin),
            (a.y, b.y, self.rows.start as f64 - margin, self.rows.end as f64 + margin),
        ];
        for (from, to, low, high) in limits {
            if from == to {
                if from < low || from > high {
                    return None;
                }
                continue;
            }
            let (t, u) = ((low - from) / (to - from), (high - from) / (to - from));
            start = start.max(t.min(u));
            end = end.min(t.max(u));
        }
        (start <= end).then_some((start, end))
    }

    fn disc(&mut self, centre: Vec3, radius: f64, colour: Colour) {
        let nearness = (centre.z / (1.0 - LINE_PULL)) as f32;
        for y in pixels(centre.y - radius, centre.y + radius, &self.rows) {
            for x in pixels(centre.x - radius, centre.x + radius, &(0..self.width)) {
                let (dx, dy) = (x as f64 + 0.5 - centre.x, y as f64 + 0.5 - centre.y);
                let at = self.place(x, y);
                if dx * dx + dy * dy <= radius * radius && nearness > self.nearness[at] {
                    self.nearness[at] = nearness;
                    self.colours[at] = colour.map(|c| c as f32);
                }
            }
        }
    }

    fn place(&self, x: usize, y: usize) -> usize {
        (y - self.rows.start) * self.width + x
    }

    fn average(&self, column: usize, row: usize) -> Colour {
        let mut sum = [0.0; 3];
        for y in row * OVERSAMPLING..(row + 1) * OVERSAMPLING {
            for x in column * OVERSAMPLING..(column + 1) * OVERSAMPLING {
                let colour = self.colours[y * self.width + x];
                sum = std::array::from_fn(|i| sum[i] + f64::from(colour[i]));
            }
        }
        sum.map(|s| s / (OVERSAMPLING * OVERSAMPLING) as f64)
    }
}

/// The pixels of a range whose centres may lie between two coordinates.
fn pixels(low: f64, high: f64, all: &Range<usize>) -> Range<usize> {
    let (start, end) = (all.start as f64, all.end as f64);
    (low.floor().clamp(start, end) as usize)..(high.ceil().clamp(start, end) as usize)
}

fn doubled_area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Linear light to the 8-bit sRGB value, by the usual approximation.
fn encoded(linear: f64) -> u8 {
    (255.0 * linear.clamp(0.0, 1.0).powf(1.0 / 2.2)).round() as u8
}

/// An sRGB colour as linear light.
pub fn linear(colour: [u8; 3]) -> Colour {
    colour.map(|c| (f64::from(c) / 255.0).powf(2.2))
}
