//! How a recording is best seen as a whole: what is ground, what moves where, from which side, how long
//! arrows are.

use crate::recording::{Frame, Header, RecordedBody, Recording, RecordingError, View};
use silvia_solid::{Plane, Vec3};

/// What pictures and pages of one recording have in common.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Against gravity; z if there is none.
    pub up: Vec3,
    /// Bodies that are drawn as endless planes, by their place in the header.
    pub grounds: Vec<(usize, Plane)>,
    /// A plane under all of it for shadows to fall on, if the scene has no ground of its own but has gravity.
    pub backdrop: Option<Plane>,
    /// The middle of what is worth seeing, m.
    pub middle: Vec3,
    /// From there to its corners, m.
    pub radius: f64,
    /// What the scene asks for, or a view in which all that moves is seen all the time.
    pub view: View,
    /// Length of a force's arrow, m/N.
    pub metres_a_newton: f64,
}

/// Frames by which a recording is judged; of more, as many evenly spread.
const JUDGED: usize = 128;
/// Angle of a picture's height, rad: that of a lens which makes things look as they are.
const ANGLE: f64 = 0.5;
/// How far above the horizon the eye is, rad.
const HEIGHT: f64 = 0.38;
/// How far the eye is turned from straight in front of the widest motion, rad: corners show that things are
/// solid.
const TURN: f64 = 0.5;
/// Of width and height, what bodies may fill.
const FILLED: f64 = 0.86;
/// Width of a picture by its height for which the view is made.
pub const USUAL_SHAPE: f64 = 16.0 / 9.0;
/// Whoever flies off is followed this many times as far as the bodies reached at the beginning.
const FOLLOWED: f64 = 1.0;
/// What does not move is worth seeing so far around what does, in sizes of the latter.
const AROUND: f64 = 0.35;
/// A force that nearly all others do not exceed is drawn so long, in radii of the scene.
const ARROW: f64 = 0.3;
/// The part of the forces that do not exceed it.
const MOST: f64 = 0.95;
/// How far below everything the backdrop is, in radii of the scene.
const BELOW: f64 = 0.08;
/// How far the corners of a square may be from equal and right, as a part of its side.
const SQUARE: f64 = 1e-6;

impl Stage {
    /// Of a recording, for pictures of usual shape.
    pub fn of(recording: &Recording) -> Result<Stage, RecordingError> {
        let header = recording.header();
        let up = (-header.gravity).try_normalize().unwrap_or(Vec3::Z);
        let count = recording.len();
        let numbers = |i: usize| if count > JUDGED { i * (count - 1) / (JUDGED - 1) } else { i };
        let frames =
            (0..count.min(JUDGED)).map(|i| recording.frame(numbers(i))).collect::<Result<Vec<Frame>, _>>()?;
        let boxes: Vec<Option<[Vec3; 2]>> = header.bodies.iter().map(bounds).collect();
        let first = frames.first().map_or(&[][..], |frame| &frame.poses[..]);
        let flat = |(number, body): (usize, &RecordedBody)| {
            let pose = first.get(number)?;
            let plane = square(body)?;
            let normal = pose.transform_vector(plane.normal);
            Some((number, Plane { normal, offset: plane.offset + normal.dot(pose.translation()) }))
        };
        let grounds: Vec<(usize, Plane)> = header.bodies.iter().enumerate().filter_map(flat).collect();
        let is_ground = |number: usize| grounds.iter().any(|(ground, _)| *ground == number);
        let corners = |frame: &Frame, chosen: &dyn Fn(usize) -> bool| -> Vec<Vec3> {
            let bodies = boxes.iter().zip(&frame.poses).enumerate();
            bodies
                .filter(|(number, _)| chosen(*number) && !is_ground(*number))
                .filter_map(|(_, (bounds, pose))| Some((corners_of((*bounds)?), pose)))
                .flat_map(|(corners, pose)| corners.map(|corner| pose.transform_point(corner)))
                .collect()
        };
        let moves = |number: usize| header.bodies[number].role != "fixed";
        let start = extent(frames.first().map_or(Vec::new(), |frame| corners(frame, &|_| true)).iter());
        let limit = start.map(|[low, high]| grown([low, high], FOLLOWED * (high - low).length()));
        let moving: Vec<Vec3> = frames.iter().flat_map(|frame| corners(frame, &moves)).collect();
        let within = |p: &Vec3| limit.is_none_or(|[low, high]| p.cmpge(low).all() && p.cmple(high).all());
        let mut seen: Vec<Vec3> = moving.into_iter().filter(within).collect();
        let still = frames.first().map_or(Vec::new(), |frame| corners(frame, &|number| !moves(number)));
        match extent(seen.iter()) {
            // Of what does not move, the part that is near: a large table would make all on it small.
            Some([low, high]) => {
                let [low, high] = grown([low, high], AROUND * (high - low).length());
                seen.extend(still.iter().map(|p| p.clamp(low, high)));
            }
            None => seen = still,
        }
        let [low, high] = extent(seen.iter()).unwrap_or([Vec3::splat(-1.0), Vec3::ONE]);
        let (middle, radius) = (0.5 * (low + high), (0.5 * (high - low).length()).max(f64::MIN_POSITIVE));
        let backdrop = (grounds.is_empty() && header.gravity != Vec3::ZERO).then(|| {
            let lowest = seen.iter().map(|p| p.dot(up)).fold(f64::INFINITY, f64::min);
            let lowest = if lowest.is_finite() { lowest } else { middle.dot(up) - radius };
            Plane { normal: up, offset: lowest - BELOW * radius }
        });
        let view = header.view.unwrap_or_else(|| fitted(&seen, middle, radius, up));
        let metres_a_newton = ARROW * radius / typical_force(&frames);
        Ok(Stage { up, grounds, backdrop, middle, radius, view, metres_a_newton })
    }

