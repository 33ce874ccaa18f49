//! The peers: FCL and the IPC Toolkit in Python processes, parry in this one.

use crate::work::Course;
use bench_common::Options;
use parry3d_f64::math;
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::TriMesh;
use serde::Deserialize;
use silvia::solid::{Pose, Soup, Vec3};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// Seconds a query, and the time of touch: `None` if free.
pub(crate) type Answers = Vec<(f64, Option<f64>)>;

/// A Python process that is asked over its standard input.
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

#[derive(Deserialize)]
struct Reply {
    seconds: Vec<f64>,
    times: Vec<Option<f64>>,
}

impl Peer {
    /// Starts `fcl` or `ipctk`.
    pub(crate) fn start(options: &Options, name: &str, files: &[PathBuf]) -> Result<Peer, Box<dyn Error>> {
        let mut process = Command::new(&options.python)
            .arg(options.root.join("bench/impact/peer.py"))
            .arg(name)
            .args(files)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = process.stdin.take().ok_or("no standard input")?;
        let mut replies = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let hello: Hello = serde_json::from_str(&line(&mut replies)?)?;
        Ok(Peer { process, questions, replies, version: hello.version })
    }

    /// Asks one question: an object that the script understands.
    pub(crate) fn ask(&mut self, question: &serde_json::Value) -> Result<Answers, Box<dyn Error>> {
        writeln!(self.questions, "{question}")?;
        let reply: Reply = serde_json::from_str(&line(&mut self.replies)?)?;
        Ok(reply.seconds.into_iter().zip(reply.times).collect())
    }
}

impl Drop for Peer {
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

/// Rows `tx,ty,tz,qw,qx,qy,qz`, as the script reads them.
pub(crate) fn rows(poses: impl Iterator<Item = Pose>) -> Vec<[f64; 7]> {
    let row = |pose: Pose| {
        let (t, q) = (pose.translation(), pose.rotation());
        [t.x, t.y, t.z, q.w, q.x, q.y, q.z]
    };
    poses.map(row).collect()
}

/// Parry's nonlinear shape cast.
pub(crate) fn parry(soup: &Soup, courses: &[Course]) -> Result<Answers, Box<dyn Error>> {
    let vector = |p: &Vec3| math::Vector::new(p.x, p.y, p.z);
    let mesh = TriMesh::new(soup.points().iter().map(vector).collect(), soup.triangles().to_vec())?;
    let rest = NonlinearRigidMotion::identity();
    let ask = |course: &Course| {
        let (t, q) = (course.start.translation(), course.start.rotation());
        let start = math::Pose::from_parts(vector(&t), math::Rotation::from_xyzw(q.x, q.y, q.z, q.w));
        let travel = course.end.translation() - t;
        let motion =
            NonlinearRigidMotion::new(start, math::Vector::ZERO, vector(&travel), vector(&course.rotation));
        let start = Instant::now();
        let hit = cast_shapes_nonlinear(&rest, &mesh, &motion, &mesh, 0.0, 1.0, true)?;
        Ok((start.elapsed().as_secs_f64(), hit.map(|h| h.time_of_impact)))
    };
    courses.iter().map(ask).collect()
}
