//! A translucent surface that is known only by where rays meet it, drawn over what is there, with its edges
//! in ink.

use silvia::scene::picture::Camera;
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::Vec3;
use std::ops::Range;

/// How much of the surface's colour covers what is behind it.
const COVER: f64 = 0.6;
/// Normals of neighbouring pixels further apart than this (cosine) are on two sides of an edge.
const CREASE: f64 = 0.9;
const INK: Colour = [0.03, 0.04, 0.07];

/// Where a ray meets the surface: how far along it, and on which piece.
pub(crate) type Hit = (f64, usize);

/// Draws within a rectangle of drawn pixels. `meet` takes a ray's origin and direction.
pub(crate) fn draw(
    canvas: &mut Canvas,
    columns: Range<usize>,
    rows: Range<usize>,
    meet: impl Fn(Vec3, Vec3) -> Option<Hit>,
    color: impl Fn(usize) -> Colour,
) {
    let width = columns.len() + 1;
    let mut hits = Vec::with_capacity(width * (rows.len() + 1));
    for y in rows.start..=rows.end {
        for x in columns.start..=columns.end {
            let (origin, direction) = canvas.ray(x, y);
            hits.push(meet(origin, direction).map(|(t, piece)| (origin + t * direction, t, piece)));
        }
    }
    let normal = |at: usize| {
        let (p, _, piece) = hits[at]?;
        let beside = |at: usize| hits.get(at).copied().flatten().filter(|h| h.2 == piece).map(|h| h.0);
        Some((beside(at + 1)? - p).cross(beside(at + width)? - p).normalize_or_zero())
    };
    let normals: Vec<Option<Vec3>> = (0..hits.len()).map(normal).collect();
    for row in 0..rows.len() {
        for column in 0..columns.len() {
            let at = row * width + column;
            let Some((_, depth, piece)) = hits[at] else { continue };
            let is_flat = [at + 1, at + width].iter().all(|&next| match (normals[at], normals[next]) {
                (Some(n), Some(m)) => n.dot(m) > CREASE,
                _ => false,
            });
            let (x, y) = (columns.start + column, rows.start + row);
            match normals[at] {
                Some(n) if is_flat => {
                    let light = Camera::light(canvas.camera().direction(n), true);
                    canvas.blend(x, y, depth, color(piece).map(|c| c * light), COVER);
                }
                _ => canvas.blend(x, y, depth, INK, 1.0),
            }
        }
    }
}
