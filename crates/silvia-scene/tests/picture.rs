//! Pictures show what is there.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{sample, still};
use seeded::Random;
use silvia_proximity::Shape;
use silvia_scene::View;
use silvia_scene::picture::{Artist, Camera, Canvas, Image, PictureError, PictureOptions};
use silvia_scene::recording::{Header, Recording};
use silvia_solid::{Plane, Pose, Quat, Vec3};

const RED: [u8; 3] = [210, 20, 20];
const BLUE: [u8; 3] = [20, 40, 210];

/// From the front, at a height of 0.3 m.
fn options() -> PictureOptions {
    let view = View { eye: Vec3::new(0.0, -3.0, 0.3), target: Vec3::new(0.0, 0.0, 0.3), angle: 0.5 };
    PictureOptions { width: 160, height: 90, view: Some(view), caption: false, ..PictureOptions::default() }
}

fn drawn(recording: &Recording, options: &PictureOptions) -> Image {
    Artist::new(recording).unwrap().frame(0, options).unwrap()
}

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 90 && g < r / 3 && b < r / 3
}

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    b > 60 && r < b / 2 && g < b / 2
}

fn brightness(rgb: [u8; 3]) -> u32 {
    rgb.iter().map(|&c| u32::from(c)).sum()
}

#[test]
fn a_red_ball_in_the_middle_is_red_there_and_round() {
    let image = drawn(&still(&[(ball(0.2), Vec3::new(0.0, 0.0, 0.3), RED)]), &options());
    assert_eq!((image.width, image.height, image.bytes.len()), (160, 90, 3 * 160 * 90));
    assert!(is_red(image.pixel(83, 41).unwrap()));
    // The picture is 2 * 3 * tan(0.25) = 1.532 m high, 90 pixels: the ball's outline is a circle of 11.8
    // pixels, slightly larger since its rim is nearer to the eye than its middle.
    // Its bands are of a darker red.
    let red = |x: usize, y: usize| image.pixel(x, y).is_some_and(|[r, g, b]| r / 2 > g.max(b));
    let area = (0..90).flat_map(|y| (0..160).map(move |x| (x, y))).filter(|&(x, y)| red(x, y)).count() as f64;
    let exact = std::f64::consts::PI * 11.77_f64.powi(2);
    assert!((area - exact).abs() < 0.15 * exact, "{area} pixels, not {exact}");
    // Smooth: no step of brightness from pixel to pixel along a row is large, but where the bands begin that
    // show how it rolls. One is level, the other upright, and both are three pixels wide.
    let row = |y: usize| -> Vec<u32> { (73..77).map(|x| brightness(image.pixel(x, y).unwrap())).collect() };
    for y in [41, 45] {
        assert!(row(y).windows(2).all(|pair| pair[0].abs_diff(pair[1]) < 40), "{:?}", row(y));
    }
    assert!(row(41).iter().zip(row(45)).all(|(beside, band)| 3 * band < 2 * beside));
}

#[test]
fn how_a_ball_rolls_is_seen_in_a_picture_as_small_as_a_stamp() {
    // 1.532 m are 90 pixels: the balls are 6 and 12 pixels wide.
    for radius in [0.051, 0.102] {
        let shape = ball(radius);
        let mut recording = still(&[(shape, Vec3::new(0.0, 0.0, 0.3), RED)]);
        let before = drawn(&recording, &options());
        let eighth = Quat::from_axis_angle(Vec3::X, 0.25 * std::f64::consts::PI);
        let mut frame = recording.frame(0).unwrap();
        frame.poses[0] = Pose::new(Vec3::new(0.0, 0.0, 0.3), eighth).unwrap();
        recording = Recording::in_memory(recording.header().clone(), vec![frame]);
        let after = drawn(&recording, &options());
        let covered = std::f64::consts::PI * (radius * 90.0 / 1.532).powi(2);
        let differ = |(a, b): &(&[u8], &[u8])| {
            let light = |rgb: &[u8]| brightness([rgb[0], rgb[1], rgb[2]]);
            light(a).abs_diff(light(b)) > 40
        };
        let changed = before.bytes.chunks(3).zip(after.bytes.chunks(3)).filter(differ).count() as f64;
        assert!(changed > 0.2 * covered, "{changed} of {covered} pixels");
    }
}

