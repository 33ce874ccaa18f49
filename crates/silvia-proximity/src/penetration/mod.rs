//! How deep two bodies are in each other: the shortest translation of B that takes it out of A (paper 5 §3.5).
//!
//! Convex solids are answered exactly ([`expand`]). For others the shortest translation has many local minima, and the answer is
//! a certified upper bound: directions are tried ([`separation_along`] is exact for each), and from the best the
//! translation slides to a local minimum. Whatever the method, the translation returned has been checked: moved by it, B
//! shares no point with A.

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
pub use convex::{ConvexDepth, Expansion, convex_depth, expand};
pub use deepest::{DeepPoint, deepest_points};
pub use directions::spread_directions;

pub(crate) use convex::start;
pub(crate) use halfspaces::{HalfSpace as FreeSide, nearest as nearest_free};
pub(crate) use polytope::{Corner, Polytope};

use crate::bounds::Bound;
use crate::collide::{Collision, Extent, collide};
use crate::distance::{DistanceOptions, distance};
use crate::hierarchy::{Hierarchy, Surface};
use along::Sweep;
use silvia_solid::{Pose, Solid, Vec3};

/// How to look for the shortest translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PenetrationMethod {
    /// [`Convex`](PenetrationMethod::Convex) for two convex solids, else [`Slide`](PenetrationMethod::Slide).
    #[default]
    Auto,
    /// The expanding polytope: exact, for convex solids only.
    Convex,
    /// Directions from the contact, the shapes and all around, the exact separation along each, and from the best a slide to a
    /// local minimum.
    Slide,
    /// Paper 5 §6.4: 26 directions, at lengths that grow until one of them separates.
    Stepwise,
    /// Paper 5 §6.5: a vertex inside a convex solid goes to the closest face, looked up in regions made beforehand. Where that
    /// does not separate, [`Auto`](PenetrationMethod::Auto) answers, and the answer says so.
    ClosestFace,
}

/// How to look, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenetrationOptions {
    /// How to look.
    pub method: PenetrationMethod,
    /// `Slide`: how many directions all around are tried, besides those that the bodies suggest.
    pub directions: usize,
    /// `Slide`: from how many of the best directions to slide; 0 gives the best direction as it is.
    pub slides: usize,
    /// `Slide`: a direction to try first, such as the last answer for bodies that move a little; in the frame of the poses, of
    /// any length.
    pub hint: Option<Vec3>,
    /// `Stepwise`: by what fraction the length grows from one step to the next, paper 5's kappa.
    pub growth: f64,
}

impl Default for PenetrationOptions {
    fn default() -> Self {
        PenetrationOptions {
            method: PenetrationMethod::default(),
            directions: 128,
            slides: 8,
            hint: None,
            growth: 0.1,
        }
    }
}

/// Why penetration could not be asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PenetrationError {
    /// The method is for convex solids, and a body is none.
    #[error("body {} is not a convex solid, which this method needs: use the method `Auto` or `Slide`", if *body == 0 { "A" } else { "B" })]
    NotConvex {
        /// 0 for A, 1 for B.
        body: usize,
    },
    /// A growth that is not a positive number.
    #[error(
        "the growth from step to step must be a number above 0, not {given}: between 0.1 and 0.4 is usual"
    )]
    Growth {
        /// As given.
        given: f64,
    },
    /// A hint that is no direction.
    #[error("the hint ({}, {}, {}) is no direction: it must be finite and not zero", given.x, given.y, given.z)]
    Hint {
        /// As given.
        given: Vec3,
    },
}

/// How to take two bodies apart that share a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// How far B has to go, m: rounded up so that the bodies then share no point at all. Bodies that only touch have this rounding
    /// as their depth.
    pub depth: f64,
    /// Unit length, from A to B: the way B goes.
    pub direction: Vec3,
    /// On A and on B where they are now: the points that are nearest to each other once B has gone, so `points[0] -
    /// points[1]` is the translation, to rounding.
    pub points: [Vec3; 2],
    /// Whether no shorter translation separates them, to rounding; else the depth is an upper bound.
    pub exact: bool,
    /// Whether [`collide`] finds nothing once B has gone. False only if no translation that numbers can tell does it.
    pub certified: bool,
    /// What found it.
    pub method: PenetrationMethod,
}

