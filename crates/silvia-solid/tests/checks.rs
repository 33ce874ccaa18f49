//! What the checks find, where, and what the repairs do about it.

#![allow(clippy::unwrap_used)]

use silvia_solid::check::{DefectKind, Report};
use silvia_solid::repair::{
    Repair, RepairError, drop_degenerate, drop_duplicates, orient, plan, split_t_junctions, weld,
};
use silvia_solid::{
    Pose, Quat, Solid, Soup, TriangleId, Vec3, primitives, self_intersections, winding_number,
};

fn cube() -> Soup {
    primitives::cuboid(Vec3::ONE).unwrap()
}

fn moved(soup: &Soup, x: f64, y: f64, z: f64) -> Soup {
    soup.posed(&Pose::from_translation(Vec3::new(x, y, z)).unwrap())
}

fn joined(soups: &[&Soup]) -> Soup {
    Soup::joined(soups.iter().copied()).unwrap()
}

fn with_triangles(soup: &Soup, change: impl FnOnce(&mut Vec<[u32; 3]>)) -> Soup {
    let (points, mut triangles) = soup.clone().into_parts();
    change(&mut triangles);
    Soup::new(points, triangles).unwrap()
}

fn count(soup: &Soup, kind: DefectKind) -> usize {
    Report::of(soup).places(kind).len()
}

#[test]
fn a_cube_has_no_defects() {
    let report = Report::of(&cube());
    assert_eq!(report.defects, []);
    assert_eq!((report.triangles, report.vertices, report.sides, report.components), (12, 8, 18, 1));
}

#[test]
fn boxes_that_share_an_edge_are_not_manifold_there() {
    let touching = joined(&[&cube(), &moved(&cube(), 1.0, 1.0, 0.0)]);
    let report = Report::of(&touching);
    assert!(report.is_closed() && !report.is_manifold());
    assert_eq!(report.places(DefectKind::NonManifoldEdge).len(), 1);
    assert_eq!(report.places(DefectKind::NonManifoldEdge)[0].at, Vec3::new(0.5, 0.5, 0.0));
    assert_eq!(report.places(DefectKind::NonManifoldVertex).len(), 0, "the edge says it already");
    assert_eq!(report.components, 1);
}

#[test]
fn boxes_that_share_a_corner_are_not_manifold_there() {
    let report = Report::of(&joined(&[&cube(), &moved(&cube(), 1.0, 1.0, 1.0)]));
    assert_eq!(report.places(DefectKind::NonManifoldVertex).len(), 1);
    assert_eq!(report.places(DefectKind::NonManifoldVertex)[0].at, Vec3::splat(0.5));
    assert_eq!(report.components, 2);
}

#[test]
fn a_flipped_triangle_shows_at_its_three_sides_and_orient_turns_it_back() {
    let flipped = with_triangles(&cube(), |t| t[5].swap(0, 1));
    assert_eq!(count(&flipped, DefectKind::InconsistentOrientation), 3);
    let repaired = orient(&flipped).unwrap();
    assert_eq!(repaired.changed, 1);
    assert!((Solid::from_soup(&repaired.soup).unwrap().mass().volume - 1.0).abs() < 1e-15);
}

#[test]
fn an_inside_out_cube_is_found_and_a_cavity_is_not_taken_for_one() {
    let inside_out = with_triangles(&cube(), |all| all.iter_mut().for_each(|t| t.swap(0, 1)));
    assert_eq!(count(&inside_out, DefectKind::InsideOut), 1);
    let hollow = joined(&[&primitives::cuboid(Vec3::splat(3.0)).unwrap(), &inside_out]);
    assert_eq!(Report::of(&hollow).defects, []);
    let beside = joined(&[&moved(&cube(), 5.0, 0.0, 0.0), &inside_out]);
    assert_eq!(count(&beside, DefectKind::InsideOut), 1);
}

