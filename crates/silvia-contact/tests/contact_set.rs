//! Contacts over time: derivatives, journeys, reductions and admissible motions, each against something
//! simpler.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use silvia_contact::{
    AdmissibleError, Body, ContactSet, End, GapRow, Keep, Thresholds, Twist, nearest_admissible, reduce,
};
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{ContactCache, contact_at, contacts};
use silvia_proximity::shape::Shape;
use silvia_proximity::{
    ContactBody, ContactOptions, Feature, Hierarchy, ShapeContact, ShapeContactCache, Surface, shape_contacts,
};
use silvia_solid::parts::{CountersunkBolt, Gear, PegAndHole};
use silvia_solid::primitives::cuboid;
use silvia_solid::{Mat3, Pose, Quat, Solid, Soup, Vec3};

type Parts = Hierarchy<Obb>;

fn part(soup: Soup) -> Parts {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

fn pose(at: Vec3, turn: Vec3) -> Pose {
    Pose::new(at, Quat::from_scaled_axis(turn).normalize()).unwrap()
}

/// The pose after moving with a velocity about a centre for a time.
fn moved(pose: &Pose, centre: Vec3, velocity: &Twist, time: f64) -> Pose {
    let turn = Quat::from_scaled_axis(velocity.angular * time);
    let at = centre + velocity.linear * time + turn * (pose.translation() - centre);
    Pose::new(at, (turn * pose.rotation()).normalize()).unwrap()
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0).prop_map(move |v| size * Vec3::from(v))
}

fn twist() -> impl Strategy<Value = Twist> {
    (vector(0.01), vector(1.0)).prop_map(|(linear, angular)| Twist { linear, angular })
}

