//! A peer: a Python process that is asked over its standard input, or parry in this one.

use crate::work::write_mesh;
use bench_common::{Options, PythonPeer};
use parry3d_f64::math;
use parry3d_f64::query::{distance, intersection_test};
use parry3d_f64::shape::TriMesh;
use serde::Deserialize;
use silvia::solid::{Pose, Soup};
use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Distance,
    Any,
    All,
}

impl Question {
    pub(crate) const EVERY: [Question; 3] = [Question::Distance, Question::Any, Question::All];

    fn word(self) -> &'static str {
        match self {
            Question::Distance => "distance",
            Question::Any => "any",
            Question::All => "all",
        }
    }
}

/// One run over all poses: the mean time of a query, s, and the answers: distances, or numbers of pairs.
pub(crate) struct Run {
    pub(crate) mean: f64,
    pub(crate) answers: Vec<f64>,
}

/// A Python process that holds a mesh.
pub(crate) struct Peer(PythonPeer<Hello>);

/// What a peer says first.
#[derive(Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: String,
    /// Time to build its hierarchy, s.
    pub(crate) build: f64,
}

#[derive(Deserialize)]
struct Reply {
    seconds: f64,
    answers: Vec<f64>,
}

impl Peer {
    /// Starts `coal` or `fcl` with a mesh.
    pub(crate) fn start(options: &Options, name: &str, soup: &Soup) -> Result<Peer, Box<dyn Error>> {
        let [points, triangles] = write_mesh(&options.scratch(), soup)?;
        let arguments = [OsStr::new(name), points.as_os_str(), triangles.as_os_str()];
        Ok(Peer(PythonPeer::start(options, "bench/proximity/peer.py", arguments)?))
    }

    pub(crate) fn hello(&self) -> &Hello {
        &self.0.hello
    }

    /// Asks about every pose in a file.
    pub(crate) fn ask(&mut self, question: Question, poses: &Path) -> Result<Run, Box<dyn Error>> {
        let wanted = serde_json::json!({ "question": question.word(), "poses": poses });
        let reply: Reply = self.0.ask(&wanted)?;
        let mean = reply.seconds / reply.answers.len() as f64;
        Ok(Run { mean, answers: reply.answers })
    }
}

/// Parry, the Rust library. It finds no pairs, only whether there is one.
pub(crate) struct Parry(TriMesh);

impl Parry {
    pub(crate) fn new(soup: &Soup) -> Result<Parry, Box<dyn Error>> {
        let points = soup.points().iter().map(|p| math::Vector::new(p.x, p.y, p.z)).collect();
        Ok(Parry(TriMesh::new(points, soup.triangles().to_vec())?))
    }

    /// Asks about every pose.
    pub(crate) fn ask(&self, question: Question, poses: &[Pose]) -> Result<Run, Box<dyn Error>> {
        let placed: Vec<math::Pose> = poses.iter().map(converted).collect();
        let here = math::Pose::IDENTITY;
        let mut answers = Vec::with_capacity(poses.len());
        let start = Instant::now();
        for pose in &placed {
            answers.push(match question {
                Question::Distance => distance(&here, &self.0, pose, &self.0)?.distance,
                _ => f64::from(u8::from(intersection_test(&here, &self.0, pose, &self.0)?.intersecting)),
            });
        }
        Ok(Run { mean: start.elapsed().as_secs_f64() / poses.len() as f64, answers })
    }
}

fn converted(pose: &Pose) -> math::Pose {
    let (t, q) = (pose.translation(), pose.rotation());
    math::Pose::from_parts(math::Vector::new(t.x, t.y, t.z), math::Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}
