//! The peers: FCL and the IPC Toolkit in Python processes, parry in this one.

use crate::work::Course;
use bench_common::{Options, PythonPeer};
use parry3d_f64::math;
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::TriMesh;
use serde::Deserialize;
use silvia::solid::{Pose, Soup, Vec3};
use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Instant;

/// Seconds a query, and the time of touch: `None` if free.
pub(crate) type Answers = Vec<(f64, Option<f64>)>;

/// A Python process that is asked over its standard input.
pub(crate) struct Peer(PythonPeer<Hello>);

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
        let name = OsStr::new(name);
        let arguments = std::iter::once(name).chain(files.iter().map(|file| file.as_os_str()));
        Ok(Peer(PythonPeer::start(options, "bench/impact/peer.py", arguments)?))
    }

    pub(crate) fn version(&self) -> &str {
        &self.0.hello.version
    }

    /// Asks one question: an object that the script understands.
    pub(crate) fn ask(&mut self, question: &serde_json::Value) -> Result<Answers, Box<dyn Error>> {
        let reply: Reply = self.0.ask(question)?;
        Ok(reply.seconds.into_iter().zip(reply.times).collect())
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
