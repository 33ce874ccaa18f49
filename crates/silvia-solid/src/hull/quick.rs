//! Quickhull: each face knows the points outside it, and the furthest of them becomes the next vertex.

use crate::Vec3;
use crate::predicates::side;

struct Face {
    corners: [u32; 3],
    /// The neighbouring face across the side that starts at each corner.
    across: [u32; 3],
    /// Points strictly in front of this face that belong to no other face, the furthest last.
    outside: Vec<u32>,
    alive: bool,
}

struct Hull<'a> {
    points: &'a [Vec3],
    faces: Vec<Face>,
    /// Slots of dead faces, for reuse.
    free: Vec<u32>,
    /// For each face, the round in which it was last visited, and whether it was visible then.
    looked: Vec<(u32, bool)>,
    round: u32,
}

/// A side between a face that the new vertex sees and one it does not see.
struct HorizonSide {
    from: u32,
    to: u32,
    /// The face that stays, and the index of this side in it.
    beyond: u32,
    beyond_side: usize,
}

/// The triangles of the hull of the `chosen` points. `simplex` is four of them; the fourth is behind the
/// first three.
pub(super) fn hull(points: &[Vec3], chosen: &[u32], [a, b, c, d]: [u32; 4]) -> Vec<[u32; 3]> {
    let mut hull = Hull { points, faces: Vec::new(), free: Vec::new(), looked: Vec::new(), round: 0 };
    for (corners, across) in
        [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])]
    {
        hull.add(corners, across);
    }
    hull.hand_out(chosen.iter().copied(), &[0, 1, 2, 3]);
    let mut waiting: Vec<u32> = vec![3, 2, 1, 0];
    let mut scratch = Scratch { new_face_from: vec![0; points.len()], ..Scratch::default() };
    while let Some(face) = waiting.pop() {
        let f = &mut hull.faces[face as usize];
        if !f.alive {
            continue;
        }
        let Some(vertex) = f.outside.pop() else { continue };
        hull.insert(vertex, face, &mut scratch);
        waiting.extend(&scratch.new_faces);
    }
    hull.faces.iter().filter(|f| f.alive).map(|f| f.corners).collect()
}

/// Lists that are refilled for every vertex.
#[derive(Default)]
struct Scratch {
    seen: Vec<u32>,
    horizon: Vec<HorizonSide>,
    orphans: Vec<u32>,
    new_faces: Vec<u32>,
    /// By point: the new face whose horizon side starts there.
    new_face_from: Vec<u32>,
}

impl Hull<'_> {
    fn at(&self, i: u32) -> Vec3 {
        self.points[i as usize]
    }

    /// How far `point` is in front of a face, as a volume; the sign is exact.
    fn height(&self, face: u32, point: u32) -> f64 {
        let [a, b, c] = self.faces[face as usize].corners.map(|i| self.at(i));
        side(a, b, c, self.at(point))
    }

    fn add(&mut self, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let face = Face { corners, across, outside: Vec::new(), alive: true };
        if let Some(room) = self.free.pop() {
            self.faces[room as usize] = face;
            room
        } else {
            self.faces.push(face);
            self.looked.push((0, false));
            self.faces.len() as u32 - 1
        }
    }

    /// Gives each point to the first face that it is strictly in front of. A point in front of no face is
    /// inside the hull for good.
    fn hand_out(&mut self, points: impl Iterator<Item = u32>, faces: &[u32]) {
        let mut furthest = vec![0.0; faces.len()];
        for point in points {
            for (i, &face) in faces.iter().enumerate() {
                let height = self.height(face, point);
                if height > 0.0 {
                    let outside = &mut self.faces[face as usize].outside;
                    outside.push(point);
                    if height <= furthest[i] {
                        let last = outside.len() - 1;
                        outside.swap(last - 1, last);
                    } else {
                        furthest[i] = height;
                    }
                    break;
                }
            }
        }
    }

    /// Makes `vertex`, which is strictly in front of `face`, a vertex of the hull.
    ///
    /// Faces whose plane contains the vertex stay; the new face beside such a face continues it. The strictly
    /// visible faces are connected and their border is one simple loop, even for degenerate input. A point in
    /// front of a removed face is either inside the hull now or in front of a new face. So no point is lost.
    fn insert(&mut self, vertex: u32, face: u32, scratch: &mut Scratch) {
        self.find_horizon(vertex, face, scratch);
        scratch.orphans.clear();
        for &seen in &scratch.seen {
            let f = &mut self.faces[seen as usize];
            f.alive = false;
            scratch.orphans.append(&mut f.outside);
        }
        scratch.new_faces.clear();
        for side in &scratch.horizon {
            let new = self.add([side.from, side.to, vertex], [side.beyond, 0, 0]);
            self.faces[side.beyond as usize].across[side.beyond_side] = new;
            scratch.new_face_from[side.from as usize] = new;
            scratch.new_faces.push(new);
        }
        for (side, &new) in scratch.horizon.iter().zip(&scratch.new_faces) {
            let next = scratch.new_face_from[side.to as usize];
            self.faces[new as usize].across[1] = next;
            self.faces[next as usize].across[2] = new;
        }
        // Only now, so that a new face never reuses the slot of one that is still being visited.
        self.free.extend(&scratch.seen);
        self.hand_out(scratch.orphans.iter().copied().filter(|&p| p != vertex), &scratch.new_faces);
    }

    /// Walks over all faces visible from `vertex`, and records the sides where visibility ends.
    fn find_horizon(&mut self, vertex: u32, face: u32, scratch: &mut Scratch) {
        self.round += 1;
        scratch.seen.clear();
        scratch.horizon.clear();
        self.looked[face as usize] = (self.round, true);
        scratch.seen.push(face);
        let mut next = 0;
        while let Some(&here) = scratch.seen.get(next) {
            next += 1;
            let Face { corners, across, .. } = self.faces[here as usize];
            for side in 0..3 {
                let beyond = across[side];
                if self.looked[beyond as usize].0 != self.round {
                    let seen = self.height(beyond, vertex) > 0.0;
                    self.looked[beyond as usize] = (self.round, seen);
                    if seen {
                        scratch.seen.push(beyond);
                    }
                }
                if !self.looked[beyond as usize].1 {
                    let (from, to) = (corners[side], corners[(side + 1) % 3]);
                    let corners = self.faces[beyond as usize].corners;
                    let beyond_side = corners.iter().position(|&c| c == to).unwrap_or(0);
                    scratch.horizon.push(HorizonSide { from, to, beyond, beyond_side });
                }
            }
        }
    }
}
