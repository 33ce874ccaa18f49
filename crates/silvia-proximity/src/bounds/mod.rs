//! Bounding volumes: simple shapes around many triangles.
//!
//! | bound | fit | cost of a test |
//! |---|---|---|
//! | [`Sphere`] | loosest | least |
//! | [`Aabb`], [`Dop14`], [`Dop18`], [`Dop26`] | tighter with k, looser when turned | grows with k |
//! | [`Obb`] | tightest on smooth surfaces | between the two |

mod dop;
mod obb;
mod sphere;

pub use dop::{Aabb, Dop, Dop14, Dop18, Dop26};
pub use obb::Obb;
pub use sphere::Sphere;

use crate::lanes::LANES;
use silvia_solid::{Pose, Vec3};
use std::fmt::Debug;

/// A vector for each lane, a coordinate a row.
pub type Rows = [[f64; LANES]; 3];

/// A bounding volume. Four of them lie side by side in a node ([`Bound::Pack`]) and are tested against one of
/// the other body at a time, which is first [placed](Bound::place) in their frame.
///
/// To add a bound, write these functions; every query then works with it.
pub trait Bound: Clone + Debug + Send + Sync + 'static {
    /// What users call it.
    const NAME: &'static str;

    /// Four bounds side by side.
    type Pack: Clone + Debug + Send + Sync;

    /// How one body's frame is seen from the other's: worked out once a query.
    type View: Clone + Debug + Send + Sync;

    /// A bound as seen from the other body's frame.
    type Placed: Clone;

    /// A tight bound of some triangles (at least one).
    fn fit<'a>(triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Self;

    /// A bound of triangles that have moved a little: cheaper than a new one, perhaps less tight.
    #[must_use]
    fn refit<'a>(&self, triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Self {
        Self::fit(triangles)
    }

    /// The volume that it encloses, m³.
    fn volume(&self) -> f64;

    /// Half the largest extent, m: of two bounds the larger is opened first.
    fn size(&self) -> f64;

    /// Puts four side by side.
    fn pack(four: [&Self; LANES]) -> Self::Pack;

    /// One of four.
    fn unpack(pack: &Self::Pack, lane: usize) -> Self;

    /// Prepares for placing bounds by `pose` (of their body in the other's frame).
    fn view(pose: &Pose) -> Self::View;

    /// One lane of a pack, seen from the other body's frame.
    fn place(pack: &Self::Pack, lane: usize, view: &Self::View) -> Self::Placed;

    /// No point of a lane's bound is nearer to `other` than this, up to rounding; negative or zero where they
    /// may meet.
    fn lower_bounds(pack: &Self::Pack, other: &Self::Placed) -> [f64; LANES];

    /// A direction, of any length, from a lane's bound to `other` along which they are far apart.
    fn direction(pack: &Self::Pack, lane: usize, other: &Self::Placed) -> Vec3;

    /// How far each lane's bound and `other` are apart along a unit vector from the pack to the other: a
    /// lower bound of their distance, if not as good as that of [`Bound::lower_bounds`].
    fn separations(pack: &Self::Pack, other: &Self::Placed, direction: Vec3) -> [f64; LANES];

    /// From each lane's bound to `other`, a direction of any length along which they are far apart.
    fn directions(pack: &Self::Pack, other: &Self::Placed) -> Rows;

    /// From each lane's bound to `other`, unit vectors across what is flat of the one, and of the other: for
    /// flat bounds on each other these part more than [`Bound::directions`].
    fn flat_directions(pack: &Self::Pack, other: &Self::Placed) -> [Rows; 2] {
        [Self::directions(pack, other); 2]
    }

    /// How far each lane's bound and `other` are apart along the lane's own unit vector from the pack to the
    /// other; negative where they are not. Times the length of the vector if that is not 1.
    fn gaps(pack: &Self::Pack, other: &Self::Placed, directions: &Rows) -> [f64; LANES];

    /// The middle of a placed bound, and a radius about it that holds it.
    fn ball(placed: &Self::Placed) -> (Vec3, f64);

    /// The middles of the lanes' bounds, and radii about them that hold them.
    fn balls(pack: &Self::Pack) -> (Rows, [f64; LANES]);

    /// Whether a lane's bound certainly shares no point with `other`.
    fn disjoint(pack: &Self::Pack, other: &Self::Placed) -> [bool; LANES];

    /// No point of a lane's bound is nearer to `point` than this, up to rounding; negative or zero inside.
    fn point_bounds(pack: &Self::Pack, point: Vec3) -> [f64; LANES];

    /// Where a ray enters a lane's bound widened by `slack` (m), in multiples of `direction`: at least 0,
    /// infinite if it does not.
    fn ray_bounds(pack: &Self::Pack, origin: Vec3, direction: Vec3, slack: f64) -> [f64; LANES];
}

/// Where a ray is between two parallel planes: the range of its parameter, given its height over the middle
/// between them, its climb and half their distance.
#[inline(always)]
fn slab(height: f64, climb: f64, half: f64) -> (f64, f64) {
    if climb == 0.0 {
        return if height.abs() <= half { (0.0, f64::INFINITY) } else { (f64::INFINITY, f64::NEG_INFINITY) };
    }
    let (a, b) = ((-half - height) / climb, (half - height) / climb);
    (a.min(b), a.max(b))
}
