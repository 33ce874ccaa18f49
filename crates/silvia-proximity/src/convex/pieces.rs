//! Bodies made of convex pieces: the closest features of two of them, by a tree of boxes over the pieces of
//! each (paper 4 §2).

use super::Convex;
use super::query::{ClosestFeatures, FeatureCache, ROUNDING, closest_features};
use super::tree::{BoxTree, Node};
use silvia_solid::{Aabb, Mat3, Pose, Vec3};
use std::collections::HashMap;

/// A body made of convex solids, all in one frame. They may overlap, touch or be apart.
#[derive(Clone, Debug)]
pub struct Pieces {
    pieces: Vec<Convex>,
    tree: BoxTree,
}

/// Why convex pieces make no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// There are no pieces.
    #[error("a body needs at least one convex piece: none were given")]
    Empty,
}

/// The closest features of pairs of pieces in the last query, and which pair was closest. Belongs to the
/// caller; keep one for each pair of bodies. It affects speed, never results.
#[derive(Clone, Debug, Default)]
pub struct PiecesCache {
    features: HashMap<[u32; 2], FeatureCache>,
    closest: Option<[u32; 2]>,
    /// Kept from query to query, so that none allocates once it is large enough.
    stack: Vec<(f64, [u32; 2])>,
}

/// Where two bodies of convex pieces are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPieces {
    /// The pieces of the first and the second body that are nearest; if the bodies penetrate, two that do.
    pub pieces: [usize; 2],
    /// Their closest features, which are those of the bodies.
    pub closest: ClosestFeatures,
    /// How many pairs of pieces were looked at.
    pub pairs: usize,
    /// How many of these needed a search over all pairs of features. Expected to be 0.
    pub fallbacks: usize,
}

impl Pieces {
    /// A body of some pieces; [`Convex::posed`] puts a piece where it belongs.
    pub fn new(pieces: Vec<Convex>) -> Result<Pieces, PiecesError> {
        if pieces.is_empty() {
            return Err(PiecesError::Empty);
        }
        let boxes: Vec<Aabb> = pieces.iter().map(Convex::bounds).collect();
        let tree = BoxTree::new(&boxes);
        Ok(Pieces { pieces, tree })
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Convex] {
        &self.pieces
    }

    /// The smallest box along the axes of the body around it.
    pub fn bounds(&self) -> Aabb {
        self.tree.root().bounds
    }
}

