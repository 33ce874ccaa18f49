//! Breadth-first search over places by pushes, from the goal outwards.
//!
//! Each place is where a push ended. From each, all pushes are tried, those from the places nearest to the
//! goal (in pushes) first; but from a place that is farther out than all before, at once. A place near one
//! that is known is not new. When no new place is left, places on the way of pushes are taken, and then
//! pushes in random directions.

use crate::options::FitOptions;
use crate::part::FitError;
use crate::push::{Push, distinct, pushes};
use crate::pusher::{Pusher, Slide, left_along};
use crate::random::Random;
use silvia_solid::{Pose, Vec3};
use silvia_world::{ContactRecord, Snapshot};
use std::collections::VecDeque;

/// Places nearer to each other than this many strides are one.
const SAME: f64 = 1.0;
/// Places on the way of a push are new if they are farther than this many strides from all known.
const SAME_BETWEEN: f64 = 3.0;
/// Places where random pushes end are new from this many strides on: in a tight fit, every little counts.
const SAME_AT_RANDOM: f64 = 0.25;

/// A place of the part.
struct Place {
    /// Where it was pushed from, and how.
    from: Option<(usize, Push)>,
    /// The poses on the way from there.
    path: Vec<Pose>,
    pose: Pose,
    world: Snapshot,
}

/// Pushes of a place that are not yet tried.
struct Pending {
    place: usize,
    pushes: Vec<Push>,
    next: usize,
}

/// A way, from the goal outwards.
pub(crate) struct Way {
    pub(crate) path: Vec<Pose>,
    pub(crate) pushes: Vec<Push>,
}

/// The search for the way of a part.
pub(crate) struct Pushing {
    places: Vec<Place>,
    pending: VecDeque<Pending>,
    /// Places on the way of pushes.
    between: VecDeque<Place>,
    random: Random,
    /// The place from which the part has the least way to go, and how far that is, m.
    farthest: usize,
    pub(crate) left: f64,
    /// Pushes tried.
    pub(crate) tried: usize,
}

impl Pushing {
    pub(crate) fn new(pusher: &mut Pusher, seed: u64) -> Result<Pushing, FitError> {
        let (pose, world) = (pusher.start, pusher.at_goal());
        let left = pusher.left(&pose)?;
        let mut pushing = Pushing {
            places: Vec::new(),
            pending: VecDeque::new(),
            between: VecDeque::new(),
            random: Random::new(seed),
            farthest: 0,
            left,
            tried: 0,
        };
        pushing.reach(pusher, Place { from: None, path: Vec::new(), pose, world }, false)?;
        Ok(pushing)
    }

    /// Places reached so far.
    pub(crate) fn places(&self) -> usize {
        self.places.len()
    }

    /// Tries some more pushes. A way, if one is found.
    pub(crate) fn go_on(
        &mut self,
        pusher: &mut Pusher,
        most: usize,
        options: &FitOptions,
    ) -> Result<Option<Way>, FitError> {
        for _ in 0..most {
            if options.is_over() {
                return Ok(None);
            }
            let (place, push, same) = self.next(pusher)?;
            self.tried += 1;
            let slide = pusher.slide(&self.places[place].world, &push, options)?;
            if slide.is_out {
                return Ok(Some(self.way(place, Some(push), slide.path)));
            }
            self.take(pusher, place, push, slide, same)?;
        }
        Ok(None)
    }

    /// The next push to try, from where, and how near the places are that count as one.
    fn next(&mut self, pusher: &mut Pusher) -> Result<(usize, Push, f64), FitError> {
        loop {
            if let Some(pending) = self.pending.front_mut() {
                match pending.pushes.get(pending.next) {
                    Some(push) => {
                        pending.next += 1;
                        return Ok((pending.place, *push, SAME));
                    }
                    None => {
                        self.pending.pop_front();
                    }
                }
            } else if let Some(place) = self.between.pop_front() {
                if self.is_new(pusher, &place.pose, SAME_BETWEEN) {
                    self.reach(pusher, place, false)?;
                }
            } else {
                let place = self.random.below(self.places.len());
                let [along, about] = [0, 1].map(|_| self.random.direction());
                let share = self.random.unit();
                let push = Push { along: share * along, about: (1.0 - share) * about };
                return Ok((place, push, SAME_AT_RANDOM));
            }
        }
    }

