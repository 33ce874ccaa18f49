//! Repairs. Each is called by name; none happens by itself.

mod plan;
mod split;
#[cfg(feature = "boolean")]
mod unite;

pub use plan::{Done, Plan, Repair, RepairNameError, plan, repaired};
pub use split::split_t_junctions;
#[cfg(feature = "boolean")]
pub use unite::unite;

#[cfg(feature = "boolean")]
use crate::SolidError;
#[cfg(feature = "boolean")]
use crate::boolean::BooleanError;
use crate::check::facing_wrong;
use crate::predicates::is_collinear;
use crate::topology::{Mesh, NULL};
use crate::{Soup, Vec3};
use std::collections::{HashMap, HashSet};

/// A repaired soup, and how much was changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The result.
    pub soup: Soup,
    /// Number of points merged, triangles dropped, triangles flipped, T-junctions split or shells united.
    pub changed: usize,
    /// The farthest that any point, or the surface at a T-junction, has moved, m.
    pub moved: f64,
}

/// Why a repair was not possible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RepairError {
    /// A tolerance that is negative or not finite.
    #[error("the tolerance must be a finite length of at least 0 m, not {given}")]
    Tolerance {
        /// The given value, m.
        given: f64,
    },
    /// No triangle is left.
    #[error("nothing is left: all {triangles} triangles are degenerate")]
    NothingLeft {
        /// Number of triangles before the repair.
        triangles: usize,
    },
    /// A one-sided surface.
    #[error("triangle {triangle} cannot be oriented: the surface is one-sided there, like a Möbius strip")]
    OneSided {
        /// The triangle where the contradiction appeared.
        triangle: u32,
    },
    /// A shell to be united with others passes through itself.
    #[cfg(feature = "boolean")]
    #[error("the shell of triangle {triangle} passes through itself: only shells that do not can be united")]
    ThroughItself {
        /// A triangle that passes through another of its shell.
        triangle: u32,
    },
    /// A shell to be united with others is none.
    #[cfg(feature = "boolean")]
    #[error(
        "what passes through another shell is not closed itself, so that they cannot be united: {reason}"
    )]
    NotAShell {
        /// What is wrong with it.
        reason: SolidError,
    },
    /// A shell to be united with others lies within another shell, or around one, without meeting it.
    #[cfg(feature = "boolean")]
    #[error(
        "of shells {} and {}, one lies within the other, and one of them passes through a third: whether it \
         is a cavity or a part nobody can tell, so that they are not united",
        .shells[0],
        .shells[1]
    )]
    Nested {
        /// Their numbers, by their first triangles.
        shells: [u32; 2],
    },
    /// Shells have no union.
    #[cfg(feature = "boolean")]
    #[error("shells that pass through each other cannot be united: {0}")]
    Union(#[from] BooleanError),
}

/// Merges points nearer than `tolerance` (m) to each other, and drops triangles that lose a corner by it. A
/// point joins the first earlier point within reach, so a long chain of points does not collapse into one.
pub fn weld(soup: &Soup, tolerance: f64) -> Result<Repaired, RepairError> {
    if !tolerance.is_finite() || tolerance < 0.0 {
        return Err(RepairError::Tolerance { given: tolerance });
    }
    let mesh = Mesh::of(soup);
    let (points, vertex_of) = if tolerance == 0.0 {
        (mesh.points.clone(), (0..mesh.points.len() as u32).collect())
    } else {
        merge_near(&mesh.points, tolerance)
    };
    let changed = mesh.points.len() - points.len();
    let moved =
        mesh.points.iter().zip(&vertex_of).map(|(p, &v): (&Vec3, &u32)| (points[v as usize] - *p).length());
    let moved = moved.fold(0.0, f64::max);
    let triangles = mesh
        .triangles
        .iter()
        .map(|t| t.map(|v| vertex_of[v as usize]))
        .zip(&mesh.triangles)
        .filter(|(new, old)| !has_repeated_corner(*new) || has_repeated_corner(**old))
        .map(|(new, _)| new)
        .collect();
    finish(points, triangles, changed, soup).map(|repaired| Repaired { moved, ..repaired })
}

/// Drops triangles whose corners lie on one line. This opens the surface if such a triangle filled a T-joint.
pub fn drop_degenerate(soup: &Soup) -> Result<Repaired, RepairError> {
    let keep = |t: usize| !is_collinear(soup.corners(t));
    drop_unless(soup, keep)
}

/// Drops triangles with the same three corners as an earlier one, whichever way they face.
pub fn drop_duplicates(soup: &Soup) -> Result<Repaired, RepairError> {
    let mesh = Mesh::of(soup);
    let mut seen = HashSet::with_capacity(mesh.triangles.len());
    let keep = |t: usize| {
        let mut key = mesh.triangles[t];
        key.sort_unstable();
        seen.insert(key)
    };
    drop_unless(soup, keep)
}

