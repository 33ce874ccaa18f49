//! The work that all sides do: knots, and poses of a second one.

use bench_common::{Random, normal};
use silvia::solid::primitives::TorusKnot;
use silvia::solid::{Pose, Quat, Soup, Vec3};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The distances of the knots' centres, m: mostly touching, near, apart.
pub(crate) const SEPARATIONS: [f64; 3] = [4.0, 6.5, 8.0];

/// A trefoil tube of about so many triangles.
pub(crate) fn knot(triangles: usize) -> Result<Soup, Box<dyn Error>> {
    Ok(TorusKnot::TREFOIL.soup_with_triangles(triangles)?)
}

/// Rotations uniform over all, the centre at a distance in a uniform direction. The same on every run.
pub(crate) fn random_poses(separation: f64, count: usize) -> Result<Vec<Pose>, Box<dyn Error>> {
    let mut random = Random::new(separation.to_bits() ^ 0x5173_1a00);
    let pose = |_| {
        let rotation = Quat::from_xyzw(
            normal(&mut random),
            normal(&mut random),
            normal(&mut random),
            normal(&mut random),
        );
        let direction = Vec3::new(normal(&mut random), normal(&mut random), normal(&mut random));
        Ok(Pose::new(separation * direction.normalize(), rotation.normalize())?)
    };
    (0..count).map(pose).collect()
}

/// How the second knot moves along a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Around the other, never touching it.
    Around,
    /// Into the other, touching it most of the time.
    Through,
}

/// A part of a path, in equal steps; along the whole of it the second knot turns by almost a full turn.
pub(crate) fn path(way: Way, part: f64, count: usize) -> Result<Vec<Pose>, Box<dyn Error>> {
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    let pose = |i: usize| {
        let s = part * i as f64 / count as f64;
        let at = match way {
            Way::Around => 7.0 * Vec3::new((3.0 * s).cos(), (3.0 * s).sin(), 0.3 * (6.0 * s).sin()),
            Way::Through => Vec3::new(5.0 - 2.0 * s, 2.0 * (6.0 * s).sin(), 3.0 * s),
        };
        Ok(Pose::new(at, Quat::from_axis_angle(axis, 6.0 * s))?)
    };
    (0..count).map(pose).collect()
}

/// The furthest that a point of the second knot moves in a step, m.
pub(crate) fn longest_step(poses: &[Pose]) -> f64 {
    const RADIUS: f64 = 3.4;
    let step = |pair: &[Pose]| {
        let turn = pair[0].rotation().angle_between(pair[1].rotation());
        pair[0].translation().distance(pair[1].translation()) + RADIUS * turn
    };
    poses.windows(2).map(step).fold(0.0, f64::max)
}

/// Poses in a file, for the peers: rows `tx,ty,tz,qw,qx,qy,qz`, every digit.
pub(crate) fn write_poses(file: &Path, poses: &[Pose]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for pose in poses {
        let (t, q) = (pose.translation(), pose.rotation());
        writeln!(text, "{},{},{},{},{},{},{}", t.x, t.y, t.z, q.w, q.x, q.y, q.z)?;
    }
    Ok(std::fs::write(file, text)?)
}

/// A mesh as two raw files, for the peers: points and triangles.
pub(crate) fn write_mesh(folder: &Path, soup: &Soup) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let files = ["points", "triangles"].map(|name| folder.join(format!("proximity-{name}.bin")));
    let points: Vec<u8> =
        soup.points().iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
    let triangles: Vec<u8> = soup.triangles().iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
    std::fs::write(&files[0], points)?;
    std::fs::write(&files[1], triangles)?;
    Ok(files)
}
