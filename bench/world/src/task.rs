//! A run of an engine in a process of its own. It tells of every step in a line of JSON; whoever waits for it
//! ends it when its time is over, and has all steps but the last.

use crate::rapier_side::{Rapier, Tuning};
use crate::run::{Engine, Run, interval};
use crate::scene::{Scene, State};
use crate::scenes;
use crate::silvia_side::Silvia;
use bench_common::{peak_memory_mib, process_time, process_time_of, thread_time};
use serde::{Deserialize, Serialize};
use silvia::prelude::*;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The argument by which this program knows that it is to work on a task.
pub(crate) const WORD: &str = "work";

/// What is to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) scene: Which,
    pub(crate) engine: Who,
    pub(crate) threads: usize,
    /// Time on the processor, of each of the threads, after which no more step is begun, s.
    pub(crate) limit: f64,
}

/// A scene, by how it is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Which {
    Named { name: String, quick: bool },
    Stacks { bodies: usize, steps: usize },
    Bed { bodies: usize, steps: usize },
}

/// An engine.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Who {
    Silvia { profiled: bool, interactive: bool },
    Rapier(Tuning),
}

/// What a process says.
#[derive(Serialize, Deserialize)]
enum Line {
    Step(StepLine),
    /// Why there are no more steps.
    Ended(String),
}

#[derive(Serialize, Deserialize)]
struct StepLine {
    seconds: f64,
    wall: f64,
    hash: u64,
    peak_mib: f64,
    stages: Option<String>,
    /// The bits of 13 numbers a body, after steps at which engines are judged.
    states: Option<Vec<[u64; 13]>>,
}

/// A process that is so many times its limit on the processor, a share for each of its threads, is in a step
/// that takes too long, and ended.
const PATIENCE: f64 = 1.5;
/// The same by the clock: on a machine that has other things to do, a process may have a small part of it.
const CLOCK_PATIENCE: f64 = 5.0;
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(200);

impl Which {
    pub(crate) fn made(&self) -> Result<Scene, Box<dyn Error>> {
        match self {
            Which::Named { name, quick } => scenes::named(name, *quick),
            Which::Stacks { bodies, steps } => scenes::stacks(*bodies, *steps),
            Which::Bed { bodies, steps } => scenes::bed(*bodies, *steps),
        }
    }
}

/// Has a process of its own run the task, as far as it comes.
pub(crate) fn run(task: &Task, name: &str, steps: usize) -> Result<Run, Box<dyn Error>> {
    let mut process = Command::new(std::env::current_exe()?)
        .args([WORD, &serde_json::to_string(task)?])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = BufReader::new(process.stdout.take().ok_or("no standard output")?);
    let (to, lines) = channel();
    let reader = std::thread::spawn(move || {
        // Of a process that was ended, the last line may be half a line.
        output.lines().map_while(Result::ok).for_each(|line| {
            let _ = to.send(line);
        });
    });
    let mut run = Run::new(name);
    let (id, begin) = (process.id(), Instant::now());
    let late = || -> Option<String> {
        let allowed = PATIENCE * task.limit * task.threads as f64;
        let (spent, clock) = (process_time_of(id).unwrap_or(0.0), begin.elapsed().as_secs_f64());
        let is_late = spent > allowed || clock > CLOCK_PATIENCE * task.limit;
        is_late.then(|| format!("{spent:.0} s on the processor, {clock:.0} s by the clock"))
    };
    let late = listened(&mut run, &lines, late, steps)?;
    if let Some(late) = &late {
        process.kill()?;
        let told: f64 = run.seconds.iter().sum();
        run.ended = Some(format!(
            "it was ended within a step ({late}, of which {told:.0} s for steps that it ended)"
        ));
    }
    let status = process.wait()?;
    reader.join().map_err(|_| "the reader of a process has failed")?;
    if late.is_none() && !status.success() {
        return Err(format!("{name} ended with {status}").into());
    }
    Ok(run)
}

/// Takes in what a process says until it ends, or until it is late: then how late it is.
fn listened(
    run: &mut Run,
    lines: &Receiver<String>,
    late: impl Fn() -> Option<String>,
    steps: usize,
) -> Result<Option<String>, Box<dyn Error>> {
    let mut told = Instant::now();
    loop {
        let line = match lines.recv_timeout(LOOK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => match late() {
                Some(late) => return Ok(Some(late)),
                None => continue,
            },
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        };
        match serde_json::from_str(&line)? {
            Line::Ended(why) => run.ended = Some(why),
            Line::Step(step) => {
                run.seconds.push(step.seconds);
                run.walls.push(step.wall);
                run.hashes.push(step.hash);
                run.peak_mib = step.peak_mib;
                run.stages = step.stages;
                if let Some(states) = step.states {
                    let states = states.iter().map(state_of).collect::<Result<_, _>>()?;
                    run.samples.push((run.seconds.len(), states));
                }
            }
        }
        if told.elapsed() > Duration::from_secs(5) {
            println!("  {}: step {} of {steps}", run.engine, run.seconds.len());
            told = Instant::now();
        }
    }
}