#[test]
fn what_is_nearer_hides_what_is_farther_in_whatever_order_they_come() {
    let near = (ball(0.1), Vec3::new(0.0, -1.0, 0.3), RED);
    let far = (ball(0.3), Vec3::new(0.0, 0.5, 0.3), BLUE);
    for bodies in [[near.clone(), far.clone()], [far, near]] {
        let image = drawn(&still(&bodies), &options());
        assert!(is_red(image.pixel(83, 41).unwrap()));
        assert!(is_blue(image.pixel(91, 39).unwrap()), "{:?}", image.pixel(91, 39));
    }
}

#[test]
fn a_ball_throws_a_shadow_on_the_ground_below_it() {
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let plate = Shape::cuboid(Vec3::new(0.6, 0.6, 0.02)).unwrap();
    let bodies = [(ground, Vec3::ZERO, [190; 3]), (plate, Vec3::new(0.0, 0.0, 0.25), RED)];
    let view = View { eye: Vec3::new(0.0, -3.0, 1.0), target: Vec3::new(0.0, 0.0, 0.1), angle: 0.5 };
    let image = drawn(&still(&bodies), &PictureOptions { view: Some(view), ..options() });
    // Seen under the plate: a point of the ground straight below its middle, and one far to the left.
    let camera = Camera::new(&view, Vec3::Z);
    let at = |p: Vec3| {
        let seen = camera.project(p);
        let (x, y) = (80.0 + 45.0 * seen.x, 45.0 - 45.0 * seen.y);
        brightness(image.pixel(x as usize, y as usize).unwrap())
    };
    let (below, beside) = (at(Vec3::new(0.05, -0.02, 0.0)), at(Vec3::new(-0.9, -0.02, 0.0)));
    assert!(5 * below < 4 * beside, "below {below}, beside {beside}");
}

#[test]
fn the_same_picture_has_the_same_bytes_on_any_number_of_threads() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let options =
        PictureOptions { width: 200, height: 120, contacts: true, labels: true, ..PictureOptions::default() };
    let png = || artist.at(0.3, &options).unwrap().png().unwrap();
    let first = png();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(png) == first, "{threads} threads");
    }
}

#[test]
fn a_picture_file_is_read_back_by_a_decoder_as_it_was() {
    let image = drawn(&still(&[(ball(0.2), Vec3::new(0.0, 0.0, 0.3), RED)]), &options());
    let file = image.png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height, bytes), (160, 90, image.bytes));
}

#[test]
fn the_default_view_sees_all_that_moves_all_the_time() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let camera = Camera::new(&artist.stage().view, Vec3::Z);
    let (mut widest, mut highest) = (0.0_f64, 0.0_f64);
    for frame in recording.frames() {
        for (body, pose) in recording.header().bodies.iter().zip(&frame.unwrap().poses).skip(1) {
            for point in &body.mesh.points {
                let seen = camera.project(pose.transform_point(*point));
                assert!(seen.z > 0.0);
                (widest, highest) = (widest.max(seen.x.abs()), highest.max(seen.y.abs()));
            }
        }
    }
    assert!(widest < 16.0 / 9.0 && highest < 1.0, "{widest}, {highest}");
    assert!(widest > 1.2 || highest > 0.7, "it is well used: {widest}, {highest}");
}

