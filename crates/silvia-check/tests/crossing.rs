//! What happens between two states.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{at, cuboid, motion, turned, two};
use silvia_proximity::Shape;
use silvia_solid::parts::PegAndHole;
use silvia_solid::{Plane, Pose, Quat, Solid, Soup, Vec3, primitives};

fn solid(soup: &Soup) -> Shape {
    Shape::solid(Solid::from_soup(soup).unwrap())
}

#[test]
fn a_bullet_of_any_kind_through_a_sheet_of_any_kind_is_found() {
    let (x, y) = (0.6, 0.6);
    let bullets = [
        cuboid(0.02, 0.02, 0.02),
        Shape::sphere(0.01).unwrap(),
        Shape::capsule(0.01, 0.03).unwrap(),
        Shape::cylinder(0.01, 0.03).unwrap(),
        Shape::cone(0.01, 0.03).unwrap(),
        Shape::ellipsoid(Vec3::new(0.01, 0.008, 0.015)).unwrap(),
        Shape::point(Vec3::ZERO).unwrap(),
        Shape::segment([Vec3::ZERO, Vec3::new(0.01, 0.0, 0.01)]).unwrap(),
        solid(&primitives::sphere(0.01, 2).unwrap()),
        Shape::triangle([Vec3::ZERO, Vec3::new(0.01, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)]).unwrap(),
    ];
    let corners =
        [Vec3::new(-x, -y, 0.0), Vec3::new(x, -y, 0.0), Vec3::new(x, y, 0.0), Vec3::new(-x, y, 0.0)];
    let sheets = [
        cuboid(1.0, 1.0, 1e-3),
        Shape::polygon(&corners).unwrap(),
        Shape::cylinder(1.0, 1e-3).unwrap(),
        Shape::ellipsoid(Vec3::new(1.0, 0.9, 2e-3)).unwrap(),
        Shape::soup(Soup::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()),
    ];
    for (i, bullet) in bullets.iter().enumerate() {
        for (j, sheet) in sheets.iter().enumerate() {
            let (from, to) = (at(0.11, 0.05, 0.4), at(0.13, 0.06, -0.5));
            let found = motion(sheet, bullet, &from, &to);
            assert_eq!(found.depth(), 0.0, "bullet {i}, sheet {j}");
            assert_eq!(found.crossings.len(), 1, "bullet {i}, sheet {j}: {found:?}");
            let middle = motion(sheet, bullet, &at(0.0, 0.0, 0.4), &at(0.0, 0.0, -0.5));
            assert_eq!(middle.crossings.len(), 1, "bullet {i}, middle of sheet {j}: {middle:?}");
            let beside = motion(sheet, bullet, &at(1.11, 0.05, 0.4), &at(1.13, 0.06, -0.5));
            assert!(beside.is_clean(0.0), "bullet {i} beside sheet {j}: {beside:?}");
        }
    }
}

#[test]
fn the_time_of_a_crossing_is_one_at_which_they_overlap() {
    let found =
        motion(&cuboid(1.0, 1.0, 0.2), &Shape::sphere(0.1).unwrap(), &at(0.0, 0.0, 1.0), &at(0.0, 0.0, -1.0));
    let crossing = &found.crossings[0];
    assert_eq!((crossing.from, crossing.until), (0.0, 1.0));
    assert!((1.0 - 2.0 * crossing.at).abs() < 0.2, "{crossing:?}");
}

#[test]
fn sliding_at_a_tiny_gap_is_clean() {
    for gap in [1e-9, 1e-12] {
        for shape in resting_shapes() {
            let (shape, low) = shape;
            for ground in grounds() {
                let (ground, top) = ground;
                let z = top + low + gap;
                let found = motion(&ground, &shape, &at(0.3, 0.2, z), &at(0.301, 0.2005, z));
                assert!(found.is_clean(0.0), "{:?} on {:?}: {found:?}", shape.kind(), ground.kind());
            }
        }
    }
}

#[test]
fn spinning_at_a_tiny_gap_is_clean() {
    for (shape, low) in resting_shapes() {
        for (ground, top) in grounds() {
            let spun = |angle: f64| turned(Vec3::Z, angle, Vec3::new(0.3, 0.2, top + low + 1e-9));
            let found = motion(&ground, &shape, &spun(0.1), &spun(0.15));
            assert!(found.is_clean(0.0), "{:?} on {:?}: {found:?}", shape.kind(), ground.kind());
        }
    }
}

#[test]
fn resting_exactly_on_each_other_is_clean() {
    for (shape, low) in resting_shapes() {
        for (ground, top) in grounds() {
            let found = motion(&ground, &shape, &at(0.25, 0.5, top + low), &at(0.26, 0.5, top + low));
            assert!(found.is_clean(1e-15), "{:?} on {:?}: {found:?}", shape.kind(), ground.kind());
        }
    }
}

