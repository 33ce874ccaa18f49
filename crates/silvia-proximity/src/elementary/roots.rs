//! The roots of a polynomial of degree up to three in [0, 1], and the signs of others at them, all exactly.
//!
//! Descartes' rule on Bernstein coefficients isolates simple roots by halving. Where there is a multiple
//! root, every root of a cubic is rational and has a closed form.

use super::filter::root as root_between;
use super::whole::{Polynomial, Whole};
use std::cmp::Ordering;

/// A root in [0, 1].
#[derive(Clone)]
pub(super) enum Root<W> {
    /// `numerator / denominator`, the latter positive.
    Rational { numerator: W, denominator: W },
    /// The only root in the open interval from `k / 2^s` to `(k + 1) / 2^s`. It is simple, and neither end is
    /// a root. `local` is the polynomial as a function of u, where t = (k + u) / 2^s.
    Between { k: W, s: u32, local: Polynomial<W> },
}

/// The distinct roots in [0, 1] of a polynomial that is not zero, in order.
pub(super) fn roots<W: Whole>(p: &Polynomial<W>) -> Vec<Root<W>> {
    let mut found = Vec::new();
    let whole = |n: i32| Root::Rational { numerator: W::small(n), denominator: W::small(1) };
    let mut rest = p.clone();
    if rest.c[0].is_zero() {
        found.push(whole(0));
        while rest.c[0].is_zero() {
            let [_, a, b, c] = rest.c;
            rest.c = [a, b, c, W::small(0)];
        }
    }
    let mut at_one = false;
    while rest.bernstein_signs()[3] == 0 {
        at_one = true;
        rest = without_root_at_one(&rest);
    }
    let signs = rest.bernstein_signs();
    if changes(&signs) >= 2 && has_multiple_root(&rest) {
        found.extend(rational_roots(&rest));
    } else {
        isolate(rest, &mut found);
    }
    if at_one {
        found.push(whole(1));
    }
    found
}

/// The sign of another polynomial of degree at most two at a root of `p`.
///
/// The root's interval is made smaller where that is needed.
pub(super) fn sign_at_root<W: Whole>(root: &mut Root<W>, p: &Polynomial<W>, q: &Polynomial<W>) -> i32 {
    let mut may_vanish = true;
    loop {
        match root {
            Root::Rational { numerator, denominator } => return q.sign_at(numerator, denominator),
            Root::Between { k, s, .. } => {
                let signs = q.seen_from(k, *s).bernstein_signs();
                if signs.iter().all(|&sign| sign == signs[0]) {
                    return signs[0];
                }
            }
        }
        if may_vanish {
            if vanishes(root, p, q) {
                return 0;
            }
            may_vanish = false;
        }
        narrow(root);
    }
}

/// Makes the interval of a root much smaller: to a cell of 2^-[`CELL_BITS`] of it where floating point finds
/// the right one, else to its half. Or finds that the root is rational.
pub(super) fn narrow<W: Whole>(root: &mut Root<W>) {
    let Root::Between { k, s, local } = &*root else { return };
    let cells = W::small(1).doubled(CELL_BITS);
    let guess = (root_between(&local.bernstein_rounded()).0 * f64::from(2).powi(CELL_BITS as i32)).floor();
    let start = local.c[0].sign();
    // The guess may be one cell off.
    let mut cell: Option<W> = None;
    for bound in [guess - 1.0, guess, guess + 1.0, guess + 2.0] {
        if !(0.0..=f64::from(2).powi(CELL_BITS as i32)).contains(&bound) {
            continue;
        }
        let j = W::of(bound, 0);
        match (local.sign_at(&j, &cells), cell) {
            (0, _) => {
                let numerator = k.doubled(CELL_BITS).plus(&j);
                let denominator = W::small(1).doubled(*s + CELL_BITS);
                *root = Root::Rational { numerator, denominator };
                return;
            }
            (sign, _) if sign == start => cell = Some(j),
            // The sign has changed since the last bound.
            (_, Some(j)) => {
                let (k, s) = (k.doubled(CELL_BITS).plus(&j), *s + CELL_BITS);
                *root = Root::Between { k, s, local: local.seen_from(&j, CELL_BITS) };
                return;
            }
            (_, None) => break,
        }
    }
    halve(root);
}

