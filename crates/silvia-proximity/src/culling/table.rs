//! The boxes of a culling by id, and which of them were touched since the last update.

use super::{BoxId, CullingError, MOST_BOXES, Which};
use silvia_solid::Aabb;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What every method shares: ids, checks of what comes in, and the list of what changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// By id; [`Aabb::EMPTY`], which overlaps nothing, where an id is free.
    boxes: Vec<Aabb>,
    free: BinaryHeap<Reverse<u32>>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Table {
    pub(super) fn insert(&mut self, boxes: &[Aabb]) -> Result<Vec<BoxId>, CullingError> {
        for (position, bounds) in boxes.iter().enumerate() {
            check(bounds, Which::New(position))?;
        }
        check_room(self.len(), boxes.len())?;
        Ok(boxes.iter().map(|&bounds| self.place(bounds)).collect())
    }

    pub(super) fn relocate(&mut self, moves: &[(BoxId, Aabb)]) -> Result<(), CullingError> {
        for (id, bounds) in moves {
            self.require(*id)?;
            check(bounds, Which::Known(*id))?;
        }
        for &(id, bounds) in moves {
            self.set(id.0, bounds);
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, ids: &[BoxId]) -> Result<(), CullingError> {
        for &id in ids {
            self.require(id)?;
        }
        for &id in ids {
            // An id named twice is removed once.
            if self.get(id).is_some() {
                self.set(id.0, Aabb::EMPTY);
                self.free.push(Reverse(id.0));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, id: BoxId) -> Option<Aabb> {
        self.boxes.get(id.index()).copied().filter(|b| !is_empty(b))
    }

    pub(super) fn len(&self) -> usize {
        self.boxes.len() - self.free.len()
    }

    /// By id, free ids included.
    pub(super) fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// Hands over the ids that were put in, moved or removed since the last call, each once, in no useful
    /// order.
    pub(super) fn take_touched(&mut self) -> Vec<u32> {
        let touched = std::mem::take(&mut self.touched);
        for &id in &touched {
            self.is_touched[id as usize] = false;
        }
        touched
    }

    fn place(&mut self, bounds: Aabb) -> BoxId {
        let id = self.free.pop().map_or(self.boxes.len() as u32, |Reverse(id)| id);
        if id as usize == self.boxes.len() {
            self.boxes.push(Aabb::EMPTY);
            self.is_touched.push(false);
        }
        self.set(id, bounds);
        BoxId(id)
    }

    fn set(&mut self, id: u32, bounds: Aabb) {
        self.boxes[id as usize] = bounds;
        if !std::mem::replace(&mut self.is_touched[id as usize], true) {
            self.touched.push(id);
        }
    }

    fn require(&self, id: BoxId) -> Result<(), CullingError> {
        self.get(id).map(|_| ()).ok_or(CullingError::NoSuchBox { id })
    }
}

/// Whether this marks a free id. Boxes of users are finite.
pub(super) fn is_empty(bounds: &Aabb) -> bool {
    bounds.min.x == f64::INFINITY
}

pub(super) fn check(bounds: &Aabb, which: Which) -> Result<(), CullingError> {
    if !(bounds.min.is_finite() && bounds.max.is_finite()) {
        return Err(CullingError::NotFinite { which });
    }
    match (0..3).find(|&axis| bounds.min[axis] > bounds.max[axis]) {
        Some(axis) => Err(CullingError::Inverted { which, axis }),
        None => Ok(()),
    }
}

fn check_room(there: usize, more: usize) -> Result<(), CullingError> {
    if more > MOST_BOXES - there { Err(CullingError::Full { more }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_refused_when_their_numbers_would_not_fit() {
        assert_eq!(check_room(0, MOST_BOXES), Ok(()));
        assert_eq!(check_room(MOST_BOXES - 1, 1), Ok(()));
        assert_eq!(check_room(MOST_BOXES - 1, 2), Err(CullingError::Full { more: 2 }));
        assert_eq!(check_room(MOST_BOXES, 0), Ok(()));
        assert_eq!(check_room(MOST_BOXES, 1), Err(CullingError::Full { more: 1 }));
        assert_eq!(check_room(7, usize::MAX), Err(CullingError::Full { more: usize::MAX }));
    }
}
