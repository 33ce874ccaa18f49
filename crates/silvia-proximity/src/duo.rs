//! Two hierarchies and how they lie to each other: what all pair queries share.

use crate::bounds::Bound;
use crate::hierarchy::{Child, Hierarchy, Leaf, LeafTriangle, Slot};
use crate::lanes::LANES;
use silvia_solid::{Mat3, Pose, Vec3};

/// Two bodies, the second placed in the frame of the first.
pub(crate) struct Duo<'a, B: Bound> {
    pub(crate) a: &'a Hierarchy<B>,
    pub(crate) b: &'a Hierarchy<B>,
    /// The frame of `a`, in which the answers are given to the user.
    pub(crate) frame: Pose,
    pub(crate) b_in_a: Pose,
    rotation: Mat3,
    translation: Vec3,
    a_seen_from_b: B::View,
    b_seen_from_a: B::View,
}

/// A bound of each body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) a: Slot,
    pub(crate) b: Slot,
}

impl Pair {
    pub(crate) const ROOTS: Pair = Pair { a: Slot::ROOT, b: Slot::ROOT };
}

/// What is under a pair of bounds.
pub(crate) enum Under<'a> {
    /// Triangles on both sides.
    Triangles(Leaf<'a>, Leaf<'a>),
    /// A node of one side, to be tested against the other's bound.
    Node(Opened),
}

/// A node that has been chosen for opening.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    pair: Pair,
    of_a: bool,
    node: usize,
}

impl Opened {
    /// The pair of a child and what the node is tested against.
    #[inline(always)]
    pub(crate) fn child(&self, lane: usize) -> Pair {
        let slot = Slot::new(self.node, lane);
        if self.of_a { Pair { a: slot, b: self.pair.b } } else { Pair { a: self.pair.a, b: slot } }
    }
}

impl<'a, B: Bound> Duo<'a, B> {
    pub(crate) fn new(a: &'a Hierarchy<B>, pose_a: &Pose, b: &'a Hierarchy<B>, pose_b: &Pose) -> Duo<'a, B> {
        let b_in_a = pose_a.inverse().compose(pose_b);
        Duo {
            a,
            b,
            frame: *pose_a,
            b_in_a,
            rotation: b_in_a.matrix(),
            translation: b_in_a.translation(),
            a_seen_from_b: B::view(&b_in_a.inverse()),
            b_seen_from_a: B::view(&b_in_a),
        }
    }

    /// What rounding can do to a lower bound, m.
    #[inline(always)]
    pub(crate) fn rounding(&self) -> f64 {
        // As a fraction of the size of the coordinates in it.
        const ROUNDING: f64 = 16.0 * f64::EPSILON;
        ROUNDING * (self.a.magnitude + self.b.magnitude + self.translation.abs().max_element())
    }

    /// Corners of a triangle of `b`, in the frame of `a`.
    #[inline(always)]
    pub(crate) fn corners_of_b(&self, triangle: &LeafTriangle) -> [Vec3; 3] {
        let [p, q, r] = triangle.corners;
        [
            self.rotation * p + self.translation,
            self.rotation * q + self.translation,
            self.rotation * r + self.translation,
        ]
    }

    /// What to do with a pair: test its triangles, or open the larger of the two that can be.
    #[inline(always)]
    pub(crate) fn under(&self, pair: Pair) -> Under<'a> {
        let (child_a, child_b) = (self.a.child(pair.a), self.b.child(pair.b));
        if child_a.is_leaf() && child_b.is_leaf() {
            return Under::Triangles(self.a.leaf(child_a), self.b.leaf(child_b));
        }
        let of_a = !child_a.is_leaf() && (child_b.is_leaf() || self.a.size(pair.a) > self.b.size(pair.b));
        Under::Node(Opened { pair, of_a, node: if of_a { child_a.index() } else { child_b.index() } })
    }

    /// Lower bounds of the distance of each child of an opened node to the other bound; infinite for lanes not in use.
    #[inline(always)]
    pub(crate) fn lower_bounds(&self, opened: &Opened) -> [f64; LANES] {
        let (node, mut lower) = if opened.of_a {
            let node = &self.a.nodes[opened.node];
            (node, B::lower_bounds(&node.pack, &self.b.place(opened.pair.b, &self.b_seen_from_a)))
        } else {
            let node = &self.b.nodes[opened.node];
            (node, B::lower_bounds(&node.pack, &self.a.place(opened.pair.a, &self.a_seen_from_b)))
        };
        for (bound, child) in lower.iter_mut().zip(&node.child) {
            if *child == Child::NONE {
                *bound = f64::INFINITY;
            }
        }
        lower
    }

    /// The lower bound of one pair.
    #[inline(always)]
    pub(crate) fn lower_bound(&self, pair: Pair) -> f64 {
        let placed = self.b.place(pair.b, &self.b_seen_from_a);
        B::lower_bounds(&self.a.nodes[pair.a.node()].pack, &placed)[pair.a.lane()]
    }

    /// Which children of an opened node certainly do not touch the other bound; so are lanes not in use.
    #[inline(always)]
    pub(crate) fn disjoint(&self, opened: &Opened) -> [bool; LANES] {
        let (node, mut disjoint) = if opened.of_a {
            let node = &self.a.nodes[opened.node];
            (node, B::disjoint(&node.pack, &self.b.place(opened.pair.b, &self.b_seen_from_a)))
        } else {
            let node = &self.b.nodes[opened.node];
            (node, B::disjoint(&node.pack, &self.a.place(opened.pair.a, &self.a_seen_from_b)))
        };
        for (is_disjoint, child) in disjoint.iter_mut().zip(&node.child) {
            *is_disjoint |= *child == Child::NONE;
        }
        disjoint
    }
}