#[test]
fn two_boxes_that_turn_together_at_a_tiny_gap_are_clean() {
    let mut checker = two(&cuboid(1.0, 1.0, 1.0), &cuboid(1.0, 1.0, 1.0));
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    for state in 0..20 {
        let frame = turned(axis, 0.05 * f64::from(state), Vec3::new(0.1 * f64::from(state), 3.0, 1.0));
        let upper = frame.compose(&at(0.0, 0.0, 1.0 + 1e-9));
        checker.state(f64::from(state), &[frame, upper]).unwrap();
    }
    let found = checker.verdict();
    assert!(found.is_clean(0.0), "{found:?}");
    assert_eq!(found.states, 20);
}

#[test]
fn tipping_over_an_edge_at_a_tiny_gap_is_clean() {
    let frame = turned(Vec3::new(0.3, 0.5, 0.2).normalize(), 0.7, Vec3::new(3.0, 1.0, 2.0));
    let block = cuboid(1.0, 1.0, 1.0);
    // On a smooth ground the block moves rigidly about its middle, so the edge would go on an arc: the ground
    // must be flat.
    for (ground, top) in grounds().into_iter().filter(|(ground, _)| !matches!(ground, Shape::Cylinder(_))) {
        let mut checker = two(&ground, &block);
        for state in 0..40 {
            // About the edge at x = 0.5, which stays where it is.
            let turn = Quat::from_axis_angle(Vec3::Y, 0.02 * f64::from(state));
            let edge = Vec3::new(0.5, 0.0, top + 1e-9);
            let pose = Pose::new(edge - turn * Vec3::new(0.5, 0.0, -0.5), turn).unwrap();
            checker.state(f64::from(state), &[frame, frame.compose(&pose)]).unwrap();
        }
        let found = checker.verdict();
        assert!(found.is_clean(1e-14), "{:?}: {found:?}", ground.kind());
    }
}

#[test]
fn rolling_at_a_tiny_gap_is_clean() {
    let frame = turned(Vec3::new(0.3, 0.5, 0.2).normalize(), 0.7, Vec3::new(3.0, 1.0, 2.0));
    let lying = Quat::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2);
    let shapes = [
        Shape::sphere(0.25).unwrap(),
        Shape::capsule(0.25, 0.5).unwrap(),
        Shape::cylinder(0.25, 0.5).unwrap(),
        Shape::ellipsoid(Vec3::new(0.25, 0.25, 0.2)).unwrap(),
    ];
    for shape in shapes {
        for (ground, top) in grounds() {
            let mut checker = two(&ground, &shape);
            for state in 0..40 {
                let angle = 0.02 * f64::from(state);
                let turn = Quat::from_axis_angle(Vec3::Y, angle) * lying;
                let pose = Pose::new(Vec3::new(0.25 * angle, 0.1, top + 0.25 + 1e-9), turn).unwrap();
                checker.state(f64::from(state), &[frame, frame.compose(&pose)]).unwrap();
            }
            let found = checker.verdict();
            assert!(found.is_clean(0.0), "{:?} on {:?}: {found:?}", shape.kind(), ground.kind());
        }
    }
}

#[test]
fn a_dip_between_two_states_is_found() {
    // A stick turns by a right angle over an obstacle that it only reaches on the way.
    let stick = cuboid(2.0, 0.02, 0.02);
    let pin = cuboid(0.05, 0.05, 1.0);
    let obstacle = Vec3::new(0.5, 0.5, 0.0);
    let from = turned(Vec3::Z, 0.0, -obstacle);
    let to = turned(Vec3::Z, std::f64::consts::FRAC_PI_2, -obstacle);
    let found = motion(&pin, &stick, &from, &to);
    assert_eq!((found.depth(), found.crossings.len()), (0.0, 1), "{found:?}");
}

#[test]
fn a_ball_that_passes_over_an_edge_by_a_hair_is_clean_and_one_that_grazes_it_is_not() {
    let (block, ball) = (cuboid(1.0, 1.0, 1.0), Shape::sphere(0.1).unwrap());
    let reach = 0.1 * 0.5_f64.sqrt();
    for (by, clean) in [(1e-9, true), (-1e-7, false)] {
        let middle = Vec3::new(0.5 + reach + by, 0.0, 0.5 + reach + by);
        let along = Vec3::new(1.0, 0.3, -1.0);
        let place = |t: f64| Pose::from_translation(middle + t * along).unwrap();
        let found = motion(&block, &ball, &place(-0.7), &place(0.6));
        assert_eq!(found.is_clean(0.0), clean, "{by}: {found:?}");
    }
}

