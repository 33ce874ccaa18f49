//! Convex things whose points go on straight lines.
//!
//! Such a thing is a core and a margin. The points of the core go straight, each at its own speed, and the
//! thing is all that is within the margin of them: at both ends that is the shape, and on the way it holds
//! every point of the shape that goes straight itself.

use crate::shape::ellipsoid::farthest;
use crate::shape::{Class, Core, PlacedCore as Placed, Shape};
use silvia_solid::{Mat3, Pose, Vec3, symmetric_eigen};

/// Where a part of a body is at the start and at the end.
pub(super) struct PartWay {
    pub(super) poses: [Pose; 2],
    /// Where the body's frame is. Apart from the arms, so that little is lost far from the origin, m.
    pub(super) frames: [Vec3; 2],
    /// From there to the origin of the part, m.
    pub(super) arms: [Vec3; 2],
}

impl PartWay {
    /// Of a part at a pose in its body.
    #[inline(always)]
    pub(super) fn new(bodies: [&Pose; 2], part: &Pose) -> PartWay {
        PartWay {
            poses: bodies.map(|body| body.compose(part)),
            frames: bodies.map(|body| body.translation()),
            arms: bodies.map(|body| body.transform_vector(part.translation())),
        }
    }
}

/// A convex thing on its way.
#[derive(Clone, Debug)]
pub(super) struct Mover<'a> {
    form: Form<'a>,
    pub(super) margin: f64,
    /// No point of the core is farther from its middle, at both ends, m.
    pub(super) reach: [f64; 2],
    frames: [Vec3; 2],
    /// From the frames to the middle of the core, m.
    arms: [Vec3; 2],
}

#[derive(Clone, Copy, Debug)]
enum Form<'a> {
    /// The hull of the first few, about the middle, at both ends.
    Corners { count: usize, ends: [[Vec3; 3]; 2] },
    /// About the middle; turned at both ends.
    Round { core: Core<'a>, axes: [Mat3; 2] },
}

/// A mover's core at a moment, about its middle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Still<'a> {
    Corners { count: usize, points: [Vec3; 3] },
    Round { core: Core<'a>, axes: Mat3 },
}

impl<'a> Mover<'a> {
    /// A part that is round; `None` for shapes of other kinds.
    pub(super) fn round(shape: &'a Shape, way: &PartWay) -> Option<Mover<'a>> {
        match shape {
            Shape::Point(point) => Some(Mover::corners([&[point.at()]; 2], 0.0, way)),
            Shape::Segment(segment) => Some(Mover::corners([&segment.ends(); 2], 0.0, way)),
            Shape::Sphere(ball) => Some(Mover::corners([&[Vec3::ZERO]; 2], ball.radius(), way)),
            Shape::Capsule(capsule) => {
                let top = Vec3::new(0.0, 0.0, 0.5 * capsule.height());
                Some(Mover::corners([&[-top, top]; 2], capsule.radius(), way))
            }
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => {
                let Class::Rounded(rounded) = shape.class() else { return None };
                let [from, to] = way.poses.map(|pose| pose.matrix());
                // The points of an ellipsoid go straight as they are.
                let to = if matches!(shape, Shape::Ellipsoid(_)) { to } else { tilted(from, to) };
                Some(Mover {
                    form: Form::Round { core: rounded.core, axes: [from, to] },
                    margin: rounded.margin,
                    reach: [rounded.core.reach(); 2],
                    frames: way.frames,
                    arms: way.arms,
                })
            }
            Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Box(_)
            | Shape::HalfSpace(_)
            | Shape::Cavity(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_) => None,
        }
    }

    /// The hull of up to three points of a part, and what is within a margin of it. The points are given as
    /// they are in the part's frame at both ends: the same of what is rigid.
    pub(super) fn corners(points: [&[Vec3]; 2], margin: f64, way: &PartWay) -> Mover<'a> {
        let start = AboutMiddle::new(points[0]);
        let end = if std::ptr::eq(points[0], points[1]) { start } else { AboutMiddle::new(points[1]) };
        let count = points[0].len().min(3);
        let placed = [start, end];
        let arms = [0, 1].map(|i| way.arms[i] + way.poses[i].transform_vector(placed[i].middle));
        let ends = [0, 1].map(|i| placed[i].points.map(|p| way.poses[i].transform_vector(p)));
        let reach = placed.map(|about| about.reach);
        Mover { form: Form::Corners { count, ends }, margin, reach, frames: way.frames, arms }
    }

