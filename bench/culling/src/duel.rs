//! All sides in turn on the same boxes.

use crate::ipctk::{GRIDS, Ipctk, METHODS};
use crate::parry::{Parry, USAGES};
use crate::work::{Crowd, Moves, Scene, Sheet};
use bench_common::{Options, median};
use silvia::proximity::culling::{BoxId, CullingMethod, overlapping_pairs};
use silvia::solid::Aabb;
use std::error::Error;
use std::time::Instant;

/// How much is measured.
pub(crate) struct Effort {
    pub(crate) sizes: &'static [usize],
    pub(crate) shares: &'static [f64],
    pub(crate) rounds: usize,
    /// Boxes that jump about.
    pub(crate) jumping: usize,
    /// Steps of the crowd in a round.
    pub(crate) steps: usize,
    pub(crate) sheet_triangles: usize,
    pub(crate) sheet_steps: usize,
}

/// One case: all sides on the same work.
pub(crate) struct Duel {
    pub(crate) boxes: usize,
    /// The share that moves, and how; `None` for the sheet.
    pub(crate) moving: Option<(f64, Scene)>,
    /// At the last step.
    pub(crate) pairs: usize,
    /// Pairs that began or ended, a step.
    pub(crate) news: f64,
    pub(crate) scores: Vec<Score>,
}

/// How a side did.
pub(crate) struct Score {
    pub(crate) side: String,
    pub(crate) ours: bool,
    /// Mean time of a step in each round, s.
    pub(crate) means: Vec<f64>,
    /// The same for a peer's search alone, without finding what began and ended, where that was measured.
    pub(crate) search_means: Vec<f64>,
    /// Where it found other numbers than the first of our methods: both.
    pub(crate) differs: Option<[Vec<usize>; 2]>,
}

impl Score {
    pub(crate) fn seconds(&self) -> f64 {
        median(&self.means)
    }

    pub(crate) fn search_seconds(&self) -> f64 {
        median(&self.search_means)
    }
}

/// Ours that are compared; the first is the default.
pub(crate) const OURS: [CullingMethod; 3] =
    [CullingMethod::Tree, CullingMethod::HashTable, CullingMethod::CoordinateSort];

/// Ours that keeps nothing from step to step, as a table says it: what a user would call for a sheet.
pub(crate) const ALL_AT_ONCE: &str = "Silvia, all at once";

/// Sides that start afresh in every step need not be asked about all of them.
const FRESH_STEPS: usize = 2;

/// Boxes of which a share moves; every side says what began and what ended.
pub(crate) fn crowd(
    options: &Options,
    ipctk: &mut Ipctk,
    effort: &Effort,
    boxes: usize,
    (share, scene): (f64, Scene),
) -> Result<Duel, Box<dyn Error>> {
    let mut crowd = Crowd::new(boxes, share, scene);
    let start = crowd.boxes.clone();
    let mut frames = Vec::new();
    let steps: Vec<Moves> = (0..effort.steps)
        .map(|_| {
            let moves = crowd.step();
            if frames.len() < FRESH_STEPS {
                frames.push(crowd.boxes.clone());
            }
            moves
        })
        .collect();
    let mut table = ScoreTable::default();
    let frame_counts = pair_counts(&start, &steps[..frames.len()])?;
    let mut reference = None;
    for _ in 0..effort.rounds {
        for method in OURS {
            let (seconds, tally) = ours(method, &start, &steps)?;
            let first = *reference.get_or_insert(tally);
            table.add(&label(method), true, seconds, None, (&tally, &first));
        }
        let (mean, counts) = all_at_once(&frames)?;
        table.add(ALL_AT_ONCE, true, mean, None, (&counts, &frame_counts));
        for usage in USAGES {
            let mut parry = Parry::new(&start, usage);
            let (mut seconds, mut search, mut began, mut ended) = (0.0, 0.0, 0, 0);
            for moves in &steps {
                let outcome = parry.step(moves);
                (seconds, search) = (seconds + outcome.seconds, search + outcome.tree_seconds);
                (began, ended) = (began + outcome.began, ended + outcome.ended);
            }
            let each = 1.0 / steps.len() as f64;
            let (tally, first) = ([began, ended, parry.pair_count()], reference.ok_or("none of ours ran")?);
            let side = format!("parry, {}", usage.name);
            table.add(&side, false, each * seconds, Some(each * search), (&tally, &first));
        }
        for method in METHODS.into_iter().filter(|m| scene != Scene::JumpingAboveFloor || !GRIDS.contains(m))
        {
            let answer = ipctk.ask(options, method, &frames)?;
            let mean = answer.seconds.iter().sum::<f64>() / frames.len() as f64;
            table.add(&format!("ipctk, {method}"), false, mean, Some(mean), (&answer.pairs, &frame_counts));
        }
    }
    let [began, ended, pairs] = reference.ok_or("no rounds")?;
    let news = (began + ended) as f64 / steps.len() as f64;
    Ok(Duel { boxes, moving: Some((share, scene)), pairs, news, scores: table.scores })
}

/// What a side says: pairs that began and ended in all steps, and pairs at the end.
type Tally = [usize; 3];

