use super::*;
use crate::primitives::PrimitiveError;
use crate::self_intersection::self_intersections;
use crate::testing::{assert_closed, euler, is_convex, volume};
use crate::{Pose, Quat, Solid, Soup, Vec3};
use std::f64::consts::{PI, TAU};

fn assert_near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
}

/// Area of a regular polygon with the given radius to its corners.
fn area(sides: usize, radius: f64) -> f64 {
    0.5 * sides as f64 * radius * radius * (TAU / sides as f64).sin()
}

/// The least distance from any corner of one solid to the plane of a face of the other that it faces within
/// the face's sides, seen along the face's normal: enough to measure a clearance between parallel faces.
fn least_parallel_gap(a: &Soup, b: &Soup) -> f64 {
    let mut least = f64::INFINITY;
    for s in 0..a.triangles().len() {
        let [p, q, r] = a.corners(s);
        let normal = (q - p).cross(r - p).normalize();
        for t in 0..b.triangles().len() {
            let [u, v, w] = b.corners(t);
            let other = (v - u).cross(w - u).normalize();
            let gap = (u - p).dot(normal);
            if normal.dot(other) < -1.0 + 1e-12 && gap >= -1e-12 {
                least = least.min(gap);
            }
        }
    }
    least
}

#[test]
fn a_peg_and_its_block_have_their_closed_forms() {
    for facets in [3, 4, 6, 7, 16, 64] {
        for floor in [0.0, 0.01] {
            let fit = PegAndHole { facets, floor, ..PegAndHole::default() };
            let (peg, block) = (fit.peg().unwrap(), fit.block().unwrap());
            assert_closed(&peg);
            assert_closed(&block);
            assert_eq!(euler(&block), if floor == 0.0 { 0 } else { 2 });
            let side = 2.0 * (fit.hole_radius() + fit.wall);
            let expected = side * side * (fit.depth + floor) - area(facets, fit.hole_radius()) * fit.depth;
            assert_near(volume(&block), expected, 1e-12);
            assert!(Solid::from_soup(&block).is_ok());
        }
    }
}

#[test]
fn the_clearance_is_the_distance_between_facing_faces() {
    for facets in [3, 6, 64] {
        for clearance in [1e-3, 1e-5] {
            let fit = PegAndHole { facets, clearance, ..PegAndHole::default() };
            let gap = least_parallel_gap(&fit.peg().unwrap(), &fit.block().unwrap());
            assert_near(gap, clearance, 1e-9);
        }
    }
    for segments in [5, 48] {
        let bolt = CountersunkBolt { segments, ..CountersunkBolt::default() };
        let gap = least_parallel_gap(&bolt.bolt().unwrap(), &bolt.block().unwrap());
        assert_near(gap, bolt.clearance, 1e-9);
    }
    let dovetail = Dovetail::default();
    let gap = least_parallel_gap(&dovetail.tail().unwrap(), &dovetail.socket().unwrap());
    assert_near(gap, dovetail.clearance, 1e-9);
}

#[test]
fn a_part_that_fits_exactly_shares_its_faces() {
    let fit = PegAndHole { facets: 6, clearance: 0.0, ..PegAndHole::default() };
    assert_eq!(fit.hole_radius(), fit.radius);
    assert!(fit.block().is_ok());
}

#[test]
fn a_bolt_and_its_block_have_their_closed_forms() {
    let bolt = CountersunkBolt::default();
    let (body, block) = (bolt.bolt().unwrap(), bolt.block().unwrap());
    assert_closed(&body);
    assert_closed(&block);
    assert_eq!((euler(&body), euler(&block)), (2, 0));
    let (r, big, n) = (bolt.shank_radius, bolt.head_radius, bolt.segments);
    let head = area(n, 1.0) / 3.0 * (r * r + r * big + big * big) * bolt.head_height;
    assert_near(volume(&body), head + area(n, r) * (bolt.length - bolt.head_height), 1e-12);
    assert!(!is_convex(&body));
    assert_eq!((body.bounds().max.z, block.bounds().max.z), (0.0, 0.0));
}

#[test]
fn brackets_have_their_closed_forms() {
    for make in [l_bracket, t_bracket] {
        let soup = make(0.08, 0.05, 0.01, 0.03).unwrap();
        assert_closed(&soup);
        assert_near(volume(&soup), (0.08 + 0.05 - 0.01) * 0.01 * 0.03, 1e-12);
        assert!((soup.bounds().max + soup.bounds().min).length() < 1e-15);
    }
}

