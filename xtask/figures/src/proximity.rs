//! Pictures of hierarchies and of closest points.

use crate::overlay;
use crate::{Outcome, PALETTE, WHITE, edges, polygon, save, seen_from, upright};
use silvia::proximity::bounds::{Aabb, Bound, Dop14, Dop18, Dop26, Obb, Sphere};
use silvia::proximity::mesh::distance;
use silvia::proximity::{DistanceOptions, Hierarchy};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{Pose, Quat, Solid, Vec3};
use std::path::Path;

/// The line between nearest points: no edge has this colour.
const GREEN: Colour = [0.0, 0.38, 0.08];
/// The levels shown; the root is level 0.
const LEVELS: usize = 4;
/// How many bounds are shown.
const BOUNDS: usize = 6;
/// The size of a panel in pixels.
const PANEL: [usize; 2] = [150, 128];

/// A knot in its bounds: a column for each kind (sphere, aabb, dop14, dop18, dop26, obb), a row for each
/// level.
pub(crate) fn bounds(path: &Path) -> Outcome {
    let knot = TorusKnot::TREFOIL.soup_with_triangles(12_000)?.posed(&Pose::new(Vec3::ZERO, upright(0.4))?);
    let knot = Solid::from_soup(&knot)?;
    // From so far away that all panels are seen from the same side.
    let camera = seen_from(Vec3::new(0.0, -400.0, 60.0), Vec3::ZERO, 4.7);
    let mut canvas = Canvas::new(BOUNDS * PANEL[0], LEVELS * PANEL[1], WHITE, camera);
    column::<Sphere>(&mut canvas, 0, &knot)?;
    column::<Aabb>(&mut canvas, 1, &knot)?;
    column::<Dop14>(&mut canvas, 2, &knot)?;
    column::<Dop18>(&mut canvas, 3, &knot)?;
    column::<Dop26>(&mut canvas, 4, &knot)?;
    column::<Obb>(&mut canvas, 5, &knot)?;
    save(&canvas, path)
}

fn column<B: Bound>(canvas: &mut Canvas, column: usize, knot: &Solid) -> Outcome {
    let body: Hierarchy<B> = Hierarchy::new(knot.clone());
    let [width, height] = canvas.drawn_size();
    let (wide, high) = (width / BOUNDS, height / LEVELS);
    for level in 0..LEVELS {
        let (left, top) = (column * wide, level * high);
        // The middle of the panel, in the plane through the origin that the eye looks at.
        let (eye, direction) = canvas.ray(left + wide / 2, top + high / 2);
        let (_, ahead) = canvas.ray(width / 2, height / 2);
        let shift = eye + direction * (-eye.dot(ahead) / direction.dot(ahead));
        canvas.triangles(&knot.soup().posed(&Pose::from_translation(shift)?), |_| [0.75, 0.75, 0.75]);
        let level = body.level(level);
        let packs: Vec<B::Pack> = level.iter().map(|b| B::pack([b; 4])).collect();
        let meet = |origin: Vec3, direction: Vec3| {
            let enter =
                |(i, pack): (usize, &B::Pack)| (B::ray_bounds(pack, origin - shift, direction, 0.0)[0], i);
            let nearest = packs.iter().enumerate().map(enter).min_by(|a, b| a.0.total_cmp(&b.0));
            nearest.filter(|hit| hit.0 < f64::INFINITY)
        };
        overlay::draw(canvas, left..left + wide - 1, top..top + high - 1, meet, |i| {
            PALETTE[i % PALETTE.len()]
        });
    }
    Ok(())
}

/// Two pairs of parts, with the line between their nearest points.
pub(crate) fn closest(path: &Path) -> Outcome {
    let bracket = primitives::extrusion(
        &[[-1.0, -1.0], [1.0, -1.0], [1.0, -0.3], [-0.3, -0.3], [-0.3, 1.0], [-1.0, 1.0]],
        &[],
        1.0,
    )?;
    let nut = primitives::extrusion(&polygon(6, 0.6), &[polygon(24, 0.33)], 0.5)?;
    let knot = TorusKnot::TREFOIL.soup_with_triangles(12_000)?.scaled(0.36)?;
    let tilt = Quat::from_rotation_x(0.9);
    let camera = seen_from(Vec3::new(0.0, -16.0, 6.0), Vec3::new(0.0, 0.0, -0.05), 12.0);
    let mut canvas = Canvas::new(1000, 380, WHITE, camera);
    let scenes = [
        (
            &bracket,
            Pose::new(Vec3::new(-2.6, 0.0, -0.2), upright(-0.5))?,
            &nut,
            Pose::new(Vec3::new(-1.35, -0.2, 0.75), upright(0.3))?,
        ),
        (
            &knot,
            Pose::new(Vec3::new(1.3, 0.0, 0.0), tilt)?,
            &knot,
            Pose::new(Vec3::new(3.35, 0.0, 0.25), tilt * Quat::from_rotation_y(1.2))?,
        ),
    ];
    for (first, first_pose, second, second_pose) in scenes {
        let solids = [Solid::from_soup(first)?, Solid::from_soup(second)?];
        let bodies = solids.map(Hierarchy::<Obb>::new);
        let answer =
            distance(&bodies[0], &first_pose, &bodies[1], &second_pose, &DistanceOptions::default())?;
        for (index, (soup, pose)) in [(first, first_pose), (second, second_pose)].into_iter().enumerate() {
            let placed = Solid::from_soup(&soup.posed(&pose))?;
            canvas.triangles(placed.soup(), |_| PALETTE[index]);
            // The many small folds of a round body would hide it.
            if placed.edge_count() < 1000 {
                edges(&mut canvas, &placed);
            }
        }
        let [a, b] = answer.witness.points;
        canvas.line(a, b, 3.5, GREEN);
        [a, b].into_iter().for_each(|p| canvas.dot(p, 9.0, GREEN));
    }
    save(&canvas, path)
}
