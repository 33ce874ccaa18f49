//! Ways that there are not, and parts that cannot be asked about.

use crate::shapes::{block, bottle, part, ship, solid, without};
use silvia_check::Checker;
use silvia_fit::{Answer, FitError, FitOptions, Part, assemble};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Vec3};
use std::time::Instant;

/// Pushes alone: trees take longer to find nothing.
fn few(tries: usize) -> FitOptions {
    FitOptions { tries, samples: 0, ..FitOptions::default() }
}

#[test]
fn a_ship_does_not_come_out_of_its_bottle() {
    let parts = [part("bottle", bottle(), Pose::IDENTITY), part("ship", ship(14.0), Pose::IDENTITY)];
    let answer = assemble(&parts, &few(200), |_| ()).unwrap();
    let Answer::NotFound { blocked, removed, tries, .. } = answer else { panic!("{answer:?}") };
    assert!(removed.is_empty() && tries == 200 && blocked.len() == 1 && blocked[0].part == 1);
    // The neck is from 51 mm to 64 mm; its half width is 6 mm, and the ship is 14 mm wide.
    let narrow = blocked[0].narrow.unwrap();
    assert!((0.05..0.065).contains(&narrow.at.z), "{narrow:?}");
    assert!(narrow.at.truncate().length() < 0.0145, "{narrow:?}");
    assert!(narrow.clearance < -1e-3 && narrow.clearance > -6e-3 && narrow.other == 0, "{narrow:?}");
    assert!(narrow.scale > 0.3 && narrow.scale < 0.9, "{narrow:?}");
    // It is stopped by what is above it, at the height of the shoulder.
    let stops = &blocked[0].stops;
    assert!(!stops.is_empty() && stops.iter().all(|stop| stop.other == 0));
    assert!((stops.iter().map(|stop| stop.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(stops[0].normal.z < 0.0 && stops[0].at.z > 0.035, "{:?}", stops[0]);
    // And the way until there is free.
    let shapes = parts.iter().map(|part| (part.name.clone(), part.shape.clone()));
    let mut checker = Checker::new(shapes).unwrap();
    for (time, pose) in blocked[0].path.iter().enumerate() {
        checker.state(time as f64, &[parts[0].goal, *pose]).unwrap();
    }
    assert!(checker.verdict().is_clean(1e-8), "{:?}", checker.verdict().largest);
}

#[test]
fn what_is_shut_in_leaves_no_narrow_place_either() {
    let hollow = without(block([-10.0; 3], [10.0; 3]), &[block([-8.0; 3], [8.0; 3])]);
    let parts =
        [part("shell", hollow, Pose::IDENTITY), part("core", block([-3.0; 3], [3.0; 3]), Pose::IDENTITY)];
    let answer = assemble(&parts, &few(60), |_| ()).unwrap();
    let Answer::NotFound { blocked, .. } = answer else { panic!("{answer:?}") };
    assert!(blocked[0].narrow.is_none());
}

#[test]
fn a_part_too_large_for_its_pocket_is_impossible() {
    let tray = without(
        block([-10.0, -10.0, -10.0], [10.0, 10.0, 0.0]),
        &[block([-5.0, -5.0, -5.0], [5.0, 5.0, 1.0])],
    );
    let parts = |half: f64| {
        let cube = block([-half, -half, -5.0], [half, half, 5.0]);
        [part("tray", tray.clone(), Pose::IDENTITY), part("cube", cube, Pose::IDENTITY)]
    };
    let Answer::Impossible { overlaps } = assemble(&parts(5.05), &few(10), |_| ()).unwrap() else {
        panic!("it is 0.1 mm wider than the pocket");
    };
    assert!(overlaps.len() == 1 && overlaps[0].parts == [0, 1] && overlaps[0].depth >= 0.05e-3);
    // Exactly as wide, it fits.
    assert!(matches!(assemble(&parts(5.0), &few(40), |_| ()).unwrap(), Answer::Assembled(_)));
}

/// A screw of four cubes and what is left of the cube around it: faces look at each other at corners, so that
/// drawing them in opens nothing. They touch, and one slides out: nothing says that they cannot be assembled.
#[test]
fn parts_that_touch_and_cannot_be_opened_are_not_called_impossible() {
    let read = |text: &str, name: &str| {
        let read = silvia_solid::files::read_bytes(text.as_bytes(), name, &Default::default()).unwrap();
        part(name, solid(&read.soup), Pose::IDENTITY)
    };
    let parts = [
        read(include_str!("../data/tetracube.obj"), "screw.obj"),
        read(include_str!("../data/tetracube_rest.obj"), "rest.obj"),
    ];
    let answer = assemble(&parts, &few(10), |_| ());
    assert!(matches!(answer, Err(FitError::Touching { .. })), "{answer:?}");
    assert!(answer.unwrap_err().to_string().contains("give them some clearance"));
}

#[test]
fn parts_that_make_no_question_are_told() {
    let cube = || block([-3.0; 3], [3.0; 3]);
    let one = [part("a", cube(), Pose::IDENTITY)];
    assert_eq!(assemble(&one, &few(1), |_| ()), Err(FitError::TooFew { given: 1 }));
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: -1.0 }).unwrap();
    let endless = [Part::new("ground", ground, Pose::IDENTITY), part("a", cube(), Pose::IDENTITY)];
    assert_eq!(assemble(&endless, &few(1), |_| ()), Err(FitError::Endless { name: "ground".to_owned() }));
    let far = Pose::from_translation(Vec3::X).unwrap();
    let twice = [part("a", cube(), Pose::IDENTITY), part("a", cube(), far)];
    let error = assemble(&twice, &few(1), |_| ()).unwrap_err();
    assert!(error.to_string().contains("of this name already"), "{error}");
}

#[test]
fn a_deadline_ends_the_search_at_once() {
    let parts = [part("bottle", bottle(), Pose::IDENTITY), part("ship", ship(14.0), Pose::IDENTITY)];
    let options = FitOptions { deadline: Some(Instant::now()), ..FitOptions::default() };
    let answer = assemble(&parts, &options, |_| ()).unwrap();
    assert!(matches!(answer, Answer::NotFound { tries: 0, samples: 0, .. }), "{answer:?}");
}
