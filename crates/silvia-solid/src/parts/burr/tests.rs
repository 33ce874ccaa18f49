use super::*;
use crate::self_intersection::self_intersections;
use crate::testing::{assert_closed, volume};

/// All pieces, each moved.
fn are_apart(pieces: &[Soup; 3], moves: [Vec3; 3]) -> bool {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (piece, by) in pieces.iter().zip(moves) {
        let first = points.len() as u32;
        points.extend(piece.points().iter().map(|&p| p + by));
        triangles.extend(piece.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    self_intersections(&Soup::new(points, triangles).unwrap()).is_empty()
}

#[test]
fn the_pieces_are_closed_boards_with_slots() {
    let puzzle = CrossKeys::default();
    let pieces = puzzle.pieces().unwrap();
    // mm: 10 x 30 x 90 with slots of 10.2 x 30.2; the open one goes on to the edge, 15 from the middle.
    for (piece, slot) in pieces.iter().zip([10.2, 10.2, 15.0 + 5.1]) {
        assert_closed(piece);
        let expected = 1e-9 * 10.0 * (30.0 * 90.0 - 30.2 * slot);
        assert!((volume(piece) / expected - 1.0).abs() < 1e-12);
    }
    let sizes = pieces.each_ref().map(|piece| 1e3 * piece.bounds().size());
    let boards = [Vec3::new(10.0, 90.0, 30.0), Vec3::new(90.0, 30.0, 10.0), Vec3::new(30.0, 10.0, 90.0)];
    assert!(sizes.iter().zip(boards).all(|(size, board)| size.distance(board) < 1e-12), "{sizes:?}");
}

#[test]
fn assembled_pieces_do_not_touch_and_have_the_clearance_on_all_sides() {
    for clearance in [1e-4, 1e-5] {
        let puzzle = CrossKeys { clearance, ..CrossKeys::default() };
        let pieces = puzzle.pieces().unwrap();
        let rest = [Vec3::ZERO; 3];
        assert!(are_apart(&pieces, rest));
        // Every piece alone, either way along every axis: where it is blocked, it is so after the
        // clearance. The first leaves the open slot of the third; the second has the way to the rest of the
        // third beside it.
        let mut free = Vec::new();
        for piece in 0..3 {
            for axis in Vec3::AXES {
                for sign in [-1.0, 1.0] {
                    let moved = |by: f64| {
                        let mut moves = rest;
                        moves[piece] = sign * by * axis;
                        are_apart(&pieces, moves)
                    };
                    assert!(moved(0.99 * clearance));
                    if moved(1.01 * clearance) {
                        free.push((piece, sign * axis));
                    }
                }
            }
        }
        assert_eq!(free, [(0, -Vec3::X), (1, Vec3::X)]);
    }
}

#[test]
fn the_pieces_go_together_by_three_straight_moves() {
    let puzzle = CrossKeys::default();
    let pieces = puzzle.pieces().unwrap();
    let away = 2.2 * puzzle.thickness;
    let far = 1.2 * puzzle.length;
    for i in 0..=60 {
        let share = f64::from(i) / 60.0;
        let along = |from: f64, to: f64, axis: Vec3| (from + (to - from) * share) * axis;
        let aside = Vec3::Z * far;
        let moves = [
            [Vec3::ZERO, along(far, away, Vec3::X), aside + away * Vec3::X],
            [Vec3::ZERO, away * Vec3::X, away * Vec3::X + along(far, 0.0, Vec3::Z)],
            [Vec3::ZERO, along(away, 0.0, Vec3::X), along(away, 0.0, Vec3::X)],
        ];
        for (number, moves) in moves.into_iter().enumerate() {
            assert!(are_apart(&pieces, moves), "move {number} at {share}");
        }
    }
    // Without the way aside, the third meets the first.
    assert!(!are_apart(&pieces, [Vec3::ZERO, Vec3::ZERO, 0.4 * puzzle.thickness * Vec3::Z]));
}

#[test]
fn boards_without_room_for_their_slots_are_refused() {
    let usual = CrossKeys::default();
    for (wrong, message) in [
        (CrossKeys { width: 0.0101, ..usual }, "width is 0.0101: it must be above"),
        (CrossKeys { length: 0.0301, ..usual }, "length is 0.0301: it must be above"),
        (CrossKeys { thickness: f64::NAN, ..usual }, "thickness is NaN"),
        (CrossKeys { clearance: -1e-3, ..usual }, "clearance is -0.001"),
    ] {
        let error = wrong.pieces().map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    for (number, message) in [(0, "piece is 0: at least 1"), (4, "piece is 4: it must be below 4, since")] {
        let error = usual.piece(number).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let pieces = usual.pieces().unwrap();
    assert!(pieces.iter().zip(1..).all(|(piece, number)| usual.piece(number).as_ref() == Ok(piece)));
}