#[test]
fn a_body_within_the_material_of_another_must_be_a_cavity() {
    let outer = primitives::cuboid(Vec3::splat(3.0)).unwrap();
    assert_eq!(count(&joined(&[&outer, &cube()]), DefectKind::InsideOut), 1);
    // An island in a cavity faces outwards again.
    let turned = |soup: &Soup| with_triangles(soup, |all| all.iter_mut().for_each(|t| t.swap(0, 1)));
    let cavity = turned(&primitives::cuboid(Vec3::splat(2.0)).unwrap());
    assert_eq!(Report::of(&joined(&[&outer, &cavity, &cube()])).defects, []);
    assert_eq!(count(&joined(&[&outer, &cavity, &turned(&cube())]), DefectKind::InsideOut), 1);
}

#[test]
fn orient_turns_nested_shells_by_turns() {
    let shell = |size: f64| primitives::cuboid(Vec3::splat(size)).unwrap();
    let scrambled = with_triangles(&joined(&[&shell(3.0), &shell(2.0), &shell(1.0)]), |all| {
        all.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
    });
    let solid = Solid::from_soup(&orient(&scrambled).unwrap().soup).unwrap();
    assert!((solid.mass().volume - (27.0 - 8.0 + 1.0)).abs() < 1e-12);
}

#[test]
fn a_moebius_strip_cannot_be_oriented() {
    let n = 12;
    let mut points = Vec::new();
    for i in 0..n {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let turn = Quat::from_rotation_z(angle) * Quat::from_rotation_y(0.5 * angle);
        for z in [-0.3, 0.3] {
            points.push(Quat::from_rotation_z(angle) * Vec3::X * 2.0 + turn * Vec3::new(0.0, 0.0, z));
        }
    }
    let triangles = (0..n).flat_map(|i| {
        let (a, b) = (2 * i as u32, 2 * i as u32 + 1);
        let (c, d) = if i + 1 == n { (1, 0) } else { (a + 2, b + 2) };
        [[a, c, b], [b, c, d]]
    });
    let strip = Soup::new(points, triangles.collect()).unwrap();
    assert!(matches!(orient(&strip), Err(RepairError::OneSided { .. })));
}

#[test]
fn degenerate_and_duplicate_triangles_are_counted_and_dropped() {
    let (mut points, mut triangles) = cube().into_parts();
    points.push(Vec3::new(0.1, 0.1, 0.1));
    points.push(Vec3::new(0.2, 0.2, 0.2));
    points.push(Vec3::new(0.4, 0.4, 0.4));
    triangles.push([8, 9, 10]);
    triangles.push([0, 0, 1]);
    triangles.push(triangles[3]);
    let soup = Soup::new(points, triangles).unwrap();
    // 0.1, 0.2, 0.4 are exact multiples of each other in binary: one line.
    assert_eq!(count(&soup, DefectKind::ZeroAreaTriangle), 2);
    assert_eq!(count(&soup, DefectKind::DuplicateTriangle), 1);
    let cleaned = drop_duplicates(&drop_degenerate(&soup).unwrap().soup).unwrap();
    assert_eq!(cleaned.soup.triangles(), cube().triangles());
    assert!(Solid::from_soup(&cleaned.soup).is_ok());
}

#[test]
fn nothing_but_degenerate_triangles_leaves_nothing() {
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2]]).unwrap();
    assert_eq!(drop_degenerate(&soup), Err(RepairError::NothingLeft { triangles: 1 }));
}

