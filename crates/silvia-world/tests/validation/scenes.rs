//! Every row of every scene passes, under every method that claims to handle it.

use silvia_world::response;
use silvia_world::validation::{SCENES, Scene, ValidationError, table};

fn passes(name: &str) {
    let scene = Scene::by_name(name).unwrap();
    for method in scene.methods {
        let rows = scene.rows(method).unwrap();
        assert!(!rows.is_empty() && rows.iter().all(|row| row.pass), "{}", table(&rows));
        assert!(rows.iter().all(|row| row.scene == name && row.method == *method));
    }
}

#[test]
fn a_block_slides_on_a_slope_or_does_not_move_at_all() {
    passes("slope");
}

#[test]
fn a_sliding_block_stops_where_it_must() {
    passes("stopping distance");
}

#[test]
fn a_ball_slides_and_rolls() {
    passes("ball");
}

#[test]
fn a_ball_bounces_and_comes_to_rest() {
    passes("bouncing ball");
}

#[test]
fn a_pushed_box_moves_along_the_push() {
    passes("push");
}

#[test]
fn a_free_body_flips_at_regular_times() {
    passes("tumbling body");
}

#[test]
fn each_box_of_a_stack_carries_those_above() {
    passes("stack");
}

#[test]
fn a_block_rocks_as_housner_says() {
    passes("rocking block");
}

#[test]
fn a_bolt_slides_into_its_countersink_or_stays() {
    passes("countersink");
}

#[test]
fn a_nut_runs_down_its_bolt_or_locks() {
    passes("nut");
}

#[test]
fn a_block_slides_down_a_wedge_that_slides_away() {
    passes("free wedge");
}

#[test]
fn a_break_at_billiards_loses_nothing_and_is_symmetric() {
    passes("billiards break");
}

#[test]
fn every_scene_has_a_test_here() {
    let here = include_str!("scenes.rs");
    for scene in SCENES {
        assert!(here.contains(&format!("passes(\"{}\")", scene.name)), "{}", scene.name);
        assert!(scene.methods.iter().all(|method| response::by_name(method).is_some()));
    }
}

#[test]
fn a_method_that_does_not_handle_a_scene_is_refused() {
    let slope = Scene::by_name("slope").unwrap();
    for method in ["bilateral", "magic"] {
        assert!(matches!(slope.rows(method), Err(ValidationError::NotHandled { .. })), "{method}");
    }
    assert!(matches!((slope.run)("magic"), Err(ValidationError::UnknownMethod { .. })));
}