#[test]
fn edges_that_pass_each_other_by_a_hair_are_clean_and_those_that_cut_are_not() {
    let block = cuboid(1.0, 1.0, 1.0);
    let up = 0.5_f64.sqrt();
    for (by, clean) in [(1e-9, true), (-1e-7, false)] {
        let place = |t: f64| {
            let turn = Quat::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_4);
            Pose::new(Vec3::new(0.1 + t, 0.2 - t, 2.0 * up + by + t.abs()), turn).unwrap()
        };
        let mut checker = two(&block, &block);
        let lower = turned(Vec3::X, std::f64::consts::FRAC_PI_4, Vec3::ZERO);
        checker.state(0.0, &[lower, place(-0.1)]).unwrap();
        checker.state(1.0, &[lower, place(0.0)]).unwrap();
        checker.state(2.0, &[lower, place(0.1)]).unwrap();
        let found = checker.verdict();
        assert_eq!(found.is_clean(0.0), clean, "{by}: {found:?}");
    }
}

#[test]
fn a_corner_that_goes_around_the_rim_of_a_hole_by_nanometres_is_clean() {
    // A tilted peg of 10 mm slips out of its hole: a corner of it leaves the wall over the rim, 5e-9 m away,
    // while the plane of the wall changes sides. From `prove steps`, trial 202.
    let fit = PegAndHole { facets: 28, clearance: 7.384865826321588e-5, ..PegAndHole::default() };
    let pose = |at: [f64; 3], turn: [f64; 4]| Pose::new(Vec3::from(at), Quat::from_array(turn)).unwrap();
    let from = pose(
        [-0.007396055889721244, -0.007348535118453726, 0.0311280568564225],
        [0.23822918307548901, -0.23958964990178083, -0.00034623774706323327, 0.9411926137144033],
    );
    let to = pose(
        [-0.007401811653501114, -0.0073542265315849, 0.031122437032975406],
        [0.23848517327434626, -0.23984790519359606, -0.0003465690949553762, 0.9410619981661206],
    );
    let found = motion(&solid(&fit.block().unwrap()), &solid(&fit.peg().unwrap()), &from, &to);
    assert!(found.is_clean(0.0), "{found:?}");
}

#[test]
fn a_needle_that_turns_is_clean_around_the_edge_of_a_sheet_and_crosses_below_it() {
    let sheet = vec![Vec3::ZERO, Vec3::Y, Vec3::new(0.0, 0.5, -1.0)];
    // Its tip is at the origin of its frame. It leans to where x is less, so that the tip alone decides: it
    // passes the plane of the sheet, x = 0, above the edge or below it.
    let needle = vec![Vec3::ZERO, Vec3::new(-0.1, 0.4, 1.0), Vec3::new(-0.3, 0.2, 1.0)];
    let [sheet, needle] =
        [sheet, needle].map(|points| Shape::soup(Soup::new(points, vec![[0, 1, 2]]).unwrap()));
    // Less than `TOUCHING` below the edge would count as touching it.
    let heights = [1e-7, 1e-9, 1e-10, 1e-11, 1e-13, -1e-8, -1e-3];
    // The tip is in the plane of the sheet at times that are fractions of two, and at others.
    let ways = [(-1e-6, 1e-6), (-1e-6, 3e-6), (-1e-5, 1.7e-6), (-1e-3, 2.3e-3), (-0.01, 0.02)];
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 2.0, 3.0).normalize()];
    let turns = axes.into_iter().flat_map(|axis| [1e-4, 1e-3, 0.03].map(|angle| (axis, angle)));
    for (height, (from, until)) in heights.into_iter().flat_map(|height| ways.map(|way| (height, way))) {
        for ((axis, angle), slope) in
            turns.clone().flat_map(|turn| [0.0, 0.1, 1.0, 10.0].map(|slope| (turn, slope)))
        {
            let place =
                |x: f64, turn: f64| turned(axis, turn, Vec3::new(x, 0.45 + 0.3 * x, height + slope * x));
            let ends = [place(from, -angle), place(until, angle)];
            for [from, to] in [ends, [ends[1], ends[0]]] {
                let found = motion(&sheet, &needle, &from, &to);
                let case = format!("{height} {slope} {axis} {angle} {from:?}: {found:?}");
                assert_eq!(found.crossings.len(), usize::from(height < 0.0), "{case}");
                assert!(found.undecided.is_empty(), "{case}");
            }
        }
    }
}

