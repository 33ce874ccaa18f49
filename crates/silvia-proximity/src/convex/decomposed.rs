//! From a solid of any form to a body of convex pieces.

use super::pieces::{Pieces, PiecesError};
use super::{Convex, ConvexError};
use silvia_solid::Solid;
use silvia_solid::pieces::{DecomposeError, DecomposeOptions, Decomposition, decompose};

/// Why a solid did not become a body of convex pieces.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecomposedError {
    /// It could not be cut into pieces.
    #[error("the solid was not decomposed: {0}")]
    Decompose(#[from] DecomposeError),
    /// A piece is no convex solid.
    #[error("piece {piece}: {reason}")]
    Piece {
        /// Which, from 0.
        piece: usize,
        /// Why not.
        reason: ConvexError,
    },
    /// There are no pieces.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
}

impl Pieces {
    /// Cuts a solid into convex pieces. They cover it and stick out of it by no more than the error asked
    /// for, if so many pieces are enough: to see that, [`decompose`] it and use
    /// [`Pieces::from_decomposition`].
    pub fn of_solid(solid: &Solid, options: &DecomposeOptions) -> Result<Pieces, DecomposedError> {
        Pieces::from_decomposition(&decompose(solid, options)?)
    }

    /// The hulls of a decomposition, in its order.
    pub fn from_decomposition(decomposition: &Decomposition) -> Result<Pieces, DecomposedError> {
        let mut pieces = Vec::with_capacity(decomposition.pieces.len());
        for (piece, part) in decomposition.pieces.iter().enumerate() {
            let convex = Convex::new(&part.hull);
            pieces.push(convex.map_err(|reason| DecomposedError::Piece { piece, reason })?);
        }
        Ok(Pieces::new(pieces)?)
    }
}
