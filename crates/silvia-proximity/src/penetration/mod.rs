//! How deep two bodies are in each other: the shortest translation of B that takes it out of A (paper 5
//! §3.5).
//!
//! Convex solids are answered exactly ([`expand`]). For others the shortest translation has many local
//! minima, and the answer is a certified upper bound: directions are tried ([`separation_along`] is exact for
//! each), and from the best the translation slides to a local minimum. Whatever the method, the translation
//! returned has been checked: moved by it, B shares no point with A.

mod along;
mod closest_face;
mod convex;
mod deepest;
mod directions;
mod halfspaces;
mod interval;
mod polytope;
mod shortest;
mod slide;
mod stepwise;

pub use along::{AlongError, separation_along};
pub use closest_face::ClosestFaces;
pub use convex::{ConvexDepth, ConvexDepthError, Expansion, convex_depth, convex_penetration, expand};
pub use deepest::{DeepPoint, deepest_points};
pub use directions::spread_directions;

pub(crate) use convex::start;
pub(crate) use halfspaces::{HalfSpace as FreeSide, nearest as nearest_free};
pub(crate) use polytope::{Corner, Polytope};

use crate::bounds::Bound;
use crate::collide::{Collision, Extent, collide};
use crate::distance::{Distance, DistanceOptions, distance};
use crate::hierarchy::{Hierarchy, Surface};
use along::Sweep;
use silvia_solid::{Pose, Solid, Vec3};
use std::ops::RangeInclusive;

/// How to search for the shortest translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PenetrationMethod {
    /// [`Convex`](PenetrationMethod::Convex) for two convex solids, else [`Slide`](PenetrationMethod::Slide).
    #[default]
    Auto,
    /// The expanding polytope: exact, for convex solids only.
    Convex,
    /// Directions from the contact, the shapes and all around, the exact separation along each, and from the
    /// best a slide to a local minimum.
    Slide,
    /// Paper 5 §6.4: 26 directions, at lengths that grow until one of them separates.
    Stepwise,
    /// Paper 5 §6.5: a vertex inside a convex solid goes to the closest face, looked up in regions made
    /// beforehand. Where that does not separate, [`Auto`](PenetrationMethod::Auto) answers, and the answer
    /// says so.
    ClosestFace,
}

/// How to search for the shortest translation, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenetrationOptions {
    /// The method.
    pub method: PenetrationMethod,
    /// Unit vector from A to B along which B moves.
    pub directions: usize,
    /// `Slide`: from how many of the best directions to slide; 0 gives the best direction as it is.
    pub slides: usize,
    /// `Slide`: a direction to try first, such as the last answer for bodies that move a little; in the frame
    /// of the poses, of any length.
    pub hint: Option<Vec3>,
    /// `Stepwise`: by what fraction the length grows from one step to the next, paper 5's kappa; one of
    /// [`GROWTH`](PenetrationOptions::GROWTH).
    pub growth: f64,
}

impl Default for PenetrationOptions {
    fn default() -> Self {
        PenetrationOptions {
            method: PenetrationMethod::default(),
            directions: 1000,
            slides: 8,
            hint: None,
            growth: 0.1,
        }
    }
}

/// Why options for a penetration are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PenetrationError {
    /// The method is for convex solids, and a body is none.
    #[error(
        "body {} is not a convex solid, which this method needs: use the method `Auto` or `Slide`",
        if *body == 0 { "A" } else { "B" }
    )]
    NotConvex {
        /// 0 for A, 1 for B.
        body: usize,
    },
    /// A growth that is not in [`PenetrationOptions::GROWTH`].
    #[error(
        "the growth from step to step must be between {} and {}, not {given}: between 0.1 and 0.4 is usual",
        PenetrationOptions::GROWTH.start(), PenetrationOptions::GROWTH.end()
    )]
    Growth {
        /// As given.
        given: f64,
    },
    /// More directions than [`PenetrationOptions::MAX_DIRECTIONS`].
    #[error(
        "{given} directions are too many: take at most {}; 1000 is usual",
        PenetrationOptions::MAX_DIRECTIONS
    )]
    Directions {
        /// As given.
        given: usize,
    },
    /// A hint that is no direction.
    #[error(
        "the hint ({}, {}, {}) is not a direction: it must be finite and not zero",
        given.x, given.y, given.z
    )]
    Hint {
        /// As given.
        given: Vec3,
    },
}

