//! Two knots in rigid motion.

use crate::Plan;
use crate::peer::{Answers, Peer, parry, rows};
use crate::work::{Course, Way, courses, knot, write_raw};
use bench_common::{Options, median};
use serde_json::json;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{Moving, Outcome, collide, distance, time_of_impact};
use silvia::proximity::{Extent, Hierarchy, ImpactOptions, Motion};
use silvia::solid::{Pose, Solid};
use std::error::Error;
use std::time::Instant;

/// An answer is wrong if it is further than this from the sampled truth, as a fraction of the interval, or
/// says free where it is not, or the other way round.
pub(crate) const WRONG: f64 = 1e-3;

/// One way of moving.
pub(crate) struct Duel {
    pub(crate) way: Way,
    pub(crate) motions: usize,
    /// In how many of them the knots touch.
    pub(crate) hits: usize,
    pub(crate) scores: Vec<Score>,
}

/// How a side did.
pub(crate) struct Score {
    pub(crate) side: Side,
    /// Seconds of each query that was asked, the median over the rounds; and whether the answer was right.
    pub(crate) queries: Vec<(f64, bool)>,
}

/// A side that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Silvia,
    /// Conservative advancement.
    FclAdvance,
    /// That many samples.
    FclSample(usize),
    Parry,
}

impl Side {
    pub(crate) fn name(self) -> String {
        match self {
            Side::Silvia => "silvia".into(),
            Side::FclAdvance => "FCL, conservative advancement".into(),
            Side::FclSample(n) => format!("FCL, {n} samples"),
            Side::Parry => "parry, nonlinear cast".into(),
        }
    }
}

/// What was measured.
pub(crate) struct Knots {
    pub(crate) triangles: usize,
    pub(crate) duels: Vec<Duel>,
    pub(crate) fcl: String,
}

type Body = Hierarchy<Obb>;

pub(crate) fn run(options: &Options, plan: &Plan) -> Result<Knots, Box<dyn Error>> {
    let soup = knot(plan.knot_triangles)?;
    let body = Body::new(Solid::from_soup(&soup)?);
    let files = write_raw(&options.scratch(), "knot", soup.points(), soup.triangles())?;
    let mut fcl = Peer::start(options, "fcl", &files)?;
    let mut duels = Vec::new();
    for way in Way::ALL {
        let is_free = |pose: &Pose| !collide(&body, &Pose::IDENTITY, &body, pose, Extent::Any).is_some();
        let courses = courses(way, plan.motions, is_free)?;
        let truths: Vec<Option<f64>> = courses.iter().map(|c| sampled(&body, c, plan.samples)).collect();
        let sides = [
            Side::Silvia,
            Side::FclAdvance,
            Side::FclSample(10),
            Side::FclSample(100),
            Side::FclSample(1000),
        ];
        let mut runs: Vec<Vec<Answers>> = sides.iter().map(|_| Vec::new()).collect();
        for _ in 0..plan.rounds {
            for (side, runs) in sides.iter().zip(&mut runs) {
                runs.push(ask(*side, &body, &mut fcl, &courses)?);
            }
        }
        let judge = |answers: &[Answers], side: Side| Score {
            side,
            queries: (0..answers[0].len())
                .map(|i| {
                    let times: Vec<f64> = answers.iter().map(|a| a[i].0).collect();
                    (median(&times), is_right(&body, &courses[i], truths[i], answers[0][i].1, plan.samples))
                })
                .collect(),
        };
        let mut scores: Vec<Score> = sides.iter().zip(&runs).map(|(&side, runs)| judge(runs, side)).collect();
        let few = &courses[..plan.parry_motions.min(courses.len())];
        scores.push(judge(&[parry(&soup, few)?], Side::Parry));
        let hits = runs[0][0].iter().filter(|a| a.1.is_some()).count();
        eprintln!("{}: done", way.name());
        duels.push(Duel { way, motions: courses.len(), hits, scores });
    }
    Ok(Knots { triangles: plan.knot_triangles, duels, fcl: fcl.version().to_owned() })
}

fn ask(side: Side, body: &Body, fcl: &mut Peer, courses: &[Course]) -> Result<Answers, Box<dyn Error>> {
    let (solver, iterations) = match side {
        Side::Silvia => return courses.iter().map(|c| ours(body, c)).collect(),
        Side::FclSample(n) => ("sample", n),
        _ => ("advance", 1000),
    };
    fcl.ask(&json!({
        "starts": rows(courses.iter().map(|c| c.start)),
        "ends": rows(courses.iter().map(|c| c.end)),
        "solver": solver,
        "iterations": iterations,
        "error": 1e-4,
    }))
}

fn ours(body: &Body, course: &Course) -> Result<(f64, Option<f64>), Box<dyn Error>> {
    let (rest, motion) = (Motion::still(Pose::IDENTITY), course.motion());
    let start = Instant::now();
    let options = ImpactOptions::default();
    let impact = time_of_impact(&Moving::new(body, &rest), &Moving::new(body, &motion), &options)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok((seconds, (impact.outcome == Outcome::Impact).then_some(impact.lower)))
}

/// The first sample at which they touch.
fn sampled(body: &Body, course: &Course, samples: usize) -> Option<f64> {
    let motion = course.motion();
    let touches = |t: &f64| {
        let pose = motion.pose_at(*t).unwrap_or(course.end);
        collide(body, &Pose::IDENTITY, body, &pose, Extent::Any).is_some()
    };
    (0..=samples).map(|i| i as f64 / samples as f64).find(touches)
}

/// Whether an answer agrees with the samples. A touch that falls between two of them is right if the knots
/// are that near then.
fn is_right(body: &Body, course: &Course, truth: Option<f64>, answer: Option<f64>, samples: usize) -> bool {
    // In between two samples no point goes further than this, m.
    let step = 20.0 / samples as f64;
    match (truth, answer) {
        (None, None) => true,
        (Some(_), None) => false,
        (Some(first), Some(time)) if (time - first).abs() <= WRONG.max(1.0 / samples as f64) => true,
        (truth, Some(time)) => {
            let is_early = truth.is_none_or(|first| time < first);
            let pose = course.motion().pose_at(time).unwrap_or(course.end);
            let gap = distance(body, &Pose::IDENTITY, body, &pose, &Default::default());
            is_early && gap.is_ok_and(|d| d.upper < WRONG * step)
        }
    }
}