    /// A single point of a body, given by its way from the body's frame.
    pub(super) fn point(frames: [Vec3; 2], arms: [Vec3; 2]) -> Mover<'a> {
        let form = Form::Corners { count: 1, ends: [[Vec3::ZERO; 3]; 2] };
        Mover { form, margin: 0.0, reach: [0.0; 2], frames, arms }
    }

    /// From the middle of this to that of another, at both ends, m.
    pub(super) fn ways_to(&self, other: &Mover<'_>) -> [Vec3; 2] {
        [0, 1].map(|i| (other.frames[i] - self.frames[i]) + (other.arms[i] - self.arms[i]))
    }

    /// Where the middle is at a time, m.
    pub(super) fn middle(&self, time: f64) -> Vec3 {
        between(self.frames, time) + between(self.arms, time)
    }

    pub(super) fn at(&self, time: f64) -> Still<'a> {
        match self.form {
            Form::Corners { count, ends: [from, to] } => Still::Corners {
                count,
                points: std::array::from_fn(|k| (1.0 - time) * from[k] + time * to[k]),
            },
            Form::Round { core, axes: [from, to] } => {
                Still::Round { core, axes: from * (1.0 - time) + to * time }
            }
        }
    }
}

/// Up to three points and their middle.
#[derive(Clone, Copy)]
struct AboutMiddle {
    middle: Vec3,
    /// From there; the last one again where there are fewer, m.
    points: [Vec3; 3],
    /// To the farthest, m.
    reach: f64,
}

impl AboutMiddle {
    #[inline(always)]
    fn new(points: &[Vec3]) -> AboutMiddle {
        let count = points.len().min(3);
        let last = count - 1;
        let middle = points[..count].iter().sum::<Vec3>() / count as f64;
        let about: [Vec3; 3] = std::array::from_fn(|k| points[k.min(last)] - middle);
        let reach = about.iter().map(|p| p.length()).fold(0.0, f64::max);
        AboutMiddle { middle, points: about, reach }
    }
}

