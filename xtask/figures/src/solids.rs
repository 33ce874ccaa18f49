//! Pictures of what solids are and of what is done to them.

use crate::{BLUE, INK, Outcome, PALETTE, RED, WHITE, edges, polygon, save, seen_from, upright, wireframe};
use silvia::scene::picture::{Camera, Canvas, Colour};
use silvia::solid::boolean::{Operation, boolean};
use silvia::solid::check::{DefectKind, Report};
use silvia::solid::cut::cut;
use silvia::solid::files;
use silvia::solid::parts::l_bracket;
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{Plane, Pose, Quat, SideId, Solid, Soup, TriangleId, Vec3};
use std::path::Path;

const GREY: Colour = [0.72, 0.74, 0.78];
const GREEN: Colour = [0.0, 0.38, 0.08];

fn camera(high: f64) -> Camera {
    seen_from(Vec3::new(0.0, -30.0, 17.0), Vec3::ZERO, high)
}

fn placed(soup: &Soup, x: f64, turn: f64) -> Result<Soup, silvia::solid::PoseError> {
    Ok(soup.posed(&Pose::new(Vec3::new(x, 0.0, 0.0), Quat::from_rotation_z(turn))?))
}

/// Moved so that the middle of its bounds is at a place.
fn centered(soup: &Soup, at: Vec3) -> Result<Soup, silvia::solid::PoseError> {
    let bounds = soup.bounds();
    Ok(soup.posed(&Pose::from_translation(at - 0.5 * (bounds.min + bounds.max))?))
}

/// An L with a hole.
fn part() -> Result<Soup, primitives::PrimitiveError> {
    let outline = [[-1.5, -1.1], [1.5, -1.1], [1.5, -0.1], [0.0, -0.1], [0.0, 1.1], [-1.5, 1.1]];
    let hole = polygon(12, 0.33).iter().map(|p| [p[0] - 0.75, p[1] - 0.1]).collect();
    primitives::extrusion(&outline, &[hole], 0.8)
}

/// Loose triangles on the left, the solid that is made of them on the right.
pub(crate) fn soup(path: &Path) -> Outcome {
    let mut canvas = Canvas::new(900, 360, WHITE, camera(6.3));
    let loose = placed(&part()?, -2.4, -2.0)?;
    let middle = Vec3::new(-2.4, 0.0, 0.0);
    for triangle in 0..loose.triangles().len() {
        let corners = loose.corners(triangle);
        let away = 0.35 * ((corners[0] + corners[1] + corners[2]) / 3.0 - middle);
        let corners = corners.map(|p| p + away);
        let one = Soup::new(corners.to_vec(), vec![[0, 1, 2]])?;
        canvas.triangles(&one, |_| PALETTE[triangle % PALETTE.len()]);
    }
    let solid = Solid::from_soup(&placed(&part()?, 2.5, -2.0)?)?;
    canvas.triangles(solid.soup(), |_| GREY);
    edges(&mut canvas, &solid);
    save(&canvas, path)
}

/// A side, its mate, a vertex and a face.
pub(crate) fn topology(path: &Path) -> Outcome {
    let solid = Solid::from_soup(&placed(&part()?, 0.0, -2.0)?)?;
    let mut canvas = Canvas::new(900, 380, WHITE, camera(5.2));
    // The side on an edge of the top that lies nearest to the eye: both its triangles are seen.
    let eye = Vec3::new(0.0, -30.0, 17.0);
    let seen = |t: TriangleId| {
        let [a, b, c] = solid.soup().corners(t.index());
        (b - a).cross(c - a).dot(eye - a) > 0.0
    };
    let top = |side: SideId| {
        let [a, b, c] = solid.soup().corners(side.triangle().index());
        (b - a).cross(c - a).normalize().z > 0.9
    };
    let length = |side: SideId| {
        solid.point(solid.start_of_side(side)).distance(solid.point(solid.start_of_side(side.next())))
    };
    let side = (0..3 * solid.soup().triangles().len())
        .map(|side| SideId(side as u32))
        .filter(|&side| top(side) && solid.edge_of_side(side).is_some() && seen(solid.mate(side).triangle()))
        .max_by(|&a, &b| length(a).total_cmp(&length(b)))
        .ok_or("the part has an edge in sight")?;
    let face = solid.face_of_triangle(side.triangle());
    let mate = solid.mate(side).triangle();
    canvas.triangles(solid.soup(), |t| match TriangleId(t as u32) {
        t if t == side.triangle() => PALETTE[1],
        t if t == mate => PALETTE[2],
        t if solid.face_of_triangle(t) == face => PALETTE[0],
        _ => GREY,
    });
    wireframe(&mut canvas, solid.soup());
    let [from, to] = [side, side.next()].map(|side| solid.point(solid.start_of_side(side)));
    canvas.line(from, to, 5.0, RED);
    canvas.dot(from, 13.0, RED);
    save(&canvas, path)
}

