//! T-junctions: a vertex of one triangle on the side of another, where both sides are open.

use super::{RepairError, Repaired, finish};
use crate::topology::{Mesh, NULL, OPEN, next, previous};
use crate::{Soup, Vec3};

/// Splits open sides at the vertices of other open sides that lie on them within `tolerance` (m), so that
/// both surfaces meet along the same edges. No point moves; the surface moves by no more than the tolerance,
/// where a side is bent to go through a vertex. [`Repaired::changed`] counts the vertices put on sides.
pub fn split_t_junctions(soup: &Soup, tolerance: f64) -> Result<Repaired, RepairError> {
    if !tolerance.is_finite() || tolerance < 0.0 {
        return Err(RepairError::Tolerance { given: tolerance });
    }
    let mut mesh = Mesh::of(soup);
    let (mut changed, mut moved) = (0, 0.0_f64);
    // A round splits one side of a triangle; the triangles that come of it have the other two.
    for _ in 0..MOST_ROUNDS {
        let mut triangles = Vec::with_capacity(mesh.triangles.len());
        let before = changed;
        let loose = LooseVertices::of(&mesh);
        for triangle in 0..mesh.triangles.len() as u32 {
            let open = (3 * triangle..3 * triangle + 3).filter(|&side| mesh.mate[side as usize] == OPEN);
            let split = open.map(|side| (side, loose.on_side(&mesh, side, tolerance)));
            match split.into_iter().find(|(_, found)| !found.is_empty()) {
                None => triangles.push(mesh.triangles[triangle as usize]),
                Some((side, found)) => {
                    changed += found.len();
                    moved = found.iter().fold(moved, |most, on| most.max(on.distance));
                    let opposite = mesh.from(previous(side));
                    let inner = found.iter().map(|on| on.vertex);
                    let chain: Vec<u32> =
                        [mesh.from(side)].into_iter().chain(inner).chain([mesh.from(next(side))]).collect();
                    triangles.extend(chain.windows(2).map(|pair| [pair[0], pair[1], opposite]));
                }
            }
        }
        if changed == before {
            break;
        }
        mesh = Mesh::of(&Soup::trusted(mesh.points, triangles));
    }
    finish(mesh.points, mesh.triangles, changed, soup).map(|repaired| Repaired { moved, ..repaired })
}

/// Rounds after which nothing new is found in any sensible mesh: three sides, and what splitting them opens.
const MOST_ROUNDS: usize = 8;

/// A vertex on a side.
struct OnSide {
    vertex: u32,
    /// From the start of the side, as a fraction of its length.
    at: f64,
    /// From the side, m.
    distance: f64,
}

/// The vertices of open sides, sorted along x.
struct LooseVertices(Vec<(f64, u32)>);

impl LooseVertices {
    fn of(mesh: &Mesh) -> LooseVertices {
        let open = (0..mesh.mate.len() as u32).filter(|&side| mesh.mate[side as usize] >= NULL);
        let mut vertices: Vec<u32> = open.flat_map(|side| [mesh.from(side), mesh.to(side)]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut sorted: Vec<(f64, u32)> =
            vertices.into_iter().map(|v| (mesh.points[v as usize].x, v)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        LooseVertices(sorted)
    }

    /// Those on a side within the tolerance, but for its ends and what is as near to them; in order.
    fn on_side(&self, mesh: &Mesh, side: u32, tolerance: f64) -> Vec<OnSide> {
        let [a, b] = [mesh.from(side), mesh.to(side)].map(|v| mesh.points[v as usize]);
        let opposite = mesh.from(previous(side));
        let (along, length) = (b - a, (b - a).length());
        let (low, high) = (a.x.min(b.x) - tolerance, a.x.max(b.x) + tolerance);
        let first = self.0.partition_point(|(x, _)| *x < low);
        // Rounding puts a vertex on a side off it, even one that was computed to be there.
        let within = tolerance.max(ROUNDING * (a.abs().max(b.abs())).max_element());
        let near = |vertex: u32| -> Option<OnSide> {
            let p: Vec3 = mesh.points[vertex as usize];
            let at = (p - a).dot(along) / (length * length);
            let distance = (p - a - at * along).length();
            let is_between = at * length > within && (1.0 - at) * length > within;
            (vertex != opposite && is_between && distance <= within).then_some(OnSide {
                vertex,
                at,
                distance,
            })
        };
        let candidates = self.0[first..].iter().take_while(|(x, _)| *x <= high);
        let mut found: Vec<OnSide> = candidates.filter_map(|(_, vertex)| near(*vertex)).collect();
        found.sort_by(|a, b| a.at.total_cmp(&b.at));
        // Two in one place are to be welded, not to be joined by a side without length.
        found.dedup_by(|later, earlier| (later.at - earlier.at) * length <= within);
        found
    }
}

/// Relative rounding of coordinates, a few units in the last place.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
