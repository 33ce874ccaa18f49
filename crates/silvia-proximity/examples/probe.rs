#![allow(missing_docs)]
use silvia_proximity::{bounds::*, *};
use silvia_solid::*;
struct Clock(f64);
impl Clock {
    fn now() -> Clock {
        Clock(
            std::fs::read_to_string("/proc/thread-self/schedstat")
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse()
                .unwrap(),
        )
    }
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_nanos((Clock::now().0 - self.0) as u64)
    }
}

fn knot(n: usize) -> Soup {
    primitives::TorusKnot::TREFOIL.soup_with_triangles(n).unwrap()
}

fn poses(sep: f64, n: usize) -> Vec<Pose> {
    let mut s = 12345u64;
    let mut r = || {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n)
        .map(|_| {
            let mut g = || {
                let mut t = -6.0;
                for _ in 0..12 {
                    t += r();
                }
                t
            };
            let q = Quat::from_xyzw(g(), g(), g(), g()).normalize();
            let d = Vec3::new(g(), g(), g()).normalize();
            Pose::new(d * sep, q).unwrap()
        })
        .collect()
}

fn run<B: Bound>(n: usize, split: Split, leaf_size: usize) {
    let t = std::time::Instant::now();
    let h: Hierarchy<B> =
        Hierarchy::with_options(Solid::from_soup(&knot(n)).unwrap(), &BuildOptions { split, leaf_size });
    let build = t.elapsed();
    let id = Pose::IDENTITY;
    for sep in [4.0, 6.5, 8.0] {
        let ps = poses(sep, 200);
        for strategy in [Strategy::Greedy, Strategy::BestFirst] {
            let o = DistanceOptions { strategy, ..Default::default() };
            let mut sum = 0.0;
            let (mut v, mut k) = (0, 0);
            for p in &ps {
                distance(&h, &id, &h, p, &o).unwrap();
            }
            let t = Clock::now();
            for p in &ps {
                let a = distance(&h, &id, &h, p, &o).unwrap();
                sum += a.upper;
                v += a.visits;
                k += a.triangle_tests;
                assert!(a.exact);
            }
            let us = t.elapsed().as_secs_f64() * 1e6 / ps.len() as f64;
            println!(
                "{:8} {split:?} {leaf_size} {n:7} sep {sep} {strategy:?}: {us:8.1} us, visits {} tests {} mean {} build {build:?}",
                B::NAME,
                v / ps.len() as u64,
                k / ps.len() as u64,
                sum / ps.len() as f64
            );
        }
        for e in [Extent::Any, Extent::All] {
            let t = Clock::now();
            let mut hits = 0;
            let mut pairs = 0;
            for p in &ps {
                let c = collide(&h, &id, &h, p, e);
                hits += usize::from(c.is_some());
                pairs += c.pairs().len();
            }
            let us = t.elapsed().as_secs_f64() * 1e6 / ps.len() as f64;
            println!("      collide {e:?}: {us:8.1} us hits {hits} pairs {pairs}");
        }
    }
    // coherent path
    let path = |i: usize| {
        let s = i as f64 / 2000.0;
        Pose::new(
            Vec3::new(5.0 - 2.0 * s, 2.0 * (6.0 * s).sin(), 3.0 * s),
            Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 6.0 * s),
        )
        .unwrap()
    };
    let o = DistanceOptions::default();
    let t = Clock::now();
    let plain: Vec<f64> = (0..2000).map(|i| distance(&h, &id, &h, &path(i), &o).unwrap().upper).collect();
    let a = t.elapsed().as_secs_f64() * 1e6 / 2000.0;
    let mut cache = DistanceCache::new();
    let t = Clock::now();
    let mut v = 0;
    let cached: Vec<f64> = (0..2000)
        .map(|i| {
            let r = cache.distance(&h, &id, &h, &path(i), &o).unwrap();
            v += r.visits;
            r.upper
        })
        .collect();
    let b = t.elapsed().as_secs_f64() * 1e6 / 2000.0;
    println!(
        "   path: plain {a:.1} cached {b:.1} us visits {} same {} touching {}",
        v / 2000,
        plain == cached,
        plain.iter().filter(|&&d| d == 0.0).count()
    );
}

fn main() {
    let which: Vec<String> = std::env::args().collect();
    for n in [10_000, 100_000] {
        run::<Obb>(n, Split::SurfaceArea, 1);
        if which.len() > 1 {
            run::<Obb>(n, Split::SurfaceArea, 2);
            run::<Obb>(n, Split::Principal, 1);
            run::<Sphere>(n, Split::SurfaceArea, 1);
            run::<Aabb>(n, Split::SurfaceArea, 1);
            run::<Dop14>(n, Split::SurfaceArea, 1);
            run::<Dop18>(n, Split::SurfaceArea, 1);
            run::<Dop26>(n, Split::SurfaceArea, 1);
        }
    }
}
