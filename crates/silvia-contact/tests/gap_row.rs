//! The derivatives of gaps, against finite differences of the gaps themselves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use silvia_contact::{GapRow, Twist};
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{ContactCache, contact_at, contacts};
use silvia_proximity::{ContactOptions, Hierarchy};
use silvia_solid::parts::{CountersunkBolt, Gear, PegAndHole};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};

type Parts = Hierarchy<Obb>;

fn part(soup: Soup) -> Parts {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

fn pose(at: Vec3, turn: Vec3) -> Pose {
    Pose::new(at, Quat::from_scaled_axis(turn).normalize()).unwrap()
}

/// The pose after moving with a velocity about a centre for a time.
fn moved(pose: &Pose, centre: Vec3, velocity: &Twist, time: f64) -> Pose {
    let turn = Quat::from_scaled_axis(velocity.angular * time);
    let at = centre + velocity.linear * time + turn * (pose.translation() - centre);
    Pose::new(at, (turn * pose.rotation()).normalize()).unwrap()
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0).prop_map(move |v| size * Vec3::from(v))
}

fn twist() -> impl Strategy<Value = Twist> {
    (vector(0.01), vector(1.0)).prop_map(|(linear, angular)| Twist { linear, angular })
}

fn fits() -> Vec<(Parts, Parts, f64)> {
    let (peg, bolt) = (PegAndHole { facets: 8, ..PegAndHole::default() }, CountersunkBolt::default());
    let gear = Gear { flank_segments: 3, ..Gear::default() };
    vec![
        (part(peg.block().unwrap()), part(peg.peg().unwrap()), 4.0 * peg.clearance),
        (part(bolt.block().unwrap()), part(bolt.bolt().unwrap()), 4.0 * bolt.clearance),
        (part(gear.soup().unwrap()), part(gear.soup().unwrap()), 5e-4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn derivatives_of_gaps_agree_with_finite_differences(
        at in vector(1e-4), turn in vector(0.02), twists in [twist(), twist()], shift in vector(0.1),
    ) {
        for (i, (a, b, reach)) in fits().iter().enumerate() {
            let beside = if i == 2 { Vec3::new(0.0405, 0.0, 0.0) } else { Vec3::ZERO };
            let (pose_a, pose_b) = (pose(shift, 3.0 * turn), pose(shift + at + beside, turn));
            let centres = [shift, shift + Vec3::new(0.0, 0.001, 0.002)];
            let options = ContactOptions { reach: *reach, turn: 0.01 };
            // 1 us, at about 0.01 m/s and 1 rad/s.
            const STEP: f64 = 1e-6;
            for pair in contacts(a, &pose_a, b, &pose_b, &options, &mut ContactCache::new()).unwrap() {
                let gap = |time: f64| {
                    let pose_a = moved(&pose_a, centres[0], &twists[0], time);
                    let pose_b = moved(&pose_b, centres[1], &twists[1], time);
                    contact_at(a, &pose_a, b, &pose_b, &pair.key)
                };
                let (before, after) = (gap(-STEP), gap(STEP));
                // Nearly parallel edges have a normal that turns faster than differences can follow.
                if before.normal.distance(after.normal) > 1e-3 {
                    continue;
                }
                let difference = (after.gap - before.gap) / (2.0 * STEP);
                let rate = GapRow::new(&pair.state, centres).rate(twists);
                prop_assert!((difference - rate).abs() < 1e-6, "{pair:?}: {difference}, not {rate}");
            }
        }
    }
}
