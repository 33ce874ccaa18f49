//! The pieces that the checker divides a body into.

use crate::body::Way;
use crate::cavity::Cavity;
use crate::ellipsoid::Ellipsoid;
use crate::mesh::Mesh;
use silvia_proximity::{Shape, Surface};
use silvia_solid::{Aabb, Plane, Pose, Soup, SoupError, Vec3};

/// A piece of a body, in the body's frame.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Simple(Simple),
    /// Triangles, with or without an inside.
    Mesh(Box<Mesh>),
}

/// A convex piece given by a few numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Simple {
    /// All points within a radius of a point; a single point if the radius is 0.
    Ball {
        center: Vec3,
        radius: f64,
    },
    /// All points within a radius of a segment; a segment if the radius is 0.
    Rod {
        ends: [Vec3; 2],
        radius: f64,
    },
    /// A cylinder or a cone.
    Round(Round),
    Ellipsoid(Ellipsoid),
    /// All points behind a plane.
    HalfSpace(Plane),
    Cavity(Cavity),
    /// One triangle of a mesh.
    Triangle([Vec3; 3]),
}

/// A cylinder or a cone about an axis; a cone has its tip at the second end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) is_cone: bool,
    pub(crate) radius: f64,
    /// Half the height, m.
    pub(crate) half: f64,
    /// The middle of the axis.
    pub(crate) middle: Vec3,
    /// Direction of the axis, of unit length.
    pub(crate) axis: Vec3,
}

/// The pieces of a shape.
pub(crate) fn pieces_of(shape: &Shape) -> Result<Vec<Piece>, SoupError> {
    let mut pieces = Vec::new();
    add_pieces(shape, &Pose::IDENTITY, &mut pieces)?;
    Ok(pieces)
}

/// Adds the pieces of a shape that is placed in the frame of its body.
fn add_pieces(shape: &Shape, pose: &Pose, pieces: &mut Vec<Piece>) -> Result<(), SoupError> {
    let place = |p: Vec3| pose.transform_point(p);
    let upright = |half: f64| [place(Vec3::new(0.0, 0.0, -half)), place(Vec3::new(0.0, 0.0, half))];
    let fan = |corners: &[Vec3]| {
        let triangles = (2..corners.len() as u32).map(|k| [0, k - 1, k]).collect();
        let soup = Soup::new(corners.iter().map(|&p| place(p)).collect(), triangles)?;
        Ok(Piece::Mesh(Box::new(Mesh::open(soup))))
    };
    let closed = |soup: &Soup| Piece::Mesh(Box::new(Mesh::closed(soup.posed(pose))));
    let round = |is_cone: bool, radius: f64, height: f64| {
        let (middle, axis) = (pose.translation(), pose.transform_vector(Vec3::Z));
        Simple::Round(Round { is_cone, radius, half: 0.5 * height, middle, axis })
    };
    let simple = |simple: Simple| Piece::Simple(simple);
    pieces.push(match shape {
        Shape::Point(s) => simple(Simple::Ball { center: place(s.at()), radius: 0.0 }),
        Shape::Segment(s) => simple(Simple::Rod { ends: s.ends().map(place), radius: 0.0 }),
        Shape::Triangle(s) => match as_segment(s.corners()) {
            Some(ends) => simple(Simple::Rod { ends: ends.map(place), radius: 0.0 }),
            None => fan(&s.corners())?,
        },
        Shape::Polygon(s) => fan(s.corners())?,
        Shape::Sphere(s) => simple(Simple::Ball { center: pose.translation(), radius: s.radius() }),
        Shape::Capsule(s) => simple(Simple::Rod { ends: upright(0.5 * s.height()), radius: s.radius() }),
        Shape::Cylinder(s) => simple(round(false, s.radius(), s.height())),
        Shape::Cone(s) => simple(round(true, s.radius(), s.height())),
        Shape::Ellipsoid(s) => {
            let axes = Vec3::AXES.map(|axis| pose.transform_vector(axis));
            simple(Simple::Ellipsoid(Ellipsoid::new(pose.translation(), axes, s.semi_axes())))
        }
        Shape::HalfSpace(s) => simple(Simple::HalfSpace(s.plane()).placed(pose)),
        Shape::Cavity(s) => simple(Simple::Cavity(Cavity { center: pose.translation(), radius: s.radius() })),
        Shape::Box(s) => closed(&block(s.size())?),
        Shape::Convex(s) => closed(s.solid().soup()),
        Shape::Solid(s) | Shape::Soup(s) => match s.hierarchy().surface() {
            Surface::Solid(solid) => closed(solid.soup()),
            Surface::Soup(soup) => Piece::Mesh(Box::new(Mesh::open(soup.posed(pose)))),
        },
        Shape::Compound(compound) => {
            for part in compound.parts() {
                add_pieces(&part.shape, &pose.compose(&part.pose), pieces)?;
            }
            return Ok(());
        }
    });
    Ok(())
}

/// The longest edge of a triangle that has no area.
fn as_segment([a, b, c]: [Vec3; 3]) -> Option<[Vec3; 2]> {
    let length = |ends: &[Vec3; 2]| ends[0].distance_squared(ends[1]);
    let longer = |x: [Vec3; 2], y: [Vec3; 2]| if length(&y) > length(&x) { y } else { x };
    let has_area = (b - a).cross(c - a) != Vec3::ZERO;
    (!has_area).then(|| longer(longer([a, b], [b, c]), [c, a]))
}

