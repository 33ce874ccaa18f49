use super::*;
use proptest::prelude::*;
use silvia_solid::{Plane, Solid, Soup, primitives};

fn uniform(shape: &Shape) -> Uniform {
    match Filling::of(shape) {
        Filling::Of(uniform) => uniform,
        other => panic!("{other:?}"),
    }
}

fn tessellated(soup: &Soup) -> Uniform {
    uniform(&Shape::solid(Solid::from_soup(soup).unwrap()))
}

fn close(a: &Uniform, b: &Uniform, tolerance: f64) -> bool {
    let size = b.volume.cbrt();
    (a.volume / b.volume - 1.0).abs() < tolerance
        && (a.centre - b.centre).length() < tolerance * size
        && (a.inertia - b.inertia)
            .to_cols_array()
            .iter()
            .all(|e| e.abs() < tolerance * b.volume * size * size)
}

/// Discs of radius `profile(z)`, by Simpson's rule: about the origin of z.
fn turned(profile: impl Fn(f64) -> f64, from: f64, to: f64) -> (f64, f64, f64, f64) {
    const PIECES: usize = 20_000;
    let h = (to - from) / PIECES as f64;
    let mut sums = (0.0, 0.0, 0.0, 0.0);
    for k in 0..=PIECES {
        let weight = h / 3.0 * if k == 0 || k == PIECES { 1.0 } else { [2.0, 4.0][k % 2] };
        let z = from + k as f64 * h;
        let r2 = profile(z).powi(2);
        sums.0 += weight * PI * r2;
        sums.1 += weight * PI * r2 * z;
        sums.2 += weight * PI * (r2 * r2 / 4.0 + r2 * z * z);
        sums.3 += weight * PI * r2 * r2 / 2.0;
    }
    sums
}

#[test]
fn closed_forms_agree_with_discs_laid_on_each_other() {
    let (r, h) = (0.3, 1.1);
    let round = |z: f64| (r * r - z * z).max(0.0).sqrt();
    let capped = |z: f64| if z.abs() < h / 2.0 { r } else { round(z.abs() - h / 2.0) };
    for (shape, discs) in [
        (Shape::sphere(r).unwrap(), turned(round, -r, r)),
        (Shape::cylinder(r, h).unwrap(), turned(|_| r, -h / 2.0, h / 2.0)),
        (Shape::cone(r, h).unwrap(), turned(|z| r * (0.5 - z / h), -h / 2.0, h / 2.0)),
        (
            Shape::ellipsoid(Vec3::new(r, r, h)).unwrap(),
            turned(|z| r / h * (h * h - z * z).max(0.0).sqrt(), -h, h),
        ),
        (Shape::capsule(r, h).unwrap(), turned(capped, -h / 2.0 - r, h / 2.0 + r)),
    ] {
        let (volume, first, across, along) = discs;
        let centre = first / volume;
        let across = across - volume * centre * centre;
        let found = uniform(&shape);
        let kind = shape.kind();
        assert!((found.volume / volume - 1.0).abs() < 1e-7, "{kind:?}");
        assert!((found.centre - Vec3::Z * centre).length() < 1e-9, "{kind:?}");
        let expected = Mat3::from_diagonal(Vec3::new(across, across, along));
        let errors = (found.inertia - expected).to_cols_array();
        assert!(errors.iter().all(|e| e.abs() < 1e-7 * across), "{kind:?} {errors:?}");
    }
}

#[test]
fn smooth_shapes_agree_with_solids_tessellated_finely() {
    let (r, h) = (0.4, 0.9);
    // Halving the segments makes four times the error: what is left when that is taken out is of fourth
    // order.
    let refined = |soup: &dyn Fn(usize) -> Soup| {
        let [coarse, fine] = [96, 192].map(|n| tessellated(&soup(n)));
        Uniform {
            volume: (4.0 * fine.volume - coarse.volume) / 3.0,
            centre: (4.0 * fine.centre - coarse.centre) / 3.0,
            inertia: (4.0 * fine.inertia - coarse.inertia) * (1.0 / 3.0),
        }
    };
    let can = refined(&|n| primitives::cylinder(r, h, n).unwrap());
    assert!(close(&uniform(&Shape::cylinder(r, h).unwrap()), &can, 1e-6));
    let cone = refined(&|n| primitives::cone(r, h, n).unwrap());
    assert!(close(&uniform(&Shape::cone(r, h).unwrap()), &cone, 1e-6));
    let ball = tessellated(&primitives::sphere(r, 60).unwrap());
    assert!(close(&uniform(&Shape::sphere(r).unwrap()), &ball, 2e-3));
    let egg = primitives::sphere(1.0, 60).unwrap().scaled_axes(Vec3::new(r, 0.7, h)).unwrap();
    assert!(close(&uniform(&Shape::ellipsoid(Vec3::new(r, 0.7, h)).unwrap()), &tessellated(&egg), 2e-3));
    let size = Vec3::new(0.2, 0.5, 1.3);
    let cuboid = Solid::from_soup(&primitives::cuboid(size).unwrap()).unwrap();
    let brick = uniform(&Shape::cuboid(size).unwrap());
    assert!(close(&brick, &uniform(&Shape::solid(cuboid.clone())), 1e-14));
    assert!(close(&brick, &uniform(&Shape::convex(&cuboid).unwrap()), 1e-14));
}

