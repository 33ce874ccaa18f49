//! Bodies defined by a few numbers.
//!
//! Every function returns a closed, outward [`Soup`](crate::Soup) without duplicate points; triangles are
//! anticlockwise seen from outside. z is up, lengths are in metres, and the centre of the bounding box is at
//! the origin unless stated otherwise. Round bodies are polyhedra inscribed in the true body (their corners
//! lie on it), so their volume approaches the true one from below, with the square of the segment length.

mod knot;
mod prism;
mod round;
mod turned;

pub use knot::TorusKnot;
pub use prism::{cuboid, extrusion, prism};
pub use round::{sphere, torus};
pub use turned::{cone, cylinder, frustum};

use crate::triangulate::TriangulateError;
use crate::{Remedy, SoupError, Vec3};

/// The most triangles a primitive may have (about 4 GB), so that a typing error does not fill the memory.
pub const MAX_TRIANGLES: usize = 100_000_000;

/// Why a body cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum PrimitiveError {
    /// A length that is zero, negative, NaN or infinite.
    NotALength {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A count that is too small.
    TooFew {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The smallest valid count.
        least: usize,
    },
    /// More than [`MAX_TRIANGLES`].
    TooManyTriangles {
        /// Number of triangles it would have.
        triangles: f64,
    },
    /// A tube so thick that it would run into itself.
    TubeTooThick {
        /// The tube's radius.
        tube: f64,
        /// The radius must be below this.
        limit: f64,
    },
    /// Winding numbers with a common divisor (the curve closes early), or too large ones.
    Windings {
        /// Turns around the axis.
        around_axis: u32,
        /// Turns around the ring.
        around_ring: u32,
    },
    /// Sizes that contradict each other.
    DoesNotFit {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// "above" or "below".
        bound: &'static str,
        /// What it is compared with.
        limit: f64,
        /// The meaning of the limit.
        reason: &'static str,
    },
    /// An angle outside the open interval from 0 to 90 degrees, or NaN.
    NotAnAngle {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        degrees: f64,
    },
    /// A share of something that is below 0, above 1, or NaN.
    NotAShare {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Flanks that meet before the tip of the tooth, or teeth that leave no gap between them.
    NoTooth {
        /// Number of teeth.
        teeth: usize,
        /// The pressure angle, degrees.
        degrees: f64,
    },
    /// An outline that is not a polygon.
    Outline(#[from] TriangulateError),
    /// Sizes so small or so large that corners coincide or overflow.
    Soup(#[from] SoupError),
}

impl Remedy for PrimitiveError {
    fn what(&self) -> String {
        match self {
            PrimitiveError::NotALength { name, value } => format!("{name} is {value}"),
            PrimitiveError::TooFew { name, value, .. } => format!("{name} is {value}"),
            PrimitiveError::TooManyTriangles { triangles } => {
                format!("this body would have {triangles:.3e} triangles, more than {MAX_TRIANGLES}")
            }
            PrimitiveError::TubeTooThick { tube, .. } => {
                format!("the tube of radius {tube} runs into itself")
            }
            PrimitiveError::Windings { around_axis, around_ring } => format!(
                "{around_axis} windings around the axis and {around_ring} around the ring \
                 make no knot"
            ),
            PrimitiveError::DoesNotFit { name, value, .. } => format!("{name} is {value}"),
            PrimitiveError::NotAnAngle { name, degrees } => format!("the {name} is {degrees} degrees"),
            PrimitiveError::NotAShare { name, value } => format!("{name} is {value}"),
            PrimitiveError::NoTooth { teeth, degrees } => format!(
                "{teeth} teeth at a pressure angle of {degrees} degrees come out pointed or \
                 leave no gap"
            ),
            PrimitiveError::Outline(error) => format!("the outline is not a polygon: {}", error.what()),
            PrimitiveError::Soup(error) => {
                format!("the sizes differ too much for double precision: {}", error.what())
            }
        }
    }

    fn remedy(&self) -> String {
        match self {
            PrimitiveError::NotALength { .. } => "it must be a positive, finite length in metres".to_owned(),
            PrimitiveError::TooFew { least, .. } => format!("at least {least} are needed"),
            PrimitiveError::TooManyTriangles { .. } => "use fewer segments".to_owned(),
            PrimitiveError::TubeTooThick { limit, .. } => {
                format!("here it must be thinner than {}", rounded_down(*limit))
            }
            PrimitiveError::Windings { .. } => {
                format!("they must be coprime, and from 1 to {most}", most = TorusKnot::MOST_WINDINGS)
            }
            PrimitiveError::DoesNotFit { bound, limit, reason, .. } => {
                format!("it must be {bound} {limit}, {reason}")
            }
            PrimitiveError::NotAnAngle { .. } => "it must be above 0 and below 90".to_owned(),
            PrimitiveError::NotAShare { .. } => "it must be from 0 to 1".to_owned(),
            PrimitiveError::NoTooth { .. } => {
                "use another number of teeth, a smaller angle or less backlash".to_owned()
            }
            PrimitiveError::Outline(error) => error.remedy(),
            PrimitiveError::Soup(error) => error.remedy(),
        }
    }
}

/// Four digits, and not more than the number but for its rounding.
fn rounded_down(number: f64) -> f64 {
    let scale = 10_f64.powi(3 - number.log10().floor() as i32);
    let rounded = ((1.0 + 1e-12) * scale * number).floor() / scale;
    if rounded.is_finite() { rounded } else { number }
}

pub(crate) fn length(name: &'static str, value: f64) -> Result<f64, PrimitiveError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(PrimitiveError::NotALength { name, value }) }
}

/// Checks a clearance. Zero is allowed: an exact fit.
pub(crate) fn clearance_of(value: f64) -> Result<f64, PrimitiveError> {
    if value == 0.0 { Ok(0.0) } else { length("clearance", value) }
}

/// Checks that one size is below another.
pub(crate) fn below(
    name: &'static str,
    value: f64,
    limit: f64,
    reason: &'static str,
) -> Result<(), PrimitiveError> {
    if value < limit {
        Ok(())
    } else {
        Err(PrimitiveError::DoesNotFit { name, value, bound: "below", limit, reason })
    }
}

/// Checks that one size is above another.
pub(crate) fn above(
    name: &'static str,
    value: f64,
    limit: f64,
    reason: &'static str,
) -> Result<(), PrimitiveError> {
    if value > limit {
        Ok(())
    } else {
        Err(PrimitiveError::DoesNotFit { name, value, bound: "above", limit, reason })
    }
}

pub(crate) fn at_least(name: &'static str, value: usize, least: usize) -> Result<usize, PrimitiveError> {
    if value >= least { Ok(value) } else { Err(PrimitiveError::TooFew { name, value, least }) }
}

/// Takes the number as a float, so that a huge product cannot wrap around.
pub(crate) fn check_triangles(triangles: f64) -> Result<(), PrimitiveError> {
    if triangles <= MAX_TRIANGLES as f64 {
        Ok(())
    } else {
        Err(PrimitiveError::TooManyTriangles { triangles })
    }
}

/// The sine and cosine of `i / n` of a full turn. Exact at quarter turns and symmetric about them, so round
/// bodies have the right bounding box.
pub(crate) fn turn_fraction(i: usize, n: usize) -> (f64, f64) {
    let eighths = 8 * (i % n) as u64;
    let (n, octant) = (n as u64, eighths / n as u64);
    // The remaining angle within the octant, as a fraction of an eighth turn; odd octants are measured from
    // their end.
    let rest = if octant % 2 == 0 { eighths - octant * n } else { (octant + 1) * n - eighths };
    let (s, c) = (rest as f64 / n as f64 * std::f64::consts::FRAC_PI_4).sin_cos();
    match octant {
        0 => (s, c),
        1 => (c, s),
        2 => (c, -s),
        3 => (s, -c),
        4 => (-s, -c),
        5 => (-c, -s),
        6 => (-c, s),
        _ => (-s, c),
    }
}

/// A regular ring of points at height `z`, anticlockwise seen from above; the first is on the positive x
/// axis.
pub(crate) fn circle(radius: f64, z: f64, segments: usize) -> impl Iterator<Item = Vec3> {
    (0..segments).map(move |i| {
        let (s, c) = turn_fraction(i, segments);
        Vec3::new(radius * c, radius * s, z)
    })
}

/// Triangulates a convex polygon whose corners are numbered from `first`. Cutting off every other corner
/// until none is left gives far better angles than a fan.
fn convex_cap(first: u32, corners: usize, triangles: &mut Vec<[u32; 3]>) {
    let mut ring: Vec<u32> = (first..first + corners as u32).collect();
    while ring.len() > 2 {
        let mut kept = Vec::with_capacity(ring.len() / 2 + 1);
        for i in (0..ring.len()).step_by(2) {
            kept.push(ring[i]);
            if i + 1 < ring.len() {
                let after = ring[(i + 2) % ring.len()];
                if after != ring[i] {
                    triangles.push([ring[i], ring[i + 1], after]);
                }
            }
        }
        ring = kept;
    }
}

#[cfg(test)]
mod tests;
