//! The questions, for all pairs at once.

use super::candidates::{Candidate, Candidates};
use super::objects::{Object, ObjectId, Objects};
use super::pair::{near, touch};
use super::{Crowd, CrowdError};
use crate::collide::{Collision, Extent};
use crate::culling::CullingMethod;
use crate::filter::Filter;
use crate::shape::ShapeDistance;
use rayon::prelude::*;
use silvia_solid::TriangleId;

/// Two objects that touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// In order.
    pub objects: [ObjectId; 2],
    /// Triangles of the first and the second that meet: one pair or all, as requested. Empty unless both are
    /// solids or soups, and if one is inside the other.
    pub triangles: Vec<[TriangleId; 2]>,
    /// Of two solids or soups, the one that lies inside the other without touching its surface.
    pub inner: Option<ObjectId>,
}

/// Two objects that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby {
    /// In order.
    pub objects: [ObjectId; 2],
    /// How near, and where.
    pub distance: ShapeDistance,
}

impl Crowd {
    /// All pairs that share a point, sorted by handle. With [`Extent::Any`] each reports one pair of
    /// triangles that meet; which one may depend on earlier queries. With [`Extent::All`] each reports all of
    /// them.
    pub fn collide(&mut self, extent: Extent) -> Vec<Meeting> {
        let candidates = updated(&mut self.touching, self.method, 0.0, &self.objects, &self.filter);
        ask(candidates, &self.objects, &self.filter, |objects, [a, b], memory| {
            let (triangles, inner) = match touch(a, b, memory, extent)? {
                Collision::None => return None,
                Collision::Surfaces(triangles) => (triangles, None),
                Collision::FirstInside => (Vec::new(), Some(objects[0])),
                Collision::SecondInside => (Vec::new(), Some(objects[1])),
            };
            Some(Meeting { objects, triangles, inner })
        })
    }

    /// All pairs nearer to each other than `reach` (m), sorted by handle. Pairs that touch are included, at a
    /// distance of 0, unless the reach is 0: [`Crowd::collide`] reports what touches. Repeating a query with
    /// the same reach is cheapest.
    pub fn near(&mut self, reach: f64) -> Result<Vec<Nearby>, CrowdError> {
        self.reset_near(reach)?;
        let candidates = updated(&mut self.near, self.method, 0.5 * reach, &self.objects, &self.filter);
        Ok(ask(candidates, &self.objects, &self.filter, |objects, [a, b], memory| {
            near(a, b, memory, reach).map(|distance| Nearby { objects, distance })
        }))
    }

    /// The pairs that [`Crowd::collide`] would query: admitted, with overlapping boxes. This is the first
    /// stage alone; a `collide` that follows does not repeat it.
    pub fn candidates(&mut self) -> Vec<[ObjectId; 2]> {
        let candidates = updated(&mut self.touching, self.method, 0.0, &self.objects, &self.filter);
        admitted(candidates, &self.objects, &self.filter)
    }

    /// The pairs that [`Crowd::near`] would query: admitted, with boxes that may be nearer than `reach` (m).
    /// This is the first stage alone; a `near` that follows does not repeat it.
    pub fn candidates_within(&mut self, reach: f64) -> Result<Vec<[ObjectId; 2]>, CrowdError> {
        self.reset_near(reach)?;
        let candidates = updated(&mut self.near, self.method, 0.5 * reach, &self.objects, &self.filter);
        Ok(admitted(candidates, &self.objects, &self.filter))
    }

    /// Forgets the candidates of another reach.
    fn reset_near(&mut self, reach: f64) -> Result<(), CrowdError> {
        if !(0.0..=Crowd::LIMIT).contains(&reach) {
            return Err(CrowdError::Reach { given: reach });
        }
        if self.near.as_ref().is_some_and(|candidates| candidates.margin() != 0.5 * reach) {
            self.near = None;
        }
        Ok(())
    }
}

/// The candidates for the objects as they are now.
fn updated<'a, M: Default + Send>(
    candidates: &'a mut Option<Candidates<M>>,
    method: CullingMethod,
    margin: f64,
    objects: &Objects,
    filter: &Filter,
) -> &'a mut Candidates<M> {
    let candidates = candidates.get_or_insert_with(|| Candidates::new(method, margin, objects));
    candidates.update(objects, filter);
    candidates
}

fn admitted<M>(candidates: &Candidates<M>, objects: &Objects, filter: &Filter) -> Vec<[ObjectId; 2]> {
    let places = candidates.pairs.iter().map(|candidate| candidate.places);
    places.filter(|&[a, b]| filter.admits(a, b)).map(|places| places.map(|place| objects.id(place))).collect()
}

/// Asks about all candidates that are admitted, on all cores, and gives the answers in order.
fn ask<M: Send, A: Send>(
    candidates: &mut Candidates<M>,
    objects: &Objects,
    filter: &Filter,
    question: impl Fn([ObjectId; 2], [&Object; 2], &mut M) -> Option<A> + Sync,
) -> Vec<A> {
    let about = |candidate: &mut Candidate<M>| {
        let [a, b] = candidate.places;
        if !filter.admits(a, b) {
            return None;
        }
        let both = [objects.at(a)?, objects.at(b)?];
        question([objects.id(a), objects.id(b)], both, &mut candidate.memory)
    };
    candidates.pairs.par_iter_mut().filter_map(about).collect()
}
