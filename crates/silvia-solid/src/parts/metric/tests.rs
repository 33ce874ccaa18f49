use super::*;
use crate::self_intersection::self_intersections;
use crate::testing::{assert_closed, euler, volume};
use crate::{Pose, Quat, Solid, Vec3};
use std::f64::consts::TAU;

/// ISO 4017, ISO 4032 and the limits of ISO 965-2 for 6g and 6H, mm: width across flats, heights of head
/// and nut; major and pitch diameters of the bolt, pitch and minor diameters of the nut, each from its most
/// to its least material.
type Row = (MetricSize, f64, [f64; 3], [[f64; 2]; 4]);
const STANDARD: [Row; 9] = [
    (MetricSize::M3, 0.5, [5.5, 2.0, 2.4], [[2.980, 2.874], [2.655, 2.580], [2.675, 2.775], [2.459, 2.599]]),
    (MetricSize::M4, 0.7, [7.0, 2.8, 3.2], [[3.978, 3.838], [3.523, 3.433], [3.545, 3.663], [3.242, 3.422]]),
    (MetricSize::M5, 0.8, [8.0, 3.5, 4.7], [[4.976, 4.826], [4.456, 4.361], [4.480, 4.605], [4.134, 4.334]]),
    (MetricSize::M6, 1.0, [10.0, 4.0, 5.2], [[5.974, 5.794], [5.324, 5.212], [5.350, 5.500], [4.917, 5.153]]),
    (
        MetricSize::M8,
        1.25,
        [13.0, 5.3, 6.8],
        [[7.972, 7.760], [7.160, 7.042], [7.188, 7.348], [6.647, 6.912]],
    ),
    (
        MetricSize::M10,
        1.5,
        [16.0, 6.4, 8.4],
        [[9.968, 9.732], [8.994, 8.862], [9.026, 9.206], [8.376, 8.676]],
    ),
    (
        MetricSize::M12,
        1.75,
        [18.0, 7.5, 10.8],
        [[11.966, 11.701], [10.829, 10.679], [10.863, 11.063], [10.106, 10.441]],
    ),
    (
        MetricSize::M16,
        2.0,
        [24.0, 10.0, 14.8],
        [[15.962, 15.682], [14.663, 14.503], [14.701, 14.913], [13.835, 14.210]],
    ),
    (
        MetricSize::M20,
        2.5,
        [30.0, 12.5, 18.0],
        [[19.958, 19.623], [18.334, 18.164], [18.376, 18.600], [17.294, 17.744]],
    ),
];

fn fit_of(size: MetricSize, fit: ThreadFit) -> HexBoltAndNut {
    let length = 3.0 * size.diameter();
    HexBoltAndNut { size, length, fit, ..HexBoltAndNut::default() }
}

/// Distances of the points of a soup from the axis, mm, of those between two heights.
fn radii(soup: &Soup, [low, high]: [f64; 2]) -> impl Iterator<Item = f64> {
    let is_between = move |p: &&Vec3| p.z > low && p.z < high;
    soup.points().iter().filter(is_between).map(|p| 1e3 * p.truncate().length())
}

/// Twice the radius at which the section of a thread along the axis is as wide as its gap, mm: from the
/// heights of points of the column at the angle 0, whose distances are stretched by a factor.
fn pitch_diameter(soup: &Soup, stretched: f64, pitch: f64, [low, high]: [f64; 2]) -> f64 {
    let mut column: Vec<[f64; 2]> = soup
        .points()
        .iter()
        .filter(|p| p.x > 0.0 && p.y == 0.0 && p.z > low && p.z < high)
        .map(|p| [p.x / stretched, p.z])
        .collect();
    column.sort_by(|a, b| a[1].total_cmp(&b[1]));
    // Where the profile crosses a radius, going in and out, by turns; bisected for equal widths.
    let widths = |radius: f64| {
        let crossings: Vec<f64> = column
            .windows(2)
            .filter(|w| (w[0][0] < radius) != (w[1][0] < radius))
            .map(|w| w[0][1] + (radius - w[0][0]) / (w[1][0] - w[0][0]) * (w[1][1] - w[0][1]))
            .collect();
        assert!(crossings.len() >= 4);
        let outward = column.iter().find(|p| p[1] > crossings[0]).is_some_and(|p| p[0] > radius);
        let first = crossings[1] - crossings[0];
        if outward { first } else { pitch - first }
    };
    let (mut least, mut most) =
        column.iter().fold((f64::MAX, 0.0_f64), |(a, b), p| (a.min(p[0]), b.max(p[0])));
    for _ in 0..60 {
        let middle = 0.5 * (least + most);
        // The ridge of a bolt gets thinner outwards, and so does what lies above and below that of a nut.
        if widths(middle) > 0.5 * pitch { least = middle } else { most = middle }
    }
    2e3 * least
}

