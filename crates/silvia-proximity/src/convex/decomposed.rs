//! From a solid of any form to a body of convex pieces.

use super::pieces::{Pieces, PiecesError};
use super::{Convex, ConvexError};
use silvia_solid::Solid;
use silvia_solid::pieces::{DecomposeError, DecomposeOptions, Decomposition, decompose};

/// Why a solid could not be turned into convex pieces.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    /// Cuts a solid into convex pieces. They cover the solid, and stick out by no more than the requested
    /// error if the requested number of pieces allows it. To learn whether it does, call [`decompose`] and
    /// pass the result to [`Pieces::from_decomposition`].
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
