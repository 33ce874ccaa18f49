//! What a step of two parts in close fit costs: `cargo run --release -p silvia-proximity --example front`.
//!
//! Moves one part in the other step by step, with a cache, and prints the mean time of a certificate and of a
//! search for contacts within a micrometre, ms, and how many pairs the certificate looks at.

#[path = "../tests/common/thread.rs"]
mod thread;

use silvia_proximity::{ContactBody, ContactOptions, RigidPath, Shape, ShapeContactCache};
use silvia_proximity::{check_path_with, shape_contacts};
use silvia_solid::parts::{CountersunkBolt, Gear, PegAndHole};
use silvia_solid::primitives::TorusKnot;
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::time::Instant;
use thread::NutAndBolt;

/// m
const REACH: f64 = 1e-6;

/// Where both parts are at each step.
type Motion = Box<dyn Fn(usize) -> [Pose; 2]>;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:28} {:>9} {:>12} {:>12} {:>9} {:>9}",
        "", "triangles", "certificate", "contacts", "work", "found"
    );
    let filter = std::env::args().nth(1).unwrap_or_default();
    for (facets, rows) in [(50, 2), (160, 3), (400, 5)] {
        if !"nut".contains(&filter) {
            continue;
        }
        let fit = NutAndBolt { facets, rows, turns: 6, clearance: 1e-4 };
        measure("nut on bolt", [fit.bolt(), fit.nut()], Box::new(screwed))?;
    }
    for segments in [30, 220] {
        if !"gears".contains(&filter) {
            continue;
        }
        let wheel = |teeth| Gear { teeth, bore_radius: 0.0, flank_segments: segments, ..Gear::default() };
        let (large, small) = (wheel(20), wheel(17));
        let apart = large.centre_distance(&small);
        let turned = move |step: usize| {
            let angle = 2e-3 * step as f64;
            let turn = |at: f64, angle: f64| pose(Vec3::new(at, 0.0, 0.0), Quat::from_rotation_z(angle));
            [turn(0.0, angle), turn(apart, -angle * 20.0 / 17.0)]
        };
        measure("gears, running", [large.soup()?, small.soup()?], Box::new(turned))?;
    }
    for triangles in [10_000, 100_000] {
        if !"stirred".contains(&filter) {
            continue;
        }
        let peg = PegAndHole { facets: triangles / 4, ..PegAndHole::default() };
        measure("peg in hole, stirred", [peg.block()?, peg.peg()?], stirred(Pose::IDENTITY, peg.clearance))?;
        let bolt = CountersunkBolt { segments: triangles / 6, ..CountersunkBolt::default() };
        let parts = [bolt.block()?, bolt.bolt()?];
        measure("bolt in countersink, stirred", parts, stirred(Pose::IDENTITY, bolt.clearance))?;
        let wheel = |teeth| Gear {
            teeth,
            bore_radius: 0.0,
            flank_segments: triangles / (8 * teeth),
            ..Gear::default()
        };
        let (large, small) = (wheel(20), wheel(17));
        let place = pose(Vec3::new(large.centre_distance(&small), 0.0, 0.0), Quat::IDENTITY);
        let parts = [large.soup()?, small.soup()?];
        measure("gear in gear, stirred", parts, stirred(place, 0.5 * large.backlash))?;
        let knot = TorusKnot { tube_radius: 0.2, ..TorusKnot::TREFOIL }.soup_with_triangles(triangles)?;
        let place = pose(Vec3::ZERO, Quat::from_rotation_z(FRAC_PI_2));
        measure("knot along knot, stirred", [knot.clone(), knot], stirred(place, 1e-3))?;
    }
    Ok(())
}

fn pose(at: Vec3, turn: Quat) -> Pose {
    Pose::new(at, turn).unwrap_or(Pose::IDENTITY)
}

/// The nut goes along the bolt, 0.16 mm a step.
fn screwed(step: usize) -> [Pose; 2] {
    let angle = 0.02 * step as f64;
    let rise = NutAndBolt::PITCH * (2.0 + angle / TAU);
    [Pose::IDENTITY, pose(Vec3::new(0.0, 0.0, rise), Quat::from_rotation_z(angle))]
}

/// A slow stir within the clearance.
fn stirred(place: Pose, clearance: f64) -> Motion {
    Box::new(move |step| {
        let around = TAU * step as f64 / 200.0;
        let shift = 0.3 * clearance * Vec3::new(around.cos(), around.sin(), 0.3 * (0.02 * step as f64).sin());
        [Pose::IDENTITY, place.moved(shift)]
    })
}

fn measure(name: &str, soups: [Soup; 2], motion: Motion) -> Result<(), Box<dyn Error>> {
    /// The first are not timed.
    const STEPS: std::ops::Range<usize> = 10..60;
    let triangles: usize = soups.iter().map(|soup| soup.triangles().len()).sum();
    let [a, b] = [Solid::from_soup(&soups[0])?, Solid::from_soup(&soups[1])?]
        .map(|solid| ContactBody::new(&Shape::solid(solid)));
    let options = ContactOptions::within_shapes(REACH, &a, &b);
    let mut cache = ShapeContactCache::new();
    let (mut certificate, mut contacts, mut work, mut found, mut not_free) = (0.0, 0.0, 0, 0, 0);
    for step in 0..STEPS.end {
        let (from, to) = (motion(step), motion(step + 1));
        let paths = [0, 1].map(|i| RigidPath { from: from[i], to: to[i], about: Vec3::ZERO });
        let began = Instant::now();
        let check = check_path_with(&a, &paths[0], &b, &paths[1], &mut cache);
        let checked = began.elapsed();
        let near = shape_contacts(&a, &from[0], &b, &from[1], &options, &mut cache)?;
        let took = began.elapsed();
        if STEPS.contains(&step) {
            certificate += checked.as_secs_f64();
            contacts += (took - checked).as_secs_f64();
            work += check.work;
            found += near.len();
            not_free += usize::from(!check.is_free());
        }
    }
    let each = 1e3 / STEPS.len() as f64;
    print!("{name:28} {triangles:9} {:9.3} ms {:9.3} ms", certificate * each, contacts * each);
    println!(" {:9} {:9} {not_free}", work / STEPS.len() as u64, found / STEPS.len());
    Ok(())
}
