//! Infinite planes: ground, slopes and walls, with a soft grid and the shadows of bodies.

use super::canvas::{Canvas, Colour, OVERSAMPLING, linear};
use super::light::{BACKGROUND, Light};
use crate::stage::Stage;
use silvia_solid::{Plane, Vec3};

/// Colour of the ground, unless its body has a colour of its own.
const GROUND: Colour = [0.80, 0.815, 0.835];
/// How much of its body's colour a plane takes on.
const TINT: f64 = 0.35;
/// The colour of a body that has none of its own.
const PLAIN: [u8; 3] = [190, 190, 190];
/// Darkness of the grid lines.
const LINE: f64 = 0.13;
/// Width of the grid lines, as a fraction of their spacing.
const WIDTH: f64 = 0.012;
/// Approximate number of grid lines per radius of the scene.
const LINES: f64 = 4.0;
/// Where the fading of the ground begins and ends, in radii of the scene.
const FADE: [f64; 2] = [2.0, 7.0];

/// A prepared plane.
struct Floor {
    plane: Plane,
    /// Directions of the grid lines.
    axes: [Vec3; 2],
    colour: Colour,
}

/// Draws planes behind and between what is already there. They are visible only from above.
pub(super) fn draw(canvas: &mut Canvas, planes: &[(Plane, Option<[u8; 3]>)], stage: &Stage, light: &Light) {
    let eye = canvas.camera().eye();
    let seen = |plane: &Plane| plane.normal.dot(eye) > plane.offset;
    let floors: Vec<Floor> = planes
        .iter()
        .filter(|(plane, _)| seen(plane))
        .map(|(plane, colour)| floor(*plane, *colour, light))
        .collect();
    let space = spacing(stage.radius / LINES);
    let [width, height] = canvas.drawn_size();
    let footprint = 2.0 * canvas.camera().half_height() * OVERSAMPLING as f64 / height as f64;
    let mut hits: Vec<(f64, usize)> = Vec::new();
    for top in canvas.drawn_rows().step_by(OVERSAMPLING) {
        for left in (0..width).step_by(OVERSAMPLING) {
            // Light and lines change little within a pixel: compute them once, at its centre.
            let (origin, ray) = canvas.ray(left + OVERSAMPLING / 2, top + OVERSAMPLING / 2);
            hits.clear();
            hits.extend(
                floors
                    .iter()
                    .enumerate()
                    .filter_map(|(number, floor)| floor.depth(origin, ray).map(|depth| (depth, number))),
            );
            // The farthest first.
            hits.sort_by(|a, b| b.0.total_cmp(&a.0));
            for &(depth, number) in &hits {
                let (floor, point) = (&floors[number], origin + depth * ray);
                let cover = 1.0 - smooth(FADE[0], FADE[1], (point - stage.middle).length() / stage.radius);
                if cover <= 0.0 || !floor.is_seen(canvas, [left, top]) {
                    continue;
                }
                let slant = floor.plane.normal.dot(ray).abs() / ray.length();
                let line = grid(point, floor, space, footprint * depth, slant);
                let bright = light.on_ground(point) * (1.0 - LINE * line);
                let colour = floor.colour.map(|c| c * bright);
                for (x, y) in within([left, top]) {
                    let (origin, ray) = canvas.ray(x, y);
                    if let Some(depth) = floor.depth(origin, ray) {
                        canvas.blend(x, y, depth, colour, cover);
                    }
                }
            }
        }
    }
}

/// The samples of a pixel, from the first one.
fn within([left, top]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
    (0..OVERSAMPLING * OVERSAMPLING).map(move |i| (left + i % OVERSAMPLING, top + i / OVERSAMPLING))
}

impl Floor {
    /// Where a ray meets the plane, if it does, in lengths of the ray.
    fn depth(&self, origin: Vec3, ray: Vec3) -> Option<f64> {
        let depth = (self.plane.offset - self.plane.normal.dot(origin)) / self.plane.normal.dot(ray);
        (depth > 0.0 && depth.is_finite()).then_some(depth)
    }

    /// Whether some of a pixel is not yet hidden.
    fn is_seen(&self, canvas: &Canvas, pixel: [usize; 2]) -> bool {
        within(pixel).any(|(x, y)| {
            let (origin, ray) = canvas.ray(x, y);
            self.depth(origin, ray).is_some_and(|depth| canvas.is_free(x, y, depth))
        })
    }
}

fn floor(plane: Plane, colour: Option<[u8; 3]>, light: &Light) -> Floor {
    let (u, v) = plane.normal.any_orthonormal_pair();
    // Lines run along x or y if possible.
    let along = [Vec3::X, Vec3::Y].map(|axis| axis - axis.dot(plane.normal) * plane.normal);
    let first = if along[0].length() > 0.1 { along[0] } else { along[1] }.try_normalize().unwrap_or(u);
    let second = plane.normal.cross(first).try_normalize().unwrap_or(v);
    let colour = match colour {
        Some(own) if own != PLAIN => {
            std::array::from_fn(|i| (1.0 - TINT) * GROUND[i] + TINT * linear(own)[i])
        }
        _ => GROUND,
    };
    let bright = light.on_plane(plane.normal);
    let colour = std::array::from_fn(|i| (colour[i] * bright).min(BACKGROUND[i]));
    Floor { plane, axes: [first, second], colour }
}

/// Coverage by a grid line at a point, from 0 to 1; `footprint` is the size of a pixel there, m.
fn grid(point: Vec3, floor: &Floor, space: f64, footprint: f64, slant: f64) -> f64 {
    let width = (WIDTH * space).max(footprint);
    let blur = footprint / slant.max(0.05);
    // Lines fade where their spacing approaches the size of a pixel.
    let melted = (1.0 - 4.0 * blur / space).clamp(0.0, 1.0);
    let covered = floor.axes.map(|axis| {
        let place = point.dot(axis) / space;
        let away = (place - place.round()).abs() * space;
        ((0.5 * width - away) / blur.max(0.3 * width) + 0.5).clamp(0.0, 1.0)
    });
    melted * covered[0].max(covered[1])
}

/// A number near `length` that is 1, 2 or 5 times a power of ten.
pub(crate) fn spacing(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .rfind(|step| *step <= length * 1.0001)
        .unwrap_or(power)
}

fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
