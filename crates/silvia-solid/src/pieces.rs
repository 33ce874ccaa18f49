//! Approximate convex decomposition: covers a solid with a few convex pieces, with a verified error.
//!
//! A part that is too concave is cut by a plane, then each side again, until every part nearly fills its
//! hull. The hulls are the pieces. The candidate planes lie along the faces at concave edges, bisect concave
//! edges, or are perpendicular to an axis; the best one leaves the least total hull volume.

mod concavity;
mod nearest;
mod plane;

use crate::cut::{CutError, compact, cut_within};
use crate::hull::{HullError, convex_hull};
use crate::topology::Mesh;
use crate::{MassProperties, Solid, SolidError, SolidOptions, SoupError};
use concavity::concavity;

/// How closely the pieces follow the solid, and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecomposeOptions {
    /// How far a piece may stick out of the solid, as a fraction of the diagonal of the solid's bounding box.
    pub error: f64,
    /// The most pieces allowed. If they are too few for the error, the result states the error that remains.
    /// Each separate component needs one.
    pub max_pieces: usize,
}

impl Default for DecomposeOptions {
    fn default() -> Self {
        DecomposeOptions { error: 0.02, max_pieces: 64 }
    }
}

/// Why a solid could not be decomposed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecomposeError {
    /// An error that is negative or NaN.
    #[error("the error must be a number of at least 0, a fraction of the solid's size, not {given}")]
    Error {
        /// The given value.
        given: f64,
    },
    /// Fewer pieces are allowed than the solid has separate components.
    #[error(
        "the solid has {components} separate components, each at least one piece, and only {max_pieces} are \
         allowed: allow at least {components}"
    )]
    TooManyComponents {
        /// Number of components.
        components: usize,
        /// Number of pieces allowed.
        max_pieces: usize,
    },
    /// No pieces are allowed.
    #[error("at least 1 piece must be allowed")]
    NoPieces,
    /// A part without a hull.
    #[error("a part has no hull: {0}")]
    Hull(#[from] HullError),
    /// A hull that is not a solid.
    #[error("the hull of a part is not a solid: {0}")]
    Solid(#[from] SolidError),
    /// A part with too many triangles.
    #[error(transparent)]
    TooLarge(#[from] SoupError),
}

/// One of the convex pieces.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The convex piece: the hull of the part.
    pub hull: Solid,
    /// The part of the solid that this piece covers.
    pub part: Solid,
    /// No point of the piece is further from the part than this, m. A verified upper bound: within 5% of the
    /// true value, or within a thousandth of the part's size. For a convex part it is the face tolerance,
    /// which is what convex means here.
    pub concavity: f64,
}

/// A solid as a set of convex pieces.
#[derive(Clone, Debug)]
pub struct Decomposition {
    /// The pieces; together they cover the solid. Neighbouring pieces may overlap by their concavity.
    pub pieces: Vec<Piece>,
    /// No point of any piece is further from the solid than this, m: the largest concavity of the pieces.
    pub concavity: f64,
    /// Volume of the solid, m³.
    pub solid_volume: f64,
    /// Sum of the pieces' volumes, m³; overlaps count more than once.
    pub piece_volume: f64,
    /// Whether every part is convex or reached the requested error. If not, the pieces ran out or no plane
    /// cuts the part further.
    pub complete: bool,
}

/// Cuts a solid into parts that nearly fill their hulls.
///
/// ```
/// use silvia_solid::{Solid, pieces::{DecomposeOptions, decompose}, primitives};
/// let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// let bracket = Solid::from_soup(&primitives::extrusion(&l, &[], 1.0)?)?;
/// let found = decompose(&bracket, &DecomposeOptions::default())?;
/// assert_eq!(found.pieces.len(), 2);
/// assert!((found.piece_volume - bracket.mass().volume).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decompose(solid: &Solid, options: &DecomposeOptions) -> Result<Decomposition, DecomposeError> {
    if options.error.is_nan() || options.error < 0.0 {
        return Err(DecomposeError::Error { given: options.error });
    }
    if options.max_pieces == 0 {
        return Err(DecomposeError::NoPieces);
    }
    let error = options.error * solid.bounds().size().length();
    let mut open: Vec<Piece> = Vec::new();
    let mut closed: Vec<Piece> = Vec::new();
    let parts = components(solid)?;
    if parts.len() > options.max_pieces {
        let (components, max_pieces) = (parts.len(), options.max_pieces);
        return Err(DecomposeError::TooManyComponents { components, max_pieces });
    }
    for part in parts {
        open.push(piece(part)?);
    }
    // A convex part is done whatever its error: cutting it gains nothing.
    let is_done = |p: &Piece| p.concavity <= error || p.part.is_convex();
    while open.len() + closed.len() < options.max_pieces {
        let Some(worst) = worst_of(&open, is_done) else { break };
        let taken = open.swap_remove(worst);
        match divided(&taken.part, options.max_pieces - open.len() - closed.len())? {
            Some(parts) => open.extend(parts),
            None => closed.push(taken),
        }
    }
    open.append(&mut closed);
    let concavity = open.iter().map(|p| p.concavity).fold(0.0, f64::max);
    Ok(Decomposition {
        concavity,
        solid_volume: solid.mass().volume,
        piece_volume: open.iter().map(|p| p.hull.mass().volume).sum(),
        complete: open.iter().all(is_done),
        pieces: open,
    })
}