fn fits() -> Vec<(Parts, Parts, f64)> {
    let (peg, bolt) = (PegAndHole { facets: 8, ..PegAndHole::default() }, CountersunkBolt::default());
    let gear = Gear { flank_segments: 3, ..Gear::default() };
    vec![
        (part(peg.block().unwrap()), part(peg.peg().unwrap()), 4.0 * peg.clearance),
        (part(bolt.block().unwrap()), part(bolt.bolt().unwrap()), 4.0 * bolt.clearance),
        (part(gear.soup().unwrap()), part(gear.soup().unwrap()), 5e-4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn derivatives_of_gaps_agree_with_finite_differences(
        at in vector(1e-4), turn in vector(0.02), twists in [twist(), twist()], shift in vector(0.1),
    ) {
        for (i, (a, b, reach)) in fits().iter().enumerate() {
            let beside = if i == 2 { Vec3::new(0.0405, 0.0, 0.0) } else { Vec3::ZERO };
            let (pose_a, pose_b) = (pose(shift, 3.0 * turn), pose(shift + at + beside, turn));
            let centres = [shift, shift + Vec3::new(0.0, 0.001, 0.002)];
            let options = ContactOptions { reach: *reach, turn: 0.01 };
            // 1 us, at about 0.01 m/s and 1 rad/s.
            const STEP: f64 = 1e-6;
            for pair in contacts(a, &pose_a, b, &pose_b, &options, &mut ContactCache::new()).unwrap() {
                let gap = |time: f64| {
                    let pose_a = moved(&pose_a, centres[0], &twists[0], time);
                    let pose_b = moved(&pose_b, centres[1], &twists[1], time);
                    contact_at(a, &pose_a, b, &pose_b, &pair.key)
                };
                let (before, after) = (gap(-STEP), gap(STEP));
                // Nearly parallel edges have a normal that turns faster than differences can follow.
                if before.normal.distance(after.normal) > 1e-3 {
                    continue;
                }
                let difference = (after.gap - before.gap) / (2.0 * STEP);
                let rate = GapRow::new(&pair.state, centres).rate(twists);
                prop_assert!((difference - rate).abs() < 1e-6, "{pair:?}: {difference}, not {rate}");
            }
        }
    }
}

fn body(part: &Parts) -> ContactBody {
    match part.surface() {
        Surface::Solid(solid) => ContactBody::new(&Shape::solid(solid.clone())),
        Surface::Soup(soup) => ContactBody::new(&Shape::soup((**soup).clone())),
    }
}

/// All contacts of two bodies within reach.
fn find(
    a: &ContactBody,
    pose_a: &Pose,
    b: &ContactBody,
    pose_b: &Pose,
    options: &ContactOptions,
) -> Vec<ShapeContact> {
    shape_contacts(a, pose_a, b, pose_b, options, &mut ShapeContactCache::new()).unwrap()
}

/// How many contacts of each kind: vertex and face, edge and edge.
fn kinds(set: &ContactSet) -> (usize, usize) {
    let edges = set
        .iter()
        .filter(|(name, _)| matches!(name.key.features, [Feature::Edge(_), Feature::Edge(_)]))
        .count();
    (set.len() - edges, edges)
}

#[test]
fn a_box_settles_slides_rolls_over_an_edge_and_leaves() {
    let floor = part(cuboid(Vec3::new(6.0, 6.0, 1.0)).unwrap());
    let block = part(cuboid(Vec3::ONE).unwrap());
    let floor_pose = pose(Vec3::new(0.0, 0.0, -0.5), Vec3::ZERO);
    let thresholds = Thresholds::new(0.01, 0.02).unwrap();
    let mut set = ContactSet::new(thresholds);
    let mut table = String::from("what                contacts  vertex-face  edge-edge  born  ended\n");
    let mut go = |set: &mut ContactSet, what: &str, at: Vec3, turn: Vec3| {
        let at = pose(at, turn);
        let options = ContactOptions::within(thresholds.reach(), &floor, &block);
        let (floor, block) = (body(&floor), body(&block));
        let found = find(&floor, &floor_pose, &block, &at, &options);
        let changes = set.update(&floor, &floor_pose, &block, &at, &found);
        let (faces, edges) = kinds(set);
        table += &format!(
            "{what:<20}{:>8}{faces:>13}{edges:>11}{:>6}{:>7}\n",
            set.len(),
            changes.born.len(),
            changes.ended.len()
        );
        (faces, edges, changes)
    };
    let high = |z: f64| Vec3::new(0.2, 0.1, 0.5 + z);
    assert_eq!(go(&mut set, "above", high(0.5), Vec3::ZERO).0, 0);
    // Tilted so that an edge is nearer: its two vertices come first.
    assert_eq!(go(&mut set, "first touch", high(0.026), Vec3::new(0.0, 0.04, 0.0)).0, 2);
    assert_eq!(go(&mut set, "settled", high(0.005), Vec3::ZERO).0, 4);
    set.remember(&[Vec3::Z; 4]);
    // Between the thresholds: old contacts live, none would be born.
    let (faces, _, changes) = go(&mut set, "lifted a little", high(0.015), Vec3::ZERO);
    assert_eq!((faces, changes.born.len(), changes.ended.len()), (4, 0, 0));
    assert_eq!(go(&mut set, "slid", high(0.005) + Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO).0, 4);
    // Two vertices over the floor's edge at x = 3: the block's lower sides now cross that edge.
    let (faces, edges, changes) = go(&mut set, "slid over the edge", Vec3::new(2.8, 0.1, 0.505), Vec3::ZERO);
    assert_eq!((faces, edges), (2, 2));
    let heirs = changes.ended.iter().filter(|(_, end)| matches!(end, End::HandedTo(_))).count();
    assert_eq!((changes.born.len(), changes.ended.len(), heirs), (2, 2, 0));
    // Rolled about that edge: only the sides that cross it are left.
    let rolled = Quat::from_rotation_y(0.3) * (Vec3::new(2.8, 0.1, 0.505) - Vec3::new(3.0, 0.1, 0.0));
    let at = Vec3::new(3.0, 0.1, 0.0) + rolled;
    let (faces, edges, _) = go(&mut set, "rolled over it", at, Vec3::new(0.0, 0.3, 0.0));
    assert_eq!((faces, edges), (0, 2));
    let (faces, edges, changes) = go(&mut set, "left", at + Vec3::Z, Vec3::new(0.0, 0.3, 0.0));
    assert_eq!((faces, edges), (0, 0));
    assert!(changes.ended.iter().all(|(_, end)| *end == End::Separated));
    println!("{table}");
}

#[test]
fn a_vertex_that_slides_to_the_next_face_takes_its_impulse_along() {
    // Two plates of one block, at a slight angle: a roof with its ridge along y.
    let ridge = silvia_solid::primitives::extrusion(
        &[[-2.0, -1.0], [2.0, -1.0], [2.0, 0.0], [0.0, 0.05], [-2.0, 0.0]],
        &[],
        4.0,
    )
    .unwrap();
    let roof = body(&part(
        ridge.posed(&Pose::new(Vec3::ZERO, Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)).unwrap()),
    ));
    // A pyramid on its tip, which is a vertex and nothing else.
    let tip = body(&part(silvia_solid::primitives::cone(0.5, 1.0, 4).unwrap()));
    let at = |x: f64| {
        let height = 0.05 - 0.025 * x.abs() + 0.002;
        pose(Vec3::new(x, 0.3, height + 0.5), Vec3::new(std::f64::consts::PI, 0.0, 0.0))
    };
    let thresholds = Thresholds::new(0.01, 0.02).unwrap();
    let mut set = ContactSet::new(thresholds);
    let step = |set: &mut ContactSet, x: f64| {
        let options = ContactOptions { reach: thresholds.reach(), turn: 0.0 };
        let found = find(&roof, &Pose::IDENTITY, &tip, &at(x), &options);
        set.update(&roof, &Pose::IDENTITY, &tip, &at(x), &found)
    };
    assert_eq!(step(&mut set, -0.2).born.len(), 1);
    set.remember(&[Vec3::new(0.0, 0.0, 7.0)]);
    let changes = step(&mut set, 0.2);
    assert_eq!((changes.born.len(), changes.ended.len()), (1, 1));
    assert_eq!(changes.ended[0].1, End::HandedTo(changes.born[0]));
    assert_eq!(set.get(&changes.born[0]).unwrap().impulse, Vec3::new(0.0, 0.0, 7.0));
}

#[test]
fn a_pair_that_a_check_reports_joins_the_set_from_afar() {
    let (floor, block) =
        (body(&part(cuboid(Vec3::splat(4.0)).unwrap())), body(&part(cuboid(Vec3::ONE).unwrap())));
    let above = pose(Vec3::new(0.0, 0.0, 2.9), Vec3::ZERO);
    let options = ContactOptions { reach: 0.5, turn: 0.0 };
    let found = find(&floor, &Pose::IDENTITY, &block, &above, &options);
    let mut set = ContactSet::new(Thresholds::new(0.01, 0.5).unwrap());
    assert!(set.update(&floor, &Pose::IDENTITY, &block, &above, &found).born.is_empty());
    let below: Vec<&ShapeContact> = found.iter().filter(|pair| pair.state.holds).collect();
    assert!(set.grow(below[0]) && !set.grow(below[0]));
    set.update(&floor, &Pose::IDENTITY, &block, &above, &found);
    assert_eq!(set.len(), 1);
}

#[test]
fn thresholds_in_the_wrong_order_are_refused() {
    for (enter, leave) in [(0.02, 0.01), (0.01, 0.01), (0.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(Thresholds::new(enter, leave).is_err());
    }
}

/// Contacts of a flat patch of `n` by `n` points.
fn patch(n: i32, gap: f64) -> Vec<GapRow> {
    let at = |i: i32, j: i32| Vec3::new(f64::from(i), f64::from(j), 0.0) / f64::from(n - 1);
    (0..n * n).map(|k| GapRow { gap, normal: Vec3::Z, arms: [at(k % n, k / n), at(k % n, k / n)] }).collect()
}

#[test]
fn a_flat_patch_is_kept_by_its_corners() {
    for keep in [Keep::Velocities, Keep::Extent] {
        assert_eq!(reduce(&patch(20, 1e-3), keep), [0, 19, 380, 399]);
    }
}

#[test]
fn of_equal_contacts_the_first_is_kept() {
    let row = patch(2, 0.0)[0];
    assert_eq!(reduce(&[row; 5], Keep::Velocities), [0]);
    assert!(reduce(&[], Keep::Extent).is_empty());
}

#[test]
fn a_contact_between_two_others_that_lies_deeper_is_kept() {
    let row = |x: f64, gap: f64| GapRow { gap, normal: Vec3::Z, arms: [Vec3::new(x, 0.0, 0.0); 2] };
    assert_eq!(reduce(&[row(0.0, 0.0), row(0.5, -0.1), row(1.0, 0.0)], Keep::Velocities), [0, 1, 2]);
    assert_eq!(reduce(&[row(0.0, 0.0), row(0.5, 0.1), row(1.0, 0.0)], Keep::Velocities), [0, 2]);
}

fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<GapRow>> {
    let row = (prop::array::uniform3(-2i8..3), prop::array::uniform3(-2i8..3), 0i8..3).prop_filter_map(
        "a normal",
        |(normal, at, gap)| {
            let normal = Vec3::from(normal.map(f64::from)).try_normalize()?;
            let at = Vec3::from(at.map(f64::from));
            Some(GapRow { gap: f64::from(gap), normal, arms: [at; 2] })
        },
    );
    prop::collection::vec(row, count)
}

fn still() -> Body {
    Body::immovable(Twist::default())
}

fn heavy(velocity: Twist) -> Body {
    Body::free(2.0, Mat3::from_diagonal(Vec3::new(0.5, 1.0, 1.5)), velocity, velocity)
}

/// Half the kinetic energy of a difference, with the body above.
fn energy(a: &Twist, b: &Twist) -> f64 {
    let (l, w) = (a.linear - b.linear, a.angular - b.angular);
    2.0 * l.length_squared() + (Vec3::new(0.5, 1.0, 1.5) * w).dot(w)
}

proptest! {
    #[test]
    fn a_reduced_set_admits_the_same_velocities(rows in rows(1..25), velocities in prop::collection::vec(twist(), 40)) {
        let kept = reduce(&rows, Keep::Velocities);
        for velocity in &velocities {
            let fast = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
            let left = |row: &GapRow| row.gap + row.rate([Twist::default(), fast]);
            if kept.iter().all(|&i| left(&rows[i]) >= 0.0) {
                prop_assert!(rows.iter().all(|row| left(row) >= -1e-8), "{kept:?} of {rows:?}");
            }
        }
    }

    #[test]
    fn an_admissible_motion_is_admissible_and_none_nearer_is(
        rows in rows(1..12), velocity in twist(), others in prop::collection::vec(twist(), 60),
    ) {
        let velocity = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
        // Gaps are not negative, so that standing still is admissible and some motion always is.
        let found = nearest_admissible([&still(), &heavy(velocity)], &rows, 1.0).unwrap();
        prop_assert_eq!(found[0], Twist::default());
        for row in &rows {
            prop_assert!(row.gap + row.rate(found) >= -1e-9, "{} {}", row.gap, row.rate(found));
        }
        let best = energy(&found[1], &velocity);
        for other in others {
            // Toward the found one from admissible points near it: all convex combinations are admissible if
            // both ends are.
            let other = Twist {
                linear: found[1].linear + other.linear * 50.0,
                angular: found[1].angular + other.angular * 0.5,
            };
            if rows.iter().all(|row| row.gap + row.rate([Twist::default(), other]) >= 0.0) {
                prop_assert!(energy(&other, &velocity) >= best - 1e-9 * (1.0 + best));
            }
        }
    }
}

#[test]
fn contacts_that_exclude_each_other_admit_no_motion() {
    let row = |normal: Vec3| GapRow { gap: -0.1, normal, arms: [Vec3::ZERO; 2] };
    let squeezed = [row(Vec3::X), row(-Vec3::X)];
    let none = nearest_admissible([&still(), &heavy(Twist::default())], &squeezed, 1.0);
    assert_eq!(none, Err(AdmissibleError::None { contacts: 2 }));
    assert!(nearest_admissible([&still(), &heavy(Twist::default())], &[], f64::NAN).is_err());
}

#[test]
fn heavy_bodies_and_narrow_wedges_move_too() {
    let row = |x: f64, e: f64, gap: f64| GapRow {
        gap,
        normal: Vec3::new(x, 0.0, e).normalize(),
        arms: [Vec3::X; 2],
    };
    for mass in [1e-6, 1.0, 1e3, 1e7, 1e12] {
        let body =
            Body::free(mass, Mat3::from_diagonal(Vec3::splat(mass)), Twist::default(), Twist::default());
        for e in [1.0, 1e-2, 4e-4] {
            let rows = [row(1.0, e, -1e-6), row(-1.0, e, -1e-6)];
            let found = nearest_admissible([&still(), &body], &rows, 1.0).unwrap();
            for row in &rows {
                // A wedge turns rounding into its inverse square: 1e-16 / 1.6e-7 of the overlap.
                assert!(
                    row.gap + row.rate(found) >= -1e-8 * 1e-6,
                    "{mass} kg, {e}: {}",
                    row.gap + row.rate(found)
                );
            }
        }
    }
}

#[test]
fn a_part_that_fits_exactly_can_be_dragged_along() {
    let row = |normal: Vec3| GapRow { gap: -1e-18, normal, arms: [Vec3::new(0.0, 0.0, 0.01); 2] };
    let wish = Twist { linear: Vec3::Z, angular: Vec3::ZERO };
    let found = nearest_admissible([&still(), &heavy(wish)], &[row(Vec3::X), row(-Vec3::X)], 0.01).unwrap();
    assert!((found[1].linear - Vec3::Z).length() < 1e-12);
    assert!(nearest_admissible([&still(), &still()], &[row(Vec3::X)], 0.01).is_ok());
}

#[test]
fn a_dragged_peg_slides_along_its_hole() {
    let fit = PegAndHole { facets: 16, ..PegAndHole::default() };
    let (block, peg) = (part(fit.block().unwrap()), part(fit.peg().unwrap()));
    let options = ContactOptions::within(2.0 * fit.clearance, &block, &peg);
    let found =
        contacts(&block, &Pose::IDENTITY, &peg, &Pose::IDENTITY, &options, &mut ContactCache::new()).unwrap();
    let rows: Vec<GapRow> = found
        .iter()
        .filter(|pair| pair.state.holds)
        .map(|pair| GapRow::new(&pair.state, [Vec3::ZERO; 2]))
        .collect();
    // A hand pulls sideways and down; within the step only the clearance is left sideways, all of the way
    // down.
    let wish = Twist { linear: Vec3::new(1.0, 0.0, -0.5), angular: Vec3::ZERO };
    let hand = Body::free(1.0, Mat3::from_diagonal(Vec3::splat(1e-3)), wish, wish);
    let step = 0.01;
    let [_, motion] = nearest_admissible([&still(), &hand], &rows, step).unwrap();
    assert!((motion.linear.z + 0.5).abs() < 1e-9, "{motion:?}");
    assert!(motion.linear.x * step <= 1.1 * fit.clearance, "{motion:?}");
    assert!(motion.linear.x > 0.0);
}
