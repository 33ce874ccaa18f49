//! The checker takes states one by one and remembers the worst.

use crate::body::{Body, Swept, Way};
use crate::crossing::Outcome;
use crate::error::CheckError;
use crate::pair::{self, Side};
use crate::piece::Piece;
use crate::verdict::{Crossing, Penetration, Verdict};
use silvia_proximity::Shape;
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeSet;

/// Checks a sequence of states of a set of bodies. See [the crate](crate).
#[derive(Clone, Debug)]
pub struct Checker {
    bodies: Vec<Body>,
    /// Pairs to skip, the lower number first.
    ignored: BTreeSet<[usize; 2]>,
    /// The previous state.
    last: Option<(f64, Vec<Pose>)>,
    /// For each body and piece: the placed vertices of a mesh, and the motion they were placed for.
    swept: Vec<Vec<Option<(Way, Swept)>>>,
    verdict: Verdict,
}

impl Checker {
    /// Makes a checker for named bodies, each shape in its own frame. Refuses triangles whose coordinates are
    /// too large or too small.
    pub fn new(bodies: impl IntoIterator<Item = (String, Shape)>) -> Result<Checker, CheckError> {
        let bodies = bodies.into_iter().enumerate();
        let bodies: Vec<Body> =
            bodies.map(|(i, (name, shape))| Body::new(i, name, &shape)).collect::<Result<_, _>>()?;
        let swept = bodies.iter().map(|body| vec![None; body.pieces.len()]).collect();
        Ok(Checker { bodies, ignored: BTreeSet::new(), last: None, swept, verdict: Verdict::default() })
    }

    /// Skips a pair of bodies, such as two that are held together by a joint. Refuses bodies that do not
    /// exist.
    pub fn ignore(&mut self, a: usize, b: usize) -> Result<(), CheckError> {
        self.known(a)?;
        self.known(b)?;
        self.ignored.insert([a.min(b), a.max(b)]);
        Ok(())
    }

    /// Sets the point of a body, in its frame, that moves on a straight line when the body moves rigidly:
    /// usually its centre of mass. By default it is the origin of the frame.
    pub fn centre(&mut self, body: usize, at: Vec3) -> Result<(), CheckError> {
        self.known(body)?;
        if !at.is_finite() {
            return Err(CheckError::Centre { body });
        }
        self.bodies[body].centre = at;
        Ok(())
    }

