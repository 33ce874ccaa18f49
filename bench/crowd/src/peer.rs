//! FCL's side: a Python process that is asked over its standard input.

use crate::work::{Scene, Step};
use bench_common::Options;
use serde::Deserialize;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Peer {
    process: Child,
    questions: ChildStdin,
    replies: BufReader<ChildStdout>,
    pub(crate) version: String,
}

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
        let mut process = Command::new(&options.python)
            .arg(options.root.join("bench/crowd/peer.py"))
            .args([points, triangles, poses])
            .arg(scene.steps[0].len().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = process.stdin.take().ok_or("no standard input")?;
        let mut replies = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let hello: Hello = serde_json::from_str(&line(&mut replies)?)?;
        Ok(Peer { process, questions, replies, version: hello.version })
    }

    /// Runs all steps.
    pub(crate) fn run(&mut self, reach: Option<f64>) -> Result<Vec<Step>, Box<dyn Error>> {
        writeln!(self.questions, "{}", serde_json::json!({ "reach": reach }))?;
        let reply: Reply = serde_json::from_str(&line(&mut self.replies)?)?;
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

impl Drop for Peer {
    fn drop(&mut self) {
        // It has answered all it was asked; whether it is gone already does not matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn write_numbers(file: &Path, numbers: impl Iterator<Item = f64>) -> std::io::Result<()> {
    std::fs::write(file, numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

fn line(from: &mut impl BufRead) -> Result<String, Box<dyn Error>> {
    let mut line = String::new();
    match from.read_line(&mut line)? {
        0 => Err("the peer ended: see its message above".into()),
        _ => Ok(line),
    }
}