#[test]
fn bolts_and_nuts_have_the_limits_of_size_of_the_standards() {
    for (size, pitch, [across, head, nut_height], limits) in STANDARD {
        for (share, end) in [(0.0, 0), (1.0, 1)] {
            let fit = fit_of(size, ThreadFit::Medium(share));
            let (bolt, nut) = (fit.bolt().unwrap(), fit.nut().unwrap());
            let near = |found: f64, expected: f64, what: &str| {
                assert!((found - expected).abs() < 0.6e-3, "{size} at {share}: {what} {found}, {expected}")
            };
            let threaded = [2.0 * fit.size.pitch(), fit.length];
            near(2.0 * radii(&bolt, threaded).fold(0.0, f64::max), limits[0][end], "major");
            let p = 1e-3 * pitch;
            near(
                pitch_diameter(&bolt, 1.0, p, [0.3 * fit.length, 0.8 * fit.length]),
                limits[1][end],
                "pitch",
            );
            let to_side = (std::f64::consts::PI / fit.nut_segments as f64).cos();
            let [low, high] = fit.nut_faces();
            let in_nut = [low + 1e-9, high - 1e-9];
            near(2.0 * to_side * radii(&nut, in_nut).fold(f64::MAX, f64::min), limits[3][end], "minor");
            let middle = 0.5 * (low + high);
            let turn = [middle - 1.2 * p, middle + 1.2 * p];
            near(pitch_diameter(&nut, 1.0 / to_side, p, turn), limits[2][end], "pitch of the nut");
            near(1e3 * (high - low), nut_height, "height");
            let (b, n) = (bolt.bounds(), nut.bounds());
            near(-1e3 * b.min.z, head, "head");
            near(2e3 * b.max.y, across, "across");
            near(2e3 * n.max.y, across, "across");
            assert_eq!(b.max.z, fit.length);
        }
        let (d, h) = (1e3 * size.diameter(), 3_f64.sqrt() / 2.0 * pitch);
        assert!((1e3 * size.pitch() - pitch).abs() < 1e-12);
        // ISO 724: without deviations, the pitch diameter is D - 3/4 H.
        let basic = fit_of(size, ThreadFit::Clearance(0.0));
        let found = pitch_diameter(
            &basic.bolt().unwrap(),
            1.0,
            1e-3 * pitch,
            [0.3 * basic.length, 0.8 * basic.length],
        );
        assert!((found - (d - 0.75 * h)).abs() < 1e-9, "{size}: {found}");
    }
}

#[test]
fn every_size_is_a_solid_bolt_and_a_nut_that_turns_on_it() {
    for size in MetricSize::ALL {
        for thread in [ThreadFit::Medium(0.0), ThreadFit::Medium(1.0), ThreadFit::Clearance(2e-5)] {
            let fit = HexBoltAndNut { segments: 16, nut_segments: 19, ..fit_of(size, thread) };
            let (bolt, nut) = (fit.bolt().unwrap(), fit.nut().unwrap());
            assert_closed(&bolt);
            assert_closed(&nut);
            assert_eq!((euler(&bolt), euler(&nut)), (2, 0));
            assert!(Solid::from_soup(&bolt).is_ok() && Solid::from_soup(&nut).is_ok());
            for angle in [0.0, 0.37, -2.9] {
                let lead = Vec3::Z * size.pitch() * angle / TAU;
                let pose = Pose::new(lead, Quat::from_rotation_z(angle)).unwrap();
                assert!(are_apart(&bolt, &nut, &pose), "{size}, {thread:?}, {angle} rad");
            }
        }
    }
}

fn are_apart(a: &Soup, b: &Soup, pose: &Pose) -> bool {
    let first = a.points().len() as u32;
    let moved = b.points().iter().map(|&p| pose.transform_point(p));
    let shifted = b.triangles().iter().map(|t| t.map(|corner| corner + first));
    let points = a.points().iter().copied().chain(moved).collect();
    let both = Soup::new(points, a.triangles().iter().copied().chain(shifted).collect()).unwrap();
    self_intersections(&both).is_empty()
}

