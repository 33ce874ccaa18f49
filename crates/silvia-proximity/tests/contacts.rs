//! Contacts of two bodies at an instant: which there are, and which there are not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{ContactCache, ContactPair, contact_at, contacts, distance};
use silvia_proximity::{ContactOptions, ContactsError, DistanceOptions, Feature, Hierarchy};
use silvia_solid::parts::{CountersunkBolt, Dovetail, PegAndHole};
use silvia_solid::primitives::{cuboid, cylinder};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};

type Part = Hierarchy<Obb>;

fn part(soup: Soup) -> Part {
    Hierarchy::new(Solid::from_soup(&soup).unwrap())
}

fn cube(x: f64, y: f64, z: f64) -> Part {
    part(cuboid(Vec3::new(x, y, z)).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn all(a: &Part, pose_a: &Pose, b: &Part, pose_b: &Pose, reach: f64) -> Vec<ContactPair> {
    contacts(a, pose_a, b, pose_b, &ContactOptions { reach, turn: 0.0 }, &mut ContactCache::new()).unwrap()
}

fn holding(found: &[ContactPair]) -> Vec<&ContactPair> {
    found.iter().filter(|pair| pair.state.holds).collect()
}

#[test]
fn a_box_on_a_larger_one_rests_on_its_four_corners() {
    let (floor, block) = (cube(4.0, 4.0, 1.0), cube(1.0, 1.0, 1.0));
    let found = all(&floor, &Pose::IDENTITY, &block, &at(0.3, 0.2, 1.01), 0.05);
    let held = holding(&found);
    assert_eq!(held.len(), 4, "{held:?}");
    for pair in held {
        assert!(matches!(pair.key.features, [Feature::Face(_), Feature::Vertex(_)]));
        assert_eq!(pair.state.normal, Vec3::Z);
        assert!((pair.state.gap - 0.01).abs() < 1e-15);
    }
}

#[test]
fn crossed_bars_touch_with_edges_turned_by_half_a_right_angle() {
    let bar = cube(4.0, 0.2, 0.2);
    let half = 0.1 * 2_f64.sqrt();
    let on_edge = Quat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let below = Pose::new(Vec3::ZERO, on_edge).unwrap();
    let across = Quat::from_rotation_z(0.7) * on_edge;
    let above = Pose::new(Vec3::new(0.0, 0.0, 2.0 * half + 0.001), across).unwrap();
    let found = all(&bar, &below, &bar, &above, 0.01);
    let held = holding(&found);
    assert_eq!(held.len(), 1, "{held:?}");
    assert!(matches!(held[0].key.features, [Feature::Edge(_), Feature::Edge(_)]));
    assert!((held[0].state.gap - 0.001).abs() < 1e-15 && held[0].state.normal.distance(Vec3::Z) < 1e-15);
    assert!(held[0].state.points[0].truncate().length() < 1e-14);
}

/// A floor of `2 n n` triangles, its inner points lifted by `lift`, closed below.
fn floor(n: u32, lift: impl Fn(u32, u32) -> f64) -> Soup {
    let side = n + 1;
    let inner = |i: u32| i > 0 && i < n;
    let mut points = Vec::new();
    for j in 0..side {
        for i in 0..side {
            let z = if inner(i) && inner(j) { lift(i, j) } else { 0.0 };
            points.push(Vec3::new(f64::from(i), f64::from(j), z));
        }
    }
    let top = side * side;
    points.extend(points.clone().iter().map(|p| Vec3::new(p.x, p.y, -1.0)));
    let at = |i: u32, j: u32| j * side + i;
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
            triangles.extend([[a, c, b], [a, d, c]].map(|t| t.map(|v| v + top)));
        }
    }
    for k in 0..n {
        for (p, q) in [
            (at(k, 0), at(k + 1, 0)),
            (at(n, k), at(n, k + 1)),
            (at(k + 1, n), at(k, n)),
            (at(0, k + 1), at(0, k)),
        ] {
            triangles.extend([[q, p, p + top], [q, p + top, q + top]]);
        }
    }
    Soup::new(points, triangles).unwrap()
}

#[test]
fn a_box_that_slides_over_a_thousand_triangles_in_one_plane_meets_no_edge_between_them() {
    let (ground, block) = (part(floor(23, |_, _| 0.0)), cube(3.3, 2.1, 1.0));
    for step in 0..60 {
        let s = f64::from(step);
        let pose = Pose::new(Vec3::new(5.0 + 0.21 * s, 6.0 + 0.15 * s, 0.5), Quat::from_rotation_z(0.1 * s))
            .unwrap();
        let found = all(&ground, &Pose::IDENTITY, &block, &pose, 0.01);
        let held = holding(&found);
        assert_eq!(held.len(), 4, "step {step}: {held:?}");
        assert!(held.iter().all(|pair| pair.state.normal == Vec3::Z && pair.state.gap.abs() < 1e-12));
    }
}

