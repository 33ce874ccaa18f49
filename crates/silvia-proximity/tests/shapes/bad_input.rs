//! What is no shape is refused, and the error says why.

use silvia_proximity::{Shape, ShapeError, ShapeKind};
use silvia_solid::{Plane, Solid, SolidError, Soup, Vec3, primitives};

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
    assert!(Shape::sphere(1e200).unwrap().scaled(1e200).is_err());
}
