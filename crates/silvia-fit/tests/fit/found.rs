//! Ways that must be found, judged by a checker that shares no code with what finds them.

use crate::shapes::{block, part, pinned, solid, turned, with, without};
use silvia_check::Checker;
use silvia_fit::{Answer, Assembly, FitOptions, Method, Part, assemble};
use silvia_solid::parts::{CountersunkBolt, Dovetail, KeyAndPocket, PegAndHole, ScrewAndNut};
use silvia_solid::{Pose, Soup, Vec3, primitives};

/// What overlap counts as rounding, as a fraction of the smaller part's size.
const ROUNDING: f64 = 1e-8;

fn pair(a: &Soup, b: &Soup) -> Vec<Part> {
    vec![part("a", solid(a), Pose::IDENTITY), part("b", solid(b), Pose::IDENTITY)]
}

fn assembled(parts: &[Part], options: &FitOptions) -> Assembly {
    match assemble(parts, options, |_| ()).unwrap() {
        Answer::Assembled(assembly) => assembly,
        other => panic!("{other:?}"),
    }
}

/// Plays an assembly to the checker: parts that are not there yet are far away.
fn judge(parts: &[Part], assembly: &Assembly) {
    let far = |number: usize| Pose::from_translation(Vec3::new(0.0, 0.0, 10.0 + number as f64)).unwrap();
    let mut now: Vec<Pose> = (0..parts.len()).map(far).collect();
    now[0] = parts[0].goal;
    let shapes = parts.iter().map(|part| (part.name.clone(), part.shape.clone()));
    let mut checker = Checker::new(shapes).unwrap();
    let mut time = 0.0;
    for step in &assembly.moves {
        for (leg, pose) in step.path.iter().enumerate() {
            now[step.part] = *pose;
            if leg == 0 {
                // It gets there from far away: that is not asked.
                checker.start(time, &now).unwrap();
            }
            checker.state(time + 0.5, &now).unwrap();
            time += 1.0;
        }
        // It ends at its goal, and begins clear of what is in place.
        let end = step.path[step.path.len() - 1].translation();
        assert!(end.distance(parts[step.part].goal.translation()) < 1e-9);
    }
    let verdict = checker.verdict();
    assert!(verdict.is_clean(ROUNDING), "{:?} {:?}", verdict.largest, verdict.crossings);
}

fn found_both_ways(parts: Vec<Part>) {
    let options = FitOptions::default();
    judge(&parts, &assembled(&parts, &options));
    let parts = turned(parts);
    judge(&parts, &assembled(&parts, &options));
}

#[test]
fn a_bolt_comes_out_of_its_countersunk_hole() {
    let fit = CountersunkBolt { segments: 16, ..CountersunkBolt::default() };
    found_both_ways(pair(&fit.block().unwrap(), &fit.bolt().unwrap()));
}

#[test]
fn a_peg_comes_out_of_a_hole_with_a_floor() {
    let fit = PegAndHole { facets: 16, floor: 5e-3, ..PegAndHole::default() };
    found_both_ways(pair(&fit.block().unwrap(), &fit.peg().unwrap()));
}

#[test]
fn a_peg_without_clearance_comes_out_too() {
    let fit = PegAndHole { facets: 8, clearance: 0.0, ..PegAndHole::default() };
    let parts = pair(&fit.block().unwrap(), &fit.peg().unwrap());
    let assembly = assembled(&parts, &FitOptions::default());
    assert!(assembly.moves[0].drawn_in > 0.0);
}

#[test]
fn a_key_comes_out_of_its_pocket() {
    let fit = KeyAndPocket { floor: 5e-3, ..KeyAndPocket::default() };
    found_both_ways(pair(&fit.block().unwrap(), &fit.key().unwrap()));
}

#[test]
fn a_tail_slides_out_of_its_socket() {
    let fit = Dovetail::default();
    found_both_ways(pair(&fit.socket().unwrap(), &fit.tail().unwrap()));
}

#[test]
fn a_nut_screws_off_its_thread() {
    let fit = ScrewAndNut { segments: 16, screw_turns: 5, nut_turns: 3, ..ScrewAndNut::default() };
    let parts = pair(&fit.screw().unwrap(), &fit.nut().unwrap());
    let assembly = assembled(&parts, &FitOptions::default());
    judge(&parts, &assembly);
}