impl Penetration {
    /// What to add to the place of B.
    pub fn translation(&self) -> Vec3 {
        self.depth * self.direction
    }
}

/// The shortest translation of B found that takes it out of A; `None` if they share no point.
///
/// A solid is filled; bodies deep inside each other are taken out. A soup has no inside: of it, only the triangles are taken
/// apart from the other body.
///
/// ```
/// use silvia_proximity::{Hierarchy, PenetrationOptions, bounds::Obb, penetration};
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
            Some((depth, direction)) => {
                question.answer(&sweep, depth, direction, true, PenetrationMethod::Convex)
            }
            // Solids so flat that their difference has no volume to numbers.
            None => question.slide(sweep, options),
        },
        PenetrationMethod::Stepwise => {
            let (depth, direction) = stepwise::shortest(&sweep, options.growth);
            question.answer(&sweep, depth, direction, false, PenetrationMethod::Stepwise)
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

/// Two bodies where they are.
#[derive(Clone, Copy)]
struct Question<'a, B: Bound> {
    a: &'a Hierarchy<B>,
    pose_a: &'a Pose,
    b: &'a Hierarchy<B>,
    pose_b: &'a Pose,
}

impl<B: Bound> Question<'_, B> {
    /// The depth and direction of the convex hulls, in the frame of A.
    fn convex(&self) -> Option<(f64, Vec3)> {
        let b_in_a = self.pose_a.inverse().compose(self.pose_b);
        let placed: Vec<Vec3> =
            self.b.surface.soup().points().iter().map(|&p| b_in_a.transform_point(p)).collect();
        match convex_depth(self.a.surface.soup().points(), &placed) {
            Expansion::Deep(found) => Some((found.depth.max(0.0), found.direction)),
            Expansion::Apart(direction) => Some((0.0, direction)),
            Expansion::Flat => None,
        }
    }

    fn slide(&self, mut sweep: Sweep<'_, B>, options: &PenetrationOptions) -> Penetration {
        let back = self.pose_a.inverse();
        let hint = options.hint.map(|h| back.transform_vector(h / h.abs().max_element()).normalize());
        let (depth, direction) = shortest::shortest(&mut sweep, self.convex(), hint, options);
        self.answer(&sweep, depth, direction, false, PenetrationMethod::Slide)
    }

    /// The answer for a translation given in the frame of A, lengthened by rounding until it is certified.
    fn answer(
        &self,
        sweep: &Sweep<'_, B>,
        depth: f64,
        direction: Vec3,
        exact: bool,
        method: PenetrationMethod,
    ) -> Penetration {
        // Each try is twice as far beyond the last: this many go from rounding to many times the size of the bodies.
        const TRIES: usize = 64;
        let direction = self.pose_a.transform_vector(direction).normalize();
        let (mut depth, mut push) = (depth, sweep.margin);
        let mut certified = self.is_free(depth * direction);
        for _ in 0..TRIES {
            if certified {
                break;
            }
            depth += push;
            push *= 2.0;
            certified = self.is_free(depth * direction);
        }
        let by = depth * direction;
        let near = self.moved(by).and_then(|moved| {
            distance(self.a, self.pose_a, self.b, &moved, &DistanceOptions::default()).ok()
        });
        let points = near.map_or([self.pose_a.translation(); 2], |d| d.witness.points);
        Penetration { depth, direction, points: [points[0], points[1] - by], exact, certified, method }
    }

    fn moved(&self, by: Vec3) -> Option<Pose> {
        Pose::new(self.pose_b.translation() + by, self.pose_b.rotation()).ok()
    }

    fn is_free(&self, by: Vec3) -> bool {
        self.moved(by)
            .is_some_and(|moved| collide(self.a, self.pose_a, self.b, &moved, Extent::Any) == Collision::None)
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
    fn check(&self) -> Result<(), PenetrationError> {
        if !self.growth.is_finite() || self.growth <= 0.0 {
            return Err(PenetrationError::Growth { given: self.growth });
        }
        match self.hint {
            Some(given) if !given.is_finite() || given == Vec3::ZERO => Err(PenetrationError::Hint { given }),
            _ => Ok(()),
        }
    }
}
