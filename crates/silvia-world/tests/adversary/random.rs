//! Random worlds under the eyes of the checker, on several threads, and over again.

use crate::judge::judged;
use crate::worlds::{Plan, world};
use silvia_proximity::Groups;
use silvia_solid::Vec3;
use silvia_world::{Load, Role, StepError, World};
use std::ops::Range;

/// The seeds of some worlds. To look at more, or others: `SILVIA_WORLDS=500 SILVIA_FIRST=1000 cargo test -p
/// silvia-world --test adversary`.
pub(crate) fn seeds(few: u64) -> Range<u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = given("SILVIA_FIRST").unwrap_or(0);
    first..first + given("SILVIA_WORLDS").unwrap_or(few)
}

/// Makes steps of random worlds. One that cannot be made is honest; one that is made must be right.
fn run(plan: &Plan, lengths: &[f64], steps: usize, few: u64) {
    let (mut made, mut refused) = (0, Vec::new());
    for seed in seeds(few) {
        let Some(mut world) = world(seed, plan) else { continue };
        for step in 0..steps {
            let label = format!("seed {seed} step {step} of {plan:?}");
            match judged(&mut world, lengths[step % lengths.len()], &label) {
                Ok(_) => made += 1,
                Err(error @ (StepError::Stuck { .. } | StepError::Overlap { .. })) => {
                    refused.push(format!("{label}: {error}"));
                    break;
                }
                Err(other) => panic!("{label}: {other}"),
            }
        }
    }
    println!("{plan:?}: {made} steps made; refused: {refused:#?}");
    assert!(made > refused.len(), "{made} steps made; refused: {refused:#?}");
}

#[test]
fn no_random_world_penetrates_at_any_step_length() {
    run(&Plan::USUAL, &[1e-3, 1e-2, 1e-9, 1e-4], 16, 6);
}

#[test]
fn no_random_world_penetrates_at_any_scale() {
    for scale in [1e-6, 1e4] {
        run(&Plan { scale, ..Plan::USUAL }, &[1e-2], 12, 2);
    }
}

#[test]
fn no_random_world_penetrates_in_steps_of_a_second_or_at_high_speed() {
    run(&Plan { speed: 0.3, gravity: 0.1, ..Plan::USUAL }, &[1.0], 3, 2);
    run(&Plan { speed: 30.0, ..Plan::USUAL }, &[1e-2], 4, 2);
}

fn hashes(mut world: World, steps: usize) -> Vec<u64> {
    (0..steps).map_while(|_| world.step(1e-2).ok().map(|_| world.hash())).collect()
}

#[test]
fn random_worlds_have_the_same_bits_on_any_number_of_threads_and_after_going_back() {
    let pools =
        [1, 2, 4].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for seed in seeds(3) {
        let Some(mut first) = world(seed, &Plan::USUAL) else { continue };
        let all =
            pools.each_ref().map(|pool| pool.install(|| hashes(world(seed, &Plan::USUAL).unwrap(), 12)));
        assert!(all[0] == all[1] && all[1] == all[2], "seed {seed}: {all:x?}");
        let half = all[0].len() / 2;
        for _ in 0..half {
            first.step(1e-2).unwrap();
        }
        let snapshot = first.snapshot();
        let ids: Vec<_> = first.ids().collect();
        let rest = |world: &mut World| -> Vec<u64> {
            (half..12).map_while(|_| world.step(1e-2).ok().map(|_| world.hash())).collect()
        };
        assert_eq!(rest(&mut first), all[0][half..], "seed {seed}");
        // What was done in between is undone by going back.
        let _ = first.set_active(ids[1], false);
        let _ = first.set_pose(ids[1], crate::at(50.0, 0.0, 0.0));
        let _ = first.set_role(ids[1], Role::Fixed);
        let _ = first.add_load(ids[2], Load::force(Vec3::X));
        let _ = first.set_groups(ids[2], Groups { member_of: 4, meets: 4 });
        let _ = first.step(1e-2);
        first.restore(&snapshot).unwrap();
        assert_eq!(rest(&mut first), all[0][half..], "seed {seed}, gone back");
        let mut elsewhere = world(seed, &Plan::USUAL).unwrap();
        elsewhere.restore(&snapshot).unwrap();
        assert_eq!(rest(&mut elsewhere), all[0][half..], "seed {seed}, elsewhere");
    }
}
