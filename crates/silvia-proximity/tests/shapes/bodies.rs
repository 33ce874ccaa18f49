//! A shape of every kind, and the same as triangles.

use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::distance;
use silvia_proximity::{DistanceOptions, Hierarchy, Shape, ShapeKind};
use silvia_solid::hull::convex_hull;
use silvia_solid::{Plane, Pose, Quat, Solid, Soup, Vec3, primitives};

/// A shape, and triangles whose surface is inside it and nowhere farther than `sagitta` from its surface.
pub(crate) struct Body {
    pub(crate) shape: Shape,
    pub(crate) parts: Vec<(Pose, Tessellation)>,
}

pub(crate) enum Tessellation {
    Triangles {
        hierarchy: Box<Hierarchy<Obb>>,
        sagitta: f64,
    },
    HalfSpace(Plane),
    /// What is outside a ball of this radius.
    Cavity(f64),
}

impl Body {
    /// Of a kind; `fine` is the number of segments of a full turn.
    pub(crate) fn of(kind: ShapeKind, fine: usize) -> Body {
        let shape = sample(kind);
        let parts = match shape.as_compound() {
            Some(c) => c.parts().iter().map(|p| (p.pose, tessellate(&p.shape, fine))).collect(),
            None => vec![(Pose::IDENTITY, tessellate(&shape, fine))],
        };
        Body { shape, parts }
    }

    pub(crate) fn all(fine: usize) -> Vec<Body> {
        ShapeKind::ALL.iter().map(|&kind| Body::of(kind, fine)).collect()
    }
}

/// A shape of each kind, about a metre in size, none of them symmetric about its origin where it need not be.
pub(crate) fn sample(kind: ShapeKind) -> Shape {
    let at = |x, y, z, angle| {
        Pose::new(Vec3::new(x, y, z), Quat::from_axis_angle(Vec3::new(1.0, 2.0, -2.0) / 3.0, angle)).unwrap()
    };
    match kind {
        ShapeKind::Point => Shape::point(Vec3::new(0.1, -0.2, 0.3)),
        ShapeKind::Segment => Shape::segment([Vec3::new(-0.5, 0.1, 0.2), Vec3::new(0.6, -0.3, 0.4)]),
        ShapeKind::Triangle => Shape::triangle([
            Vec3::new(-0.5, -0.2, 0.0),
            Vec3::new(0.6, -0.3, 0.2),
            Vec3::new(0.1, 0.7, -0.1),
        ]),
        ShapeKind::Polygon => {
            let tilt = Quat::from_axis_angle(Vec3::X, 0.4);
            let corner = |i: i32| tilt * (Quat::from_rotation_z(f64::from(i)) * Vec3::new(0.6, 0.1, 0.2));
            Shape::polygon(&(0..6).map(corner).collect::<Vec<Vec3>>())
        }
        ShapeKind::Sphere => Shape::sphere(0.4),
        ShapeKind::Box => Shape::cuboid(Vec3::new(0.7, 0.9, 1.1)),
        ShapeKind::Cylinder => Shape::cylinder(0.4, 0.9),
        ShapeKind::Cone => Shape::cone(0.5, 0.8),
        ShapeKind::Capsule => Shape::capsule(0.25, 0.8),
        ShapeKind::Ellipsoid => Shape::ellipsoid(Vec3::new(0.3, 0.6, 0.45)),
        ShapeKind::HalfSpace => {
            Shape::half_space(Plane { normal: Vec3::new(2.0, -1.0, 2.0) / 3.0, offset: -0.2 })
        }
        ShapeKind::Cavity => Shape::cavity(1.6),
        ShapeKind::Convex => {
            let soup = primitives::sphere(0.5, 3).unwrap().scaled_axes(Vec3::new(1.0, 0.7, 1.3)).unwrap();
            Shape::convex(&Solid::from_soup(&soup).unwrap())
        }
        ShapeKind::Solid => {
            let l = [[0.0, 0.0], [0.8, 0.0], [0.8, 0.3], [0.3, 0.3], [0.3, 0.7], [0.0, 0.7]];
            Ok(Shape::solid(Solid::from_soup(&primitives::extrusion(&l, &[], 0.5).unwrap()).unwrap()))
        }
        ShapeKind::Soup => Ok(Shape::soup(primitives::torus(0.5, 0.2, 8, 6).unwrap())),
        ShapeKind::Compound => Shape::compound([
            (at(0.3, 0.0, 0.0, 0.5), Shape::cuboid(Vec3::new(0.3, 0.4, 0.5)).unwrap()),
            (at(-0.4, 0.1, 0.1, 1.0), Shape::sphere(0.3).unwrap()),
            (at(0.0, 0.5, -0.2, 2.0), sample(ShapeKind::Solid).scaled(0.5).unwrap()),
            (at(0.0, -0.5, 0.3, -1.0), Shape::cylinder(0.2, 0.5).unwrap()),
        ]),
    }
    .unwrap()
}

