//! FCL's side: a Python process that is asked over its standard input.

use crate::work::{Scene, Step};
use bench_common::{Options, PythonPeer};
use serde::Deserialize;
use std::error::Error;
use std::path::{Path, PathBuf};

pub(crate) struct Peer(PythonPeer<Hello>);

#[derive(Deserialize)]
struct Hello {
    version: String,
}

/// One entry a step.
#[derive(Deserialize)]
struct Reply {
    #[serde(rename = "move")]
    move_: Vec<f64>,
    cull: Vec<f64>,
    query: Vec<f64>,
    candidates: Vec<usize>,
    pairs: Vec<Vec<(usize, usize, f64)>>,
}

impl Peer {
    /// Starts it with the mesh and all poses.
    pub(crate) fn start(options: &Options, scene: &Scene) -> Result<Peer, Box<dyn Error>> {
        let folder = options.scratch();
        let [points, triangles, poses] =
            ["crowd-points.f64", "crowd-triangles.u32", "crowd-poses.f64"].map(|name| folder.join(name));
        write_numbers(&points, scene.knot.points().iter().flat_map(|p| p.to_array()))?;
        let corners = scene.knot.triangles().iter().flatten();
        std::fs::write(&triangles, corners.flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>())?;
        let numbers = scene.steps.iter().flatten().flat_map(|pose| {
            let (t, q) = (pose.translation(), pose.rotation());
            [t.x, t.y, t.z, q.w, q.x, q.y, q.z]
        });
        write_numbers(&poses, numbers)?;
        let files = [points, triangles, poses].map(PathBuf::into_os_string);
        let objects = scene.steps[0].len().to_string().into();
        Ok(Peer(PythonPeer::start(options, "bench/crowd/peer.py", files.into_iter().chain([objects]))?))
    }

    pub(crate) fn version(&self) -> &str {
        &self.0.hello.version
    }

    /// Runs all steps.
    pub(crate) fn run(&mut self, reach: Option<f64>) -> Result<Vec<Step>, Box<dyn Error>> {
        let reply: Reply = self.0.ask(&serde_json::json!({ "reach": reach }))?;
        let steps = reply.pairs.into_iter().enumerate().map(|(i, pairs)| Step {
            move_: reply.move_[i],
            cull: reply.cull[i],
            query: reply.query[i],
            candidates: reply.candidates[i],
            pairs,
        });
        Ok(steps.collect())
    }
}

fn write_numbers(file: &Path, numbers: impl Iterator<Item = f64>) -> std::io::Result<()> {
    std::fs::write(file, numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}
