//! Draws the pictures of the README and the guide. Started by `cargo xtask figures`, with the folder they go
//! into.

mod contacts;
mod crowd;
mod features;
mod fits;
mod impact;
mod jamming;
mod motion;
mod overlay;
mod penetration;
mod proximity;
mod schematic;
mod small;
mod solids;

use silvia::scene::View;
use silvia::scene::picture::{Camera, Canvas, Colour};
use silvia::solid::hull::convex_hull;
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{EdgeClass, Pose, Quat, Solid, Soup, TriangleId, Vec3};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const WHITE: Colour = [1.0, 1.0, 1.0];
const INK: Colour = [0.03, 0.04, 0.07];
const RED: Colour = [0.75, 0.03, 0.03];
const BLUE: Colour = [0.20, 0.42, 0.75];
/// Colours for parts and faces: quiet ones, so that the edges stand out.
const PALETTE: [Colour; 6] = [
    [0.25, 0.47, 0.80],
    [0.88, 0.56, 0.20],
    [0.30, 0.63, 0.40],
    [0.62, 0.45, 0.78],
    [0.25, 0.65, 0.70],
    [0.85, 0.45, 0.50],
];

type Outcome = Result<(), Box<dyn Error>>;
type Draw = fn(&Path) -> Outcome;

const FIGURES: &[(&str, Draw)] = &[
    ("parts.png", parts),
    ("fits.png", fits::fits),
    ("more-fits.png", fits::more),
    ("faces.png", faces),
    ("hull.png", hull),
    ("bounds.png", proximity::bounds),
    ("closest.png", proximity::closest),
    ("voronoi.png", features::voronoi),
    ("penetration.png", penetration::way_out),
    ("pieces.png", penetration::pieces),
    ("impact.png", impact::impact),
    ("crowd.png", crowd::crowd),
    ("gauss.png", contacts::gauss),
    ("soup.png", solids::soup),
    ("topology.png", solids::topology),
    ("edges.png", solids::edge_classes),
    ("defects.png", solids::defects),
    ("repair.png", solids::repair),
    ("mass.png", solids::mass),
    ("primitives.png", solids::primitives),
    ("cut.png", solids::cutting),
    ("boolean.png", solids::booleans),
    ("files.png", solids::part_files),
    ("shapes.png", motion::shapes),
    ("steps.png", motion::steps),
    ("culling.svg", schematic::culling),
    ("problem.svg", schematic::problem),
    ("recording.svg", schematic::recording),
    ("export.svg", schematic::export),
    ("commands.svg", schematic::commands),
    ("proofs.svg", schematic::proofs),
    ("jamming.svg", jamming::diagram),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("error: name the folder for the pictures, or use `cargo xtask figures`");
        return ExitCode::from(2);
    };
    if folder.as_os_str() == "--shrink" {
        return shrink(arguments);
    }
    for (name, draw) in FIGURES {
        let path = folder.join(name);
        if let Err(error) = std::fs::create_dir_all(&folder).map_err(Into::into).and_then(|()| draw(&path)) {
            eprintln!("error: {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("{}", path.display());
    }
    ExitCode::SUCCESS
}

/// Writes PNG files that others have drawn anew, with a palette.
fn shrink(files: impl Iterator<Item = String>) -> ExitCode {
    for file in files {
        if let Err(error) = small::shrink(Path::new(&file)) {
            eprintln!("error: {file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Looks from `eye` at `target`, with a view `degrees` high, z up.
fn seen_from(eye: Vec3, target: Vec3, degrees: f64) -> Camera {
    Camera::new(&View { eye, target, angle: degrees.to_radians() }, Vec3::Z)
}

fn save(canvas: &Canvas, path: &Path) -> Outcome {
    let image = canvas.image();
    small::write(path, [image.width, image.height], &image.bytes)
}

/// Five solids in a row, concave edges in red.
fn parts(path: &Path) -> Outcome {
    let bracket = primitives::extrusion(
        &[[-1.0, -1.0], [1.0, -1.0], [1.0, -0.3], [-0.3, -0.3], [-0.3, 1.0], [-1.0, 1.0]],
        &[vec![[0.2, -0.8], [0.7, -0.8], [0.7, -0.5], [0.2, -0.5]]],
        1.0,
    )?;
    let nut = primitives::extrusion(&polygon(6, 1.0), &[polygon(24, 0.55)], 0.8)?;
    let knot = TorusKnot::TREFOIL.soup_with_triangles(12_000)?.scaled(0.42)?;
    let row = [
        (bracket, upright(-1.2)),
        (nut, upright(0.5)),
        (knot, Quat::from_rotation_x(0.9)),
        (primitives::cone(0.95, 1.9, 32)?, Quat::IDENTITY),
        (primitives::sphere(1.0, 5)?, Quat::IDENTITY),
    ];
    let camera = seen_from(Vec3::new(0.0, -16.0, 6.0), Vec3::new(0.0, 0.0, -0.05), 11.5);
    let mut canvas = Canvas::new(1200, 300, WHITE, camera);
    for (index, (soup, rotation)) in row.iter().enumerate() {
        let at = Vec3::new(2.7 * (index as f64 - 2.0), 0.0, 0.0);
        let solid = Solid::from_soup(&soup.posed(&Pose::new(at, *rotation)?))?;
        canvas.triangles(solid.soup(), |_| PALETTE[index]);
        // The many small folds of a round body would hide it.
        if solid.edge_count() < 1000 {
            edges(&mut canvas, &solid);
        }
    }
    save(&canvas, path)
}

/// The same part as triangles and as faces.
fn faces(path: &Path) -> Outcome {
    let outline = [[-1.5, -1.0], [1.5, -1.0], [1.5, 0.0], [0.0, 0.0], [0.0, 1.2], [-1.5, 1.2]];
    let plate = primitives::extrusion(&outline, &[moved(&polygon(12, 0.35), -0.75, -0.1)], 0.7)?;
    let camera = seen_from(Vec3::new(0.0, -30.0, 26.0), Vec3::ZERO, 4.8);
    let mut canvas = Canvas::new(900, 380, WHITE, camera);
    // Turned so that the inner corner of the L is seen.
    let placed = |x: f64| Pose::new(Vec3::new(x, 0.0, 0.0), Quat::from_rotation_z(-2.0));
    let left = Solid::from_soup(&plate.posed(&placed(-2.0)?))?;
    canvas.triangles(left.soup(), |_| [0.72, 0.74, 0.78]);
    wireframe(&mut canvas, left.soup());
    let right = Solid::from_soup(&plate.posed(&placed(2.0)?))?;
    canvas.triangles(right.soup(), |t| {
        PALETTE[right.face_of_triangle(TriangleId(t as u32)).index() % PALETTE.len()]
    });
    edges(&mut canvas, &right);
    save(&canvas, path)
}

/// Points and their hull, seen through its edges.
fn hull(path: &Path) -> Outcome {
    // Multiples of three numbers that are far from any ratio: evenly spread, and the same on every run.
    let points: Vec<Vec3> = (1..=160)
        .map(|i| {
            let turn = |ratio: f64| 2.0 * (f64::from(i) * ratio).fract() - 1.0;
            Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478))
        })
        .filter(|p| p.length() < 1.0)
        .collect();
    let around = Solid::from_soup(&convex_hull(&points)?.soup)?;
    let camera = seen_from(Vec3::new(2.0, -9.0, 4.0), Vec3::ZERO, 14.0);
    let mut canvas = Canvas::new(900, 380, WHITE, camera);
    let shift = Vec3::new(-1.25, 0.0, 0.0);
    points.iter().for_each(|&p| canvas.dot(p + shift, 5.0, BLUE));
    let solid = Solid::from_soup(&around.soup().posed(&Pose::from_translation(-shift)?))?;
    canvas.triangles(solid.soup(), |_| PALETTE[0]);
    edges(&mut canvas, &solid);
    save(&canvas, path)
}

/// Ridges in ink, grooves in red.
fn edges(canvas: &mut Canvas, solid: &Solid) {
    for edge in solid.edges().map(|id| solid.edge(id)) {
        let [a, b] = edge.vertices.map(|v| solid.point(v));
        match edge.class {
            EdgeClass::Convex => canvas.line(a, b, 1.5, INK),
            EdgeClass::Concave => canvas.line(a, b, 3.0, RED),
            EdgeClass::Flat => {}
        }
    }
}

fn wireframe(canvas: &mut Canvas, soup: &Soup) {
    for triangle in 0..soup.triangles().len() {
        let [a, b, c] = soup.corners(triangle);
        [(a, b), (b, c), (c, a)].into_iter().for_each(|(p, q)| canvas.line(p, q, 1.2, INK));
    }
}

/// Turned about z, and leaning towards the eye.
fn upright(turn: f64) -> Quat {
    Quat::from_rotation_x(0.5) * Quat::from_rotation_z(turn)
}

fn polygon(sides: usize, radius: f64) -> Vec<[f64; 2]> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / sides as f64;
    (0..sides).map(|i| [radius * angle(i).cos(), radius * angle(i).sin()]).collect()
}

fn moved(outline: &[[f64; 2]], x: f64, y: f64) -> Vec<[f64; 2]> {
    outline.iter().map(|p| [p[0] + x, p[1] + y]).collect()
}