/// Our mean time of a step, s, and what it says.
fn ours(method: CullingMethod, start: &[Aabb], steps: &[Moves]) -> Result<(f64, Tally), Box<dyn Error>> {
    let mut culling = method.start();
    culling.insert(start)?;
    culling.update();
    let (mut seconds, mut began, mut ended) = (0.0, 0, 0);
    for moves in steps {
        let moves: Vec<(BoxId, Aabb)> = moves.iter().map(|(id, b)| (BoxId(*id), *b)).collect();
        let clock = Instant::now();
        culling.relocate(&moves)?;
        let changes = culling.update();
        seconds += clock.elapsed().as_secs_f64();
        (began, ended) = (began + changes.began.len(), ended + changes.ended.len());
    }
    Ok((seconds / steps.len() as f64, [began, ended, culling.pair_count()]))
}

/// The mean time to list the pairs of a frame with nothing kept from the one before, s, and their numbers.
fn all_at_once(frames: &[Vec<Aabb>]) -> Result<(f64, Vec<usize>), Box<dyn Error>> {
    let (mut seconds, mut counts) = (0.0, Vec::new());
    for boxes in frames {
        let clock = Instant::now();
        let pairs = overlapping_pairs(boxes)?;
        seconds += clock.elapsed().as_secs_f64();
        counts.push(pairs.len());
    }
    Ok((seconds / frames.len() as f64, counts))
}

/// Our number of pairs after each of some steps.
fn pair_counts(start: &[Aabb], steps: &[Moves]) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut culling = CullingMethod::default().start();
    culling.insert(start)?;
    let mut counts = Vec::new();
    for moves in steps {
        let moves: Vec<(BoxId, Aabb)> = moves.iter().map(|(id, b)| (BoxId(*id), *b)).collect();
        culling.relocate(&moves)?;
        culling.update();
        counts.push(culling.pair_count());
    }
    Ok(counts)
}

/// The swept boxes of all triangles of a sheet in motion; every side lists all pairs.
pub(crate) fn sheet(options: &Options, ipctk: &mut Ipctk, effort: &Effort) -> Result<Duel, Box<dyn Error>> {
    let mut sheet = Sheet::new(effort.sheet_triangles);
    let start = sheet.step();
    let steps: Vec<Vec<Aabb>> = (0..effort.sheet_steps).map(|_| sheet.step()).collect();
    let mut table = ScoreTable::default();
    let (mut reference, mut news) = (Vec::new(), 0.0);
    for _ in 0..effort.rounds {
        for method in OURS {
            let mut culling = method.start();
            let ids = culling.insert(&start)?;
            culling.update();
            let (mut seconds, mut counts, mut changed) = (0.0, Vec::new(), 0);
            for boxes in &steps {
                let moves: Vec<(BoxId, Aabb)> = ids.iter().copied().zip(boxes.iter().copied()).collect();
                let clock = Instant::now();
                culling.relocate(&moves)?;
                let changes = culling.update();
                changed += changes.began.len() + changes.ended.len();
                let mut pairs = Vec::with_capacity(culling.pair_count());
                culling.for_each_pair(&mut |pair| pairs.push(pair));
                seconds += clock.elapsed().as_secs_f64();
                counts.push(pairs.len());
            }
            if reference.is_empty() {
                (reference, news) = (counts.clone(), changed as f64 / steps.len() as f64);
            }
            table.add(&label(method), true, seconds / steps.len() as f64, None, (&counts, &reference));
        }
        let (mean, counts) = all_at_once(&steps)?;
        table.add(ALL_AT_ONCE, true, mean, None, (&counts, &reference));
        for usage in USAGES {
            let mut parry = Parry::new(&start, usage);
            let (mut seconds, mut counts) = (0.0, Vec::new());
            for boxes in &steps {
                let (time, count) = parry.list_all(boxes);
                seconds += time;
                counts.push(count);
            }
            let each = seconds / steps.len() as f64;
            table.add(&format!("parry, {}", usage.name), false, each, Some(each), (&counts, &reference));
        }
        for method in METHODS {
            let asked = FRESH_STEPS.min(steps.len());
            let answer = ipctk.ask(options, method, &steps[..asked])?;
            let mean = answer.seconds.iter().sum::<f64>() / asked as f64;
            let told = (&answer.pairs[..], &reference[..asked]);
            table.add(&format!("ipctk, {method}"), false, mean, Some(mean), told);
        }
    }
    let pairs = reference.last().copied().unwrap_or(0);
    Ok(Duel { boxes: start.len(), moving: None, pairs, news, scores: table.scores })
}

/// As tables say it.
pub(crate) fn label(method: CullingMethod) -> String {
    match method {
        CullingMethod::Tree => "Silvia, tree (default)",
        CullingMethod::HashTable => "Silvia, hash table",
        CullingMethod::CoordinateSort => "Silvia, coordinate sort",
        CullingMethod::BruteForce => "Silvia, brute force",
    }
    .into()
}

#[derive(Default)]
struct ScoreTable {
    scores: Vec<Score>,
}

impl ScoreTable {
    /// `told`: the numbers that the side found, and those to expect.
    fn add(
        &mut self,
        side: &str,
        ours: bool,
        mean: f64,
        search_mean: Option<f64>,
        (found, expected): (&[usize], &[usize]),
    ) {
        let at = self.scores.iter().position(|s| s.side == side).unwrap_or_else(|| {
            let (means, search_means) = (Vec::new(), Vec::new());
            self.scores.push(Score { side: side.into(), ours, means, search_means, differs: None });
            self.scores.len() - 1
        });
        let score = &mut self.scores[at];
        score.means.push(mean);
        score.search_means.extend(search_mean);
        if found != expected {
            score.differs = Some([found.to_vec(), expected.to_vec()]);
        }
    }
}