    /// The view for a picture of another shape (width by height): what is seen in one of usual shape is seen
    /// in a narrow one too.
    pub fn view_in(&self, shape: f64) -> View {
        let half = (0.5 * self.view.angle).tan() * (USUAL_SHAPE / shape).max(1.0);
        View { angle: 2.0 * half.atan(), ..self.view }
    }

    /// Whether a body is drawn as an endless plane.
    pub fn is_ground(&self, number: usize) -> bool {
        self.grounds.iter().any(|(ground, _)| *ground == number)
    }

    /// All planes that are drawn without an end, each with the colour of its body; the backdrop has none.
    pub fn planes(&self, header: &Header) -> Vec<(Plane, Option<[u8; 3]>)> {
        let own = self.grounds.iter().map(|(number, plane)| (*plane, Some(header.bodies[*number].colour)));
        own.chain(self.backdrop.map(|plane| (plane, None))).collect()
    }
}

/// A view from a little above in which all points are seen, turned so that what is wide is seen wide.
fn fitted(points: &[Vec3], middle: Vec3, radius: f64, up: Vec3) -> View {
    let (mut east, mut north) = up.any_orthonormal_pair();
    if up.abs().dot(Vec3::Z) > 0.999 {
        (east, north) = (Vec3::X, Vec3::Y);
    }
    // The direction, level, in which the points are spread most.
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let (x, y) = ((*point - middle).dot(east), (*point - middle).dot(north));
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let spread = ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt();
    // About as deep as wide: then the usual front.
    let wide = if spread > 0.2 * (xx + yy) { 0.5 * (2.0 * xy).atan2(xx - yy) } else { 0.0 };
    // Right of the front of it. What is wide runs between -90 and 90 degrees, so that the front is on the
    // side of -y.
    let around = wide - std::f64::consts::FRAC_PI_2 + TURN;
    let ((sin, cos), (rise, level)) = (around.sin_cos(), HEIGHT.sin_cos());
    let back = level * (cos * east + sin * north) + rise * up;
    let right = up.cross(back).normalize();
    let over = back.cross(right);
    let half = FILLED * (0.5 * ANGLE).tan();
    // The eye moves so that on both sides as much is free: the two rays that bound the points meet there.
    let bounds = |side: Vec3, half: f64| {
        let reach = |sign: f64| {
            points
                .iter()
                .map(|p| sign * (*p - middle).dot(side) / half + (*p - middle).dot(back))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let (plus, minus) = (reach(1.0), reach(-1.0));
        if plus.is_finite() {
            (0.5 * (plus + minus), 0.5 * half * (plus - minus))
        } else {
            (4.0 * radius, 0.0)
        }
    };
    let (far_x, aside) = bounds(right, half * USUAL_SHAPE);
    let (far_y, above) = bounds(over, half);
    let far = far_x.max(far_y).max(radius);
    let target = middle + aside * right + above * over;
    View { eye: target + far * back, target, angle: ANGLE }
}

/// What nearly all forces of all contacts do not exceed, N.
fn typical_force(frames: &[Frame]) -> f64 {
    let contacts = frames.iter().flat_map(|frame| &frame.contacts);
    let mut forces: Vec<f64> = contacts
        .map(|contact| contact.force.length())
        .filter(|force| force.is_finite() && *force > 0.0)
        .collect();
    forces.sort_by(f64::total_cmp);
    let most = (forces.len() as f64 * MOST) as usize;
    forces.get(most.min(forces.len().saturating_sub(1))).copied().unwrap_or(1.0)
}

/// The plane of a body that is drawn as a square and nothing else, as half-spaces are.
fn square(body: &RecordedBody) -> Option<Plane> {
    let [a, b, c, d] = body.mesh.points[..] else { return None };
    if body.role != "fixed" || body.mesh.triangles.len() != 2 {
        return None;
    }
    let side = (b - a).length();
    let near = |p: Vec3, q: Vec3| (p - q).length() <= SQUARE * side;
    let is_square = near(b - a, c - d)
        && ((c - b).length() - side).abs() <= SQUARE * side
        && (b - a).dot(c - b).abs() <= SQUARE * side * side;
    let normal = (b - a).cross(c - b).try_normalize()?;
    is_square.then(|| Plane { normal, offset: normal.dot(a) })
}

/// Of its triangles, in its own frame.
fn bounds(body: &RecordedBody) -> Option<[Vec3; 2]> {
    extent(body.mesh.points.iter())
}

fn extent<'a>(points: impl Iterator<Item = &'a Vec3>) -> Option<[Vec3; 2]> {
    points.fold(None, |known, &point| match known {
        None => Some([point, point]),
        Some([low, high]) => Some([low.min(point), high.max(point)]),
    })
}

fn grown([low, high]: [Vec3; 2], by: f64) -> [Vec3; 2] {
    [low - Vec3::splat(by), high + Vec3::splat(by)]
}

fn corners_of([low, high]: [Vec3; 2]) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let side = |axis: usize| if i >> axis & 1 == 0 { low } else { high };
        Vec3::new(side(0).x, side(1).y, side(2).z)
    })
}
