//! Where two shapes touch, or a piece of each: the features, and the normal to more digits than points that
//! all but meet tell.

use super::ShapeImpactContact;
use super::pair::Pair;
use super::pieces::FeaturePiece;
use crate::feature::Feature;
use crate::shape::ellipsoid::normal_at;
use crate::shape::{Point, Segment, Shape, ShapeDistance, ShapePenetration, distance, penetration};
use silvia_solid::{Pose, Vec3};

/// Points this far apart, as a fraction of the size of the coordinates, tell the direction between them to
/// about as much: where shapes are curved the error of the nearest points is the root of that of the
/// distance.
const CLEAR: f64 = 1e-5;

/// Of lines whose directions differ by less than this, the sine of the angle, no product tells what is across
/// both.
const PARALLEL: f64 = 1e-6;

/// What the feature that is touched says about the normal.
#[derive(Clone, Copy)]
enum Across {
    /// It is this one, or its opposite.
    Normal(Vec3),
    /// It is across this direction.
    Line(Vec3),
    Nothing,
}

impl Pair<'_> {
    /// The contact at `time`, a fraction of the interval, of shapes that touch then. They are those of the
    /// pieces, if there are any.
    pub(super) fn contact(
        &self,
        time: f64,
        near: &ShapeDistance,
        pieces: Option<[&FeaturePiece; 2]>,
        parts: [u32; 2],
    ) -> ShapeImpactContact {
        let poses = self.poses(time);
        let deep = self.depth(near, &poses);
        let way = deep.map_or_else(|| self.way(time, near, &poses), |deep| deep.direction);
        let points = deep.map_or(near.points, |deep| deep.points);
        let (mut features, mut across) = (near.features, [Across::Nothing; 2]);
        if let Some(pieces) = pieces {
            for (i, sign) in [(0, 1.0), (1, -1.0)] {
                let back = poses[i].inverse();
                let (point, out) = (back.transform_point(points[i]), sign * back.transform_vector(way));
                let own = pieces[i].own_feature(near.features[i], point, out);
                features[i] = pieces[i].name(own);
                across[i] = match across_feature(&pieces[i].shape, own, point) {
                    Across::Normal(n) => Across::Normal(sign * poses[i].transform_vector(n)),
                    Across::Line(t) => Across::Line(poses[i].transform_vector(t)),
                    Across::Nothing => Across::Nothing,
                };
            }
        }
        ShapeImpactContact {
            lower: time,
            upper: time,
            points,
            normal: agreed(across, way),
            features,
            parts,
            gap: deep.map_or(near.upper, |deep| -deep.depth),
        }
    }

    /// Where an edge and a round shape touch at `time`: the nearest points, or, where they touch along a
    /// line, those at its ends that are not ends of the edge, which are vertices.
    pub(super) fn along_line(&self, time: f64, near: ShapeDistance) -> Vec<ShapeDistance> {
        /// How long a line is that is not just a point and what the tolerance adds, as a fraction of the size
        /// of the coordinates.
        const LINE: f64 = 1e-3;
        let i = match self.shapes {
            [Shape::Segment(_), Shape::Cylinder(_) | Shape::Cone(_) | Shape::Capsule(_)] => 0,
            [Shape::Cylinder(_) | Shape::Cone(_) | Shape::Capsule(_), Shape::Segment(_)] => 1,
            [
                Shape::Point(_)
                | Shape::Segment(_)
                | Shape::Triangle(_)
                | Shape::Polygon(_)
                | Shape::Sphere(_)
                | Shape::Box(_)
                | Shape::Cylinder(_)
                | Shape::Cone(_)
                | Shape::Capsule(_)
                | Shape::Ellipsoid(_)
                | Shape::HalfSpace(_)
                | Shape::Cavity(_)
                | Shape::Convex(_)
                | Shape::Solid(_)
                | Shape::Soup(_)
                | Shape::Compound(_),
                _,
            ] => return vec![near],
        };
        let (Shape::Segment(edge), poses) = (self.shapes[i], self.poses(time)) else { return vec![near] };
        let [from, to] = edge.ends.map(|p| poses[i].transform_point(p));
        let (along, length) = (to - from, from.distance(to));
        // The distance of a point of the edge is convex along it.
        let at = |s: f64| {
            let (point, here) =
                (Shape::Point(Point { at: Vec3::ZERO }), Pose::IDENTITY.moved(from + s * along));
            match i {
                0 => distance(&point, &here, self.shapes[1], &poses[1]),
                _ => distance(self.shapes[0], &poses[0], &point, &here),
            }
        };
        let touches = |near: &ShapeDistance| near.upper <= self.separation + self.tolerance;
        let middle = (near.points[i] - from).dot(along) / (length * length);
        let mut found = Vec::new();
        for end in [0.0, 1.0] {
            // From what touches to what does not.
            let (mut on, mut off) = (middle, end);
            let is_long = |s: f64| (s - middle).abs() * length > LINE * self.size;
            if touches(&at(end)) || !is_long(end) {
                continue;
            }
            const HALVINGS: usize = 48;
            for _ in 0..HALVINGS {
                let half = on.midpoint(off);
                if touches(&at(half)) {
                    on = half
                } else {
                    off = half
                }
                if !is_long(off) {
                    break;
                }
            }
            if is_long(on) {
                let mut features = at(on).features;
                features[i] = Some(Feature::Edge(0));
                found.push(ShapeDistance { features, ..at(on) });
            }
        }
        if found.is_empty() { vec![near] } else { found }
    }

    /// How to take apart what overlaps, as it may at the start.
    fn depth(&self, near: &ShapeDistance, poses: &[Pose; 2]) -> Option<ShapePenetration> {
        let [a, b] = self.shapes;
        if near.upper > 0.0 { None } else { penetration(a, &poses[0], b, &poses[1]).penetration() }
    }

    /// A unit vector from the first to the second, about right; zero if it cannot be told.
    fn way(&self, time: f64, near: &ShapeDistance, poses: &[Pose; 2]) -> Vec3 {
        let between = |near: &ShapeDistance| (near.points[1] - near.points[0]).normalize_or_zero();
        let clear = CLEAR * self.size;
        if near.upper > clear {
            return between(near);
        }
        // Balls and capsules touch where their middles are still apart.
        if let [Some(a), Some(b)] = middles(self.shapes) {
            let of_middles = distance(&a, &poses[0], &b, &poses[1]);
            if of_middles.upper > clear {
                return between(&of_middles);
            }
        }
        // A moment before there was a gap to see a direction across. The less directly they come, the longer
        // before.
        const LOOKS: i32 = 4;
        let moments = (0..LOOKS).map(|k| time - 2.0 * clear / self.speed * 4f64.powi(k));
        let mut looks = moments.take_while(|&t| t >= 0.0).map(|t| self.near(t));
        looks.find(|near| near.upper > clear).map_or_else(|| between(near), |near| between(&near))
    }
}

