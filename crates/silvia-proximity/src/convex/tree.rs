//! A tree of boxes over a few boxes.

use silvia_solid::Aabb;

/// A binary tree over boxes, split in halves along the longest side of their middles.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
}

/// A box, and what is under it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) bounds: Aabb,
    /// Of a leaf the number of its box, of another node the position of its second child; the first follows
    /// it.
    link: u32,
    is_leaf: bool,
    at: u32,
}

impl BoxTree {
    /// The tree over some boxes, at least one.
    pub(crate) fn new(boxes: &[Aabb]) -> BoxTree {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = BoxTree { nodes: Vec::with_capacity(2 * boxes.len()) };
        tree.add(boxes, &mut order);
        tree
    }

    pub(crate) fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Adds a node over some of the boxes and all nodes under it.
    fn add(&mut self, boxes: &[Aabb], order: &mut [u32]) {
        let at = self.nodes.len() as u32;
        let bounds = order.iter().map(|&i| boxes[i as usize]).fold(Aabb::EMPTY, Aabb::merged);
        let is_leaf = order.len() <= 1;
        let link = order.first().copied().unwrap_or(0);
        self.nodes.push(Node { bounds, link, is_leaf, at });
        if is_leaf {
            return;
        }
        let middles = Aabb::of(order.iter().map(|&i| boxes[i as usize].center())).size();
        let axis = middles.max_position();
        let middle = |i: &u32| boxes[*i as usize].center()[axis];
        order.sort_by(|i, j| middle(i).total_cmp(&middle(j)).then(i.cmp(j)));
        let (low, high) = order.split_at_mut(order.len() / 2);
        self.add(boxes, low);
        self.nodes[at as usize].link = self.nodes.len() as u32;
        self.add(boxes, high);
    }
}

impl Node {
    /// The number of the box, of a leaf.
    pub(crate) fn piece(&self) -> Option<u32> {
        self.is_leaf.then_some(self.link)
    }

    /// The two nodes under this one, which is no leaf.
    pub(crate) fn children(&self) -> [u32; 2] {
        [self.at + 1, self.link]
    }

    /// The longest side, m.
    pub(crate) fn size(&self) -> f64 {
        self.bounds.size().max_element()
    }
}
