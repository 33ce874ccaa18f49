//! Contacts that come and go within a step: over edges, into corners, out of holes. The oracle is the exact
//! test whether two shapes overlap.

use crate::stage::{GRAVITY, SHELL, Stage, still};
use silvia_proximity::shape::{Shape, collide};
use silvia_solid::hull::convex_hull;
use silvia_solid::parts::PegAndHole;
use silvia_solid::primitives::extrusion;
use silvia_solid::{Mat3, Plane, Pose, Quat, Solid, Vec3};
use silvia_world::response::{NAMES, Response, by_name};

fn methods() -> Vec<Box<dyn Response>> {
    NAMES.iter().filter_map(|name| by_name(name)).filter(|m| m.handles_friction()).collect()
}

/// So heavy to turn that it does not within a test.
fn stiff() -> Mat3 {
    Mat3::from_diagonal(Vec3::splat(1e9))
}

fn pose(stage: &Stage, actor: usize) -> Pose {
    let a = &stage.actors[actor];
    Pose::new(a.centre - a.rotation * a.centre_in_body, a.rotation).unwrap()
}

/// Steps, and asks after each whether two shapes overlap.
fn run(stage: &mut Stage, method: &dyn Response, shapes: [(usize, &Shape); 2], steps: usize) -> usize {
    let mut most_rounds = 0;
    for step in 0..steps {
        let answer = stage.step(method);
        most_rounds = most_rounds.max(answer.iterations);
        let [a, b] = shapes.map(|(actor, _)| pose(stage, actor));
        assert!(!collide(shapes[0].1, &a, shapes[1].1, &b), "{} overlaps at step {step}", method.name());
    }
    most_rounds
}

#[test]
fn a_box_slides_off_a_table_tips_and_falls_without_touching_it_from_within() {
    for method in methods() {
        for (friction, turn) in [(0.0, 0.0), (0.0, 0.4), (0.2, 0.3)] {
            let mut stage = Stage::new(friction);
            let table = Shape::cuboid(Vec3::new(2.0, 2.0, 0.2)).unwrap();
            stage.add(&table, None, Vec3::new(0.0, 0.0, -0.1));
            let size = Vec3::new(0.3, 0.2, 0.1);
            let block = stage.add_box(1.0, size, Vec3::new(0.87, 0.1, 0.05 + SHELL));
            stage.actors[block].rotation = Quat::from_rotation_z(turn);
            stage.actors[block].velocity = still(Vec3::new(1.0, 0.2, 0.0));
            let cuboid = Shape::cuboid(size).unwrap();
            run(&mut stage, &*method, [(0, &table), (block, &cuboid)], 350);
            let at = &stage.actors[block];
            assert!(at.centre.x > 1.0 && at.velocity.angular.y > 0.1, "{}: {:?}", method.name(), at.velocity);
            assert!(at.centre.z < 0.0, "{}: {}", method.name(), at.centre);
        }
    }
}

#[test]
fn a_tip_slides_over_a_ridge_and_into_a_valley_and_on() {
    let profile = [[-2.0, -1.0], [3.0, -1.0], [3.0, 0.6], [2.0, 0.1], [1.0, 0.0], [0.0, 0.3], [-2.0, 0.3]];
    let soup = extrusion(&profile, &[], 2.0).unwrap();
    let ground = Shape::solid(Solid::from_soup(&soup).unwrap());
    let points =
        [Vec3::ZERO, Vec3::new(0.1, 0.0, 0.3), Vec3::new(-0.1, 0.1, 0.3), Vec3::new(-0.1, -0.1, 0.3)];
    let tip = Shape::convex(&Solid::from_soup(&convex_hull(&points).unwrap().soup).unwrap()).unwrap();
    for method in methods() {
        for friction in [0.0, 0.1] {
            let mut stage = Stage::new(friction);
            let floor = stage.add(&ground, None, Vec3::ZERO);
            // The profile's y becomes z.
            stage.actors[floor].rotation = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
            let body = stage.add(&tip, Some((1.0, stiff())), Vec3::new(-0.05, 0.0, 0.3 + 1e-6));
            stage.actors[body].velocity = still(Vec3::new(0.6, 0.05, 0.0));
            let rounds = run(&mut stage, &*method, [(floor, &ground), (body, &tip)], 1200);
            assert!(rounds < 12, "{}: {rounds}", method.name());
            assert!(stage.actors[body].centre.x > 1.2, "{}: {}", method.name(), stage.actors[body].centre);
        }
    }
}

#[test]
fn a_peg_falls_into_a_hole_that_hardly_lets_it() {
    let parts = PegAndHole { facets: 8, floor: 0.005, ..PegAndHole::default() };
    let block = Shape::solid(Solid::from_soup(&parts.block().unwrap()).unwrap());
    let peg_solid = Solid::from_soup(&parts.peg().unwrap()).unwrap();
    let peg = Shape::solid(peg_solid.clone());
    let mass = *peg_solid.mass();
    for method in methods() {
        let mut stage = Stage::new(0.1);
        stage.reach = 4.0 * parts.clearance;
        stage.add(&block, None, Vec3::ZERO);
        let density = 7800.0;
        let inertia = density * mass.inertia;
        let body = stage.add(&peg, Some((density * mass.volume, inertia)), Vec3::ZERO);
        stage.actors[body].centre_in_body = mass.center;
        stage.actors[body].centre = mass.center;
        stage.actors[body].load = still(Vec3::new(0.02, 0.01, 0.0));
        run(&mut stage, &*method, [(0, &block), (body, &peg)], 60);
    }
}

#[test]
fn a_block_pushed_into_a_corner_presses_on_each_wall_by_its_share() {
    for method in methods() {
        let mut stage = Stage::new(0.0);
        for normal in [Vec3::X, Vec3::Y, Vec3::Z] {
            stage.add(&Shape::half_space(Plane { normal, offset: 0.0 }).unwrap(), None, Vec3::ZERO);
        }
        let block = stage.add_box(2.0, Vec3::splat(0.2), Vec3::splat(0.1 + SHELL));
        stage.actors[block].load = still(Vec3::new(-3.0, -4.0, 0.0));
        for _ in 0..20 {
            let problem = stage.problem();
            let answer = method.answer(&problem, &stage.settings);
            for (wall, force) in [3.0, 4.0, 2.0 * GRAVITY].into_iter().enumerate() {
                let of_wall = (0..problem.contacts.len()).filter(|&k| problem.contacts[k].bodies[0] == wall);
                let pressed: f64 = of_wall.map(|k| answer.impulses[k].length()).sum();
                let wanted = force * stage.time_step;
                assert!((pressed - wanted).abs() < 1e-6 * wanted, "{}: {pressed}", method.name());
            }
            stage.step(&*method);
        }
        assert!(stage.actors[block].centre.distance(Vec3::splat(0.1)) < 3.0 * SHELL);
    }
}