/// The closest features of two bodies of convex pieces.
///
/// ```
/// use silvia_proximity::{Convex, Pieces, PiecesCache, closest_pieces};
/// use silvia_solid::{Pose, Quat, Solid, Vec3, primitives};
/// let bar = Convex::new(&Solid::from_soup(&primitives::cuboid(Vec3::new(3.0, 1.0, 1.0))?)?)?;
/// let quarter = Quat::from_rotation_y(std::f64::consts::FRAC_PI_2);
/// let up = Pose::new(Vec3::new(-1.0, 0.0, 2.0), quarter)?;
/// let bracket = Pieces::new(vec![bar.clone(), bar.posed(&up)?])?;
/// let cube = Pieces::new(vec![Convex::new(&Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?)?])?;
/// let inside_the_corner = Pose::from_translation(Vec3::new(0.5, 0.0, 1.25))?;
/// let mut cache = PiecesCache::default();
/// let answer = closest_pieces(&bracket, &Pose::IDENTITY, &cube, &inside_the_corner, &mut cache);
/// assert_eq!(answer.pieces, [0, 0]);
/// assert!((answer.closest.distance - 0.25).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_pieces(
    a: &Pieces,
    pose_a: &Pose,
    b: &Pieces,
    pose_b: &Pose,
    cache: &mut PiecesCache,
) -> ClosestPieces {
    // A cache of other bodies may name pieces that are not there.
    let known =
        cache.closest.filter(|&[i, j]| (i as usize) < a.pieces.len() && (j as usize) < b.pieces.len());
    let mut search = PieceSearch { a, pose_a, b, pose_b, pairs: 0, fallbacks: 0 };
    let mut best = search.look(cache, known.unwrap_or([0, 0]));
    let first = best.0;
    let view = View::new(a, pose_a, b, pose_b);

    cache.stack.clear();
    let roots = [0, 0];
    cache.stack.push((view.lower_bound(a.tree.root(), b.tree.root()), roots));
    while let Some((lower, [m, n])) = cache.stack.pop() {
        if is_settled(&best.1, lower) {
            continue;
        }
        let (p, q) = (a.tree.node(m), b.tree.node(n));
        let pair = match (p.piece(), q.piece()) {
            (Some(i), Some(j)) if [i, j] == first => continue,
            (Some(i), Some(j)) => [i, j],
            // Open the larger one that can be; the nearer child is looked at first.
            _ => {
                let of_a = q.piece().is_some() || p.piece().is_none() && p.size() >= q.size();
                let children = if of_a { p.children() } else { q.children() };
                let mut next = children.map(|c| {
                    let (m, n) = if of_a { (c, n) } else { (m, c) };
                    (view.lower_bound(a.tree.node(m), b.tree.node(n)), [m, n])
                });
                if next[0].0 < next[1].0 {
                    next.swap(0, 1);
                }
                cache.stack.extend(next.into_iter().filter(|(lower, _)| !is_settled(&best.1, *lower)));
                continue;
            }
        };
        let found = search.look(cache, pair);
        if is_nearer(&found.1, &best.1) {
            best = found;
        }
    }
    cache.closest = Some(best.0);
    let pieces = best.0.map(|i| i as usize);
    ClosestPieces { pieces, closest: best.1, pairs: search.pairs, fallbacks: search.fallbacks }
}

/// Whether nothing at this distance or beyond can change the answer.
fn is_settled(best: &ClosestFeatures, lower: f64) -> bool {
    best.penetrating || lower > best.distance
}

/// Nearer; or as near, but penetrating.
fn is_nearer(one: &ClosestFeatures, other: &ClosestFeatures) -> bool {
    one.distance < other.distance || (one.penetrating && !other.penetrating)
}

/// The bodies, and what the search has cost so far.
struct PieceSearch<'a> {
    a: &'a Pieces,
    pose_a: &'a Pose,
    b: &'a Pieces,
    pose_b: &'a Pose,
    pairs: usize,
    fallbacks: usize,
}

impl PieceSearch<'_> {
    fn look(&mut self, cache: &mut PiecesCache, pair: [u32; 2]) -> ([u32; 2], ClosestFeatures) {
        let [i, j] = pair.map(|i| i as usize);
        let features = cache.features.entry(pair).or_default();
        let (a, b) = (&self.a.pieces[i], &self.b.pieces[j]);
        let found = closest_features(a, self.pose_a, b, self.pose_b, features);
        self.pairs += 1;
        self.fallbacks += usize::from(found.fallback);
        (pair, found)
    }
}

/// How the boxes of the second body lie to those of the first.
struct View {
    rotation: Mat3,
    /// Absolute values of its entries.
    spread: Mat3,
    translation: Vec3,
    /// What rounding can do to a lower bound, m.
    rounding: f64,
}

impl View {
    fn new(a: &Pieces, pose_a: &Pose, b: &Pieces, pose_b: &Pose) -> View {
        let b_in_a = pose_a.inverse().compose(pose_b);
        let (rotation, translation) = (b_in_a.matrix(), b_in_a.translation());
        let reach = a.bounds().magnitude() + b.bounds().magnitude() + translation.abs().max_element();
        View { rotation, spread: rotation.abs(), translation, rounding: ROUNDING * reach }
    }

    /// A lower bound of the distance of what is in two boxes.
    fn lower_bound(&self, a: &Node, b: &Node) -> f64 {
        let middle = self.rotation * b.bounds.center() + self.translation - a.bounds.center();
        let half = 0.5 * (a.bounds.size() + self.spread * b.bounds.size());
        (middle.abs() - half).max(Vec3::ZERO).length() - self.rounding
    }
}
