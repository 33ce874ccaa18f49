//! Each box against each other.

use super::table::Table;
use super::{BoxId, Changes, Culling, CullingError, Pair};
use silvia_solid::Aabb;

/// Tests every pair of boxes at every update. Shares no search code with the other methods.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    table: Table,
    pairs: Vec<Pair>,
    changes: Changes,
}

impl Culling for BruteForce {
    fn insert(&mut self, boxes: &[Aabb]) -> Result<Vec<BoxId>, CullingError> {
        self.table.insert(boxes)
    }

    fn relocate(&mut self, moves: &[(BoxId, Aabb)]) -> Result<(), CullingError> {
        self.table.relocate(moves)
    }

    fn remove(&mut self, ids: &[BoxId]) -> Result<(), CullingError> {
        self.table.remove(ids)
    }

    fn update(&mut self) -> &Changes {
        self.table.take_touched();
        let now = all_pairs(self.table.boxes());
        let missing_in = |list: &[Pair], from: &[Pair]| -> Vec<Pair> {
            from.iter().copied().filter(|pair| list.binary_search(pair).is_err()).collect()
        };
        self.changes = Changes { began: missing_in(&self.pairs, &now), ended: missing_in(&now, &self.pairs) };
        self.pairs = now;
        &self.changes
    }

    fn pairs(&self) -> Vec<Pair> {
        self.pairs.clone()
    }

    fn for_each_pair(&self, visit: &mut dyn FnMut(Pair)) {
        self.pairs.iter().for_each(|&pair| visit(pair));
    }

    fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    fn bounds(&self, id: BoxId) -> Option<Aabb> {
        self.table.get(id)
    }

    fn len(&self) -> usize {
        self.table.len()
    }
}

/// In order, for the loops run through the ids in order.
fn all_pairs(boxes: &[Aabb]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            if a.overlaps(b) {
                pairs.push(Pair { first: BoxId(i as u32), second: BoxId(j as u32) });
            }
        }
    }
    pairs
}
