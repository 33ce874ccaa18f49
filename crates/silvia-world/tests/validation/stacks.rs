//! Stacks stand: a sample of what `cargo xtask prove stacks` shows for 60 s.

use silvia_world::validation::stacks::{Stack, stands};

/// s
const TIME: f64 = 0.3;

#[test]
fn a_stack_of_ten_equal_boxes_stands() {
    stands(&Stack::equal(10), TIME).unwrap();
}

#[test]
fn a_stack_of_twenty_equal_boxes_stands() {
    stands(&Stack::equal(20), 0.1).unwrap();
}

#[test]
fn a_box_of_a_thousand_times_the_mass_stands_on_others() {
    let mut stack = Stack::equal(4);
    stack.masses = vec![1.0, 1.0, 1.0, 1000.0];
    stands(&stack, TIME).unwrap();
}

#[test]
fn a_stack_that_leans_over_its_edge_is_said_to_fall() {
    let mut stack = Stack::equal(2);
    stack.offsets = vec![0.0, 0.6 * stack.widths[1]];
    let error = stands(&stack, TIME).unwrap_err();
    assert!(error.contains("moved"), "{error}");
}
