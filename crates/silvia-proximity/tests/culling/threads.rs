//! The number of threads changes nothing.

use crate::scenes::Kind;
use seeded::Random;
use silvia_proximity::culling::{BoxId, Changes, CullingMethod, Pair};
use silvia_solid::{Aabb, Vec3};

/// All that a culling says in some steps of a crowd large enough to be shared among threads.
fn history(method: CullingMethod) -> Vec<(Changes, Vec<Pair>)> {
    let mut r = Random::new(11);
    let boxes: Vec<Aabb> = (0..9000)
        .map(|_| {
            let corner = r.vector(16.0);
            Aabb { min: corner, max: corner + Vec3::splat(r.between(0.5, 1.5)) }
        })
        .collect();
    let mut culling = method.start();
    let ids = culling.insert(&boxes).unwrap();
    let mut said = vec![(culling.update().clone(), culling.pairs())];
    for step in 0..9 {
        let share = [0.01, 0.2, 1.0][step % 3];
        let mut moves = Vec::new();
        for &id in &ids {
            if r.chance(share) {
                moves.push((id, Kind::Random.moved(&culling.bounds(id).unwrap(), &mut r)));
            }
        }
        culling.relocate(&moves).unwrap();
        said.push((culling.update().clone(), culling.pairs()));
    }
    said
}

/// The same of a crowd in which boxes also come and go, a few or many at a time; with the pairs as they are
/// visited.
fn history_with_churn(method: CullingMethod) -> Vec<(Changes, Vec<Pair>)> {
    let mut r = Random::new(5);
    let fresh = |r: &mut Random| {
        let corner = r.vector(17.0);
        Aabb { min: corner, max: corner + Vec3::splat(r.between(0.4, 1.6)) }
    };
    let mut culling = method.start();
    let boxes: Vec<Aabb> = (0..10_000).map(|_| fresh(&mut r)).collect();
    let mut ids = culling.insert(&boxes).unwrap();
    let mut said = Vec::new();
    for step in 0..13 {
        let changes = culling.update().clone();
        let mut visited = Vec::new();
        culling.for_each_pair(&mut |pair| visited.push(pair));
        said.push((changes, visited));
        let (share, leaving) = [(0.01, 0), (0.1, 100), (1.0, 2000), (0.5, 5)][step % 4];
        let mut moves = Vec::new();
        for &id in &ids {
            if r.chance(share) {
                let shift = r.vector(if step % 7 == 6 { 1.0 } else { 0.04 });
                let b = culling.bounds(id).unwrap();
                moves.push((id, Aabb { min: b.min + shift, max: b.max + shift }));
            }
        }
        culling.relocate(&moves).unwrap();
        let gone: Vec<BoxId> = (0..leaving).map(|_| ids.swap_remove(r.below(ids.len()))).collect();
        culling.remove(&gone).unwrap();
        let come: Vec<Aabb> = (0..leaving + step).map(|_| fresh(&mut r)).collect();
        ids.extend(culling.insert(&come).unwrap());
    }
    said
}

#[test]
fn one_two_and_four_threads_say_the_same() {
    for method in CullingMethod::ALL.into_iter().filter(|m| *m != CullingMethod::BruteForce) {
        for history in [history, history_with_churn] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| history(method))
            };
            let one = with(1);
            assert!(one.iter().skip(1).all(|(changes, _)| changes.began.len() + changes.ended.len() > 5));
            assert!(one == with(2), "{method:?} differs on two threads");
            assert!(one == with(4), "{method:?} differs on four threads");
        }
    }
}
