//! Carry: what a scripted body would pass through, and what did not get out of its way, goes along with it.
//!
//! Bodies that move as one rigid body cannot meet each other: on their straight paths all their points are
//! moved by the same linear map, and none has an inverse that is lost on a turn of less than half. So this
//! motion is free, whatever contacts and forces were not found, as long as it meets nothing else: what it
//! meets is carried, too. Only where it meets what cannot be moved, or what another script carries, is a
//! script [blocked].

use crate::body::BodyState;
use crate::kinematics::mean_velocity;
use crate::report::{Meeting, StuckReason};
use crate::settings::OnStuck;
use crate::step::give_way::Held;
use crate::step::island::{Ended, IslandNow};
use crate::stuck::rounded_place;
use silvia_proximity::PathCheck;
use silvia_solid::Vec3;

/// Which bodies of an island are carried.
pub(super) struct Carried {
    /// By body: the scripted one that carries it.
    by: Vec<Option<usize>>,
    /// By body: the one that took it along, which is scripted or carried itself.
    from: Vec<Option<usize>>,
    /// What scripted bodies met themselves: which, what, and where.
    met: Vec<(usize, usize, Vec3)>,
}

impl Carried {
    pub(super) fn none(now: &IslandNow<'_>) -> Carried {
        let none = vec![None; now.island.movable];
        Carried { by: none.clone(), from: none, met: Vec::new() }
    }

    pub(super) fn is_one(&self) -> bool {
        self.by.iter().any(Option::is_some)
    }

    pub(super) fn is_carried(&self, body: usize) -> bool {
        self.by[body].is_some()
    }

    /// The scripted body that a body moves with: itself, or the one that carries it.
    fn driver(&self, now: &IslandNow<'_>, body: usize) -> Option<usize> {
        if now.is_driven(body) { Some(body) } else { self.by.get(body).copied().flatten() }
    }

    /// The body that the scripted one pushes itself, so that a carried one goes along.
    fn pushed_first(&self, driver: usize, carried: usize) -> usize {
        let mut first = carried;
        while let Some(from) = self.from[first].filter(|&from| from != driver) {
            first = from;
        }
        first
    }

    /// Puts the bodies that are carried to where they end after a time, s.
    pub(super) fn put_ends(&self, now: &IslandNow<'_>, length: f64, ends: &mut [BodyState]) {
        for (body, driver) in self.by.iter().enumerate() {
            if let &Some(driver) = driver {
                ends[body] = carried_end(&now.states[body], &now.states[driver], &ends[driver], length);
            }
        }
    }

    /// Takes along what one body of these pairs carries and the other one is; whether anything joined.
    pub(super) fn take_along(&mut self, now: &IslandNow<'_>, pairs: &[usize]) -> bool {
        let mut has_more = false;
        for &pair in pairs {
            let [a, b] = now.pairs[pair].bodies;
            for (mover, other) in [(a, b), (b, a)] {
                if let Some(driver) = self.driver(now, mover)
                    && let Some(free @ None) = self.by.get_mut(other)
                {
                    *free = Some(driver);
                    self.from[other] = Some(mover);
                    has_more = true;
                }
            }
        }
        has_more
    }

    /// Takes along what crosses; whether anything joined.
    pub(super) fn take_what_crosses(&mut self, now: &IslandNow<'_>, crossed: &[(usize, PathCheck)]) -> bool {
        for (pair, check) in crossed {
            let [a, b] = now.pairs[*pair].bodies;
            for (mover, other) in [(a, b), (b, a)] {
                if now.is_driven(mover) {
                    self.met.push((mover, other, place(now, other, check)));
                }
            }
        }
        let pairs: Vec<usize> = crossed.iter().map(|(pair, _)| *pair).collect();
        self.take_along(now, &pairs)
    }

    /// Takes along all that may meet what is carried, and so on, without waiting until it does.
    pub(super) fn take_all_that_may_meet(&mut self, now: &IslandNow<'_>) {
        let is_between_movables =
            |&pair: &usize| now.pairs[pair].bodies.iter().all(|&body| body < now.island.movable);
        let pairs: Vec<usize> = (0..now.pairs.len()).filter(is_between_movables).collect();
        while self.take_along(now, &pairs) {}
    }
}