/// Ridges in ink, grooves in red, sides within faces in pale ink.
pub(crate) fn edge_classes(path: &Path) -> Outcome {
    let bracket = l_bracket(2.4, 1.8, 0.5, 1.6)?;
    let cross = {
        let (a, b) = (0.4, 1.3);
        let outline = [
            [a, a],
            [a, b],
            [-a, b],
            [-a, a],
            [-b, a],
            [-b, -a],
            [-a, -a],
            [-a, -b],
            [a, -b],
            [a, -a],
            [b, -a],
            [b, a],
        ];
        let anticlockwise: Vec<[f64; 2]> = outline.to_vec();
        primitives::extrusion(&anticlockwise, &[], 0.8)?
    };
    let mut canvas = Canvas::new(900, 320, WHITE, camera(6.2));
    let lying = Quat::from_rotation_z(-0.5) * Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let bracket = centered(&bracket.posed(&Pose::new(Vec3::ZERO, lying)?), Vec3::new(-1.9, 0.0, 0.0))?;
    for (index, soup) in [bracket, placed(&cross, 1.9, 0.4)?].iter().enumerate() {
        let solid = Solid::from_soup(soup)?;
        canvas.triangles(solid.soup(), |_| PALETTE[index]);
        edges(&mut canvas, &solid);
    }
    save(&canvas, path)
}

/// A hole, a triangle the wrong way round, and an edge of four triangles.
pub(crate) fn defects(path: &Path) -> Outcome {
    let mut canvas = Canvas::new(900, 320, WHITE, camera(5.4));
    let cube = primitives::cuboid(Vec3::splat(1.5))?;
    let (points, triangles) = cube.clone().into_parts();
    let top: Vec<usize> =
        (0..triangles.len()).filter(|&t| triangles[t].iter().all(|&p| points[p as usize].z > 0.0)).collect();
    let first = *top.first().ok_or("a cube has a top")?;
    let open: Vec<[u32; 3]> = (0..triangles.len()).filter(|&t| t != first).map(|t| triangles[t]).collect();
    let open = Soup::new(points.clone(), open)?;
    let mut turned = triangles;
    turned[first].swap(0, 1);
    let turned = Soup::new(points, turned)?;
    let beside = cube.posed(&Pose::from_translation(Vec3::new(1.5, 1.5, 0.0))?);
    let doubled = Soup::joined([&cube.posed(&Pose::from_translation(Vec3::new(0.0, 0.0, 0.0))?), &beside])?;
    let doubled = centered(&doubled.scaled(0.7)?, Vec3::ZERO)?;
    for (x, soup, turn) in [(-3.1, &open, 0.6), (0.0, &turned, 0.6), (3.1, &doubled, 0.25)] {
        let soup = placed(soup, x, turn)?;
        canvas.triangles(&soup, |t| if x == 0.0 && t == first { PALETTE[1] } else { GREY });
        wireframe(&mut canvas, &soup);
        let report = Report::of(&soup);
        for kind in [DefectKind::OpenEdge, DefectKind::InconsistentOrientation, DefectKind::NonManifoldEdge] {
            for place in report.places(kind) {
                let corners = soup.corners(place.triangle as usize);
                // A place is the middle of the side.
                let ends = (0..3).map(|i| [corners[i], corners[(i + 1) % 3]]);
                let off = |s: &[Vec3; 2]| (0.5 * (s[0] + s[1])).distance(place.at);
                if let Some([a, b]) = ends.min_by(|s, t| off(s).total_cmp(&off(t))) {
                    canvas.line(a, b, 5.0, RED);
                }
            }
        }
    }
    save(&canvas, path)
}

