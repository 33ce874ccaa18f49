//! A scene in a process of its own. It tells of every step in a line of JSON; whoever waits for it ends it
//! when its time is over, and has all steps but the last.

use crate::judge::Judge;
use crate::own;
use crate::run::{Found, Made, Run, Size};
use bench_common::{process_time_of, thread_time};
use serde::{Deserialize, Serialize};
use silvia::prelude::*;
use silvia::scene::{Overrides, Scene, Setup};
use silvia::world::{Budget, Profile, StepReport};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The argument by which this program knows that it is to work on a task.
pub(crate) const WORD: &str = "work";

/// What is to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) scene: Which,
    pub(crate) is_interactive: bool,
    /// Time of the steps on the processor after which no more step is begun, s.
    pub(crate) limit: f64,
}

/// A scene, by where it comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Which {
    File(PathBuf),
    Own(String),
}

impl Which {
    fn setup(&self) -> Result<Setup, Box<dyn Error>> {
        match self {
            Which::File(path) => Ok(Scene::load(path)?.setup(&Overrides::default())?),
            Which::Own(name) => own::setup(name),
        }
    }
}

/// What a process says.
#[derive(Serialize, Deserialize)]
enum Line {
    Size(Size),
    /// A step begins.
    Begun,
    Made(Made),
    /// What the judge says to all steps so far.
    Found(Found),
    /// Why there are no more steps.
    Ended(String),
}

/// A process that has had so many times its limit on the processor is ended: half of it goes to the judge.
const PATIENCE: f64 = 2.5;
/// The same by the clock: on a machine that has other things to do, a process may have a small part of it.
const CLOCK_PATIENCE: f64 = 6.0;
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Has a process of its own run the task, as far as it comes.
pub(crate) fn run(task: &Task) -> Result<Run, Box<dyn Error>> {
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
    let mut run = Run::default();
    let (id, begin) = (process.id(), Instant::now());
    // When a step began that has not ended, by the process's time.
    let mut begun: Option<f64> = None;
    let is_late = loop {
        let line = match lines.recv_timeout(LOOK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => {
                let spent = process_time_of(id).unwrap_or(0.0);
                let step = begun.map_or(0.0, |begun| spent - begun);
                let is_late = spent > PATIENCE * task.limit || step > 1.2 * task.limit;
                if is_late || begin.elapsed().as_secs_f64() > CLOCK_PATIENCE * task.limit {
                    run.unfinished = begun.map(|_| step);
                    break true;
                }
                continue;
            }
        };
        match serde_json::from_str(&line)? {
            Line::Size(size) => run.size = size,
            Line::Begun => begun = Some(process_time_of(id).unwrap_or(0.0)),
            Line::Made(made) => {
                begun = None;
                run.made.push(made);
            }
            Line::Found(found) => run.found = found,
            Line::Ended(why) => run.ended = Some(why),
        }
    };
    if is_late {
        process.kill()?;
        run.ended = Some(match run.unfinished {
            Some(step) => format!("ended within a step, after {step:.0} s of it"),
            None => "ended: it reached its end time".to_owned(),
        });
    }
    let status = process.wait()?;
    reader.join().map_err(|_| "the reader of a process has failed")?;
    if !is_late && !status.success() {
        run.ended = Some(format!("it ended with {status}"));
    }
    Ok(run)
}

/// Works on a task in this process, on one thread.
pub(crate) fn work(task: &str) -> Result<(), Box<dyn Error>> {
    let task: Task = serde_json::from_str(task)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    Ok(pool.install(|| drive(&task).map_err(|error| error.to_string()))?)
}

fn drive(task: &Task) -> Result<(), Box<dyn Error>> {
    let mut setup = match task.scene.setup() {
        Ok(setup) => setup,
        Err(error) => return tell(&Line::Ended(error.to_string())),
    };
    if task.is_interactive {
        let settings = setup.world.settings().clone().with_interactive(Budget::default());
        setup.world.set_settings(settings)?;
    }
    let size = size(&setup)?;
    let (bodies, steps) = (size.bodies, size.steps);
    tell(&Line::Size(size))?;
    // A part of loading, as in `silvia run`. What it refuses, the first step refuses again.
    let _ = setup.world.prepare();
    setup.world.rehearse(setup.run.step);
    let mut judge = Judge::new(&setup.world)?;
    let is_traced = std::env::var_os("TRACE").is_some();
    setup.world.set_profiling(is_traced);
    let mut total = 0.0;
    for number in 0..steps {
        if total > task.limit {
            return tell(&Line::Ended(format!("its time of {} s was over", task.limit)));
        }
        tell(&Line::Begun)?;
        let begun = thread_time();
        let made = setup.step();
        let seconds = thread_time() - begun;
        total += seconds;
        let report = match made {
            Ok(report) => report,
            Err(error) => return tell(&Line::Ended(format!("step {number}: {error} ({seconds:.1} s)"))),
        };
        if is_traced {
            trace(&report, seconds);
        }
        tell(&Line::Made(Made { seconds, has_contacts: is_moving(&report, bodies) }))?;
        tell(&Line::Found(judge.look(&setup.world, &report, total)?))?;
    }
    Ok(())
}

fn tell(line: &Line) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(line)?);
    Ok(())
}

fn size(setup: &Setup) -> Result<Size, Box<dyn Error>> {
    let world = &setup.world;
    let (mut bodies, mut triangles) = (0, 0);
    for id in world.ids() {
        bodies += usize::from(world.role(id)?.is_movable());
        triangles += triangles_of(world.shape(id)?);
    }
    let step = setup.run.step;
    Ok(Size { bodies, triangles, steps: (setup.run.until / step).round() as usize, step })
}

fn triangles_of(shape: &Shape) -> usize {
    if let Some(compound) = shape.as_compound() {
        return compound.parts().iter().map(|part| triangles_of(&part.shape)).sum();
    }
    shape.as_mesh().map_or(0, |mesh| mesh.hierarchy().surface().soup().triangles().len())
}

/// Says what a step took, for whoever looks for where its time goes.
fn trace(report: &StepReport, seconds: f64) {
    let StepReport { time, pieces, cuts, iterations, certificate, contacts, .. } = report;
    eprint!("{time:.4} s {:.2} ms: {pieces} pieces, {cuts} cuts, {iterations} rounds, ", 1e3 * seconds);
    eprint!("{} grown, {} contacts, {} resting;", certificate.grown, contacts.len(), report.resting);
    for (stage, cost) in report.profile.iter().flat_map(Profile::costs) {
        eprint!(" {} {:.2} ms ({})", stage.as_str(), 1e3 * cost.seconds, cost.count);
    }
    let shortfalls: Vec<String> = report.shortfalls.iter().map(ToString::to_string).collect();
    eprintln!(" {}", shortfalls.join("; "));
}

/// Whether something touches that is not at rest: a step in which nothing moves is no measure of the others.
fn is_moving(report: &StepReport, bodies: usize) -> bool {
    !report.contacts.is_empty() && report.resting + report.asleep < bodies
}
