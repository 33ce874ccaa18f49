//! The work that all sides do: knots on their ways, and sheets that deform.

use bench_common::{Random, normal, positive};
use silvia::proximity::Motion;
use silvia::solid::primitives::TorusKnot;
use silvia::solid::{Pose, Quat, Soup, Vec3};
use std::error::Error;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// How a knot moves with respect to another that rests at the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From one side through it to the other: all hit.
    Through,
    /// Past it: some hit.
    Past,
    /// A short step next to it, as in a simulation: a few hit.
    Step,
}

impl Way {
    pub(crate) const ALL: [Way; 3] = [Way::Through, Way::Past, Way::Step];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Through => "through, half a turn",
            Way::Past => "past, half a turn",
            Way::Step => "a step of 0.3 m and 0.1 rad",
        }
    }
}

/// A motion as every side can express it: the knot's origin goes straight from the first pose to the second
/// while the knot turns at a constant rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) start: Pose,
    pub(crate) end: Pose,
    /// Over the interval, rad, along the axis.
    pub(crate) rotation: Vec3,
}

impl Course {
    pub(crate) fn motion(&self) -> Motion {
        Motion::rigid(self.start, self.end)
    }
}

/// A trefoil tube of about so many triangles.
pub(crate) fn knot(triangles: usize) -> Result<Soup, Box<dyn Error>> {
    Ok(TorusKnot::TREFOIL.soup_with_triangles(triangles)?)
}

/// Motions in random directions with random turns; the same on every run. Knots are 6.6 m wide; none touch at
/// the start.
pub(crate) fn courses(
    way: Way,
    count: usize,
    is_free: impl Fn(&Pose) -> bool,
) -> Result<Vec<Course>, Box<dyn Error>> {
    let mut random = Random::new(way as u64 ^ 0x5173_1a00);
    let mut found = Vec::new();
    while found.len() < count {
        let (distance, aside, travel, angle) = match way {
            Way::Through => (8.0, 0.0, 16.0, 3.1),
            Way::Past => (8.0, 5.5, 16.0, 3.1),
            Way::Step => (5.5, 2.0, 0.3, 0.1),
        };
        let towards = direction(&mut random);
        let sideways = towards.cross(direction(&mut random)).normalize();
        let from = -distance * towards + aside * positive(&mut random) * sideways;
        let start = Pose::new(from, rotation(&mut random))?;
        let rotation = direction(&mut random) * angle;
        let turn = Quat::from_scaled_axis(rotation);
        let end = Pose::new(from + travel * towards, turn * start.rotation())?;
        if is_free(&start) {
            found.push(Course { start, end, rotation });
        }
    }
    Ok(found)
}

/// A sheet with waves, at the start and at the end of a motion of its vertices.
pub(crate) struct Sheet {
    pub(crate) start: Soup,
    pub(crate) end: Vec<Vec3>,
}

/// Two sheets of about so many triangles, 1 m wide: an upper one with small waves falls onto a lower one
/// while both ripple and shear.
pub(crate) fn sheets(triangles: usize) -> Result<[Sheet; 2], Box<dyn Error>> {
    let cells = ((triangles as f64 / 2.0).sqrt().round() as u32).max(2);
    let corner = |i: u32, j: u32| i * (cells + 1) + j;
    let mut faces = Vec::new();
    for i in 0..cells {
        for j in 0..cells {
            let [p, q, r, s] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            faces.extend([[p, q, r], [p, r, s]]);
        }
    }
    let grid = |place: &dyn Fn(f64, f64) -> Vec3| -> Vec<Vec3> {
        let step = 1.0 / f64::from(cells);
        let at = |k: u32| f64::from(k) * step - 0.5;
        (0..=cells).flat_map(|i| (0..=cells).map(move |j| (i, j))).map(|(i, j)| place(at(i), at(j))).collect()
    };
    let wave = |x: f64, y: f64, k: f64, phase: f64| (k * TAU * x + phase).sin() * (k * TAU * y - phase).cos();
    let lower = Sheet {
        start: Soup::new(grid(&|x, y| Vec3::new(x, y, 0.02 * wave(x, y, 2.0, 0.0))), faces.clone())?,
        end: grid(&|x, y| Vec3::new(x + 0.01 * y, y, 0.02 * wave(x, y, 2.0, 1.0))),
    };
    let upper = Sheet {
        start: Soup::new(
            grid(&|x, y| Vec3::new(x + 1e-3, y + 1e-3, 0.1 + 0.02 * wave(x, y, 3.0, 0.5))),
            faces,
        )?,
        end: grid(&|x, y| Vec3::new(x - 0.02 * y, y + 0.01 * x, 0.01 + 0.02 * wave(x, y, 3.0, 1.5))),
    };
    Ok([lower, upper])
}

/// Points and triangles as raw files, for the peers.
pub(crate) fn write_raw(
    folder: &Path,
    name: &str,
    points: &[Vec3],
    triangles: &[[u32; 3]],
) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let files = ["points", "triangles"].map(|what| folder.join(format!("impact-{name}-{what}.bin")));
    let coordinates: Vec<u8> = points.iter().flat_map(|p| p.to_array()).flat_map(f64::to_le_bytes).collect();
    std::fs::write(&files[0], coordinates)?;
    std::fs::write(&files[1], triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>())?;
    Ok(files)
}

fn direction(random: &mut Random) -> Vec3 {
    Vec3::new(normal(random), normal(random), normal(random)).normalize()
}

fn rotation(random: &mut Random) -> Quat {
    Quat::from_xyzw(normal(random), normal(random), normal(random), normal(random)).normalize()
}