#[test]
fn welding_closes_cracks_within_the_tolerance_and_no_others() {
    let sphere = primitives::sphere(1.0, 4).unwrap();
    let mut points = Vec::new();
    for (i, &v) in sphere.triangles().iter().flatten().enumerate() {
        // Each corner of each triangle is off by up to 1e-6 in its own way.
        let off = Vec3::new((i as f64).sin(), (i as f64 * 1.7).sin(), (i as f64 * 2.3).sin()) * 1e-6 / 2.0;
        points.push(sphere.points()[v as usize] + off);
    }
    let triangles: Vec<[u32; 3]> =
        (0..sphere.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let cracked = Soup::new(points, triangles).unwrap();
    assert_eq!(count(&cracked, DefectKind::OpenEdge), 3 * 320);
    assert_eq!(count(&weld(&cracked, 1e-9).unwrap().soup, DefectKind::OpenEdge), 3 * 320);
    let closed = weld(&cracked, 4e-6).unwrap();
    assert_eq!(closed.changed, 3 * 320 - 162);
    assert_eq!(Solid::from_soup(&closed.soup).unwrap().vertex_count(), 162);
    assert!(weld(&cracked, f64::NAN).is_err() && weld(&cracked, -1.0).is_err());
}

#[test]
fn the_winding_number_is_one_inside_and_zero_outside() {
    let knot = primitives::TorusKnot::TREFOIL.soup_with_triangles(3000).unwrap();
    let winding = |p: Vec3| winding_number(knot.points(), knot.triangles(), p);
    assert!((winding(Vec3::new(3.0, 0.0, 0.0)) - 1.0).abs() < 1e-9, "on the curve's middle at t = 0");
    assert!(winding(Vec3::new(0.0, 0.0, 0.0)).abs() < 1e-9);
    assert!(winding(Vec3::new(9.0, 0.0, 0.0)).abs() < 1e-9);
}

#[test]
fn a_sound_surface_does_not_cut_itself() {
    for soup in [
        cube(),
        primitives::TorusKnot::TREFOIL.soup_with_triangles(4000).unwrap(),
        primitives::torus(2.0, 0.5, 30, 12).unwrap(),
    ] {
        assert_eq!(self_intersections(&soup), []);
    }
}

#[test]
fn boxes_that_overlap_or_touch_are_found_pair_by_pair() {
    let through = joined(&[&cube(), &moved(&cube(), 0.5, 0.25, 0.125)]);
    let found = self_intersections(&through);
    assert_eq!(found, brute_force(&through));
    assert!(!found.is_empty() && found.iter().all(|&(a, b)| a.0 < 12 && b.0 >= 12));
    // Face on face, away from corners.
    let on_top = joined(&[&cube(), &moved(&primitives::cuboid(Vec3::splat(0.5)).unwrap(), 0.1, 0.05, 0.75)]);
    assert_eq!(self_intersections(&on_top), brute_force(&on_top));
}

#[test]
fn a_triangle_folded_back_on_its_neighbour_cuts_it() {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.2, 0.5, 0.0)];
    let folded = Soup::new(points.clone(), vec![[0, 1, 2], [1, 0, 3]]).unwrap();
    assert_eq!(self_intersections(&folded), [(TriangleId(0), TriangleId(1))]);
    let flat = Soup::new(
        points.iter().map(|&p| if p.y == 0.5 { Vec3::new(0.2, -0.5, 0.0) } else { p }).collect(),
        vec![[0, 1, 2], [1, 0, 3]],
    );
    assert_eq!(self_intersections(&flat.unwrap()), []);
}

/// For soups in which no two triangles of different bodies share a corner.
fn brute_force(soup: &Soup) -> Vec<(TriangleId, TriangleId)> {
    let n = soup.triangles().len();
    let shares = |a: usize, b: usize| soup.corners(a).iter().any(|p| soup.corners(b).contains(p));
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    pairs
        .filter(|&(a, b)| {
            !shares(a, b) && silvia_solid::triangles_intersect(&soup.corners(a), &soup.corners(b))
        })
        .map(|(a, b)| (TriangleId(a as u32), TriangleId(b as u32)))
        .collect()
}