impl Still<'_> {
    pub(super) fn placed(&self, middle: Vec3) -> Placed<'_> {
        match self {
            Still::Corners { count, points } => {
                Placed::bent(Core::Points(&points[..*count]), Mat3::IDENTITY, middle)
            }
            Still::Round { core, axes } => Placed::bent(*core, *axes, middle),
        }
    }

    /// How far the core reaches in a direction, times its length.
    pub(super) fn high(&self, n: Vec3) -> f64 {
        match self {
            Still::Corners { count, points } => {
                points[..*count].iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max)
            }
            Still::Round { core, axes } => {
                let n = axes.transpose() * n;
                core.support(n).dot(n)
            }
        }
    }

    /// The greatest of `n · x + m · y` over all points of a core, which are at x here and at y there.
    pub(super) fn high_together(&self, n: Vec3, there: &Still<'_>, m: Vec3) -> f64 {
        match (self, there) {
            (Still::Corners { count, points: x }, Still::Corners { points: y, .. }) => {
                (0..*count).map(|k| x[k].dot(n) + y[k].dot(m)).fold(f64::NEG_INFINITY, f64::max)
            }
            (Still::Round { core, axes }, Still::Round { axes: axes_there, .. }) => {
                let sum = axes.transpose() * n + axes_there.transpose() * m;
                core.support(sum).dot(sum)
            }
            // Never of one mover; a bound all the same.
            _ => self.high(n) + there.high(m),
        }
    }

    /// A point that is farthest in a direction, about the middle, and its number among the corners.
    pub(super) fn farthest(&self, n: Vec3) -> (Vec3, u32) {
        let (p, number) = self.placed(Vec3::ZERO).core.numbered_support(self.inward(n));
        match self {
            Still::Corners { .. } => (p, number),
            Still::Round { axes, .. } => (*axes * p, number),
        }
    }

    /// A point that is farthest from another one, both about the middle, and its number as of
    /// [`Core::farthest_from`]. At the ends of its way it is the shape itself (`is_whole`); between them the
    /// circles and the ball that it is made of are sheared.
    pub(super) fn farthest_from(&self, from: Vec3, is_whole: bool) -> (Vec3, u32) {
        let farther = |p: Vec3, q: Vec3| q.distance_squared(from) > p.distance_squared(from);
        match self {
            Still::Corners { count, points } => Core::Points(&points[..*count]).farthest_from(from),
            Still::Round { core, axes } if is_whole => {
                let (p, number) = core.farthest_from(axes.transpose() * from);
                (*axes * p, number)
            }
            Still::Round { core, axes } => {
                let image = |sizes: Vec3, middle: Vec3| {
                    middle + farthest_of_image(*axes * Mat3::from_diagonal(sizes), from - middle)
                };
                match *core {
                    Core::Ellipsoid(semi_axes) => (image(semi_axes, Vec3::ZERO), 0),
                    Core::Cylinder { radius, half } | Core::Cone { radius, half } => {
                        let (disc, up) = (Vec3::new(radius, radius, 0.0), half * axes.z_axis);
                        let low = image(disc, -up);
                        let high = if matches!(core, Core::Cone { .. }) { up } else { image(disc, up) };
                        if farther(low, high) { (high, 1) } else { (low, 0) }
                    }
                    // Never curved.
                    Core::Points(_) | Core::Axis(_) | Core::Box(_) | Core::Solid(_) => {
                        let (p, number) = core.farthest_from(axes.transpose() * from);
                        (*axes * p, number)
                    }
                }
            }
        }
    }

    /// A direction as seen from the part.
    pub(super) fn inward(&self, n: Vec3) -> Vec3 {
        match self {
            Still::Corners { .. } => n,
            Still::Round { axes, .. } => axes.transpose() * n,
        }
    }

    /// From the middle to an end of the axis, m; zero for what has none.
    pub(super) fn spine(&self) -> Vec3 {
        match self {
            Still::Corners { count: 2, points } => points[1],
            Still::Corners { .. } => Vec3::ZERO,
            Still::Round { core, axes } => axes.z_axis * core.support(Vec3::Z).z,
        }
    }

    /// A unit vector across a triangle; `None` for all else.
    pub(super) fn across(&self) -> Option<Vec3> {
        match self {
            Still::Corners { count: 3, points } => crate::triangle::across(points).try_normalize(),
            _ => None,
        }
    }

    /// Whether its nearest points are sought by a search that ends before the last digits.
    pub(super) fn is_curved(&self) -> bool {
        matches!(self, Still::Round { .. })
    }
}

/// The point of the image of the unit ball under a matrix that is farthest from another one.
fn farthest_of_image(image: Mat3, from: Vec3) -> Vec3 {
    let (squares, axes) = symmetric_eigen(image * image.transpose());
    let squares = squares.max(Vec3::ZERO);
    let semi_axes = Vec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
    axes * farthest(semi_axes, axes.transpose() * from)
}

pub(super) fn between([from, to]: [Vec3; 2], time: f64) -> Vec3 {
    (1.0 - time) * from + time * to
}

/// What a turn leaves of a thing that is round about its third axis once the turning about that axis, which
/// does not move it, is taken away: the first axes turned by no more than brings the third one where it shall
/// be.
fn tilted(from: Mat3, to: Mat3) -> Mat3 {
    /// Beyond this (cosine of 120 degrees) there is no telling which way it tilts: then it turns as it does.
    const LEAST: f64 = -0.5;
    let (u, v) = (from.z_axis, to.z_axis);
    let cos = u.dot(v);
    if cos < LEAST {
        return to;
    }
    let axis = u.cross(v);
    let turned = |x: Vec3| {
        let across = axis.cross(x);
        x + across + axis.cross(across) / (1.0 + cos)
    };
    Mat3::from_cols(turned(from.x_axis), turned(from.y_axis), v)
}