/// Moved along the axis, the nut meets the thread where the play ends: the clearance, measured across
/// flanks at 30 degrees, and a little more for the corners of its polygon.
#[test]
fn the_play_along_the_axis_is_that_of_the_clearance() {
    let c = 5e-5;
    let fit =
        HexBoltAndNut { segments: 64, nut_segments: 67, ..fit_of(MetricSize::M10, ThreadFit::Clearance(c)) };
    assert!((fit.flank_clearance() / c - 1.0).abs() < 1e-9);
    let (bolt, nut) = (fit.bolt().unwrap(), fit.nut().unwrap());
    let play = c / 30_f64.to_radians().cos();
    for sign in [-1.0, 1.0] {
        for (share, is_free) in [(0.98, true), (1.1, false)] {
            let pose = Pose::new(Vec3::Z * sign * share * play, Quat::IDENTITY).unwrap();
            assert_eq!(are_apart(&bolt, &nut, &pose), is_free, "{sign} {share}");
        }
    }
    // M10, the middle of 6g/6H: (32 + 132/2 + 180/2) um of play in pitch diameter.
    let middle = fit_of(MetricSize::M10, ThreadFit::Medium(0.5));
    assert!((middle.flank_clearance() - 188e-6 / 4.0).abs() < 1e-12);
}

/// A ridge that fades out has less volume than its turns, and more than all but one of them: half a turn
/// fades at each end.
#[test]
fn a_bolt_has_the_volume_of_its_core_head_and_ridge() {
    for size in MetricSize::ALL {
        let fit = HexBoltAndNut { segments: 96, ..fit_of(size, ThreadFit::Clearance(0.0)) };
        let found = volume(&fit.bolt().unwrap());
        let (d, p) = (size.diameter(), size.pitch());
        let h = 3_f64.sqrt() / 2.0 * p;
        let [outer, inner] = [0.5 * d, 0.5 * d - 0.625 * h];
        let head = 3_f64.sqrt() / 2.0 * size.across().powi(2) * size.head();
        let core = std::f64::consts::PI * inner.powi(2) * fit.length;
        // Pappus: a trapezium from 3/4 of the pitch wide at the root to an eighth at the crest.
        let (wide, narrow, high) = (0.75 * p, 0.125 * p, outer - inner);
        let centroid = inner + high / 3.0 * (wide + 2.0 * narrow) / (wide + narrow);
        let turn = TAU * centroid * 0.5 * (wide + narrow) * high;
        // A polygon of 96 sides has 0.07 % less than its circle.
        let round = 96.0 / TAU * (TAU / 96.0).sin();
        let turns = fit.bolt_turns() as f64;
        let [least, most] = [turns - 1.0, turns].map(|n| head + round * (core + n * turn));
        assert!(found > least && found < most, "{size}: {least} {found} {most}");
    }
}

#[test]
fn numbers_of_facets_have_no_common_divisor() {
    for segments in 6..200_usize {
        let other = HexBoltAndNut::coprime_above(segments);
        assert!(other >= segments + 3 && other < 2 * segments);
        assert!(
            (2..=segments).all(|n| !(segments.is_multiple_of(n) && other.is_multiple_of(n))),
            "{segments} {other}"
        );
    }
    assert_eq!(HexBoltAndNut::default().nut_segments, 35);
}

#[test]
fn sizes_are_read_as_engineers_write_them() {
    for size in MetricSize::ALL {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    assert_eq!(" m8 ".parse(), Ok(MetricSize::M8));
    let error = "M7".parse::<MetricSize>().unwrap_err().to_string();
    assert!(error.starts_with("\"M7\" is not a size here: use one of M3, M4, M5"), "{error}");
}

#[test]
fn a_bolt_that_cannot_be_is_refused() {
    let fit = HexBoltAndNut::default();
    for (wrong, message) in [
        (HexBoltAndNut { segments: 5, ..fit }, "segments is 5: at least 6"),
        (HexBoltAndNut { nut_segments: 0, ..fit }, "segments of the nut is 0: at least 6"),
        (HexBoltAndNut { length: 7e-3, ..fit }, "length is 0.007: it must be above"),
        (HexBoltAndNut { length: f64::NAN, ..fit }, "length is NaN"),
        (HexBoltAndNut { fit: ThreadFit::Medium(1.5), ..fit }, "tolerance is 1.5: it must be from 0 to 1"),
        (HexBoltAndNut { fit: ThreadFit::Medium(f64::NAN), ..fit }, "tolerance is NaN"),
        (HexBoltAndNut { fit: ThreadFit::Clearance(-1.0), ..fit }, "clearance is -1"),
        (HexBoltAndNut { fit: ThreadFit::Clearance(5e-4), ..fit }, "clearance is 0.0005: it must be below"),
        (HexBoltAndNut { length: 1e9, ..fit }, "triangles, more than"),
    ] {
        let error = wrong.bolt().map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(wrong.nut().is_err() || wrong.length > 1.0, "{wrong:?}");
    }
}