#[test]
fn a_box_that_slides_over_uneven_triangles_is_pushed_up_and_never_back() {
    // Bumps of a thousandth of a triangle's width.
    let uneven = |i: u32, j: u32| 1e-3 * f64::from((i * 7 + j * 13) % 11) / 11.0;
    let (ground, block) = (part(floor(23, uneven)), cube(3.3, 2.1, 1.0));
    for step in 0..60 {
        let s = f64::from(step);
        let turn = Quat::from_rotation_z(0.1 * s);
        let high = Pose::new(Vec3::new(5.0 + 0.21 * s, 6.0 + 0.15 * s, 0.6), turn).unwrap();
        let far = distance(&ground, &Pose::IDENTITY, &block, &high, &DistanceOptions::default()).unwrap();
        let pose = high.moved(Vec3::new(0.0, 0.0, 1e-9 - far.upper));
        let found = all(&ground, &Pose::IDENTITY, &block, &pose, 2e-3);
        let held = holding(&found);
        assert!(!held.is_empty());
        for pair in held {
            assert!(pair.state.normal.z > 0.999, "step {step}: {pair:?}");
            assert!(pair.state.gap >= -1e-12, "step {step}: {pair:?}");
        }
    }
}

#[test]
fn the_least_gap_that_holds_is_the_distance() {
    let fit = PegAndHole { facets: 7, ..PegAndHole::default() };
    let (block, peg) = (part(fit.block().unwrap()), part(fit.peg().unwrap()));
    for k in 0..40 {
        let k = f64::from(k);
        let turn = Quat::from_scaled_axis(1e-3 * Vec3::new((3.0 * k).sin(), (5.0 * k).sin(), k.sin()));
        let place = 2e-5 * Vec3::new(k.cos(), (2.0 * k).sin(), 100.0 * (0.3 * k).sin());
        let pose = Pose::new(place, turn.normalize()).unwrap();
        let found = distance(&block, &Pose::IDENTITY, &peg, &pose, &DistanceOptions::default()).unwrap();
        if found.upper == 0.0 {
            continue;
        }
        let pairs = all(&block, &Pose::IDENTITY, &peg, &pose, 1e-3);
        let least = holding(&pairs).iter().map(|pair| pair.state.gap).fold(f64::INFINITY, f64::min);
        assert!((least - found.upper).abs() < 1e-14, "{least}, not {}", found.upper);
    }
}

#[test]
fn what_goes_round_a_thin_plate_is_not_held_by_its_front() {
    let (plate, spike) = (cube(2.0, 2.0, 1e-3), part(silvia_solid::primitives::cone(0.3, 1.0, 5).unwrap()));
    let up = |z: f64| Pose::new(Vec3::new(0.0, 0.0, z), Quat::from_rotation_x(std::f64::consts::PI)).unwrap();
    let above = all(&plate, &Pose::IDENTITY, &spike, &up(0.505), 0.02);
    let held = holding(&above);
    assert_eq!(held.len(), 1);
    // The same pair with the tip just behind the plate: its front is passed, but nothing is inside.
    let state = contact_at(&plate, &Pose::IDENTITY, &spike, &up(0.498), &held[0].key);
    assert!(state.gap < 0.0 && !state.holds, "{state:?}");
    // And with the tip in the plate.
    let state = contact_at(&plate, &Pose::IDENTITY, &spike, &up(0.5), &held[0].key);
    assert!(state.gap < 0.0 && state.holds, "{state:?}");
}

