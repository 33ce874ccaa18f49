//! The way out for shapes that are not convex: directions are tried, and from the best the translation slides
//! to a local minimum. (As for solids: [`crate::mesh::penetration`].)
//!
//! At a free place each two convex pieces are kept apart by a plane, and stay so while the second moves no
//! further towards it than the gap. Those half-spaces are a convex part of what is free, so the shortest
//! translation in them is free as well; there the planes are chosen anew.

use super::core::Class;
use super::depth;
use super::penetrate::Way;
use super::sweep::Sweep;
use super::{Shape, cavity_depth, mesh};
use crate::penetration::{Expansion, expand, nearest_free, spread_directions};
use silvia_solid::{Pose, Vec3};

/// Directions all around that are tried besides those that the shapes suggest.
const DIRECTIONS: usize = 96;

/// How many normals of touched triangles are tried.
const NORMALS: usize = 32;

/// Directions nearer to each other than this (cosine; about 3 degrees) are one.
const SAME: f64 = 0.9986;

/// A direction this many times as long as the best may still slide to something better.
const WORTH_SLIDING: f64 = 1.5;

/// How near to touch directions are compared, as a fraction of the first way out.
const ROUGH: f64 = 1e-4;

/// From how many of the best directions to slide, how far apart they are (cosine; about 10 degrees), and how
/// many steps each takes.
const SLIDES: usize = 6;
const APART: f64 = 0.985;
const SLIDE_STEPS: usize = 40;

/// A slide keeps this much beyond touch, as a fraction of the translation: planes between shapes that just
/// touch are lost in rounding.
const LIFT: f64 = 1e-6;

/// The length of the first step of a slide, as a fraction of the translation; and the least.
const FIRST_STEP: f64 = 0.5;
const LEAST_STEP: f64 = 1e-6;

/// How near to the best the hulls' way out need be, as a fraction of the size: it is but a first direction.
const HULL_TOLERANCE: f64 = 1e-3;

/// The shortest translation found, for shapes that touch; `None` if there is none.
pub(super) fn way_out(a: &Shape, b: &Shape, b_in_a: &Pose) -> Option<Way> {
    let exact = Sweep::new(a, b, b_in_a);
    let (suggested, lower) = suggestions(&exact, a, b, b_in_a);
    // The first way that leads out tells how precise the others need be.
    let first = suggested.iter().position(|&n| exact.least(n, f64::INFINITY).is_some())?;
    let mut best = (exact.least(suggested[first], f64::INFINITY)?, suggested[first]);
    let sweep = Sweep::rough(a, b, b_in_a, ROUGH * best.0);
    let mut tried = vec![best];
    for &direction in &suggested[first + 1..] {
        if let Some(s) = sweep.least(direction, WORTH_SLIDING * best.0) {
            tried.push((s, direction));
            if s < best.0 {
                best = (s, direction);
            }
        }
    }
    for (s, direction) in worth_sliding(tried) {
        let end = slide(&sweep, s * direction);
        let length = end.length();
        if length > 0.0 && length < best.0 {
            best = (length, end / length);
        }
    }
    // What is left of the roughness.
    let (depth, direction) = (exact.least(best.1, f64::INFINITY).unwrap_or(best.0), best.1);
    Some(Way { lower: lower.min(depth), depth, direction })
}

