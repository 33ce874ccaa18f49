//! Straight ways between states must be a likeness of the true ones.

use crate::judge::judged;
use crate::{at, ball, cube, floor, going, turning, weightless};
use silvia_solid::Vec3;
use silvia_world::{BodyBuilder, Material, Script, World};
use std::f64::consts::TAU;

const STEP: f64 = 1e-2;

/// A rod that makes a whole number of turns in a step is where it was.
#[test]
fn a_rod_that_turns_once_or_twice_a_step_strikes_a_ball_between() {
    for turns in [0.5, 0.9, 1.0, 2.0] {
        for is_scripted in [false, true] {
            let mut world = weightless();
            let spin = turning(Vec3::Z * (turns * TAU / STEP));
            let rod = cube(2.0, 0.1, 0.1);
            let rod = if is_scripted {
                BodyBuilder::scripted(rod, Script::Velocity(spin))
            } else {
                BodyBuilder::free(rod).velocity(spin)
            };
            world.add(rod.named("rod")).unwrap();
            let struck = world.add(BodyBuilder::free(ball(0.1)).named("ball").at(at(0.0, 0.8, 0.0))).unwrap();
            judged(&mut world, STEP, "rod").unwrap();
            let speed = world.velocity(struck).unwrap().linear.length();
            assert!(speed > 1.0, "{turns} turns, scripted {is_scripted}: {speed}");
        }
    }
}

#[test]
fn a_ram_that_goes_and_comes_back_within_a_step_strikes_a_ball() {
    let mut world = weightless();
    let poses = [(0.0, 0.0), (0.4 * STEP, 1.0), (0.8 * STEP, 0.0)].map(|(t, x)| (t, at(x, 0.0, 0.0)));
    let script = Script::Poses(poses.to_vec());
    world.add(BodyBuilder::scripted(cube(0.2, 0.2, 0.2), script).named("ram")).unwrap();
    let struck = world.add(BodyBuilder::free(ball(0.1)).named("ball").at(at(0.5, 0.0, 0.0))).unwrap();
    let report = judged(&mut world, STEP, "ram").unwrap();
    assert_eq!(report.impacts.len(), 1, "{:?}", report.impacts);
    assert!(world.pose(struck).unwrap().translation().x > 1.2);
}

/// Times have few digits after the point by then, and scripts go on all the same.
#[test]
fn after_a_month_a_pusher_still_pushes() {
    for start in [1e5, 1e6, 3e6] {
        let mut world = weightless();
        world.step(start).unwrap();
        let stuff = world.add_material(Material::new("stuff", 0.5, 0.0)).unwrap();
        let go = Script::Velocity(going(Vec3::X * 10.0));
        let pusher = BodyBuilder::scripted(cube(0.1, 0.1, 0.1), go).named("pusher").material(stuff);
        world.add(pusher).unwrap();
        let mut add = |name: &str, x: f64| {
            let body = BodyBuilder::free(cube(0.05, 0.05, 0.05)).named(name).material(stuff);
            world.add(body.at(at(x, 0.0, 0.0))).unwrap()
        };
        let (first, second) = (add("first", 0.0751), add("second", 0.1571));
        for step in 0..100 {
            judged(&mut world, 1e-3, "pusher").unwrap_or_else(|e| panic!("from {start} s, step {step}: {e}"));
        }
        for (id, ahead) in [(first, 0.075), (second, 0.125)] {
            let place = world.pose(id).unwrap().translation().x;
            assert!((place - 1.0 - ahead).abs() < 1e-6, "{place}");
        }
    }
}

#[test]
fn a_ball_at_a_speed_near_the_end_of_numbers_does_not_pass_a_floor() {
    for speed in [1e50, 1e200, 1.2e308] {
        let mut world: World = weightless();
        world.add(floor()).unwrap();
        let falling = BodyBuilder::free(ball(0.1)).at(at(0.0, 0.0, 2.0)).velocity(going(Vec3::Z * -speed));
        let falling = world.add(falling).unwrap();
        // Either outcome is honest.
        let _ = world.step(1.0);
        assert!(world.pose(falling).unwrap().translation().z > 0.1);
    }
}
