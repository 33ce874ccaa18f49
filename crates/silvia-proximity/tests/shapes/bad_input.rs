//! What is no shape is refused, and the error says why.

use silvia_proximity::shape::{Overlap, distance, penetration};
use silvia_proximity::{Shape, ShapeError, ShapeKind};
use silvia_solid::{Plane, Pose, Solid, SolidError, Soup, Vec3, primitives};

const BAD_LENGTHS: [f64; 4] = [0.0, -1.0, f64::NAN, f64::INFINITY];

#[test]
fn lengths_must_be_positive_and_finite() {
    for bad in BAD_LENGTHS {
        let all = [
            (Shape::sphere(bad), "radius"),
            (Shape::cylinder(bad, 1.0), "radius"),
            (Shape::cylinder(1.0, bad), "height"),
            (Shape::cone(bad, 1.0), "radius"),
            (Shape::cone(1.0, bad), "height"),
            (Shape::capsule(bad, 1.0), "radius"),
            (Shape::capsule(1.0, bad), "height"),
            (Shape::cuboid(Vec3::new(1.0, bad, 1.0)), "size along y"),
        ];
        for (made, expected) in all {
            let Err(ShapeError::NotALength { name, value, .. }) = made else {
                panic!("{bad} was taken as {expected}")
            };
            assert_eq!(name, expected);
            assert!(value == bad || value.is_nan() == bad.is_nan());
        }
    }
}

#[test]
fn coordinates_must_be_finite() {
    for bad in [f64::NAN, f64::INFINITY] {
        let p = Vec3::new(0.0, bad, 0.0);
        let all = [
            Shape::point(p),
            Shape::segment([Vec3::ZERO, p]),
            Shape::triangle([Vec3::ZERO, Vec3::X, p]),
            Shape::polygon(&[Vec3::ZERO, Vec3::X, p]),
        ];
        for (i, made) in all.into_iter().enumerate() {
            assert!(matches!(made, Err(ShapeError::NotFinite { index, .. }) if index == i.min(2)));
        }
    }
}

#[test]
fn a_polygon_must_be_flat_convex_and_have_an_area() {
    let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    assert!(Shape::polygon(&[a, b, c, d]).is_ok());
    assert!(matches!(Shape::polygon(&[a, b]), Err(ShapeError::TooFewCorners { corners: 2 })));
    assert!(matches!(Shape::polygon(&[a, b, 2.0 * b]), Err(ShapeError::NoArea)));
    assert!(matches!(Shape::polygon(&[a, b, c, d + 0.1 * Vec3::Z]), Err(ShapeError::NotFlat { .. })));
    let dented = [a, b, Vec3::new(0.2, 0.2, 0.0), d];
    assert!(matches!(Shape::polygon(&dented), Err(ShapeError::PolygonNotConvex { .. })));
    // A pentagram turns the same way at every corner, but twice around.
    let star: Vec<Vec3> = (0..5)
        .map(|i| {
            let (s, c) = (f64::from(i) * 0.8 * std::f64::consts::PI).sin_cos();
            Vec3::new(c, s, 0.0)
        })
        .collect();
    assert!(matches!(Shape::polygon(&star), Err(ShapeError::PolygonNotConvex { .. })));
}

#[test]
fn a_half_space_needs_a_unit_normal() {
    for (normal, offset) in
        [(Vec3::ZERO, 0.0), (2.0 * Vec3::X, 0.0), (Vec3::NAN, 0.0), (Vec3::X, f64::INFINITY)]
    {
        let made = Shape::half_space(Plane { normal, offset });
        assert!(matches!(made, Err(ShapeError::Plane { .. })));
    }
}

