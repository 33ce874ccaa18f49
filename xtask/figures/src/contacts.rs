//! Two edges that touch, and why: their arcs of normals on the unit sphere.

use crate::{INK, Outcome, PALETTE, RED, WHITE, edges, save, seen_from};
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{ContactCache, contacts};
use silvia::proximity::{ContactOptions, Feature, Hierarchy};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::primitives::cuboid;
use silvia::solid::{EdgeId, Pose, Quat, Solid, Vec3};
use std::error::Error;
use std::path::Path;

const GREY: Colour = [0.80, 0.82, 0.85];
/// Half the height and width of the bar, m.
const BAR: f64 = 0.35;
/// Pieces of a drawn arc.
const PIECES: u32 = 48;

/// A bar that leans over the edge of a block, and the arcs of the block's edge and of the bar's two lower
/// ones.
pub(crate) fn gauss(path: &Path) -> Outcome {
    let shift = Vec3::new(-2.1, 0.0, 0.0);
    let block = Solid::from_soup(&cuboid(Vec3::new(2.4, 2.6, 1.6))?)?;
    let bar = Solid::from_soup(&cuboid(Vec3::new(2.6, 2.0 * BAR, 2.0 * BAR))?)?;
    let lean = Quat::from_rotation_y(0.6) * Quat::from_rotation_x(0.45);
    // A point of the bar's lower edge, a little above the middle of the block's edge.
    let edge = Vec3::new(1.2, 0.0, 0.8);
    let place = edge - lean * Vec3::new(0.25, -BAR, -BAR) + lean * Vec3::new(0.0, 0.0, 0.02);
    let poses = [Pose::from_translation(shift)?, Pose::new(place + shift, lean)?];

    let bodies = [&block, &bar].map(|solid| Hierarchy::<Obb>::new(solid.clone()));
    let options = ContactOptions { reach: 0.3, turn: 0.0 };
    let found = contacts(&bodies[0], &poses[0], &bodies[1], &poses[1], &options, &mut ContactCache::new())?;
    let touching = found.iter().find(|pair| pair.state.holds).ok_or("the bar does not lie on the edge")?;
    let [Feature::Edge(of_block), Feature::Edge(of_bar)] = touching.key.features else {
        return Err("the bar does not touch with an edge".into());
    };
    let upper = beside(&bar, EdgeId(of_bar))?;

    let camera = seen_from(Vec3::new(4.0, -15.0, 6.5), Vec3::new(0.0, 0.0, 0.45), 16.0);
    let mut canvas = Canvas::new(1000, 400, WHITE, camera);
    for (solid, pose, color) in [(&block, &poses[0], PALETTE[0]), (&bar, &poses[1], PALETTE[1])] {
        let placed = Solid::from_soup(&solid.soup().posed(pose))?;
        canvas.triangles(placed.soup(), |_| color);
        edges(&mut canvas, &placed);
    }
    let at = touching.state.points[1];
    arrow(&mut canvas, at, touching.state.normal);

    // The edges themselves, in the colours of their arcs.
    let colors = [[0.05, 0.20, 0.65], [0.80, 0.38, 0.02], [0.45, 0.20, 0.62]];
    let centre = Vec3::new(2.3, 0.0, 0.3);
    sphere(&mut canvas, centre);
    let drawn = [
        (&block, &poses[0], EdgeId(of_block), 1.0),
        (&bar, &poses[1], EdgeId(of_bar), -1.0),
        (&bar, &poses[1], upper, -1.0),
    ];
    for ((solid, pose, id, sign), color) in drawn.into_iter().zip(colors) {
        let found = solid.edge(id);
        let [from, to] = found.vertices.map(|v| pose.transform_point(solid.point(v)));
        canvas.line(from, to, 5.0, color);
        let normals = found.faces.map(|face| sign * pose.transform_vector(solid.plane(face).normal));
        arc(&mut canvas, centre, normals, color);
    }
    canvas.dot(centre + touching.state.normal, 13.0, RED);
    canvas.line(centre, centre + touching.state.normal, 2.5, RED);
    save(&canvas, path)
}

/// The other edge of the face under the bar that runs along it.
fn beside(bar: &Solid, id: EdgeId) -> Result<EdgeId, Box<dyn Error>> {
    let edge = bar.edge(id);
    let along = |id: EdgeId| {
        let [from, to] = bar.edge(id).vertices.map(|v| bar.point(v));
        (to - from).normalize()
    };
    // The lower face is the one with -z in the bar's frame.
    let below =
        edge.faces.into_iter().find(|&face| bar.plane(face).normal.z < -0.5).ok_or("no lower face")?;
    let is_other = |other: &EdgeId| {
        *other != id && bar.edge(*other).faces.contains(&below) && along(*other).dot(along(id)).abs() > 0.5
    };
    bar.edges().find(is_other).ok_or_else(|| "no second edge".into())
}

/// So long that it comes out of the bar.
fn arrow(canvas: &mut Canvas, from: Vec3, normal: Vec3) {
    let (side, tip) = (normal.any_orthonormal_vector(), from + 1.75 * normal);
    canvas.line(from, tip, 3.0, RED);
    for k in 0..12 {
        let around = Quat::from_axis_angle(normal, std::f64::consts::TAU * f64::from(k) / 12.0) * side;
        canvas.line(tip - 0.22 * normal + 0.07 * around, tip, 3.0, RED);
    }
}

/// Circles of latitude and longitude.
fn sphere(canvas: &mut Canvas, centre: Vec3) {
    let mut circle = |axis: Vec3, height: f64| {
        let (u, v) = axis.any_orthonormal_pair();
        let radius = (1.0 - height * height).sqrt();
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(2 * PIECES)).sin_cos();
            centre + height * axis + radius * (cos * u + sin * v)
        };
        (0..2 * PIECES).for_each(|k| canvas.line(at(k), at(k + 1), 1.0, GREY));
    };
    [-0.75, -0.4, 0.0, 0.4, 0.75].into_iter().for_each(|height| circle(Vec3::Z, height));
    (0..6).for_each(|k| {
        let (sin, cos) = (std::f64::consts::PI * f64::from(k) / 6.0).sin_cos();
        circle(Vec3::new(cos, sin, 0.0), 0.0);
    });
}

/// From one normal to the other, the short way round.
fn arc(canvas: &mut Canvas, centre: Vec3, ends: [Vec3; 2], color: Colour) {
    let at = |k: u32| centre + ends[0].lerp(ends[1], f64::from(k) / f64::from(PIECES)).normalize();
    (0..PIECES).for_each(|k| canvas.line(at(k), at(k + 1), 5.0, color));
    ends.into_iter().for_each(|end| canvas.dot(centre + end, 10.0, color));
    canvas.dot(centre, 4.0, INK);
}