/// A ball of which every third triangle is cut in two at the middle of a side, unknown to its neighbour.
/// The middle is off the side by so much.
fn with_t_junctions(off: f64) -> (Soup, usize) {
    let ball = silvia_solid::primitives::sphere(1.0, 6).unwrap();
    let (mut points, triangles) = ball.into_parts();
    let mut cut = Vec::new();
    let mut count = 0;
    let mut used = std::collections::HashSet::new();
    for (number, &[a, b, c]) in triangles.iter().enumerate() {
        if number % 3 == 0 && used.insert([a.min(b), a.max(b)]) {
            let middle = 0.5 * (points[a as usize] + points[b as usize]);
            points.push(middle + off * middle.normalize());
            let m = points.len() as u32 - 1;
            cut.extend([[a, m, c], [m, b, c]]);
            count += 1;
        } else {
            cut.push([a, b, c]);
        }
    }
    (Soup::new(points, cut).unwrap(), count)
}

#[test]
fn sides_are_split_at_t_junctions_within_the_tolerance_and_not_beyond() {
    let volume = Solid::from_soup(&silvia_solid::primitives::sphere(1.0, 6).unwrap()).unwrap().mass().volume;
    for off in [0.0, 1e-7] {
        let (soup, count) = with_t_junctions(off);
        assert!(Solid::from_soup(&soup).is_err());
        let split = split_t_junctions(&soup, 1e-6).unwrap();
        // A middle that both triangles of a side know is no T-junction.
        assert!(split.changed > count / 2 && split.changed <= count, "{} of {count}", split.changed);
        assert!(split.moved <= off + 1e-15, "{}", split.moved);
        let solid = Solid::from_soup(&split.soup).unwrap();
        assert!((solid.mass().volume / volume - 1.0).abs() < 1e-6);
    }
    let (soup, _) = with_t_junctions(1e-3);
    assert_eq!(split_t_junctions(&soup, 1e-6).unwrap().changed, 0);
    assert!(matches!(split_t_junctions(&soup, -1.0), Err(RepairError::Tolerance { .. })));
}

#[test]
fn the_repairs_that_would_help_are_found_by_trying() {
    let (soup, _) = with_t_junctions(0.0);
    let found = plan(&soup).unwrap();
    assert_eq!(found.repairs, [Repair::SplitTJunctions]);
    let (points, mut triangles) = silvia_solid::primitives::cuboid(Vec3::ONE).unwrap().into_parts();
    triangles[3].swap(0, 1);
    let flipped = plan(&Soup::new(points.clone(), triangles.clone()).unwrap()).unwrap();
    assert_eq!((flipped.repairs, flipped.tolerance), (vec![Repair::Orient], 0.0));
    triangles.pop();
    assert_eq!(plan(&Soup::new(points, triangles).unwrap()), None, "a hole stays a hole");
}

/// Boxes of 1 x 1 x 1 at places, each with points of its own.
#[cfg(feature = "boolean")]
fn boxes(places: &[[f64; 3]]) -> Soup {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for &place in places {
        let (corners, sides) = silvia_solid::primitives::cuboid(Vec3::ONE).unwrap().into_parts();
        let first = points.len() as u32;
        points.extend(corners.iter().map(|p| *p + Vec3::from_array(place)));
        triangles.extend(sides.iter().map(|t| t.map(|corner| first + corner)));
    }
    Soup::new(points, triangles).unwrap()
}

/// The last box passes through the first two; the third is apart.
#[cfg(feature = "boolean")]
#[test]
fn shells_that_pass_through_each_other_are_united_and_others_left_alone() {
    use silvia_solid::repair::unite;
    let soup = boxes(&[[0.0; 3], [1.2, 0.2, 0.2], [5.0, 0.0, 0.0], [0.6, 0.1, 0.1]]);
    assert!(silvia_solid::self_crossings(&soup, 1).is_some());
    let united = unite(&soup).unwrap();
    assert_eq!(united.changed, 3);
    assert!(united.moved < 1e-11, "{}", united.moved);
    assert_eq!(silvia_solid::self_crossings(&united.soup, 1), None);
    let solid = Solid::from_soup(&united.soup).unwrap();
    assert_eq!(solid.report().components, 2);
    // Each of two neighbours has 0.4 x 0.9 x 0.9 in common, and nothing is common to three.
    let expected = 4.0 - 2.0 * 0.4 * 0.9 * 0.9;
    assert!((solid.mass().volume - expected).abs() < 1e-12, "{}", solid.mass().volume);
    let apart = boxes(&[[0.0; 3], [5.0, 0.0, 0.0]]);
    assert_eq!(unite(&apart).unwrap().changed, 0);
    assert_eq!(unite(&apart).unwrap().soup, apart);
}

