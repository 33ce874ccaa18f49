//! Takes parts apart, one after the other, and puts them together again in reverse.

use crate::answer::{Answer, Assembly, Blocked, Move, Overlapping, Stop};
use crate::legs::{Leg, leg, sag};
use crate::narrow::narrowest;
use crate::options::{FitOptions, Method, Progress};
use crate::part::{FitError, Part};
use crate::push::Push;
use crate::pusher::Pusher;
use crate::pushing::Pushing;
use crate::trees::Trees;
use silvia_proximity::{Shape, point_distance};
use silvia_solid::Pose;
use silvia_world::{ContactRecord, StepError};
use std::time::Instant;

/// Each part is given this many tries at first; in each further round, twice as many: a part that leaves
/// easily does so before the budget is spent on one that cannot leave yet.
const FIRST_ROUND: usize = 32;

/// A point is inside a part for certain if it is deeper than this fraction of the other part's size.
const DEFINITELY: f64 = 1e-7;

/// Of each edge so many points are looked at, with one of its ends.
const POINTS_OF_AN_EDGE: u32 = 4;

/// Looks for a way to assemble parts, the first of which stays where it is.
///
/// Each part moves by itself, among others that stay where they are. Assemblies that need two parts moved at
/// once are not found.
pub fn assemble(
    parts: &[Part],
    options: &FitOptions,
    mut tell: impl FnMut(&Progress),
) -> Result<Answer, FitError> {
    check(parts)?;
    let began = Instant::now();
    let overlaps = overlaps(parts)?;
    if !overlaps.is_empty() {
        return Ok(Answer::Impossible { overlaps });
    }
    let mut in_place: Vec<usize> = (0..parts.len()).collect();
    let (mut moves, mut spent) = (Vec::new(), Spent::default());
    while in_place.len() > 1 {
        let mut removals = Removal::all(parts, &in_place, options)?;
        let mut told = |removal: &Removal, method, tried, places, left| {
            let most = if method == Method::Pushes { options.tries } else { options.samples };
            let (removed, to_remove) = (parts.len() - in_place.len(), parts.len() - 1);
            tell(&Progress { part: removal.part, method, removed, to_remove, tried, most, places, left });
        };
        match next_out(&mut removals, options, &mut spent, &mut told)? {
            Some((at, way)) => {
                let step = proved(parts, &removals[at], way)?;
                in_place.retain(|&part| part != step.part);
                moves.push(step);
            }
            None => {
                let patience = FitOptions { deadline: later(began, options), ..options.clone() };
                let blocked =
                    removals.into_iter().map(|removal| removal.blocked(parts, &in_place, &patience));
                let mut blocked = blocked.collect::<Result<Vec<Blocked>, FitError>>()?;
                blocked.sort_by_key(|blocked| blocked.part);
                let Spent { tries, samples } = spent;
                return Ok(Answer::NotFound { removed: moves, blocked, tries, samples });
            }
        }
    }
    moves.reverse();
    Ok(Answer::Assembled(Assembly { moves, tries: spent.tries, samples: spent.samples }))
}

fn check(parts: &[Part]) -> Result<(), FitError> {
    if parts.len() < 2 {
        return Err(FitError::TooFew { given: parts.len() });
    }
    match parts.iter().find(|part| !part.shape.reach().is_finite()) {
        Some(part) => Err(FitError::Endless { name: part.name.clone() }),
        None => Ok(()),
    }
}

/// The narrowest place is looked for half as long again, if there is a deadline.
fn later(began: Instant, options: &FitOptions) -> Option<Instant> {
    options.deadline.map(|_| Instant::now() + began.elapsed() / 2)
}

/// All pairs that overlap at the goal. What touches, or fits without clearance, does not.
fn overlaps(parts: &[Part]) -> Result<Vec<Overlapping>, FitError> {
    let mut found = Vec::new();
    for (number, part) in parts.iter().enumerate().skip(1) {
        for (other, still) in parts.iter().enumerate().take(number) {
            match Pusher::new(part, &[(other, still)]) {
                Err(FitError::Step(StepError::Overlap { depth, .. })) if is_sure(still, part)? => {
                    found.push(Overlapping { parts: [other, number], depth });
                }
                Err(FitError::Step(StepError::Overlap { .. })) if !found.is_empty() => {}
                Err(error) => return Err(touching(error)),
                Ok(_) => {}
            }
        }
    }
    Ok(found)
}

