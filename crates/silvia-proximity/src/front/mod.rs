//! Where two hierarchies are parted, kept from query to query.
//!
//! A search for what is near opens pairs of bounds from the roots down until they are apart. Where it ends is
//! a *front*: pairs of bounds that together hold all pairs of triangles. Between bodies that slide on each
//! other in close fit distances are used up at once, but the planes between their bounds part them for long.
//! So each pair keeps a direction across which it was last found apart. A query looks along these first, for
//! what fails tries others, and opens what is parted by none, down to pairs of triangles. After each query a
//! part of the front is tried a level higher, so that it follows what is near and does not grow.
//!
//! Pairs that come of opening one node are a [`Place`] of the front, looked at four at a time. Places form a
//! tree by their parents; those whose lanes have all been opened remain as its inner nodes.

mod coarsen;
pub(crate) mod parted;
mod planes;
mod query;
#[cfg(test)]
mod tests;
mod tuning;

pub(crate) use parted::Ends;
pub(crate) use query::Query;

use crate::bounds::Bound;
use crate::contacts::farthest_moved;
use crate::duo::{Opened, Pair, Under};
use crate::hierarchy::{Child, Hierarchy};
use crate::lanes::{LANES, with_simd};
use planes::{Past, Planes, Since};
use rayon::prelude::*;
use silvia_solid::{Pose, Vec3};

/// The front of two rigid meshes. It affects speed, never results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    meshes: [u64; 2],
    places: Vec<Place>,
    /// How the lanes of each place are parted.
    planes: Vec<Planes>,
    /// No lane of a place comes nearer than the margin of a query until points have travelled so far less
    /// that, m; infinite for places without lanes.
    apart: Vec<f64>,
    /// Places not in use.
    unused: Vec<u32>,
    triangles: Vec<NearTriangles>,
    /// Where the second was seen from the first in the last query, and how far points have travelled until
    /// then, there and back, m.
    last: Option<Pose>,
    travelled: f64,
    /// The place that is next tried a level higher, and how many were of use in the last query.
    cursor: usize,
    coarsened: usize,
    /// Queries to do without.
    pause: u32,
    /// Where the second was seen from the first in the last queries.
    past: Past,
}

/// The children of a node against a bound of the other body.
#[derive(Clone, Debug)]
struct Place {
    opened: Opened,
    /// As bits: which children are pairs of the front, which have been opened into another place, and which
    /// into triangles.
    lanes: u8,
    deeper: u8,
    leaves: u8,
    /// The place, and its lane, that was opened to make this one.
    parent: u32,
    parent_lane: u8,
}

/// Two triangles whose bounds are not parted.
#[derive(Clone, Debug)]
struct NearTriangles {
    /// Their positions among the triangles of the leaves.
    triangles: [u32; 2],
    place: u32,
    lane: u8,
    /// As of places.
    apart: f64,
    /// As in [`Ends::parted`].
    direction: Vec3,
}

/// Two triangles that a front has not parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsettled {
    /// Their leaves.
    pub(crate) pair: Pair,
    /// Their positions among the triangles of the leaves.
    pub(crate) triangles: [u32; 2],
}

/// A front would be too large to be of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The root of the tree has no parent.
const NONE: u32 = u32::MAX;

impl Front {
    /// Adds the pairs of triangles that are not parted by planes, nor settled by `is_settled`, to a list, in
    /// no order, and stops where it holds more than `most_unsettled`. `work` counts places and triangles that
    /// were looked at.
    pub(crate) fn settle<B: Bound>(
        &mut self,
        query: &Query<'_, B>,
        is_settled: impl Fn([u32; 2]) -> bool,
        most_unsettled: usize,
        unsettled: &mut Vec<Unsettled>,
        work: &mut u64,
    ) -> Result<(), TooLarge> {
        let [a, b] = [query.duos[0].a, query.duos[0].b];
        self.renew(a, b);
        if self.pause > 0 {
            self.pause -= 1;
            return Err(TooLarge);
        }
        let here = query.duos[0].b_in_a;
        if let Some(last) = self.last.replace(here) {
            self.travelled += farthest_moved(b, &last, &here);
        }
        let most = tuning::MOST_AT_LEAST.max(tuning::MOST_PER_NODE * (a.nodes.len() + b.nodes.len()));
        let closing = self.travelled + query.farthest + query.margin;
        let since = self.past.since(query);
        let failed = self.look(query, &since, closing, work);
        self.open(query, since.now, failed, most, work).inspect_err(|TooLarge| {
            *self = Front { meshes: self.meshes, pause: tuning::PAUSE, ..Front::default() };
        })?;
        self.look_at_triangles(query, closing, is_settled, most_unsettled, unsettled, work);
        self.coarsen(query);
        Ok(())
    }

    /// Starts anew for other bodies.
    fn renew<B: Bound>(&mut self, a: &Hierarchy<B>, b: &Hierarchy<B>) {
        let meshes = [a.id, b.id];
        if self.meshes != meshes {
            *self = Front { meshes, ..Front::default() };
        }
        if self.places.is_empty() {
            let root =
                Place { opened: Opened::ROOTS, lanes: 1, deeper: 0, leaves: 0, parent: NONE, parent_lane: 0 };
            self.places.push(root);
            self.planes.push(Planes::UNKNOWN);
            self.apart.push(f64::NEG_INFINITY);
        }
    }