#[test]
fn a_tail_cannot_leave_its_groove_upwards() {
    let dovetail = Dovetail::default();
    let (tail, socket) = (dovetail.tail().unwrap(), dovetail.socket().unwrap());
    assert_closed(&tail);
    assert_closed(&socket);
    let widest = |soup: &Soup, y: f64| {
        soup.points().iter().filter(|p| (p.y - y).abs() < 1e-12).map(|p| p.x).fold(0.0, f64::max)
    };
    let mouth = socket
        .points()
        .iter()
        .filter(|p| p.y == dovetail.clearance && p.x > 0.0)
        .map(|p| p.x)
        .fold(f64::INFINITY, f64::min);
    assert!(widest(&tail, dovetail.height) > mouth);
}

#[test]
fn gear_flanks_are_involutes() {
    let gear = Gear { backlash: 0.0, bore_radius: 0.0, ..Gear::default() };
    let soup = gear.soup().unwrap();
    assert_closed(&soup);
    assert_eq!(euler(&soup), 2);
    let base = gear.pitch_radius() * gear.pressure_angle.cos();
    // A string unwound from the base circle: the angle at which it leaves the circle is the same for all
    // points of a flank.
    let flank: Vec<Vec3> = soup
        .points()
        .iter()
        .copied()
        .filter(|p| p.z > 0.0 && p.y > 0.0 && p.y.atan2(p.x) < PI / 20.0 && p.truncate().length() >= base)
        .collect();
    assert_eq!(flank.len(), gear.flank_segments + 1);
    let origin = |p: &Vec3| {
        let unwound = ((p.truncate().length() / base).powi(2) - 1.0).max(0.0).sqrt();
        p.y.atan2(p.x) + unwound - unwound.atan()
    };
    for p in &flank {
        assert!((origin(p) - origin(&flank[0])).abs() < 1e-7, "{} and {}", origin(p), origin(&flank[0]));
    }
}

#[test]
fn a_gear_takes_half_of_its_pitch_circle() {
    // Without backlash, teeth and gaps are of equal width there: of the ring between pitch -+ little, half is
    // filled.
    let gear = Gear { backlash: 0.0, flank_segments: 200, ..Gear::default() };
    let soup = gear.soup().unwrap();
    let (mut crossings, r) = (Vec::new(), gear.pitch_radius());
    for i in 0..soup.triangles().len() {
        for k in 0..3 {
            let (p, q) = (soup.corners(i)[k], soup.corners(i)[(k + 1) % 3]);
            let (a, b) = (p.truncate().length() - r, q.truncate().length() - r);
            if p.z > 0.0 && q.z > 0.0 && (a < 0.0) != (b < 0.0) && p.distance(q) < 0.015 * gear.module {
                let at = p.lerp(q, a / (a - b));
                crossings.push(at.y.atan2(at.x).rem_euclid(TAU));
            }
        }
    }
    crossings.sort_by(f64::total_cmp);
    crossings.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    assert_eq!(crossings.len(), 2 * gear.teeth);
    for pair in crossings.windows(2) {
        assert_near(pair[1] - pair[0], PI / gear.teeth as f64, 1e-3);
    }
}

#[test]
fn a_key_and_its_pocket_have_their_closed_forms() {
    for (floor, chamfer) in [(0.0, 1e-3), (5e-3, 1e-3), (0.0, 0.0)] {
        let fit = KeyAndPocket { floor, chamfer, ..KeyAndPocket::default() };
        let (key, block) = (fit.key().unwrap(), fit.block().unwrap());
        assert_closed(&key);
        assert_closed(&block);
        assert_eq!(euler(&block), if floor == 0.0 { 0 } else { 2 });
        let [x, y] = fit.sides.map(|side| side + 2.0 * fit.clearance);
        let [wide, long] = [x, y].map(|side| side + 2.0 * chamfer);
        let outer = (wide + 2.0 * fit.wall) * (long + 2.0 * fit.wall) * (fit.depth + floor);
        // The chamfer is a frustum: Simpson's rule is exact for it.
        let mouth = chamfer / 6.0 * (x * y + 4.0 * (x + chamfer) * (y + chamfer) + wide * long);
        assert_near(volume(&block), outer - x * y * (fit.depth - chamfer) - mouth, 1e-12);
        // On a floor the peg stands.
        let gap = if floor == 0.0 { fit.clearance } else { 0.0 };
        assert_near(least_parallel_gap(&key, &block), gap, 1e-9);
    }
}

