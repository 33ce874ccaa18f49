//! Same pairs, same changes, in the same order.

use crate::scenes::{KINDS, Kind};
use seeded::Random;
use silvia_proximity::culling::{BoxId, BruteForce, Culling, CullingMethod, Pair, swept};
use silvia_solid::{Aabb, Vec3};

/// Brute force and all others, given the same requests.
struct Rivals {
    oracle: BruteForce,
    others: Vec<(CullingMethod, Box<dyn Culling>)>,
    ids: Vec<BoxId>,
}

impl Rivals {
    fn new() -> Rivals {
        let methods = CullingMethod::ALL.into_iter().filter(|m| *m != CullingMethod::BruteForce);
        Rivals {
            oracle: BruteForce::default(),
            others: methods.map(|m| (m, m.start())).collect(),
            ids: Vec::new(),
        }
    }

    fn insert(&mut self, boxes: &[Aabb]) {
        let ids = self.oracle.insert(boxes).unwrap();
        for (_, other) in &mut self.others {
            assert_eq!(other.insert(boxes).unwrap(), ids);
        }
        self.ids.extend(ids);
    }

    fn relocate(&mut self, moves: &[(BoxId, Aabb)]) {
        self.oracle.relocate(moves).unwrap();
        self.others.iter_mut().for_each(|(_, other)| other.relocate(moves).unwrap());
    }

    fn remove(&mut self, ids: &[BoxId]) {
        self.oracle.remove(ids).unwrap();
        self.others.iter_mut().for_each(|(_, other)| other.remove(ids).unwrap());
        self.ids.retain(|id| !ids.contains(id));
    }

    /// Updates all, compares, and gives the numbers of pairs that began and ended.
    fn check(&mut self, what: &dyn std::fmt::Debug, all_pairs: bool) -> (usize, usize) {
        let changes = self.oracle.update().clone();
        for (method, other) in &mut self.others {
            assert_eq!(other.update(), &changes, "{method:?} differs: {what:?}");
            assert_eq!(other.pair_count(), self.oracle.pair_count(), "{method:?}: {what:?}");
            assert_eq!(other.len(), self.oracle.len());
            if all_pairs {
                assert_eq!(other.pairs(), self.oracle.pairs(), "{method:?}: {what:?}");
                let mut visited = Vec::new();
                other.for_each_pair(&mut |pair| visited.push(pair));
                visited.sort_unstable();
                assert_eq!(visited, self.oracle.pairs(), "{method:?}: {what:?}");
            }
        }
        (changes.began.len(), changes.ended.len())
    }

    /// One step: some boxes move, teleport, vanish or appear.
    fn shake(&mut self, kind: Kind, r: &mut Random, moving: f64, churn: f64) {
        let mut moves = Vec::new();
        for &id in &self.ids {
            if r.chance(moving) {
                let teleports = r.chance(churn);
                let old = self.oracle.bounds(id).unwrap();
                moves.push((id, if teleports { kind.fresh(r) } else { kind.moved(&old, r) }));
            }
        }
        self.relocate(&moves);
        let leaving: Vec<BoxId> = self.ids.iter().copied().filter(|_| r.chance(0.5 * churn)).collect();
        self.remove(&leaving);
        // One more or one less than left, now and then.
        let [more, less] = [(); 2].map(|()| usize::from(r.chance(4.0 * churn)));
        let arriving = (leaving.len() + more).saturating_sub(less);
        let boxes: Vec<Aabb> = (0..arriving).map(|_| kind.fresh(r)).collect();
        self.insert(&boxes);
    }
}

#[test]
fn every_method_equals_brute_force_on_every_kind_of_scene() {
    for (k, kind) in KINDS.into_iter().enumerate() {
        for (m, moving) in [0.02, 0.2, 1.0].into_iter().enumerate() {
            let mut r = Random::new((10 * k + m) as u64);
            let mut rivals = Rivals::new();
            let first: Vec<Aabb> = (0..200).map(|_| kind.fresh(&mut r)).collect();
            rivals.insert(&first);
            let (mut began, mut ended) = rivals.check(&(kind, moving), true);
            for step in 0..60 {
                let churn = if step % 3 == 0 { 0.05 } else { 0.0 };
                rivals.shake(kind, &mut r, moving, churn);
                let (b, e) = rivals.check(&(kind, moving, step), step % 10 == 0);
                (began, ended) = (began + b, ended + e);
            }
            assert!(began > 50 && ended > 0, "{kind:?} hardly tests anything: {began} began, {ended} ended");
        }
    }
}