/// The unit normal that both features have, on the side to which a rough one points; out of the first where
/// that is not known.
fn agreed(across: [Across; 2], way: Vec3) -> Vec3 {
    let towards = |n: Vec3| if n.dot(way) < 0.0 { -n } else { n };
    match across {
        [Across::Normal(n), _] | [_, Across::Normal(n)] => towards(n),
        [Across::Line(t), Across::Line(u)] if t.cross(u).length() > PARALLEL && way != Vec3::ZERO => {
            towards(t.cross(u).normalize())
        }
        [Across::Line(t), _] | [_, Across::Line(t)] => (way - way.dot(t) * t).try_normalize().unwrap_or(way),
        [Across::Nothing, Across::Nothing] => way,
    }
}

/// What is across a feature of a piece at a point of it, in its frame: unit vectors.
fn across_feature(shape: &Shape, feature: Option<Feature>, at: Vec3) -> Across {
    let unit = |v: Vec3| v.normalize_or_zero();
    let radial = unit(at.with_z(0.0));
    match (shape, feature) {
        (Shape::HalfSpace(space), _) => Across::Normal(space.plane().normal),
        (Shape::Cavity(_), _) => at.try_normalize().map_or(Across::Nothing, |out| Across::Normal(-out)),
        (Shape::Ellipsoid(ellipsoid), _) => Across::Normal(normal_at(ellipsoid.semi_axes(), at)),
        (Shape::Triangle(triangle), Some(Feature::Face(_))) => {
            let [a, b, c] = triangle.corners;
            (b - a).cross(c - a).try_normalize().map_or(Across::Nothing, Across::Normal)
        }
        (Shape::Triangle(triangle), Some(Feature::Edge(k))) => {
            let [from, to] = [k as usize, k as usize + 1].map(|k| triangle.corners[k % 3]);
            Across::Line(unit(to - from))
        }
        (Shape::Segment(segment), Some(Feature::Edge(_))) => {
            Across::Line(unit(segment.ends[1] - segment.ends[0]))
        }
        (Shape::Cylinder(_) | Shape::Cone(_), Some(Feature::Face(end))) => {
            Across::Normal(if end == 0 { -Vec3::Z } else { Vec3::Z })
        }
        (Shape::Cylinder(_) | Shape::Cone(_), Some(Feature::Edge(_))) => Across::Line(Vec3::Z.cross(radial)),
        (Shape::Cylinder(_), Some(Feature::Patch(_))) => Across::Normal(radial),
        (Shape::Cone(cone), Some(Feature::Patch(_))) => {
            Across::Normal(unit(2.0 * cone.half * radial + cone.radius * Vec3::Z))
        }
        (
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_),
            _,
        ) => Across::Nothing,
    }
}

/// The shapes without the margins around them; none if neither has one.
fn middles(shapes: [&Shape; 2]) -> [Option<Shape>; 2] {
    let middle = |shape: &Shape| match shape {
        Shape::Sphere(_) => Some(Shape::Point(Point { at: Vec3::ZERO })),
        Shape::Capsule(capsule) => {
            let end = Vec3::new(0.0, 0.0, capsule.half);
            Some(Shape::Segment(Segment { ends: [-end, end] }))
        }
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => None,
    };
    let found = shapes.map(middle);
    if found.iter().all(Option::is_none) {
        return found;
    }
    let [a, b] = found;
    [a.or_else(|| Some(shapes[0].clone())), b.or_else(|| Some(shapes[1].clone()))]
}