/// A box centred at the origin.
fn block(size: Vec3) -> Result<Soup, SoupError> {
    let corner = |i: u32| {
        let pick = |k: usize| if i >> k & 1 == 1 { 0.5 * size[k] } else { -0.5 * size[k] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    // Bit k of i gives the sign of coordinate k at corner i; the faces are anticlockwise seen from outside.
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Soup::new((0..8).map(corner).collect(), triangles)
}

impl Piece {
    /// The bounding box; infinite for a half-space or a cavity.
    pub(crate) fn bounds(&self) -> Aabb {
        match self {
            Piece::Simple(simple) => simple.bounds(),
            Piece::Mesh(mesh) => mesh.bounds(),
        }
    }
}

impl Simple {
    /// The same piece, moved by a pose.
    pub(crate) fn placed(&self, pose: &Pose) -> Simple {
        let place = |p: Vec3| pose.transform_point(p);
        match *self {
            Simple::Ball { center, radius } => Simple::Ball { center: place(center), radius },
            Simple::Rod { ends, radius } => Simple::Rod { ends: ends.map(place), radius },
            Simple::Round(round) => Simple::Round(Round {
                middle: place(round.middle),
                axis: pose.transform_vector(round.axis).normalize_or(Vec3::Z),
                ..round
            }),
            Simple::Ellipsoid(ellipsoid) => {
                Simple::Ellipsoid(ellipsoid.moved(place, |v| pose.transform_vector(v)))
            }
            Simple::HalfSpace(plane) => {
                let normal = pose.transform_vector(plane.normal);
                Simple::HalfSpace(Plane { normal, offset: plane.offset + normal.dot(pose.translation()) })
            }
            Simple::Cavity(cavity) => Simple::Cavity(Cavity { center: place(cavity.center), ..cavity }),
            Simple::Triangle(corners) => Simple::Triangle(corners.map(place)),
        }
    }

    /// Where it is between two states, at a time from 0 to 1: its ends or corners go straight, a half-space
    /// moves rigidly. Exact at both ends.
    pub(crate) fn between(&self, way: &Way, time: f64) -> Simple {
        let straight = |from: Vec3, to: Vec3| (1.0 - time) * from + time * to;
        match (self.placed(&way.from), self.placed(&way.to)) {
            (Simple::Ball { center: from, radius }, Simple::Ball { center: to, .. }) => {
                Simple::Ball { center: straight(from, to), radius }
            }
            (Simple::Cavity(from), Simple::Cavity(to)) => {
                Simple::Cavity(Cavity { center: straight(from.center, to.center), ..from })
            }
            (Simple::Rod { ends: from, radius }, Simple::Rod { ends: to, .. }) => {
                Simple::Rod { ends: [0, 1].map(|k| straight(from[k], to[k])), radius }
            }
            (Simple::Round(from), Simple::Round(to)) if time > 0.0 && time < 1.0 => {
                let axis = straight(from.axis, to.axis);
                Simple::Round(Round {
                    half: from.half * axis.length(),
                    middle: straight(from.middle, to.middle),
                    axis: axis.normalize_or(from.axis),
                    ..from
                })
            }
            (Simple::Ellipsoid(from), Simple::Ellipsoid(to)) if time > 0.0 && time < 1.0 => {
                let arms = [0, 1, 2].map(|k| straight(from.arms[k], to.arms[k]));
                Simple::Ellipsoid(Ellipsoid::sheared(straight(from.middle, to.middle), arms))
            }
            (Simple::Triangle(from), Simple::Triangle(to)) => {
                Simple::Triangle([0, 1, 2].map(|k| straight(from[k], to[k])))
            }
            _ => self.placed(&way.at(time)),
        }
    }

    /// A point near the middle.
    pub(crate) fn middle(&self) -> Vec3 {
        match self {
            Simple::Ball { center, .. } => *center,
            Simple::Rod { ends, .. } => 0.5 * (ends[0] + ends[1]),
            Simple::Round(round) => round.middle,
            Simple::Ellipsoid(ellipsoid) => ellipsoid.middle,
            Simple::HalfSpace(plane) => plane.offset * plane.normal,
            Simple::Cavity(cavity) => cavity.center,
            Simple::Triangle([a, b, c]) => (*a + *b + *c) / 3.0,
        }
    }

    /// The bounding box; infinite for a half-space or a cavity.
    pub(crate) fn bounds(&self) -> Aabb {
        let widened = |around: Aabb, by: Vec3| Aabb { min: around.min - by, max: around.max + by };
        match self {
            Simple::Ball { center, radius } => widened(Aabb::of([*center]), Vec3::splat(*radius)),
            Simple::Rod { ends, radius } => widened(Aabb::of(*ends), Vec3::splat(*radius)),
            Simple::Round(round) => widened(Aabb::of(round.ends()), Vec3::splat(round.radius)),
            Simple::Ellipsoid(ellipsoid) => widened(Aabb::of([ellipsoid.middle]), ellipsoid.extent()),
            Simple::HalfSpace(_) | Simple::Cavity(_) => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
            Simple::Triangle(corners) => Aabb::of(*corners),
        }
    }
}

impl Round {
    /// The centres of its two ends, the tip of a cone last.
    pub(crate) fn ends(&self) -> [Vec3; 2] {
        [self.middle - self.half * self.axis, self.middle + self.half * self.axis]
    }
}
