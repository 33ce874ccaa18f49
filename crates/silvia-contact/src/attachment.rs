//! Attachments: the points at which constraints act on nodes.

use silvia_solid::Vec3;

use crate::node::{NodeKind, Twist};
use crate::system::{System, SystemError, finite_vector};

/// Point nodes that carry an attachment, at most.
pub(crate) const MOST_CARRIERS: usize = 4;

/// A point at which a constraint acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attachment {
    /// A point of a rigid or immovable node.
    Rigid {
        /// The node.
        node: usize,
        /// From the node's centre of mass to the point, in world axes, m.
        arm: Vec3,
    },
    /// A point node, or an immovable one.
    Point {
        /// The node.
        node: usize,
    },
    /// A point that moves with up to four point nodes: a point on the surface of a soft body. Its velocity is
    /// the weighted mean of theirs, and each takes its weight's share of an impulse. Entries with weight zero
    /// do not count.
    Carried {
        /// The nodes.
        nodes: [usize; 4],
        /// Their weights, with the sum 1.
        weights: [f64; 4],
    },
}

impl Attachment {
    /// A point of a rigid or immovable node, `arm` from its centre of mass.
    pub fn rigid(node: usize, arm: Vec3) -> Self {
        Self::Rigid { node, arm }
    }

    /// A point node.
    pub fn point(node: usize) -> Self {
        Self::Point { node }
    }

    /// A point carried by one to four point nodes with weights that sum to 1; for a point of a triangle these
    /// are its barycentric coordinates.
    pub fn carried<const N: usize>(nodes: [usize; N], weights: [f64; N]) -> Self {
        const { assert!(N >= 1 && N <= MOST_CARRIERS, "one to four nodes carry a point") };
        let (mut all, mut shares) = ([nodes[0]; MOST_CARRIERS], [0.0; MOST_CARRIERS]);
        all[..N].copy_from_slice(&nodes);
        shares[..N].copy_from_slice(&weights);
        Self::Carried { nodes: all, weights: shares }
    }

    /// The velocity of the point, with the velocities `of` its nodes.
    #[inline]
    pub(crate) fn velocity(&self, of: impl Fn(usize) -> Twist) -> Vec3 {
        match *self {
            Self::Rigid { node, arm } => {
                let twist = of(node);
                twist.linear + twist.angular.cross(arm)
            }
            Self::Point { node } => of(node).linear,
            Self::Carried { .. } => self.carriers().map(|(node, weight)| weight * of(node).linear).sum(),
        }
    }

    /// What an impulse at the point does to `node`; nothing where the node does not take part.
    #[inline]
    pub(crate) fn push_on(&self, node: usize, impulse: Vec3) -> Option<Twist> {
        match *self {
            Self::Rigid { node: own, arm } => {
                (own == node).then(|| Twist { linear: impulse, angular: arm.cross(impulse) })
            }
            Self::Point { node: own } => {
                (own == node).then_some(Twist { linear: impulse, angular: Vec3::ZERO })
            }
            Self::Carried { .. } => {
                let weight: f64 = self.carriers().filter(|c| c.0 == node).map(|c| c.1).sum();
                (weight != 0.0).then(|| Twist { linear: weight * impulse, angular: Vec3::ZERO })
            }
        }
    }

    /// The node and the arm, where there is one node. The fast path knows only such attachments.
    #[inline]
    pub(crate) fn single(&self) -> Option<(usize, Vec3)> {
        match *self {
            Self::Rigid { node, arm } => Some((node, arm)),
            Self::Point { node } => Some((node, Vec3::ZERO)),
            Self::Carried { .. } => None,
        }
    }

    /// Calls `visit` with each node that takes part.
    #[inline]
    pub(crate) fn for_each_node(&self, mut visit: impl FnMut(usize)) {
        match *self {
            Self::Rigid { node, .. } | Self::Point { node } => visit(node),
            Self::Carried { .. } => self.carriers().for_each(|(node, _)| visit(node)),
        }
    }

    /// The same on nodes with other numbers.
    pub(crate) fn renumbered(&self, number: impl Fn(usize) -> usize) -> Self {
        match *self {
            Self::Rigid { node, arm } => Self::Rigid { node: number(node), arm },
            Self::Point { node } => Self::Point { node: number(node) },
            Self::Carried { nodes, weights } => {
                let first = self.carriers().next().map_or(0, |(node, _)| number(node));
                let of = |k: usize| if weights[k] == 0.0 { first } else { number(nodes[k]) };
                Self::Carried { nodes: std::array::from_fn(of), weights }
            }
        }
    }

    fn carriers(&self) -> impl Iterator<Item = (usize, f64)> {
        let (nodes, weights) = match *self {
            Self::Carried { nodes, weights } => (nodes, weights),
            Self::Rigid { node, .. } | Self::Point { node } => ([node; 4], [1.0, 0.0, 0.0, 0.0]),
        };
        nodes.into_iter().zip(weights).filter(|&(_, weight)| weight != 0.0)
    }

    pub(crate) fn check(&self, what: &'static str, index: usize, system: &System) -> Result<(), SystemError> {
        let nodes = system.nodes.len();
        let expect = |node: usize, allowed: NodeKind, must: &'static str| match system.nodes.get(node) {
            None => Err(SystemError::NoSuchNode { what, index, node, nodes }),
            Some(n) if n.kind() == allowed || n.kind() == NodeKind::Immovable => Ok(()),
            Some(_) => Err(SystemError::WrongNode { what, index, node, must }),
        };
        match *self {
            Self::Rigid { node, arm } => {
                expect(node, NodeKind::Rigid, "rigid: attach to a point node by `Attachment::point`")?;
                finite_vector(what, index, "arm", arm)
            }
            Self::Point { node } => {
                expect(node, NodeKind::Point, "a point: attach to a rigid node by `Attachment::rigid`")
            }
            Self::Carried { nodes, weights } => {
                for node in nodes {
                    expect(node, NodeKind::Point, "a point: only point nodes carry an attachment")?;
                }
                let sum: f64 = weights.iter().sum();
                if weights.iter().any(|w| !w.is_finite()) || (sum - 1.0).abs() > WEIGHT_TOLERANCE {
                    return Err(SystemError::BadWeights { what, index, sum });
                }
                Ok(())
            }
        }
    }
}

/// Weights may sum to 1 up to this: a few roundings of barycentric coordinates.
const WEIGHT_TOLERANCE: f64 = 1e-9;
