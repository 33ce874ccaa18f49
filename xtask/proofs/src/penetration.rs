//! Penetration: that the translation separates, that it is short, and that it is the shortest for convex
//! solids.
//!
//! Whether bodies are apart is decided by all pairs of their triangles and by winding numbers, not by
//! hierarchies. What the depth is compared with: for convex solids the hull of all differences of their
//! vertices, for others the best of many directions.

use seeded::Random;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{
    Penetration, PenetrationMethod, PenetrationOptions, penetration, separation_along,
};
use silvia::proximity::{Hierarchy, spread_directions};
use silvia::solid::hull::convex_hull;
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{Aabb, Pose, Quat, Solid, Soup, Vec3, triangles_intersect, winding_number};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::LazyLock;

/// How many directions the shortest translation is compared with.
const DIRECTIONS: usize = 2_000;

/// By what factor the translation may be longer than the best of them.
const LONGER: f64 = 1.05;

/// How far the depth of convex solids may be from that of the hull, as a fraction of their size.
const WANTED: f64 = 1e-12;

type Body = Hierarchy<Obb>;

/// One trial: the gap left after the move, as a fraction of the size, or what was wrong.
pub(crate) fn separates(random: &mut Random) -> Result<f64, String> {
    let (scene, at, found) = overlapping(random)?;
    let gone = Pose::new(at.translation() + found.translation(), at.rotation()).map_err(|e| e.to_string())?;
    let [a, b] = [&scene.soups[0], &scene.soups[1].posed(&gone)];
    if !found.certified {
        return Err(format!("{} at {at:?}: not certified: {found:?}", scene.name));
    }
    if touch(a, b) {
        return Err(format!("{} at {at:?}: still touching after {found:?}", scene.name));
    }
    let [p, q] = found.points;
    Ok((p - q - found.translation()).length() / scene.size())
}

/// One trial: how many times as long as the best of many directions the translation is, or that it is too
/// long.
pub(crate) fn is_short(random: &mut Random) -> Result<f64, String> {
    let (scene, at, found) = overlapping(random)?;
    let [a, b] = &scene.bodies;
    let mut best = f64::INFINITY;
    for direction in spread_directions(DIRECTIONS) {
        let s = separation_along(a, &Pose::IDENTITY, b, &at, direction).map_err(|e| e.to_string())?;
        best = best.min(s);
    }
    let ratio = found.depth / best;
    if ratio > LONGER {
        return Err(format!(
            "{} at {at:?}: {ratio:.3} times the best of {DIRECTIONS} directions",
            scene.name
        ));
    }
    Ok(ratio)
}

/// One trial: the error of the depth of two convex solids, as a fraction of their size, or what was wrong.
pub(crate) fn convex(random: &mut Random) -> Result<f64, String> {
    let (a, b) = (convex_solid(random)?, convex_solid(random)?);
    let at = pose(random, 1.0)?;
    let moved = b.soup().posed(&at);
    let size = a.bounds().magnitude() + moved.bounds().magnitude();
    let truth = minkowski_depth(a.soup().points(), moved.points())?.max(0.0);
    let bodies: [Body; 2] = [Hierarchy::new(a.clone()), Hierarchy::new(b.clone())];
    let found = penetration(&bodies[0], &Pose::IDENTITY, &bodies[1], &at, &PenetrationOptions::default());
    let depth = match found.map_err(|e| e.to_string())? {
        Some(found) if !found.exact || found.method != PenetrationMethod::Convex => {
            return Err(format!("not by the exact method: {found:?}"));
        }
        Some(found) => {
            let gone = Pose::new(at.translation() + found.translation(), at.rotation())
                .map_err(|e| e.to_string())?;
            if touch(a.soup(), &b.soup().posed(&gone)) {
                return Err(format!("still touching after {found:?}"));
            }
            found.depth
        }
        None => 0.0,
    };
    let error = (depth - truth).abs() / size;
    if error > WANTED {
        return Err(format!("depth {depth}, but the hull of the differences says {truth}: at {at:?}"));
    }
    Ok(error)
}

/// Two bodies to be placed into each other.
struct Scene {
    name: &'static str,
    soups: [Soup; 2],
    bodies: [Body; 2],
}

impl Scene {
    fn new(name: &'static str, soups: [Soup; 2]) -> Result<Scene, String> {
        let body = |soup: &Soup| Solid::from_soup(soup).map(Body::new).map_err(|e| e.to_string());
        let bodies = [body(&soups[0])?, body(&soups[1])?];
        Ok(Scene { name, soups, bodies })
    }

    fn size(&self) -> f64 {
        self.soups.iter().map(|s| s.bounds().size().length()).sum()
    }
}

static SCENES: LazyLock<Result<[Scene; 3], String>> = LazyLock::new(|| {
    let text = |e: silvia::solid::primitives::PrimitiveError| e.to_string();
    let knot = TorusKnot::TREFOIL.soup_with_triangles(1000).map_err(text)?;
    let knot = knot.scaled(0.4).map_err(|e| e.to_string())?;
    let l = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.4], [-0.4, -0.4], [-0.4, 1.0], [-1.0, 1.0]];
    let l = primitives::extrusion(&l, &[], 0.5).map_err(text)?;
    let angle = |i: i32| TAU * f64::from(i) / 24.0;
    let hole: Vec<[f64; 2]> = (0..24).map(|i| [0.31 * angle(i).cos(), 0.31 * angle(i).sin()]).collect();
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let plate = primitives::extrusion(&square, &[hole], 0.5).map_err(text)?;
    let peg = primitives::cylinder(0.3, 1.5, 24).map_err(text)?;
    Ok([
        Scene::new("two knots", [knot.clone(), knot])?,
        Scene::new("two brackets", [l.clone(), l])?,
        Scene::new("a peg tilted in a hole", [plate, peg])?,
    ])
});

