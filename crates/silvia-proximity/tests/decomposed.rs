//! Solids that are not convex, as bodies of convex pieces.

#![allow(clippy::unwrap_used)]

mod common;

use common::pose;
use proptest::prelude::*;
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::distance;
use silvia_proximity::{
    DecomposedError, DistanceOptions, Hierarchy, Pieces, PiecesCache, PiecesError, closest_pieces,
};
use silvia_solid::pieces::{DecomposeError, DecomposeOptions, decompose};
use silvia_solid::{Pose, Solid, Vec3, primitives};
use std::sync::OnceLock;

fn bracket() -> Solid {
    let l = [[0., 0.], [2., 0.], [2., 0.6], [0.6, 0.6], [0.6, 2.], [0., 2.]];
    Solid::from_soup(&primitives::extrusion(&l, &[], 0.5).unwrap()).unwrap()
}

/// A bracket, which falls into boxes exactly, and a ring: each as triangles, as pieces, and how far those
/// stick out.
fn bodies() -> &'static [(Hierarchy<Obb>, Pieces, f64)] {
    static BODIES: OnceLock<Vec<(Hierarchy<Obb>, Pieces, f64)>> = OnceLock::new();
    BODIES.get_or_init(|| {
        let ring = Solid::from_soup(&primitives::torus(1.0, 0.3, 16, 8).unwrap()).unwrap();
        let made = |(solid, error): (Solid, f64)| {
            let found = decompose(&solid, &DecomposeOptions { error, max_pieces: 64 }).unwrap();
            let pieces = Pieces::from_decomposition(&found).unwrap();
            assert_eq!(pieces.pieces().len(), found.pieces.len());
            (Hierarchy::new(solid), pieces, found.concavity)
        };
        [(bracket(), 0.0), (ring, 0.05)].map(made).into()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pieces_are_as_far_apart_as_the_solids_but_for_the_error(at in pose(3.0)) {
        for (solid, pieces, concavity) in bodies() {
            let here = Pose::IDENTITY;
            let truth = distance(solid, &here, solid, &at, &DistanceOptions::default()).unwrap().upper;
            let near =
                closest_pieces(pieces, &here, pieces, &at, &mut PiecesCache::default()).closest.distance;
            prop_assert!(near <= truth + 1e-9, "{} {}", near, truth);
            prop_assert!(near >= truth - 2.0 * concavity - 1e-9, "{} {}", near, truth);
        }
    }
}

#[test]
fn a_solid_becomes_pieces_in_one_step() {
    let body = Pieces::of_solid(&bracket(), &DecomposeOptions::default()).unwrap();
    assert_eq!(body.pieces().len(), 2);
    let bounds = bracket().bounds();
    assert!(body.bounds().min.distance(bounds.min) < 1e-12 && body.bounds().max.distance(bounds.max) < 1e-12);
    let volume: f64 = body.pieces().iter().map(|p| p.solid().mass().volume).sum();
    assert!((volume - bracket().mass().volume).abs() < 1e-12);
    assert!(body.bounds().size().distance(Vec3::new(2.0, 2.0, 0.5)) < 1e-12);
}

#[test]
fn what_is_no_decomposition_is_refused() {
    let none =
        Pieces::of_solid(&bracket(), &DecomposeOptions { max_pieces: 0, ..DecomposeOptions::default() });
    assert!(matches!(none, Err(DecomposedError::Decompose(DecomposeError::NoPieces))));
    let mut found = decompose(&bracket(), &DecomposeOptions::default()).unwrap();
    found.pieces.clear();
    let empty = Pieces::from_decomposition(&found);
    assert!(matches!(empty, Err(DecomposedError::Pieces(PiecesError::Empty))));
}