/// Directions to try, each once, in the frame of the first shape; and a lower bound of the depth: whatever
/// takes the shapes apart takes each two convex pieces apart.
fn suggestions(sweep: &Sweep<'_>, a: &Shape, b: &Shape, b_in_a: &Pose) -> (Vec<Vec3>, f64) {
    let mut list: Vec<Vec3> = Vec::new();
    let mut lower: f64 = 0.0;
    let add = |list: &mut Vec<Vec3>, v: Vec3| {
        let v = v.normalize_or_zero();
        if v != Vec3::ZERO && list.iter().all(|u| u.dot(v) < SAME) {
            list.push(v);
        }
    };
    if let Some(direction) = hull_direction(a, b, b_in_a) {
        add(&mut list, direction);
    }
    for p in &sweep.a {
        for q in &sweep.b {
            let q_in_p = p.pose.inverse().compose(&q.pose);
            let out = |v: Vec3| p.pose.transform_vector(v);
            match (p.shape.class(), q.shape.class()) {
                (Class::Rounded(r), Class::Rounded(s)) => {
                    if let Some(found) = depth::depth(&r, &s, &q_in_p) {
                        add(&mut list, out(found.direction));
                        lower = lower.max(found.lower);
                    }
                }
                (Class::HalfSpace(h), _) => add(&mut list, out(h.plane.normal)),
                (_, Class::HalfSpace(h)) => add(&mut list, -q.pose.transform_vector(h.plane.normal)),
                (Class::Cavity(c), _) => {
                    let way = cavity_depth::way_in(c, q.shape, &q_in_p);
                    way.into_iter().for_each(|way| add(&mut list, out(way.direction)));
                }
                (_, Class::Cavity(c)) => {
                    let way = cavity_depth::way_in(c, p.shape, &q_in_p.inverse());
                    way.into_iter().for_each(|way| {
                        add(&mut list, -q.pose.transform_vector(way.direction));
                    });
                }
                (Class::Mesh(m), Class::Rounded(s)) => {
                    for n in mesh::touched_normals(m, &s, &q_in_p, NORMALS) {
                        add(&mut list, out(n));
                    }
                }
                (Class::Rounded(r), Class::Mesh(m)) => {
                    for n in mesh::touched_normals(m, &r, &q_in_p.inverse(), NORMALS) {
                        add(&mut list, -q.pose.transform_vector(n));
                    }
                }
                (Class::Mesh(_), Class::Mesh(_)) | (Class::Compound(_), _) | (_, Class::Compound(_)) => {}
            }
        }
    }
    for pose in sweep.a.iter().chain(&sweep.b).map(|piece| piece.pose).take(NORMALS) {
        for axis in Vec3::AXES {
            add(&mut list, pose.transform_vector(axis));
            add(&mut list, -pose.transform_vector(axis));
        }
    }
    spread_directions(DIRECTIONS).for_each(|v| add(&mut list, v));
    (list, lower)
}

/// The way out of the convex hulls; none if a shape goes on for ever.
fn hull_direction(a: &Shape, b: &Shape, b_in_a: &Pose) -> Option<Vec3> {
    let back = b_in_a.rotation().conjugate();
    a.support(Vec3::X)?;
    b.support(Vec3::X)?;
    let support = |d: Vec3| {
        let of_a = a.support(d).unwrap_or_default();
        let of_b = b.support(back * -d).unwrap_or_default();
        [of_a, b_in_a.transform_point(of_b)]
    };
    match expand(support, HULL_TOLERANCE * (a.reach() + b.reach())) {
        Expansion::Deep(found) => Some(found.direction),
        Expansion::Apart(direction) => Some(direction),
        Expansion::Flat => None,
    }
}

/// The best of the directions tried that are apart from each other.
fn worth_sliding(mut tried: Vec<(f64, Vec3)>) -> Vec<(f64, Vec3)> {
    tried.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut kept: Vec<(f64, Vec3)> = Vec::new();
    for candidate in tried {
        if kept.len() < SLIDES && kept.iter().all(|k| k.1.dot(candidate.1) < APART) {
            kept.push(candidate);
        }
    }
    kept
}

/// Slides from a free translation towards the origin; the end is free and no longer.
fn slide(sweep: &Sweep<'_>, start: Vec3) -> Vec3 {
    let mut at = start * (1.0 + LIFT);
    let mut step = FIRST_STEP * start.length();
    for _ in 0..SLIDE_STEPS {
        let length = at.length();
        if step <= LEAST_STEP * length || length <= sweep.margin {
            break;
        }
        let limited = |to: Vec3| {
            let by = to - at;
            at + by * (step / by.length().max(f64::MIN_POSITIVE)).min(1.0)
        };
        let next = nearest_free(&sweep.free_sides(at, step)).map(limited);
        let next = next.map(|to| to * (1.0 + LIFT));
        match next.filter(|to| to.length() < length * (1.0 - LIFT) && sweep.is_free(*to)) {
            Some(to) => {
                step = (2.0 * to.distance(at)).max(0.5 * step);
                at = to;
            }
            None => step *= 0.25,
        }
    }
    if at.length() < start.length() { at } else { start }
}
