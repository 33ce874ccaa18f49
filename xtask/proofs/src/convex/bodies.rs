//! Convex bodies: regular ones, thin and long ones, hulls of random and of lattice points.

use super::oracle::Placed;
use seeded::Random;
use silvia::proximity::Convex;
use silvia::solid::{Pose, Solid, Soup, Vec3, primitives};

/// A body to ask about.
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) convex: Convex,
    /// The longest side of its box, m.
    pub(crate) size: f64,
}

impl Body {
    pub(crate) fn placed(&self, pose: &Pose) -> Placed {
        let soup = self.convex.solid().soup();
        Placed {
            points: soup.points().iter().map(|&p| pose.transform_point(p)).collect(),
            triangles: soup.triangles().to_vec(),
        }
    }
}

/// The cube of side 2 around the origin.
#[cfg(test)]
pub(crate) fn cube() -> Body {
    of_soup("cube", primitives::cuboid(Vec3::splat(2.0)).ok()).unwrap()
}

/// Any of the bodies.
pub(crate) fn random(random: &mut Random) -> Body {
    loop {
        // A hull of too few points has no volume: again.
        if let Some(body) = attempt(random) {
            return body;
        }
    }
}

fn attempt(random: &mut Random) -> Option<Body> {
    match random.whole(0, 11) {
        0 => of_soup("cube", primitives::cuboid(Vec3::splat(2.0)).ok()),
        1 => of_points(
            "tetrahedron",
            &[[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(Vec3::from),
        ),
        2 => of_points("octahedron", &[Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]),
        3 => of_soup("icosahedron", primitives::sphere(1.0, 1).ok()),
        4 => of_soup(
            "prism",
            primitives::prism(random.whole(3, 12) as usize, 1.0, random.whole(1, 3) as f64).ok(),
        ),
        5 => of_soup("cone", primitives::cone(1.0, 1.5, random.whole(3, 9) as usize).ok()),
        6 => {
            let thin = [1.0, 1e-3, 1e-6][random.whole(0, 2) as usize];
            let size = Vec3::new(random.between(0.5, 2.0), thin * random.between(0.5, 1.0), 1.0);
            of_soup("plate", primitives::cuboid(size).ok())
        }
        7 => {
            let thin = [0.1, 1e-3, 1e-5][random.whole(0, 2) as usize];
            of_soup("needle", primitives::prism(random.whole(3, 6) as usize, thin, 2.0).ok())
        }
        8 | 9 => {
            let count = random.whole(4, 12);
            let points: Vec<Vec3> =
                (0..count).map(|_| Vec3::from([0; 3].map(|_| random.whole(0, 3) as f64 - 1.0))).collect();
            of_points("lattice hull", &points)
        }
        10 => {
            let count = random.whole(4, 16);
            let points: Vec<Vec3> = (0..count).map(|_| random.vector(1.0)).collect();
            of_points("random hull", &points)
        }
        _ => {
            let count = random.whole(6, 24);
            let points: Vec<Vec3> = (0..count).map(|_| random.vector(1.0).normalize_or(Vec3::X)).collect();
            of_points("round hull", &points)
        }
    }
}

/// A body of hundreds of vertices: a disc, a ball, a hull of random points on a ball.
pub(crate) fn large(random: &mut Random) -> Body {
    loop {
        let body = match random.whole(0, 2) {
            0 => {
                let height = [1.0, 0.01][random.whole(0, 1) as usize];
                of_soup("disc", primitives::cylinder(0.5, height, random.whole(50, 500) as usize).ok())
            }
            1 => of_soup("ball", primitives::sphere(1.0, random.whole(4, 9) as usize).ok()),
            _ => {
                let count = random.whole(100, 1000);
                let points: Vec<Vec3> =
                    (0..count).map(|_| random.vector(1.0).normalize_or(Vec3::X)).collect();
                of_points("large hull", &points)
            }
        };
        if let Some(body) = body {
            return body;
        }
    }
}

fn of_soup(name: &str, soup: Option<Soup>) -> Option<Body> {
    let convex = Convex::new(&Solid::from_soup(&soup?).ok()?).ok()?;
    Some(named(name, convex))
}

fn of_points(name: &str, points: &[Vec3]) -> Option<Body> {
    Some(named(name, Convex::hull(points).ok()?))
}

fn named(name: &str, convex: Convex) -> Body {
    let size = convex.bounds().size().max_element();
    Body { name: format!("{name} of {} vertices", convex.points().len()), convex, size }
}
