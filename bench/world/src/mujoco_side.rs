//! MuJoCo's side: the scene as MJCF, run in a Python process that times each step.

use crate::run::{Run, interval};
use crate::scene::{FRICTION, Form, GRAVITY, Part, STEP, Scene, State};
use bench_common::{Options, PythonPeer};
use serde::Deserialize;
use silvia::prelude::*;
use std::error::Error;
use std::fmt::Write;

pub(crate) struct Mujoco(PythonPeer<Hello>);

#[derive(Deserialize)]
struct Hello {
    version: String,
}

#[derive(Deserialize)]
struct Reply {
    seconds: Vec<f64>,
    ended: Option<String>,
}

/// Doubles of a body in the file of states: pose and velocity.
const NUMBERS: usize = 13;

impl Mujoco {
    pub(crate) fn start(options: &Options) -> Result<Mujoco, Box<dyn Error>> {
        let none: [&str; 0] = [];
        Ok(Mujoco(PythonPeer::start(options, "bench/world/mujoco_run.py", none)?))
    }

    pub(crate) fn version(&self) -> &str {
        &self.0.hello.version
    }

    pub(crate) fn run(
        &mut self,
        options: &Options,
        scene: &Scene,
        limit: f64,
    ) -> Result<Run, Box<dyn Error>> {
        let [model, states] =
            ["xml", "f64"].map(|end| options.scratch().join(format!("world-{}.{end}", scene.name)));
        std::fs::write(&model, mjcf(scene)?)?;
        let question = serde_json::json!({
            "model": model, "steps": scene.steps, "every": interval(scene.steps),
            "limit": limit, "states": states,
        });
        let Reply { seconds, ended } = self.0.ask(&question)?;
        let numbers: Vec<f64> = std::fs::read(&states)?
            .chunks_exact(8)
            .map(|bytes| f64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
            .collect();
        let samples = numbers
            .chunks_exact(NUMBERS * scene.free())
            .enumerate()
            .map(|(i, all)| Ok(((i + 1) * interval(scene.steps), states_of(scene, all)?)))
            .collect::<Result<_, Box<dyn Error>>>()?;
        Ok(Run { seconds, samples, ended, ..Run::new("MuJoCo") })
    }
}

/// The states of all bodies from the numbers of the free ones.
fn states_of(scene: &Scene, numbers: &[f64]) -> Result<Vec<State>, Box<dyn Error>> {
    let mut free = numbers.chunks_exact(NUMBERS);
    let start = scene.start();
    let mut state = |(part, start): (&Part, State)| match part.weight {
        None => Ok(start),
        Some(_) => {
            let n = free.next().ok_or("too few states")?;
            let pose = Pose::new(Vec3::from_slice(n), Quat::from_xyzw(n[4], n[5], n[6], n[3]))?;
            let angular = pose.rotation() * Vec3::from_slice(&n[10..]);
            Ok(State { pose, velocity: Twist { linear: Vec3::from_slice(&n[7..]), angular } })
        }
    };
    scene.parts.iter().zip(start).map(&mut state).collect()
}

/// The scene as MuJoCo reads it: all defaults, but for the length of the step.
fn mjcf(scene: &Scene) -> Result<String, Box<dyn Error>> {
    let (mut assets, mut bodies) = (String::new(), String::new());
    for (i, part) in scene.parts.iter().enumerate() {
        let geometry = match &part.form {
            Form::Box(size) => format!("type=\"box\" size=\"{}\"", numbers(&(0.5 * *size).to_array())),
            Form::Ball(radius) => format!("type=\"sphere\" size=\"{radius:?}\""),
            Form::HalfSpace => "type=\"plane\" size=\"1 1 1\"".into(),
            Form::Convex(solid) => {
                let points: Vec<f64> = solid.soup().points().iter().flat_map(|p| p.to_array()).collect();
                writeln!(assets, "<mesh name=\"m{i}\" vertex=\"{}\"/>", numbers(&points))?;
                format!("type=\"mesh\" mesh=\"m{i}\"")
            }
            Form::Mesh(_) => return Err("MuJoCo would take the convex hull of a mesh".into()),
        };
        let (t, q) = (part.pose.translation(), part.pose.rotation());
        let (at, turn) = (numbers(&t.to_array()), numbers(&[q.w, q.x, q.y, q.z]));
        let Some((mass, m)) = part.weight else {
            // What is fixed belongs to the world.
            writeln!(bodies, "<geom {geometry} pos=\"{at}\" quat=\"{turn}\"/>")?;
            continue;
        };
        let full = numbers(&[m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y]);
        writeln!(
            bodies,
            "<body pos=\"{at}\" quat=\"{turn}\" user=\"{}\"><freejoint/>\
             <inertial pos=\"0 0 0\" mass=\"{mass:?}\" fullinertia=\"{full}\"/><geom {geometry}/></body>",
            numbers(&part.velocity.to_array())
        )?;
    }
    Ok(format!(
        "<mujoco><size memory=\"1G\" nuser_body=\"3\"/><option timestep=\"{STEP}\" \
         gravity=\"0 0 -{GRAVITY}\"/>\n\
         <default><geom friction=\"{FRICTION}\"/></default>\n<asset>\n{assets}</asset>\n\
         <worldbody>\n{bodies}</worldbody></mujoco>\n"
    ))
}

/// With all digits, parted by blanks.
fn numbers(values: &[f64]) -> String {
    values.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(" ")
}