fn mirrored(pairs: Vec<ContactPair>) -> Vec<ContactPair> {
    let mut pairs: Vec<ContactPair> = pairs
        .into_iter()
        .map(|mut pair| {
            pair.key.features.reverse();
            pair.state.points.reverse();
            pair.state.normal = -pair.state.normal;
            pair
        })
        .collect();
    pairs.sort_by_key(|pair| pair.key);
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn exchanging_the_bodies_mirrors_the_contacts_to_the_bit(
        turn in prop::array::uniform3(-0.02..0.02), place in prop::array::uniform3(-1e-4..1e-4),
        far in 0.0..10.0,
    ) {
        let fit = Dovetail::default();
        let (tail, socket) = (part(fit.tail().unwrap()), part(fit.socket().unwrap()));
        let pose_a = at(far, 2.0 * far, 0.1);
        let turn = Quat::from_scaled_axis(Vec3::from(turn));
        let pose_b = Pose::new(pose_a.translation() + Vec3::from(place), turn.normalize()).unwrap();
        let options = ContactOptions { reach: 2e-3, turn: 0.05 };
        let one = contacts(&tail, &pose_a, &socket, &pose_b, &options, &mut ContactCache::new()).unwrap();
        let other = contacts(&socket, &pose_b, &tail, &pose_a, &options, &mut ContactCache::new()).unwrap();
        prop_assert!(!one.is_empty());
        prop_assert_eq!(mirrored(one), other);
    }
}

#[test]
fn every_facet_of_a_bolt_in_its_place_is_held_alike() {
    for segments in [12, 48] {
        let fit = CountersunkBolt { segments, ..CountersunkBolt::default() };
        let (block, bolt) = (part(fit.block().unwrap()), part(fit.bolt().unwrap()));
        let found = all(&block, &Pose::IDENTITY, &bolt, &Pose::IDENTITY, 2e-4);
        let held = holding(&found);
        // All is the same after a turn by one facet, so each facet's share of what holds is too.
        let mut shares = vec![0; segments];
        for pair in &held {
            let normal = pair.state.normal;
            let turn = normal.y.atan2(normal.x) / std::f64::consts::TAU * segments as f64;
            shares[turn.rem_euclid(segments as f64).floor() as usize % segments] += 1;
        }
        assert!(
            shares.iter().all(|&share| share == shares[0] && share > 0),
            "{segments} segments: {shares:?}"
        );
    }
}

#[test]
fn thin_bars_that_cross_have_one_contact_and_no_ghost_behind_it() {
    let bar = cube(4.0, 0.01, 0.01);
    let half = 0.005 * 2_f64.sqrt();
    let on_edge = Quat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let above = Pose::new(Vec3::ZERO, on_edge).unwrap();
    let below = |gap: f64| {
        Pose::new(Vec3::new(0.0, 0.0, -2.0 * half - gap), Quat::from_rotation_z(0.7) * on_edge).unwrap()
    };
    for gap in [1e-3, -2e-3, -6e-3] {
        let found = all(&bar, &above, &bar, &below(gap), 0.05);
        let held = holding(&found);
        assert_eq!(held.len(), 1, "gap {gap}: {held:?}");
        assert!(
            (held[0].state.gap - gap).abs() < 1e-12 && held[0].state.normal.z < -0.99,
            "gap {gap}: {held:?}"
        );
    }
}

#[test]
fn a_rod_that_rolls_within_reach_meets_only_what_was_found() {
    let (floor, rod) = (cube(4.0, 4.0, 1.0), cube(1.0, 0.01, 0.01));
    let placed =
        |roll: f64, z: f64| Pose::new(Vec3::new(0.0, 0.0, 0.5 + z), Quat::from_rotation_x(roll)).unwrap();
    let lowest = 0.005 * (0.1_f64.cos() + 0.1_f64.sin());
    let (start, end) = (placed(0.1, lowest + 1e-4), placed(-0.1, lowest - 1e-4));
    let corners = rod.surface().soup().points();
    let moved = corners.iter().map(|&p| start.transform_point(p).distance(end.transform_point(p)));
    let reach = 1.05 * moved.fold(0.0, f64::max);
    let options = ContactOptions::within(reach, &floor, &rod);
    let found = contacts(&floor, &Pose::IDENTITY, &rod, &start, &options, &mut ContactCache::new()).unwrap();
    let blocked = found.iter().filter(|pair| {
        let state = contact_at(&floor, &Pose::IDENTITY, &rod, &end, &pair.key);
        state.gap < 0.0 && state.holds
    });
    assert!(blocked.count() >= 2);
}

#[test]
fn a_box_that_lies_flat_is_held_at_all_corners_however_it_is_turned() {
    let (floor, block) = (cube(4.0, 4.0, 1.0), cube(1.0, 1.0, 1.0));
    for k in 0..200 {
        let k = f64::from(k);
        let turn = Quat::from_scaled_axis(Vec3::new(3.0 * (7.0 * k).sin(), 2.0 * (3.0 * k).cos(), k.sin()))
            .normalize();
        let frame = Pose::new(Vec3::new(k.sin(), 0.2 * k, 1.0), turn).unwrap();
        let on_top = frame.compose(&at(0.3, 0.2, 1.001));
        let found = all(&floor, &frame, &block, &on_top, 0.01);
        assert_eq!(holding(&found).len(), 4, "frame {k}");
    }
}