    /// Takes in where a push ended.
    fn take(
        &mut self,
        pusher: &mut Pusher,
        from: usize,
        push: Push,
        slide: Slide,
        same: f64,
    ) -> Result<(), FitError> {
        let Some(&pose) = slide.path.last() else { return Ok(()) };
        let left = pusher.left(&pose)?;
        let is_ahead = left < self.left - pusher.stride;
        for (count, world) in slide.between {
            let path = slide.path[..count].to_vec();
            let pose = pusher.pose_at(&world)?;
            self.between.push_back(Place { from: Some((from, push)), path, pose, world });
        }
        if self.is_new(pusher, &pose, same) {
            if left < self.left {
                (self.left, self.farthest) = (left, self.places.len());
            }
            let place = Place { from: Some((from, push)), path: slide.path, pose, world: slide.end };
            self.reach(pusher, place, is_ahead)?;
        }
        Ok(())
    }

    fn is_new(&self, pusher: &Pusher, pose: &Pose, same: f64) -> bool {
        let is_far = |place: &Place| pusher.metric.distance(&place.pose, pose) > same * pusher.stride;
        self.places.iter().all(is_far)
    }

    /// A new place: all pushes from there are to be tried, at once or in turn.
    fn reach(&mut self, pusher: &mut Pusher, place: Place, at_once: bool) -> Result<(), FitError> {
        let own: Vec<Vec3> = pusher.axes_at(&place.pose).collect();
        let about = distinct([Vec3::X, Vec3::Y, Vec3::Z].into_iter().chain(own));
        let suggested = pusher.suggested(&place.world)?;
        let along = distinct(about.iter().copied().chain(suggested));
        let mut pushes = pushes(&along, &about);
        // What leads out soonest comes first, and plain pushes before twists.
        let own = pusher.shape()?.aabb(&place.pose);
        let rank = |push: &Push| match push.about == Vec3::ZERO {
            true => left_along(&own, &pusher.cage, push.along),
            false => f64::INFINITY,
        };
        pushes.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        let pending = Pending { place: self.places.len(), pushes, next: 0 };
        self.places.push(place);
        if at_once {
            self.pending.push_front(pending);
        } else {
            self.pending.push_back(pending);
        }
        Ok(())
    }

    /// The way to a place, and on from there.
    fn way(&self, place: usize, push: Option<Push>, path: Vec<Pose>) -> Way {
        let mut legs = vec![path];
        let mut pushes: Vec<Push> = push.into_iter().collect();
        let mut at = place;
        while let Some((from, push)) = self.places[at].from {
            legs.push(self.places[at].path.clone());
            pushes.push(push);
            at = from;
        }
        legs.push(vec![self.places[at].pose]);
        legs.reverse();
        pushes.reverse();
        Way { path: legs.concat(), pushes }
    }

    /// The place from which the part has the least way to go.
    pub(crate) fn farthest(&self) -> usize {
        self.farthest
    }

    /// The place nearest to a pose.
    pub(crate) fn nearest(&self, pusher: &Pusher, pose: &Pose) -> usize {
        let apart = |place: &usize| pusher.metric.distance(&self.places[*place].pose, pose);
        (0..self.places.len()).min_by(|i, j| apart(i).total_cmp(&apart(j))).unwrap_or(0)
    }

    /// The way to a place and on towards a pose, or as the part was pushed there; and the contacts that stop
    /// it.
    pub(crate) fn pressed(
        &self,
        pusher: &mut Pusher,
        place: usize,
        towards: Option<Pose>,
        options: &FitOptions,
    ) -> Result<(Vec<Pose>, Vec<ContactRecord>), FitError> {
        let Place { pose, world, from, .. } = &self.places[place];
        let push = match towards {
            Some(towards) => Some(pusher.push_between(pose, &towards)),
            None => from.map(|(_, push)| push),
        };
        let Some(push) = push else { return Ok((vec![*pose], Vec::new())) };
        let slide = pusher.slide(world, &push, options)?;
        Ok((self.way(place, None, slide.path).path, slide.contacts))
    }
}