    /// Looks at all places that may have come too near; returns those with lanes that are not parted.
    fn look<B: Bound>(
        &mut self,
        query: &Query<'_, B>,
        since: &Since,
        closing: f64,
        work: &mut u64,
    ) -> Vec<(u32, u8)> {
        let travelled = self.travelled;
        let look = |first: usize, places: &[Place], planes: &mut [Planes], apart: &mut [f64]| {
            with_simd(
                #[inline(always)]
                || {
                    let (mut failed, mut looks) = (Vec::new(), 0);
                    for (i, (planes, apart)) in planes.iter_mut().zip(apart).enumerate() {
                        if *apart > closing {
                            continue;
                        }
                        if let Some(least) = since.still_part(planes, query.margin) {
                            *apart = apart.max(travelled + least);
                            continue;
                        }
                        looks += 1;
                        let (left, least) = query.look(&places[i], planes, since.now);
                        *apart = apart.max(travelled + least);
                        if left != 0 {
                            failed.push(((first + i) as u32, left));
                        }
                    }
                    (failed, looks)
                },
            )
        };
        if self.places.len() <= tuning::GRAIN {
            let (failed, looks) = look(0, &self.places, &mut self.planes, &mut self.apart);
            *work += looks;
            return failed;
        }
        let places = self.places.par_chunks(tuning::GRAIN);
        let planes = self.planes.par_chunks_mut(tuning::GRAIN);
        let chunks = (places, planes, self.apart.par_chunks_mut(tuning::GRAIN)).into_par_iter().enumerate();
        let found: Vec<_> = chunks
            .map(|(i, (places, planes, apart))| look(i * tuning::GRAIN, places, planes, apart))
            .collect();
        *work += found.iter().map(|(_, looks)| looks).sum::<u64>();
        found.into_iter().flat_map(|(failed, _)| failed).collect()
    }

    /// Opens lanes that are not parted, and what comes of them.
    fn open<B: Bound>(
        &mut self,
        query: &Query<'_, B>,
        now: u32,
        mut failed: Vec<(u32, u8)>,
        most: usize,
        work: &mut u64,
    ) -> Result<(), TooLarge> {
        with_simd(
            #[inline(always)]
            || {
                while let Some((number, lanes)) = failed.pop() {
                    self.places[number as usize].lanes &= !lanes;
                    if self.places[number as usize].lanes == 0 {
                        self.apart[number as usize] = f64::INFINITY;
                    }
                    for lane in (0..LANES).filter(|lane| lanes & (1 << lane) != 0) {
                        let pair = self.places[number as usize].opened.child(lane);
                        match query.duos[0].under(pair) {
                            Under::Triangles(a, b) => {
                                self.places[number as usize].leaves |= 1 << lane;
                                for j in 0..b.triangles.len() as u32 {
                                    for i in 0..a.triangles.len() as u32 {
                                        self.triangles.push(NearTriangles {
                                            triangles: [a.start + i, b.start + j],
                                            place: number,
                                            lane: lane as u8,
                                            apart: f64::NEG_INFINITY,
                                            direction: Vec3::ZERO,
                                        });
                                    }
                                }
                            }
                            Under::Node(opened) => {
                                self.places[number as usize].deeper |= 1 << lane;
                                let child = self.add(query, opened, number, lane);
                                *work += 1;
                                let number = child as usize;
                                let planes = &mut self.planes[number];
                                let (left, least) = query.look(&self.places[number], planes, now);
                                self.apart[number] = self.travelled + least;
                                if left != 0 {
                                    failed.push((child, left));
                                }
                            }
                        }
                    }
                    if self.places.len() + self.triangles.len() > most {
                        return Err(TooLarge);
                    }
                }
                Ok(())
            },
        )
    }

    /// A place for the children of a node.
    #[inline(always)]
    fn add<B: Bound>(&mut self, query: &Query<'_, B>, opened: Opened, parent: u32, lane: usize) -> u32 {
        let duo = &query.duos[0];
        let children = if opened.of_a { &duo.a.nodes } else { &duo.b.nodes }[opened.node].child;
        let used = (0..LANES).filter(|&lane| children[lane] != Child::NONE);
        let place = Place {
            opened,
            lanes: used.map(|lane| 1 << lane).sum(),
            deeper: 0,
            leaves: 0,
            parent,
            parent_lane: lane as u8,
        };
        match self.unused.pop() {
            Some(number) => {
                self.places[number as usize] = place;
                self.planes[number as usize] = Planes::UNKNOWN;
                number
            }
            None => {
                self.places.push(place);
                self.planes.push(Planes::UNKNOWN);
                self.apart.push(f64::NEG_INFINITY);
                self.places.len() as u32 - 1
            }
        }
    }

    /// Adds those that are not parted to a list.
    fn look_at_triangles<B: Bound>(
        &mut self,
        query: &Query<'_, B>,
        closing: f64,
        is_settled: impl Fn([u32; 2]) -> bool,
        most_unsettled: usize,
        unsettled: &mut Vec<Unsettled>,
        work: &mut u64,
    ) {
        let mut nearby = Vec3::ZERO;
        for near in self.triangles.iter_mut().filter(|near| near.apart <= closing) {
            *work += 1;
            // How far they are apart beyond the margin.
            match query.ends.parted(near.triangles, &mut near.direction, &mut nearby) {
                Some(apart) => near.apart = near.apart.max(self.travelled + query.margin + apart),
                None if is_settled(near.triangles) => {}
                None => {
                    let pair = self.places[near.place as usize].opened.child(near.lane as usize);
                    unsettled.push(Unsettled { pair, triangles: near.triangles });
                    if unsettled.len() > most_unsettled {
                        return;
                    }
                }
            }
        }
    }
}