    /// Sets the poses before the first state to check, for example a state that was checked earlier: motion
    /// to the next state begins here. On error nothing changes.
    ///
    /// ```
    /// use silvia_check::Checker;
    /// use silvia_proximity::Shape;
    /// use silvia_solid::{Pose, Vec3};
    ///
    /// let ball = |name: &str| Ok::<_, silvia_proximity::ShapeError>((name.to_owned(), Shape::sphere(0.5)?));
    /// let mut checker = Checker::new([ball("a")?, ball("b")?])?;
    /// let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    /// checker.start(0.0, &[at(0.0)?, at(0.9)?])?; // they overlap, which is not asked
    /// checker.state(0.1, &[at(0.0)?, at(1.1)?])?;
    /// assert_eq!(checker.verdict().depth(), 0.0);
    /// assert_eq!(checker.verdict().crossings.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(&mut self, time: f64, poses: &[Pose]) -> Result<(), CheckError> {
        self.accept(time, poses)?;
        self.last = Some((time, poses.to_vec()));
        Ok(())
    }

    /// Checks the next state: one pose per body, in their order, at a later time than the last. On error
    /// nothing changes.
    pub fn state(&mut self, time: f64, poses: &[Pose]) -> Result<(), CheckError> {
        self.accept(time, poses)?;
        let ways: Vec<Way> = (0..poses.len())
            .map(|i| {
                let from = self.last.as_ref().map_or(poses[i], |(_, before)| before[i]);
                Way::new(from, poses[i], self.bodies[i].centre)
            })
            .collect();
        let boxes: Vec<Vec<Aabb>> =
            self.bodies.iter().zip(&ways).map(|(body, way)| body.boxes(way)).collect();
        let around: Vec<Aabb> = boxes.iter().map(|boxes| merged(boxes)).collect();
        for [a, b] in near(&around) {
            if self.ignored.contains(&[a, b]) {
                continue;
            }
            self.verdict.pairs += 1;
            // A pair that has not moved was checked before.
            let is_new = self.last.is_none() || !ways[a].is_still() || !ways[b].is_still();
            if is_new {
                self.look(time, [a, b], &ways, &boxes);
            }
        }
        self.verdict.states += 1;
        self.last = Some((time, poses.to_vec()));
        Ok(())
    }

    /// Checks states in which only some bodies move: each entry has a time and the new poses of bodies by
    /// their numbers, and all others stay where they are. The verdict is that of [`Checker::state`] with all
    /// poses, but the cost is that of the bodies that move, besides once that of all. There must have been a
    /// state before. On error nothing changes.
    pub fn moves(&mut self, moves: &[(f64, Vec<(usize, Pose)>)]) -> Result<(), CheckError> {
        let poses = self.accept_moves(moves)?;
        let still = |bodies: &[Body], i: usize, pose: Pose| Way::new(pose, pose, bodies[i].centre);
        let mut ways: Vec<Way> = (0..poses.len()).map(|i| still(&self.bodies, i, poses[i])).collect();
        let mut boxes: Vec<Vec<Aabb>> =
            self.bodies.iter().zip(&ways).map(|(body, way)| body.boxes(way)).collect();
        let neighbours = self.neighbours(moves, &poses, &boxes);
        for (time, moved) in moves {
            for &(i, to) in moved {
                ways[i] = Way::new(ways[i].to(), to, self.bodies[i].centre);
                boxes[i] = self.bodies[i].boxes(&ways[i]);
            }
            let around = moved.iter().filter(|(i, _)| !ways[*i].is_still());
            let mut pairs: Vec<[usize; 2]> = around
                .flat_map(|&(i, _)| neighbours[i].iter().map(move |&j| [i.min(j), i.max(j)]))
                .filter(|&[a, b]| merged(&boxes[a]).overlaps(&merged(&boxes[b])))
                .filter(|pair| !self.ignored.contains(pair))
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            for pair in pairs {
                self.verdict.pairs += 1;
                self.look(*time, pair, &ways, &boxes);
            }
            for &(i, to) in moved {
                ways[i] = still(&self.bodies, i, to);
                boxes[i] = self.bodies[i].boxes(&ways[i]);
            }
            if let Some((last, poses)) = &mut self.last {
                *last = *time;
                moved.iter().for_each(|&(i, to)| poses[i] = to);
            }
            self.verdict.states += 1;
        }
        Ok(())
    }

    /// The poses before some moves, if these can be made.
    fn accept_moves(&self, moves: &[(f64, Vec<(usize, Pose)>)]) -> Result<Vec<Pose>, CheckError> {
        let first = self.verdict.states;
        let Some((mut before, poses)) = self.last.clone() else {
            return Err(CheckError::PoseCount { state: first, expected: self.bodies.len(), found: 0 });
        };
        for (state, (time, moved)) in (first..).zip(moves) {
            if !time.is_finite() || *time <= before {
                return Err(CheckError::Time { state, time: *time, before });
            }
            for &(body, pose) in moved {
                self.known(body)?;
                if !is_finite(&pose) {
                    return Err(CheckError::NotFinite { state, body, name: self.bodies[body].name.clone() });
                }
            }
            before = *time;
        }
        Ok(poses)
    }

    /// For each body, those that it may come near while some bodies move.
    fn neighbours(
        &self,
        moves: &[(f64, Vec<(usize, Pose)>)],
        poses: &[Pose],
        boxes: &[Vec<Aabb>],
    ) -> Vec<Vec<usize>> {
        let mut poses = poses.to_vec();
        let mut around: Vec<Aabb> = boxes.iter().map(|boxes| merged(boxes)).collect();
        for &(i, to) in moves.iter().flat_map(|(_, moved)| moved) {
            let way = Way::new(poses[i], to, self.bodies[i].centre);
            around[i] = around[i].merged(merged(&self.bodies[i].boxes(&way)));
            // Widened by rounding, so it may reach farther than that of the way to it.
            let there = Way::new(to, to, self.bodies[i].centre);
            around[i] = around[i].merged(merged(&self.bodies[i].boxes(&there)));
            poses[i] = to;
        }
        let mut neighbours = vec![Vec::new(); poses.len()];
        for [a, b] in near(&around) {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        neighbours
    }

    /// The findings so far.
    pub fn verdict(&self) -> Verdict {
        self.verdict.clone()
    }

    fn known(&self, body: usize) -> Result<(), CheckError> {
        let bodies = self.bodies.len();
        if body < bodies { Ok(()) } else { Err(CheckError::NoBody { body, bodies }) }
    }

    fn accept(&self, time: f64, poses: &[Pose]) -> Result<(), CheckError> {
        let state = self.verdict.states;
        let before = self.last.as_ref().map_or(f64::NAN, |(before, _)| *before);
        if !time.is_finite() || time <= before {
            return Err(CheckError::Time { state, time, before });
        }
        if poses.len() != self.bodies.len() {
            return Err(CheckError::PoseCount { state, expected: self.bodies.len(), found: poses.len() });
        }
        match poses.iter().position(|pose| !is_finite(pose)) {
            None => Ok(()),
            Some(body) => Err(CheckError::NotFinite { state, body, name: self.bodies[body].name.clone() }),
        }
    }

    /// Checks a pair of bodies at the new state and on the way there.
    fn look(&mut self, time: f64, pair: [usize; 2], ways: &[Way], boxes: &[Vec<Aabb>]) {
        let [a, b] = pair;
        let size = smaller(self.bodies[a].size, self.bodies[b].size);
        let mut depth = 0.0_f64;
        let mut outcome = Outcome::Free;
        for p in 0..boxes[a].len() {
            for q in 0..boxes[b].len() {
                if !boxes[a][p].overlaps(&boxes[b][q]) {
                    continue;
                }
                self.place(a, p, &ways[a]);
                self.place(b, q, &ways[b]);
                let sides = [self.side(a, p, ways, boxes), self.side(b, q, ways, boxes)];
                let pairs = pair::triangles(&sides);
                depth = depth.max(pair::depth(&sides, &pairs));
                if self.last.is_some() && !matches!(outcome, Outcome::Crosses(_)) {
                    outcome = worse(outcome, pair::crossing(&sides, &pairs, size));
                }
            }
        }
        self.note(time, pair, depth, size);
        self.note_outcome(time, pair, outcome);
    }

    /// Places the vertices of a mesh, unless that has been done.
    fn place(&mut self, body: usize, piece: usize, way: &Way) {
        let Piece::Mesh(mesh) = &self.bodies[body].pieces[piece] else { return };
        let slot = &mut self.swept[body][piece];
        if slot.as_ref().is_none_or(|(placed, _)| placed != way) {
            *slot = Some((*way, Swept::new(mesh, way, slot.take())));
        }
    }

    fn side<'a>(&'a self, body: usize, piece: usize, ways: &'a [Way], boxes: &[Vec<Aabb>]) -> Side<'a> {
        Side {
            piece: &self.bodies[body].pieces[piece],
            way: &ways[body],
            swept: self.swept[body][piece].as_ref().map(|(_, swept)| swept),
            bounds: boxes[body][piece],
        }
    }

    fn names(&self, pair: [usize; 2]) -> [String; 2] {
        pair.map(|body| self.bodies[body].name.clone())
    }

    /// Records an overlap if it is the worst so far.
    fn note(&mut self, time: f64, bodies: [usize; 2], depth: f64, size: f64) {
        if depth <= 0.0 {
            return;
        }
        let fraction = if size > 0.0 { depth / size } else { f64::INFINITY };
        let found = Penetration { bodies, names: self.names(bodies), time, depth, fraction };
        if depth > self.verdict.depth() {
            self.verdict.deepest = Some(found.clone());
        }
        if fraction > self.verdict.fraction() {
            self.verdict.largest = Some(found);
        }
    }

    fn note_outcome(&mut self, time: f64, bodies: [usize; 2], outcome: Outcome) {
        let Some(&(from, _)) = self.last.as_ref() else { return };
        let names = self.names(bodies);
        let at = |part: f64| from + part * (time - from);
        let entry = |part: f64| Crossing { bodies, names, from, until: time, at: at(part) };
        match outcome {
            Outcome::Free => {}
            Outcome::Crosses(part) => self.verdict.crossings.push(entry(part)),
            Outcome::Undecided(part) => self.verdict.undecided.push(entry(part)),
        }
    }
}

