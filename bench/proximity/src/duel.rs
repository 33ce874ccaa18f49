//! Silvia and its peers in turn on the same poses.

use crate::peer::{Parry, Peer, Question, Run};
use crate::work::{SEPARATIONS, knot, random_poses, write_poses};
use bench_common::{Options, median};
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{collide, distance};
use silvia::proximity::{DistanceOptions, Extent, Hierarchy};
use silvia::solid::{Pose, Solid};
use std::error::Error;
use std::time::Instant;

/// The body that our side asks about: with the default bound and options.
pub(crate) type Body = Hierarchy<Obb>;

/// Distances that differ by more than this, m, are counted as a disagreement; the knots are 6 m wide.
pub(crate) const AGREEMENT: f64 = 1e-9;

/// The question for any hit takes so little time that it is asked this many times as often.
const ANY_REPEATS: usize = 5;

/// A side that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Silvia,
    Coal,
    Fcl,
    Parry,
}

/// One question at one separation.
pub(crate) struct Duel {
    pub(crate) triangles: usize,
    pub(crate) separation: f64,
    pub(crate) question: Question,
    /// The part of the poses at which the knots touch.
    pub(crate) touching: f64,
    /// How many pairs of triangles meet, on average.
    pub(crate) pairs: f64,
    pub(crate) scores: Vec<Score>,
}

/// How a side did.
pub(crate) struct Score {
    pub(crate) side: Side,
    /// Mean time of a query in each round, s.
    pub(crate) means: Vec<f64>,
    /// How many poses it was asked about.
    pub(crate) poses: usize,
    /// At how many of them it does not say what Silvia says.
    pub(crate) disagreements: usize,
}

/// How much is done.
pub(crate) struct Effort {
    pub(crate) sizes: &'static [usize],
    pub(crate) poses: usize,
    pub(crate) rounds: usize,
}

/// What was measured, and the versions of the peers.
pub(crate) struct Duels {
    pub(crate) duels: Vec<Duel>,
    pub(crate) versions: String,
    pub(crate) builds: Vec<Build>,
}

/// Times to build the hierarchy, s. Ours is parallel.
pub(crate) struct Build {
    pub(crate) triangles: usize,
    /// Silvia, coal, FCL, parry.
    pub(crate) times: [f64; 4],
}

pub(crate) fn run(options: &Options, effort: &Effort) -> Result<Duels, Box<dyn Error>> {
    let mut all = Duels { duels: Vec::new(), versions: String::new(), builds: Vec::new() };
    for &triangles in effort.sizes {
        let soup = knot(triangles)?;
        let solid = Solid::from_soup(&soup)?;
        let start = Instant::now();
        let body = Body::new(solid);
        let build = start.elapsed().as_secs_f64();
        let mut coal = Peer::start(options, "coal", &soup)?;
        let mut fcl = Peer::start(options, "fcl", &soup)?;
        let start = Instant::now();
        let parry = Parry::new(&soup)?;
        let parry_build = start.elapsed().as_secs_f64();
        all.builds
            .push(Build { triangles, times: [build, coal.hello().build, fcl.hello().build, parry_build] });
        all.versions = format!("coal {}, FCL (python-fcl {})", coal.hello().version, fcl.hello().version);
        for separation in SEPARATIONS {
            let poses = random_poses(separation, effort.poses)?;
            let file = options.scratch().join(format!("proximity-{triangles}-{separation}.csv"));
            write_poses(&file, &poses)?;
            for question in Question::EVERY {
                // Parry takes seconds for one distance: it gets a few poses, and one round.
                let few = match (question, triangles) {
                    (Question::Distance, ..=10_000) => &poses[..poses.len().min(5)],
                    (Question::Distance, _) => &poses[..1],
                    (Question::Any, _) => &poses[..poses.len().min(20)],
                    (Question::All, _) => &[],
                };
                let mut rounds = vec![(Side::Silvia, Vec::new()), (Side::Coal, Vec::new())];
                if question != Question::All {
                    // For all pairs its wrapper makes a Python object of each: that would not be FCL's time.
                    rounds.push((Side::Fcl, Vec::new()));
                }
                let repeats = if question == Question::Any { ANY_REPEATS } else { 1 };
                for round in 0..effort.rounds * repeats {
                    // Each round starts with another side, so that none always comes after the same one.
                    for turn in 0..rounds.len() {
                        let at = (round + turn) % rounds.len();
                        let (side, runs) = &mut rounds[at];
                        runs.push(match side {
                            Side::Coal => coal.ask(question, &file)?,
                            Side::Fcl => fcl.ask(question, &file)?,
                            _ => ours(&body, question, &poses)?,
                        });
                    }
                }
                if !few.is_empty() {
                    rounds.push((Side::Parry, vec![parry.ask(question, few)?]));
                }
                let duel = judged(triangles, separation, question, rounds)?;
                println!("{}", duel.line());
                all.duels.push(duel);
            }
        }
    }
    Ok(all)
}

