//! Which boxes overlap: the pairs of bodies worth a closer look (paper 1 §2.1, paper 3 appendix B).
//!
//! Boxes are put in, moved and taken out; [`Culling::update`] then says which pairs began and which ended to
//! overlap. Every method finds the same pairs and differs only in cost; [`BruteForce`] is the measure of the
//! others.
//!
//! ```
//! use silvia_proximity::culling::{CullingMethod, Pair};
//! use silvia_solid::{Aabb, Vec3};
//!
//! let unit = |x: f64| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) };
//! let mut culling = CullingMethod::default().start();
//! let ids = culling.insert(&[unit(0.0), unit(1.0), unit(5.0)])?;
//! assert_eq!(culling.update().began, [Pair::of(ids[0], ids[1])]); // touching counts
//! culling.relocate(&[(ids[1], unit(4.5))])?;
//! let changes = culling.update();
//! assert_eq!(changes.began, [Pair::of(ids[1], ids[2])]);
//! assert_eq!(changes.ended, [Pair::of(ids[0], ids[1])]);
//! # Ok::<(), silvia_proximity::culling::CullingError>(())
//! ```

mod block;
mod brute_force;
mod coherent;
mod finder;
mod hash;
mod mix;
mod near_blocks;
mod neighbours;
mod news;
mod once;
mod order;
mod quick;
mod slots;
mod sort;
mod table;
mod tree;
mod wholesale;
mod yardstick;

pub use brute_force::BruteForce;
pub use once::overlapping_pairs;

use coherent::Coherent;
use hash::HashTable;
use silvia_solid::Aabb;
use sort::CoordinateSort;
use std::fmt;
use tree::Tree;

/// Keeps boxes and the pairs of them that overlap.
///
/// Boxes are closed: touching counts. Ids are handed out, the least free one first, so that boxes put into a
/// new culling in bulk get 0, 1, 2...; an id stays with its box until the box is removed, and is given out
/// again then. What was asked for takes effect at once in [`Culling::bounds`], and in the pairs at the next
/// [`Culling::update`]. A call that fails changes nothing.
pub trait Culling: Send + Sync {
    /// Puts boxes in, and gives their ids in the same order.
    fn insert(&mut self, boxes: &[Aabb]) -> Result<Vec<BoxId>, CullingError>;

    /// Gives boxes new places; where one is named twice, the last counts.
    fn relocate(&mut self, moves: &[(BoxId, Aabb)]) -> Result<(), CullingError>;

    /// Takes boxes out; their ids are free for others.
    fn remove(&mut self, ids: &[BoxId]) -> Result<(), CullingError>;

    /// Finds the pairs again, and says how they differ from those of the update before: a pair is named by
    /// its ids, so one that parts and meets again between two updates, or whose id went to a new box there,
    /// is not news.
    fn update(&mut self) -> &Changes;

    /// All pairs at the last update, in order.
    fn pairs(&self) -> Vec<Pair>;

    /// Visits all pairs at the last update, each once, in whatever order costs least; the same on any number
    /// of threads.
    fn for_each_pair(&self, visit: &mut dyn FnMut(Pair));

    /// The number of pairs at the last update.
    fn pair_count(&self) -> usize;

    /// The box of an id, if there is one.
    fn bounds(&self, id: BoxId) -> Option<Aabb>;

    /// The number of boxes.
    fn len(&self) -> usize;

    /// Whether there are no boxes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts one box in.
    fn insert_one(&mut self, bounds: Aabb) -> Result<BoxId, CullingError> {
        Ok(self.insert(&[bounds])?[0])
    }

    /// Gives one box a new place.
    fn relocate_one(&mut self, id: BoxId, bounds: Aabb) -> Result<(), CullingError> {
        self.relocate(&[(id, bounds)])
    }

    /// Takes one box out.
    fn remove_one(&mut self, id: BoxId) -> Result<(), CullingError> {
        self.remove(&[id])
    }
}

/// The box around everything that moves along straight lines from a place in one box to a place in another.
pub fn swept(from: &Aabb, to: &Aabb) -> Aabb {
    from.merged(*to)
}

/// A culling method. All find the same pairs; the guide's chapter on culling compares their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CullingMethod {
    /// A tree over the boxes, eight children to a node: the fastest in nearly all comparisons.
    #[default]
    Tree,
    /// The hierarchical hash table: cells of many sizes, each box in the cells of its own size.
    HashTable,
    /// Coordinate sort (sweep and prune): boxes sorted along one axis. For boxes in a row.
    CoordinateSort,
    /// Every box against every other: for a handful of boxes, and to check the other methods.
    BruteForce,
}

impl CullingMethod {
    /// Every method.
    pub const ALL: [CullingMethod; 4] = [
        CullingMethod::Tree,
        CullingMethod::HashTable,
        CullingMethod::CoordinateSort,
        CullingMethod::BruteForce,
    ];

    /// An empty culling of this method.
    pub fn start(self) -> Box<dyn Culling> {
        match self {
            CullingMethod::Tree => Box::new(Coherent::<Tree>::default()),
            CullingMethod::HashTable => Box::new(Coherent::<HashTable>::default()),
            CullingMethod::CoordinateSort => Box::new(Coherent::<CoordinateSort>::default()),
            CullingMethod::BruteForce => Box::new(BruteForce::default()),
        }
    }
}

/// The most boxes that a culling holds. A box keeps its neighbours in words of 31 bits, and boxes that come
/// and go need room.
pub const MOST_BOXES: usize = 1 << 29;

/// Names a box in one culling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoxId(pub u32);

impl BoxId {
    /// An index for tables by box: ids are dense.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for BoxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Two boxes that overlap. Pairs are ordered by their first, then their second box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair {
    /// The lesser id.
    pub first: BoxId,
    /// The greater id.
    pub second: BoxId,
}

impl Pair {
    /// The pair of two different boxes, given in any order.
    pub fn of(a: BoxId, b: BoxId) -> Pair {
        Pair { first: a.min(b), second: a.max(b) }
    }
}

/// How the pairs differ from those of the previous update. Both lists are sorted and name no pair twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Pairs that overlap now and did not before.
    pub began: Vec<Pair>,
    /// Pairs that overlapped before and do not now, including those of removed boxes.
    pub ended: Vec<Pair>,
}

/// Why a culling refused a request. The culling is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CullingError {
    /// A coordinate is NaN or infinite.
    #[error("{which} has a coordinate that is NaN or infinite: give finite corners")]
    NotFinite {
        /// The box at fault.
        which: Which,
    },
    /// A minimum exceeds the maximum.
    #[error(
        "{which} is inverted: its min is greater than its max along {}; order its corners",
        ["x", "y", "z"][*axis]
    )]
    Inverted {
        /// The box at fault.
        which: Which,
        /// 0, 1 or 2: along x, y or z.
        axis: usize,
    },
    /// The id names no box.
    #[error("there is no box {id}: it was never put in, or it was removed")]
    NoSuchBox {
        /// As given.
        id: BoxId,
    },
    /// There are as many boxes as there can be.
    #[error("no room for {more} more boxes: a culling holds at most {MOST_BOXES}; use several")]
    Full {
        /// The number of boxes that were to be put in.
        more: usize,
    },
}

/// A box in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// A box that is there already.
    Known(BoxId),
    /// A new box, by its position among those to put in.
    New(usize),
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Which::Known(id) => write!(f, "box {id}"),
            Which::New(position) => write!(f, "the new box at position {position}"),
        }
    }
}