#[test]
fn labels_captions_and_forces_are_drawn_only_when_asked_for() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let last = recording.len() - 1;
    let options = PictureOptions { width: 320, height: 180, caption: false, ..PictureOptions::default() };
    let plain = artist.frame(last, &options).unwrap();
    for (what, other) in [
        ("caption", PictureOptions { caption: true, ..options.clone() }),
        ("labels", PictureOptions { labels: true, ..options.clone() }),
        ("contacts", PictureOptions { contacts: true, ..options.clone() }),
    ] {
        let image = artist.frame(last, &other).unwrap();
        let changed = image.bytes.chunks(3).zip(plain.bytes.chunks(3)).filter(|(a, b)| a != b).count();
        assert!((20..6000).contains(&changed), "{what}: {changed} pixels");
    }
}

#[test]
fn a_strip_is_its_moments_side_by_side() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let options = PictureOptions { width: 64, height: 48, ..PictureOptions::default() };
    let strip = artist.strip(3, &options).unwrap();
    assert_eq!((strip.width, strip.height), (3 * 64 + 2 * 4, 48));
    for (place, number) in [0, 25, 50].into_iter().enumerate() {
        let alone = artist.frame(number, &options).unwrap();
        let same = |x: usize, y: usize| strip.pixel(place * 68 + x, y) == alone.pixel(x, y);
        assert!((0..48).all(|y| (0..64).all(|x| same(x, y))), "moment {place}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let said = |result: Result<Image, PictureError>| result.unwrap_err().to_string();
    assert!(said(artist.at(9.0, &options())).contains("from 0 s to 0.5 s"));
    assert!(said(artist.at(f64::NAN, &options())).contains("no moment NaN"));
    assert!(said(artist.frame(0, &PictureOptions { width: 0, ..options() })).contains("0 by 90"));
    assert!(said(artist.frame(0, &PictureOptions { height: 1 << 20, ..options() })).contains("1048576"));
    assert!(said(artist.strip(0, &options())).contains("cannot be drawn"));
    assert!(said(artist.strip(usize::MAX, &options())).contains("cannot be drawn"));
    for (eye, target, angle) in [
        (Vec3::NAN, Vec3::ZERO, 0.5),
        (Vec3::X, Vec3::X, 0.5),
        (Vec3::X, Vec3::ZERO, 0.0),
        (Vec3::X, Vec3::ZERO, 3.2),
    ] {
        let view = Some(View { eye, target, angle });
        assert!(matches!(
            artist.frame(0, &PictureOptions { view, ..options() }),
            Err(PictureError::View { .. })
        ));
    }
    let empty = Recording::in_memory(Header::default(), Vec::new());
    assert!(matches!(Artist::new(&empty), Err(PictureError::Empty)));
}

/// By casting a ray through each pixel: the rasteriser, which clips and divides, must agree with it, whether
/// corners are before the eye or behind it.
#[test]
fn triangles_are_seen_where_rays_meet_them() {
    let view = View { eye: Vec3::ZERO, target: Vec3::Y, angle: 1.0 };
    let mut random = Random::new(7);
    let (mut met, mut missed, mut behind) = (0, 0, 0);
    for _ in 0..200 {
        let corners: [Vec3; 3] =
            std::array::from_fn(|_| random.vector(1.0) * Vec3::new(1.0, 2.0, 1.0) + 0.8 * Vec3::Y);
        behind += u32::from(corners.iter().any(|p| p.y < 0.0) && corners.iter().any(|p| p.y > 0.0));
        let mut canvas = Canvas::new(16, 12, [0.0; 3], Camera::new(&view, Vec3::Z));
        // The weights of the corners give the point back.
        canvas.triangle(corners, |w| {
            let point = w[0] * corners[0] + w[1] * corners[1] + w[2] * corners[2];
            assert!((w[0] + w[1] + w[2] - 1.0).abs() < 1e-9 && w.iter().all(|&x| x > -1e-9), "{w:?}");
            [point.x, point.y, point.z]
        });
        let [width, height] = canvas.drawn_size();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (origin, ray) = canvas.ray(x, y);
            let [a, b, c] = corners.map(|p| p - origin);
            // Signed volumes: all of one sign if the ray passes through the triangle.
            let volumes = [b.cross(c).dot(ray), c.cross(a).dot(ray), a.cross(b).dot(ray)];
            let sum: f64 = volumes.iter().sum();
            if volumes.iter().any(|v| v.abs() < 1e-9) {
                continue;
            }
            let depth = a.dot(b.cross(c)) / sum;
            let inside = volumes.iter().all(|v| v * sum > 0.0) && depth > 1e-5;
            if inside {
                met += 1;
                assert!(!canvas.is_free(x, y, 1.0001 * depth), "{corners:?} at {x}, {y}");
                assert!(canvas.is_free(x, y, 0.9999 * depth), "{corners:?} at {x}, {y}");
            } else if depth < 0.0 || volumes.iter().any(|v| v * sum < 0.0) {
                missed += 1;
                assert!(canvas.is_free(x, y, 1e9), "{corners:?} at {x}, {y}");
            }
        }
    }
    assert!(met > 1000 && missed > 1000 && behind > 50, "{met}, {missed}, {behind}");
}

