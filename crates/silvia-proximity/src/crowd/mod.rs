//! Many objects at once: which of them touch, and which are near each other (paper 3 appendix B, V-Collide's
//! job).
//!
//! Objects are shapes at poses. Two stages answer for all of them: [culling](crate::culling) finds the pairs
//! whose boxes overlap, then each of these that the [filter](crate::Filter) admits is asked about exactly, on
//! all cores. Both exploit that objects move little between two questions: culling follows its boxes, and
//! each pair keeps a cache for as long as its boxes overlap.

mod boxes;
mod candidates;
mod objects;
mod pair;
mod query;

pub use objects::ObjectId;
pub use query::{Meeting, Nearby};

use crate::culling::{CullingMethod, MOST_BOXES};
use crate::filter::{Filter, Groups};
use crate::shape::Shape;
use boxes::is_within_limit;
use candidates::Candidates;
use objects::Objects;
use pair::{NearMemory, TouchMemory};
use silvia_solid::Pose;

/// Many objects with their poses, and queries about all pairs of them.
///
/// ```
/// use silvia_proximity::{Crowd, Extent};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
///
/// let cube = Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?;
/// let mut crowd = Crowd::new();
/// let a = crowd.add(cube.clone(), Pose::IDENTITY)?;
/// let b = crowd.add(cube, Pose::from_translation(Vec3::new(0.9, 0.0, 0.0))?)?;
/// assert_eq!(crowd.collide(Extent::Any)[0].objects, [a, b]);
///
/// crowd.set_pose(b, Pose::from_translation(Vec3::new(1.5, 0.0, 0.0))?)?;
/// assert!(crowd.collide(Extent::Any).is_empty());
/// assert_eq!(crowd.near(1.0)?[0].distance.upper, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd {
    objects: Objects,
    filter: Filter,
    method: CullingMethod,
    /// Pairs that may touch; there once somebody asks.
    touching: Option<Candidates<TouchMemory>>,
    /// Pairs that may be near, for the reach that was asked for last.
    near: Option<Candidates<NearMemory>>,
}

/// Why a crowd refused a request. The crowd is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A handle whose object is gone, or that comes from elsewhere.
    #[error(
        "there is no object {id}: it was removed, or the handle is from another crowd; ask only about \
         objects that are there"
    )]
    NoSuchObject {
        /// As given.
        id: ObjectId,
    },
    /// A pair of one object.
    #[error("object {id} cannot be paired with itself: name two objects")]
    SameObject {
        /// As given, twice.
        id: ObjectId,
    },
    /// An object that would lie, at least in part, beyond [`Crowd::LIMIT`].
    #[error(
        "at that pose the object reaches beyond {:e} m from the origin, where coordinates are too \
         coarse: check the pose and the units",
        Crowd::LIMIT
    )]
    OutOfReach {
        /// Which object; none if it was to be added.
        id: Option<ObjectId>,
        /// As given.
        pose: Pose,
    },
    /// A reach that is not a length.
    #[error("the reach must be a length from 0 to {:e} m, not {given}", Crowd::LIMIT)]
    Reach {
        /// As given, m.
        given: f64,
    },
    /// There are as many objects as there can be.
    #[error("a crowd holds at most {MOST_BOXES} objects: use several")]
    Full,
}

impl Default for Crowd {
    fn default() -> Crowd {
        Crowd::new()
    }
}

impl Crowd {
    /// How far from the origin an object may reach, m.
    pub const LIMIT: f64 = 1e30;

    /// An empty crowd with the default culling method.
    pub fn new() -> Crowd {
        Crowd::with_culling(CullingMethod::default())
    }

    /// An empty crowd with a given culling method, which affects speed, never results.
    pub fn with_culling(method: CullingMethod) -> Crowd {
        Crowd { objects: Objects::default(), filter: Filter::new(), method, touching: None, near: None }
    }

    /// Adds an object, switched on, as are all its pairs. Takes a shape, a solid or a soup. Clones of a shape
    /// share its data.
    pub fn add(&mut self, shape: impl Into<Shape>, pose: Pose) -> Result<ObjectId, CrowdError> {
        let shape = shape.into();
        if !is_within_limit(&shape, &pose) {
            return Err(CrowdError::OutOfReach { id: None, pose });
        }
        let id = self.objects.add(shape, pose)?;
        self.mark(id);
        Ok(id)
    }

