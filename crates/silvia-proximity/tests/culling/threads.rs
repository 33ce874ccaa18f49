//! The number of threads changes nothing.

use crate::scenes::{Kind, Random};
use silvia_proximity::culling::{Changes, CullingMethod, Pair};
use silvia_solid::{Aabb, Vec3};

/// All that a culling says in some steps of a crowd large enough to be shared among threads.
fn history(method: CullingMethod) -> Vec<(Changes, Vec<Pair>)> {
    let mut r = Random::new(11);
    let boxes: Vec<Aabb> = (0..9000)
        .map(|_| {
            let corner = r.point(16.0);
            Aabb { min: corner, max: corner + Vec3::splat(r.within(0.5, 1.5)) }
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

#[test]
fn one_two_and_four_threads_say_the_same() {
    for method in CullingMethod::ALL.into_iter().filter(|m| *m != CullingMethod::BruteForce) {
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
