//! A picture of many bodies at once.

use crate::{Outcome, RED, WHITE, save, seen_from};
use silvia::prelude::*;
use silvia::proximity::{ObjectId, Shape};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::primitives::TorusKnot;
use std::collections::BTreeSet;
use std::path::Path;

/// Knots that touch nothing.
const GREY: Colour = [0.62, 0.66, 0.72];
/// The line between nearest points.
const GREEN: Colour = [0.0, 0.38, 0.08];
/// Knots in a row and rows.
const ROWS: [usize; 2] = [7, 3];
/// How near is near, m.
const REACH: f64 = 0.7;

/// Knots that touch another in red, and lines between the nearest points of those that are near each other.
pub(crate) fn crowd(path: &Path) -> Outcome {
    let knot = TorusKnot::TREFOIL.soup_with_triangles(4000)?;
    let shape = Shape::solid(Solid::from_soup(&knot)?);
    let mut crowd = Crowd::new();
    for i in 0..ROWS[0] * ROWS[1] {
        let (column, row) = ((i % ROWS[0]) as f64, (i / ROWS[0]) as f64);
        // Angles without a pattern: multiples of numbers that have none in common.
        let (turn, stray) = (2.4 * i as f64, 1.7 * i as f64);
        let at = Vec3::new(5.6 * (column - 3.0), 0.6 * stray.sin(), 5.6 * (1.0 - row) + 0.6 * stray.cos());
        crowd.add(
            shape.clone(),
            Pose::new(at, Quat::from_rotation_z(turn) * Quat::from_rotation_x(0.6 * turn))?,
        )?;
    }
    let touching: BTreeSet<ObjectId> = crowd.collide(Extent::Any).iter().flat_map(|m| m.objects).collect();
    let camera = seen_from(Vec3::new(0.0, -90.0, 18.0), Vec3::ZERO, 13.5);
    let mut canvas = Canvas::new(900, 405, WHITE, camera);
    let ids: Vec<ObjectId> = crowd.ids().collect();
    for id in ids {
        let color = if touching.contains(&id) { RED } else { GREY };
        canvas.triangles(&knot.posed(&crowd.pose(id)?), |_| color);
    }
    for pair in crowd.near(REACH)?.iter().filter(|pair| pair.distance.upper > 0.0) {
        let [a, b] = pair.distance.points;
        canvas.line(a, b, 3.5, GREEN);
        [a, b].into_iter().for_each(|p| canvas.dot(p, 8.0, GREEN));
    }
    save(&canvas, path)
}