    /// Removes an object and the settings of its pairs. Its handle stays invalid for ever.
    pub fn remove(&mut self, id: ObjectId) -> Result<(), CrowdError> {
        self.objects.remove(id)?;
        self.filter.forget(id.index);
        if let Some(candidates) = &mut self.touching {
            candidates.remove(id.index);
        }
        if let Some(candidates) = &mut self.near {
            candidates.remove(id.index);
        }
        Ok(())
    }

    /// Moves an object.
    pub fn set_pose(&mut self, id: ObjectId, pose: Pose) -> Result<(), CrowdError> {
        self.set_poses(&[(id, pose)])
    }

    /// Moves many objects. If one is named twice, the last pose counts. If one cannot be moved, none is.
    pub fn set_poses(&mut self, moves: &[(ObjectId, Pose)]) -> Result<(), CrowdError> {
        for (id, pose) in moves {
            if !is_within_limit(&self.objects.get(*id)?.shape, pose) {
                return Err(CrowdError::OutOfReach { id: Some(*id), pose: *pose });
            }
        }
        for (id, pose) in moves {
            if self.objects.set_pose(*id, *pose)? {
                self.mark(*id);
            }
        }
        Ok(())
    }

    /// The shape of an object.
    pub fn shape(&self, id: ObjectId) -> Result<&Shape, CrowdError> {
        Ok(&self.objects.get(id)?.shape)
    }

    /// The pose of an object.
    pub fn pose(&self, id: ObjectId) -> Result<Pose, CrowdError> {
        Ok(self.objects.get(id)?.pose)
    }

    /// Switches an object on or off. Its pairs keep their own state.
    pub fn set_active(&mut self, id: ObjectId, is_active: bool) -> Result<(), CrowdError> {
        self.objects.get(id)?;
        self.filter.set_object(id.index, is_active);
        self.mark(id);
        Ok(())
    }

    /// Whether an object is switched on.
    pub fn is_active(&self, id: ObjectId) -> Result<bool, CrowdError> {
        self.objects.get(id)?;
        Ok(self.filter.object(id.index))
    }

    /// Switches a pair on or off. Its objects keep their own settings.
    pub fn set_pair_active(&mut self, a: ObjectId, b: ObjectId, is_active: bool) -> Result<(), CrowdError> {
        self.check_pair(a, b)?;
        self.filter.set_pair(a.index, b.index, is_active);
        Ok(())
    }

    /// Whether a pair is switched on. Does not look at its objects.
    pub fn is_pair_active(&self, a: ObjectId, b: ObjectId) -> Result<bool, CrowdError> {
        self.check_pair(a, b)?;
        Ok(self.filter.pair(a.index, b.index))
    }

    /// Puts an object into groups.
    pub fn set_groups(&mut self, id: ObjectId, groups: Groups) -> Result<(), CrowdError> {
        self.objects.get(id)?;
        self.filter.set_groups(id.index, groups);
        Ok(())
    }

    /// The groups of an object.
    pub fn groups(&self, id: ObjectId) -> Result<Groups, CrowdError> {
        self.objects.get(id)?;
        Ok(self.filter.groups(id.index))
    }

    /// Whether a pair is queried: both objects and the pair are on, and their groups agree.
    pub fn admits(&self, a: ObjectId, b: ObjectId) -> Result<bool, CrowdError> {
        self.check_pair(a, b)?;
        Ok(self.filter.admits(a.index, b.index))
    }

    /// The handles of all objects, in order.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.ids()
    }

    /// Whether a handle names an object of the crowd.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.objects.get(id).is_ok()
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn check_pair(&self, a: ObjectId, b: ObjectId) -> Result<(), CrowdError> {
        self.objects.get(a)?;
        self.objects.get(b)?;
        if a == b { Err(CrowdError::SameObject { id: a }) } else { Ok(()) }
    }

    /// What is known about the boxes of an object no longer holds.
    fn mark(&mut self, id: ObjectId) {
        if let Some(candidates) = &mut self.touching {
            candidates.mark(id.index);
        }
        if let Some(candidates) = &mut self.near {
            candidates.mark(id.index);
        }
    }
}
