//! Moving vertices, faces and edges against exact rationals.
//!
//! The cases and the oracle are those of the tests of `silvia-proximity`; here there are more of them.

#[path = "../../../crates/silvia-proximity/tests/elementary/cases.rs"]
mod cases;
#[allow(clippy::unwrap_used, reason = "its numbers are finite")]
#[path = "../../../crates/silvia-proximity/tests/elementary/oracle.rs"]
mod oracle;

use oracle::{Query, first_time};
use seeded::Random;
use silvia::proximity::elementary::{
    Kind, MovingPair, TIME_RESOLUTION, certainly_free, first_touch, free_until, touches,
};
use silvia::solid::Vec3;

/// One trial: the width of the bracket of the time, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let (edges, query) = cases::case(&mut |n| random.whole(0, n - 1));
    check(edges, &query)
}

fn check(edges: bool, query: &Query) -> Result<f64, String> {
    let kind = if edges { Kind::EdgeEdge } else { Kind::VertexFace };
    let points = |from: usize| std::array::from_fn(|i| Vec3::from(query[from + i]));
    let pair = MovingPair::new(kind, points(0), points(4)).map_err(|e| e.to_string())?;
    let (truth, touch) = (first_time(edges, query), first_touch(&pair));
    if touches(&pair) != truth.is_some() {
        return Err(format!("touches: {}, which is wrong: {pair:?}", truth.is_none()));
    }
    match (touch, truth) {
        (None, None) => Ok(0.0),
        (Some(touch), Some(truth)) => {
            let width = touch.upper - touch.lower;
            if !truth.is_within(touch.lower, touch.upper) || width > TIME_RESOLUTION {
                return Err(format!("not the first time: {touch:?} {pair:?}"));
            }
            if certainly_free(&pair, touch.upper) || !truth.is_within(free_until(&pair), 1.0) {
                return Err(format!("said to be free while it touches: {touch:?} {pair:?}"));
            }
            Ok(width)
        }
        (touch, _) => Err(format!("{touch:?} is wrong: {pair:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_knows_when_a_falling_vertex_lands() {
        let face = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let falling = |x: f64, y: f64| -> Query {
            let [a, b, c] = face;
            [[x, y, 1.0], a, b, c, [x, y, -2.0], a, b, c]
        };
        let landed = first_time(false, &falling(1.0, 1.0)).unwrap();
        assert!(landed.is_within(0.333, 0.334) && !landed.is_within(0.334, 1.0));
        assert!(first_time(false, &falling(2.0, 2.0)).is_some());
        assert!(first_time(false, &falling(2.0, 2.0f64.next_up())).is_none());
    }

    #[test]
    fn the_oracle_knows_parallel_edges_that_meet() {
        let edges = |y: f64| -> Query {
            let (a, b) = ([0.0; 3], [4.0, 0.0, 0.0]);
            [a, b, [1.0, y, 1.0], [5.0, y, 1.0], a, b, [1.0, y, -1.0], [5.0, y, -1.0]]
        };
        assert!(first_time(true, &edges(0.0)).unwrap().is_within(0.5, 0.5));
        assert!(first_time(true, &edges(1e-300)).is_none());
    }
}