#[test]
fn a_film_shows_the_frames_and_takes_as_long_as_they_do() {
    let recording = sample();
    let artist = Artist::new(&recording).unwrap();
    let options = PictureOptions { width: 120, height: 68, labels: true, ..PictureOptions::default() };
    let (first, last) = (recording.time(0).unwrap(), recording.time(recording.len() - 1).unwrap());
    let film = artist.film([first, last], 20.0, &options).unwrap();
    let mut decoder = gif::DecodeOptions::new();
    decoder.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = decoder.read_info(&film.bytes[..]).unwrap();
    let palette = decoder.global_palette().unwrap().to_vec();
    let mut shown = vec![0_u8; 120 * 68];
    let (mut frames, mut ticks) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let [left, top, width] = [frame.left, frame.top, frame.width].map(usize::from);
        for (at, &index) in frame.buffer.iter().enumerate().filter(|(_, index)| **index != 255) {
            shown[(top + at / width) * 120 + left + at % width] = index;
        }
        let expected = artist.at(first + frames as f64 / 20.0, &options).unwrap();
        let rgb = shown.iter().flat_map(|&index| &palette[3 * usize::from(index)..][..3]);
        let off: u64 = rgb.zip(&expected.bytes).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!((off as f64) < 2.5 * expected.bytes.len() as f64, "frame {frames} is off by {off}");
        frames += 1;
        ticks += u32::from(frame.delay);
    }
    assert_eq!((frames, film.frames), (((last - first) * 20.0 + 1e-9) as usize + 1, frames));
    assert_eq!(ticks, 5 * (frames as u32 - 1) + 100);
    for (span, fps) in [([last, first], 20.0), ([first, last], 60.0), ([first, last], -1.0)] {
        assert!(matches!(artist.film(span, fps, &options), Err(PictureError::Film { .. })));
    }
}

#[test]
fn names_do_not_lie_on_each_other() {
    // Two balls behind each other, seen from the front: the name of the nearer stays where it is, and that of
    // the other comes above or below.
    let named = |places: &[f64]| {
        let bodies: Vec<_> = places.iter().map(|&y| (ball(0.2), Vec3::new(0.0, y, 0.3), [240; 3])).collect();
        drawn(&still(&bodies), &PictureOptions { labels: true, width: 480, height: 270, ..options() })
    };
    let (one, both) = (named(&[0.0]), named(&[0.0, 0.5]));
    let rows = |image: &Image| -> Vec<usize> {
        (0..270)
            .filter(|&row| (0..480).any(|column| brightness(image.pixel(column, row).unwrap()) < 160))
            .collect()
    };
    assert!(rows(&both).len() > rows(&one).len() + 6, "{:?} {:?}", rows(&one), rows(&both));
}

#[test]
fn a_moment_that_is_not_there_is_told_without_rounding_errors() {
    let error = PictureError::Time { time: 99.0, first: 0.0, last: 1.0000000000000007 };
    assert_eq!(error.to_string(), "the recording has no moment 99 s: it goes from 0 s to 1 s");
}
