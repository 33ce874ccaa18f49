//! Mass properties against closed forms, under rigid motion, and by the order of convergence.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use silvia_solid::{Mat3, Pose, Quat, Solid, Soup, Vec3, primitives};

fn solid(soup: &Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

fn assert_close(got: f64, expected: f64, scale: f64) {
    assert!((got - expected).abs() <= 1e-12 * scale, "{got} instead of {expected}");
}

fn assert_matrix(got: Mat3, expected: Mat3) {
    let scale = expected.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (g, e) in got.to_cols_array().iter().zip(expected.to_cols_array()) {
        assert_close(*g, e, scale);
    }
}

#[test]
fn a_box_has_its_closed_form() {
    let (a, b, c) = (0.3, 1.7, 4.1);
    let m = *solid(&primitives::cuboid(Vec3::new(a, b, c)).unwrap()).mass();
    let v = a * b * c;
    assert_close(m.volume, v, v);
    assert_close(m.area, 2.0 * (a * b + b * c + c * a), m.area);
    assert!(m.center.length() < 1e-15);
    let expected = Vec3::new(b * b + c * c, c * c + a * a, a * a + b * b) * v / 12.0;
    assert_matrix(m.inertia, Mat3::from_diagonal(expected));
    // About a corner: the same with 3 for 12, and products of inertia of a quarter.
    let corner = Vec3::new(a, b, c) / 2.0;
    let about = Mat3::from_cols(
        Vec3::new((b * b + c * c) / 3.0, -a * b / 4.0, -a * c / 4.0) * v,
        Vec3::new(-a * b / 4.0, (c * c + a * a) / 3.0, -b * c / 4.0) * v,
        Vec3::new(-a * c / 4.0, -b * c / 4.0, (a * a + b * b) / 3.0) * v,
    );
    assert_matrix(m.inertia_about(corner), about);
}

#[test]
fn a_tetrahedron_has_its_closed_form() {
    let soup = Soup::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    );
    let m = *solid(&soup.unwrap()).mass();
    assert_close(m.volume, 1.0 / 6.0, 1.0);
    assert!((m.center - Vec3::splat(0.25)).length() < 1e-15);
    // About the origin: the integral of x² is 1/60, of x y is 1/120.
    let about = Mat3::from_cols(
        Vec3::new(2.0 / 60.0, -1.0 / 120.0, -1.0 / 120.0),
        Vec3::new(-1.0 / 120.0, 2.0 / 60.0, -1.0 / 120.0),
        Vec3::new(-1.0 / 120.0, -1.0 / 120.0, 2.0 / 60.0),
    );
    assert_matrix(m.inertia_about(Vec3::ZERO), about);
}

#[test]
fn a_regular_prism_has_its_closed_form() {
    let (n, r, h) = (7, 1.3, 0.4);
    let m = *solid(&primitives::prism(n, r, h).unwrap()).mass();
    let angle = std::f64::consts::PI / n as f64;
    let base = 0.5 * n as f64 * r * r * (2.0 * angle).sin();
    assert_close(m.volume, base * h, base * h);
    // Polar moment of a regular polygon: A r² / 6 (2 + cos 2 angle).
    let polar = base * r * r / 6.0 * (2.0 + (2.0 * angle).cos()) * h;
    let across = 0.5 * polar + m.volume * h * h / 12.0;
    assert_matrix(m.inertia, Mat3::from_diagonal(Vec3::new(across, across, polar)));
}

#[test]
fn far_from_the_origin_no_digits_are_lost() {
    let near = primitives::extrusion(&[[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]], &[], 1.0)
        .unwrap();
    // A power of two, so that the points themselves are exact.
    let offset = Vec3::splat(1_048_576.0);
    let far = near.posed(&Pose::from_translation(offset).unwrap());
    let (a, b) = (*solid(&near).mass(), *solid(&far).mass());
    assert_close(a.volume, b.volume, 1.0);
    assert_matrix(b.inertia, a.inertia);
    assert!((b.center - a.center - offset).length() < 1e-9);
}

#[test]
fn sphere_and_torus_converge_with_second_order() {
    let pi = std::f64::consts::PI;
    let errors = |soups: [Soup; 3], volume: f64, polar: f64| {
        soups.map(|s| {
            let m = *solid(&s).mass();
            [(m.volume - volume).abs(), (m.inertia.z_axis.z - polar).abs()]
        })
    };
    let sphere =
        errors([8, 16, 32].map(|f| primitives::sphere(1.0, f).unwrap()), 4.0 / 3.0 * pi, 8.0 / 15.0 * pi);
    let (r, t) = (2.0, 0.5);
    let volume = 2.0 * pi * pi * r * t * t;
    let polar = volume * (r * r + 0.75 * t * t);
    let torus = errors([1, 2, 4].map(|f| primitives::torus(r, t, 48 * f, 24 * f).unwrap()), volume, polar);
    for [coarse, middle, fine] in [sphere, torus] {
        for quantity in 0..2 {
            for (large, small) in [(coarse, middle), (middle, fine)] {
                let order = (large[quantity] / small[quantity]).log2();
                assert!((order - 2.0).abs() < 0.1, "order {order}");
            }
        }
    }
}

proptest! {
    #[test]
    fn rigid_motion_changes_nothing_but_the_place(
        (x, y, z, w) in (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, 0.2..1.0f64),
        shift in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let pose = Pose::new(shift.into(), Quat::from_xyzw(x, y, z, w).normalize()).unwrap();
        let still = primitives::TorusKnot::TREFOIL.soup_with_triangles(1000).unwrap();
        let (a, b) = (*solid(&still).mass(), *solid(&still.posed(&pose)).mass());
        assert_close(b.volume, a.volume, a.volume);
        assert_close(b.area, a.area, a.area);
        prop_assert!((b.center - pose.transform_point(a.center)).length() < 1e-12);
        let r = pose.matrix();
        assert_matrix(b.inertia, r * a.inertia * r.transpose());
        assert_matrix(b.inertia_in(&pose), a.inertia_about(Vec3::ZERO));
        let (p, q) = (a.principal(), b.principal());
        prop_assert!((p.moments - q.moments).length() < 1e-11 * p.moments.length());
        let diagonal = q.axes.transpose() * b.inertia * q.axes;
        assert_matrix(diagonal, Mat3::from_diagonal(q.moments));
    }
}