/// The most concave piece that is not done yet.
fn worst_of(pieces: &[Piece], is_done: impl Fn(&Piece) -> bool) -> Option<usize> {
    (0..pieces.len())
        .filter(|&i| !is_done(&pieces[i]))
        .max_by(|&i, &j| pieces[i].concavity.total_cmp(&pieces[j].concavity).then(j.cmp(&i)))
}

fn piece(part: Solid) -> Result<Piece, DecomposeError> {
    let hull = Solid::from_soup(&convex_hull(part.soup().points())?.soup)?;
    let concavity = concavity(&part, &hull);
    Ok(Piece { hull, part, concavity })
}

/// The pieces of a part after the best cut that yields at most `room` pieces; `None` if no cut does.
fn divided(part: &Solid, room: usize) -> Result<Option<Vec<Piece>>, DecomposeError> {
    for plane in plane::best_first(part) {
        // If this plane leaves something that is not a solid, the next best may work.
        let (behind, front) = match cut_within(part, &plane, part.face_tolerance()) {
            Ok((Some(behind), Some(front))) => (behind, front),
            Ok(_) | Err(CutError::Part { .. } | CutError::Plane { .. }) => continue,
            Err(CutError::TooLarge(e)) => return Err(e.into()),
        };
        let mut parts = components(&behind)?;
        parts.extend(components(&front)?);
        if parts.len() > room {
            parts = vec![behind, front];
        }
        let pieces: Result<Vec<Piece>, DecomposeError> = parts.into_iter().map(piece).collect();
        match pieces {
            Ok(pieces) => return Ok(Some(pieces)),
            // A sliver: a solid itself, but its hull vanishes in rounding.
            Err(DecomposeError::Hull(_) | DecomposeError::Solid(_)) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(None)
}

/// The connected parts of a solid. A solid with a cavity stays whole: its inner surface belongs to an outer
/// one.
fn components(solid: &Solid) -> Result<Vec<Solid>, DecomposeError> {
    if solid.component_count() == 1 {
        return Ok(vec![solid.clone()]);
    }
    let soup = solid.soup();
    let (component_of, count) = Mesh::of(soup).components();
    let mut parts: Vec<Vec<[u32; 3]>> = vec![Vec::new(); count];
    for (triangle, part) in soup.triangles().iter().zip(component_of) {
        parts[part as usize].push(*triangle);
    }
    let options = SolidOptions {
        face_tolerance: solid.face_tolerance() / solid.bounds().magnitude().max(f64::MIN_POSITIVE),
    };
    let mut found = Vec::new();
    for triangles in parts {
        let part = compact(soup.points(), triangles)?;
        if MassProperties::of_triangles(part.points(), part.triangles()).volume <= 0.0 {
            return Ok(vec![solid.clone()]);
        }
        match Solid::with_options(&part, &options) {
            Ok(part) => found.push(part),
            Err(_) => return Ok(vec![solid.clone()]),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
