//! Two sheets whose vertices move on straight lines: the first contact, and all.

use crate::Plan;
use crate::peer::Peer;
use crate::work::{sheets, write_raw};
use bench_common::{Options, median};
use serde_json::json;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{Deforming, Moving, time_of_impact};
use silvia::proximity::{Hierarchy, ImpactOptions};
use silvia::solid::Vec3;
use std::error::Error;
use std::time::Instant;

/// Two sheets of one size; times in s.
pub(crate) struct Size {
    pub(crate) triangles: usize,
    /// Hierarchies over both, once.
    pub(crate) build: f64,
    /// Fitting both to a new end.
    pub(crate) refit: f64,
    pub(crate) first: f64,
    pub(crate) all: f64,
    pub(crate) contacts: usize,
    /// Of the first contact, as a fraction of the interval.
    pub(crate) lower: f64,
    /// Seconds, and the step that the IPC Toolkit finds free.
    pub(crate) ipctk: Option<(f64, Option<f64>)>,
}

/// All sizes.
pub(crate) struct Sheets {
    pub(crate) sizes: Vec<Size>,
    /// The version of the IPC Toolkit; `None` if it is not there.
    pub(crate) ipctk: Option<String>,
}

pub(crate) fn run(options: &Options, plan: &Plan) -> Result<Sheets, Box<dyn Error>> {
    let mut peer = match Peer::start(options, "ipctk", &[]) {
        Ok(peer) => Some(peer),
        Err(error) => {
            eprintln!("without the IPC Toolkit: {error}");
            None
        }
    };
    let mut sizes = Vec::new();
    for &triangles in plan.sheet_triangles {
        sizes.push(measure(options, triangles, plan.rounds, peer.as_mut())?);
        eprintln!("sheets of {triangles} triangles: done");
    }
    Ok(Sheets { sizes, ipctk: peer.map(|p| p.version().to_owned()) })
}

fn measure(
    options: &Options,
    triangles: usize,
    rounds: usize,
    mut peer: Option<&mut Peer>,
) -> Result<Size, Box<dyn Error>> {
    let [lower, upper] = sheets(triangles)?;
    let start = Instant::now();
    let bodies = [Hierarchy::<Obb>::new(lower.start.clone()), Hierarchy::<Obb>::new(upper.start.clone())];
    let build = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let [a, b] = bodies;
    let (a, b) = (Deforming::new(a, &lower.end)?, Deforming::new(b, &upper.end)?);
    let refit = start.elapsed().as_secs_f64();
    let (ma, mb) = (Moving::Deforming(&a), Moving::Deforming(&b));
    let question = {
        let first = lower.start.points().len();
        let shifted = upper.start.triangles().iter().map(|t| t.map(|v| v + first as u32));
        let faces: Vec<[u32; 3]> = lower.start.triangles().iter().copied().chain(shifted).collect();
        let joined = |p: &[Vec3], q: &[Vec3]| [p, q].concat();
        let name = format!("sheets-{triangles}");
        let [start, triangles] = write_raw(
            &options.scratch(),
            &name,
            &joined(lower.start.points(), upper.start.points()),
            &faces,
        )?;
        let [end, _] =
            write_raw(&options.scratch(), &format!("{name}-end"), &joined(&lower.end, &upper.end), &[])?;
        json!({ "start": start, "end": end, "triangles": triangles, "first": first })
    };
    let (mut firsts, mut alls, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut contacts, mut time) = (0, 1.0);
    let mut step = None;
    for _ in 0..rounds {
        let start = Instant::now();
        let first = time_of_impact(&ma, &mb, &ImpactOptions::default())?;
        firsts.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let options = ImpactOptions { band: f64::INFINITY, ..ImpactOptions::default() };
        let all = time_of_impact(&ma, &mb, &options)?;
        alls.push(start.elapsed().as_secs_f64());
        (contacts, time) = (all.contacts.len(), first.lower);
        if let Some(peer) = peer.as_deref_mut() {
            let (seconds, found) = peer.ask(&question)?.pop().ok_or("no answer")?;
            theirs.push(seconds);
            step = found;
        }
    }
    Ok(Size {
        triangles: lower.start.triangles().len(),
        build,
        refit,
        first: median(&firsts),
        all: median(&alls),
        contacts,
        lower: time,
        ipctk: (!theirs.is_empty()).then(|| (median(&theirs), step)),
    })
}
