//! Trees of bounds over the triangles of a body.

mod build;
mod hull_corners;
mod owners;
mod refit;
mod statistics;
mod touching;

pub use build::{BuildOptions, Split};
pub(crate) use hull_corners::HullCorner;
pub use refit::RefitError;
pub use statistics::Statistics;
pub(crate) use touching::Touching;

use crate::bounds::Bound;
use crate::lanes::LANES;
use silvia_solid::{Aabb, Solid, Soup, TriangleId, Vec3, check::first_of_components};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What a hierarchy is over: a solid, which has an inside, or a soup, which has none.
#[derive(Clone, Debug)]
pub enum Surface {
    /// A closed body: what lies inside it touches it.
    Solid(Solid),
    /// Triangles alone.
    Soup(Arc<Soup>),
}

impl Surface {
    /// The triangles.
    pub fn soup(&self) -> &Soup {
        match self {
            Surface::Solid(solid) => solid.soup(),
            Surface::Soup(soup) => soup,
        }
    }
}

impl Surface {
    /// The first triangle of each connected piece.
    fn first_of_pieces(&self) -> Vec<TriangleId> {
        match self {
            Surface::Solid(solid) => solid.first_of_components().to_vec(),
            Surface::Soup(soup) => first_of_components(soup),
        }
    }
}

impl From<Solid> for Surface {
    fn from(solid: Solid) -> Surface {
        Surface::Solid(solid)
    }
}

impl From<Soup> for Surface {
    fn from(soup: Soup) -> Surface {
        Surface::Soup(Arc::new(soup))
    }
}

/// A tree of bounds over the triangles of a body, for asking questions about it. It owns what it is over.
///
/// A node has up to four children; each is a node or a leaf of a few triangles.
#[derive(Clone, Debug)]
pub struct Hierarchy<B: Bound> {
    pub(crate) surface: Surface,
    pub(crate) nodes: Vec<Node<B>>,
    /// The triangles in the order of the leaves.
    pub(crate) triangles: Vec<LeafTriangle>,
    /// Leaf `i` has the triangles from `leaf_start[i]` to `leaf_start[i + 1]`.
    pub(crate) leaf_start: Vec<u32>,
    pub(crate) bounds: Aabb,
    /// The largest absolute coordinate, m.
    pub(crate) magnitude: f64,
    /// From the middle of the bounds to the farthest corner of a triangle, m.
    pub(crate) radius: f64,
    /// A point of each connected piece of the surface, the first corner of a triangle.
    pub(crate) pieces: Vec<(Vec3, TriangleId)>,
    /// Which corners and sides each triangle owns; worked out when first asked for.
    pub(crate) owners: OnceLock<Arc<[owners::Owned]>>,
    /// What of each triangle can touch something; worked out when first asked for.
    pub(crate) touching: OnceLock<Arc<[Touching]>>,
    /// See [`Hierarchy::hull_corners`].
    hull_corners: OnceLock<Option<Arc<[HullCorner]>>>,
    /// See [`Hierarchy::girth`].
    pub(crate) girth: OnceLock<f64>,
    /// See [`Hierarchy::patches`].
    patches: OnceLock<Arc<Hierarchy<B>>>,
    /// Tells caches whether they are about this hierarchy as it is.
    pub(crate) id: u64,
    /// Of clones and refits of one another the same: their nodes and triangles are in the same order.
    pub(crate) tree: u64,
}

/// The triangles of a leaf, and the position of the first.
#[derive(Clone, Copy)]
pub(crate) struct Leaf<'a> {
    pub(crate) triangles: &'a [LeafTriangle],
    pub(crate) start: u32,
}

/// The corners of a triangle and its number in the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafTriangle {
    pub(crate) corners: [Vec3; 3],
    pub(crate) id: u32,
}

/// Four bounds side by side, and what is under them.
#[derive(Clone, Debug)]
pub(crate) struct Node<B: Bound> {
    pub(crate) pack: B::Pack,
    pub(crate) size: [f32; LANES],
    pub(crate) child: [Child; LANES],
}

/// What is under a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Child(u32);

impl Child {
    const LEAF: u32 = 1 << 31;
    /// The lane is not in use.
    pub(crate) const NONE: Child = Child(u32::MAX);

    pub(crate) fn node(index: usize) -> Child {
        Child(index as u32)
    }

    pub(crate) fn leaf(index: usize) -> Child {
        Child(Child::LEAF | index as u32)
    }