#[test]
fn a_nut_on_a_tilted_bolt_screws_off_its_thread() {
    let fit = ScrewAndNut { segments: 16, screw_turns: 5, nut_turns: 3, ..ScrewAndNut::default() };
    let parts = turned(pair(&fit.screw().unwrap(), &fit.nut().unwrap()));
    let assembly = assembled(&parts, &FitOptions::default());
    judge(&parts, &assembly);
}

#[test]
fn a_pin_leaves_before_what_it_keeps_in() {
    let parts = pinned();
    let assembly = assembled(&parts, &FitOptions::default());
    let order: Vec<&str> = assembly.moves.iter().map(|step| parts[step.part].name.as_str()).collect();
    assert_eq!(order, ["tenon", "pin"]);
    judge(&parts, &assembly);
    let parts = turned(parts);
    judge(&parts, &assembled(&parts, &FitOptions::default()));
}

/// A channel with a dead end above the way out: where pushes end, no push leads out.
fn channel() -> Vec<Part> {
    let shaft = block([-3.1, -3.1, -10.0], [3.1, 3.1, 30.0]);
    let way_out = block([-3.1, -3.1, 3.9], [31.0, 3.1, 10.1]);
    let channel = without(block([-20.0, -10.0, -20.0], [30.0, 10.0, 40.0]), &[shaft, way_out]);
    let cube = block([-3.0, -3.0, -9.0], [3.0, 3.0, -3.0]);
    vec![part("channel", channel, Pose::IDENTITY), part("cube", cube, Pose::IDENTITY)]
}

#[test]
fn a_cube_turns_off_before_a_dead_end() {
    let parts = channel();
    judge(&parts, &assembled(&parts, &FitOptions::default()));
}

#[test]
fn a_bayonet_is_turned_and_then_pulled() {
    let slot = block([-10.0, -2.5, -1.0], [10.0, 2.5, 6.0]);
    let hole = solid(&primitives::cylinder(3e-3, 20e-3, 16).unwrap());
    let plate = without(block([-20.0, -20.0, 0.0], [20.0, 20.0, 5.0]), &[slot, hole]);
    let rod = solid(&primitives::cylinder(2e-3, 40e-3, 16).unwrap());
    // The bar below lies across the slot; the handle above is wider than it.
    let bar = block([-2.0, -9.0, -4.0], [2.0, 9.0, -0.2]);
    let handle = block([-12.0, -12.0, 5.5], [12.0, 12.0, 8.0]);
    let key = with(rod, &[bar, handle]);
    let parts = vec![part("plate", plate, Pose::IDENTITY), part("key", key, Pose::IDENTITY)];
    let assembly = assembled(&parts, &FitOptions::default());
    judge(&parts, &assembly);
    // While the bar is in the plate, it lies along the slot; at the goal it lies across.
    let bar = |pose: &Pose| pose.transform_point(Vec3::new(0.0, 0.0, -2.1e-3)).z;
    let within = assembly.moves[0].path.iter().filter(|pose| (0.0..5e-3).contains(&bar(pose)));
    let along: Vec<f64> = within.map(|pose| pose.transform_vector(Vec3::Y).x.abs()).collect();
    assert!(along.len() > 2 && along.iter().all(|share| *share > 0.99), "{along:?}");
}

#[test]
fn trees_find_ways_as_well() {
    let options = FitOptions { methods: vec![Method::Trees], ..FitOptions::default() };
    let fit = KeyAndPocket { floor: 5e-3, clearance: 2e-4, ..KeyAndPocket::default() };
    let parts = pair(&fit.block().unwrap(), &fit.key().unwrap());
    let assembly = assembled(&parts, &options);
    assert!(assembly.moves[0].method == Method::Trees && assembly.tries == 0);
    judge(&parts, &assembly);
}

#[test]
fn the_same_parts_come_to_the_same_way_on_any_number_of_threads() {
    let parts = turned(pinned());
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| assembled(&parts, &FitOptions::default()))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(4));
}

#[test]
fn a_timeline_ends_with_all_parts_at_their_goal() {
    let parts = pinned();
    let timeline = assembled(&parts, &FitOptions::default()).timeline(&parts);
    let last = &timeline.moments[timeline.moments.len() - 1];
    for (pose, part) in last.iter().zip(&parts) {
        assert!(pose.translation().distance(part.goal.translation()) < 1e-9);
    }
    // The tenon first, and the pin only once it is in.
    let [tenon, pin] = timeline.begins[..] else { panic!("{:?}", timeline.begins) };
    assert!(tenon < pin);
    let of = |moment: usize, part: usize| timeline.moments[moment][part];
    assert!(of(tenon, 2) != of(pin, 2) && of(tenon, 1) == of(pin, 1));
}