/// Works on a task in this process.
pub(crate) fn work(task: &str) -> Result<(), Box<dyn Error>> {
    let task: Task = serde_json::from_str(task)?;
    let scene = task.scene.made()?;
    match task.engine {
        Who::Silvia { profiled, interactive } => {
            let mut silvia = Silvia::new(&scene, interactive)?;
            silvia.world.set_profiling(profiled);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(task.threads).build()?;
            Ok(pool.install(|| {
                drive(&mut silvia, &scene, task.limit, task.threads).map_err(|error| error.to_string())
            })?)
        }
        Who::Rapier(tuning) => drive(&mut Rapier::new(&scene, tuning)?, &scene, task.limit, 1),
    }
}

/// Makes all steps, or as many as there is time for, and tells of each.
fn drive(engine: &mut impl Engine, scene: &Scene, limit: f64, threads: usize) -> Result<(), Box<dyn Error>> {
    let tell = |line: &Line| -> Result<(), Box<dyn Error>> {
        println!("{}", serde_json::to_string(line)?);
        Ok(())
    };
    let begin = process_time();
    for step in 1..=scene.steps {
        let (clock, start) = (Instant::now(), thread_time());
        if let Err(why) = engine.step() {
            return tell(&Line::Ended(why));
        }
        let (seconds, wall) = (thread_time() - start, clock.elapsed().as_secs_f64());
        let states = if step % interval(scene.steps) == 0 {
            Some(engine.states()?.iter().map(words_of).collect())
        } else {
            None
        };
        let (hash, stages) = (engine.hash(), engine.stages());
        let peak_mib = peak_memory_mib().unwrap_or(f64::NAN);
        tell(&Line::Step(StepLine { seconds, wall, hash, peak_mib, stages, states }))?;
        if process_time() - begin > limit * threads as f64 && step < scene.steps {
            return tell(&Line::Ended(format!("its time of {limit} s was over")));
        }
    }
    Ok(())
}

fn words_of(state: &State) -> [u64; 13] {
    let ([x, y, z], [a, b, c, d]) = (state.pose.translation().to_array(), state.pose.rotation().to_array());
    let ([u, v, w], [p, q, r]) = (state.velocity.linear.to_array(), state.velocity.angular.to_array());
    [x, y, z, a, b, c, d, u, v, w, p, q, r].map(f64::to_bits)
}

fn state_of(words: &[u64; 13]) -> Result<State, Box<dyn Error>> {
    let n = words.map(f64::from_bits);
    let pose = Pose::to_the_bit(Vec3::from_slice(&n), Quat::from_xyzw(n[3], n[4], n[5], n[6]))?;
    let velocity = Twist { linear: Vec3::from_slice(&n[7..]), angular: Vec3::from_slice(&n[10..]) };
    Ok(State { pose, velocity })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seconds: f64) -> String {
        let step = StepLine { seconds, wall: seconds, hash: 7, peak_mib: 3.0, stages: None, states: None };
        serde_json::to_string(&Line::Step(step)).unwrap()
    }

    #[test]
    fn of_a_process_that_hangs_all_steps_but_the_last_are_kept() {
        let (to, lines) = channel();
        to.send(line(0.5)).unwrap();
        to.send(line(0.25)).unwrap();
        let mut run = Run::new("one that hangs");
        let late = listened(&mut run, &lines, || Some("late".into()), 9).unwrap();
        assert_eq!((late.as_deref(), &run.seconds[..], run.hashes[1]), (Some("late"), &[0.5, 0.25][..], 7));
        drop(to);
        assert_eq!(listened(&mut run, &lines, || None, 9).unwrap(), None, "now it has ended");
    }

    #[test]
    fn states_go_through_the_pipe_to_the_bit() {
        let pose = Pose::new(Vec3::new(0.1, -0.0, 1e300), Quat::from_rotation_z(0.3)).unwrap();
        let velocity = Twist { linear: Vec3::splat(1.0 / 3.0), angular: Vec3::X };
        let back = state_of(&words_of(&State { pose, velocity })).unwrap();
        assert_eq!((back.pose, back.velocity), (pose, velocity));
    }
}
