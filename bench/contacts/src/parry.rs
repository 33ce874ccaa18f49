//! Parry's contact manifolds of two triangle meshes.

use crate::judge::Point;
use parry3d_f64::math;
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use silvia::solid::{Pose, Soup, Vec3};
use std::error::Error;

/// Two meshes, and what parry keeps from one question to the next.
pub(crate) struct Parry {
    meshes: [TriMesh; 2],
    kept: Kept,
}

#[derive(Default)]
struct Kept {
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
}

impl Parry {
    /// With the flags by which parry corrects normals at edges between triangles.
    pub(crate) fn new(soups: &[Soup; 2]) -> Result<Parry, Box<dyn Error>> {
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::FIX_INTERNAL_EDGES;
        let mesh = |soup: &Soup| {
            let points = soup.points().iter().map(|p| math::Vector::new(p.x, p.y, p.z)).collect();
            TriMesh::with_flags(points, soup.triangles().to_vec(), flags)
        };
        Ok(Parry { meshes: [mesh(&soups[0])?, mesh(&soups[1])?], kept: Kept::default() })
    }

    /// Forgets what was kept.
    pub(crate) fn forget(&mut self) {
        self.kept = Kept::default();
    }

    /// Finds the manifolds at a pose of the second mesh; how many points they have within reach.
    pub(crate) fn ask(&mut self, pose: &Pose, reach: f64) -> Result<usize, Box<dyn Error>> {
        let Kept { manifolds, workspace } = &mut self.kept;
        let [a, b] = &self.meshes;
        DefaultQueryDispatcher.contact_manifolds(&converted(pose), a, b, reach, manifolds, workspace)?;
        Ok(manifolds.iter().flat_map(|m| &m.points).filter(|p| p.dist <= reach).count())
    }

    /// The points that were found last.
    pub(crate) fn points(&self, pose: &Pose, reach: f64) -> Vec<Point> {
        let plain = |v: math::Vector| Vec3::new(v.x, v.y, v.z);
        let of_manifold = |m: &ContactManifold<(), ()>| {
            let normal = plain(m.local_n1);
            let near = m.points.iter().filter(|p| p.dist <= reach);
            near.map(|p| Point { on: [plain(p.local_p1), pose.transform_point(plain(p.local_p2))], normal })
                .collect::<Vec<Point>>()
        };
        self.kept.manifolds.iter().flat_map(of_manifold).collect()
    }
}

fn converted(pose: &Pose) -> math::Pose {
    let (t, q) = (pose.translation(), pose.rotation());
    math::Pose::from_parts(math::Vector::new(t.x, t.y, t.z), math::Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}