fn tessellate(shape: &Shape, fine: usize) -> Tessellation {
    let loose = |corners: &[Vec3]| {
        let n = corners.len() as u32;
        let fan = (0..n.saturating_sub(2).max(1)).map(|i| [0, (i + 1).min(n - 1), (i + 2).min(n - 1)]);
        let soup = Soup::new(corners.to_vec(), fan.collect()).unwrap();
        Tessellation::Triangles { hierarchy: Box::new(Hierarchy::new(soup)), sagitta: 0.0 }
    };
    let filled = |soup: Soup, sagitta: f64| Tessellation::Triangles {
        hierarchy: Box::new(Hierarchy::new(Solid::from_soup(&soup).unwrap())),
        sagitta,
    };
    let turn = |radius: f64| radius * (1.0 - (std::f64::consts::PI / fine as f64).cos());
    match shape {
        Shape::Point(s) => loose(&[s.at()]),
        Shape::Segment(s) => loose(&s.ends()),
        Shape::Triangle(s) => loose(&s.corners()),
        Shape::Polygon(s) => loose(s.corners()),
        Shape::Sphere(s) => {
            let soup = primitives::sphere(s.radius(), fine / 5).unwrap();
            let sagitta = ball_sagitta(&soup, s.radius());
            filled(soup, sagitta)
        }
        Shape::Box(s) => filled(primitives::cuboid(s.size()).unwrap(), 0.0),
        Shape::Cylinder(s) => {
            filled(primitives::cylinder(s.radius(), s.height(), fine).unwrap(), turn(s.radius()))
        }
        Shape::Cone(s) => filled(primitives::cone(s.radius(), s.height(), fine).unwrap(), turn(s.radius())),
        Shape::Capsule(s) => {
            let ball = primitives::sphere(s.radius(), fine / 5).unwrap();
            let up = 0.5 * s.height() * Vec3::Z;
            let points: Vec<Vec3> = ball.points().iter().flat_map(|&p| [p - up, p + up]).collect();
            filled(convex_hull(&points).unwrap().soup, ball_sagitta(&ball, s.radius()))
        }
        Shape::Ellipsoid(s) => {
            let ball = primitives::sphere(1.0, fine / 5).unwrap();
            let sagitta = s.semi_axes().max_element() * ball_sagitta(&ball, 1.0);
            filled(ball.scaled_axes(s.semi_axes()).unwrap(), sagitta)
        }
        Shape::HalfSpace(s) => Tessellation::HalfSpace(s.plane()),
        Shape::Cavity(s) => Tessellation::Cavity(s.radius()),
        Shape::Convex(s) => filled(s.solid().soup().clone(), 0.0),
        Shape::Solid(s) => filled(s.hierarchy().surface().soup().clone(), 0.0),
        Shape::Soup(s) => Tessellation::Triangles {
            hierarchy: Box::new(Hierarchy::new(s.hierarchy().surface().soup().clone())),
            sagitta: 0.0,
        },
        Shape::Compound(_) => unreachable!("the parts are tessellated one by one"),
    }
}

/// How far the triangles are inside the ball at most.
fn ball_sagitta(soup: &Soup, radius: f64) -> f64 {
    let height = |t: usize| {
        let [a, b, c] = soup.corners(t);
        (b - a).cross(c - a).normalize().dot(a)
    };
    radius - (0..soup.triangles().len()).map(height).fold(f64::INFINITY, f64::min)
}

/// The distance of the tessellations, and by how much it can exceed that of the shapes.
pub(crate) fn tessellated_distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> (f64, f64) {
    let mut least = f64::INFINITY;
    let mut excess: f64 = 0.0;
    for (part_a, ta) in &a.parts {
        for (part_b, tb) in &b.parts {
            let (at_a, at_b) = (pose_a.compose(part_a), pose_b.compose(part_b));
            let (d, e) = match (ta, tb) {
                (
                    Tessellation::Triangles { hierarchy: ha, sagitta: ea },
                    Tessellation::Triangles { hierarchy: hb, sagitta: eb },
                ) => (distance(ha, &at_a, hb, &at_b, &DistanceOptions::default()).unwrap().upper, ea + eb),
                (Tessellation::Triangles { hierarchy, sagitta }, Tessellation::HalfSpace(plane)) => {
                    (over_plane(hierarchy, &at_a, plane, &at_b), *sagitta)
                }
                (Tessellation::HalfSpace(plane), Tessellation::Triangles { hierarchy, sagitta }) => {
                    (over_plane(hierarchy, &at_b, plane, &at_a), *sagitta)
                }
                (Tessellation::Triangles { hierarchy, sagitta }, Tessellation::Cavity(radius)) => {
                    (in_cavity(hierarchy, &at_a, *radius, &at_b), *sagitta)
                }
                (Tessellation::Cavity(radius), Tessellation::Triangles { hierarchy, sagitta }) => {
                    (in_cavity(hierarchy, &at_b, *radius, &at_a), *sagitta)
                }
                // Of random poses half-spaces are never opposite.
                (
                    Tessellation::HalfSpace(_) | Tessellation::Cavity(_),
                    Tessellation::HalfSpace(_) | Tessellation::Cavity(_),
                ) => (0.0, 0.0),
            };
            least = least.min(d);
            excess = excess.max(e);
        }
    }
    (least, excess)
}

fn over_plane(body: &Hierarchy<Obb>, at: &Pose, plane: &Plane, plane_at: &Pose) -> f64 {
    let normal = plane_at.transform_vector(plane.normal);
    let on = plane_at.transform_point(plane.offset * plane.normal);
    let height = |&p: &Vec3| normal.dot(at.transform_point(p) - on);
    body.surface().soup().points().iter().map(height).fold(f64::INFINITY, f64::min).max(0.0)
}

fn in_cavity(body: &Hierarchy<Obb>, at: &Pose, radius: f64, cavity_at: &Pose) -> f64 {
    let from_center = |&p: &Vec3| at.transform_point(p).distance(cavity_at.translation());
    let farthest = body.surface().soup().points().iter().map(from_center).fold(0.0, f64::max);
    (radius - farthest).max(0.0)
}