fn is_finite(pose: &Pose) -> bool {
    pose.translation().is_finite() && pose.rotation().is_finite()
}

/// The box around the boxes of a body's pieces.
fn merged(boxes: &[Aabb]) -> Aabb {
    boxes.iter().copied().fold(Aabb::EMPTY, Aabb::merged)
}

/// The pairs of boxes that overlap, in order. Sweep and prune along x.
fn near(around: &[Aabb]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..around.len()).collect();
    order.sort_by(|&i, &j| around[i].min.x.total_cmp(&around[j].min.x).then(i.cmp(&j)));
    let mut pairs = Vec::new();
    for (k, &i) in order.iter().enumerate() {
        for &j in order[k + 1..].iter().take_while(|&&j| around[j].min.x <= around[i].max.x) {
            if around[i].overlaps(&around[j]) {
                pairs.push([i.min(j), i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The size of the smaller of two bodies, m; a body of size zero does not count.
fn smaller(a: f64, b: f64) -> f64 {
    match (a > 0.0, b > 0.0) {
        (true, true) => a.min(b),
        (true, false) => a,
        _ => b,
    }
}

fn worse(a: Outcome, b: Outcome) -> Outcome {
    match (a, b) {
        (_, Outcome::Crosses(_)) | (Outcome::Free, _) => b,
        _ => a,
    }
}
