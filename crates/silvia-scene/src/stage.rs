//! How to show a recording as a whole: the ground, the region of interest, the view, the scale of arrows.

use crate::recording::{Frame, Header, RecordedBody, Recording, RecordingError, View};
use silvia_solid::{Plane, Vec3};

/// What all pictures and pages of a recording share.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The direction against gravity; z if there is none.
    pub up: Vec3,
    /// Bodies drawn as infinite planes, by their index in the header.
    pub grounds: Vec<(usize, Plane)>,
    /// A plane below everything for shadows to fall on, if the scene has gravity but no ground.
    pub backdrop: Option<Plane>,
    /// The centre of the region of interest, m.
    pub middle: Vec3,
    /// Distance from the centre to the corners of the region, m.
    pub radius: f64,
    /// The view that the scene asks for, or one that shows everything that moves at all times.
    pub view: View,
    /// Length of the arrow per unit of force, m/N.
    pub metres_a_newton: f64,
}

/// The most frames examined to choose the view, evenly spread.
const JUDGED: usize = 128;
/// Vertical angle of view, rad: that of a lens that makes things look natural.
const ANGLE: f64 = 0.5;
/// Elevation of the eye above the horizon, rad.
const HEIGHT: f64 = 0.38;
/// How far the eye is turned from the front of the widest motion, rad: seeing corners shows that things are
/// solid.
const TURN: f64 = 0.5;
/// The fraction of the width and height that bodies may fill.
const FILLED: f64 = 0.86;
/// The aspect ratio (width by height) that the view is made for.
pub const USUAL_SHAPE: f64 = 16.0 / 9.0;
/// Bodies that fly off are followed this many times as far as the initial extent of the bodies.
const FOLLOWED: f64 = 1.0;
/// Fixed bodies are of interest up to this distance around the moving ones, in sizes of the latter.
const AROUND: f64 = 0.35;
/// Length of the arrow of a typical large force, in radii of the scene.
const ARROW: f64 = 0.3;
/// The fraction of the forces that do not exceed the typical large one.
const MOST: f64 = 0.95;
/// How far the backdrop is below everything, in radii of the scene.
const BELOW: f64 = 0.08;
/// How far a square may deviate from equal sides and right angles, as a fraction of its side.
const SQUARE: f64 = 1e-6;

impl Stage {
    /// The stage of a recording, for pictures of the usual aspect ratio.
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
            // Of fixed bodies, only the part nearby: a large table would make everything on it small.
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

    /// The view for a picture of another aspect ratio (width by height). Everything visible at the usual
    /// ratio is visible in a narrow picture too.
    pub fn view_in(&self, shape: f64) -> View {
        let half = (0.5 * self.view.angle).tan() * (USUAL_SHAPE / shape).max(1.0);
        View { angle: 2.0 * half.atan(), ..self.view }
    }

    /// Whether a body is drawn as an infinite plane.
    pub fn is_ground(&self, number: usize) -> bool {
        self.grounds.iter().any(|(ground, _)| *ground == number)
    }

    /// All infinite planes, each with the colour of its body; the backdrop has none.
    pub fn planes(&self, header: &Header) -> Vec<(Plane, Option<[u8; 3]>)> {
        let own = self.grounds.iter().map(|(number, plane)| (*plane, Some(header.bodies[*number].colour)));
        own.chain(self.backdrop.map(|plane| (plane, None))).collect()
    }
}

/// A view from slightly above that shows all points, turned so that their widest extent is seen from the
/// front.
fn fitted(points: &[Vec3], middle: Vec3, radius: f64, up: Vec3) -> View {
    let (mut east, mut north) = up.any_orthonormal_pair();
    if up.abs().dot(Vec3::Z) > 0.999 {
        (east, north) = (Vec3::X, Vec3::Y);
    }
    // The horizontal direction in which the points are spread most.
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let (x, y) = ((*point - middle).dot(east), (*point - middle).dot(north));
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let spread = ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt();
    // If the spread is about equal in all directions, use the usual front.
    let wide = if spread > 0.2 * (xx + yy) { 0.5 * (2.0 * xy).atan2(xx - yy) } else { 0.0 };
    // To the right of the front. The widest direction is between -90 and 90 degrees, so the front is on the
    // side of -y.
    let around = wide - std::f64::consts::FRAC_PI_2 + TURN;
    let ((sin, cos), (rise, level)) = (around.sin_cos(), HEIGHT.sin_cos());
    let back = level * (cos * east + sin * north) + rise * up;
    let right = up.cross(back).normalize();
    let over = back.cross(right);
    let half = FILLED * (0.5 * ANGLE).tan();
    // Move the eye so that both sides have the same margin: the two rays that bound the points meet there.
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

/// The force that nearly all contact forces do not exceed, N.
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

/// The plane of a body that is drawn as a single square, as half-spaces are.
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

/// The bounding box of its triangles, in its own frame.
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