/// Whether two parts overlap for certain: a corner, or a point of an edge, of one is inside the other by more
/// than rounding.
fn is_sure(a: &Part, b: &Part) -> Result<bool, FitError> {
    for (of, other) in [(a, b), (b, a)] {
        let Shape::Solid(mesh) = &of.shape else { continue };
        let soup = mesh.hierarchy().surface().soup();
        let least = DEFINITELY * soup.bounds().size().length();
        let edges = |triangle: usize| {
            let [p, q, r] = soup.corners(triangle);
            [[p, q], [q, r], [r, p]]
        };
        for [p, q] in (0..soup.triangles().len()).flat_map(edges) {
            for part in 0..POINTS_OF_AN_EDGE {
                let point = p.lerp(q, f64::from(part) / f64::from(POINTS_OF_AN_EDGE));
                let at = point_distance(&other.shape, &other.goal, of.goal.transform_point(point))?;
                if at.distance < -least {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The refusal of parts that cannot be opened, in the words of a fit.
fn touching(error: FitError) -> FitError {
    match error {
        FitError::Step(StepError::Overlap { a, b, .. }) => FitError::Touching { a, b },
        other => other,
    }
}

/// What has been tried so far.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    tries: usize,
    samples: usize,
}

/// The search for the way of one part among those that are in place.
struct Removal {
    part: usize,
    pusher: Pusher,
    pushing: Pushing,
    trees: Trees,
}

/// A way that was found, from the goal outwards.
struct WayOut {
    path: Vec<Pose>,
    pushes: Vec<Push>,
    method: Method,
}

/// Tells how far a search is: by which method, tries so far, places, and how far the part has to go yet.
type Told<'a> = dyn FnMut(&Removal, Method, usize, usize, f64) + 'a;

/// Lets parts look for a way out in turn, until one finds it or all is spent.
fn next_out(
    removals: &mut [Removal],
    options: &FitOptions,
    spent: &mut Spent,
    told: &mut Told<'_>,
) -> Result<Option<(usize, WayOut)>, FitError> {
    for &method in &options.methods {
        let mut round = FIRST_ROUND;
        loop {
            for (at, removal) in removals.iter_mut().enumerate() {
                let left = match method {
                    Method::Pushes => options.tries.saturating_sub(spent.tries),
                    Method::Trees => options.samples.saturating_sub(spent.samples),
                };
                if let Some(way) = removal.go_on(method, round.min(left), options, spent, told)? {
                    return Ok(Some((at, way)));
                }
            }
            let is_spent = match method {
                Method::Pushes => spent.tries >= options.tries,
                Method::Trees => spent.samples >= options.samples,
            };
            if is_spent || options.is_over() {
                break;
            }
            round *= 2;
        }
    }
    Ok(None)
}

impl Removal {
    /// One for each part in place but the first; those given last, first: they are likely to go in last.
    fn all(parts: &[Part], in_place: &[usize], options: &FitOptions) -> Result<Vec<Removal>, FitError> {
        let one = |&part: &usize| {
            let mut pusher =
                Pusher::new(&parts[part], &others_of(parts, in_place, part)).map_err(touching)?;
            let pushing = Pushing::new(&mut pusher, options.seed)?;
            let trees = Trees::new(&pusher, options.seed)?;
            Ok(Removal { part, pusher, pushing, trees })
        };
        in_place[1..].iter().rev().map(one).collect()
    }

    fn go_on(
        &mut self,
        method: Method,
        most: usize,
        options: &FitOptions,
        spent: &mut Spent,
        told: &mut Told<'_>,
    ) -> Result<Option<WayOut>, FitError> {
        for _ in 0..most {
            if options.is_over() {
                break;
            }
            let way = match method {
                Method::Pushes => {
                    let before = self.pushing.tried;
                    let way = self.pushing.go_on(&mut self.pusher, 1, options)?;
                    spent.tries += self.pushing.tried - before;
                    told(self, method, spent.tries, self.pushing.places(), self.pushing.left);
                    way.map(|way| WayOut { path: way.path, pushes: way.pushes, method })
                }
                Method::Trees => {
                    let before = self.trees.drawn;
                    let path = self.trees.go_on(&self.pusher, 1, options)?;
                    spent.samples += self.trees.drawn - before;
                    told(self, method, spent.samples, self.trees.places(), self.trees.left);
                    path.map(|path| WayOut { path, pushes: Vec::new(), method })
                }
            };
            if way.is_some() {
                return Ok(way);
            }
        }
        Ok(None)
    }

    /// Where the part came to, and what stopped it.
    fn blocked(
        mut self,
        parts: &[Part],
        in_place: &[usize],
        options: &FitOptions,
    ) -> Result<Blocked, FitError> {
        let others = others_of(parts, in_place, self.part);
        let narrow = narrowest(&parts[self.part], &others, &self.pusher, options)?;
        let reached = match narrow {
            Some(narrow) => self.pushing.nearest(&self.pusher, &narrow.pose),
            None => self.pushing.farthest(),
        };
        let towards = narrow.map(|narrow| narrow.pose);
        let (path, contacts) = self.pushing.pressed(&mut self.pusher, reached, towards, options)?;
        Ok(Blocked { part: self.part, path, stops: self.stops(&contacts), narrow })
    }

    /// What stops the part, by the contacts that a push ended with, the hardest pressed first; those that
    /// bore nothing only if none did.
    fn stops(&self, contacts: &[ContactRecord]) -> Vec<Stop> {
        let body = self.pusher.body();
        let total: f64 = contacts.iter().map(|contact| contact.force.length()).sum();
        let stop = |contact: &ContactRecord| {
            let at = contact.bodies.iter().position(|id| *id == body)?;
            let other = self.pusher.number_of(contact.bodies[1 - at])?;
            let features = contact.name.key.features;
            let force = contact.force_on(body).length();
            Some(Stop {
                other,
                features: [features[at], features[1 - at]],
                at: 0.5 * (contact.points[0] + contact.points[1]),
                normal: if at == 1 { contact.normal } else { -contact.normal },
                share: if total > 0.0 { force / total } else { 0.0 },
            })
        };
        let mut stops: Vec<Stop> = contacts.iter().filter_map(stop).collect();
        if total > 0.0 {
            stops.retain(|stop| stop.share > 0.0);
        }
        // Equal shares stay in the order of the features.
        stops.sort_by(|a, b| b.share.total_cmp(&a.share));
        stops
    }
}

/// All parts in place but one, with their numbers.
fn others_of<'a>(parts: &'a [Part], in_place: &[usize], part: usize) -> Vec<(usize, &'a Part)> {
    in_place.iter().filter(|other| **other != part).map(|&other| (other, &parts[other])).collect()
}

/// Tests every leg of a way again, and turns it round.
fn proved(parts: &[Part], removal: &Removal, way: WayOut) -> Result<Move, FitError> {
    let (pusher, part) = (&removal.pusher, removal.part);
    let (shape, others) = (pusher.shape()?, pusher.stills()?);
    for (number, ends) in way.path.windows(2).enumerate() {
        if let Leg::Touches { other, .. } = leg(shape, [&ends[0], &ends[1]], &others)? {
            let (part, other) = (parts[part].name.clone(), parts[other].name.clone());
            return Err(FitError::NotFree { part, leg: number, other });
        }
    }
    let sag = sag(shape, pusher.metric.centre, &way.path);
    let short = pusher.metric.distance(&pusher.start, &parts[part].goal);
    let drawn_in = pusher.drawn_in()?;
    let mut path = way.path;
    path.reverse();
    Ok(Move { part, path, method: way.method, pushes: way.pushes, sag, short, drawn_in })
}