/// Corners that should be one point, and the same part welded.
pub(crate) fn repair(path: &Path) -> Outcome {
    let mut canvas = Canvas::new(900, 320, WHITE, camera(4.6));
    let soup = placed(&primitives::prism(6, 1.2, 1.2)?, -2.4, 0.3)?;
    let middle = Vec3::new(-2.4, 0.0, 0.0);
    for triangle in 0..soup.triangles().len() {
        let corners = soup.corners(triangle);
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        // Gaps are drawn much larger than a weld would close.
        let corners = corners.map(|p| center + 0.9 * (p - center) + 0.04 * (center - middle));
        let one = Soup::new(corners.to_vec(), vec![[0, 1, 2]])?;
        canvas.triangles(&one, |_| GREY);
        wireframe(&mut canvas, &one);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if normal.dot(Vec3::new(0.0, -30.0, 17.0) - center) > 0.0 {
            corners.iter().for_each(|&p| canvas.dot(p, 7.0, RED));
        }
    }
    let solid = Solid::from_soup(&placed(&primitives::prism(6, 1.2, 1.2)?, 2.4, 0.3)?)?;
    canvas.triangles(solid.soup(), |_| PALETTE[0]);
    edges(&mut canvas, &solid);
    save(&canvas, path)
}

/// The centre of mass of a bracket, outside of its material, and its principal axes.
pub(crate) fn mass(path: &Path) -> Outcome {
    let bracket = Solid::from_soup(&l_bracket(3.0, 3.0, 0.45, 1.2)?)?;
    let mut canvas = Canvas::new(900, 400, WHITE, camera(8.0));
    let lying = Quat::from_rotation_z(-0.5) * Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let turned = bracket.soup().posed(&Pose::new(Vec3::ZERO, lying)?);
    let solid = Solid::from_soup(&centered(&turned, Vec3::ZERO)?)?;
    canvas.triangles(solid.soup(), |_| GREY);
    edges(&mut canvas, &solid);
    let mass = solid.mass();
    let axes = mass.principal().axes;
    for (axis, color) in [(axes.x_axis, RED), (axes.y_axis, GREEN), (axes.z_axis, BLUE)] {
        canvas.line(mass.center - 1.7 * axis, mass.center + 1.7 * axis, 4.0, color);
    }
    canvas.dot(mass.center, 15.0, INK);
    save(&canvas, path)
}

