//! Round shapes against planes, features and each other.

use super::super::pair::{ContactKey, ContactState, PlacedEdge, PlacedMesh};
use super::body::ContactGeometry;
use super::on_plane::each_vertex_near;
use super::{ContactOptions, Implied, in_cavity, rims};
use crate::bounds::Obb;
use crate::contacts::tuning;
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface};
use crate::shape::{Cylinder, Overlap, Shape, SignedGap, distance, penetration, signed_gap, triangles_near};
use crate::triangle::TriangleFeature;
use silvia_solid::{Plane, Pose, Vec3};

/// The face of a half-space.
const GROUND: Feature = Feature::Face(0);

/// The surface of a cavity.
const BOWL: Feature = Feature::Patch(0);

/// Adds the pairs that may be contacts; some twice.
pub(super) fn gather_keys(
    parts: [&ContactGeometry; 2],
    poses: &[Pose; 2],
    (options, implied): (&ContactOptions, Implied),
    keys: &mut Vec<ContactKey>,
) {
    let key = |first, second, reversed| ContactKey { features: [first, second], reversed };
    match parts {
        [ContactGeometry::Round(a), ContactGeometry::Round(b)] => {
            let (of_a, of_b) = (whole(a), whole(b));
            keys.extend(ends(a).map(|end| key(end, of_b, false)));
            keys.extend(ends(b).map(|end| key(of_a, end, false)));
            keys.push(key(of_a, of_b, false));
        }
        [ContactGeometry::Round(a), ContactGeometry::HalfSpace(_)] => {
            keys.extend(lows(a).map(|low| key(low, GROUND, false)))
        }
        [ContactGeometry::HalfSpace(_), ContactGeometry::Round(b)] => {
            keys.extend(lows(b).map(|low| key(GROUND, low, false)))
        }
        [ContactGeometry::Mesh(a), ContactGeometry::HalfSpace(plane)] => {
            each_vertex_near((a, &poses[0]), (plane, &poses[1]), (options.reach, implied), |v| {
                keys.push(key(Feature::Vertex(v), GROUND, false));
            });
        }
        [ContactGeometry::HalfSpace(plane), ContactGeometry::Mesh(b)] => {
            each_vertex_near((b, &poses[1]), (plane, &poses[0]), (options.reach, implied), |v| {
                keys.push(key(GROUND, Feature::Vertex(v), false));
            });
        }
        [ContactGeometry::Mesh(a), ContactGeometry::Round(b)] => {
            let near = near_features(a, &poses[0], b, &poses[1], options).into_iter();
            keys.extend(near.map(|(of_mesh, of_round, reversed)| key(of_mesh, of_round, reversed)));
        }
        [ContactGeometry::Round(a), ContactGeometry::Mesh(b)] => {
            let near = near_features(b, &poses[1], a, &poses[0], options).into_iter();
            keys.extend(near.map(|(of_mesh, of_round, reversed)| key(of_round, of_mesh, reversed)));
        }
        [ContactGeometry::Round(a), ContactGeometry::Cavity(_)] => {
            keys.extend(lows(a).map(|low| key(low, BOWL, false)))
        }
        [ContactGeometry::Cavity(_), ContactGeometry::Round(b)] => {
            keys.extend(lows(b).map(|low| key(BOWL, low, false)))
        }
        [ContactGeometry::Mesh(a), ContactGeometry::Cavity(cavity)] => {
            let (mesh, bowl) = ((&**a, &poses[0]), (cavity, &poses[1]));
            in_cavity::each_vertex_near(mesh, bowl, (options.reach, implied), |v| {
                keys.push(key(Feature::Vertex(v), BOWL, false));
            });
        }
        [ContactGeometry::Cavity(cavity), ContactGeometry::Mesh(b)] => {
            let (mesh, bowl) = ((&**b, &poses[1]), (cavity, &poses[0]));
            in_cavity::each_vertex_near(mesh, bowl, (options.reach, implied), |v| {
                keys.push(key(BOWL, Feature::Vertex(v), false));
            });
        }
        [ContactGeometry::Mesh(_), ContactGeometry::Mesh(_)]
        | [
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
        ] => {}
    }
}

