//! Fronts against brute force, whatever they have seen before.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::bounds::Obb;
use seeded::Random;
use silvia_solid::parts::{Gear, PegAndHole, l_bracket};
use silvia_solid::primitives::TorusKnot;
use silvia_solid::{Quat, Solid, Soup};
use std::collections::BTreeSet;

type Body = Hierarchy<Obb>;

fn body(soup: Soup) -> Body {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

/// Pairs of bodies about as large as 1, and where the second fits, or nearly.
fn fits() -> Vec<([Body; 2], Pose)> {
    let knot = || body(TorusKnot { tube_radius: 0.3, ..TorusKnot::TREFOIL }.soup_with_triangles(90).unwrap());
    let bracket = || body(l_bracket(1.0, 1.0, 0.3, 0.4).unwrap());
    let gear = |teeth| Gear { teeth, flank_segments: 1, bore_radius: 0.0, ..Gear::default() };
    let peg = PegAndHole { facets: 8, ..PegAndHole::default() };
    let apart = gear(12).centre_distance(&gear(9));
    let beside = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    vec![
        ([knot(), knot()], Pose::new(Vec3::ZERO, Quat::from_rotation_z(1.57)).unwrap()),
        ([bracket(), bracket()], beside(1.0)),
        ([body(gear(12).soup().unwrap()), body(gear(9).soup().unwrap())], beside(apart)),
        ([body(peg.block().unwrap()), body(peg.peg().unwrap())], Pose::IDENTITY),
    ]
}

/// Each pair of triangles is under one lane of a place, or listed.
fn assert_covers(front: &Front, a: &Body, b: &Body) {
    let under = |body: &Body, slot| {
        let (mut stack, mut found) = (vec![slot], Vec::new());
        while let Some(slot) = stack.pop() {
            let child = body.child(slot);
            if child.is_leaf() {
                let leaf = body.leaf(child);
                found.extend(leaf.start..leaf.start + leaf.triangles.len() as u32);
            } else {
                let lanes = (0..LANES).filter(|&l| body.nodes[child.index()].child[l] != Child::NONE);
                stack.extend(lanes.map(|lane| crate::hierarchy::Slot::new(child.index(), lane)));
            }
        }
        found
    };
    let mut seen = BTreeSet::new();
    for near in &front.triangles {
        assert!(seen.insert(near.triangles), "twice: {near:?}");
    }
    for place in &front.places {
        assert_eq!(place.lanes & place.deeper | place.lanes & place.leaves | place.deeper & place.leaves, 0);
        for lane in (0..LANES).filter(|lane| place.lanes & (1 << lane) != 0) {
            let pair = place.opened.child(lane);
            for &i in &under(a, pair.a) {
                for &j in &under(b, pair.b) {
                    assert!(seen.insert([i, j]), "twice: {i} {j}");
                }
            }
        }
    }
    assert_eq!(seen.len(), a.triangles.len() * b.triangles.len());
}

fn moved(pose: &Pose, random: &mut Random, by: f64, size: f64) -> Pose {
    let turn = Quat::from_scaled_axis(random.vector(by / size));
    Pose::new(pose.translation() + random.vector(by), (turn * pose.rotation()).normalize()).unwrap()
}

/// How far points can come nearer on straight ways, and what rounding may do, m.
fn farthest(meshes: [&Body; 2], poses: [[Pose; 2]; 2]) -> (f64, f64) {
    let most = |i: usize| {
        let points = meshes[i].surface().soup().points().iter();
        points
            .map(|&p| poses[i][0].transform_point(p).distance(poses[i][1].transform_point(p)))
            .fold(0.0, f64::max)
    };
    let slack = 1e-13 * (meshes[0].magnitude + meshes[1].magnitude + 10.0);
    (most(0) + most(1) + slack, slack)
}

#[test]
fn whatever_a_front_has_seen_it_leaves_what_touches_and_nothing_else() {
    let mut random = Random::new(3);
    let mut touching = 0;
    for ([a, b], place) in fits() {
        let size = b.radius;
        let mut front = Front::default();
        let mut here = [Pose::IDENTITY, place];
        for step in 0..60 {
            // Small steps, larger ones, jumps, and back to where both lie along the same axes.
            let by = [1e-6, 1e-3, 1e-2, 0.05][step % 4] * size;
            let next = match step % 15 {
                14 => [Pose::IDENTITY, place],
                7 => [here[0], moved(&place, &mut random, 0.5 * size, size)],
                _ => [moved(&here[0], &mut random, 0.3 * by, size), moved(&here[1], &mut random, by, size)],
            };
            let poses = [0, 1].map(|i| [here[i], next[i]]);
            let (farthest, slack) = farthest([&a, &b], poses);
            let query = Query::on_path([&a, &b], poses, slack, farthest);
            let mut unsettled = Vec::new();
            front.settle(&query, |pair| query.never_touch(pair), usize::MAX, &mut unsettled, &mut 0).unwrap();
            let found: BTreeSet<_> = unsettled.iter().map(|one| one.triangles).collect();
            let all = (0..a.triangles.len() as u32)
                .flat_map(|i| (0..b.triangles.len() as u32).map(move |j| [i, j]));
            let truth: BTreeSet<_> = all.filter(|&pair| !query.never_touch(pair)).collect();
            assert_eq!(found, truth, "step {step}");
            touching += truth.len();
            assert_covers(&front, &a, &b);
            here = next;
        }
    }
    assert!(touching > 100, "{touching}");
}

#[test]
fn a_front_leaves_all_that_is_within_reach() {
    let mut random = Random::new(8);
    let mut near = 0;
    for ([a, b], place) in fits() {
        let size = b.radius;
        let mut front = Front::default();
        for step in 0..60 {
            let there = match step % 10 {
                0 => place,
                _ => moved(&place, &mut random, [1e-4, 1e-2, 0.3][step % 3] * size, size),
            };
            let reach = [0.0, 1e-6, 1e-2][step % 3] * size;
            let query = Query::within([&a, &b], [Pose::IDENTITY, there], reach);
            let mut unsettled = Vec::new();
            front.settle(&query, |_| false, usize::MAX, &mut unsettled, &mut 0).unwrap();
            let found: BTreeSet<_> = unsettled.iter().map(|one| one.triangles).collect();
            for (i, of_a) in a.triangles.iter().enumerate() {
                for (j, of_b) in b.triangles.iter().enumerate() {
                    let corners = query.duos[0].corners_of_b(of_b);
                    let apart = crate::triangle::triangle_distance(&of_a.corners, &corners).distance_squared;
                    if apart.sqrt() <= reach {
                        near += 1;
                        assert!(found.contains(&[i as u32, j as u32]), "step {step}: {i} {j}");
                    }
                }
            }
            assert_covers(&front, &a, &b);
        }
    }
    assert!(near > 100, "{near}");
}

#[test]
fn a_front_does_not_grow_over_thousands_of_steps() {
    let knot = body(TorusKnot { tube_radius: 0.3, ..TorusKnot::TREFOIL }.soup_with_triangles(2000).unwrap());
    let at = |step: usize| {
        let t = 0.01 * step as f64;
        let turn =
            Quat::from_scaled_axis(Vec3::new(0.3 * t.sin(), 0.2 * (0.7 * t).cos(), 1.57 + 0.5 * t.sin()));
        Pose::new(Vec3::new(0.5 * t.cos(), 0.4 * (1.3 * t).sin(), 2.0 * (0.4 * t).sin()), turn).unwrap()
    };
    let size = |front: &Front| front.places.len() + front.triangles.len();
    let mut front = Front::default();
    let (mut largest_fresh, mut largest) = (0, 0);
    for step in 0..3000 {
        let poses = [[Pose::IDENTITY; 2], [at(step), at(step + 1)]];
        let (farthest, slack) = farthest([&knot, &knot], poses);
        let query = Query::on_path([&knot, &knot], poses, slack, farthest);
        let mut unsettled = Vec::new();
        if front.settle(&query, |_| true, usize::MAX, &mut unsettled, &mut 0).is_ok() && step % 50 == 0 {
            let mut fresh = Front::default();
            fresh.settle(&query, |_| true, usize::MAX, &mut unsettled, &mut 0).unwrap();
            largest_fresh = largest_fresh.max(size(&fresh));
        }
        largest = largest.max(size(&front));
    }
    assert!(largest < 3 * largest_fresh, "{largest}, but {largest_fresh} if made anew");
}
