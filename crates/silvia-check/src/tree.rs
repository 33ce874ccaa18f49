//! A binary tree of boxes over triangles. The tree is built once; the caller keeps the boxes, one list for
//! each placement of the triangles.

use silvia_solid::{Aabb, Vec3};

/// The triangles under each node. The root is node 0; children come after their parents.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    Triangle(u32),
    Two([u32; 2]),
}

impl Tree {
    /// Splits the triangles at the median of their box centres, along the longest side of the box around
    /// these.
    pub(crate) fn over(boxes: &[Aabb]) -> Tree {
        let mut tree = Tree { nodes: Vec::with_capacity(2 * boxes.len()) };
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        if !order.is_empty() {
            tree.build(boxes, &mut order);
        }
        tree
    }

    fn build(&mut self, boxes: &[Aabb], triangles: &mut [u32]) -> u32 {
        let index = self.nodes.len();
        if let [one] = *triangles {
            self.nodes.push(Node::Triangle(one));
            return index as u32;
        }
        self.nodes.push(Node::Two([0; 2]));
        let middle = |i: u32| boxes[i as usize].center();
        let size = Aabb::of(triangles.iter().map(|&i| middle(i))).size();
        let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        triangles.sort_unstable_by(|&i, &j| middle(i)[axis].total_cmp(&middle(j)[axis]).then(i.cmp(&j)));
        let (low, high) = triangles.split_at_mut(triangles.len() / 2);
        let two = [self.build(boxes, low), self.build(boxes, high)];
        self.nodes[index] = Node::Two(two);
        index as u32
    }

    /// The boxes of all nodes, from the boxes of the triangles.
    pub(crate) fn boxes(&self, of_triangle: impl Fn(u32) -> Aabb) -> Vec<Aabb> {
        let mut boxes = vec![Aabb::EMPTY; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().rev() {
            boxes[i] = match *node {
                Node::Triangle(t) => of_triangle(t),
                Node::Two([a, b]) => boxes[a as usize].merged(boxes[b as usize]),
            };
        }
        boxes
    }

    /// Calls a function with every triangle whose box overlaps a given box.
    pub(crate) fn visit(&self, boxes: &[Aabb], other: &Aabb, mut found: impl FnMut(u32)) {
        let mut stack = Vec::new();
        if !self.nodes.is_empty() {
            stack.push(0_u32);
        }
        while let Some(i) = stack.pop() {
            if !boxes[i as usize].overlaps(other) {
                continue;
            }
            match self.nodes[i as usize] {
                Node::Triangle(t) => found(t),
                Node::Two([a, b]) => stack.extend([b, a]),
            }
        }
    }

    /// Minimises a function over the triangles, given a lower bound of it on boxes; `None` if no value is
    /// below `limit`.
    pub(crate) fn least<T>(
        &self,
        boxes: &[Aabb],
        limit: f64,
        bound: impl Fn(&Aabb) -> f64,
        mut value: impl FnMut(u32) -> (f64, T),
    ) -> Option<(f64, T)> {
        let mut least = limit;
        let mut best = None;
        let mut stack: Vec<(f64, u32)> = Vec::new();
        if !self.nodes.is_empty() {
            stack.push((bound(&boxes[0]), 0));
        }
        while let Some((lower, i)) = stack.pop() {
            if lower >= least {
                continue;
            }
            match self.nodes[i as usize] {
                Node::Triangle(t) => {
                    let (v, what) = value(t);
                    if v < least {
                        least = v;
                        best = Some((v, what));
                    }
                }
                Node::Two(two) => {
                    let [a, b] = two.map(|n| (bound(&boxes[n as usize]), n));
                    // The last one pushed is the first one opened.
                    stack.extend(if b.0 < a.0 { [a, b] } else { [b, a] });
                }
            }
        }
        best
    }
}

/// All pairs of triangles of two trees whose boxes overlap, in a fixed order.
pub(crate) fn overlapping(a: (&Tree, &[Aabb]), b: (&Tree, &[Aabb])) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    if !a.0.nodes.is_empty() && !b.0.nodes.is_empty() {
        stack.push([0_u32; 2]);
    }
    while let Some([i, j]) = stack.pop() {
        let (box_a, box_b) = (&a.1[i as usize], &b.1[j as usize]);
        if !box_a.overlaps(box_b) {
            continue;
        }
        match (a.0.nodes[i as usize], b.0.nodes[j as usize]) {
            (Node::Triangle(s), Node::Triangle(t)) => found.push([s, t]),
            (Node::Two([x, y]), Node::Triangle(_)) => stack.extend([[y, j], [x, j]]),
            (Node::Triangle(_), Node::Two([x, y])) => stack.extend([[i, y], [i, x]]),
            (Node::Two([x, y]), Node::Two([v, w])) => {
                if box_a.size().max_element() >= box_b.size().max_element() {
                    stack.extend([[y, j], [x, j]]);
                } else {
                    stack.extend([[i, w], [i, v]]);
                }
            }
        }
    }
    found
}

/// The squared distance from a point to a box, m²; 0 inside.
pub(crate) fn distance_squared(bounds: &Aabb, p: Vec3) -> f64 {
    (bounds.min - p).max(p - bounds.max).max(Vec3::ZERO).length_squared()
}
