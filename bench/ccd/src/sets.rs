//! The queries that are asked.

use bench_common::{Options, Random};
use silvia::proximity::elementary::{Kind, MovingPair, Query, read_queries, touches};
use silvia::solid::Vec3;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

/// Queries, and the file that the peer reads them from.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) queries: Vec<Query>,
    pub(crate) file: PathBuf,
}

/// The published queries where a folder of them is named, else some made by rule.
pub(crate) fn load(options: &Options, most: usize) -> Result<Vec<Set>, Box<dyn Error>> {
    let files = match std::env::var_os("SILVIA_CCD_DATA") {
        Some(folder) => {
            let entries: Result<Vec<_>, _> =
                std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect();
            let mut files = entries?;
            files.retain(|file| file.extension().is_some_and(|e| e == "csv"));
            files.sort();
            files
        }
        None => made(options)?,
    };
    let set = |file: PathBuf| -> Result<Set, Box<dyn Error>> {
        let text = std::fs::read_to_string(&file)?;
        let mut queries = read_queries(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        queries.truncate(most);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Set { name, queries, file })
    };
    files.into_iter().map(set).collect()
}

/// Queries that a simulation would ask, and such as are degenerate.
fn made(options: &Options) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for (name, spread) in [("made-close", 0.02), ("made-far", 2.0), ("made-lattice", 0.0)] {
        for (word, kind) in [("ee", Kind::EdgeEdge), ("vf", Kind::VertexFace)] {
            let mut random = Random::new(1);
            let mut text = String::new();
            for _ in 0..2000 {
                let points: [Vec3; 8] =
                    if spread > 0.0 { close(&mut random, spread) } else { lattice(&mut random) };
                let [start, end] = [0, 4].map(|at| std::array::from_fn(|i| points[at + i]));
                let label = u8::from(touches(&MovingPair::new(kind, start, end)?));
                write!(text, "{word},{label}")?;
                for x in points.iter().flat_map(|p| p.to_array()) {
                    write!(text, ",{x:?}")?;
                }
                text.push('\n');
            }
            let file = options.scratch().join(format!("{name}-{word}.csv"));
            std::fs::write(&file, text)?;
            files.push(file);
        }
    }
    Ok(files)
}

/// Features of a mesh with sides of about 1, a small way apart, that move by as much.
fn close(random: &mut Random, way: f64) -> [Vec3; 8] {
    let start: [Vec3; 4] = std::array::from_fn(|i| {
        let flat = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0);
        flat + Vec3::Z * way * (random.between(-1.0, 1.0) + if i < 2 { 0.5 } else { 0.0 })
    });
    std::array::from_fn(|i| start[i % 4] + if i < 4 { Vec3::ZERO } else { way * random.vector(1.0) })
}

/// Whole coordinates from -2 to 2.
fn lattice(random: &mut Random) -> [Vec3; 8] {
    std::array::from_fn(|_| (2.5 * random.vector(1.0)).round())
}
