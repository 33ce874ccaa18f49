//! What it costs to change a running world: the step after a body was added, moved or removed, beside one
//! after which nothing was, in a world of many bodies at rest.

use crate::scene::STEP;
use bench_common::{Options, median};
use serde::{Deserialize, Serialize};
use silvia::prelude::*;
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

const BODIES: usize = 10_000;
const QUICK_BODIES: usize = 500;
/// Bodies of a stack.
const HIGH: usize = 10;
/// Steps after which bodies at rest sleep, in the world in which they do.
const SLEEP_AFTER: u32 = 20;
/// Steps at most until all sleep, and steps of the world in which nothing does.
const SETTLE: usize = 400;
const SETTLE_AWAKE: usize = 25;
const ROUNDS: usize = 15;
const QUICK_ROUNDS: usize = 5;
const CHANGES: [&str; 4] = ["nothing", "one body added", "one body moved", "one body removed"];

/// What was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Live {
    bodies: usize,
    rounds: usize,
    /// Asleep, then awake.
    worlds: Vec<Row>,
}

/// One world: seconds of a change with the step after it, by change and round.
#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    seconds: Vec<Vec<f64>>,
}

pub(crate) fn run(options: &Options) -> Result<Live, Box<dyn Error>> {
    let (bodies, rounds) = if options.quick { (QUICK_BODIES, QUICK_ROUNDS) } else { (BODIES, ROUNDS) };
    let mut worlds = Vec::new();
    for (name, sleep_after) in [("asleep", SLEEP_AFTER), ("awake", 0)] {
        let mut world = stacks(bodies, sleep_after)?;
        let most = if sleep_after > 0 { SETTLE } else { SETTLE_AWAKE };
        for _ in 0..most {
            if world.step(STEP)?.asleep == bodies {
                break;
            }
        }
        let seconds = measure(&mut world, rounds)?;
        let row = Row { name: name.into(), seconds };
        for (change, seconds) in CHANGES.iter().zip(&row.seconds) {
            println!("{bodies} bodies {name}, {change}: {:.3} ms", 1e3 * median(seconds));
        }
        worlds.push(row);
    }
    Ok(Live { bodies, rounds, worlds })
}

fn measure(world: &mut World, rounds: usize) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let cube = Shape::cuboid(Vec3::splat(0.2))?;
    let above = |height: f64| Pose::from_translation(Vec3::new(0.5, 0.5, height));
    let mut seconds = vec![Vec::new(); CHANGES.len()];
    for _ in 0..rounds {
        let mut added = None;
        for (change, seconds) in seconds.iter_mut().enumerate() {
            let began = Instant::now();
            match change {
                0 => {}
                1 => added = Some(world.add(BodyBuilder::free(cube.clone()).at(above(1.0)?))?),
                2 => world.set_pose(added.ok_or("no body")?, above(1.5)?)?,
                _ => world.remove(added.take().ok_or("no body")?)?,
            }
            world.step(STEP)?;
            seconds.push(began.elapsed().as_secs_f64());
        }
    }
    Ok(seconds)
}

/// Stacks of cubes on the ground, a metre apart.
fn stacks(bodies: usize, sleep_after: u32) -> Result<World, Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default().with_sleep_after(sleep_after))?;
    world.add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?))?;
    let cube = Shape::cuboid(Vec3::splat(0.2))?;
    let wide = ((bodies / HIGH) as f64).sqrt().ceil() as usize;
    for number in 0..bodies {
        let (stack, level) = (number / HIGH, number % HIGH);
        let place = Vec3::new((stack % wide) as f64, (stack / wide) as f64, 0.1 + 0.2 * level as f64);
        world.add(BodyBuilder::free(cube.clone()).mass(1.0).at(Pose::from_translation(place)?))?;
    }
    Ok(world)
}

/// For the page.
pub(crate) fn section(measured: &Live) -> String {
    let Live { bodies, rounds, worlds } = measured;
    let mut text = format!(
        "\n### A live world\n\n{bodies} cubes at rest in stacks of {HIGH}. Milliseconds of a change together \
         with the step after it, by the clock, median of {rounds} rounds on all threads; in brackets how \
         much more than a step after no change.\n\n| | {} |\n|---|{}\n",
        CHANGES.join(" | "),
        "--:|".repeat(CHANGES.len())
    );
    for Row { name, seconds } in worlds {
        let times: Vec<f64> = seconds.iter().map(|seconds| 1e3 * median(seconds)).collect();
        let cell = |&ms: &f64| format!("{ms:.2} ({:+.2})", ms - times[0]);
        let cells: Vec<String> = times.iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text
}
