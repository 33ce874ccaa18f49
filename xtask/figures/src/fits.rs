//! Parts that go together, each a little out of its place.

use crate::{Outcome, PALETTE, WHITE, edges, save, seen_from};
use silvia::scene::picture::Canvas;
use silvia::solid::parts::{
    CountersunkBolt, CrossKeys, CrossRecess, Dovetail, Gear, HexBoltAndNut, KeyAndPocket, MetricSize,
    PegAndHole, SnapHook, l_bracket, t_bracket,
};
use silvia::solid::{Pose, Quat, Solid, Soup, Vec3};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

pub(crate) fn fits(path: &Path) -> Outcome {
    let peg = PegAndHole { facets: 6, ..PegAndHole::default() };
    let (bolt, dovetail) =
        (CountersunkBolt { segments: 24, ..CountersunkBolt::default() }, Dovetail::default());
    let (large, small) = (Gear { teeth: 20, ..Gear::default() }, Gear { teeth: 13, ..Gear::default() });
    let upright = Quat::from_rotation_x(FRAC_PI_2);
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    // Soup, scale, turn, place.
    let drawn: [(Soup, f64, Quat, Vec3); 10] = [
        (peg.block()?, 45.0, Quat::IDENTITY, at(-6.0, 0.0, -0.6)),
        (peg.peg()?, 45.0, Quat::IDENTITY, at(-6.0, 0.0, 0.9)),
        (bolt.block()?, 80.0, Quat::IDENTITY, at(-3.4, 0.0, -0.1)),
        (bolt.bolt()?, 80.0, Quat::IDENTITY, at(-3.4, 0.0, 1.3)),
        (dovetail.tail()?, 35.0, upright, at(-0.7, 0.0, -0.7)),
        (dovetail.socket()?, 35.0, upright, at(-0.7, -1.0, -0.7)),
        (large.soup()?, 45.0, Quat::IDENTITY, at(2.2, 0.0, -0.4)),
        (small.soup()?, 45.0, Quat::IDENTITY, at(2.2 + 45.0 * large.centre_distance(&small), 0.0, -0.4)),
        (l_bracket(0.08, 0.06, 0.01, 0.04)?, 25.0, upright, at(6.1, 0.0, -0.3)),
        (t_bracket(0.08, 0.06, 0.01, 0.04)?, 25.0, upright, at(8.6, 0.0, -0.3)),
    ];
    draw(path, &drawn)
}

/// The rest: a metric bolt and nut, a screw and its driver, a key, a snap hook, a burr.
pub(crate) fn more(path: &Path) -> Outcome {
    let hex = HexBoltAndNut { size: MetricSize::M12, length: 0.03, segments: 24, ..HexBoltAndNut::default() };
    let (recess, key) = (
        CrossRecess { segments: 24, shaft_length: 12e-3, ..CrossRecess::default() },
        KeyAndPocket::default(),
    );
    let hook = SnapHook { plate: 6e-3, ..SnapHook::default() };
    let [first, second, third] = CrossKeys::default().pieces()?;
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let level = Quat::IDENTITY;
    let drawn: [(Soup, f64, Quat, Vec3); 12] = [
        (hex.bolt()?, 75.0, level, at(-6.4, 0.0, -1.2)),
        (hex.nut()?, 75.0, level, at(-6.4, 0.0, -0.6)),
        (recess.screw()?, 130.0, level, at(-3.6, 0.0, -0.2)),
        (recess.driver()?, 110.0, level, at(-3.6, 0.0, 1.0)),
        (key.block()?, 45.0, level, at(-0.8, 0.0, -0.8)),
        (key.key()?, 45.0, level, at(-0.8, 0.0, 1.1)),
        (hook.slot()?, 120.0, level, at(2.2, 0.0, -0.5)),
        (hook.hook()?, 120.0, level, at(2.2, 0.0, 1.0)),
        (first.clone(), 22.0, level, at(5.0, 0.0, -0.7)),
        (second.clone(), 22.0, level, at(5.5, 0.0, -0.7)),
        (third.clone(), 22.0, level, at(5.5, 0.0, 0.5)),
        (first, 22.0, level, at(8.6, 0.0, -0.3)),
    ];
    let together = [second, third].map(|piece| (piece, 22.0, level, at(8.6, 0.0, -0.3)));
    draw(path, &drawn.into_iter().chain(together).collect::<Vec<_>>())
}

/// Soups at a scale, turned, and put at a place.
fn draw(path: &Path, drawn: &[(Soup, f64, Quat, Vec3)]) -> Outcome {
    let camera = seen_from(Vec3::new(1.3, -26.0, 15.0), Vec3::new(1.3, 0.0, 0.1), 8.5);
    let mut canvas = Canvas::new(1200, 300, WHITE, camera);
    for (index, (soup, scale, turn, place)) in drawn.iter().enumerate() {
        let solid = Solid::from_soup(&soup.scaled(*scale)?.posed(&Pose::new(*place, *turn)?))?;
        canvas.triangles(solid.soup(), |_| PALETTE[index % PALETTE.len()]);
        edges(&mut canvas, &solid);
    }
    save(&canvas, path)
}