/// A scene, where its second body is, and the answer; always one in which they overlap.
fn overlapping(random: &mut Random) -> Result<(&'static Scene, Pose, Penetration), String> {
    let scenes = SCENES.as_ref().map_err(Clone::clone)?;
    let kind = random.whole(0, 2) as usize;
    let scene = &scenes[kind];
    loop {
        let at = if kind == 2 {
            let tilt = Quat::from_rotation_x(random.between(-0.25, 0.25));
            let tilt = tilt * Quat::from_rotation_y(random.between(-0.25, 0.25));
            Pose::new(random.vector(0.1), tilt).map_err(|e| e.to_string())?
        } else {
            Pose::new(random.vector(0.8), rotation(random)).map_err(|e| e.to_string())?
        };
        let [a, b] = &scene.bodies;
        let found = penetration(a, &Pose::IDENTITY, b, &at, &PenetrationOptions::default());
        if let Some(found) = found.map_err(|e| e.to_string())? {
            return Ok((scene, at, found));
        }
    }
}

fn rotation(random: &mut Random) -> Quat {
    loop {
        let q = Quat::from_xyzw(
            random.between(-1.0, 1.0),
            random.between(-1.0, 1.0),
            random.between(-1.0, 1.0),
            random.between(-1.0, 1.0),
        );
        if (0.1..1.0).contains(&q.length()) {
            return q.normalize();
        }
    }
}

/// A box, a prism, a ball or the hull of some points.
fn convex_solid(random: &mut Random) -> Result<Solid, String> {
    let soup = match random.whole(0, 3) {
        0 => primitives::cuboid(Vec3::splat(1.1) + random.vector(0.9)),
        1 => primitives::prism(
            random.whole(3, 12) as usize,
            random.between(0.2, 1.0),
            random.between(0.2, 2.0),
        ),
        2 => primitives::sphere(random.between(0.2, 1.0), random.whole(1, 3) as usize),
        _ => {
            let points: Vec<Vec3> = (0..random.whole(8, 24)).map(|_| random.vector(1.0)).collect();
            let hull = convex_hull(&points).map_err(|e| e.to_string())?;
            return Solid::from_soup(&hull.soup).map_err(|e| e.to_string());
        }
    };
    Solid::from_soup(&soup.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

/// Anywhere, or on a lattice, where faces and edges are parallel.
fn pose(random: &mut Random, reach: f64) -> Result<Pose, String> {
    let pose = if random.whole(0, 1) == 0 {
        Pose::new(random.vector(reach), rotation(random))
    } else {
        let lattice = |random: &mut Random| 0.25 * (random.whole(0, 8) as f64 - 4.0);
        let at = Vec3::new(lattice(random), lattice(random), lattice(random));
        Pose::new(at, Quat::from_rotation_z(FRAC_PI_2 * random.whole(0, 3) as f64))
    };
    pose.map_err(|e| e.to_string())
}

/// How far the origin is inside the hull of all differences. A sliver of the hull may have a normal that is
/// off; how far the differences reach along it is an upper bound all the same.
fn minkowski_depth(a: &[Vec3], b: &[Vec3]) -> Result<f64, String> {
    let differences: Vec<Vec3> = a.iter().flat_map(|&p| b.iter().map(move |&q| p - q)).collect();
    let hull = convex_hull(&differences).map_err(|e| e.to_string())?.soup;
    let reach = |n: Vec3| hull.points().iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    let normal = |t: usize| {
        let [p, q, r] = hull.corners(t);
        (q - p).cross(r - p).try_normalize()
    };
    Ok((0..hull.triangles().len()).filter_map(normal).map(reach).fold(f64::INFINITY, f64::min))
}

/// Whether two closed surfaces share a point, or one is inside the other, by all pairs of triangles.
fn touch(a: &Soup, b: &Soup) -> bool {
    let placed = |soup: &Soup| -> Vec<([Vec3; 3], Aabb)> {
        (0..soup.triangles().len()).map(|t| soup.corners(t)).map(|t| (t, Aabb::of(t))).collect()
    };
    let (of_a, of_b) = (placed(a), placed(b));
    of_a.iter().any(|(ta, box_a)| {
        of_b.iter().any(|(tb, box_b)| box_a.overlaps(box_b) && triangles_intersect(ta, tb))
    }) || winding_number(a.points(), a.triangles(), b.points()[0]) > 0.5
        || winding_number(b.points(), b.triangles(), a.points()[0]) > 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_cross_or_hold_each_other_touch() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let at = |x: f64| cube.posed(&Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap());
        assert!(touch(&cube, &at(0.5)) && touch(&cube, &at(1.0)) && !touch(&cube, &at(1.01)));
        assert!(touch(&cube, &cube.scaled(0.5).unwrap()) && touch(&cube.scaled(0.5).unwrap(), &cube));
    }

    #[test]
    fn the_hull_of_differences_knows_the_depth_of_two_cubes() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let aside: Vec<Vec3> = cube.points().iter().map(|&p| p + Vec3::new(0.7, 0.2, 0.1)).collect();
        assert!((minkowski_depth(cube.points(), &aside).unwrap() - 0.3).abs() < 1e-15);
    }
}
