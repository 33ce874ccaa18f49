//! Shells of one part that pass through each other, as in a file of parts that were put together but never
//! joined.

use super::{RepairError, Repaired, agree, orient};
use crate::boolean::{MERGED, Operation, boolean};
use crate::self_intersection::crossing_components;
use crate::topology::{Mesh, Sets};
use crate::winding::winding_number;
use crate::{Aabb, Solid, Soup, Vec3};
use std::collections::{BTreeMap, HashMap};

/// Makes one shell of closed shells that pass through each other: the points in any of them. Each is taken to
/// face outwards, whichever way it does, so that a cavity among them, or a shell that lies wholly within one
/// of them or around it, is refused: what is solid there nobody can tell. Shells that pass through no other
/// stay as they are. [`Repaired::changed`] counts the shells that were united. Where they meet there are new
/// points; others move by rounding alone.
pub fn unite(soup: &Soup) -> Result<Repaired, RepairError> {
    let mesh = Mesh::of(soup);
    let (component_of, components) = mesh.components();
    let crossings = crossing_components(&all_outwards(&mesh, &component_of, components), &component_of);
    if let Some((_, &triangle)) = crossings.iter().find(|((a, b), _)| a == b) {
        return Err(RepairError::ThroughItself { triangle });
    }
    let mut sets = Sets::new(components);
    for &(a, b) in crossings.keys() {
        sets.join(a, b);
    }
    let (group_of, groups) = sets.number();
    let mut shells: Vec<Vec<[u32; 3]>> = vec![Vec::new(); components];
    for (triangle, &component) in mesh.triangles.iter().zip(&component_of) {
        shells[component as usize].push(*triangle);
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups];
    for component in 0..components as u32 {
        members[group_of[component as usize] as usize].push(component);
    }

    let mut points = mesh.points.clone();
    let mut triangles = Vec::with_capacity(mesh.triangles.len());
    let mut changed = 0;
    for group in members {
        if let [alone] = group[..] {
            triangles.extend(&shells[alone as usize]);
            continue;
        }
        refuse_nested(&mesh, &shells, &group, &crossings)?;
        changed += group.len();
        let whole = united(&mesh, &shells, &in_order(&group, &crossings))?;
        let first = points.len() as u32;
        points.extend(whole.points());
        triangles.extend(whole.triangles().iter().map(|corners| corners.map(|corner| first + corner)));
    }
    if changed == 0 {
        return Ok(Repaired { soup: soup.clone(), changed: 0, moved: 0.0 });
    }
    let moved = MERGED * soup.bounds().size().length();
    Ok(Repaired { soup: without_unused(&points, &triangles), changed, moved })
}

/// The mesh with each shell facing outwards, as far as it has sides. Shells that lie on each other in a plane
/// pass through each other or only touch: which, their directions say.
fn all_outwards(mesh: &Mesh, component_of: &[u32], components: usize) -> Mesh {
    // A shell with one side alone is refused later.
    let flips = agree(mesh).unwrap_or_else(|_| vec![false; mesh.triangles.len()]);
    let turned = |triangle: usize, is_flipped: bool| {
        let [a, b, c] = mesh.triangles[triangle];
        if is_flipped { [a, c, b] } else { [a, b, c] }
    };
    let mut volumes = vec![0.0; components];
    let origin = mesh.points.first().copied().unwrap_or(Vec3::ZERO);
    for (triangle, &component) in component_of.iter().enumerate() {
        let corners = turned(triangle, flips[triangle]);
        let [a, b, c] = corners.map(|corner| mesh.points[corner as usize] - origin);
        volumes[component as usize] += a.dot(b.cross(c));
    }
    let triangles = component_of.iter().enumerate().map(|(triangle, &component)| {
        turned(triangle, flips[triangle] != (volumes[component as usize] < 0.0))
    });
    Mesh::of(&Soup::trusted(mesh.points.clone(), triangles.collect()))
}

/// A winding number of a point that is no farther from 0 is that of one outside; on the surface it is a half.
const OUTSIDE: f64 = 0.25;

/// Refuses a group of which a shell lies within another shell of the part, or around one, without meeting it.
fn refuse_nested(
    mesh: &Mesh,
    shells: &[Vec<[u32; 3]>],
    group: &[u32],
    crossings: &BTreeMap<(u32, u32), u32>,
) -> Result<(), RepairError> {
    let boxes: Vec<Aabb> = shells.iter().map(|shell| bounds(mesh, shell)).collect();
    let is_within = |inner: u32, outer: u32| {
        let [a, b] = [inner, outer].map(|shell| shell as usize);
        boxes[a].merged(boxes[b]) == boxes[b]
            && shells[a].first().is_some_and(|corners| {
                let at = mesh.points[corners[0] as usize];
                winding_number(&mesh.points, &shells[b], at).abs() > OUTSIDE
            })
    };
    for &member in group {
        for other in (0..shells.len() as u32).filter(|&other| other != member) {
            let meet = crossings.contains_key(&(member.min(other), member.max(other)));
            if !meet && (is_within(member, other) || is_within(other, member)) {
                return Err(RepairError::Nested { shells: [member, other] });
            }
        }
    }
    Ok(())
}

fn bounds(mesh: &Mesh, shell: &[[u32; 3]]) -> Aabb {
    let corners = shell.iter().flatten().map(|&corner| mesh.points[corner as usize]);
    corners.fold(Aabb::EMPTY, |all, p| all.merged(Aabb { min: p, max: p }))
}

/// The shells of a group so that each but the first passes through one before it.
fn in_order(group: &[u32], crossings: &BTreeMap<(u32, u32), u32>) -> Vec<u32> {
    let mut ordered = vec![group[0]];
    let mut next = 0;
    while next < ordered.len() {
        let from = ordered[next];
        next += 1;
        for &(a, b) in crossings.keys().filter(|(a, b)| *a == from || *b == from) {
            let other = if a == from { b } else { a };
            if !ordered.contains(&other) {
                ordered.push(other);
            }
        }
    }
    ordered
}

fn united(mesh: &Mesh, shells: &[Vec<[u32; 3]>], group: &[u32]) -> Result<Soup, RepairError> {
    let mut whole: Option<Solid> = None;
    for &shell in group {
        let shell = orient(&without_unused(&mesh.points, &shells[shell as usize]))?.soup;
        let shell = Solid::from_soup(&shell).map_err(|reason| RepairError::NotAShell { reason })?;
        whole = match whole {
            None => Some(shell),
            Some(so_far) => boolean(Operation::Union, &so_far, &shell)?,
        };
    }
    // A union of solids is never empty.
    let whole = whole.ok_or(RepairError::NothingLeft { triangles: mesh.triangles.len() })?;
    Ok(whole.soup().clone())
}

/// The triangles with the points that they use.
fn without_unused(points: &[Vec3], triangles: &[[u32; 3]]) -> Soup {
    let (mut used, mut place_of) = (Vec::new(), HashMap::new());
    let mut place = |corner: u32| {
        *place_of.entry(corner).or_insert_with(|| {
            used.push(points[corner as usize]);
            used.len() as u32 - 1
        })
    };
    let triangles = triangles.iter().map(|corners| corners.map(&mut place)).collect();
    Soup::trusted(used, triangles)
}
