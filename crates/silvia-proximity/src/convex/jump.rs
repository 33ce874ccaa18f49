//! Where to go on when a walk is long: found by the support functions alone (Gilbert, Johnson and Keerthi, 1988), in a number of steps that does
//! not grow with the number of features.

use super::ConvexData;
use super::common_point::meeting;
use super::frames::{Part, Two};
use super::witness::{Found, witness};
use crate::shape::simplex::{Corner, Simplex};

/// Each step gains a digit or so: what is left after these is for V-Clip.
const MOST_STEPS: u32 = 24;

/// Where a jump leads.
pub(crate) enum Landing {
    /// To features near the closest ones: V-Clip goes on from there.
    Near([Part; 2]),
    /// To features that meet.
    Meeting(Found),
}

/// Jumps from a pair of features to where two bodies are nearest or meet, counting the pairs of vertices looked at.
#[cold]
pub(crate) fn jump(two: &Two<'_>, parts: [Part; 2], steps: &mut u32) -> Landing {
    let corner = |[v, w]: [u32; 2]| {
        let (of_a, of_b) = (two.body[0].points[v as usize], two.vertex(0, w));
        Corner { at: of_b - of_a, of_a, of_b, numbers: [v, w] }
    };
    let mut simplex = Simplex::default();
    let [from, to] = witness(two, parts).points;
    simplex.push(corner(two.supports(to - from)));
    let mut landing = Landing::Near(parts);
    for _ in 0..MOST_STEPS {
        let (nearest, plane) = simplex.nearest();
        landing = Landing::Near(features(two, &simplex, &nearest.weights));
        if nearest.is_inside {
            let common = simplex.blend(&nearest.weights, |c| c.of_a);
            if let Some(found) = meeting(two, common) {
                return Landing::Meeting(found);
            }
            break;
        }
        *steps += 1;
        let found = corner(two.supports(plane.normal));
        simplex.keep(plane.corners);
        if simplex.has(found.at) {
            break;
        }
        simplex.push(found);
    }
    landing
}

/// The features that the corners with a weight are of.
fn features(two: &Two<'_>, simplex: &Simplex, weights: &[f64; 4]) -> [Part; 2] {
    let heaviest = simplex.heaviest(weights).numbers;
    let vertices = simplex.vertices(weights);
    let part = |i: usize| two.body[i].spanned(vertices[i].numbers()).unwrap_or(Part::Vertex(heaviest[i]));
    match [part(0), part(1)] {
        // Two faces are no place to start: one of them may be nearest with any of its corners.
        [Part::Face(f), Part::Face(_)] => [Part::Face(f), Part::Vertex(heaviest[1])],
        parts => parts,
    }
}

impl ConvexData {
    /// The vertex, edge or face with all these vertices, if there is one.
    fn spanned(&self, vertices: &[u32]) -> Option<Part> {
        let (&first, others) = vertices.split_first()?;
        let spokes = self.spokes_of(first);
        match others {
            [] => return Some(Part::Vertex(first)),
            [other] => {
                if let Some(spoke) = spokes.iter().find(|spoke| spoke.far == *other) {
                    return Some(Part::Edge(spoke.edge));
                }
            }
            _ => {}
        }
        let faces_of = |v: u32| self.spokes_of(v).iter().flat_map(|s| self.edges[s.edge as usize].faces);
        let has_all = |face: u32| others.iter().all(|&v| faces_of(v).any(|f| f == face));
        faces_of(first).find(|&face| has_all(face)).map(Part::Face)
    }
}
