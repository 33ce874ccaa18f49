//! Poses of two bodies, most of them degenerate.

use super::bodies::Body;
use seeded::Random;
use silvia::proximity::Convex;
use silvia::solid::{Pose, Quat, Vec3};
use std::f64::consts::FRAC_1_SQRT_2;

/// How far apart features are put that are to meet, m: exactly, by rounding, a little, clearly, and the same
/// overlapped.
const APART: [f64; 9] = [0.0, 1e-16, -1e-16, 1e-12, -1e-10, 1e-6, -1e-6, 0.25, -0.25];

/// The poses of the first and of the second body.
pub(crate) fn random(random: &mut Random, a: &Body, b: &Body) -> [Pose; 2] {
    let relative = match random.whole(0, 6) {
        0 => pose(random.vector(3.0), turn(random)),
        1 => pose(lattice(random), lattice_turn(random)),
        2 => pose(Vec3::ZERO, if random.whole(0, 1) == 0 { Quat::IDENTITY } else { turn(random) }),
        _ => meeting(random, &a.convex, &b.convex),
    };
    elsewhere(random, relative)
}

/// Random or lattice poses: the bodies are apart or overlap, and seldom just touch.
pub(crate) fn apart(random: &mut Random) -> [Pose; 2] {
    let relative = match random.whole(0, 1) {
        0 => pose(random.vector(3.0), turn(random)),
        _ => pose(lattice(random), lattice_turn(random)),
    };
    elsewhere(random, relative)
}

fn elsewhere(random: &mut Random, relative: Pose) -> [Pose; 2] {
    // The pair as a whole elsewhere: the same configuration with other rounding.
    let whole = match random.whole(0, 3) {
        0 | 1 => Pose::IDENTITY,
        2 => pose(lattice(random), lattice_turn(random)),
        _ => pose(random.vector(3.0), turn(random)),
    };
    [whole, whole.compose(&relative)]
}

/// A pose of the second body at which a point of a feature of it meets one of the first, perhaps with faces
/// or edges parallel.
fn meeting(random: &mut Random, a: &Convex, b: &Convex) -> Pose {
    let (p, normal, along) = spot(random, a);
    let (q, facing, edge) = spot(random, b);
    let rotation = match random.whole(0, 4) {
        0 => turn(random),
        1 => lattice_turn(random),
        // Faces parallel, and in half of these an edge too.
        2 => Quat::from_rotation_arc(facing, -normal),
        3 => {
            let flat = Quat::from_rotation_arc(facing, -normal);
            let spin = spin_between(flat * edge, along, normal);
            spin * flat
        }
        // Edges parallel.
        _ => Quat::from_rotation_arc(edge, along),
    };
    let apart = APART[random.whole(0, APART.len() as u64 - 1) as usize];
    pose(p - rotation * q + apart * normal, rotation)
}

/// A point of a random feature, the normal of a face there, and the direction of an edge of that face.
fn spot(random: &mut Random, body: &Convex) -> (Vec3, Vec3, Vec3) {
    let face = random.whole(0, body.face_count() as u64 - 1) as usize;
    let corners: Vec<Vec3> = body.vertices_of_face(face).map(|v| body.points()[v as usize]).collect();
    let first = random.whole(0, corners.len() as u64 - 1) as usize;
    let (tail, head) = (corners[first], corners[(first + 1) % corners.len()]);
    let point = match random.whole(0, 3) {
        0 => tail,
        1 => 0.5 * (tail + head),
        2 => tail + random.between(0.0, 1.0) * (head - tail),
        _ => corners.iter().sum::<Vec3>() / corners.len() as f64,
    };
    (point, body.planes()[face].normal, (head - tail).normalize())
}

/// The turn about an axis that takes one direction across it to another.
fn spin_between(from: Vec3, to: Vec3, axis: Vec3) -> Quat {
    let (from, to) = (from.reject_from_normalized(axis), to.reject_from_normalized(axis));
    Quat::from_axis_angle(axis, from.cross(to).dot(axis).atan2(from.dot(to)))
}

fn pose(translation: Vec3, rotation: Quat) -> Pose {
    Pose::new(translation, rotation.normalize()).unwrap_or(Pose::IDENTITY)
}

fn turn(random: &mut Random) -> Quat {
    loop {
        let [x, y, z, w] = [0; 4].map(|_| random.between(-1.0, 1.0));
        let q = Quat::from_xyzw(x, y, z, w);
        if (0.1..=1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

/// Halves, up to 3 in each direction.
fn lattice(random: &mut Random) -> Vec3 {
    Vec3::from([0; 3].map(|_| 0.5 * random.whole(0, 12) as f64 - 3.0))
}

/// A turn of the cube into itself, some of them exact in binary and some not.
fn lattice_turn(random: &mut Random) -> Quat {
    let (h, r) = (0.5, FRAC_1_SQRT_2);
    match random.whole(0, 4) {
        0 => Quat::IDENTITY,
        1 => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        2 => Quat::from_xyzw(h, h, h, h),
        3 => Quat::from_xyzw(0.0, 0.0, r, r),
        _ => Quat::from_xyzw(r, 0.0, r, 0.0),
    }
}
