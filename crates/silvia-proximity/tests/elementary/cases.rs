//! Moving pairs for the tests, most of them degenerate by construction.

use super::oracle::Query;

/// Evenly spread whole numbers below the one given.
pub(crate) type Below<'a> = &'a mut dyn FnMut(u64) -> u64;

/// The ways in which a case is made; all but the first are degenerate.
pub(crate) const WAYS: u64 = 12;

/// A case of one of the [`WAYS`], and whether it is of two edges.
pub(crate) fn case(below: Below<'_>) -> (bool, Query) {
    let edges = below(2) == 0;
    // Three quarters are degenerate by construction.
    let way = if below(4) == 0 { 0 } else { 1 + below(WAYS - 1) };
    let query = match way {
        0 => std::array::from_fn(|_| anywhere(below)),
        1 => std::array::from_fn(|_| lattice(below, 2)),
        2 => in_one_plane(below),
        3 => in_a_turning_plane(below),
        4 => touching_at_an_end(edges, below),
        5 => parallel_edges(below),
        6 => of_no_size(below),
        7 => without_motion(edges, below),
        8 => touching_within(edges, below),
        9 => collapsing(below),
        10 => noisy(edges, below),
        _ => nearly_touching(edges, below),
    };
    (edges, scaled(query, below))
}

fn anywhere(below: Below<'_>) -> [f64; 3] {
    std::array::from_fn(|_| below(1 << 53) as f64 / (1u64 << 52) as f64 - 1.0)
}

fn lattice(below: Below<'_>, half: u64) -> [f64; 3] {
    std::array::from_fn(|_| whole(below, half))
}

fn whole(below: Below<'_>, half: u64) -> f64 {
    below(2 * half + 1) as f64 - half as f64
}

/// Flat points in a tilted plane, which may be carried along.
fn in_one_plane(below: Below<'_>) -> Query {
    let tilt = [whole(below, 2), whole(below, 2)];
    let carried = [0.0, whole(below, 3)];
    std::array::from_fn(|i| {
        let (x, y) = (whole(below, 3), whole(below, 3));
        [x, y, tilt[0] * x + tilt[1] * y + carried[i / 4]]
    })
}

/// Points of a plane through the first axis that turns about it.
fn in_a_turning_plane(below: Below<'_>) -> Query {
    let direction = [[whole(below, 2), whole(below, 2)], [whole(below, 2), whole(below, 2)]];
    let off: [f64; 4] = std::array::from_fn(|_| whole(below, 3));
    std::array::from_fn(|i| {
        [whole(below, 3), off[i % 4] * direction[i / 4][0], off[i % 4] * direction[i / 4][1]]
    })
}

/// Touching when the points are at `touching`, which the motion passes at a quarter of its way, or at its
/// start or end.
fn touching_at_an_end(edges: bool, below: Below<'_>) -> Query {
    passing(edges, [0, 4][below(2) as usize], below)
}

fn touching_within(edges: bool, below: Below<'_>) -> Query {
    passing(edges, 1 + below(3), below)
}

fn passing(edges: bool, quarters: u64, below: Below<'_>) -> Query {
    let at = touching(edges, below);
    let speed: [[f64; 3]; 4] = std::array::from_fn(|_| lattice(below, 4));
    std::array::from_fn(|i| {
        let way = if i < 4 { -(quarters as f64) } else { 4.0 - quarters as f64 };
        std::array::from_fn(|k| at[i % 4][k] + way / 4.0 * speed[i % 4][k])
    })
}

/// Four points of which the pair touches: inside, on a side or at a corner.
fn touching(edges: bool, below: Below<'_>) -> [[f64; 3]; 4] {
    let mut p: [[f64; 3]; 4] = std::array::from_fn(|_| lattice(below, 4).map(|x| 4.0 * x));
    let mix = |from: [[f64; 3]; 3], weights: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|k| (0..3).map(|j| from[j][k] * weights[j]).sum::<f64>() / 4.0)
    };
    if edges {
        // Where they meet, in quarters of the first edge; the second edge's end is as far beyond as it comes
        // from.
        let s = below(5) as f64;
        let meeting = mix([p[0], p[1], p[0]], [4.0 - s, s, 0.0]);
        let beyond = below(3) as f64;
        p[3] = std::array::from_fn(|k| meeting[k] + beyond * (meeting[k] - p[2][k]));
    } else {
        let first = below(5);
        let second = below(5 - first);
        let weights = [first, second, 4 - first - second].map(|w| w as f64);
        p[0] = mix([p[1], p[2], p[3]], weights);
    }
    p
}

