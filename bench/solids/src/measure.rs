//! One measurement: what a side found out about a file, in what time and memory.

use serde::{Deserialize, Serialize};
use silvia::solid::files::read;
use silvia::solid::primitives::{PrimitiveError, TorusKnot, sphere};
use silvia::solid::{Solid, Soup};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Relative difference allowed between the two sides' volumes and so on: they add up in different orders.
const AGREEMENT: f64 = 1e-6;

/// What a side prints, as one line of JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct Measurement {
    pub(crate) seconds: Seconds,
    pub(crate) peak_mib: f64,
    pub(crate) values: Values,
}

/// Time of each part of the work. Where a side mixes the parts, its own script says where it drew the line.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Seconds {
    pub(crate) read: f64,
    pub(crate) topology: f64,
    pub(crate) mass: f64,
    pub(crate) total: f64,
}

/// What both sides find out.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Values {
    pub(crate) triangles: usize,
    pub(crate) vertices: usize,
    pub(crate) sides: usize,
    pub(crate) closed: bool,
    pub(crate) oriented: bool,
    pub(crate) components: usize,
    pub(crate) genus: usize,
    pub(crate) convex: bool,
    pub(crate) volume: f64,
    pub(crate) area: f64,
    pub(crate) center: [f64; 3],
    pub(crate) inertia: [[f64; 3]; 3],
    pub(crate) bounds: [[f64; 3]; 2],
}

/// Does our side of the work on a file and prints the measurement.
pub(crate) fn here(file: &Path) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let soup = read(file)?.soup;
    let read = start.elapsed().as_secs_f64();
    // Faces, edge classes, convexity and mass properties are part of making a solid.
    let solid = Solid::from_soup(&soup)?;
    let report = solid.report();
    let edges = solid.edge_counts();
    let total = start.elapsed().as_secs_f64();

    std::hint::black_box(edges);
    let (mass, bounds) = (solid.mass(), solid.bounds());
    let values = Values {
        triangles: report.triangles,
        vertices: report.vertices,
        sides: report.sides,
        closed: report.is_closed(),
        oriented: report.is_oriented(),
        components: report.components,
        genus: solid.genus(),
        convex: solid.is_convex(),
        volume: mass.volume,
        area: mass.area,
        center: mass.center.to_array(),
        inertia: mass.inertia.to_cols_array_2d(),
        bounds: [bounds.min.to_array(), bounds.max.to_array()],
    };
    let seconds = Seconds { read, topology: total - read, mass: 0.0, total };
    let peak_mib = bench_common::peak_memory_mib().unwrap_or(f64::NAN);
    println!("{}", serde_json::to_string(&Measurement { seconds, peak_mib, values })?);
    Ok(())
}

/// A part of about so many triangles.
pub(crate) fn shape(part: &str, triangles: usize) -> Result<Soup, PrimitiveError> {
    match part {
        "sphere" => sphere(1.0, (triangles as f64 / 20.0).sqrt().round() as usize),
        _ => TorusKnot::TREFOIL.soup_with_triangles(triangles),
    }
}

impl Values {
    /// Whether both sides found the same; convexity is not compared, since each has its own tolerance.
    pub(crate) fn agree_with(&self, other: &Values) -> Result<(), String> {
        let counts =
            |v: &Values| (v.triangles, v.vertices, v.sides, v.closed, v.oriented, v.components, v.genus);
        let numbers = |v: &Values| {
            let scalars = [v.volume, v.area];
            scalars.into_iter().chain(v.center).chain(v.bounds.into_iter().flatten()).collect::<Vec<f64>>()
        };
        let near = |a: &f64, b: &f64| (a - b).abs() <= AGREEMENT * self.volume.abs().max(1.0);
        let inertia = |v: &Values| v.inertia.into_iter().flatten().collect::<Vec<f64>>();
        let all_near = numbers(self).iter().zip(&numbers(other)).all(|(a, b)| near(a, b))
            && inertia(self).iter().zip(&inertia(other)).all(|(a, b)| near(a, b));
        if counts(self) == counts(other) && all_near {
            return Ok(());
        }
        Err(format!("the two sides do not agree:\nsilvia:  {self:?}\ntrimesh: {other:?}"))
    }
}
