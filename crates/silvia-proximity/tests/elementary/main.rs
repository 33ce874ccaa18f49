//! The elementary tests against an oracle in exact rationals, and what must hold of any answer.

#![allow(clippy::unwrap_used)]

mod cases;
mod oracle;

use cases::case;
use oracle::{Query, first_time};
use proptest::prelude::*;
use seeded::Random;
use silvia_proximity::elementary::{
    APPROACH_TOLERANCE, EdgePart, Kind, MovingPair, Place, TIME_RESOLUTION, Touch, certainly_free,
    first_approach, first_touch, free_until, interpolated_touch, touches,
};
use silvia_proximity::triangle::{TriangleFeature, closest_on_triangle};
use silvia_solid::Vec3;

fn pair(edges: bool, query: &Query) -> MovingPair {
    let kind = if edges { Kind::EdgeEdge } else { Kind::VertexFace };
    let point = |i: usize| Vec3::from(query[i]);
    MovingPair::new(kind, std::array::from_fn(point), std::array::from_fn(|i| point(i + 4))).unwrap()
}

fn drawn(seed: u64) -> (bool, Query) {
    let mut random = Random::new(seed);
    case(&mut |n| random.below(n as usize) as u64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_answer_and_the_time_are_those_of_exact_rationals(seed: u64) {
        let (edges, query) = drawn(seed);
        let truth = first_time(edges, &query);
        let pair = pair(edges, &query);
        let touch = first_touch(&pair);
        prop_assert_eq!(touch.is_some(), truth.is_some(), "{:?}", pair);
        prop_assert_eq!(touches(&pair), truth.is_some());
        if let (Some(Touch { lower, upper, .. }), Some(truth)) = (touch, truth) {
            prop_assert!(truth.is_within(lower, upper), "{lower} {upper} {:?}", pair);
            prop_assert!(upper - lower <= TIME_RESOLUTION);
            prop_assert!((0.0..=1.0).contains(&lower) && upper <= 1.0);
            // The filters are never late.
            prop_assert!(!certainly_free(&pair, upper));
            let free = free_until(&pair);
            prop_assert!(truth.is_within(free, 1.0), "{free} {:?}", pair);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn the_order_of_points_and_the_direction_of_time_do_not_matter(seed: u64) {
        let (edges, query) = drawn(seed);
        let first = first_touch(&pair(edges, &query));
        let orders: &[[usize; 4]] = if edges {
            &[[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
        } else {
            &[[0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 3, 2], [0, 3, 2, 1]]
        };
        for order in orders {
            let permuted: Query = std::array::from_fn(|i| query[order[i % 4] + i / 4 * 4]);
            let other = first_touch(&pair(edges, &permuted));
            prop_assert_eq!(first.is_some(), other.is_some(), "{:?} {:?}", order, query);
            if let (Some(a), Some(b)) = (first, other) {
                prop_assert!(a.lower <= b.upper && b.lower <= a.upper, "{a:?} {b:?} {query:?}");
            }
        }
        let back: Query = std::array::from_fn(|i| query[(i + 4) % 8]);
        prop_assert_eq!(first.is_some(), touches(&pair(edges, &back)), "{:?}", query);
    }

    #[test]
    fn scaling_by_a_power_of_two_changes_nothing(seed: u64, power in -200i32..200) {
        let (edges, query) = drawn(seed);
        let most = query.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        let least =
            query.iter().flatten().filter(|x| **x != 0.0).fold(f64::INFINITY, |m: f64, x| m.min(x.abs()));
        let factor = f64::from(2).powi(power);
        // Only where no digit is lost at either end of the range.
        if !(most * factor).is_finite() || least * factor < 1e-290 {
            return Ok(());
        }
        let scaled = query.map(|p| p.map(|x| x * factor));
        let (a, b) = (first_touch(&pair(edges, &query)), first_touch(&pair(edges, &scaled)));
        prop_assert_eq!(a.is_some(), b.is_some());
        if let (Some(a), Some(b)) = (a, b) {
            prop_assert!(a.lower <= b.upper && b.lower <= a.upper);
        }
    }

    #[test]
    fn an_approach_is_never_late_and_not_made_up(seed: u64, separation in 0.0..0.5) {
        let (edges, query) = drawn(seed);
        let pair = pair(edges, &query);
        let largest = query.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        // The oracle below squares lengths.
        if !(1e-100..1e100).contains(&largest) {
            return Ok(());
        }
        let separation = separation * largest;
        let approach = first_approach(&pair, separation).unwrap();
        let until = approach.map_or(1.0, |a| a.time);
        let slack = 1e-13 * largest;
        for step in 0..=50 {
            let time = until * f64::from(step) / 50.0;
            if approach.is_none() || time < until {
                prop_assert!(distance(&pair, time) > separation - slack, "{time} {approach:?} {pair:?}");
            }
        }
        if let Some(approach) = approach && approach.reached {
            let within = separation + 2.0 * APPROACH_TOLERANCE * largest + slack;
            // A degenerate face leaves its closest point to rounding.
            prop_assert!(distance(&pair, approach.time) <= within * (1.0 + 1e-6), "{approach:?} {pair:?}");
        }
    }
}

/// The distance at a time, by the closest of dense samples of the features, then improved.
fn distance(pair: &MovingPair, time: f64) -> f64 {
    let [a, b, c, d]: [Vec3; 4] = std::array::from_fn(|i| pair.start()[i].lerp(pair.end()[i], time));
    match pair.kind() {
        Kind::VertexFace => closest_on_triangle(a, &[b, c, d]).0.distance(a),
        Kind::EdgeEdge => {
            // Distance to a segment is convex along the other.
            let to = |s: f64| {
                let p = a.lerp(b, s);
                closest_on_triangle(p, &[c, d, d]).0.distance(p)
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..80 {
                let (l, h) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if to(l) < to(h) { high = h } else { low = l }
            }
            to(0.5 * (low + high)).min(to(0.0)).min(to(1.0))
        }
    }
}

const FACE: [Vec3; 3] = [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];

fn falling(x: f64, y: f64) -> MovingPair {
    MovingPair::vertex_face([Vec3::new(x, y, 1.0), Vec3::new(x, y, -3.0)], [FACE; 2]).unwrap()
}

#[test]
fn a_falling_vertex_meets_the_inside_a_side_or_a_corner() {
    for (x, y, part) in [
        (1.0, 1.0, TriangleFeature::Face),
        (2.0, 0.0, TriangleFeature::Edge(0)),
        (2.0, 2.0, TriangleFeature::Edge(1)),
        (0.0, 1.0, TriangleFeature::Edge(2)),
        (0.0, 0.0, TriangleFeature::Vertex(0)),
        (4.0, 0.0, TriangleFeature::Vertex(1)),
        (0.0, 4.0, TriangleFeature::Vertex(2)),
    ] {
        let touch = first_touch(&falling(x, y)).unwrap();
        assert_eq!(touch.place, Place::VertexFace(part));
        assert!(touch.lower <= 0.25 && 0.25 <= touch.upper, "{touch:?}");
        assert_eq!(interpolated_touch(&falling(x, y)), Some(0.25));
    }
    assert_eq!(first_touch(&falling(2.0, 2.0f64.next_up())), None);
}

#[test]
fn crossing_edges_meet_inside_or_at_their_ends() {
    let still = [[Vec3::ZERO, 4.0 * Vec3::X]; 2];
    for (x, y, parts) in [
        (1.0, -1.0, (EdgePart::Inside, EdgePart::Inside)),
        (0.0, -1.0, (EdgePart::Start, EdgePart::Inside)),
        (4.0, 0.0, (EdgePart::End, EdgePart::Start)),
        (1.0, -4.0, (EdgePart::Inside, EdgePart::End)),
    ] {
        let at = |z: f64| [Vec3::new(x, y, z), Vec3::new(x, y + 4.0, z)];
        let touch = first_touch(&MovingPair::edge_edge(still, [at(1.0), at(-3.0)]).unwrap()).unwrap();
        assert_eq!(touch.place, Place::EdgeEdge(parts.0, parts.1));
        assert!(touch.lower <= 0.25 && 0.25 <= touch.upper);
    }
}

#[test]
fn vertices_meet_edges_and_vertices() {
    let vertex = [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0)];
    let edge = MovingPair::vertex_edge(vertex, [[Vec3::ZERO, 3.0 * Vec3::X]; 2]).unwrap();
    let touch = first_touch(&edge).unwrap();
    assert_eq!((touch.lower, touch.place), (0.5, Place::VertexFace(TriangleFeature::Edge(0))));
    let vertices = MovingPair::vertex_vertex(vertex, [Vec3::X; 2]).unwrap();
    let touch = first_touch(&vertices).unwrap();
    assert_eq!((touch.lower, touch.place), (0.5, Place::VertexFace(TriangleFeature::Vertex(0))));
    assert!(!touches(&MovingPair::vertex_vertex(vertex, [Vec3::new(1.0, 0.0, 1e-300); 2]).unwrap()));
}

#[test]
fn roots_two_thousand_halvings_apart_need_no_large_stack() {
    // The four points are in one plane when (3 t - 1)² h² = e²: twice, at times that differ by 2^-2095.
    let (huge, tiny) = (2f64.powi(1022), f64::from_bits(1));
    let at = |t: f64| {
        let h = huge * (3.0 * t - 1.0);
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, h, tiny], [0.0, tiny, h]]
    };
    let [start, end] = [at(0.0), at(1.0)];
    let query: Query = std::array::from_fn(|i| if i < 4 { start[i] } else { end[i - 4] });
    for edges in [false, true] {
        let pair = pair(edges, &query);
        const SMALL_STACK: usize = 128 << 10;
        let thread = std::thread::Builder::new().stack_size(SMALL_STACK);
        let touch = thread.spawn(move || first_touch(&pair)).unwrap().join().unwrap();
        // At the first the side from the third point to the fourth goes through the first point.
        let Touch { lower, upper, .. } = touch.unwrap();
        assert!(lower <= 1.0 / 3.0 + f64::EPSILON && 1.0 / 3.0 - f64::EPSILON <= upper, "{lower} {upper}");
    }
}

#[test]
fn a_point_that_is_not_finite_is_refused() {
    let bad = [Vec3::new(f64::NAN, 0.0, 0.0), Vec3::ZERO];
    assert!(MovingPair::vertex_face(bad, [FACE; 2]).unwrap_err().to_string().contains("must be finite"));
    let far = [Vec3::ZERO, Vec3::new(0.0, f64::INFINITY, 0.0)];
    assert!(MovingPair::vertex_vertex(far, [Vec3::ZERO; 2]).is_err());
}

#[test]
fn an_approach_is_never_late_at_the_ends_of_the_numbers() {
    // A vertex falls from height 1 through a face at height 0: at a quarter of the height after three
    // quarters of the time.
    for exponent in [-1060, -1021, -500, 0, 500, 1010, 1022] {
        // In two factors: the smallest are below the smallest normal number.
        let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let face = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]].map(|p| Vec3::from(p) * unit);
        let vertex = [Vec3::Z * unit, Vec3::ZERO];
        let pair = MovingPair::vertex_face(vertex, [face; 2]).unwrap();
        let approach = first_approach(&pair, 0.25 * unit).unwrap().unwrap();
        assert!(approach.reached && approach.time <= 0.75, "2^{exponent}: {approach:?}");
        assert!(approach.time > 0.75 - 1e-8, "2^{exponent}: {approach:?}");
    }
}

#[test]
fn a_separation_that_is_no_length_is_refused() {
    for separation in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(first_approach(&falling(1.0, 1.0), separation).is_err());
    }
    let approach = first_approach(&falling(1.0, 1.0), 0.5).unwrap().unwrap();
    assert!(approach.reached && (approach.time - 0.125).abs() < 1e-9 && approach.time <= 0.125);
}
