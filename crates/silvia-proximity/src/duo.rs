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
    pub(crate) a_seen_from_b: B::View,
    pub(crate) b_seen_from_a: B::View,
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

/// Two parallel planes with something of each body beyond them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    /// A unit vector from `a` to `b`, in the frame of `a`.
    pub(crate) normal: Vec3,
    /// How far the planes are apart, m; negative where they are not.
    pub(crate) gap: f64,
    /// The middle of what there is of `b`, in the frame of `a`.
    pub(crate) middle: Vec3,
    /// How far that reaches from its middle, m.
    pub(crate) radius: f64,
}

impl Slab {
    /// Nothing is known.
    pub(crate) const NONE: Slab =
        Slab { normal: Vec3::ZERO, gap: f64::NEG_INFINITY, middle: Vec3::ZERO, radius: 0.0 };
}

/// A node that has been chosen for opening.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) pair: Pair,
    pub(crate) of_a: bool,
    pub(crate) node: usize,
}

impl Opened {
    /// The outermost bounds: the first lane of the first body's first node, against all of the second.
    pub(crate) const ROOTS: Opened = Opened { pair: Pair::ROOTS, of_a: true, node: 0 };

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
        ROUNDING * self.reach()
    }

    /// How large coordinates can be, of both bodies in the frame of the first, m.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f64 {
        self.a.magnitude + self.b.magnitude + self.translation.abs().max_element()
    }

    /// Corners of a triangle of `b`, in the frame of `a`.
    #[inline(always)]
    pub(crate) fn corners_of_b(&self, triangle: &LeafTriangle) -> [Vec3; 3] {
        placed(&self.rotation, self.translation, &triangle.corners)
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

    /// Lower bounds of the distance of each child of an opened node to the other bound; infinite for lanes
    /// not in use.
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

    /// A slab that holds a pair, or some of its children (as bits), apart, along the direction of the child
    /// `nearest`.
    pub(crate) fn slab(&self, pair: Pair, children: u8, nearest: usize) -> Slab {
        let of_b = self.b.place(pair.b, &self.b_seen_from_a);
        let (middle, radius) = B::ball(&of_b);
        let (normal, gap) = match self.under(pair) {
            Under::Node(opened) if children != 0 && opened.of_a => {
                separate::<B>(&self.a.nodes[opened.node].pack, children, nearest, &of_b)
            }
            Under::Node(opened) if children != 0 => {
                let of_a = self.a.place(pair.a, &self.a_seen_from_b);
                let (back, gap) = separate::<B>(&self.b.nodes[opened.node].pack, children, nearest, &of_a);
                (-(self.rotation * back), gap)
            }
            _ => {
                let lane = pair.a.lane();
                separate::<B>(&self.a.nodes[pair.a.node()].pack, 1 << lane, lane, &of_b)
            }
        };
        Slab { normal, gap, middle, radius }
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

/// Corners of a triangle of the second body in the frame of the first, the same bits as within a query.
pub(crate) fn corners_in_frame(pose_a: &Pose, pose_b: &Pose, corners: &[Vec3; 3]) -> [Vec3; 3] {
    let b_in_a = pose_a.inverse().compose(pose_b);
    placed(&b_in_a.matrix(), b_in_a.translation(), corners)
}

#[inline(always)]
fn placed(rotation: &Mat3, translation: Vec3, [p, q, r]: &[Vec3; 3]) -> [Vec3; 3] {
    [*rotation * *p + translation, *rotation * *q + translation, *rotation * *r + translation]
}

/// A direction along which a bound is apart from the one in lane `nearest`, and how far it is along it from
/// all lanes in use (as bits).
fn separate<B: Bound>(pack: &B::Pack, lanes: u8, nearest: usize, other: &B::Placed) -> (Vec3, f64) {
    let direction = B::direction(pack, nearest, other).normalize_or_zero();
    let apart = B::separations(pack, other, direction);
    let used = (0..LANES).filter(|lane| lanes & (1 << lane) != 0);
    (direction, used.map(|lane| apart[lane]).fold(f64::INFINITY, f64::min))
}
