//! Whether a piece that was tried is free, and what is to be done about pairs that cross.

use crate::response::refill;
use crate::step::contacts::{Near, PairOf};
use crate::step::island::{Ended, Run};
use crate::step::piece::Refused;
use crate::step::room::Room;
use crate::threads::{PAIRS, refill_each, refill_from};
use silvia_proximity::{PathCheck, RigidPath, check_path_with, is_plane_between};
use silvia_solid::{Aabb, Pose};

/// Where a piece crosses something, it is cut to this fraction of what is free.
const BEFORE_CROSSING: f64 = 0.9;

/// A pair that crosses although its contacts are closed, to so many shells, crosses because its way sags.
const SAGGING: f64 = 4.0;

/// Of a pair that stays apart.
const FREE: PathCheck = PathCheck { free_until: 1.0, crossing: None, at_start: false, work: 0 };

impl Run<'_> {
    /// Looks at the way of every pair.
    pub(super) fn certify(
        &mut self,
        paths: &[RigidPath],
        boxes: &[Aabb],
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        let mut crossed: Vec<(usize, PathCheck)> = Vec::new();
        let mut looked_at = 0;
        // Along the normal of the nearest contact there is most likely a plane between two bodies.
        let Room { nearest, checks, .. } = &mut *self.room;
        let (mut nearest, mut checks) = (std::mem::take(nearest), std::mem::take(checks));
        refill(&mut nearest, self.pairs.iter().map(|_| None));
        for near in contacts.iter().filter(|near| near.state.holds) {
            let of_pair = &mut nearest[near.pair];
            if of_pair.is_none_or(|(gap, _)| near.state.gap < gap) {
                *of_pair = Some((near.state.gap, near.state.normal));
            }
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        let this = &*self;
        let look = |at: usize, pair: &mut PairOf| -> Option<PathCheck> {
            let [a, b] = pair.bodies;
            if !boxes[a].overlaps(&boxes[b]) {
                return None;
            }
            let bodies = [a, b].map(|i| &this.body(i).contact_body);
            if let Some((_, normal)) = nearest[at]
                && is_plane_between(bodies[0], &paths[a], bodies[1], &paths[b], normal)
            {
                return Some(FREE);
            }
            Some(check_path_with(bodies[0], &paths[a], bodies[1], &paths[b], &mut pair.memory.cache))
        };
        refill_from(&mut checks, &mut pairs, PAIRS, look);
        self.pairs = pairs;
        for (index, check) in checks.drain(..).enumerate() {
            let Some(check) = check else { continue };
            looked_at += 1;
            if check.crossing.is_some() || check.at_start {
                crossed.push((index, check));
            }
        }
        (self.room.nearest, self.room.checks) = (nearest, checks);
        // Of two that cross at once the first stays the first.
        crossed.sort_by(|(_, x), (_, y)| x.free_until.total_cmp(&y.free_until));
        let Some((pair, check)) = crossed.first() else {
            self.ran.certificate.paths += looked_at;
            return Ok(None);
        };
        let pair = *pair;
        let [a, b] = self.pairs[pair].bodies;
        let names = format!("`{}` and `{}`", self.body(a).name, self.body(b).name);
        if check.at_start {
            return Err(self.stuck(format!("{names} touch where the step starts")));
        }
        if may_grow {
            // All that cross at once: where many bodies meet in a step, one after the other would take as
            // many attempts.
            let start: Vec<Pose> = paths.iter().map(|path| path.from).collect();
            let new = |number: usize| {
                let (pair, check) = &crossed[number];
                let at = self.pairs[*pair].bodies.map(|i| part_of_way(&paths[i], check.free_until));
                self.not_yet_known(*pair, [&at[0], &at[1]], &start, contacts)
            };
            let mut of_crossed = Vec::new();
            refill_each(&mut of_crossed, crossed.len(), PAIRS, new);
            let mut new: Vec<Near> = of_crossed.into_iter().flatten().collect();
            if !new.is_empty() {
                let mut ways: Vec<f64> =
                    paths.iter().enumerate().map(|(i, path)| self.way_along(i, path)).collect();
                let farther = self.look_farther(&mut ways, (&start, boxes), contacts, &new);
                new.extend(farther);
                return Ok(Some(Refused::Grown(new)));
            }
        }
        let ends: Vec<Pose> = paths.iter().map(|path| path.to).collect();
        let let_go = |(pair, check): &(usize, PathCheck)| {
            let crossing = check.crossing.as_ref()?;
            contacts.iter().position(|near| {
                near.pair == *pair
                    && !near.is_kept
                    && near.name.parts == crossing.parts
                    && near.name.key.features.map(Some) == crossing.features
                    && self.state_at(near, &ends).gap < 0.0
            })
        };
        let those: Vec<Option<usize>> = crossed.iter().map(let_go).collect();
        // All at once, as above.
        let mut has_risen = false;
        for ((pair, check), _) in crossed.iter().zip(&those).filter(|(_, contact)| contact.is_none()) {
            has_risen |= self.start_gap(*pair, contacts).is_some_and(|gap| self.lift(*pair, check, gap));
        }
        let those: Vec<usize> = those.into_iter().flatten().collect();
        if !those.is_empty() {
            return Ok(Some(Refused::Kept(those)));
        }
        if has_risen {
            return Ok(Some(Refused::Again));
        }
        if let Some(gap) = self.start_gap(pair, contacts)
            && let Some(shorter) = self.until_sagging(pair, check, gap)
        {
            let why = String::from("bodies would pass through each other as they turn");
            return Ok(Some(Refused::Cut(shorter * length, why)));
        }
        let shorter = BEFORE_CROSSING * check.free_until * length;
        Ok(Some(Refused::Cut(shorter, format!("{names} would pass through each other"))))
    }

    /// No point of a body goes farther along a path than this, about, m.
    fn way_along(&self, body: usize, path: &RigidPath) -> f64 {
        let centre = |pose: &Pose| pose.transform_point(path.about);
        let turn = path.from.rotation().angle_between(path.to.rotation());
        let turned = if turn > 0.0 { turn * self.body(body).size } else { 0.0 };
        centre(&path.from).distance(centre(&path.to)) + turned
    }

    /// The least gap of a pair that touches where the piece starts, m; `None` if it does not.
    fn start_gap(&self, pair: usize, contacts: &[Near]) -> Option<f64> {
        let touching = contacts.iter().filter(|near| near.pair == pair && near.state.holds);
        let gap = touching.map(|near| near.state.gap).fold(f64::INFINITY, f64::min);
        (gap > 0.0 && gap <= SAGGING * self.pairs[pair].shell).then_some(gap)
    }
}

/// A pose part of the way.
fn part_of_way(path: &RigidPath, fraction: f64) -> Pose {
    let centre = |pose: &Pose| pose.transform_point(path.about);
    let at = centre(&path.from).lerp(centre(&path.to), fraction);
    let rotation = path.from.rotation().slerp(path.to.rotation(), fraction).normalize();
    crate::response::pose_of(at, rotation, path.about)
}