#[test]
fn a_screw_and_its_nut_are_solids_with_a_thread() {
    for (segments, rows) in [(6, 1), (17, 2), (64, 3)] {
        let fit = ScrewAndNut { segments, rows, ..ScrewAndNut::default() };
        let (screw, nut) = (fit.screw().unwrap(), fit.nut().unwrap());
        assert_closed(&screw);
        assert_closed(&nut);
        assert_eq!((euler(&screw), euler(&nut)), (2, 0));
        assert!(Solid::from_soup(&screw).is_ok() && Solid::from_soup(&nut).is_ok());
        assert_eq!((screw.bounds().max.z, nut.bounds().max.z), (fit.tip(), fit.nut_faces()[1]));
        let widest = |soup: &Soup| {
            soup.points().iter().filter(|p| p.z > 0.0).map(|p| p.truncate().length()).fold(0.0, f64::max)
        };
        assert_near(widest(&screw), fit.radius, 1e-12);
    }
}

#[test]
fn a_nut_turns_on_its_screw_without_touching_it() {
    for (segments, clearance) in [(6, 0.1e-3), (32, 0.1e-3), (20, 1e-5)] {
        let fit = ScrewAndNut { segments, clearance, screw_turns: 6, nut_turns: 2, ..ScrewAndNut::default() };
        let (screw, nut) = (fit.screw().unwrap(), fit.nut().unwrap());
        for step in 0..12 {
            // Two thirds of a turn in all, not in step with the corners.
            let angle = 0.37 * f64::from(step);
            let shift = Vec3::Z * fit.pitch * angle / TAU;
            let pose = Pose::new(shift, Quat::from_rotation_z(angle)).unwrap();
            let first = screw.points().len() as u32;
            let moved = nut.points().iter().map(|&p| pose.transform_point(p));
            let points = screw.points().iter().copied().chain(moved).collect();
            let shifted = nut.triangles().iter().map(|t| t.map(|corner| corner + first));
            let both = screw.triangles().iter().copied().chain(shifted).collect();
            let both = Soup::new(points, both).unwrap();
            assert!(self_intersections(&both).is_empty(), "{segments} segments, {angle} rad");
        }
    }
}

#[test]
fn a_rough_stone_is_as_rough_as_it_says() {
    for (triangles, seed) in [(20, 1), (1000, 2), (5000, 3)] {
        let stone = RoughStone { triangles, seed, ..RoughStone::default() };
        let soup = stone.soup().unwrap();
        assert_closed(&soup);
        assert_eq!(euler(&soup), 2);
        assert_near(soup.triangles().len() as f64, triangles as f64, 0.1);
        let off = |p: &Vec3| (p.length() / stone.radius - 1.0).abs();
        let farthest = soup.points().iter().map(off).fold(0.0, f64::max);
        assert!(farthest < stone.roughness && farthest > 0.2 * stone.roughness, "{farthest}");
        assert!(triangles < 1000 || !is_convex(&soup));
    }
    let [one, other] =
        [1, 2].map(|seed| RoughStone { seed, ..RoughStone::default() }.soup().unwrap().points()[0]);
    assert!(one.distance(other) > 1e-4);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let peg = PegAndHole::default();
    let bolt = CountersunkBolt::default();
    let (gear, screw) = (Gear::default(), ScrewAndNut::default());
    let refused: [(Result<Soup, PrimitiveError>, &str); 19] = [
        (PegAndHole { facets: 2, ..peg }.peg(), "facets is 2: at least 3"),
        (PegAndHole { radius: f64::NAN, ..peg }.block(), "radius is NaN"),
        (PegAndHole { clearance: -1e-3, ..peg }.block(), "clearance is -0.001"),
        (PegAndHole { wall: 1e-30, ..peg }.block(), "wall is"),
        (
            CountersunkBolt { head_radius: 1e-3, ..bolt }.bolt(),
            "head radius is 0.001: it must be above 0.003",
        ),
        (CountersunkBolt { thickness: 2e-3, ..bolt }.block(), "thickness is 0.002: it must be above"),
        (Dovetail { angle: PI, ..Dovetail::default() }.tail(), "the angle is 180 degrees"),
        (Gear { teeth: 3, ..gear }.soup(), "teeth is 3"),
        (Gear { bore_radius: 1.0, ..gear }.soup(), "bore radius is 1: it must be below"),
        (Gear { pressure_angle: 0.7, ..gear }.soup(), "come out pointed"),
        (Gear { flank_segments: 1 << 60, ..gear }.soup(), "triangles, more than"),
        (Gear { bore_radius: 0.01748, ..gear }.soup(), "bore radius is 0.01748: it must be below"),
        (l_bracket(1.0, 1.0, 1.0, 1.0), "thickness is 1: it must be below 1"),
        (t_bracket(1.0, f64::INFINITY, 0.1, 1.0), "up is inf"),
        (KeyAndPocket { chamfer: 1.0, ..KeyAndPocket::default() }.block(), "depth is 0.03: it must be above"),
        (ScrewAndNut { nut_turns: 14, ..screw }.nut(), "turns of the screw is 14: at least 15"),
        (ScrewAndNut { clearance: 1e-3, ..screw }.nut(), "clearance is 0.001: it must be below"),
        (ScrewAndNut { across: 0.016, ..screw }.screw(), "across is 0.016: it must be above"),
        (RoughStone { roughness: 1.0, ..RoughStone::default() }.soup(), "roughness is 1: it must be below"),
    ];
    for (i, (made, message)) in refused.into_iter().enumerate() {
        let error = made.err().unwrap_or_else(|| panic!("case {i} was made")).to_string();
        assert!(error.contains(message), "case {i}: {error}");
    }
}