#[test]
fn a_solid_without_volume_is_no_solid() {
    let sheet = Soup::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    assert!(matches!(Solid::from_soup(&sheet), Err(SolidError::NoVolume { .. } | SolidError::Unfit { .. })));
    // Four corners in one plane: closed and manifold, but flat.
    let flat = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let flat = Soup::new(flat, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap();
    assert!(matches!(Solid::from_soup(&flat), Err(SolidError::NoVolume { .. })));
}

#[test]
fn a_solid_that_is_not_convex_is_no_convex_solid() {
    let ring = Solid::from_soup(&primitives::torus(1.0, 0.3, 9, 5).unwrap()).unwrap();
    assert!(matches!(Shape::convex(&ring), Err(ShapeError::Convex(_))));
}

#[test]
fn a_compound_needs_parts() {
    assert!(matches!(Shape::compound([]), Err(ShapeError::EmptyCompound)));
}

#[test]
fn scales_must_be_positive_and_finite_for_every_kind() {
    for kind in ShapeKind::ALL {
        let shape = crate::bodies::sample(kind);
        for bad in BAD_LENGTHS {
            assert!(matches!(shape.scaled(bad), Err(ShapeError::Scale { .. })), "{kind:?}");
        }
        assert_eq!(shape.scaled(2.0).unwrap().kind(), kind);
    }
}

#[test]
fn lengths_beyond_what_products_of_them_can_hold_are_refused() {
    let p = |x: f64| Vec3::new(0.0, x, 0.0);
    for bad in [1e-300, 0.9e-60, 1.1e60, 1e80, 1e300] {
        let cube = primitives::cuboid(Vec3::splat(2.0)).unwrap();
        let all = [
            Shape::point(p(bad)),
            Shape::segment([Vec3::ZERO, p(-bad)]),
            Shape::triangle([Vec3::ZERO, p(bad), p(-bad)]),
            Shape::polygon(&[Vec3::ZERO, bad * Vec3::X, bad * Vec3::Y]),
            Shape::sphere(bad),
            Shape::cuboid(Vec3::new(1.0, 1.0, bad)),
            Shape::cylinder(1.0, bad),
            Shape::cone(bad, 1.0),
            Shape::capsule(bad, bad),
            Shape::half_space(Plane { normal: Vec3::X, offset: -bad }),
            Shape::cavity(bad),
            Shape::compound([(Pose::from_translation(p(bad)).unwrap(), Shape::sphere(1.0).unwrap())]),
            Shape::sphere(1.0).unwrap().scaled(bad),
            Shape::soup(cube).scaled(bad),
        ];
        for (i, made) in all.into_iter().enumerate() {
            // A soup may be refused before, by what scales it.
            let is_scaled = matches!(made, Err(ShapeError::ScaledAway { .. }));
            assert!(
                is_scaled || matches!(made, Err(ShapeError::OutOfRange { .. })),
                "shape {i} with {bad:e}"
            );
        }
    }
    assert!(Shape::point(Vec3::ZERO).is_ok() && Shape::segment([Vec3::X, p(1e-300)]).is_ok());
}

/// The same spheres, boxes and cones at the ends of the range as in metres.
#[test]
fn at_the_ends_of_the_range_answers_are_those_of_metres() {
    for kind in ShapeKind::ALL {
        for other in ShapeKind::ALL {
            let (a, b) = (crate::bodies::sample(kind), crate::bodies::sample(other));
            for far in [0.3, 2.5] {
                let shift = far * Vec3::new(0.6, -0.5, 0.4);
                let at = |k: f64| Pose::from_translation(k * shift).unwrap();
                let here = Pose::IDENTITY;
                let (apart, deep) = (distance(&a, &here, &b, &at(1.0)), penetration(&a, &here, &b, &at(1.0)));
                let is_flat_or_round = [kind, other].iter().all(|k| *k < ShapeKind::Solid);
                for k in if is_flat_or_round { [1e-59, 1e59] } else { [1e-14, 1e14] } {
                    let (Ok(x), Ok(y)) = (a.scaled(k), b.scaled(k)) else {
                        panic!("{kind:?} {other:?} {k:e}")
                    };
                    let found = distance(&x, &here, &y, &at(k)).upper / k;
                    assert!(
                        (found - apart.upper).abs() < 1e-12,
                        "{kind:?} {other:?} {k:e} {found} {apart:?}"
                    );
                    let found = penetration(&x, &here, &y, &at(k));
                    let depth = |o: Overlap| o.penetration().map_or(0.0, |p| p.depth);
                    let (one, two) = (depth(found) / k, depth(deep));
                    // Of others it is an upper bound, and another one.
                    assert_eq!(one > 0.0, two > 0.0, "{kind:?} {other:?} {k:e}");
                    assert!(
                        !is_flat_or_round || (one - two).abs() <= 1e-11,
                        "{kind:?} {other:?} {k:e} {one} {two}"
                    );
                }
            }
        }
    }
}