/// Features of a mesh near a round shape, each with what of the round shape it can meet, and whether on the
/// back of a soup's triangle.
fn near_features(
    mesh: &Hierarchy<Obb>,
    pose: &Pose,
    round: &Shape,
    round_pose: &Pose,
    options: &ContactOptions,
) -> Vec<(Feature, Feature, bool)> {
    let in_mesh = pose.inverse().compose(round_pose);
    let placed = PlacedMesh { body: mesh, pose: Pose::IDENTITY };
    let is_soup = matches!(mesh.surface(), Surface::Soup(_));
    let mut found = Vec::new();
    for id in triangles_near(mesh, round, &in_mesh, options.reach) {
        let surface = mesh.surface();
        let face = Feature::of(surface, id, TriangleFeature::Face);
        found.extend(lows(round).filter_map(|low| {
            Some((face, low, is_soup && side_of_sheet(&placed, id, round, &in_mesh, low)?))
        }));
        let touching = &mesh.touching()[id as usize];
        let vertices = (0..3).filter_map(|k| touching.corner(k));
        found.extend(vertices.map(|vertex| (vertex, whole(round), false)));
        for edge in (0..3).filter_map(|k| touching.side(k)) {
            // What lies along an edge touches it all the way: both of its ends hold it then.
            let balls = ends(round).filter(|end| matches!(end, Feature::Patch(_)));
            let held = balls.chain(rims::names(round)).chain([whole(round)]);
            found.extend(held.map(|of_round| (edge, of_round, false)));
        }
    }
    found
}

