//! Shared by `silvia collide`, `distance`, `penetration` and `contacts`: two parts, the poses of the second,
//! and the loop over them.

use crate::failure::Failure;
use crate::poses::{self, Placement};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use silvia::proximity::Surface;
use silvia::solid::files::{ReadOptions, Unit, read_with};
use silvia::solid::{Pose, Solid};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Two parts, and the poses of the second.
#[derive(clap::Args)]
pub(crate) struct Pair {
    /// The first part: an STL, OBJ or PLY file.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second part.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Pose of B in A's frame: tx,ty,tz,qw,qx,qy,qz, or tx,ty,tz; by default where its file puts it.
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with = "poses")]
    pose: Option<Placement>,
    /// A CSV file of such poses, one per row: one query each.
    #[arg(long, value_name = "FILE")]
    poses: Option<PathBuf>,
    /// Unit of the numbers in the files and of the poses' translations: m, mm, cm, um, in or ft.
    #[arg(long, default_value = "m")]
    pub(crate) unit: Unit,
    /// The bounding volume of the hierarchy; affects speed, never the answer.
    #[arg(long, value_enum, default_value = "obb")]
    pub(crate) bound: BoundKind,
    /// Treat both parts as surfaces, without an inside even if they are closed.
    #[arg(long)]
    surface: bool,
    /// Print one JSON object per query, each on a line, and one for the time.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The bounding volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BoundKind {
    Sphere,
    Aabb,
    Obb,
    Dop14,
    Dop18,
    Dop26,
}

/// Calls a generic function with the chosen bounding volume.
macro_rules! with_bound {
    ($kind:expr, $function:ident($($argument:expr),*)) => {{
        use silvia::proximity::bounds;
        match $kind {
            $crate::pair::BoundKind::Sphere => $function::<bounds::Sphere>($($argument),*),
            $crate::pair::BoundKind::Aabb => $function::<bounds::Aabb>($($argument),*),
            $crate::pair::BoundKind::Obb => $function::<bounds::Obb>($($argument),*),
            $crate::pair::BoundKind::Dop14 => $function::<bounds::Dop14>($($argument),*),
            $crate::pair::BoundKind::Dop18 => $function::<bounds::Dop18>($($argument),*),
            $crate::pair::BoundKind::Dop26 => $function::<bounds::Dop26>($($argument),*),
        }
    }};
}
pub(crate) use with_bound;

impl Pair {
    /// Loads both parts: a solid if possible, otherwise a soup, with a note on standard error.
    pub(crate) fn load(&self) -> Result<[Surface; 2], Failure> {
        let load = |path| load_part(path, self.unit, self.surface);
        Ok([load(&self.a)?, load(&self.b)?])
    }

    /// The pose of B in A's frame for each query.
    pub(crate) fn poses(&self) -> Result<Vec<Pose>, Failure> {
        match (&self.poses, self.pose) {
            (Some(file), _) => poses::read(file, self.unit),
            (None, pose) => {
                let pose = pose.unwrap_or(Placement::IDENTITY).near_enough();
                let pose = pose.and_then(|pose| Ok(pose.in_metres(self.unit)?));
                Ok(vec![pose.map_err(|e| Failure::Bad(e.to_string()))?])
            }
        }
    }

    /// Runs a query for every pose and writes each answer at once, then the time per query.
    pub(crate) fn ask<A>(
        &self,
        poses: &[Pose],
        mut query: impl FnMut(&Pose) -> Result<A, Failure>,
        written: impl Fn(usize, &A) -> String,
    ) -> Result<(), Failure> {
        let bar = progress(poses.len());
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut inside = Duration::ZERO;
        for (index, pose) in poses.iter().enumerate() {
            let start = Instant::now();
            let answer = query(pose);
            inside += start.elapsed();
            writeln!(out, "{}", written(index, &answer?))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let mean_us = 1e6 * inside.as_secs_f64() / poses.len() as f64;
        if self.json {
            writeln!(out, "{}", json!({ "queries": poses.len(), "mean_us": mean_us }))?;
        } else if poses.len() == 1 {
            writeln!(out, "1 query, {mean_us:.1} us")?;
        } else {
            writeln!(out, "{} queries, {mean_us:.1} us each on average", poses.len())?;
        }
        Ok(out.flush()?)
    }
}

/// Loads a part: a solid if possible, otherwise a soup, with a note on standard error.
pub(crate) fn load_part(path: &Path, unit: Unit, as_surface: bool) -> Result<Surface, Failure> {
    let soup = read_with(path, &ReadOptions { unit, ..ReadOptions::default() })?.soup;
    if as_surface {
        return Ok(soup.into());
    }
    Ok(match Solid::from_soup(&soup) {
        Ok(solid) => solid.into(),
        Err(why) => {
            let note = "taken as a mere surface, which has no inside, since it is not a solid";
            eprintln!("note: {}: {note}: {why}", path.display());
            soup.into()
        }
    })
}

/// A progress bar on standard error, if it is a terminal and the answers do not go to one anyway.
fn progress(queries: usize) -> ProgressBar {
    if queries == 1 || !std::io::stderr().is_terminal() || std::io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} queries, {eta} to go");
    ProgressBar::new(queries as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