/// Nothing crosses: sides lie in common planes. Two boxes weighed 16 for 12.
#[cfg(feature = "boolean")]
#[test]
fn boxes_that_overlap_with_sides_in_one_plane_are_united() {
    for (apart, volume) in [([0.5, 0.0, 0.0], 1.5), ([0.5, 0.5, 0.0], 1.75)] {
        let soup = boxes(&[[0.0; 3], apart]);
        let found = plan(&soup).unwrap();
        assert_eq!((found.repairs, found.crossing), (vec![Repair::Unite], None), "{apart:?}");
        let united = silvia_solid::repair::unite(&soup).unwrap().soup;
        let solid = Solid::from_soup(&united).unwrap();
        assert!((solid.mass().volume - volume).abs() < 1e-12, "{}", solid.mass().volume);
    }
}

/// With one of them inside out, sides in a common plane were taken to touch, as where one box stands on
/// another. As in `hok_tilt.stl` of the PR2 robot.
#[cfg(feature = "boolean")]
#[test]
fn shells_are_united_whichever_way_they_face() {
    let soup = with_triangles(&boxes(&[[0.0; 3], [0.5, 0.0, 0.0]]), |triangles| {
        triangles[12..].iter_mut().for_each(|corners| corners.swap(0, 1));
    });
    let found = plan(&soup).unwrap();
    assert_eq!((found.repairs, found.crossing), (vec![Repair::Unite], None));
    let united = silvia_solid::repair::unite(&soup).unwrap();
    let volume = Solid::from_soup(&united.soup).unwrap().mass().volume;
    assert!((volume - 1.5).abs() < 1e-12, "{volume}");
}

/// Its first corner lies within the other, which is wider: it was taken for a cavity, and turned inwards.
#[test]
fn a_shell_that_reaches_out_of_another_is_no_cavity() {
    let wide = primitives::cuboid(Vec3::new(4.0, 1.0, 1.0)).unwrap();
    let crossing = |x: f64, y: f64, z: f64| joined(&[&wide, &moved(&cube(), x, y, z)]);
    for soup in [crossing(0.3, 0.6, 0.0), crossing(0.3, 0.6, 0.6), crossing(-0.3, -0.6, 0.0)] {
        assert!(!Report::of(&soup).defects.iter().any(|defect| defect.kind == DefectKind::InsideOut));
        assert_eq!(orient(&soup).unwrap().changed, 0);
    }
    // A cavity that faces outwards is still told.
    let within = joined(&[&wide, &cube().scaled(0.5).unwrap()]);
    assert_eq!(orient(&within).unwrap().changed, 12);
}

/// A box flush with the top of another, from within, became a cavity open at its top.
#[cfg(feature = "boolean")]
#[test]
fn a_box_flush_with_the_inside_of_another_is_not_made_a_cavity() {
    let (mut points, mut triangles) =
        silvia_solid::primitives::cuboid(Vec3::splat(2.0)).unwrap().into_parts();
    let (inner, sides) = silvia_solid::primitives::cuboid(Vec3::ONE).unwrap().into_parts();
    points.extend(inner.iter().map(|p| *p + Vec3::new(0.0, 0.0, 0.5)));
    triangles.extend(sides.iter().map(|t| t.map(|corner| corner + 8)));
    let found = plan(&Soup::new(points, triangles).unwrap()).unwrap();
    assert_eq!((found.repairs, found.crossing), (vec![Repair::Unite], None));
}

