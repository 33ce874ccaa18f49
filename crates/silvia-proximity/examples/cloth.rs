//! What a step of a cloth costs: `cargo run --release -p silvia-proximity --example cloth -- 70`.
//!
//! A square sheet of twice so many squared triangles hangs over a ball, as near as it says, and moves by a
//! tenth of that. Prints the median time of moving its vertices and of certifying the step, in microseconds,
//! against the ball as a solid of 5120 triangles and as a smooth shape.

use silvia_proximity::{ContactBody, RigidPath, Shape, VertexPath, check_path};
use silvia_solid::{Pose, Solid, Soup, SoupError, Vec3, primitives};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let across = std::env::args().nth(1).map_or(Ok(70), |n| n.parse::<u32>())?;
    let solid = Shape::solid(Solid::from_soup(&primitives::sphere(0.3, 16)?)?);
    let others = [("solid", ContactBody::new(&solid)), ("smooth", ContactBody::new(&Shape::sphere(0.3)?))];
    let rest = RigidPath::still(Pose::IDENTITY);
    println!("{} triangles. gap (m), other: move (µs), certify (µs), free until, work", 2 * across * across);
    for gap in [0.1, 1e-2, 1e-3, 1e-4] {
        let sheet = sheet(across, gap)?;
        let here = ContactBody::new(&Shape::soup(sheet.clone()));
        for (name, other) in &others {
            let mut there = here.clone();
            let (mut moves, mut checks) = (Vec::new(), Vec::new());
            let (mut free_until, mut work) = (0.0, 0);
            for round in 0..31 {
                // Down, and a little to the side.
                let by = Vec3::new(1e-3 * f64::from(round), 0.0, -1.0) * 0.1 * gap;
                let points: Vec<Vec3> = sheet.points().iter().map(|&p| p + by).collect();
                let start = Instant::now();
                there.move_vertices(&points)?;
                moves.push(start.elapsed().as_secs_f64());
                let path = VertexPath::new(&here, &there)?;
                let start = Instant::now();
                let check = check_path(&here, path, other, &rest);
                checks.push(start.elapsed().as_secs_f64());
                (free_until, work) = (check.free_until, check.work);
            }
            let (moves, checks) = (1e6 * median(moves), 1e6 * median(checks));
            println!("{gap:.0e}, {name}: {moves:.0}, {checks:.0}, {free_until}, {work}");
        }
    }
    Ok(())
}

/// A sheet that lies on a ball of radius 0.3 m, so far above it, and hangs down beside it.
fn sheet(across: u32, gap: f64) -> Result<Soup, SoupError> {
    let line = across + 1;
    let place = |k: u32| f64::from(k) / f64::from(across) - 0.5;
    let drape = |k: u32| {
        let (x, y) = (place(k % line), place(k / line));
        let (out, radius) = (x.hypot(y), 0.3 + gap);
        // As long along the ball as it was when flat; from the equator on straight down.
        let angle = (out / radius).min(std::f64::consts::FRAC_PI_2);
        let down = (out - angle * radius).max(0.0);
        let aside = if out > 0.0 { radius * angle.sin() / out } else { 0.0 };
        Vec3::new(aside * x, aside * y, radius * angle.cos() - down)
    };
    let square = |k: u32| {
        let p = k / across * line + k % across;
        [[p, p + 1, p + line + 1], [p, p + line + 1, p + line]]
    };
    Soup::new((0..line * line).map(drape).collect(), (0..across * across).flat_map(square).collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