#[test]
fn a_screw_with_a_cross_recess_has_its_closed_form() {
    // Pan heads of ISO 7045: M3, M4, M5, M6 and M8.
    let heads =
        [(1, 3.0, 2.8, 2.4), (2, 4.4, 4.0, 3.1), (2, 4.9, 4.75, 3.7), (3, 6.9, 6.0, 4.6), (4, 9.0, 8.0, 6.0)];
    // Its standard, mm: b, g, f, t1, alpha.
    let standard = [
        [0.97, 1.27, 0.56, 0.34, 138.0],
        [1.47, 2.29, 0.74, 0.61, 140.0],
        [2.41, 3.81, 0.86, 1.01, 146.0],
        [3.48, 5.08, 1.27, 1.35, 153.0],
    ];
    for (size, mouth, head, height) in heads {
        let (segments, radius, length) = (48, 0.3 * head, 3.0 * head);
        let fit = CrossRecess {
            size,
            mouth: 1e-3 * mouth,
            head_radius: 1e-3 * head,
            head_height: 1e-3 * height,
            shank_radius: 1e-3 * radius,
            length: 1e-3 * length,
            segments,
            shaft_radius: 2e-3 * head,
            ..CrossRecess::default()
        };
        let screw = fit.screw().unwrap();
        assert_closed(&screw);
        assert_eq!(euler(&screw), 2);
        assert!(
            self_intersections(&screw).is_empty() && self_intersections(&fit.driver().unwrap()).is_empty()
        );
        let [b, g, f, t1, alpha] = standard[size - 1];
        // What stands at the bottom of the wings, mm: their ends, and corners of the core on the diagonals.
        let bottom = -fit.depth();
        let at_bottom: Vec<Vec3> =
            screw.points().iter().filter(|p| (p.z - bottom).abs() < 1e-9).map(|&p| 1e3 * p).collect();
        assert_eq!(at_bottom.len(), 20);
        let reach = |p: &&Vec3| p.x.max(p.y).max(-p.x).max(-p.y);
        assert_eq!(at_bottom.iter().filter(|p| (reach(p) - 0.5 * g).abs() < 1e-9).count(), 8);
        assert_eq!(at_bottom.iter().filter(|p| (p.truncate().length() - 0.5 * b).abs() < 1e-9).count(), 4);
        let on_side =
            at_bottom.iter().find(|p| (p.y - 0.5 * f).abs() < 1e-9 && p.x > 0.0 && p.x < 0.5 * g - 1e-6);
        let diagonal = 0.5 * b / 2_f64.sqrt();
        let side = on_side.unwrap();
        let leans = (diagonal - side.y).atan2(side.x - diagonal).to_degrees();
        assert!((leans - (180.0 - alpha)).abs() < 1e-9, "{leans}");
        // Depth by the flanks, and the tip of the cone.
        let depth = 0.5 * (mouth - g) / 26.5_f64.to_radians().tan();
        assert_near(-1e3 * bottom, depth, 1e-12);
        assert!(screw.points().iter().any(|p| (1e3 * p.z + depth + t1).abs() < 1e-9));
        // The recess: its cross-section is quadratic in height, so Simpson's rule is exact.
        let section = |height: f64| {
            let ring = cross_section(b, g, f, alpha, if size == 1 || size == 4 { 7.0 } else { 5.75 }, height);
            0.5 * (0..20).map(|i| ring[i].perp_dot(ring[(i + 1) % 20])).sum::<f64>()
        };
        let recess = depth / 6.0 * (section(0.0) + 4.0 * section(0.5 * depth) + section(depth));
        let (chamfer, tip) = (0.25 * radius, 0.75 * radius);
        let cone = area(segments, 1.0) / 3.0 * (radius * radius + radius * tip + tip * tip) * chamfer;
        let expected = area(segments, head) * height + area(segments, radius) * (length - chamfer) + cone
            - recess
            - section(0.0) * t1 / 3.0;
        assert_near(1e9 * volume(&screw), expected, 1e-9);
    }
}