/// Long quiet stretches, then commotion.
fn ten_thousand_steps(boxes: usize, kind_at: impl Fn(usize) -> Kind) -> usize {
    let mut r = Random::new(77);
    let mut rivals = Rivals::new();
    let first: Vec<Aabb> = (0..boxes).map(|i| kind_at(i).fresh(&mut r)).collect();
    rivals.insert(&first);
    let mut news = 0;
    for step in 0..10_000 {
        let (moving, churn) = [(0.03, 0.0), (0.3, 0.01), (0.03, 0.0), (1.0, 0.2)][step / 100 % 4];
        rivals.shake(kind_at(step), &mut r, moving, churn);
        let (began, ended) = rivals.check(&(kind_at(step), step), step % 100 == 0);
        news += began + ended;
    }
    news
}

#[test]
fn ten_thousand_steps_of_every_kind_lose_no_pair() {
    for kind in KINDS {
        let news = ten_thousand_steps(24, |_| kind);
        assert!(news > 1000, "{kind:?} hardly tests anything: {news}");
    }
}

#[test]
fn ten_thousand_steps_of_all_kinds_mixed_lose_no_pair() {
    let news = ten_thousand_steps(40, |i| KINDS[i % KINDS.len()]);
    assert!(news > 10_000, "{news}");
}

#[test]
fn larger_crowds_agree_too() {
    for (moving, churn) in [(0.01, 0.0), (0.1, 0.001), (1.0, 0.0)] {
        let mut r = Random::new(5);
        let mut rivals = Rivals::new();
        let boxes: Vec<Aabb> = (0..3000)
            .map(|_| {
                let corner = r.vector(12.0);
                Aabb { min: corner, max: corner + Vec3::splat(r.between(0.5, 1.5)) }
            })
            .collect();
        rivals.insert(&boxes);
        for step in 0..12 {
            rivals.shake(Kind::Random, &mut r, moving, churn);
            rivals.check(&(moving, step), true);
        }
    }
}

#[test]
fn a_box_removed_and_put_in_again_between_updates_has_only_moved() {
    let unit = |x: f64| Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) };
    let mut rivals = Rivals::new();
    rivals.insert(&[unit(0.0), unit(0.5), unit(5.0)]);
    rivals.check(&"first", true);
    rivals.remove(&[BoxId(0)]);
    rivals.insert(&[unit(0.2)]);
    assert_eq!(rivals.check(&"same place", true), (0, 0));
    rivals.remove(&[BoxId(0)]);
    rivals.insert(&[unit(5.2)]);
    assert_eq!(rivals.check(&"other place", true), (1, 1));
}

#[test]
fn all_may_leave_and_others_come() {
    let mut r = Random::new(3);
    let mut rivals = Rivals::new();
    for round in 0..4 {
        let boxes: Vec<Aabb> = (0..50 * (4 - round)).map(|_| Kind::Random.fresh(&mut r)).collect();
        rivals.insert(&boxes);
        rivals.check(&("in", round), true);
        let all = rivals.ids.clone();
        rivals.remove(&all);
        let (began, ended) = rivals.check(&("out", round), true);
        assert!(began == 0 && ended > 5);
    }
}

#[test]
fn the_greatest_and_the_least_numbers_are_boxes_too() {
    let mut r = Random::new(8);
    let mut rivals = Rivals::new();
    let scales = [0.0, f64::MIN_POSITIVE, 1e-300, 1.0, 1e39, 1e300, f64::MAX];
    let pick = |r: &mut Random| {
        let number = |r: &mut Random| scales[r.below(7)] * [-1.0, 1.0][r.below(2)];
        let (a, b) = ([(); 3].map(|()| number(r)), [(); 3].map(|()| number(r)));
        Aabb::of([Vec3::from(a), Vec3::from(b)])
    };
    let first: Vec<Aabb> = (0..100).map(|_| pick(&mut r)).collect();
    rivals.insert(&first);
    for step in 0..50 {
        rivals.check(&step, true);
        let moves: Vec<_> =
            rivals.ids.iter().filter(|id| id.0 % 5 == step % 5).map(|&id| (id, pick(&mut r))).collect();
        rivals.relocate(&moves);
    }
}

#[test]
fn of_two_places_in_one_request_the_last_counts() {
    let unit = |x: f64| Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) };
    for method in CullingMethod::ALL {
        let mut culling = method.start();
        let ids = culling.insert(&[unit(0.0), unit(10.0)]).unwrap();
        culling.update();
        culling.relocate(&[(ids[0], unit(10.5)), (ids[0], unit(30.0))]).unwrap();
        assert!(culling.update().began.is_empty(), "{method:?}");
        culling.relocate(&[(ids[0], unit(30.0)), (ids[0], unit(10.5))]).unwrap();
        assert_eq!(culling.update().began, [Pair::of(ids[1], ids[0])], "{method:?}");
    }
}

#[test]
fn a_swept_box_meets_what_lies_on_the_way() {
    let unit = |x: f64| Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) };
    for method in CullingMethod::ALL {
        let mut culling = method.start();
        let ids = culling.insert(&[swept(&unit(0.0), &unit(10.0)), unit(5.0), unit(11.5)]).unwrap();
        assert_eq!(culling.update().began, [Pair::of(ids[0], ids[1])], "{method:?}");
    }
}
