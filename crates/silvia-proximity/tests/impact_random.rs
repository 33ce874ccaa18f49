//! Times of impact of random bodies: against all pairs of features, and against fine sub-sampling of the
//! motion.

#![allow(clippy::unwrap_used)]

mod common;

use common::{brute_distance, hierarchy, pose, rotation, solid, soup, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::{Aabb, Bound, Dop18, Obb, Sphere};
use silvia_proximity::elementary::{MovingPair, TIME_RESOLUTION, first_touch};
use silvia_proximity::mesh::{Collision, Deforming, Impact, Moving, Outcome, time_of_impact};
use silvia_proximity::{Hierarchy, ImpactOptions, Motion};
use silvia_solid::{Mat3, Pose, Quat, Solid, Soup, Vec3, triangles_intersect, winding_number};

/// The earliest touch of all vertices, faces and edges of two meshes, by the exact elementary test, and how
/// many pairs touch.
fn brute_force(a: [&Soup; 2], b: [&Soup; 2]) -> (Option<[f64; 2]>, usize) {
    let mut first: Option<[f64; 2]> = None;
    let mut count = 0;
    let mut note = |pair: MovingPair| {
        if let Some(touch) = first_touch(&pair) {
            count += 1;
            let [lower, upper] = first.unwrap_or([2.0; 2]);
            first = Some([lower.min(touch.lower), upper.min(touch.upper)]);
        }
    };
    let vertex = |s: [&Soup; 2], v: usize| s.map(|s| s.points()[v]);
    let face = |s: [&Soup; 2], t: usize| s.map(|s| s.corners(t));
    let used = |s: &Soup| {
        let mut used: Vec<usize> = s.triangles().iter().flatten().map(|&v| v as usize).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    let edges = |s: &Soup| {
        let side = |t: &[u32; 3], k: usize| {
            let (p, q) = (t[k] as usize, t[(k + 1) % 3] as usize);
            [p.min(q), p.max(q)]
        };
        let mut all: Vec<[usize; 2]> =
            s.triangles().iter().flat_map(|t| [0, 1, 2].map(|k| side(t, k))).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    for (v, f) in [(a, b), (b, a)] {
        for i in used(v[0]) {
            for t in 0..f[0].triangles().len() {
                note(MovingPair::vertex_face(vertex(v, i), face(f, t)).unwrap());
            }
        }
    }
    for e in edges(a[0]) {
        for f in edges(b[0]) {
            let ends = |s: [&Soup; 2], e: [usize; 2]| s.map(|s| e.map(|v| s.points()[v]));
            note(MovingPair::edge_edge(ends(a, e), ends(b, f)).unwrap());
        }
    }
    (first, count)
}

/// Equal to the width of a bracket: where it lies depends on the order of the points.
fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= TIME_RESOLUTION
}

fn meets(a: &Soup, b: &Soup) -> bool {
    (0..a.triangles().len())
        .any(|i| (0..b.triangles().len()).any(|j| triangles_intersect(&a.corners(i), &b.corners(j))))
}

/// Checks an exact answer against brute force, given both meshes at the start and at the end.
fn is_first(got: &Impact, a: [&Soup; 2], b: [&Soup; 2]) -> Result<(), TestCaseError> {
    if meets(a[0], b[0]) {
        prop_assert!(matches!(got.outcome, Outcome::AtStart(Collision::Surfaces(_))), "{:?}", got.outcome);
        return Ok(());
    }
    match brute_force(a, b).0 {
        Some([lower, upper]) => {
            prop_assert_eq!(&got.outcome, &Outcome::Impact);
            prop_assert!(
                is_same(got.lower, lower) && is_same(got.upper.unwrap(), upper),
                "{got:?} {lower} {upper}"
            );
        }
        None => prop_assert_eq!(&got.outcome, &Outcome::Free),
    }
    Ok(())
}

fn linear<B: Bound>(a: &Soup, b: &Soup, from: &[Pose; 2], to: &[Pose; 2]) -> Result<(), TestCaseError> {
    let (ha, hb): (Hierarchy<B>, Hierarchy<B>) = (hierarchy(a), hierarchy(b));
    let motions = [0, 1].map(|i| Motion::linear(from[i], to[i]));
    let (ma, mb) = (Moving::new(&ha, &motions[0]), Moving::new(&hb, &motions[1]));
    let placed = |s: &Soup, i: usize| [s.posed(&from[i]), s.posed(&to[i])];
    let (pa, pb) = (placed(a, 0), placed(b, 1));
    let got = time_of_impact(&ma, &mb, &ImpactOptions::default()).unwrap();
    is_first(&got, pa.each_ref(), pb.each_ref())?;
    let swapped = time_of_impact(&mb, &ma, &ImpactOptions::default()).unwrap();
    prop_assert!(is_same(swapped.lower, got.lower));
    prop_assert!(is_same(swapped.upper.unwrap_or(2.0), got.upper.unwrap_or(2.0)));
    Ok(())
}

fn deforming<B: Bound>(a: [&Soup; 2], b: [&Soup; 2]) -> Result<(), TestCaseError> {
    let make = |s: [&Soup; 2]| Deforming::<B>::new(hierarchy(s[0]), s[1].points()).unwrap();
    let (da, db) = (make(a), make(b));
    let (ma, mb) = (Moving::Deforming(&da), Moving::Deforming(&db));
    let got = time_of_impact(&ma, &mb, &ImpactOptions::default()).unwrap();
    is_first(&got, a, b)?;
    if got.outcome == Outcome::Impact {
        let options = ImpactOptions { band: f64::INFINITY, ..ImpactOptions::default() };
        let all = time_of_impact(&ma, &mb, &options).unwrap();
        prop_assert_eq!(all.contacts.len(), brute_force(a, b).1);
        prop_assert!(is_same(all.lower, got.lower));
    }
    Ok(())
}

/// A rigid motion worked out afresh: a point that goes straight, and a turn about it.
#[derive(Clone, Debug)]
struct Spin {
    start: Pose,
    travel: Vec3,
    rotation: Vec3,
    point: Vec3,
}

impl Spin {
    fn motion(&self) -> Motion {
        Motion::turning(self.start, self.travel, self.rotation, self.point).unwrap()
    }

    fn placed(&self, soup: &Soup, t: f64) -> Soup {
        let turn = Mat3::from_axis_angle(self.rotation.normalize_or(Vec3::Z), t * self.rotation.length());
        let pivot = self.start.transform_point(self.point);
        let at = |p: Vec3| pivot + t * self.travel + turn * (self.start.transform_point(p) - pivot);
        Soup::new(soup.points().iter().map(|&p| at(p)).collect(), soup.triangles().to_vec()).unwrap()
    }
}

fn spin() -> impl Strategy<Value = Spin> {
    (vector(2.5), rotation(), vector(4.0), vector(4.0), vector(1.0)).prop_map(
        |(at, turn, travel, rotation, point)| Spin {
            start: Pose::new(at, turn).unwrap(),
            travel,
            rotation,
            point,
        },
    )
}

const SAMPLES: usize = 24;

/// What rounding may do to these bodies, a few metres large and away, m.
const NEAR: f64 = 1e-11;

fn rigid<B: Bound>(a: &Solid, b: &Solid, spins: &[Spin; 2], separation: f64) -> Result<(), TestCaseError> {
    let (ha, hb): (Hierarchy<B>, Hierarchy<B>) = (Hierarchy::new(a.clone()), Hierarchy::new(b.clone()));
    let motions = [spins[0].motion(), spins[1].motion()];
    let (ma, mb) = (Moving::new(&ha, &motions[0]), Moving::new(&hb, &motions[1]));
    let options = ImpactOptions { separation, ..ImpactOptions::default() };
    let got = time_of_impact(&ma, &mb, &options).unwrap();
    let gap = |t: f64| brute_distance(&spins[0].placed(a.soup(), t), &spins[1].placed(b.soup(), t));
    let inside = |outer: &Soup, p: Vec3| winding_number(outer.points(), outer.triangles(), p) > 0.5;
    let (pa, pb) = (spins[0].placed(a.soup(), 0.0), spins[1].placed(b.soup(), 0.0));
    let starts = gap(0.0) <= separation || inside(&pa, pb.points()[0]) || inside(&pb, pa.points()[0]);
    if starts {
        prop_assert!(matches!(got.outcome, Outcome::AtStart(_)), "{:?}", got.outcome);
        return Ok(());
    }
    // Never late: at every sample before the lower bound they are free.
    for i in 0..=SAMPLES {
        let t = i as f64 / SAMPLES as f64;
        if t < got.lower {
            prop_assert!(gap(t) > separation - NEAR, "touching at {t}, said to be free until {}", got.lower);
        }
    }
    match got.outcome {
        Outcome::Impact => {
            let upper = got.upper.unwrap();
            prop_assert!(got.lower <= upper && upper - got.lower < 1e-6, "{} {}", got.lower, upper);
            prop_assert!(gap(upper) <= separation + NEAR, "{} at {}", gap(upper), upper);
            let contact = got.contacts[0];
            prop_assert!((contact.points[0].distance(contact.points[1]) - separation).abs() < NEAR);
            if contact.gap > 0.0 {
                prop_assert!((contact.normal.length() - 1.0).abs() < 1e-12);
            }
        }
        Outcome::Free => prop_assert_eq!(got.lower, 1.0),
        other => prop_assert!(false, "{other:?}"),
    }
    let swapped = time_of_impact(&mb, &ma, &options).unwrap();
    prop_assert!((swapped.lower - got.lower).abs() < 1e-7, "{} {}", swapped.lower, got.lower);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn linear_motion_is_decided_as_by_all_pairs_of_features(
        a in soup(), b in soup(), from in prop::array::uniform2(pose(3.0)),
        to in prop::array::uniform2(pose(3.0)),
    ) {
        linear::<Obb>(&a, &b, &from, &to)?;
        linear::<Aabb>(&a, &b, &from, &to)?;
        linear::<Sphere>(&a, &b, &from, &to)?;
        linear::<Dop18>(&a, &b, &from, &to)?;
    }

    #[test]
    fn deforming_meshes_are_decided_as_by_all_pairs_of_features(
        a in soup(), b in soup(), seed in prop::collection::vec(vector(1.0), 60), shift in vector(3.0),
    ) {
        // On a lattice one in two: touching at the start or the end, coplanar, resting.
        let moved = |s: &Soup, seed: &[Vec3], shift: Vec3| {
            let snap = |v: Vec3| if seed[0].x > 0.0 { v.round() } else { v };
            let at = |(p, d): (&Vec3, &Vec3)| *p + snap(2.0 * *d + shift);
            Soup::new(s.points().iter().zip(seed).map(at).collect(), s.triangles().to_vec()).unwrap()
        };
        let b = b.posed(&Pose::from_translation(shift.round()).unwrap());
        let (a_end, b_end) = (moved(&a, &seed[..30], Vec3::ZERO), moved(&b, &seed[30..], -2.0 * shift));
        deforming::<Obb>([&a, &a_end], [&b, &b_end])?;
        deforming::<Aabb>([&a, &a_end], [&b, &b_end])?;
    }

    #[test]
    fn rigid_motion_is_never_late_and_ends_in_touch(
        a in solid(), b in solid(), spins in prop::array::uniform2(spin()),
    ) {
        rigid::<Obb>(&a, &b, &spins, 0.0)?;
        rigid::<Sphere>(&a, &b, &spins, 0.0)?;
    }

    #[test]
    fn a_separation_is_kept(
        a in solid(), b in solid(), spins in prop::array::uniform2(spin()), separation in 0.001..0.3f64,
    ) {
        rigid::<Obb>(&a, &b, &spins, separation)?;
        rigid::<Aabb>(&a, &b, &spins, separation)?;
    }

    #[test]
    fn a_budget_leaves_a_proven_bound(
        a in solid(), b in solid(), spins in prop::array::uniform2(spin()), visits in 0..80u64,
        band in prop::sample::select(vec![0.0, 0.1, f64::INFINITY]), is_straight: bool,
    ) {
        let (ha, hb): (Hierarchy<Obb>, Hierarchy<Obb>) = (Hierarchy::new(a), Hierarchy::new(b));
        let motions = [0, 1].map(|i| {
            let spin = spins[i].motion();
            if is_straight { Motion::linear(spin.start(), spin.end()) } else { spin }
        });
        let (ma, mb) = (Moving::new(&ha, &motions[0]), Moving::new(&hb, &motions[1]));
        let unlimited = ImpactOptions { band, ..ImpactOptions::default() };
        let whole = time_of_impact(&ma, &mb, &unlimited).unwrap();
        prop_assert!(whole.is_complete);
        let options = ImpactOptions { max_visits: Some(visits), ..unlimited };
        let part = time_of_impact(&ma, &mb, &options).unwrap();
        if part.outcome == Outcome::Spent {
            prop_assert!(!part.is_complete);
            prop_assert!(part.lower <= whole.upper.unwrap_or(1.0), "{} {:?}", part.lower, whole.upper);
            prop_assert!(part.lower <= whole.lower + TIME_RESOLUTION, "{} {}", part.lower, whole.lower);
            prop_assert!(part.contacts.iter().all(|c| part.lower <= c.lower));
            prop_assert!(part.visits <= visits);
        } else if matches!(part.outcome, Outcome::AtStart(_)) {
            // Which triangles meet there may not all be known yet.
            prop_assert!(matches!(whole.outcome, Outcome::AtStart(_)));
        } else {
            prop_assert_eq!(&part, &whole);
        }
        let more = ImpactOptions { max_visits: Some(visits + 10), ..options };
        let later = time_of_impact(&ma, &mb, &more).unwrap();
        // Up to the width of the bracket of a contact that was found only then.
        prop_assert!(later.lower >= part.lower - TIME_RESOLUTION, "a bound never falls");
    }
}

#[test]
fn linear_motion_with_a_separation_agrees_with_samples() {
    let cube = silvia_solid::primitives::cuboid(Vec3::ONE).unwrap();
    let body: Hierarchy<Obb> = hierarchy(&cube);
    let from = Pose::new(Vec3::new(-3.0, 0.2, 0.1), Quat::from_rotation_z(0.3)).unwrap();
    let to = Pose::new(Vec3::new(3.0, 0.1, -0.2), Quat::from_rotation_x(1.3)).unwrap();
    let motion = Motion::linear(from, to);
    let rest = Motion::still(Pose::IDENTITY);
    let options = ImpactOptions { separation: 0.25, ..ImpactOptions::default() };
    let got = time_of_impact(&Moving::new(&body, &rest), &Moving::new(&body, &motion), &options).unwrap();
    let (p, q) = (cube.posed(&from), cube.posed(&to));
    let gap = |t: f64| {
        let points = p.points().iter().zip(q.points()).map(|(&p, &q)| p + t * (q - p)).collect();
        brute_distance(&cube, &Soup::new(points, cube.triangles().to_vec()).unwrap())
    };
    for i in 0..1000 {
        let t = got.lower * f64::from(i) / 1000.0;
        assert!(gap(t) > 0.25);
    }
    assert!((gap(got.upper.unwrap()) - 0.25).abs() < 1e-12);
}
