//! Numbers about a hierarchy.

use super::{Child, Hierarchy};
use crate::bounds::Bound;
use crate::lanes::LANES;

/// What a hierarchy is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of leaves.
    pub leaves: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// The longest way from the root to a leaf.
    pub depth: usize,
    /// Children a node, on average: at most 4.
    pub mean_children: f64,
    /// Sum of the volumes of the bounds on each level, root first, m³.
    pub level_volumes: Vec<f64>,
    /// Memory, bytes.
    pub bytes: usize,
}

impl<B: Bound> Hierarchy<B> {
    /// Counts and measures.
    pub fn statistics(&self) -> Statistics {
        let mut level_volumes = Vec::new();
        let mut children = 0;
        let mut stack = vec![(0usize, 0usize)];
        while let Some((node, level)) = stack.pop() {
            if level_volumes.len() == level {
                level_volumes.push(0.0);
            }
            for lane in 0..LANES {
                let child = self.nodes[node].child[lane];
                if child == Child::NONE {
                    continue;
                }
                children += 1;
                level_volumes[level] += B::unpack(&self.nodes[node].pack, lane).volume();
                if !child.is_leaf() {
                    stack.push((child.index(), level + 1));
                }
            }
        }
        Statistics {
            nodes: self.nodes.len(),
            leaves: self.leaf_start.len() - 1,
            triangles: self.triangles.len(),
            depth: level_volumes.len(),
            mean_children: children as f64 / self.nodes.len() as f64,
            level_volumes,
            bytes: size_of_val(self.nodes.as_slice())
                + size_of_val(self.triangles.as_slice())
                + size_of_val(self.leaf_start.as_slice()),
        }
    }

    /// The bounds on one level, the root being level 0: for pictures. Branches that end above it give their
    /// leaves' bounds.
    pub fn level(&self, level: usize) -> Vec<B> {
        let mut bounds = Vec::new();
        let mut stack = vec![(0usize, 0usize)];
        while let Some((node, depth)) = stack.pop() {
            for lane in 0..LANES {
                let child = self.nodes[node].child[lane];
                if child == Child::NONE {
                    continue;
                }
                if depth == level || child.is_leaf() {
                    bounds.push(B::unpack(&self.nodes[node].pack, lane));
                } else {
                    stack.push((child.index(), depth + 1));
                }
            }
        }
        bounds
    }
}