/// How to take two bodies apart that share a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Penetration {
    /// How far B must move, m, rounded up so that the bodies then share no point. If they only touch, this is
    /// the rounding.
    pub depth: f64,
    /// Unit length, from A to B: the way B goes.
    pub direction: Vec3,
    /// No translation shorter than this separates them, m; 0 if unknown.
    pub lower: f64,
    /// The points of A and B that are nearest to each other once B has moved, where they are now. So
    /// `points[0] - points[1]` is the translation, to rounding.
    pub points: [Vec3; 2],
    /// Whether no shorter translation separates them, to rounding: `lower` equals the depth but for that. If
    /// not, the depth is an upper bound.
    pub exact: bool,
    /// Whether [`collide`] finds nothing once B has moved. `false` only if no representable translation
    /// separates them.
    pub certified: bool,
    /// What found it.
    pub method: PenetrationMethod,
}

impl Penetration {
    /// The translation to add to the pose of B.
    pub fn translation(&self) -> Vec3 {
        self.depth * self.direction
    }
}

/// The shortest translation found that takes B out of A; `None` if they share no point.
///
/// A solid is filled: a body deep inside another is taken out. A soup has no inside: only its triangles are
/// taken out of the other body.
///
/// ```
/// use silvia_proximity::bounds::Obb;
/// use silvia_proximity::mesh::{Hierarchy, PenetrationOptions, penetration};
/// use silvia_solid::{Pose, Solid, Vec3, primitives};
/// let cube: Hierarchy<Obb> = Hierarchy::new(Solid::from_soup(&primitives::cuboid(Vec3::ONE)?)?);
/// let beside = Pose::from_translation(Vec3::new(0.75, 0.25, 0.0))?;
/// let found = penetration(&cube, &Pose::IDENTITY, &cube, &beside, &PenetrationOptions::default())?;
/// let found = found.ok_or("they overlap by a quarter")?;
/// assert!(found.exact && (found.depth - 0.25).abs() < 1e-12 && found.direction.distance(Vec3::X) < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    options: &PenetrationOptions,
) -> Result<Option<Penetration>, PenetrationError> {
    options.check()?;
    let question = Question { a, pose_a, b, pose_b };
    let solids = [convex_solid(a), convex_solid(b)];
    let method = match (options.method, solids) {
        (PenetrationMethod::Auto, [Some(_), Some(_)]) => PenetrationMethod::Convex,
        (PenetrationMethod::Auto, _) => PenetrationMethod::Slide,
        (PenetrationMethod::Convex, _) => {
            if let Some(body) = solids.iter().position(Option::is_none) {
                return Err(PenetrationError::NotConvex { body });
            }
            PenetrationMethod::Convex
        }
        (PenetrationMethod::ClosestFace, [None, None]) => {
            return Err(PenetrationError::NotConvex { body: 0 });
        }
        (method, _) => method,
    };
    if collide(a, pose_a, b, pose_b, Extent::Any) == Collision::None {
        return Ok(None);
    }
    let sweep = Sweep::new(a, b, pose_a.inverse().compose(pose_b));
    Ok(Some(match method {
        PenetrationMethod::Convex => match question.convex() {
            Some(found) => question.answer(&found, PenetrationMethod::Convex),
            // Solids so flat that their difference has no volume to numbers.
            None => question.slide(sweep, options),
        },
        PenetrationMethod::Stepwise => {
            let (depth, direction) = stepwise::shortest(&sweep, options.growth);
            question.answer(&Way { depth, direction, lower: 0.0 }, PenetrationMethod::Stepwise)
        }
        PenetrationMethod::ClosestFace => match closest_face::between(&question, solids) {
            Some(found) => found,
            None => {
                let auto = PenetrationOptions { method: PenetrationMethod::Auto, ..*options };
                return penetration(a, pose_a, b, pose_b, &auto);
            }
        },
        PenetrationMethod::Auto | PenetrationMethod::Slide => question.slide(sweep, options),
    }))
}

/// By how much a depth is lengthened at least, as a fraction of the size of the coordinates: several times
/// what rounding does to the place of a triangle, so that the bodies are apart in whatever order their places
/// are computed.
const OUTWARD: f64 = 64.0 * f64::EPSILON;

/// The gap that is left at least, as a fraction of the size of the coordinates: more than that rounding.
const GAP: f64 = 8.0 * f64::EPSILON;

/// A translation of B, in the frame of A.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// How far along it, m.
    depth: f64,
    /// Unit length.
    direction: Vec3,
    /// No shorter one separates, m; 0 if that is not known.
    lower: f64,
}

