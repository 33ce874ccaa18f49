//! Pictures of shapes and of bodies that move.

use crate::{INK, Outcome, PALETTE, WHITE, edges, save, seen_from};
use silvia::prelude::*;
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::hull::convex_hull;
use silvia::solid::parts::l_bracket;
use silvia::solid::primitives;
use std::path::Path;

const GROUND: Colour = [0.80, 0.82, 0.85];
const PATH: Colour = [0.55, 0.10, 0.08];

/// Every kind of shape, on a half-space.
pub(crate) fn shapes(path: &Path) -> Outcome {
    let capsule = {
        let ends = [-0.5, 0.5].map(|z| Pose::from_translation(Vec3::new(0.0, 0.0, z)));
        let ball = primitives::sphere(0.45, 10)?;
        let points: Vec<Vec3> = ends
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .flat_map(|end| ball.posed(end).points().to_vec())
            .collect();
        convex_hull(&points)?.soup
    };
    let stone: Vec<Vec3> = (1..=26)
        .map(|i| {
            let turn = |ratio: f64| 2.0 * (f64::from(i) * ratio).fract() - 1.0;
            Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478)).normalize_or_zero() * 0.8
        })
        .collect();
    let flat = Quat::from_rotation_y(1.2);
    let row: [(Soup, Quat, f64); 8] = [
        (primitives::sphere(0.7, 12)?, Quat::IDENTITY, 0.7),
        (primitives::cuboid(Vec3::new(1.2, 1.0, 1.0))?, Quat::IDENTITY, 0.5),
        (primitives::cylinder(0.55, 1.3, 40)?, Quat::IDENTITY, 0.65),
        (primitives::cone(0.7, 1.4, 40)?, Quat::IDENTITY, 0.7),
        (capsule, Quat::IDENTITY, 0.95),
        (convex_hull(&stone)?.soup, Quat::IDENTITY, 0.78),
        (primitives::torus(0.6, 0.22, 40, 16)?, flat, 0.74),
        (l_bracket(1.3, 1.1, 0.3, 0.8)?, Quat::from_rotation_x(std::f64::consts::FRAC_PI_2), 0.0),
    ];
    let camera = seen_from(Vec3::new(0.0, -60.0, 22.0), Vec3::new(0.0, 0.0, 0.5), 3.4);
    let mut canvas = Canvas::new(1200, 220, WHITE, camera);
    let ground = primitives::cuboid(Vec3::new(21.0, 3.4, 0.2))?
        .posed(&Pose::from_translation(Vec3::new(0.0, 0.0, -0.1))?);
    canvas.triangles(&ground, |_| GROUND);
    for (index, (soup, turn, up)) in row.iter().enumerate() {
        let at = Vec3::new(2.45 * (index as f64 - 3.5), 0.0, *up);
        let soup = soup.posed(&Pose::new(Vec3::ZERO, Quat::from_rotation_z(0.5) * *turn)?);
        let lift = if *up == 0.0 { -soup.bounds().min.z } else { 0.0 };
        let solid = Solid::from_soup(&soup.posed(&Pose::from_translation(at + Vec3::Z * lift)?))?;
        canvas.triangles(solid.soup(), |_| PALETTE[index % PALETTE.len()]);
        // The others are round: their facets are those of the drawing.
        if [1, 5, 7].contains(&index) {
            edges(&mut canvas, &solid);
        }
    }
    save(&canvas, path)
}

/// A bracket that lands on a block, as a world steps it: paler the earlier, with the paths of its vertices.
pub(crate) fn steps(path: &Path) -> Outcome {
    let mut world = World::new(WorldSettings::default())?;
    let block = primitives::cuboid(Vec3::new(3.0, 1.4, 0.3))?;
    let stand = Pose::from_translation(Vec3::new(0.4, 0.0, -0.15))?;
    world.add(BodyBuilder::fixed(Solid::from_soup(&block)?).at(stand))?;
    let soup = l_bracket(0.7, 0.5, 0.14, 0.4)?;
    let start = Pose::new(Vec3::new(-1.0, 0.0, 1.15), Quat::from_rotation_x(std::f64::consts::FRAC_PI_2))?;
    let velocity = Twist { linear: Vec3::new(2.6, 0.0, 1.2), angular: Vec3::new(0.0, 5.0, 0.0) };
    let solid = Solid::from_soup(&soup)?;
    let body = world.add(BodyBuilder::free(solid.clone()).at(start).velocity(velocity))?;
    let mut poses = vec![world.pose(body)?];
    // Steps of 10 ms, every ninth of them drawn.
    for step in 1..=72 {
        world.step(0.01)?;
        if step % 9 == 0 {
            poses.push(world.pose(body)?);
        }
    }
    let camera = seen_from(Vec3::new(0.3, -16.0, 5.0), Vec3::new(0.3, 0.0, 0.55), 7.6);
    let mut canvas = Canvas::new(900, 400, WHITE, camera);
    canvas.triangles(&block.posed(&stand), |_| GROUND);
    edges(&mut canvas, &Solid::from_soup(&block.posed(&stand))?);
    for (index, pose) in poses.iter().enumerate() {
        let pale = 0.8 * (1.0 - index as f64 / (poses.len() - 1) as f64);
        let placed = Solid::from_soup(&soup.posed(pose))?;
        canvas.triangles(placed.soup(), |_| PALETTE[0].map(|c| c + pale * (1.0 - c)));
        for edge in placed.edges().map(|id| placed.edge(id)) {
            let [a, b] = edge.vertices.map(|v| placed.point(v));
            canvas.line(a, b, 1.0, INK.map(|c| c + pale * (1.0 - c)));
        }
    }
    for vertex in solid.vertices().map(|v| solid.point(v)) {
        for pair in poses.windows(2) {
            let [a, b] = [0, 1].map(|i| pair[i].transform_point(vertex));
            canvas.line(a, b, 1.0, PATH);
        }
    }
    save(&canvas, path)
}
