//! The objects of a crowd and their handles.

use super::CrowdError;
use crate::culling::MOST_BOXES;
use crate::shape::Shape;
use silvia_solid::Pose;
use std::fmt;

/// Names an object of one crowd while it is there. A free place is used again under a new generation, so that
/// an old handle never names a new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    pub(super) index: u32,
    generation: u32,
}

impl ObjectId {
    /// An index for tables by object: dense, and used again after the object was removed.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.index),
            later => write!(f, "{}.{later}", self.index),
        }
    }
}

/// A shape at a pose.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) shape: Shape,
    pub(super) pose: Pose,
}

#[derive(Debug, Default)]
pub(super) struct Objects {
    places: Vec<Place>,
    /// Places to be given out again, the last first.
    free: Vec<u32>,
}

#[derive(Debug)]
struct Place {
    generation: u32,
    object: Option<Object>,
}

impl Objects {
    pub(super) fn add(&mut self, shape: Shape, pose: Pose) -> Result<ObjectId, CrowdError> {
        let object = Some(Object { shape, pose });
        if let Some(index) = self.free.pop() {
            let place = &mut self.places[index as usize];
            place.object = object;
            return Ok(ObjectId { index, generation: place.generation });
        }
        // Each has a box in the culling.
        let index = u32::try_from(self.places.len()).ok().filter(|&i| (i as usize) < MOST_BOXES);
        let index = index.ok_or(CrowdError::Full)?;
        self.places.push(Place { generation: 0, object });
        Ok(ObjectId { index, generation: 0 })
    }

    pub(super) fn remove(&mut self, id: ObjectId) -> Result<(), CrowdError> {
        self.get(id)?;
        let place = &mut self.places[id.index()];
        place.object = None;
        // A place that has been through all generations is not given out again.
        if let Some(next) = place.generation.checked_add(1) {
            place.generation = next;
            self.free.push(id.index);
        }
        Ok(())
    }

    pub(super) fn get(&self, id: ObjectId) -> Result<&Object, CrowdError> {
        self.places
            .get(id.index())
            .filter(|place| place.generation == id.generation)
            .and_then(|place| place.object.as_ref())
            .ok_or(CrowdError::NoSuchObject { id })
    }

    /// Whether it moved.
    pub(super) fn set_pose(&mut self, id: ObjectId, pose: Pose) -> Result<bool, CrowdError> {
        self.get(id)?;
        let object = self.places[id.index()].object.as_mut().ok_or(CrowdError::NoSuchObject { id })?;
        let moved = object.pose != pose;
        object.pose = pose;
        Ok(moved)
    }

    /// The object at a place, if there is one.
    #[inline]
    pub(super) fn at(&self, index: u32) -> Option<&Object> {
        self.places.get(index as usize)?.object.as_ref()
    }

    /// The handle of the object at a place.
    pub(super) fn id(&self, index: u32) -> ObjectId {
        ObjectId { index, generation: self.places[index as usize].generation }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let there = self.places.iter().enumerate().filter(|(_, place)| place.object.is_some());
        there.map(|(index, place)| ObjectId { index: index as u32, generation: place.generation })
    }

    pub(super) fn len(&self) -> usize {
        self.ids().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::Vec3;

    #[test]
    fn a_place_that_has_been_through_all_generations_is_not_given_out_again() {
        let shape = Shape::cuboid(Vec3::ONE).unwrap();
        let mut objects = Objects::default();
        objects.add(shape.clone(), Pose::IDENTITY).unwrap();
        objects.places[0].generation = u32::MAX;
        let last = objects.id(0);
        objects.remove(last).unwrap();
        assert_eq!(objects.get(last).unwrap_err(), CrowdError::NoSuchObject { id: last });
        assert_eq!(objects.add(shape, Pose::IDENTITY).unwrap().index, 1);
    }
}
