//! MuJoCo's side: the scene as MJCF, run in a Python process that times all steps at once.

use crate::scene::{FRICTION, Form, Scene};
use crate::truth::{GRAVITY, Rolling, State};
use bench_common::{Options, PythonPeer};
use serde::Deserialize;
use silvia::prelude::*;
use std::error::Error;

/// What is tried of MuJoCo's settings.
pub(crate) struct Tuning {
    /// As the page says it.
    pub(crate) name: &'static str,
    integrator: &'static str,
    /// Whether contacts are as hard as the step allows, their friction cones round, and slip is held back.
    is_hard: bool,
}

/// As it comes first.
pub(crate) const TUNINGS: [Tuning; 4] = [
    Tuning { name: "as it comes", integrator: "Euler", is_hard: false },
    Tuning { name: "RK4", integrator: "RK4", is_hard: false },
    Tuning { name: "implicitfast, hard contacts", integrator: "implicitfast", is_hard: true },
    Tuning { name: "RK4, hard contacts", integrator: "RK4", is_hard: true },
];

#[derive(Deserialize)]
struct Hello {
    version: String,
}

#[derive(Deserialize)]
struct Reply {
    seconds: f64,
    pose: [f64; 7],
    velocity: [f64; 6],
    ended: Option<String>,
}

pub(crate) struct Mujoco(PythonPeer<Hello>);

impl Mujoco {
    pub(crate) fn start(options: &Options) -> Result<Mujoco, Box<dyn Error>> {
        let none: [&str; 0] = [];
        Ok(Mujoco(PythonPeer::start(options, "bench/motion/mujoco_run.py", none)?))
    }

    pub(crate) fn version(&self) -> &str {
        &self.0.hello.version
    }

    /// The state at the end, and the time of all steps, s; none if MuJoCo gave up.
    pub(crate) fn run(
        &mut self,
        scene: &Scene,
        step: f64,
        tuning: &Tuning,
    ) -> Result<Option<(State, f64)>, Box<dyn Error>> {
        let State { rotation, angular, linear, .. } = scene.start;
        let own = rotation.conjugate() * angular;
        let velocity = [linear.to_array(), own.to_array()].concat();
        let question = serde_json::json!({
            "model": mjcf(scene, step, tuning),
            "steps": (scene.time / step).round() as usize,
            "velocity": velocity,
        });
        let Reply { seconds, pose: p, velocity: v, ended } = self.0.ask(&question)?;
        if ended.is_some() {
            return Ok(None);
        }
        let rotation = Quat::from_xyzw(p[4], p[5], p[6], p[3]);
        let angular = rotation * Vec3::from_slice(&v[3..]);
        let (linear, centre) = (Vec3::from_slice(&v[..3]), Vec3::from_slice(&p[..3]));
        Ok(Some((State { rotation, angular, linear, centre }, seconds)))
    }
}

fn mjcf(scene: &Scene, step: f64, tuning: &Tuning) -> String {
    let Tuning { integrator, is_hard, .. } = tuning;
    let (option, contact) = match is_hard {
        true => (
            "cone=\"elliptic\" impratio=\"100\" noslip_iterations=\"20\"".to_owned(),
            format!("solref=\"{:?} 1\" solimp=\"0.99 0.9999 0.00001\"", 2.0 * step),
        ),
        false => (String::new(), String::new()),
    };
    let geometry = match scene.form {
        Form::Disk { radius, thickness } => {
            format!("type=\"cylinder\" size=\"{}\"", numbers(&[radius, 0.5 * thickness]))
        }
        Form::Ellipsoid { semi_axes, .. } => {
            format!("type=\"ellipsoid\" size=\"{}\"", numbers(&semi_axes.to_array()))
        }
        Form::Ball { radius, .. } => format!("type=\"sphere\" size=\"{radius:?}\""),
    };
    let State { rotation: q, centre, .. } = scene.start;
    let (assets, ground) = match scene.form {
        Form::Ball { bowl, .. } => bowl_of(bowl),
        Form::Disk { .. } | Form::Ellipsoid { .. } => {
            (String::new(), "<geom type=\"plane\" size=\"5 5 1\"/>".to_owned())
        }
    };
    let m = scene.form.inertia();
    let full = numbers(&[m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y]);
    format!(
        "<mujoco>{assets}<option timestep=\"{step:?}\" gravity=\"0 0 -{GRAVITY}\" \
         integrator=\"{integrator}\" {option}/>\n\
         <default><geom friction=\"{FRICTION} 0 0\" condim=\"3\" {contact}/></default>\n\
         <worldbody>{ground}\n\
         <body pos=\"{}\" quat=\"{}\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"{full}\"/>\
         <geom {geometry}/></body></worldbody></mujoco>\n",
        numbers(&centre.to_array()),
        numbers(&[q.w, q.x, q.y, q.z]),
    )
}

/// The bowl of MuJoCo's own plugin for signed distances, of a radius within, m: assets, and the geometry.
fn bowl_of(radius: f64) -> (String, String) {
    let wall = 0.02 * radius;
    let instance = "<plugin instance=\"bowl\"/>";
    let assets = format!(
        "<extension><plugin plugin=\"mujoco.sdf.bowl\"><instance name=\"bowl\">\
         <config key=\"height\" value=\"0\"/><config key=\"radius\" value=\"{:?}\"/>\
         <config key=\"thickness\" value=\"{wall:?}\"/></instance></plugin></extension>\
         <asset><mesh name=\"bowl\">{instance}</mesh></asset>",
        radius + wall
    );
    (assets, format!("<geom type=\"sdf\" mesh=\"bowl\">{instance}</geom>"))
}

/// With all digits, parted by blanks.
fn numbers(values: &[f64]) -> String {
    values.iter().map(|v| format!("{v:?}")).collect::<Vec<_>>().join(" ")
}
