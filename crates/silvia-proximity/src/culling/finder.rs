//! What the methods differ in: how the boxes near a box are found.

use silvia_solid::Aabb;
use std::ops::Range;

/// Finds the fat boxes that overlap a given one. Boxes are known by slot; free slots hold [`Aabb::EMPTY`].
pub(super) trait Finder: Default + Send + Sync {
    /// Takes in all boxes anew. `fresh_order`: slots were renumbered, neighbours in space together.
    fn rebuild(&mut self, fat: &[Aabb], fresh_order: bool);

    /// Takes in the boxes at some slots, given in rising order; slots at the end may be new.
    fn place(&mut self, slots: &[u32], fat: &[Aabb]);

    /// Adds to `found` all slots whose box overlaps, and perhaps a few more, each once, in an order that
    /// depends on the boxes alone.
    fn query(&self, bounds: &Aabb, fat: &[Aabb], found: &mut Vec<u32>);

    /// Queries with the boxes of a run of slots, in order; what is found in lesser slots may be left out. The
    /// run starts at a multiple of the tree's width.
    #[inline(always)]
    fn query_run(&self, run: Range<usize>, fat: &[Aabb], mut each: impl FnMut(u32, &[u32])) {
        let mut found = Vec::new();
        for slot in run {
            found.clear();
            self.query(&fat[slot], fat, &mut found);
            each(slot as u32, &found);
        }
    }

    /// By what fraction queries are now dearer than when the order was fresh; 0 if order does not matter.
    fn decline(&self) -> f64 {
        0.0
    }
}