#[test]
fn edges_that_turn_past_parallel_at_a_tiny_gap_are_clean_and_those_that_cut_are_not() {
    // Two sheets lean to the same side of the edges at which they all but meet: only the direction across
    // both edges parts them.
    let lower = vec![Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.1, -1.0, -1.0)];
    let upper = vec![Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.1, -2.0, 1.0)];
    let [lower, upper] =
        [lower, upper].map(|points| Shape::soup(Soup::new(points, vec![[0, 1, 2]]).unwrap()));
    let frames =
        [Pose::IDENTITY, turned(Vec3::new(0.3, 0.5, 0.2).normalize(), 0.7, Vec3::new(0.3, 0.1, 0.2))];
    for (frame, gap) in
        frames.into_iter().flat_map(|frame| [1e-8, 1e-9, 1e-10, 1e-12, -1e-7].map(|gap| (frame, gap)))
    {
        for (from, until) in [(-3e-8, 8e-8), (-1e-6, 3e-6), (1e-9, 6e-8), (-1e-2, 1.3e-2), (-0.3, 0.2)] {
            let place = |angle: f64| frame.compose(&turned(Vec3::Z, angle, gap * Vec3::Z));
            let mut checker = two(&lower, &upper);
            checker.state(0.0, &[frame, place(from)]).unwrap();
            checker.state(1.0, &[frame, place(until)]).unwrap();
            let found = checker.verdict();
            assert_eq!(found.is_clean(0.0), gap > 0.0, "{gap} {from}: {found:?}");
        }
    }
}

#[test]
fn a_half_space_that_turns_into_a_body_is_found() {
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    for shape in [cuboid(0.2, 0.2, 0.2), Shape::sphere(0.1).unwrap(), Shape::cylinder(0.1, 0.2).unwrap()] {
        for (angle, crosses) in [(-0.1, false), (0.3, true)] {
            let mut checker = two(&ground, &shape);
            checker.state(0.0, &[Pose::IDENTITY, at(-1.0, 0.0, 0.2)]).unwrap();
            checker.state(1.0, &[turned(Vec3::Y, angle, Vec3::ZERO), at(-1.0, 0.0, 0.2)]).unwrap();
            let found = checker.verdict();
            assert_eq!(found.depth() > 0.0, crosses, "{found:?}");
            assert_eq!(found.is_clean(0.0), !crosses, "{found:?}");
        }
    }
}

/// Shapes and how far they reach down.
fn resting_shapes() -> Vec<(Shape, f64)> {
    vec![
        (cuboid(1.0, 1.0, 1.0), 0.5),
        (Shape::sphere(0.5).unwrap(), 0.5),
        (Shape::capsule(0.25, 1.0).unwrap(), 0.75),
        (Shape::cylinder(0.5, 1.0).unwrap(), 0.5),
        (Shape::cone(0.5, 1.0).unwrap(), 0.5),
        (Shape::ellipsoid(Vec3::new(0.3, 0.4, 0.5)).unwrap(), 0.5),
        (solid(&primitives::prism(7, 0.5, 1.0).unwrap()), 0.5),
        (Shape::convex(&Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap()).unwrap(), 0.5),
    ]
}

/// What they rest on, and where its top is.
fn grounds() -> Vec<(Shape, f64)> {
    vec![
        (Shape::half_space(Plane { normal: Vec3::Z, offset: 0.25 }).unwrap(), 0.25),
        (cuboid(3.0, 2.0, 1.0), 0.5),
        (cuboid(1.0, 1.0, 1.0), 0.5),
        (Shape::cylinder(1.0, 1.0).unwrap(), 0.5),
    ]
}

#[test]
fn what_is_in_a_bowl_at_both_states_is_so_in_between_unless_its_rim_swings_out() {
    let bowl = Shape::cavity(1.0).unwrap();
    let low = |out: f64| at(0.8 * out, 0.0, -0.6 * out);
    for (shape, out) in [
        (Shape::sphere(0.2).unwrap(), 0.8),
        (Shape::cuboid(Vec3::splat(0.2)).unwrap(), 0.8),
        (Shape::ellipsoid(Vec3::new(0.2, 0.1, 0.1)).unwrap(), 0.79),
    ] {
        let found = motion(&bowl, &shape, &low(out), &low(-out));
        assert!(found.crossings.is_empty() && found.undecided.is_empty(), "{found:?}");
        assert_eq!(found.depth(), 0.0);
    }
    // A disc near the wall that turns about its diameter: edge on to the wall halfway, it reaches farthest.
    let disc = Shape::cylinder(0.5, 1e-3).unwrap();
    let turn = |angle: f64| turned(Vec3::Y, angle, Vec3::new(0.0, 0.0, -0.6));
    let found = motion(
        &bowl,
        &disc,
        &turn(std::f64::consts::FRAC_PI_2 - 0.9),
        &turn(std::f64::consts::FRAC_PI_2 + 0.9),
    );
    assert_eq!((found.depth(), found.crossings.len()), (0.0, 1), "{found:?}");
}