    #[inline(always)]
    pub(crate) fn is_leaf(self) -> bool {
        self.0 & Child::LEAF != 0
    }

    /// The number of the node or leaf.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 & !Child::LEAF) as usize
    }
}

/// Names a bound: the lane of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot(pub(crate) u32);

impl Slot {
    /// The bound of everything: lane 0 of node 0, whose other lanes are not in use.
    pub(crate) const ROOT: Slot = Slot(0);

    #[inline(always)]
    pub(crate) fn new(node: usize, lane: usize) -> Slot {
        Slot((node * LANES + lane) as u32)
    }

    #[inline(always)]
    pub(crate) fn node(self) -> usize {
        self.0 as usize / LANES
    }

    #[inline(always)]
    pub(crate) fn lane(self) -> usize {
        self.0 as usize % LANES
    }
}

impl<B: Bound> Hierarchy<B> {
    /// The smallest box along the axes of the body around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// What the hierarchy is over.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// In whatever direction the body is seen, it looks at least this wide across, m: the least height of a
    /// large triangle of its points. 0 if they lie on a line.
    pub(crate) fn girth(&self) -> f64 {
        *self.girth.get_or_init(|| least_height(self.triangles.iter().flat_map(|t| t.corners)))
    }

    /// A hierarchy of the same surface for bodies in close fit: see [`Split::Patches`]. Made when first asked
    /// for.
    pub(crate) fn patches(&self) -> &Hierarchy<B> {
        self.patches.get_or_init(|| {
            let options = BuildOptions { split: Split::Patches, ..BuildOptions::default() };
            let patches = Hierarchy::with_options(self.surface.clone(), &options);
            // By the numbers of triangles, as here.
            let (owners, touching) = (self.owners.clone(), self.touching.clone());
            Arc::new(Hierarchy { owners, touching, ..patches })
        })
    }

    #[inline(always)]
    pub(crate) fn child(&self, slot: Slot) -> Child {
        self.nodes[slot.node()].child[slot.lane()]
    }

    #[inline(always)]
    pub(crate) fn size(&self, slot: Slot) -> f32 {
        self.nodes[slot.node()].size[slot.lane()]
    }

    #[inline(always)]
    pub(crate) fn leaf(&self, child: Child) -> Leaf<'_> {
        let (start, end) = (self.leaf_start[child.index()], self.leaf_start[child.index() + 1]);
        Leaf { triangles: &self.triangles[start as usize..end as usize], start }
    }

    /// Measures the triangles as they are now.
    fn measure(&mut self) {
        let points = || self.triangles.iter().flat_map(|t| t.corners);
        self.bounds = Aabb::of(points());
        self.magnitude = self.bounds.magnitude();
        let middle = self.bounds.center();
        self.radius = points().map(|p| p.distance_squared(middle)).fold(0.0, f64::max).sqrt();
        for (point, triangle) in &mut self.pieces {
            *point = self.surface.soup().corners(triangle.index())[0];
        }
        self.girth = OnceLock::new();
        self.touching = OnceLock::new();
        self.hull_corners = OnceLock::new();
        self.patches = OnceLock::new();
        self.id = next_id();
    }

    #[inline(always)]
    pub(crate) fn place(&self, slot: Slot, view: &B::View) -> B::Placed {
        B::place(&self.nodes[slot.node()].pack, slot.lane(), view)
    }
}

/// A number that no other hierarchy of the program has.
fn next_id() -> u64 {
    static NEXT_ID: AtomicU64 = AtomicU64::new(0);
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

/// The least height of a triangle of points that is as large as two passes find: seen along any direction,
/// the points look at least this wide across.
pub(crate) fn least_height(points: impl Iterator<Item = Vec3> + Clone) -> f64 {
    let farthest = |measure: &dyn Fn(Vec3) -> f64| {
        points.clone().fold((f64::NEG_INFINITY, Vec3::ZERO), |best, p| {
            let here = measure(p);
            if here > best.0 { (here, p) } else { best }
        })
    };
    let Some(start) = points.clone().next() else { return 0.0 };
    let (_, p) = farthest(&|x| x.distance_squared(start));
    let (_, q) = farthest(&|x| x.distance_squared(p));
    let (_, r) = farthest(&|x| (x - p).cross(q - p).length_squared());
    let longest = p.distance(q).max(q.distance(r)).max(r.distance(p));
    if longest > 0.0 { (q - p).cross(r - p).length() / longest } else { 0.0 }
}