/// Touching but for the last place of one coordinate.
fn nearly_touching(edges: bool, below: Below<'_>) -> Query {
    let mut query = if below(2) == 0 {
        touching_at_an_end(edges, below)
    } else {
        let still = touching(edges, below);
        std::array::from_fn(|i| still[i % 4])
    };
    let (i, k) = (below(8) as usize, below(3) as usize);
    query[i][k] = if below(2) == 0 { query[i][k].next_up() } else { query[i][k].next_down() };
    query
}

/// As a body's points come out of a rotation: in one plane, or touching, but for noise far below the last
/// place of 1.
fn noisy(edges: bool, below: Below<'_>) -> Query {
    let mut query = match below(3) {
        0 => in_one_plane(below),
        1 => parallel_edges(below),
        _ => passing(edges, below(5), below),
    };
    for x in query.iter_mut().flatten() {
        let noise = whole(below, 3);
        if *x == 0.0 {
            *x = noise * 1e-17;
        } else if below(4) == 0 {
            *x *= 1.0 + noise * f64::EPSILON;
        }
    }
    query
}

fn parallel_edges(below: Below<'_>) -> Query {
    let mut query: Query = std::array::from_fn(|_| lattice(below, 3));
    for at in [0, 4] {
        let ratio = whole(below, 2);
        query[at + 3] = std::array::from_fn(|k| query[at + 2][k] + ratio * (query[at + 1][k] - query[at][k]));
    }
    query
}

/// Some points are one, or in one line.
fn of_no_size(below: Below<'_>) -> Query {
    let mut query: Query = std::array::from_fn(|_| lattice(below, 2));
    for at in [0, 4] {
        match below(3) {
            0 => query[at + 3] = query[at + 2],
            1 => (query[at + 1], query[at + 3]) = (query[at], query[at + 2]),
            _ => {
                let ratio = whole(below, 2);
                query[at + 3] =
                    std::array::from_fn(|k| query[at + 1][k] + ratio * (query[at + 2][k] - query[at + 1][k]));
            }
        }
    }
    query
}

fn without_motion(edges: bool, below: Below<'_>) -> Query {
    let still =
        if below(2) == 0 { touching(edges, below) } else { std::array::from_fn(|_| lattice(below, 2)) };
    let along = if below(2) == 0 { [0.0; 3] } else { lattice(below, 3) };
    std::array::from_fn(
        |i| {
            if i < 4 { still[i] } else { std::array::from_fn(|k| still[i - 4][k] + along[k]) }
        },
    )
}

/// A flat face that turns inside out while the vertex crosses its plane: multiple roots, and no area at one
/// of them.
fn collapsing(below: Below<'_>) -> Query {
    let mut query: Query = std::array::from_fn(|_| [whole(below, 3), whole(below, 3), 0.0]);
    query[0][2] = whole(below, 2);
    query[4][2] = whole(below, 2);
    query
}

/// At times far from 1, up to the ends of the range of numbers: all of it, or single coordinates.
fn scaled(mut query: Query, below: Below<'_>) -> Query {
    match below(12) {
        0 => query.iter_mut().flatten().for_each(|x| *x *= f64::from(2).powi(1000)),
        1 => query.iter_mut().flatten().for_each(|x| *x *= f64::from(2).powi(-1060)),
        2 => {
            let axis = below(3) as usize;
            query.iter_mut().for_each(|p| p[axis] *= f64::from(2).powi(300));
        }
        3 => query[below(8) as usize][below(3) as usize] *= f64::from(2).powi(-500),
        // Far from the origin, where coordinates keep few places.
        4 => query.iter_mut().flatten().for_each(|x| *x += 1e9),
        _ => {}
    }
    query
}