/// Floating point knows a root to 2^-52 of its interval at best; this leaves room for a cubic that is not
/// well-conditioned.
const CELL_BITS: u32 = 44;

/// Halves the interval of a root, or finds that the root is its middle.
fn halve<W: Whole>(root: &mut Root<W>) {
    let Root::Between { k, s, local } = root else { return };
    let left = left_half(local);
    let middle = left.bernstein_signs()[3];
    let twice = k.doubled(1);
    *root = if middle == 0 {
        Root::Rational { numerator: twice.plus(&W::small(1)), denominator: W::small(1).doubled(*s + 1) }
    } else if middle != left.c[0].sign() {
        Root::Between { k: twice, s: *s + 1, local: left }
    } else {
        Root::Between { k: twice.plus(&W::small(1)), s: *s + 1, local: shifted_by_one(&left) }
    };
}

/// Whether `q` vanishes at the root of `p` that an interval holds.
fn vanishes<W: Whole>(root: &Root<W>, p: &Polynomial<W>, q: &Polynomial<W>) -> bool {
    let Root::Between { k, s, .. } = root else { return false };
    let common = match q.degree() {
        None => return true,
        Some(0) => return false,
        Some(1) => q.clone(),
        Some(_) => {
            let rest = remainder(p, q);
            match rest.degree() {
                // q divides p: they share the root if q has one here, where p has no other.
                None => return has_root_between(q, k, *s),
                Some(0) => return false,
                Some(_) => rest,
            }
        }
    };
    // The only number that can be a root of both is that of `common`.
    let (mut numerator, mut denominator) = (W::small(0).minus(&common.c[0]), common.c[1].clone());
    if denominator.sign() < 0 {
        numerator = W::small(0).minus(&numerator);
        denominator = W::small(0).minus(&denominator);
    }
    let scaled = numerator.doubled(*s);
    let inside = scaled.minus(&k.times(&denominator)).sign() > 0
        && scaled.minus(&k.plus(&W::small(1)).times(&denominator)).sign() < 0;
    inside && p.sign_at(&numerator, &denominator) == 0 && q.sign_at(&numerator, &denominator) == 0
}

/// Whether a quadratic has a root between `k / 2^s` and `(k + 1) / 2^s`, given that it has none at either end
/// and at most one between.
fn has_root_between<W: Whole>(q: &Polynomial<W>, k: &W, s: u32) -> bool {
    let signs = q.seen_from(k, s).bernstein_signs();
    changes(&signs) == 1 || (changes(&signs) == 2 && has_multiple_root(q))
}

/// The remainder of a division by a quadratic, times a number that is not zero.
fn remainder<W: Whole>(p: &Polynomial<W>, q: &Polynomial<W>) -> Polynomial<W> {
    let mut rest = p.c.clone();
    for top in [3, 2] {
        let lead = rest[top].clone();
        for (i, value) in rest.iter_mut().enumerate().take(top) {
            *value = value.times(&q.c[2]);
            if i + 2 >= top {
                *value = value.minus(&lead.times(&q.c[i + 2 - top]));
            }
        }
        rest[top] = W::small(0);
    }
    Polynomial { c: rest }
}

/// The simple roots between 0 and 1, in order; neither end is a root.
fn isolate<W: Whole>(p: Polynomial<W>, found: &mut Vec<Root<W>>) {
    // Still to look at, the last first: roots that lie 2^-2000 apart take as many halvings, too many to
    // recur.
    let mut waiting = vec![RootCandidate::Interval { k: W::small(0), s: 0, local: p }];
    while let Some(part) = waiting.pop() {
        let (k, s, local) = match part {
            RootCandidate::Interval { k, s, local } => (k, s, local),
            RootCandidate::Middle(root) => {
                found.push(root);
                continue;
            }
        };
        match changes(&local.bernstein_signs()) {
            0 => {}
            1 => found.push(Root::Between { k, s, local }),
            _ => {
                let mut left = left_half(&local);
                let mut right = shifted_by_one(&left);
                let (twice, middle) = (k.doubled(1), k.doubled(1).plus(&W::small(1)));
                let on_middle = right.c[0].is_zero();
                if on_middle {
                    left = without_root_at_one(&left);
                    let [_, a, b, c] = right.c;
                    right = Polynomial { c: [a, b, c, W::small(0)] };
                }
                waiting.push(RootCandidate::Interval { k: middle.clone(), s: s + 1, local: right });
                if on_middle {
                    let denominator = W::small(1).doubled(s + 1);
                    waiting.push(RootCandidate::Middle(Root::Rational { numerator: middle, denominator }));
                }
                waiting.push(RootCandidate::Interval { k: twice, s: s + 1, local: left });
            }
        }
    }
}

