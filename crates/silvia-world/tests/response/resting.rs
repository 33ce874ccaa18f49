//! What rests, and what slides: against closed forms.

use crate::stage::{GRAVITY, SHELL, Stage, still, sum};
use silvia_proximity::shape::Shape;
use silvia_solid::{Quat, Vec3};
use silvia_world::response::{NAMES, Response, by_name};

fn with_friction() -> Vec<Box<dyn Response>> {
    NAMES.iter().filter_map(|name| by_name(name)).filter(|m| m.handles_friction()).collect()
}

#[test]
fn the_ground_and_a_table_carry_a_block_s_weight() {
    for method in with_friction() {
        for is_table in [false, true] {
            let mut stage = Stage::new(0.5);
            if is_table {
                stage.add(&Shape::cuboid(Vec3::new(3.0, 3.0, 1.0)).unwrap(), None, Vec3::new(0.0, 0.0, -0.5));
            } else {
                stage.add_ground(0.0);
            }
            let block = stage.add_box(2.0, Vec3::new(1.0, 1.0, 0.4), Vec3::new(0.1, 0.05, 0.2 + SHELL));
            let before = stage.actors[block].centre;
            for _ in 0..20 {
                let answer = stage.step(&*method);
                let weight = 2.0 * GRAVITY * stage.time_step;
                assert!((sum(&answer) - weight * Vec3::Z).length() < 1e-9 * weight, "{}", method.name());
                assert!(answer.iterations <= 2, "{}: {} rounds", method.name(), answer.iterations);
            }
            assert!(stage.actors[block].centre.distance(before) < 1e-12, "{}", method.name());
        }
    }
}

#[test]
fn a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above_it_as_newton_says() {
    for method in with_friction() {
        for degrees in [25.0_f64, 30.0] {
            let tilt = degrees.to_radians();
            let mut stage = Stage::new(0.5);
            stage.add_ground(tilt);
            let normal = Vec3::new(tilt.sin(), 0.0, tilt.cos());
            let block = stage.add_box(2.0, Vec3::new(1.0, 1.0, 0.4), (0.2 + SHELL) * normal);
            stage.actors[block].rotation = Quat::from_rotation_y(tilt);
            let steps = 200;
            for _ in 0..steps {
                stage.step(&*method);
            }
            let time = f64::from(steps) * stage.time_step;
            let downhill = Vec3::new(tilt.cos(), 0.0, -tilt.sin());
            let speed = stage.actors[block].velocity.linear.dot(downhill);
            let wanted = (GRAVITY * (tilt.sin() - 0.5 * tilt.cos())).max(0.0) * time;
            assert!((speed - wanted).abs() < 1e-8, "{} at {degrees}: {speed}, not {wanted}", method.name());
            let height = stage.actors[block].centre.dot(normal) - 0.2;
            assert!(height > 0.5 * SHELL && height < 2.0 * SHELL, "{} at {degrees}: {height}", method.name());
            if wanted == 0.0 {
                let moved = stage.actors[block].centre.distance((0.2 + SHELL) * normal);
                assert!(moved < 1e-12, "{}: {moved}", method.name());
            }
        }
    }
}

#[test]
fn a_ball_that_slides_begins_to_roll_when_newton_says() {
    for method in with_friction() {
        let mut stage = Stage::new(0.3);
        stage.add_ground(0.0);
        let ball = stage.add_ball(1.5, 0.1, Vec3::new(0.0, 0.0, 0.1 + SHELL));
        stage.actors[ball].velocity = still(Vec3::new(2.0, 1.0, 0.0));
        let first = Vec3::new(2.0, 1.0, 0.0).length();
        let until = 2.0 * first / (7.0 * 0.3 * GRAVITY);
        let mut time = 0.0;
        let mut rolls_at = f64::INFINITY;
        for _ in 0..300 {
            stage.step(&*method);
            time += stage.time_step;
            let at = stage.actors[ball].velocity;
            let slip = at.linear + at.angular.cross(-0.1 * Vec3::Z);
            if slip.length() < 1e-6 {
                rolls_at = rolls_at.min(time);
            }
        }
        assert!(
            (rolls_at - until).abs() < 1.5 * stage.time_step,
            "{}: {rolls_at}, not {until}",
            method.name()
        );
        let end = stage.actors[ball].velocity.linear;
        let wanted = 5.0 / 7.0 * Vec3::new(2.0, 1.0, 0.0);
        assert!(end.distance(wanted) < 1e-8, "{}: {end}, not {wanted}", method.name());
    }
}

#[test]
fn every_interface_of_a_stack_carries_what_is_above_it() {
    for method in with_friction() {
        let mut stage = Stage::new(0.6);
        stage.add_ground(0.0);
        for i in 0..5 {
            let height = (f64::from(i) + 0.5) * 0.2 + (f64::from(i) + 1.0) * SHELL;
            stage.add_box(1.0, Vec3::new(0.3, 0.3, 0.2), Vec3::new(0.01 * f64::from(i % 2), 0.0, height));
        }
        for _ in 0..20 {
            let problem = stage.problem();
            let answer = method.answer(&problem, &stage.settings);
            for lower in 0..5 {
                let between: f64 = (0..problem.contacts.len())
                    .filter(|&k| problem.contacts[k].bodies == [lower, lower + 1])
                    .map(|k| answer.impulses[k].z)
                    .sum();
                let wanted = (5.0 - lower as f64) * GRAVITY * stage.time_step;
                assert!(
                    (between - wanted).abs() < 1e-6 * wanted,
                    "{}: {between}, not {wanted}",
                    method.name()
                );
            }
            stage.step(&*method);
        }
        let top = stage.actors[5].centre.z - 0.9;
        assert!(top > 0.0 && top < 10.0 * SHELL, "{}: {top}", method.name());
    }
}

#[test]
fn friction_is_the_same_in_every_direction() {
    for method in with_friction() {
        for angle in [0.1_f64, 0.5, 0.9, 2.0] {
            let mut stage = Stage::new(0.4);
            stage.add_ground(0.0);
            let block = stage.add_box(1.0, Vec3::new(0.5, 0.5, 0.2), Vec3::new(0.0, 0.0, 0.1 + SHELL));
            let push = Vec3::new(angle.cos(), angle.sin(), 0.0);
            stage.actors[block].load = still(8.0 * push);
            for _ in 0..50 {
                stage.step(&*method);
            }
            let speed = stage.actors[block].velocity.linear;
            let across = speed.cross(push).length() / speed.length();
            assert!(across < 1e-6, "{} at {angle}: {across}", method.name());
            let wanted = 0.05 * (8.0 - 0.4 * GRAVITY);
            assert!(
                (speed.dot(push) - wanted).abs() < 1e-6 * wanted,
                "{} at {angle}: {speed}",
                method.name()
            );
        }
    }
}
