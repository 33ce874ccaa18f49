//! What recording costs: time and bytes, for a stack of ten boxes and a thousand balls that fall onto each
//! other.
//!
//! `cargo run --release -p silvia-scene --example record_cost [-- STEPS_OF_STACK STEPS_OF_PILE]`

use silvia_proximity::Shape;
use silvia_scene::recording::{FILE_NAME, Header, Recording, RecordingWriter};
use silvia_scene::scene::RunSettings;
use silvia_scene::{RunOptions, Runner, Setup};
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, World, WorldSettings};
use std::error::Error;
use std::time::Instant;

const STEP: f64 = 2e-3;
/// A frame every 10 ms.
const STEPS_A_FRAME: u64 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let stack_steps = arguments.next().transpose()?.unwrap_or(1000);
    let pile_steps = arguments.next().transpose()?.unwrap_or(100);
    measure("stack of 10", &setup(stack()?, stack_steps)?, 5)?;
    measure("1000 balls", &setup(balls()?, pile_steps)?, 1)?;
    Ok(())
}

/// The least time of some runs each, with and without a recording, by turns.
fn measure(name: &str, setup: &Setup, runs: usize) -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("silvia-record-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(FILE_NAME);
    let (mut plain, mut recorded) = (f64::INFINITY, f64::INFINITY);
    let mut steps = 1;
    for _ in 0..runs {
        for is_recorded in [false, true] {
            let mut runner =
                Runner::new(setup.clone(), RunOptions { is_checked: false, ..RunOptions::default() })?;
            if is_recorded {
                runner = runner.recorded(RecordingWriter::create(&path, &setup.header, true)?);
            }
            let begun = Instant::now();
            steps = runner.run(|_| ())?.ending.summary.steps.max(1);
            let took = begun.elapsed().as_secs_f64();
            let least = if is_recorded { &mut recorded } else { &mut plain };
            *least = least.min(took);
        }
    }
    let recording = Recording::open(&path)?;
    let bodies = recording.header().bodies.len();
    // The frames alone, written as one run would write them if it were fast.
    let mut writer = RecordingWriter::create(&path.with_extension("frames"), recording.header(), true)?;
    let (head, begun) = (writer.bytes(), Instant::now());
    for frame in recording.frames() {
        writer.frame(frame?)?;
    }
    writer.flush()?;
    let wrote = begun.elapsed().as_secs_f64();
    let bytes = writer.bytes() - head;
    let frames = recording.len();
    let state = recording.states().len();
    let contacts: usize = recording.frames().map(|frame| frame.map_or(0, |frame| frame.contacts.len())).sum();
    println!(
        "{name}: {steps} steps, {frames} frames of {bodies} bodies and {} contacts, {state} states",
        contacts / frames
    );
    println!(
        "  a step: {:.1} us; recorded {:.1} us, {:+.2} %",
        1e6 * plain / steps as f64,
        1e6 * recorded / steps as f64,
        100.0 * (recorded / plain - 1.0)
    );
    println!(
        "  a frame: {:.0} bytes, {:.1} a body; read again and written in {:.0} us",
        bytes as f64 / frames as f64,
        bytes as f64 / (frames * bodies) as f64,
        1e6 * wrote / frames as f64
    );
    println!("  the file: {} bytes with header and states", std::fs::metadata(&path)?.len());
    Ok(std::fs::remove_dir_all(&folder)?)
}

fn setup(world: World, steps: u64) -> Result<Setup, Box<dyn Error>> {
    let until = STEP * steps as f64;
    let bodies = Header::bodies_of(&world)?;
    let header = Header { step: STEP, until, steps_a_frame: STEPS_A_FRAME, bodies, ..Header::default() };
    let run = RunSettings { step: STEP, accuracy: None, until, steps_a_frame: STEPS_A_FRAME, threads: None };
    Ok(Setup { world, header, run, hands: Vec::new(), goals: Vec::new() })
}

fn with_ground() -> Result<World, Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default())?;
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    world.add(BodyBuilder::fixed(ground).named("ground"))?;
    Ok(world)
}

fn stack() -> Result<World, Box<dyn Error>> {
    let mut world = with_ground()?;
    for level in 0..10 {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2 * (level as f64 + 0.5)))?;
        world.add(BodyBuilder::free(Shape::cuboid(Vec3::splat(0.2))?).at(at))?;
    }
    Ok(world)
}

/// Ten layers of a hundred, each a little aside of the one below.
fn balls() -> Result<World, Box<dyn Error>> {
    let mut world = with_ground()?;
    for number in 0..1000_u32 {
        let [x, y, z] = [number % 10, number / 10 % 10, number / 100].map(f64::from);
        let aside = 0.003 * (z + 0.3 * y);
        let at = Vec3::new(0.105 * x + aside, 0.105 * y - aside, 0.051 + 0.101 * z);
        world.add(BodyBuilder::free(Shape::sphere(0.05)?).at(Pose::from_translation(at)?))?;
    }
    Ok(world)
}