/// A part of [0, 1] in which to look for roots, as in [`Root::Between`]; or the root at the middle of one.
enum RootCandidate<W> {
    Interval { k: W, s: u32, local: Polynomial<W> },
    Middle(Root<W>),
}

/// The changes of sign in a list, zeros left out.
fn changes(signs: &[i32]) -> usize {
    let mut count = 0;
    let mut last = 0;
    for &sign in signs.iter().filter(|&&s| s != 0) {
        count += usize::from(last != 0 && sign != last);
        last = sign;
    }
    count
}

/// p(u / 2), times a positive number.
fn left_half<W: Whole>(p: &Polynomial<W>) -> Polynomial<W> {
    Polynomial { c: std::array::from_fn(|i| p.c[i].doubled(3 - i as u32)) }
}

/// p(u + 1)
fn shifted_by_one<W: Whole>(p: &Polynomial<W>) -> Polynomial<W> {
    let mut c = p.c.clone();
    for i in 0..3 {
        for j in (i..3).rev() {
            c[j] = c[j].plus(&c[j + 1]);
        }
    }
    Polynomial { c }
}

/// p / (t - 1), where p(1) = 0.
fn without_root_at_one<W: Whole>(p: &Polynomial<W>) -> Polynomial<W> {
    let c2 = p.c[3].clone();
    let c1 = p.c[2].plus(&c2);
    let c0 = p.c[1].plus(&c1);
    Polynomial { c: [c0, c1, c2, W::small(0)] }
}

/// Whether the discriminant is zero.
fn has_multiple_root<W: Whole>(p: &Polynomial<W>) -> bool {
    let [d, c, b, a] = &p.c;
    match p.degree() {
        Some(3) => {
            let (bb, cc, ac, bd) = (b.times(b), c.times(c), a.times(c), b.times(d));
            let ad = a.times(d);
            let plus = ad.times(&b.times(c)).scaled(18).plus(&bb.times(&cc));
            let minus = bb.times(&bd).plus(&ac.times(&cc)).scaled(4).plus(&ad.times(&ad).scaled(27));
            plus.minus(&minus).is_zero()
        }
        Some(2) => c.times(c).minus(&b.times(d).scaled(4)).is_zero(),
        _ => false,
    }
}

/// The roots strictly between 0 and 1, in order, of a polynomial that has a multiple root.
fn rational_roots<W: Whole>(p: &Polynomial<W>) -> Vec<Root<W>> {
    let [d, c, b, a] = &p.c;
    let zero = W::small(0);
    let pairs = if p.degree() == Some(2) {
        vec![(zero.minus(c), b.scaled(2))]
    } else {
        // b² - 3ac is zero exactly if the root is threefold.
        let e = b.times(b).minus(&a.times(c).scaled(3));
        if e.is_zero() {
            vec![(zero.minus(b), a.scaled(3))]
        } else {
            let (ad, bc) = (a.times(d), b.times(c));
            let double = (ad.scaled(9).minus(&bc), e.scaled(2));
            let simple =
                (a.times(&bc.scaled(4).minus(&ad.scaled(9))).minus(&b.times(&b.times(b))), a.times(&e));
            vec![double, simple]
        }
    };
    let mut inside: Vec<(W, W)> = pairs
        .into_iter()
        .map(|(n, d)| if d.sign() < 0 { (zero.minus(&n), zero.minus(&d)) } else { (n, d) })
        .filter(|(n, d)| n.sign() > 0 && n.minus(d).sign() < 0)
        .collect();
    inside.sort_by(|x, y| match x.0.times(&y.1).minus(&y.0.times(&x.1)).sign() {
        -1 => Ordering::Less,
        0 => Ordering::Equal,
        _ => Ordering::Greater,
    });
    inside.into_iter().map(|(numerator, denominator)| Root::Rational { numerator, denominator }).collect()
}