/// Whether a part of a round shape is behind a soup's triangle; none if it is on both sides of the plane, and
/// so can only meet the triangle's border.
fn side_of_sheet(
    sheet: &PlacedMesh<'_, Obb>,
    triangle: u32,
    round: &Shape,
    in_sheet: &Pose,
    low: Feature,
) -> Option<bool> {
    let (on_plane, normal) = sheet.plane(triangle);
    let height = |n: Vec3| n.dot(lowest(round, in_sheet, low, n) - on_plane);
    match (height(normal) >= 0.0, height(-normal) >= 0.0) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// The state of a contact of which at least one side is round or a half-space.
pub(super) fn state(parts: [&ContactGeometry; 2], poses: &[Pose; 2], key: &ContactKey) -> ContactState {
    let [first, second] = key.features;
    match parts {
        [ContactGeometry::Round(a), ContactGeometry::Round(b)] => {
            signed(&part_of(a, first), &poses[0], &part_of(b, second), &poses[1])
        }
        [ContactGeometry::HalfSpace(plane), ContactGeometry::Round(round)] => {
            on_ground(plane, &poses[0], round, &poses[1], second)
        }
        [ContactGeometry::Round(round), ContactGeometry::HalfSpace(plane)] => {
            on_ground(plane, &poses[1], round, &poses[0], first).mirrored()
        }
        [ContactGeometry::HalfSpace(plane), ContactGeometry::Mesh(mesh)] => {
            vertex_on_ground(plane, &poses[0], mesh, &poses[1], second)
        }
        [ContactGeometry::Mesh(mesh), ContactGeometry::HalfSpace(plane)] => {
            vertex_on_ground(plane, &poses[1], mesh, &poses[0], first).mirrored()
        }
        [ContactGeometry::Mesh(mesh), ContactGeometry::Round(round)] => {
            on_mesh(mesh, &poses[0], first, round, &poses[1], second, key.reversed)
        }
        [ContactGeometry::Round(round), ContactGeometry::Mesh(mesh)] => {
            on_mesh(mesh, &poses[1], second, round, &poses[0], first, key.reversed).mirrored()
        }
        [ContactGeometry::Cavity(cavity), ContactGeometry::Round(round)] => {
            in_cavity::of_round((cavity, &poses[0]), (round, &poses[1]), second)
        }
        [ContactGeometry::Round(round), ContactGeometry::Cavity(cavity)] => {
            in_cavity::of_round((cavity, &poses[1]), (round, &poses[0]), first).mirrored()
        }
        [ContactGeometry::Cavity(cavity), ContactGeometry::Mesh(mesh)] => {
            in_cavity::of_vertex((cavity, &poses[0]), (mesh, &poses[1]), second)
        }
        [ContactGeometry::Mesh(mesh), ContactGeometry::Cavity(cavity)] => {
            in_cavity::of_vertex((cavity, &poses[1]), (mesh, &poses[0]), first).mirrored()
        }
        [ContactGeometry::Mesh(_), ContactGeometry::Mesh(_)]
        | [
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
        ] => ContactState::NONE,
    }
}

/// A round shape over a half-space, which counts as the first.
fn on_ground(plane: &Plane, pose: &Pose, round: &Shape, round_pose: &Pose, low: Feature) -> ContactState {
    let normal = pose.transform_vector(plane.normal);
    let on_plane = pose.transform_point(plane.offset * plane.normal);
    over_plane(on_plane, normal, lowest(round, round_pose, low, normal))
}

fn vertex_on_ground(
    plane: &Plane,
    pose: &Pose,
    mesh: &Hierarchy<Obb>,
    mesh_pose: &Pose,
    vertex: Feature,
) -> ContactState {
    let Feature::Vertex(vertex) = vertex else { return ContactState::NONE };
    let Some(&at) = mesh.surface().soup().points().get(vertex as usize) else { return ContactState::NONE };
    let normal = pose.transform_vector(plane.normal);
    let on_plane = pose.transform_point(plane.offset * plane.normal);
    let mut state = over_plane(on_plane, normal, mesh_pose.transform_point(at));
    let placed = PlacedMesh { body: mesh, pose: *mesh_pose };
    let lowest = placed.lowest_side(vertex, normal, -tuning::NEARLY);
    (state.holds, state.nearly) = (lowest.is_some_and(|lowest| lowest >= -tuning::LEVEL), lowest.is_some());
    state
}

/// A point over a plane.
fn over_plane(on_plane: Vec3, normal: Vec3, at: Vec3) -> ContactState {
    let gap = normal.dot(at - on_plane);
    ContactState { points: [at - gap * normal, at], normal, gap, holds: true, nearly: true }
}

/// A round shape over a feature of a mesh, which counts as the first.
fn on_mesh(
    mesh: &Hierarchy<Obb>,
    pose: &Pose,
    feature: Feature,
    round: &Shape,
    round_pose: &Pose,
    of_round: Feature,
    reversed: bool,
) -> ContactState {
    let placed = PlacedMesh { body: mesh, pose: *pose };
    if !placed.has(feature) {
        return ContactState::NONE;
    }
    match feature {
        Feature::Face(face) => {
            let (on_plane, outward) = placed.plane(face);
            let normal = if reversed { -outward } else { outward };
            let mut state = over_plane(on_plane, normal, lowest(round, round_pose, of_round, normal));
            state.holds = placed.is_over(face, state.points[0])
                && (state.gap >= 0.0 || placed.is_clear_until(state.points[1], normal, -state.gap, &[face]));
            state.nearly = state.holds;
            state
        }
        Feature::Edge(edge) => {
            let across = placed.edge(edge);
            let place = rims::place(round, of_round);
            if let Some(state) = place.and_then(|place| rims::state(&across, round, round_pose, place)) {
                return state;
            }
            let PlacedEdge { segment: [start, along], arc, .. } = across;
            let Ok(segment) = Shape::segment([Vec3::ZERO, along]) else { return ContactState::NONE };
            let here = Pose::IDENTITY.moved(start);
            // The ends of a capsule hold it as well. Whatever else is named is part of the whole.
            let mut state = match of_round {
                Feature::Patch(1..) if place.is_none() => {
                    signed(&segment, &here, &part_of(round, of_round), round_pose)
                }
                Feature::Patch(_) | Feature::Vertex(_) | Feature::Edge(_) | Feature::Face(_) => {
                    signed(&segment, &here, round, round_pose)
                }
            };
            if place.is_some() || rims::is_of_crossings(&state, &across, round, round_pose) {
                (state.holds, state.nearly) = (false, false);
                return state;
            }
            let t = (state.points[0] - start).dot(along) / along.length_squared();
            let level = (state.normal - along * (state.normal.dot(along) / along.length_squared()))
                .normalize_or_zero();
            // The end of an edge is the vertex's, unless nothing can touch that: where an edge only goes on.
            let lean = state.normal.dot(along).abs() / along.length();
            let is_own = |end: usize| lean <= tuning::STRAIGHT && !placed.can_touch_end(edge, end);
            let is_within = (t > 0.0 || is_own(0)) && (t < 1.0 || is_own(1));
            state.holds = is_within && arc.is_none_or(|arc| arc.holds(level));
            state.nearly = state.holds;
            state
        }
        Feature::Vertex(vertex) => {
            let Ok(point) = Shape::point(Vec3::ZERO) else { return ContactState::NONE };
            let here = Pose::IDENTITY.moved(placed.point(vertex));
            let mut state = signed(&point, &here, round, round_pose);
            state.holds = placed.lowest_side(vertex, -state.normal, -tuning::LEVEL).is_some();
            state.nearly = state.holds;
            state
        }
        Feature::Patch(_) => ContactState::NONE,
    }
}

/// Two convex shapes: how far apart, or how deep in each other.
fn signed(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> ContactState {
    if let Some(SignedGap { gap, normal, points }) = signed_gap(a, pose_a, b, pose_b) {
        return ContactState { points, normal, gap, holds: true, nearly: true };
    }
    between_cores(a, pose_a, b, pose_b).unwrap_or_else(|| between_surfaces(a, pose_a, b, pose_b))
}

/// By what balls and capsules are around: points or segments, far enough apart for a direction without loss
/// of digits, which the nearest points of surfaces that all but touch are not. `None` if neither shape is
/// such a one, or if the cores meet.
fn between_cores(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<ContactState> {
    let cores = [core(a, pose_a), core(b, pose_b)];
    if cores.iter().all(Option::is_none) {
        return None;
    }
    let [(core_a, at_a, radius_a), (core_b, at_b, radius_b)] = [
        cores[0].clone().unwrap_or_else(|| (a.clone(), *pose_a, 0.0)),
        cores[1].clone().unwrap_or_else(|| (b.clone(), *pose_b, 0.0)),
    ];
    let found = distance(&core_a, &at_a, &core_b, &at_b);
    let [p, q] = found.points;
    let normal = (q - p).try_normalize().filter(|_| found.upper > 0.0)?;
    Some(ContactState {
        points: [p + radius_a * normal, q - radius_b * normal],
        normal,
        gap: found.upper - (radius_a + radius_b),
        holds: true,
        nearly: true,
    })
}

/// A ball or capsule as all points within a radius of a point or segment.
fn core(shape: &Shape, pose: &Pose) -> Option<(Shape, Pose, f64)> {
    match shape {
        Shape::Sphere(ball) => Some((Shape::point(Vec3::ZERO).ok()?, *pose, ball.radius())),
        Shape::Capsule(capsule) => {
            let end = Vec3::new(0.0, 0.0, 0.5 * capsule.height());
            Some((Shape::segment([-end, end]).ok()?, *pose, capsule.radius()))
        }
        // One end of a capsule.
        Shape::Compound(parts) => match parts.parts() {
            [only] => core(&only.shape, &pose.compose(&only.pose)),
            _ => None,
        },
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
        | Shape::Soup(_) => None,
    }
}

/// By the nearest points of two convex shapes, or by how deep they are in each other.
fn between_surfaces(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> ContactState {
    let found = distance(a, pose_a, b, pose_b);
    let [p, q] = found.points;
    if let Some(normal) = (q - p).try_normalize()
        && found.upper > 0.0
    {
        return ContactState { points: [p, q], normal, gap: found.upper, holds: true, nearly: true };
    }
    match penetration(a, pose_a, b, pose_b) {
        Overlap::Deep(deep) => ContactState {
            points: deep.points,
            normal: deep.direction,
            gap: (deep.points[1] - deep.points[0]).dot(deep.direction).min(0.0),
            holds: true,
            nearly: true,
        },
        Overlap::Apart | Overlap::Inseparable => {
            let way = middle_of(b, pose_b) - middle_of(a, pose_a);
            let normal = way.try_normalize().unwrap_or(Vec3::Z);
            ContactState { points: [p, q], normal, gap: 0.0, holds: true, nearly: true }
        }
    }
}

fn middle_of(shape: &Shape, pose: &Pose) -> Vec3 {
    pose.transform_point(middle(shape))
}

/// A point inside a round shape.
fn middle(shape: &Shape) -> Vec3 {
    match shape {
        Shape::Point(point) => point.at(),
        Shape::Segment(segment) => segment.ends()[0].midpoint(segment.ends()[1]),
        // All others are round about the origin, or not round.
        Shape::Triangle(_)
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
        | Shape::Compound(_) => Vec3::ZERO,
    }
}

/// The whole surface of a round shape.
pub(crate) fn whole(shape: &Shape) -> Feature {
    match shape {
        Shape::Point(_) => Feature::Vertex(0),
        Shape::Segment(_) => Feature::Edge(0),
        Shape::Triangle(_)
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
        | Shape::Compound(_) => Feature::Patch(0),
    }
}

/// Ends of a round shape that another can meet apart from the whole.
pub(crate) fn ends(shape: &Shape) -> impl Iterator<Item = Feature> + use<> {
    let (vertices, patches, edges) = match shape {
        Shape::Segment(_) => (2, 0..0, 0),
        Shape::Capsule(_) => (0, 1..3, 0),
        Shape::Cylinder(_) => (2 * tuning::RIM_POINTS, 0..0, 2),
        Shape::Cone(_) => (1 + tuning::RIM_POINTS, 0..0, 1),
        // Without ends, or not round.
        Shape::Point(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => (0, 0..0, 0),
    };
    (0..vertices).map(Feature::Vertex).chain(patches.map(Feature::Patch)).chain((0..edges).map(Feature::Edge))
}

/// Whether the whole surface of a round shape is one feature, of which one point is lowest in any pose.
pub(crate) fn is_one_feature(shape: &Shape) -> bool {
    match shape {
        Shape::Point(_) | Shape::Sphere(_) | Shape::Ellipsoid(_) => true,
        Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => false,
    }
}

/// What of a round shape can be lowest over a plane.
fn lows(shape: &Shape) -> impl Iterator<Item = Feature> + use<> {
    ends(shape).chain(is_one_feature(shape).then(|| whole(shape)))
}

/// One of them: `number` is counted through the rims, the lower first.
fn rim_point(radius: f64, half: f64, number: u32) -> Vec3 {
    let angle =
        f64::from(number % tuning::RIM_POINTS) * std::f64::consts::TAU / f64::from(tuning::RIM_POINTS);
    let z = if number < tuning::RIM_POINTS { -half } else { half };
    Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
}

/// A fixed point of a round shape, in its frame, with the radius of what is around it.
pub(crate) fn end(shape: &Shape, feature: Feature) -> Option<(Vec3, f64)> {
    match (shape, feature) {
        (Shape::Point(point), Feature::Vertex(0)) => Some((point.at(), 0.0)),
        (Shape::Segment(segment), Feature::Vertex(k @ 0..2)) => Some((segment.ends()[k as usize], 0.0)),
        (Shape::Sphere(ball), Feature::Patch(0)) => Some((Vec3::ZERO, ball.radius())),
        (Shape::Capsule(capsule), Feature::Patch(k @ 1..3)) => {
            let z = if k == 1 { -0.5 } else { 0.5 } * capsule.height();
            Some((Vec3::new(0.0, 0.0, z), capsule.radius()))
        }
        (Shape::Cylinder(can), Feature::Vertex(k)) => {
            Some((rim_point(can.radius(), 0.5 * can.height(), k), 0.0))
        }
        (Shape::Cone(cone), Feature::Vertex(0)) => Some((Vec3::new(0.0, 0.0, 0.5 * cone.height()), 0.0)),
        (Shape::Cone(cone), Feature::Vertex(k)) => {
            Some((rim_point(cone.radius(), 0.5 * cone.height(), (k - 1) % tuning::RIM_POINTS), 0.0))
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
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Cavity(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_),
            Feature::Vertex(_) | Feature::Edge(_) | Feature::Face(_) | Feature::Patch(_),
        ) => None,
    }
}

/// The part of a round shape that a feature of it names, as a shape.
fn part_of(shape: &Shape, feature: Feature) -> Shape {
    if feature == whole(shape) {
        return shape.clone();
    }
    let placed = |at: Vec3, shape: Shape| Shape::compound([(Pose::from_translation(at).ok()?, shape)]).ok();
    let part = match end(shape, feature) {
        Some((at, 0.0)) => Shape::point(at).ok(),
        Some((at, radius)) => Shape::sphere(radius).ok().and_then(|ball| placed(at, ball)),
        None => {
            // A rim, with the disc in it: a cylinder without height.
            let (radius, middle) = rim(shape, feature);
            placed(middle, Shape::Cylinder(Cylinder { radius, half: 0.0 }))
        }
    };
    part.unwrap_or_else(|| shape.clone())
}

/// Radius and middle of a rim.
pub(crate) fn rim(shape: &Shape, feature: Feature) -> (f64, Vec3) {
    let (radius, height) = match shape {
        Shape::Cylinder(can) => (can.radius(), can.height()),
        Shape::Cone(cone) => (cone.radius(), cone.height()),
        // Without a rim.
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => (0.0, 0.0),
    };
    let z = if feature == Feature::Edge(1) { 0.5 } else { -0.5 } * height;
    (radius, Vec3::new(0.0, 0.0, z))
}

/// Where a part of a round shape is lowest over a plane with a normal.
fn lowest(shape: &Shape, pose: &Pose, feature: Feature, normal: Vec3) -> Vec3 {
    if let Some((at, radius)) = end(shape, feature) {
        return pose.transform_point(at) - radius * normal;
    }
    if let Shape::Ellipsoid(ellipsoid) = shape {
        return pose.transform_point(ellipsoid.support(-pose.inverse().transform_vector(normal)));
    }
    let (radius, middle) = rim(shape, feature);
    let down = -pose.inverse().transform_vector(normal);
    let aside = down.with_z(0.0).try_normalize().unwrap_or(Vec3::X);
    pose.transform_point(middle + radius * aside)
}
