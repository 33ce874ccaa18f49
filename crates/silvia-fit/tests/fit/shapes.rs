//! Parts for the tests, at their goal.

use silvia_fit::Part;
use silvia_proximity::Shape;
use silvia_solid::boolean::{Operation, boolean};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};
use std::f64::consts::TAU;

pub(crate) fn solid(soup: &Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

pub(crate) fn part(name: &str, solid: Solid, goal: Pose) -> Part {
    Part::new(name, Shape::solid(solid), goal)
}

/// The same parts turned and moved together.
pub(crate) fn turned(parts: Vec<Part>) -> Vec<Part> {
    let turn = Quat::from_scaled_axis(Vec3::new(0.4, -0.7, 0.3));
    let frame = Pose::new(Vec3::new(0.1, -0.05, 0.02), turn).unwrap();
    parts.into_iter().map(|part| Part { goal: frame.compose(&part.goal), ..part }).collect()
}

/// A box between two corners, mm.
pub(crate) fn block(low: [f64; 3], high: [f64; 3]) -> Solid {
    let [low, high] = [low, high].map(|p| 1e-3 * Vec3::from_array(p));
    let soup = primitives::cuboid(high - low).unwrap();
    let at = Pose::from_translation(0.5 * (low + high)).unwrap();
    solid(&soup.posed(&at))
}

pub(crate) fn without(from: Solid, what: &[Solid]) -> Solid {
    what.iter().fold(from, |left, cut| boolean(Operation::Difference, &left, cut).unwrap().unwrap())
}

pub(crate) fn with(to: Solid, what: &[Solid]) -> Solid {
    what.iter().fold(to, |all, more| boolean(Operation::Union, &all, more).unwrap().unwrap())
}

/// A body of revolution about z. The outline goes from the axis to the axis, outside first, mm.
pub(crate) fn revolved(outline: &[[f64; 2]], segments: usize) -> Solid {
    let (mut points, mut polygons) = (Vec::new(), Vec::new());
    let rings: Vec<Vec<u32>> = outline
        .iter()
        .map(|&[radius, z]| {
            let count = if radius == 0.0 { 1 } else { segments };
            (0..count)
                .map(|i| {
                    let (sin, cos) = (TAU * i as f64 / segments as f64).sin_cos();
                    points.push(1e-3 * Vec3::new(radius * cos, radius * sin, z));
                    points.len() as u32 - 1
                })
                .collect()
        })
        .collect();
    for ends in rings.windows(2) {
        let [below, above] = [&ends[0], &ends[1]];
        for i in 0..segments {
            let at = |ring: &Vec<u32>, i: usize| ring[i % segments % ring.len()];
            let mut corners = vec![at(below, i), at(below, i + 1), at(above, i + 1), at(above, i)];
            corners.dedup();
            if corners.first() == corners.last() {
                corners.pop();
            }
            polygons.push(vec![corners]);
        }
    }
    solid(&Soup::from_polygons(points, &polygons).unwrap())
}

/// A bottle whose neck is 12 mm wide, closed but for that.
pub(crate) fn bottle() -> Solid {
    let outline = [
        [0.0, 0.0],
        [20.0, 0.0],
        [20.0, 40.0],
        [8.0, 52.0],
        [8.0, 64.0],
        [6.0, 64.0],
        [6.0, 51.0],
        [17.5, 39.5],
        [17.5, 2.0],
        [0.0, 2.0],
    ];
    revolved(&outline, 16)
}

/// A ship of 9 mm by 14 mm by 24 mm with a mast, on the floor of the bottle.
pub(crate) fn ship(beam: f64) -> Solid {
    let hull = block([-0.5 * beam, -12.0, 3.0], [0.5 * beam, 12.0, 12.0]);
    with(hull, &[block([-1.0, -1.0, 11.0], [1.0, 1.0, 30.0])])
}

/// A block, a tenon in a slot of it, and a pin through both that keeps the tenon in.
pub(crate) fn pinned() -> Vec<Part> {
    let hole = block([-30.0, -2.05, -7.05], [30.0, 2.05, -2.95]);
    let block_of = without(
        block([-20.0, -20.0, -15.0], [20.0, 20.0, 5.0]),
        &[block([-5.05, -10.05, -10.0], [5.05, 10.05, 6.0]), hole.clone()],
    );
    let tenon = without(block([-5.0, -10.0, -9.9], [5.0, 10.0, 12.0]), &[hole]);
    let pin =
        with(block([-24.0, -2.0, -7.0], [24.0, 2.0, -3.0]), &[block([23.0, -4.0, -9.0], [28.0, 4.0, -1.0])]);
    vec![
        part("block", block_of, Pose::IDENTITY),
        part("pin", pin, Pose::IDENTITY),
        part("tenon", tenon, Pose::IDENTITY),
    ]
}
