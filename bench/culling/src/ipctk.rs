//! ipctk, a Python package, in a process of its own. It starts afresh in every step and keeps no pairs.

use bench_common::{Options, PythonPeer};
use serde::Deserialize;
use silvia::solid::Aabb;
use std::error::Error;

/// Its broad phases.
pub(crate) const METHODS: [&str; 4] = ["LBVH", "HashGrid", "SpatialHash", "SweepAndPrune"];

/// Those that cut all space into cells of one size: a floor of kilometres among boxes of a metre exhausts the
/// memory.
pub(crate) const GRIDS: [&str; 2] = ["HashGrid", "SpatialHash"];

pub(crate) struct Ipctk(PythonPeer<Hello>);

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
        let nothing: [&str; 0] = [];
        Ok(Ipctk(PythonPeer::start(options, "bench/culling/ipctk_cull.py", nothing)?))
    }

    pub(crate) fn hello(&self) -> &Hello {
        &self.0.hello
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
        self.0.ask(&question)
    }
}
