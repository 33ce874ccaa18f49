//! Parts near each other, at random free poses.

use seeded::Random;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{collide, distance};
use silvia::proximity::{DistanceOptions, Extent, Hierarchy};
use silvia::solid::parts::{CountersunkBolt, Dovetail, Gear, PegAndHole, l_bracket};
use silvia::solid::primitives::{PrimitiveError, TorusKnot, cuboid};
use silvia::solid::{Pose, Quat, Solid, Soup, Vec3};
use std::f64::consts::TAU;
use std::sync::OnceLock;

/// Two parts that do not touch, the first at the origin.
pub(super) struct Start {
    pub(super) name: &'static str,
    pub(super) a: &'static Hierarchy<Obb>,
    pub(super) b: &'static Hierarchy<Obb>,
    pub(super) pose_b: Pose,
    /// About how far they can move, m.
    pub(super) clearance: f64,
}

const FACETS: [usize; 8] = [3, 4, 5, 6, 8, 16, 32, 64];
/// Of pegs, as fractions of the radius.
const CLEARANCES: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];

type Pair = (Hierarchy<Obb>, Hierarchy<Obb>);

/// The parts of all trials.
struct Parts {
    pegs: Vec<Pair>,
    bolt: Pair,
    dovetail: Pair,
    gears: Pair,
    knot: Pair,
    /// Thin and long: what passes through comes out soon.
    bars: Pair,
}

/// A random fit at a random free pose.
pub(super) fn start(random: &mut Random) -> Result<Start, String> {
    static PARTS: OnceLock<Result<Parts, String>> = OnceLock::new();
    let parts = PARTS.get_or_init(build).as_ref()?;
    // Not every draw gives a free pose; most do.
    (0..100).find_map(|_| drawn(random, parts)).ok_or_else(|| "no free pose in a hundred draws".into())
}

fn drawn(random: &mut Random, parts: &'static Parts) -> Option<Start> {
    let radius = PegAndHole::default().radius;
    let (name, pair, clearance) = match random.whole(0, 8) {
        0..=3 => {
            let index = random.whole(0, parts.pegs.len() as u64 - 1) as usize;
            ("peg in hole", &parts.pegs[index], radius * CLEARANCES[index % CLEARANCES.len()])
        }
        4 => ("bolt in countersink", &parts.bolt, CountersunkBolt::default().clearance),
        5 => ("dovetail", &parts.dovetail, Dovetail::default().clearance),
        6 => ("bar on bar", &parts.bars, 2e-3),
        7 => ("gear in gear", &parts.gears, Gear::default().backlash),
        _ => ("knot on bracket", &parts.knot, 1e-2),
    };
    let (a, b) = (&pair.0, &pair.1);
    let pose_b = match name {
        "gear in gear" => {
            let near = gears_meshing(random)?;
            free(random, a, b, clearance, near)?
        }
        "knot on bracket" | "bar on bar" => beside(random, a, b, clearance)?,
        "peg in hole" => {
            let along = Vec3::new(0.0, 0.0, random.between(-0.03, 0.03));
            free(random, a, b, clearance, Pose::from_translation(along).ok()?)?
        }
        _ => free(random, a, b, clearance, Pose::IDENTITY)?,
    };
    Some(Start { name, a, b, pose_b, clearance })
}

/// A free pose near a given one, tilted as far as the clearance lets it.
fn free(
    random: &mut Random,
    a: &Hierarchy<Obb>,
    b: &Hierarchy<Obb>,
    clearance: f64,
    near: Pose,
) -> Option<Pose> {
    let size = b.bounds().size().length();
    for attempt in 0..20 {
        let much = clearance * 0.9_f64.powi(attempt);
        let turn = Quat::from_scaled_axis(random.vector(2.0 * much / size) * random.between(0.0, 1.0));
        let pose =
            Pose::new(near.translation() + random.vector(much), (turn * near.rotation()).normalize()).ok()?;
        if !collide(a, &Pose::IDENTITY, b, &pose, Extent::Any).is_some() {
            return Some(pose);
        }
    }
    None
}

/// The second wheel beside the first, at the angle at which its teeth go between the first one's.
fn gears_meshing(random: &mut Random) -> Option<Pose> {
    let [large, small] = wheels();
    // Turning the pair: the first by an angle is not possible, since it rests, so go around it instead.
    let around = TAU * random.between(0.0, 1.0);
    let (turn, ratio) = (Quat::from_rotation_z(around), large.teeth as f64 / small.teeth as f64);
    let place = turn * Vec3::new(large.centre_distance(&small), 0.0, 0.0);
    // At `around` = 0 a tooth of the first faces a gap of the second, which has an odd number of teeth.
    let spin = Quat::from_rotation_z(around * (1.0 + ratio));
    Pose::new(place, spin.normalize()).ok()
}

/// At a random orientation, from a random direction, a little off.
fn beside(random: &mut Random, a: &Hierarchy<Obb>, b: &Hierarchy<Obb>, clearance: f64) -> Option<Pose> {
    let turn = Quat::from_scaled_axis(random.vector(3.0));
    let place = random.vector(1.0).try_normalize()? * (a.bounds().size() + b.bounds().size()).length();
    let from = Pose::new(place, turn.normalize()).ok()?;
    let found = distance(a, &Pose::IDENTITY, b, &from, &DistanceOptions::default()).ok()?;
    let [p, q] = found.witness.points;
    let near = from.moved((p - q) * (1.0 - clearance * random.between(0.01, 0.5) / p.distance(q)));
    (!collide(a, &Pose::IDENTITY, b, &near, Extent::Any).is_some()).then_some(near)
}

fn wheels() -> [Gear; 2] {
    let coarse = Gear { flank_segments: 4, bore_radius: 0.0, ..Gear::default() };
    [Gear { teeth: 20, ..coarse }, Gear { teeth: 17, ..coarse }]
}

fn build() -> Result<Parts, String> {
    let body = |soup: Result<Soup, PrimitiveError>| -> Result<Hierarchy<Obb>, String> {
        let solid = Solid::from_soup(&soup.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
        Ok(Hierarchy::new(solid))
    };
    let mut pegs = Vec::new();
    for facets in FACETS {
        for clearance in CLEARANCES {
            let fit = PegAndHole { facets, ..PegAndHole::default() };
            let fit = PegAndHole { clearance: clearance * fit.radius, ..fit };
            pegs.push((body(fit.block())?, body(fit.peg())?));
        }
    }
    let (bolt, dovetail, [large, small]) =
        (CountersunkBolt { segments: 24, ..CountersunkBolt::default() }, Dovetail::default(), wheels());
    Ok(Parts {
        pegs,
        bolt: (body(bolt.block())?, body(bolt.bolt())?),
        dovetail: (body(dovetail.tail())?, body(dovetail.socket())?),
        gears: (body(large.soup())?, body(small.soup())?),
        bars: (body(cuboid(Vec3::new(1.0, 0.01, 0.01)))?, body(cuboid(Vec3::new(0.8, 0.02, 0.005)))?),
        knot: (body(l_bracket(6.0, 5.0, 1.0, 3.0))?, body(TorusKnot::TREFOIL.soup_with_triangles(1000))?),
    })
}