/// One of each.
pub(crate) fn primitives(path: &Path) -> Outcome {
    let star: Vec<[f64; 2]> = (0..10)
        .map(|i| {
            let (radius, angle) =
                (if i % 2 == 0 { 1.0 } else { 0.5 }, std::f64::consts::TAU * f64::from(i) / 10.0);
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let row = [
        primitives::cuboid(Vec3::splat(1.4))?,
        primitives::prism(5, 0.95, 1.3)?,
        primitives::extrusion(&star, &[polygon(12, 0.25)], 0.9)?,
        primitives::cylinder(0.8, 1.5, 32)?,
        primitives::cone(0.9, 1.7, 32)?,
        primitives::frustum(0.95, 0.5, 1.4, 32)?,
        primitives::sphere(0.95, 6)?,
        primitives::torus(0.75, 0.28, 40, 16)?,
        TorusKnot::TREFOIL.soup_with_triangles(6000)?.scaled(0.32)?,
    ];
    let mut canvas = Canvas::new(1200, 220, WHITE, seen_from(Vec3::new(0.0, -60.0, 26.0), Vec3::ZERO, 3.6));
    for (index, soup) in row.iter().enumerate() {
        let place = Pose::new(Vec3::new(2.45 * (index as f64 - 4.0), 0.0, 0.0), upright(0.5))?;
        let solid = Solid::from_soup(&soup.posed(&place))?;
        canvas.triangles(solid.soup(), |_| PALETTE[index % PALETTE.len()]);
        if solid.edge_count() < 150 {
            edges(&mut canvas, &solid);
        }
    }
    save(&canvas, path)
}

/// A knot cut in two, its caps in another colour.
pub(crate) fn cutting(path: &Path) -> Outcome {
    let knot = TorusKnot::TREFOIL
        .soup_with_triangles(8000)?
        .posed(&Pose::new(Vec3::ZERO, Quat::from_rotation_x(0.5))?);
    let knot = Solid::from_soup(&knot)?;
    let plane = Plane::through(Vec3::ZERO, Vec3::X);
    let (behind, before) = cut(&knot, &plane)?;
    let mut canvas = Canvas::new(900, 360, WHITE, seen_from(Vec3::new(9.0, -28.0, 14.0), Vec3::ZERO, 14.0));
    for (half, shift, color) in [(behind, -1.8, PALETTE[0]), (before, 1.8, PALETTE[0])] {
        let half = half.ok_or("the plane meets the knot")?;
        let cap = |t: usize| half.soup().corners(t).iter().all(|p| p.x.abs() < 1e-9);
        let moved = half.soup().posed(&Pose::from_translation(Vec3::new(shift, 0.0, 0.0))?);
        canvas.triangles(&moved, |t| if cap(t) { PALETTE[1] } else { color });
    }
    save(&canvas, path)
}

/// A cube and a pin: union, difference, intersection.
pub(crate) fn booleans(path: &Path) -> Outcome {
    let block = primitives::cuboid(Vec3::splat(1.6))?;
    let pin = primitives::cylinder(0.55, 2.6, 32)?;
    let mut canvas = Canvas::new(900, 320, WHITE, camera(6.4));
    let operations = [Operation::Union, Operation::Difference, Operation::Intersection];
    for (index, operation) in operations.into_iter().enumerate() {
        let solids = [Solid::from_soup(&block)?, Solid::from_soup(&pin)?];
        let result = boolean(operation, &solids[0], &solids[1])?.ok_or("something is left")?;
        let result = Solid::from_soup(&placed(result.soup(), 3.4 * (index as f64 - 1.0), 0.5)?)?;
        canvas.triangles(result.soup(), |_| PALETTE[index]);
        edges(&mut canvas, &result);
    }
    save(&canvas, path)
}

/// The part files of the repository, as read.
pub(crate) fn part_files(path: &Path) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../parts");
    let mut canvas = Canvas::new(900, 320, WHITE, camera(6.6));
    for (index, name) in ["bracket.stl", "knot.stl"].into_iter().enumerate() {
        let soup = files::read(folder.join(name))?.soup;
        let bounds = soup.bounds();
        let scale = 2.4 / (bounds.max - bounds.min).max_element();
        let centered =
            soup.posed(&Pose::from_translation(-0.5 * (bounds.min + bounds.max))?).scaled(scale)?;
        let soup = placed(
            &centered.posed(&Pose::new(Vec3::ZERO, Quat::from_rotation_x(0.3))?),
            4.0 * index as f64 - 2.0,
            -0.4,
        )?;
        canvas.triangles(&soup, |_| PALETTE[index]);
        if let Ok(solid) = Solid::from_soup(&soup)
            && solid.edge_count() < 200
        {
            edges(&mut canvas, &solid);
        } else {
            // Triangles of the file.
            for triangle in 0..soup.triangles().len() {
                let [a, b, c] = soup.corners(triangle);
                [(a, b), (b, c), (c, a)].into_iter().for_each(|(p, q)| canvas.line(p, q, 0.5, INK));
            }
        }
    }
    save(&canvas, path)
}