/// Flips triangles so that neighbours agree, closed components face outwards and cavities face inwards. In an
/// open component the first triangle decides.
pub fn orient(soup: &Soup) -> Result<Repaired, RepairError> {
    let mut mesh = Mesh::of(soup);
    let mut flip = agree(&mesh)?;
    for (triangle, &is_flipped) in flip.iter().enumerate() {
        if is_flipped {
            mesh.triangles[triangle].swap(1, 2);
        }
    }
    let (component_of, components) = mesh.components();
    let closed = closed_components(&mesh, &component_of, components);
    let turn = facing_wrong(&mesh, &component_of, &closed);
    for (triangle, component) in component_of.iter().enumerate() {
        flip[triangle] ^= turn[*component as usize];
    }
    let triangles =
        soup.triangles().iter().zip(&flip).map(|(&[a, b, c], &f)| if f { [a, c, b] } else { [a, b, c] });
    let changed = flip.iter().filter(|&&f| f).count();
    finish(soup.points().to_vec(), triangles.collect(), changed, soup)
}

fn finish(
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    changed: usize,
    original: &Soup,
) -> Result<Repaired, RepairError> {
    if triangles.is_empty() {
        return Err(RepairError::NothingLeft { triangles: original.triangles().len() });
    }
    Ok(Repaired { soup: Soup::trusted(points, triangles), changed, moved: 0.0 })
}

fn drop_unless(soup: &Soup, mut keep: impl FnMut(usize) -> bool) -> Result<Repaired, RepairError> {
    let triangles: Vec<[u32; 3]> =
        soup.triangles().iter().enumerate().filter(|&(t, _)| keep(t)).map(|(_, &c)| c).collect();
    let changed = soup.triangles().len() - triangles.len();
    finish(soup.points().to_vec(), triangles, changed, soup)
}

fn has_repeated_corner([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// The points to keep, and for each point the one that replaces it. A grid of cells as wide as the tolerance
/// finds neighbours.
fn merge_near(points: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Vec<u32>) {
    let cell = |p: Vec3| (p / tolerance).floor();
    let key = |c: Vec3| c.to_array().map(f64::to_bits);
    let mut grid: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    let mut kept: Vec<Vec3> = Vec::new();
    let mut vertex_of = Vec::with_capacity(points.len());
    for &p in points {
        let home = cell(p);
        let mut nearest: Option<u32> = None;
        for offset in 0..27 {
            let step = Vec3::new(
                f64::from(offset % 3 - 1),
                f64::from(offset / 3 % 3 - 1),
                f64::from(offset / 9 - 1),
            );
            let near = grid.get(&key(home + step + Vec3::ZERO)).into_iter().flatten().copied();
            let within = near.filter(|&k| (kept[k as usize] - p).length() <= tolerance);
            nearest = nearest.into_iter().chain(within).min();
        }
        let id = nearest.unwrap_or_else(|| {
            kept.push(p);
            let id = kept.len() as u32 - 1;
            grid.entry(key(home + Vec3::ZERO)).or_default().push(id);
            id
        });
        vertex_of.push(id);
    }
    (kept, vertex_of)
}

/// Which triangles to flip so that all paired sides run in opposite directions.
fn agree(mesh: &Mesh) -> Result<Vec<bool>, RepairError> {
    let mut flip: Vec<Option<bool>> = vec![None; mesh.triangles.len()];
    let mut stack = Vec::new();
    for seed in 0..mesh.triangles.len() as u32 {
        if flip[seed as usize].is_some() {
            continue;
        }
        flip[seed as usize] = Some(false);
        stack.push((seed, false));
        while let Some((triangle, flipped)) = stack.pop() {
            for side in 3 * triangle..3 * triangle + 3 {
                let mate = mesh.mate[side as usize];
                if mate >= NULL || mate / 3 == triangle {
                    continue;
                }
                let wanted = flipped ^ mesh.is_flipped(side);
                match flip[mate as usize / 3] {
                    None => {
                        flip[mate as usize / 3] = Some(wanted);
                        stack.push((mate / 3, wanted));
                    }
                    Some(given) if given != wanted => return Err(RepairError::OneSided { triangle }),
                    Some(_) => {}
                }
            }
        }
    }
    Ok(flip.into_iter().map(|f| f == Some(true)).collect())
}

/// Which components have no open, crowded or null side.
fn closed_components(mesh: &Mesh, component_of: &[u32], components: usize) -> Vec<bool> {
    let mut closed = vec![true; components];
    for (side, &mate) in mesh.mate.iter().enumerate() {
        closed[component_of[side / 3] as usize] &= mate < NULL;
    }
    closed
}
