//! A picture of first touches.

use crate::{INK, Outcome, PALETTE, WHITE, edges, save, seen_from};
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{Moving, time_of_impact};
use silvia::proximity::{Hierarchy, ImpactOptions, Motion};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{Pose, Quat, Solid, Soup, Vec3};
use std::f64::consts::PI;
use std::path::Path;

/// The point of touch and its normal: no edge has this colour.
const GREEN: Colour = [0.0, 0.38, 0.08];

/// A blade that sweeps towards a peg and a knot that tumbles onto another: paler where they come from, full
/// where they touch.
pub(crate) fn impact(path: &Path) -> Outcome {
    let camera = seen_from(Vec3::new(0.0, -16.0, 9.0), Vec3::new(0.0, 0.0, 0.3), 13.5);
    let mut canvas = Canvas::new(1000, 420, WHITE, camera);
    let blade = primitives::cuboid(Vec3::new(2.8, 0.12, 0.12))?;
    let peg = primitives::cylinder(0.12, 1.0, 24)?;
    let middle = Vec3::new(-2.3, 0.0, 0.0);
    let start = Pose::new(middle, Quat::from_rotation_z(-0.35))?;
    let turn = Motion::turning(start, Vec3::ZERO, Vec3::Z * PI, Vec3::ZERO)?;
    let stand = Pose::from_translation(middle + Vec3::new(0.15, 1.05, 0.0))?;
    scene(&mut canvas, (&peg, stand), (&blade, turn), 6)?;

    let knot = TorusKnot::TREFOIL.soup_with_triangles(12_000)?.scaled(0.3)?;
    let tilt = Quat::from_rotation_x(0.3);
    let lying = Pose::new(Vec3::new(1.9, 0.0, -0.9), tilt)?;
    let above = Pose::new(Vec3::new(2.9, 0.0, 1.4), Quat::from_rotation_y(1.2))?;
    let fall = Motion::turning(above, Vec3::new(-1.2, 0.0, -2.8), Vec3::new(0.6, 2.0, 0.0), Vec3::ZERO)?;
    scene(&mut canvas, (&knot, lying), (&knot, fall), 3)?;
    save(&canvas, path)
}

/// Draws a body at rest, and one in motion at equal times until it touches.
fn scene(
    canvas: &mut Canvas,
    (fixed, pose): (&Soup, Pose),
    (moving, motion): (&Soup, Motion),
    stages: u32,
) -> Outcome {
    let bodies = [Solid::from_soup(fixed)?, Solid::from_soup(moving)?].map(Hierarchy::<Obb>::new);
    let rest = Motion::still(pose);
    let ways = [Moving::new(&bodies[0], &rest), Moving::new(&bodies[1], &motion)];
    let impact = time_of_impact(&ways[0], &ways[1], &ImpactOptions::default())?;
    let first = impact.contacts.first().ok_or("the scene is made to touch")?;
    draw(canvas, &fixed.posed(&pose), PALETTE[0])?;
    for stage in 0..=stages {
        let part = f64::from(stage) / f64::from(stages);
        let at = motion.pose_at(part * impact.lower).ok_or("the motion is rigid")?;
        // Paler the earlier.
        let pale = 0.75 * (1.0 - part);
        let color = PALETTE[1].map(|c| c + pale * (1.0 - c));
        draw(canvas, &moving.posed(&at), color)?;
    }
    let at = 0.5 * (first.points[0] + first.points[1]);
    canvas.line(at - 0.5 * first.normal, at + 0.5 * first.normal, 3.0, GREEN);
    canvas.dot(at, 9.0, GREEN);
    Ok(())
}

fn draw(canvas: &mut Canvas, soup: &Soup, color: Colour) -> Outcome {
    let solid = Solid::from_soup(soup)?;
    canvas.triangles(soup, |_| color);
    // The many small folds of a round body would hide it.
    if solid.edge_count() < 50 {
        edges(canvas, &solid);
    } else if solid.edge_count() < 1000 {
        for edge in solid.edges().map(|id| solid.edge(id)) {
            let [a, b] = edge.vertices.map(|v| solid.point(v));
            canvas.line(a, b, 0.8, INK);
        }
    }
    Ok(())
}