#[test]
fn an_edge_along_an_edge_is_held() {
    // Two bars on their edges, parallel, one on the other.
    let bar = cube(1.0, 0.1, 0.1);
    let half = 0.05 * 2_f64.sqrt();
    let on_edge = Quat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let lower = Pose::new(Vec3::ZERO, on_edge).unwrap();
    for gap in [2e-3, 0.0, -2e-3] {
        let upper = Pose::new(Vec3::new(0.3, 0.0, 2.0 * half + gap), on_edge).unwrap();
        let found = all(&bar, &lower, &bar, &upper, 0.01);
        let held = holding(&found);
        assert!(
            held.iter().any(|pair| (pair.state.gap - gap).abs() < 1e-12 && pair.state.normal.z > 0.99),
            "{found:?}"
        );
        let [p, q] = held[0].state.points;
        assert!((q - p - held[0].state.gap * held[0].state.normal).length() < 1e-12);
    }
}

#[test]
fn a_cache_changes_nothing() {
    let fit = PegAndHole { facets: 12, ..PegAndHole::default() };
    let (block, peg) = (part(fit.block().unwrap()), part(fit.peg().unwrap()));
    let mut cache = ContactCache::new();
    let mut found = 0;
    for step in 0..200 {
        let s = f64::from(step);
        // Steps of a few hundredths of the reach, with a jump now and then, and a reach that changes.
        let jump = if step % 50 == 49 { 0.3 } else { 0.0 };
        let turn =
            Quat::from_scaled_axis(1e-3 * Vec3::new((0.03 * s).sin(), (0.05 * s).cos(), 0.2 * s.sin()));
        let place =
            1e-5 * Vec3::new((0.07 * s).sin(), (0.06 * s).cos(), 30.0 * s) + Vec3::new(0.0, 0.0, jump);
        let pose = Pose::new(place, turn.normalize()).unwrap();
        let reach = if step % 20 < 15 { 3e-4 } else { 4e-4 };
        let options = ContactOptions { reach, turn: 1e-3 };
        let cached = contacts(&block, &Pose::IDENTITY, &peg, &pose, &options, &mut cache).unwrap();
        let fresh =
            contacts(&block, &Pose::IDENTITY, &peg, &pose, &options, &mut ContactCache::new()).unwrap();
        found += fresh.len();
        assert_eq!(cached, fresh, "step {step}");
    }
    assert!(found > 1000);
    // The same cache, asked about others.
    let cube = cube(0.02, 0.02, 0.02);
    let options = ContactOptions { reach: 1e-3, turn: 0.0 };
    let pose = at(0.0, 0.0, 0.0255);
    let cached = contacts(&block, &Pose::IDENTITY, &cube, &pose, &options, &mut cache).unwrap();
    let fresh = contacts(&block, &Pose::IDENTITY, &cube, &pose, &options, &mut ContactCache::new()).unwrap();
    assert_eq!(cached, fresh);
}

#[test]
fn degenerate_touches_are_answered_finite_and_alike() {
    let cube = cube(1.0, 1.0, 1.0);
    let exact = PegAndHole { facets: 6, clearance: 0.0, ..PegAndHole::default() };
    let (block, peg) = (part(exact.block().unwrap()), part(exact.peg().unwrap()));
    let round = part(cylinder(0.5, 1.0, 24).unwrap());
    let cases: [(&Part, &Part, Pose); 7] = [
        (&cube, &cube, at(1.0, 0.0, 0.0)),  // coincident faces
        (&cube, &cube, at(1.0, 1.0, 0.0)),  // edge along edge
        (&cube, &cube, at(1.0, 1.0, 1.0)),  // vertex on vertex
        (&cube, &cube, at(1.0, 0.5, 0.25)), // faces, edges parallel
        (&cube, &cube, at(1.0, 1.0, 0.5)),  // edges overlapping by half
        (&block, &peg, Pose::IDENTITY),     // zero gap everywhere
        (&round, &cube, at(0.0, 0.0, 1.0)), // a round face on a square one
    ];
    for (index, (a, b, pose)) in cases.iter().enumerate() {
        let options = ContactOptions { reach: 1e-3, turn: 1e-3 };
        let one = contacts(a, &Pose::IDENTITY, b, pose, &options, &mut ContactCache::new()).unwrap();
        let other = contacts(b, pose, a, &Pose::IDENTITY, &options, &mut ContactCache::new()).unwrap();
        assert!(!one.is_empty(), "case {index}");
        for pair in &one {
            let state = &pair.state;
            assert!(
                state.gap.is_finite() && state.points.iter().all(|p| p.is_finite()),
                "case {index}: {pair:?}"
            );
            assert!((state.normal.length() - 1.0).abs() < 1e-12, "case {index}: {pair:?}");
            assert!(!state.holds || state.gap.abs() < 1e-15, "case {index}: {pair:?}");
        }
        assert_eq!(mirrored(one), other, "case {index}");
    }
}