#[test]
fn a_brick_of_bricks_is_a_brick() {
    let part = Shape::cuboid(Vec3::new(0.5, 1.0, 1.5)).unwrap();
    let places = [-0.75, -0.25, 0.25, 0.75].map(|x| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap());
    let frame =
        Pose::new(Vec3::new(3.0, -2.0, 1.0), Quat::from_scaled_axis(Vec3::new(0.3, 0.9, -0.4))).unwrap();
    let parts = places.map(|place| (frame.compose(&place), part.clone()));
    let whole = uniform(&Shape::cuboid(Vec3::new(2.0, 1.0, 1.5)).unwrap()).placed(&frame);
    assert!(close(&uniform(&Shape::compound(parts).unwrap()), &whole, 1e-14));
}

#[test]
fn parts_without_volume_add_nothing_and_a_half_space_has_no_end() {
    let ball = Shape::sphere(0.5).unwrap();
    let sheet = Shape::triangle([Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
    let both = Shape::compound([(Pose::IDENTITY, ball.clone()), (Pose::IDENTITY, sheet.clone())]).unwrap();
    assert_eq!(uniform(&both), uniform(&ball));
    assert_eq!(Filling::of(&sheet), Filling::Nothing);
    assert_eq!(Filling::of(&Shape::soup(primitives::cuboid(Vec3::ONE).unwrap())), Filling::Nothing);
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    assert_eq!(Filling::of(&ground), Filling::Endless);
    assert_eq!(Filling::of(&Shape::cavity(1.0).unwrap()), Filling::Endless);
    let grounded = Shape::compound([(Pose::IDENTITY, ball), (Pose::IDENTITY, ground)]).unwrap();
    assert_eq!(Filling::of(&grounded), Filling::Endless);
}

#[test]
fn what_no_body_has_is_refused() {
    let diagonal = |x: f64, y: f64, z: f64| Mat3::from_diagonal(Vec3::new(x, y, z));
    let refused = |mass: f64, inertia: Mat3| Inertia::new(mass, Vec3::ZERO, inertia).unwrap_err();
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        assert!(matches!(refused(mass, Mat3::IDENTITY), BodyFault::Mass { .. }), "{mass}");
    }
    for bad in [0.0, -1.0, 1e-310] {
        assert!(matches!(refused(1.0, diagonal(bad, 1.0, 1.0)), BodyFault::Moments { .. }), "{bad}");
    }
    assert!(matches!(refused(1.0, diagonal(1.0, f64::NAN, 1.0)), BodyFault::InertiaNotFinite { .. }));
    let beside = Inertia::new(1.0, Vec3::X * f64::INFINITY, Mat3::IDENTITY);
    assert!(matches!(beside, Err(BodyFault::InertiaNotFinite { .. })));
    let expected = BodyFault::TriangleInequality { moments: Vec3::new(1.0, 2.0, 3.1) };
    assert_eq!(refused(1.0, diagonal(3.1, 1.0, 2.0)), expected);
    let mut skew = Mat3::IDENTITY;
    skew.x_axis.y = 0.1;
    assert!(matches!(refused(1.0, skew), BodyFault::InertiaNotSymmetric { .. }));
    for volume in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let hollow = Uniform { volume, centre: Vec3::ZERO, inertia: Mat3::IDENTITY };
        assert!(matches!(hollow.with_density(1.0), Err(BodyFault::Volume { .. })));
        assert!(matches!(hollow.with_mass(1.0), Err(BodyFault::Volume { .. })));
    }
    // A flat disc of printed numbers is at the limit.
    assert!(Inertia::new(1.0, Vec3::ZERO, diagonal(0.333333, 0.666667, 1.000001)).is_ok());
}

proptest! {
    #[test]
    fn principal_axes_give_the_inertia_back(
        x in 0.1..1.0f64, y in 0.1..1.0f64, share in 0.0..1.0f64, turn in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let z = (x - y).abs() + share * (x + y - (x - y).abs());
        prop_assume!(z > 1e-3);
        let r = Mat3::from_quat(Quat::from_scaled_axis(Vec3::from(turn)));
        let given = r * Mat3::from_diagonal(Vec3::new(x, y, z)) * r.transpose();
        let inertia = Inertia::new(1.0, Vec3::ZERO, given).unwrap();
        prop_assert!(inertia.moments.x <= inertia.moments.y && inertia.moments.y <= inertia.moments.z);
        let a = Mat3::from_quat(inertia.axes);
        let back = a * Mat3::from_diagonal(inertia.moments) * a.transpose();
        prop_assert!((back - given).to_cols_array().iter().all(|e| e.abs() < 1e-14));
    }
}
