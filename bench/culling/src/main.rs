mod parry;
mod work;
use silvia::proximity::culling::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let only_ours = args.get(1).is_some_and(|a| a == "ours");
    let sizes: Vec<usize> = args.get(2).map_or(vec![1000, 10_000, 100_000], |s| vec![s.parse().unwrap()]);
    let shares: Vec<f64> = args.get(3).map_or(vec![0.01, 0.1, 1.0], |s| vec![s.parse().unwrap()]);
    for &n in &sizes {
        for &share in &shares {
            let steps = args.get(4).map_or((2_000_000 / (n as f64 * share) as usize).clamp(10, 100), |s| s.parse().unwrap());
            let crowd = || work::Crowd::new(n, share);
            let mut line = format!("{n:6} {share:4}: ");
            for method in CullingMethod::ALL.into_iter().filter(|m| *m != CullingMethod::BruteForce) {
                let mut c = crowd();
                let mut cull = method.start();
                cull.insert(&c.boxes).unwrap();
                let t = Instant::now();
                cull.update();
                let first = t.elapsed().as_secs_f64();
                let (mut s, mut b, mut e) = (0.0, 0, 0);
                let mut worst: f64 = 0.0;
                for _ in 0..steps {
                    let m: Vec<_> = c.step().into_iter().map(|(i, b)| (BoxId(i), b)).collect();
                    let t = Instant::now();
                    cull.relocate(&m).unwrap();
                    let ch = cull.update();
                    let dt = t.elapsed().as_secs_f64();
                    s += dt; worst = worst.max(dt);
                    b += ch.began.len(); e += ch.ended.len();
                }
                line += &format!("{method:?} {:.3} ms (worst {:.2} first {:.2}) +{b}-{e} ={} | ", 1e3 * s / steps as f64, 1e3*worst, 1e3*first, cull.pair_count());
            }
            if !only_ours { for usage in parry::USAGES {
                let mut c = crowd();
                let mut p = parry::Parry::new(&c.boxes, usage);
                let (mut s, mut ts, mut b, mut e) = (0.0, 0.0, 0, 0);
                for _ in 0..steps {
                    let m = c.step();
                    let o = p.step(&m);
                    s += o.seconds; ts += o.tree_seconds; b += o.began; e += o.ended;
                }
                line += &format!("{} {:.3} ({:.3}) +{b}-{e} ={} | ", usage.name, 1e3 * s / steps as f64, 1e3*ts/steps as f64, p.pair_count());
            } }
            println!("{line}");
        }
    }
    if args.get(1).is_some_and(|a| a == "sheet") || true {
        let mut sheet = work::Sheet::new(100_000);
        let first = sheet.step();
        let mut cull = CullingMethod::Tree.start();
        let ids = cull.insert(&first).unwrap();
        cull.update();
        for _ in 0..6 {
            let b = sheet.step();
            let m: Vec<_> = ids.iter().copied().zip(b.iter().copied()).collect();
            let t = Instant::now();
            cull.relocate(&m).unwrap();
            let ch = cull.update();
            let (x,y) = (ch.began.len(), ch.ended.len());
            let t1 = t.elapsed().as_secs_f64();
            let p = cull.pairs();
            println!("sheet {:.2} ms, +pairs {:.2} ms: {} pairs +{x} -{y}", 1e3*t1, 1e3*t.elapsed().as_secs_f64(), p.len());
        }
    }
}
