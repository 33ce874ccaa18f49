//! Steps under the eyes of the checker, which shares no code with the stepper, along the ways that their
//! reports tell.

use silvia_check::Checker;
use silvia_proximity::Shape;
use silvia_solid::{Aabb, Pose, Vec3};
use silvia_world::{BodyId, Role, StepError, StepReport, World};
use std::collections::BTreeMap;

/// What may overlap at a state, as a fraction of the smaller body: what the checker can tell.
const CLEAN: f64 = 1e-10;

/// Makes a step. Panics if it is wrong: if bodies overlap at its end or pass through each other on the way,
/// if islands meet, if there is something that is no number, or if a step that was refused changed anything.
pub(crate) fn judged(world: &mut World, length: f64, label: &str) -> Result<StepReport, StepError> {
    let ids: Vec<BodyId> = world.ids().collect();
    let before: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
    let hash = world.hash();
    let report = match world.step(length) {
        Ok(report) => report,
        Err(error) => {
            assert_eq!(world.hash(), hash, "{label}: a refused step changed the world");
            return Err(error);
        }
    };
    for &id in &ids {
        let state = world.body_state(id).unwrap();
        let velocity = state.velocity;
        assert!(state.centre.is_finite() && state.rotation.is_finite(), "{label}: {state:?}");
        assert!(velocity.linear.is_finite() && velocity.angular.is_finite(), "{label}: {state:?}");
    }
    let after: Vec<Pose> = ids.iter().map(|&id| world.pose(id).unwrap()).collect();
    let groups = groups(world, &ids, &report);
    let checker = checker(world, &ids);

    // All at once where nothing was cut; else the bodies of an island that was, then all at the end.
    if groups.is_empty() {
        follow(world, &ids, checker.clone(), &[before.clone(), after.clone()], label);
    } else {
        follow(world, &ids, checker.clone(), std::slice::from_ref(&after), label);
    }
    for group in &groups {
        let mut of_group = checker.clone();
        for a in 0..ids.len() {
            for b in a + 1..ids.len() {
                if !(group.contains(a) && group.contains(b)) {
                    of_group.ignore(a, b).unwrap();
                }
            }
        }
        let mut states = vec![before.clone()];
        for entry in &group.ways {
            let mut poses = states[states.len() - 1].clone();
            group.bodies.iter().zip(entry).for_each(|(&body, &pose)| poses[body] = pose);
            states.push(poses);
        }
        follow(world, &ids, of_group, &states, label);
    }
    keep_apart(world, &ids, &groups, [&before, &after], label);
    Ok(report)
}

/// Follows bodies from state to state. The checker lets bodies turn rigidly where one of two is smooth; the
/// stepper lets all points go straight, which differs by as much as a chord does from its arc. So where the
/// checker finds a pair to cross, the pair is looked at on its rigid way, and may overlap by no more than
/// that.
fn follow(world: &World, ids: &[BodyId], mut checker: Checker, states: &[Vec<Pose>], label: &str) {
    let pristine = checker.clone();
    for (number, poses) in states.iter().enumerate() {
        checker.state(number as f64, poses).unwrap();
    }
    let verdict = checker.verdict();
    assert!(verdict.fraction() <= CLEAN, "{label}: {verdict:?}");
    for crossing in &verdict.crossings {
        let [from, to] = [&states[crossing.from as usize], &states[crossing.until as usize]];
        let pair = crossing.bodies;
        let mut closely = pristine.clone();
        for a in 0..ids.len() {
            for b in (a + 1..ids.len()).filter(|&b| [a, b] != pair) {
                closely.ignore(a, b).unwrap();
            }
        }
        let centre = |body: usize| world.inertia(ids[body]).unwrap().centre;
        for part in 0..=LOOKS {
            let mut poses = from.clone();
            for body in pair {
                poses[body] = on_the_way(&from[body], &to[body], centre(body), part as f64 / LOOKS as f64);
            }
            closely.state(part as f64, &poses).unwrap();
        }
        let sag = |body: usize| {
            let turn = from[body].rotation().angle_between(to[body].rotation());
            let reach = world.shape(ids[body]).unwrap().reach();
            let reach = if reach.is_finite() { reach + centre(body).length() } else { 0.0 };
            reach * (1.0 - (0.5 * turn).cos())
        };
        let (depth, allowed) = (closely.verdict().depth(), sag(pair[0]) + sag(pair[1]));
        assert!(depth <= 1.01 * allowed, "{label}: {depth} m deep, {allowed} m allowed, {crossing:?}");
    }
}

