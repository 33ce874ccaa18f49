//! Making a front coarser again where bodies have moved apart.

use super::query::Query;
use super::{Front, NONE, tuning};
use crate::bounds::Bound;
use crate::lanes::{LANES, with_simd};

impl Front {
    /// Tries a part of the places a level higher.
    pub(super) fn coarsen<B: Bound>(&mut self, query: &Query<'_, B>) {
        let count = self.places.len();
        let [most, least] = tuning::COARSEN_SHARE.map(|share| count.div_ceil(share));
        let share = (tuning::COARSEN_TRIES * self.coarsened).clamp(least, most);
        with_simd(
            #[inline(always)]
            || {
                let mut is_rid_of_triangles = false;
                self.coarsened = 0;
                for step in 0..share {
                    let number = (self.cursor + step) % count;
                    let is_rid = self.close_leaves(query, number);
                    let is_closed = self.close(query, number);
                    is_rid_of_triangles |= is_rid;
                    self.coarsened += usize::from(is_rid || is_closed);
                }
                self.cursor = (self.cursor + share) % count;
                if is_rid_of_triangles {
                    let Front { triangles, places, .. } = self;
                    triangles.retain(|near| places[near.place as usize].leaves & (1 << near.lane) != 0);
                }
            },
        );
    }

    /// Takes lanes of a place whose bounds are parted for their triangles again; says whether it has.
    #[inline(always)]
    fn close_leaves<B: Bound>(&mut self, query: &Query<'_, B>, number: usize) -> bool {
        let (place, planes) = (&mut self.places[number], &mut self.planes[number]);
        let before = place.leaves;
        for lane in (0..LANES).filter(|lane| before & (1 << lane) != 0) {
            if let Some(gap) = query.parts_well(place, planes, lane) {
                place.leaves &= !(1 << lane);
                self.apart[number] = apart_with(place.lanes, self.apart[number], self.travelled + gap);
                place.lanes |= 1 << lane;
            }
        }
        before != place.leaves
    }

    /// Takes the pair from which a place was opened for the place; says whether it has.
    #[inline(always)]
    fn close<B: Bound>(&mut self, query: &Query<'_, B>, number: usize) -> bool {
        let place = &self.places[number];
        if place.lanes == 0 || place.deeper != 0 || place.leaves != 0 || place.parent == NONE {
            return false;
        }
        let (parent, lane) = (place.parent as usize, place.parent_lane as usize);
        let above = &mut self.places[parent];
        let Some(gap) = query.parts_well(above, &mut self.planes[parent], lane) else { return false };
        self.apart[parent] = apart_with(above.lanes, self.apart[parent], self.travelled + gap);
        above.lanes |= 1 << lane;
        above.deeper &= !(1 << lane);
        self.places[number].lanes = 0;
        self.apart[number] = f64::INFINITY;
        self.unused.push(number as u32);
        true
    }
}

/// Until when a place that has some lanes is apart with one more.
#[inline(always)]
fn apart_with(lanes: u8, apart: f64, more: f64) -> f64 {
    if lanes == 0 { more } else { apart.min(more) }
}