#[test]
fn a_peg_that_fits_exactly_is_held_on_all_sides() {
    let fit = PegAndHole { facets: 6, clearance: 0.0, ..PegAndHole::default() };
    let (block, peg) = (part(fit.block().unwrap()), part(fit.peg().unwrap()));
    let found = all(&block, &Pose::IDENTITY, &peg, &Pose::IDENTITY, 1e-5);
    // The peg is longer than the hole: its upright edges cross the rims, so that edges hold it; no motion
    // sideways is free.
    let normals: Vec<Vec3> = found.iter().map(|pair| pair.state.normal).collect();
    for k in 0..12 {
        let direction = Quat::from_rotation_z(f64::from(k) * std::f64::consts::TAU / 12.0) * Vec3::X;
        assert!(normals.iter().any(|n| n.dot(direction) < -0.4), "nothing stops {direction}");
    }
}

#[test]
fn a_soup_is_met_on_the_side_where_the_body_is() {
    let sheet = Soup::new(
        vec![Vec3::new(-2.0, -2.0, 0.0), Vec3::new(2.0, -2.0, 0.0), Vec3::new(0.0, 3.0, 0.0)],
        vec![[0, 1, 2]],
    )
    .unwrap();
    let (sheet, block) = (Hierarchy::<Obb>::new(sheet), cube(0.5, 0.5, 0.5));
    for (z, normal, gap) in
        [(0.26, Vec3::Z, 0.01), (-0.26, -Vec3::Z, 0.01), (0.25, Vec3::Z, 0.0), (-0.25, -Vec3::Z, 0.0)]
    {
        let found = all(&sheet, &Pose::IDENTITY, &block, &at(0.0, 0.0, z), 0.05);
        let held = holding(&found);
        assert_eq!(held.len(), 4, "at {z}");
        assert!(held.iter().all(|pair| pair.state.normal == normal && (pair.state.gap - gap).abs() < 1e-15));
    }
}

#[test]
fn a_reach_or_turn_that_is_none_is_refused() {
    let cube = cube(1.0, 1.0, 1.0);
    for given in [f64::NAN, -1.0, f64::INFINITY] {
        let options = ContactOptions { reach: given, turn: 0.0 };
        let found =
            contacts(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, &options, &mut ContactCache::new());
        assert!(matches!(found, Err(ContactsError::Reach { .. })));
    }
    let options = ContactOptions { reach: 1.0, turn: f64::NAN };
    assert!(
        contacts(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY, &options, &mut ContactCache::new()).is_err()
    );
}

/// A block that lies on a plate, tilted by a little, touches it at two of its four corners alone; the other
/// two nearly hold, and what they ask for is true.
#[test]
fn corners_of_a_block_that_is_tilted_a_little_nearly_hold() {
    let plate = cube(2.0, 2.0, 0.2);
    let block = cube(0.5, 0.5, 0.5);
    for (tilt, held, nearly) in [(0.0, 4, 4), (1e-6, 2, 4), (5e-3, 2, 4), (0.1, 2, 2)] {
        let pose = Pose::new(Vec3::new(0.0, 0.0, 0.36), Quat::from_rotation_y(tilt)).unwrap();
        let options = ContactOptions { reach: 0.1, turn: 0.2 };
        let found =
            contacts(&plate, &Pose::IDENTITY, &block, &pose, &options, &mut ContactCache::new()).unwrap();
        let of_corners = found.iter().filter(|pair| {
            matches!(pair.key.features, [Feature::Face(_), Feature::Vertex(_)]) && pair.state.gap < 0.08
        });
        let states: Vec<_> = of_corners.map(|pair| pair.state).collect();
        assert!(states.iter().all(|state| state.nearly || !state.holds), "{states:?}");
        assert_eq!(states.iter().filter(|state| state.holds).count(), held, "tilt {tilt}");
        assert_eq!(states.iter().filter(|state| state.nearly).count(), nearly, "tilt {tilt}");
    }
}