/// How often a way is looked at that the checker does not like.
const LOOKS: usize = 64;

fn on_the_way(from: &Pose, to: &Pose, centre: Vec3, part: f64) -> Pose {
    let place = from.transform_point(centre).lerp(to.transform_point(centre), part);
    let rotation = from.rotation().slerp(to.rotation(), part).normalize();
    Pose::new(place - rotation * centre, rotation).unwrap()
}

/// An island that was cut: its bodies, and where they were at the end of each piece.
struct Group {
    bodies: Vec<usize>,
    ways: Vec<Vec<Pose>>,
}

impl Group {
    fn contains(&self, body: usize) -> bool {
        self.bodies.contains(&body)
    }
}

fn groups(world: &World, ids: &[BodyId], report: &StepReport) -> Vec<Group> {
    let index: BTreeMap<BodyId, usize> = ids.iter().enumerate().map(|(index, &id)| (id, index)).collect();
    let mut groups: Vec<Group> = Vec::new();
    for entry in &report.way {
        let bodies: Vec<usize> = entry.iter().map(|(id, _)| index[id]).collect();
        let poses = entry.iter().map(|(id, state)| world.pose_in(*id, state).unwrap()).collect();
        match groups.last_mut() {
            Some(group) if group.bodies == bodies => group.ways.push(poses),
            _ => groups.push(Group { bodies, ways: vec![poses] }),
        }
    }
    groups
}

fn checker(world: &World, ids: &[BodyId]) -> Checker {
    let named = |&id: &BodyId| (world.name(id).unwrap().to_owned(), world.shape(id).unwrap().clone());
    let mut checker = Checker::new(ids.iter().map(named).collect::<Vec<(String, Shape)>>()).unwrap();
    for (a, &id) in ids.iter().enumerate() {
        checker.centre(a, world.inertia(id).unwrap().centre).unwrap();
        for (b, &other) in ids.iter().enumerate().skip(a + 1) {
            if !may_touch(world, id, other) {
                checker.ignore(a, b).unwrap();
            }
        }
    }
    checker
}

fn may_touch(world: &World, a: BodyId, b: BodyId) -> bool {
    let is_movable = |id: BodyId| matches!(world.role(id).unwrap(), Role::Free | Role::Held(_));
    (is_movable(a) || is_movable(b)) && world.admits(a, b).unwrap()
}

/// Bodies of an island that was cut do not come near any that is not in it.
fn keep_apart(world: &World, ids: &[BodyId], groups: &[Group], [before, after]: [&[Pose]; 2], label: &str) {
    let around = |body: usize, poses: &mut dyn Iterator<Item = Pose>| {
        let shape = world.shape(ids[body]).unwrap();
        poses.map(|pose| shape.aabb(&pose)).fold(Aabb::EMPTY, Aabb::merged)
    };
    let straight = |body: usize| around(body, &mut [before[body], after[body]].into_iter());
    for group in groups {
        for (at, &a) in group.bodies.iter().enumerate() {
            if !matches!(world.role(ids[a]).unwrap(), Role::Free | Role::Held(_)) {
                continue;
            }
            let of_a = around(a, &mut group.ways.iter().map(|poses| poses[at])).merged(straight(a));
            for b in (0..ids.len()).filter(|&b| !group.contains(b) && may_touch(world, ids[a], ids[b])) {
                let of_b = straight(b);
                assert!(!of_a.overlaps(&of_b), "{label}: {a} of an island comes near {b} of another");
            }
        }
    }
}