/// Corners of a recess at a height above its bottom, mm and degrees.
fn cross_section(b: f64, g: f64, f: f64, alpha: f64, beta: f64, height: f64) -> Vec<glam::DVec2> {
    let normal = glam::DVec2::from_angle((alpha - 90.0).to_radians());
    let corner = glam::DVec2::splat(0.5 * b / 2_f64.sqrt());
    let reach = corner.dot(normal) + height * beta.to_radians().tan();
    let wing = 0.5 * g + height * 26.5_f64.to_radians().tan();
    let diagonal = reach / (normal.x + normal.y);
    let side = (reach - 0.5 * f * normal.y) / normal.x;
    let corners =
        [[side, -0.5 * f], [wing, -0.5 * f], [wing, 0.5 * f], [side, 0.5 * f], [diagonal, diagonal]];
    let turned = |quarter: usize| glam::DVec2::from_angle(0.5 * PI * quarter as f64);
    (0..4).flat_map(|quarter| corners.map(|c| turned(quarter).rotate(c.into()))).collect()
}

#[test]
fn a_screwdriver_is_seated_with_its_clearance() {
    for size in 1..=4 {
        let mouth = [3.0e-3, 4.4e-3, 6.9e-3, 9.0e-3][size - 1];
        let fit = CrossRecess {
            size,
            mouth,
            head_radius: mouth,
            head_height: mouth,
            shaft_radius: mouth,
            shank_radius: 0.5 * mouth,
            ..CrossRecess::default()
        };
        let (screw, driver) = (fit.screw().unwrap(), fit.driver().unwrap());
        assert_closed(&driver);
        assert_eq!(euler(&driver), 2);
        assert_near(least_parallel_gap(&screw, &driver), fit.clearance, 1e-9);
        // Both are solids with nothing in common.
        assert!(Solid::from_soup(&screw).is_ok() && Solid::from_soup(&driver).is_ok());
    }
    let exact = CrossRecess { clearance: 0.0, ..CrossRecess::default() };
    assert!(exact.driver().is_ok());
    // The wings end within the sides of the shaft, however few these are.
    for segments in 6..12 {
        let fit = CrossRecess { segments, head_radius: 5e-3, shaft_radius: 3.5e-3, ..CrossRecess::default() };
        let driver = fit.driver().unwrap();
        assert_closed(&driver);
        assert!(self_intersections(&driver).is_empty(), "{segments} segments");
    }
}

#[test]
fn a_recess_that_does_not_fit_its_head_is_refused() {
    let fit = CrossRecess::default();
    for wrong in [
        CrossRecess { size: 0, ..fit },
        CrossRecess { size: 5, ..fit },
        CrossRecess { mouth: 2.0e-3, ..fit },
        CrossRecess { head_height: 2.5e-3, ..fit },
        CrossRecess { head_radius: 2.1e-3, ..fit },
        CrossRecess { clearance: 0.2e-3, ..fit },
        CrossRecess { shaft_radius: 2.0e-3, ..fit },
        CrossRecess { shaft_length: 1e-3, ..fit },
        CrossRecess { length: f64::NAN, ..fit },
    ] {
        assert!(wrong.screw().is_err(), "{wrong:?}");
    }
}
