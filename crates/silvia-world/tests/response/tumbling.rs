//! Bodies that tumble into a corner: whatever they do, no state overlaps and no energy is made. The oracle is
//! the exact test whether two shapes overlap.

use crate::stage::{GRAVITY, Stage};
use seeded::Random;
use silvia_contact::{Outcome, Twist};
use silvia_proximity::shape::{Shape, collide};
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::response::{Response, by_name};

/// A corner of a table and a wall, and boxes and a ball thrown into it.
fn thrown(seed: u64, bodies: usize, friction: f64) -> (Stage, Vec<Shape>) {
    let mut random = Random::new(seed);
    let mut stage = Stage::new(friction);
    stage.reach = 0.03;
    let mut shapes = vec![
        Shape::cuboid(Vec3::new(0.6, 0.5, 0.2)).unwrap(),
        Shape::cuboid(Vec3::new(0.2, 0.6, 0.5)).unwrap(),
    ];
    stage.add(&shapes[0], None, Vec3::new(0.0, 0.0, -0.1));
    stage.add(&shapes[1], None, Vec3::new(0.401, 0.0, 0.1));
    for i in 0..bodies {
        let at = Vec3::new(0.1, 0.0, 0.17 + 0.26 * i as f64) + random.vector(0.03);
        let body = if i == 2 {
            shapes.push(Shape::sphere(0.05).unwrap());
            stage.add_ball(0.5, 0.05, at)
        } else {
            let size = Vec3::new(0.2, 0.12, 0.08);
            shapes.push(Shape::cuboid(size).unwrap());
            stage.add_box(1.0, size, at)
        };
        stage.actors[body].rotation = Quat::from_scaled_axis(random.vector(2.0)).normalize();
        stage.actors[body].velocity = Twist { linear: random.vector(0.7), angular: random.vector(3.0) };
    }
    (stage, shapes)
}

fn total_energy(stage: &Stage) -> f64 {
    let height = |a: &crate::stage::Actor| a.inertia.map_or(0.0, |(mass, _)| mass * GRAVITY * a.centre.z);
    stage.energy() + stage.actors.iter().map(height).sum::<f64>()
}

fn overlapping(stage: &Stage, shapes: &[Shape]) -> Option<[usize; 2]> {
    let pose = |i: usize| Pose::new(stage.actors[i].centre, stage.actors[i].rotation).unwrap();
    let pairs = (2..shapes.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    pairs.into_iter().find(|&[a, b]| collide(&shapes[a], &pose(a), &shapes[b], &pose(b)))
}

/// Steps, with shorter steps where a whole one has no answer; how often that was so, and the most rounds that
/// a step took.
fn tumble(stage: &mut Stage, shapes: &[Shape], method: &dyn Response, steps: usize) -> (usize, usize) {
    let whole = stage.time_step;
    let (mut cuts, mut rounds) = (0, 0);
    let mut before = total_energy(stage);
    for step in 0..steps {
        stage.time_step = whole;
        while method.answer(&stage.problem(), &stage.settings).outcome != Outcome::Solved {
            cuts += 1;
            stage.time_step *= 0.5;
            assert!(stage.time_step > 1e-4 * whole, "{} is stuck at step {step}", method.name());
        }
        rounds = rounds.max(stage.step(method).iterations);
        let pair = overlapping(stage, shapes);
        assert!(pair.is_none(), "{} lets {pair:?} overlap at step {step}", method.name());
        let after = total_energy(stage);
        // Free flight gains m g² dt² / 2 a step, here 1e-4 J: the explicit end of a parabola.
        assert!(after < before + 2e-4, "{} made {} J at step {step}", method.name(), after - before);
        before = after;
    }
    (cuts, rounds)
}

#[test]
fn boxes_that_tumble_into_a_corner_neither_overlap_nor_gain_energy() {
    for (name, most_cuts, most_rounds) in [("auto", 0, 6), ("ncp", 0, 8), ("lcp", 2, 24)] {
        let method = by_name(name).unwrap();
        for seed in 0..6 {
            let (mut stage, shapes) = thrown(seed, 1, [0.0, 0.3, 0.8][seed as usize % 3]);
            let (cuts, rounds) = tumble(&mut stage, &shapes, &*method, 400);
            assert!(
                cuts <= most_cuts && rounds <= most_rounds,
                "{name}, {seed}: {cuts} cuts, {rounds} rounds"
            );
        }
    }
}

#[test]
fn several_bodies_that_meet_in_a_corner_neither_overlap_nor_gain_energy() {
    let method = by_name("auto").unwrap();
    for seed in 0..4 {
        let (mut stage, shapes) = thrown(seed, 4, [0.0, 0.5][seed as usize % 2]);
        let (cuts, _) = tumble(&mut stage, &shapes, &*method, 500);
        assert!(cuts <= 1, "seed {seed}: {cuts} cuts");
    }
}
