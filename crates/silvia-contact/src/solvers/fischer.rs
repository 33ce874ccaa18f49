//! experiment
use crate::linalg::Lu;
use crate::matrix::{Block, BlockMatrix, block_product, triple, norm, ZERO_BLOCK};
use crate::problem::ContactProblem;
use crate::solver::{Law, Outcome, Progress, Report, Settings, Solver, starting_point};

/// The solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fischer;

/// F, dF/dr, dF/du of one contact.
pub(crate) struct Linearised { pub f: [f64; 3], pub a: Block, pub b: Block }

pub(crate) fn fb(r: [f64; 3], u: [f64; 3], mu: f64, eps: f64) -> Linearised {
    if mu == 0.0 {
        let root = (r[0] * r[0] + u[0] * u[0] + 2.0 * eps * eps).sqrt();
        let mut a = ZERO_BLOCK; let mut b = ZERO_BLOCK;
        let root1 = if root > 0.0 { root } else { 1.0 };
        a[0] = 1.0 - r[0] / root1; b[0] = 1.0 - u[0] / root1;
        a[4] = 1.0; a[8] = 1.0;
        return Linearised { f: [r[0] + u[0] - root, r[1], r[2]], a, b };
    }
    let slide = (u[1] * u[1] + u[2] * u[2] + eps * eps).sqrt();
    let x = [mu * r[0], r[1], r[2]];
    let y = [u[0] + mu * (slide - eps), mu * u[1], mu * u[2]];
    let d = if slide > 0.0 { [u[1] / slide, u[2] / slide] } else { [0.0; 2] };
    let xb = [mu, 0., 0., 0., 1., 0., 0., 0., 1.];
    let yb = [1.0, mu * d[0], mu * d[1], 0., mu, 0., 0., 0., mu];
    let w0 = x.iter().chain(&y).map(|v| v * v).sum::<f64>() + 2.0 * eps * eps;
    let wb = [2.0 * (x[0] * x[1] + y[0] * y[1]), 2.0 * (x[0] * x[2] + y[0] * y[2])];
    let len = wb[0].hypot(wb[1]);
    let tiny = 1e-15 * w0 + 1e-300;
    let s1 = (w0 - len).max(tiny).sqrt();
    let s2 = (w0 + len).max(tiny).sqrt();
    let z0 = 0.5 * (s1 + s2);
    let h = if len > 0.0 { 0.5 * (s2 - s1) / len } else { 0.0 };
    let z = [z0, h * wb[0], h * wb[1]];
    let det = s1 * s2;
    let inv = [
        z0 / det, -z[1] / det, -z[2] / det,
        -z[1] / det, 1.0 / z0 + z[1] * z[1] / (z0 * det), z[1] * z[2] / (z0 * det),
        -z[2] / det, z[1] * z[2] / (z0 * det), 1.0 / z0 + z[2] * z[2] / (z0 * det),
    ];
    let arrow = |v: [f64; 3]| [v[0], v[1], v[2], v[1], v[0], 0.0, v[2], 0.0, v[0]];
    let part = |v: [f64; 3], m: &Block| {
        let mut p = block_product(&inv, &arrow(v));
        for e in &mut p { *e = -*e; }
        p[0] += 1.0; p[4] += 1.0; p[8] += 1.0;
        block_product(&p, m)
    };
    Linearised { f: [x[0] + y[0] - z[0], x[1] + y[1] - z[1], x[2] + y[2] - z[2]], a: part(x, &xb), b: part(y, &yb) }
}

fn value(p: &ContactProblem, r: &[f64], u: &[f64], eps: f64) -> f64 {
    let mut s = 0.0;
    for c in 0..p.contacts() {
        let f = fb(triple(r, c), triple(u, c), p.mu()[c], eps).f;
        s += f.iter().map(|v| v * v).sum::<f64>();
    }
    s.sqrt()
}

impl Solver for Fischer {
    fn name(&self) -> &'static str { "fischer" }
    fn law(&self) -> Law { Law::Coulomb }
    fn solve(&self, problem: &ContactProblem, start: Option<&[f64]>, settings: &Settings) -> Report {
        let verbose = std::env::var("V").is_ok();
        let mut progress = Progress::new(problem, settings, 300);
        let (p, d) = problem.equilibrated();
        let n = p.contacts();
        let mut r: Vec<f64> = starting_point(problem, start).iter().enumerate().map(|(i, v)| v / d[i / 3]).collect();
        let mut u = p.velocities(&r);
        let rms = norm(p.q()) / (3.0 * n as f64).sqrt();
        let mut eps = rms * std::env::var("E").map(|v| v.parse().unwrap()).unwrap_or(0.1);
        let alpha_c: f64 = std::env::var("A").map(|v| v.parse().unwrap()).unwrap_or(1e-2);
        let mut jac: BlockMatrix = p.w().clone();
        let Some(mut lu) = Lu::prepare(p.w()) else { return progress.report("fischer", Outcome::Inaccurate) };
        let mut lin: Vec<Linearised> = Vec::new();
        while !progress.solved() && !progress.exhausted() {
            progress.iterations += 1;
            lin.clear();
            for c in 0..n { lin.push(fb(triple(&r, c), triple(&u, c), p.mu()[c], eps)); }
            let f: Vec<f64> = lin.iter().flat_map(|l| l.f).collect();
            let fnorm = norm(&f);
            let alpha = (alpha_c * fnorm / (rms * (n as f64).sqrt())).clamp(1e-12, 1e-2);
            for c in 0..n {
                let first = p.w().first_block(c);
                let blocks = p.w().row(c).1;
                for (k, b) in blocks.iter().enumerate() {
                    jac.blocks_mut()[first + k] = block_product(&lin[c].b, b);
                }
                let at = p.w().diagonal_block(c);
                let t = &mut jac.blocks_mut()[at];
                for e in 0..9 { t[e] += lin[c].a[e] + alpha * lin[c].b[e]; }
            }
            let mut dr: Vec<f64> = f.iter().map(|v| -v).collect();
            if !lu.factor(&jac) || !lu.solve(&mut dr) { return progress.report("fischer", Outcome::Inaccurate); }
            let mut du = vec![0.0; 3 * n];
            p.w().multiply(&dr, &mut du);
            let mut t = 1.0;
            let mut best = (f64::INFINITY, 1.0);
            for _ in 0..12 {
                let rn: Vec<f64> = r.iter().zip(&dr).map(|(a, b)| a + t * b).collect();
                let un: Vec<f64> = u.iter().zip(&du).map(|(a, b)| a + t * b).collect();
                let v = value(&p, &rn, &un, eps);
                if v < best.0 { best = (v, t); }
                if v <= (1.0 - 1e-3 * t) * fnorm { break; }
                t *= 0.5;
            }
            let t = best.1;
            for i in 0..3 * n { r[i] += t * dr[i]; }
            u = p.velocities(&r);
            let full: Vec<f64> = r.iter().enumerate().map(|(i, v)| v * d[i / 3]).collect();
            let fu = problem.velocities(&full);
            let res = progress.offer(&full, &fu);
            if verbose { println!("  it {} eps {eps:.2e} alpha {alpha:.1e} |F| {fnorm:.2e} -> {:.2e} t {t} res {res:.2e}", progress.iterations, best.0); }
            let rel = best.0 / (n as f64).sqrt();
            if rel <= 1.0 * eps { eps = (0.1 * eps).min(rel * 0.1).max(1e-14 * rms); }
        }
        let o = if progress.exhausted() { Outcome::OutOfBudget } else { Outcome::Inaccurate };
        progress.report("fischer", o)
    }
}