/// Two bodies where they are.
#[derive(Clone, Copy)]
struct Question<'a, B: Bound> {
    a: &'a Hierarchy<B>,
    pose_a: &'a Pose,
    b: &'a Hierarchy<B>,
    pose_b: &'a Pose,
}

impl<B: Bound> Question<'_, B> {
    /// The way out of the convex hulls.
    fn convex(&self) -> Option<Way> {
        let b_in_a = self.pose_a.inverse().compose(self.pose_b);
        let placed: Vec<Vec3> =
            self.b.surface.soup().points().iter().map(|&p| b_in_a.transform_point(p)).collect();
        match convex_depth(self.a.surface.soup().points(), &placed).ok()? {
            Expansion::Deep(found) => Some(Way {
                depth: found.depth.max(0.0),
                direction: found.direction,
                lower: found.lower.max(0.0),
            }),
            Expansion::Apart(direction) => Some(Way { depth: 0.0, direction, lower: 0.0 }),
            Expansion::Flat => None,
        }
    }

    fn slide(&self, mut sweep: Sweep<'_, B>, options: &PenetrationOptions) -> Penetration {
        let back = self.pose_a.inverse();
        let hint = options.hint.map(|h| back.transform_vector(h / h.abs().max_element()).normalize());
        let hulls = self.convex().map(|way| way.direction);
        let (depth, direction) = shortest::shortest(&mut sweep, hulls, hint, options);
        self.answer(&Way { depth, direction, lower: 0.0 }, PenetrationMethod::Slide)
    }

    /// The answer for a way out, lengthened by rounding until it is certified.
    fn answer(&self, way: &Way, method: PenetrationMethod) -> Penetration {
        // Each try is twice as far beyond the last: this many go from rounding to many times the size of the
        // bodies.
        const TRIES: usize = 64;
        let reach =
            self.pose_a.translation().abs().max_element() + self.pose_b.translation().abs().max_element();
        let size = self.a.magnitude + self.b.magnitude + reach;
        let direction = self.pose_a.transform_vector(way.direction).normalize();
        let (mut depth, mut push) = (way.depth, OUTWARD * size);
        let mut tried = None;
        for _ in 0..TRIES {
            depth += push;
            push *= 2.0;
            tried = self.gap(depth * direction);
            if tried.is_some_and(|d| d.lower >= GAP * size) {
                break;
            }
        }
        let certified = tried.is_some_and(|d| d.lower >= GAP * size);
        let points = tried.map_or([self.pose_a.translation(); 2], |d| d.witness.points);
        let points = [points[0], points[1] - depth * direction];
        let exact = method == PenetrationMethod::Convex && way.depth - way.lower <= OUTWARD * size;
        Penetration { depth, direction, lower: way.lower, points, exact, certified, method }
    }

    /// How far apart they are after a move; `None` if they share a point.
    fn gap(&self, by: Vec3) -> Option<Distance> {
        let moved = self.moved(by)?;
        if collide(self.a, self.pose_a, self.b, &moved, Extent::Any) != Collision::None {
            return None;
        }
        distance(self.a, self.pose_a, self.b, &moved, &DistanceOptions::default()).ok()
    }

    fn moved(&self, by: Vec3) -> Option<Pose> {
        Pose::new(self.pose_b.translation() + by, self.pose_b.rotation()).ok()
    }
}

/// The solid that a hierarchy is over, if it is convex.
fn convex_solid<B: Bound>(body: &Hierarchy<B>) -> Option<&Solid> {
    match &body.surface {
        Surface::Solid(solid) if solid.is_convex() => Some(solid),
        _ => None,
    }
}

impl PenetrationOptions {
    /// Valid range of `growth`. Less takes tens of thousands of steps; more skips all lengths that matter.
    pub const GROWTH: RangeInclusive<f64> = 1e-3..=10.0;

    /// The most `directions`: a degree apart, and seconds for bodies of a thousand triangles.
    pub const MAX_DIRECTIONS: usize = 100_000;

    fn check(&self) -> Result<(), PenetrationError> {
        if !PenetrationOptions::GROWTH.contains(&self.growth) {
            return Err(PenetrationError::Growth { given: self.growth });
        }
        if self.directions > PenetrationOptions::MAX_DIRECTIONS {
            return Err(PenetrationError::Directions { given: self.directions });
        }
        match self.hint {
            Some(given) if !given.is_finite() || given == Vec3::ZERO => Err(PenetrationError::Hint { given }),
            _ => Ok(()),
        }
    }
}