/// Where a body ends that goes along with a scripted one, after a time, s.
fn carried_end(body: &BodyState, from: &BodyState, to: &BodyState, length: f64) -> BodyState {
    let turn = to.rotation * from.rotation.conjugate();
    let centre = to.centre + turn * (body.centre - from.centre);
    let end = BodyState { centre, rotation: (turn * body.rotation).normalize(), ..*body };
    BodyState { velocity: mean_velocity(body, &end, length), ..end }
}

/// Where a body is met on its way.
fn place(now: &IslandNow<'_>, body: usize, check: &PathCheck) -> Vec3 {
    check.crossing.as_ref().map_or(now.states[body].centre, |crossing| crossing.points[0])
}

/// Why a script cannot go on: the body that it drives, or one that this carries, would pass through another.
fn why_blocked(
    now: &IslandNow<'_>,
    carried: &Carried,
    driver: usize,
    [pushed, other]: [usize; 2],
    check: &PathCheck,
) -> StuckReason {
    let name = |index: usize| now.body(index).name.clone();
    let rounded = |[a, b]: [usize; 2], at: Vec3| rounded_place(at, now.body(a).size.min(now.body(b).size));
    let there = place(now, other, check);
    let met = |who: usize, what: usize| {
        let known = carried.met.iter().find(|met| (met.0, met.1) == (who, what));
        rounded([who, what], known.map_or(now.states[what].centre, |&(.., at)| at))
    };
    let (blocked, at, by) = if pushed != driver {
        let first = carried.pushed_first(driver, pushed);
        (first, met(driver, first), Some(([pushed, other], rounded([pushed, other], there))))
    } else {
        // Where the other goes along with something else, that is what blocks it.
        let from = carried.from.get(other).copied().flatten();
        (other, rounded([driver, other], there), from.map(|from| ([other, from], met(from, other))))
    };
    let by = by.map(|(bodies, at)| Box::new(Meeting { bodies: bodies.map(name), at }));
    StuckReason::Prescribed { mover: name(driver), blocked: name(blocked), at, by }
}

/// What becomes of an island of which bodies cross although all rest or are carried: a script moves one of
/// them into what cannot yield.
pub(super) fn blocked(now: &IslandNow<'_>, carried: &Carried, crossed: &[(usize, PathCheck)]) -> Ended {
    let mut held: Vec<Held> = Vec::new();
    for (pair, check) in crossed {
        let [a, b] = now.pairs[*pair].bodies;
        for (mover, other) in [(a, b), (b, a)] {
            let Some(driver) = carried.driver(now, mover) else { continue };
            let body = now.island.bodies[driver];
            if held.iter().any(|known| known.body == body) {
                continue;
            }
            held.push(Held { body, reason: why_blocked(now, carried, driver, [mover, other], check) });
        }
    }
    match (held.first(), now.world.settings.on_stuck) {
        (None, _) => {
            let (pair, check) = &crossed[0];
            now.stuck(StuckReason::TouchAtStart(now.crossing_of(*pair, check)))
        }
        (Some(first), OnStuck::End) => now.stuck(first.reason.clone()),
        (Some(_), OnStuck::Hold) => Ended::Blocked(held),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_contact::Twist;
    use silvia_solid::Quat;

    #[test]
    fn what_is_carried_keeps_its_place_on_what_carries_it() {
        let state = |x: f64, angle: f64| BodyState {
            centre: Vec3::new(x, 0.3 * x, -0.2),
            rotation: Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), angle),
            velocity: Twist::default(),
        };
        let (from, to, body) = (state(1.0, 0.2), state(1.1, 1.1), state(-2.0, 3.0));
        let end = carried_end(&body, &from, &to, 0.5);
        // As the carrying body sees it.
        let seen = |by: &BodyState, body: &BodyState| {
            let back = by.rotation.conjugate();
            (back * (body.centre - by.centre), back * body.rotation)
        };
        let ((was, turned), (is, turns)) = (seen(&from, &body), seen(&to, &end));
        assert!(was.distance(is) < 1e-14 && (turned - turns).length() < 1e-14, "{is} {turns}");
        assert!((0.5 * end.velocity.linear - (end.centre - body.centre)).length() < 1e-14);
        assert!((0.5 * end.velocity.angular.length() - 0.9).abs() < 1e-14);
    }
}