fn judged(
    triangles: usize,
    separation: f64,
    question: Question,
    rounds: Vec<(Side, Vec<Run>)>,
) -> Result<Duel, Box<dyn Error>> {
    let truth = rounds.first().and_then(|(_, runs)| runs.first()).ok_or("no round was run")?.answers.clone();
    let same = |a: f64, b: f64| match question {
        Question::Distance => (a - b).abs() <= AGREEMENT,
        Question::Any => (a > 0.0) == (b > 0.0),
        Question::All => a == b,
    };
    let score = |(side, runs): (Side, Vec<Run>)| {
        let answers = &runs[0].answers;
        Score {
            side,
            means: runs.iter().map(|run| run.mean).collect(),
            poses: answers.len(),
            disagreements: answers.iter().zip(&truth).filter(|(a, b)| !same(**a, **b)).count(),
        }
    };
    let is_touching = |a: &&f64| if question == Question::Distance { **a == 0.0 } else { **a > 0.0 };
    Ok(Duel {
        triangles,
        separation,
        question,
        touching: truth.iter().filter(is_touching).count() as f64 / truth.len() as f64,
        pairs: truth.iter().sum::<f64>() / truth.len() as f64,
        scores: rounds.into_iter().map(score).collect(),
    })
}

/// Our side: what a user gets who asks with the defaults.
pub(crate) fn ours(body: &Body, question: Question, poses: &[Pose]) -> Result<Run, Box<dyn Error>> {
    let options = DistanceOptions::default();
    let here = Pose::IDENTITY;
    let mut answers = Vec::with_capacity(poses.len());
    let start = Instant::now();
    for pose in poses {
        answers.push(match question {
            Question::Distance => distance(body, &here, body, pose, &options)?.upper,
            Question::Any => f64::from(u8::from(collide(body, &here, body, pose, Extent::Any).is_some())),
            Question::All => collide(body, &here, body, pose, Extent::All).pairs().len() as f64,
        });
    }
    Ok(Run { mean: start.elapsed().as_secs_f64() / poses.len() as f64, answers })
}

impl Duel {
    /// The median over the rounds of a side's mean time, s.
    pub(crate) fn time(&self, side: Side) -> Option<f64> {
        self.score(side).map(|score| median(&score.means))
    }

    pub(crate) fn score(&self, side: Side) -> Option<&Score> {
        self.scores.iter().find(|score| score.side == side)
    }

    /// How many times faster than the faster of coal and FCL.
    pub(crate) fn ratio(&self) -> f64 {
        let peers = [Side::Coal, Side::Fcl].into_iter().filter_map(|side| self.time(side));
        peers.fold(f64::INFINITY, f64::min) / self.time(Side::Silvia).unwrap_or(f64::NAN)
    }

    fn line(&self) -> String {
        let times: Vec<String> = self
            .scores
            .iter()
            .map(|s| format!("{:?} {:.1} us ({} differ)", s.side, 1e6 * median(&s.means), s.disagreements))
            .collect();
        let Duel { triangles, separation, question, .. } = self;
        format!("{triangles} at {separation}, {question:?}: {}; ratio {:.2}", times.join(", "), self.ratio())
    }
}
