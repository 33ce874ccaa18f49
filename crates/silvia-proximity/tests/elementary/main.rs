//! The elementary tests against an oracle in exact rationals.

mod cases;
mod oracle;

use cases::case;
use oracle::{Query, first_time};
use proptest::prelude::*;
use silvia_proximity::elementary::{
    Kind, MovingPair, TIME_RESOLUTION, Touch, certainly_free, first_touch, touches,
};
use silvia_solid::Vec3;

fn pair(edges: bool, query: &Query) -> MovingPair {
    let kind = if edges { Kind::EdgeEdge } else { Kind::VertexFace };
    let point = |i: usize| Vec3::from(query[i]);
    MovingPair::new(kind, std::array::from_fn(point), std::array::from_fn(|i| point(i + 4))).unwrap()
}

/// Cases from a seed.
fn drawn(seed: u64) -> (bool, Query) {
    let mut state = seed;
    let mut below = |n: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    };
    case(&mut below)
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
            prop_assert!(!certainly_free(&pair, upper));
        }
    }
}