/// What lies within another shell may be a cavity: uniting it with a rod that reaches out of it filled it.
#[cfg(feature = "boolean")]
#[test]
fn shells_of_which_one_lies_within_another_are_not_united() {
    use silvia_solid::repair::{RepairError, unite};
    let block = |centre: [f64; 3], size: [f64; 3]| {
        let soup = silvia_solid::primitives::cuboid(Vec3::from_array(size)).unwrap();
        let points = soup.points().iter().map(|p| *p + Vec3::from_array(centre)).collect::<Vec<_>>();
        (points, soup.triangles().to_vec())
    };
    let (outer, mut cavity) = (block([0.0; 3], [2.0; 3]), block([0.0; 3], [1.0; 3]));
    cavity.1.iter_mut().for_each(|corners| corners.swap(0, 1));
    // Out of the cavity into the wall, and out of both.
    for length in [0.8, 1.5] {
        let rod = block([0.5 * length, 0.0, 0.0], [length, 0.2, 0.2]);
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (of_shell, corners) in [&outer, &cavity, &rod] {
            let first = points.len() as u32;
            points.extend_from_slice(of_shell);
            triangles.extend(corners.iter().map(|t| t.map(|corner| first + corner)));
        }
        let soup = Soup::new(points, triangles).unwrap();
        assert!(matches!(unite(&soup), Err(RepairError::Nested { .. })), "{length}");
        assert!(plan(&soup).is_none_or(|plan| plan.crossing.is_some()), "{length}");
    }
}

/// As in many files of robots: a shell that reaches into another was taken for a cavity, and turned over.
#[cfg(feature = "boolean")]
#[test]
fn the_plan_for_shells_that_pass_through_each_other_is_to_unite_them() {
    let soup = boxes(&[[0.0; 3], [0.3, 0.4, 0.2], [0.6, -0.3, 0.1]]);
    let found = plan(&soup).unwrap();
    assert_eq!((found.repairs, found.tolerance, found.crossing), (vec![Repair::Unite], 0.0, None));
    // One of them inside out, and all triangles loose.
    let (points, triangles) = soup.into_parts();
    let loose: Vec<Vec3> = triangles.iter().flat_map(|t| t.map(|corner| points[corner as usize])).collect();
    let flip = |t: u32| if t < 12 { [3 * t, 3 * t + 2, 3 * t + 1] } else { [3 * t, 3 * t + 1, 3 * t + 2] };
    let flipped = Soup::new(loose, (0..36).map(flip).collect()).unwrap();
    let found = plan(&flipped).unwrap();
    assert_eq!((found.repairs, found.crossing), (vec![Repair::Unite], None));
}

/// A surface that passes through itself is told to do so by the plan that closes it.
#[test]
fn a_plan_says_where_the_surface_still_passes_through_itself() {
    let tall = [[0.0, 0.0, 1.0], [0.2, 0.0, 0.0], [-0.1, 0.2, 0.0], [-0.1, -0.2, 0.0]];
    // Two pyramids joined at their base, the tip of one pushed through the other.
    let mut points: Vec<Vec3> = tall.iter().map(|p| Vec3::from_array(*p)).collect();
    points.push(Vec3::new(0.5, 0.0, 0.6));
    let closed = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [4, 2, 1], [4, 3, 2], [4, 1, 3]];
    let soup = Soup::new(points.clone(), closed.clone()).unwrap();
    assert!(silvia_solid::self_crossings(&soup, 1).is_some());
    let mut turned = closed;
    turned[0].swap(0, 1);
    let found = plan(&Soup::new(points, turned).unwrap()).unwrap();
    assert_eq!(found.repairs, [Repair::Orient]);
    assert!(found.crossing.is_some());
}

#[test]
fn one_component_inside_out_is_told_in_the_singular() {
    let (points, triangles) = silvia_solid::primitives::cuboid(Vec3::ONE).unwrap().into_parts();
    let inside_out = triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect();
    let report = silvia_solid::check::Report::of(&Soup::new(points, inside_out).unwrap());
    let told: Vec<String> = report.defects.iter().map(ToString::to_string).collect();
    assert!(told.len() == 1 && told[0].starts_with("1 component inside out, "), "{told:?}");
}
