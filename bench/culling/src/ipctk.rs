//! ipctk, a Python package, in a process of its own. It starts afresh in every step and keeps no pairs.

use bench_common::Options;
use serde::Deserialize;
use silvia::solid::Aabb;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Its broad phases.
pub(crate) const METHODS: [&str; 4] = ["LBVH", "HashGrid", "SpatialHash", "SweepAndPrune"];

pub(crate) struct Ipctk {
    process: Child,
    questions: ChildStdin,
    replies: BufReader<ChildStdout>,
    pub(crate) hello: Hello,
}

#[derive(Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: String,
    pub(crate) threads: usize,
}

/// Of every frame: the time to build and detect, s, and the number of pairs.
#[derive(Deserialize)]
pub(crate) struct Answer {
    pub(crate) seconds: Vec<f64>,
    pub(crate) pairs: Vec<usize>,
}

impl Ipctk {
    pub(crate) fn start(options: &Options) -> Result<Ipctk, Box<dyn Error>> {
        let mut process = Command::new(&options.python)
            .arg(options.root.join("bench/culling/ipctk_cull.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = process.stdin.take().ok_or("no standard input")?;
        let mut replies = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let hello = serde_json::from_str(&line(&mut replies)?)?;
        Ok(Ipctk { process, questions, replies, hello })
    }

    /// Frames one after the other, all with the same number of boxes.
    pub(crate) fn ask(
        &mut self,
        options: &Options,
        method: &str,
        frames: &[Vec<Aabb>],
    ) -> Result<Answer, Box<dyn Error>> {
        let file = options.scratch().join("culling-frames.bin");
        let corners = frames.iter().flatten().flat_map(|b| [b.min, b.max]);
        let bytes: Vec<u8> = corners.flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
        std::fs::write(&file, bytes)?;
        let boxes = frames.first().map_or(0, Vec::len);
        let question = serde_json::json!({ "method": method, "boxes": boxes, "frames": file });
        writeln!(self.questions, "{question}")?;
        Ok(serde_json::from_str(&line(&mut self.replies)?)?)
    }
}

impl Drop for Ipctk {
    fn drop(&mut self) {
        // It has answered all it was asked; whether it is gone already does not matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn line(from: &mut impl BufRead) -> Result<String, Box<dyn Error>> {
    let mut line = String::new();
    match from.read_line(&mut line)? {
        0 => Err("the peer ended: see its message above".into()),
        _ => Ok(line),
    }
}
