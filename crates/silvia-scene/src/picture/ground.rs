//! Endless planes: ground, slopes and walls, with a soft grid and the shadows of bodies.

use super::canvas::{Canvas, Colour, linear};
use super::light::{BACKGROUND, Light};
use crate::stage::Stage;
use silvia_solid::{Plane, Vec3};

/// Of the ground, unless its body has a colour of its own.
const GROUND: Colour = [0.80, 0.815, 0.835];
/// How much of a body's colour its plane has.
const TINT: f64 = 0.35;
/// The colour of a body that has none of its own.
const PLAIN: [u8; 3] = [190, 190, 190];
/// How dark lines of the grid are.
const LINE: f64 = 0.13;
/// Their width, in spaces.
const WIDTH: f64 = 0.012;
/// Lines to a radius of the scene, about.
const LINES: f64 = 4.0;
/// From where to where the ground fades, in radii of the scene.
const FADE: [f64; 2] = [2.0, 7.0];

/// A plane ready to be drawn.
struct Floor {
    plane: Plane,
    /// Along the lines of the grid.
    axes: [Vec3; 2],
    colour: Colour,
}

/// Draws planes behind and between what is there. They are seen from above only.
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
    let footprint = 2.0 * canvas.camera().half_height() / height as f64;
    let mut hits: Vec<(f64, usize)> = Vec::new();
    for y in canvas.drawn_rows() {
        for x in 0..width {
            let (origin, ray) = canvas.ray(x, y);
            hits.clear();
            hits.extend(floors.iter().enumerate().filter_map(|(number, floor)| {
                let depth =
                    (floor.plane.offset - floor.plane.normal.dot(origin)) / floor.plane.normal.dot(ray);
                (depth > 0.0 && depth.is_finite() && canvas.is_free(x, y, depth)).then_some((depth, number))
            }));
            // The farthest first.
            hits.sort_by(|a, b| b.0.total_cmp(&a.0));
            for &(depth, number) in &hits {
                let (floor, point) = (&floors[number], origin + depth * ray);
                let far = (point - stage.middle).length() / stage.radius;
                let cover = 1.0 - smooth(FADE[0], FADE[1], far);
                if cover > 0.0 {
                    let slant = floor.plane.normal.dot(ray).abs() / ray.length();
                    let line = grid(point, floor, space, footprint * depth, slant);
                    let bright = light.on_ground(point) * (1.0 - LINE * line);
                    canvas.blend(x, y, depth, floor.colour.map(|c| c * bright), cover);
                }
            }
        }
    }
}

fn floor(plane: Plane, colour: Option<[u8; 3]>, light: &Light) -> Floor {
    let (u, v) = plane.normal.any_orthonormal_pair();
    // Lines run along x or y where they can.
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

/// How much of a line of the grid is at a point, from 0 to 1; `footprint` is the size of a pixel there, m.
fn grid(point: Vec3, floor: &Floor, space: f64, footprint: f64, slant: f64) -> f64 {
    let width = (WIDTH * space).max(footprint);
    let blur = footprint / slant.max(0.05);
    // Where lines would be as near to each other as pixels they melt.
    let melted = (1.0 - 4.0 * blur / space).clamp(0.0, 1.0);
    let covered = floor.axes.map(|axis| {
        let place = point.dot(axis) / space;
        let away = (place - place.round()).abs() * space;
        ((0.5 * width - away) / blur.max(0.3 * width) + 0.5).clamp(0.0, 1.0)
    });
    melted * covered[0].max(covered[1])
}

/// 1, 2 or 5 times a power of ten, near a length.
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
