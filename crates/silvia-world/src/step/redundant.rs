//! Candidates that say nothing new.
//!
//! Where a corner of one box lies on a corner of another, a vertex and a face keep the boxes apart; or
//! another vertex and face, or two of their edges. Which of them holds is a matter of roundings, and one of
//! them is enough. So a candidate is left out if
//! - it does not hold, not even nearly, and is in the place of one that does, or in line between two that do:
//!   they keep apart all that there is. Should bodies slide so far in a piece that it comes to hold after
//!   all, and cross there, the certifier names it;
//! - it holds, in the same place as another that holds, and with the same normal. Both ask for the same, and
//!   two cones of friction with one tip are one cone.
//!
//! Where very many hold over one face, as the corners of a polygon with a thousand of them, those stay that
//! enclose the others: what they admit, all admit ([`Keep::Extent`]).
//!
//! What is left depends on where bodies are and on the forces of the last step, both part of the state; not
//! on what searches remember.

use crate::step::tuning;
use silvia_contact::{GapRow, Keep, Reducer};
use silvia_proximity::{ContactName, Feature, ShapeContact};
use silvia_solid::Vec3;

/// Memory of the choice, kept for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Redundancy {
    holding: Vec<Holding>,
    is_left_out: Vec<bool>,
    /// The rows of many that hold, and which contacts these are.
    rows: Vec<GapRow>,
    row_of: Vec<usize>,
    reducer: Reducer,
}

/// A contact that touches and holds.
#[derive(Clone, Copy, Debug)]
struct Holding {
    /// Among all.
    at: usize,
    /// Where it lies, m.
    place: Vec3,
    normal: Vec3,
}

impl Redundancy {
    /// Leaves out the redundant ones of the contacts of a pair of bodies for which a speck, m, does not
    /// matter. `bore_load` says of a contact whether it did in the last step: of equal ones those stay that
    /// did.
    pub(super) fn leave_out(
        &mut self,
        found: &mut Vec<ShapeContact>,
        speck: f64,
        bore_load: impl Fn(&ContactName) -> bool,
    ) {
        let Redundancy { holding, is_left_out, .. } = self;
        if found.len() <= tuning::FEW_OF_A_PAIR {
            return;
        }
        holding.clear();
        let touch = tuning::NEAR * speck;
        let holds =
            |contact: &ShapeContact| contact.state.holds && (-speck..=touch).contains(&contact.state.gap);
        holding.extend(found.iter().enumerate().filter(|(_, contact)| holds(contact)).map(
            |(at, contact)| Holding { at, place: contact.state.points[0], normal: contact.state.normal },
        ));
        if holding.is_empty() || holding.len() > tuning::MOST_HOLDING {
            return;
        }
        is_left_out.clear();
        is_left_out.extend(found.iter().map(|contact| {
            let state = &contact.state;
            !(state.holds || state.nearly) && is_covered(state.points, holding, speck)
        }));
        let near = tuning::SAME_PLACE * speck;
        for (i, one) in holding.iter().enumerate() {
            let is_same = |other: &&Holding| {
                !is_left_out[other.at]
                    && one.place.distance_squared(other.place) <= near * near
                    && one.normal.distance(other.normal) <= tuning::SAME_NORMAL
            };
            if let Some(other) = holding[..i].iter().find(is_same) {
                let is_better = !bore_load(&found[other.at].name) && bore_load(&found[one.at].name);
                is_left_out[if is_better { other.at } else { one.at }] = true;
            }
        }
        retain(found, is_left_out);
    }

    /// Of the contacts of a pair of bodies that hold over one face, if they are very many, leaves out those
    /// that others enclose. `bore_load` as above.
    pub(super) fn leave_out_enclosed(
        &mut self,
        found: &mut Vec<ShapeContact>,
        bore_load: impl Fn(&ContactName) -> bool,
    ) {
        if found.len() <= tuning::MOST_HOLDING {
            return;
        }
        let Redundancy { is_left_out, rows, row_of, reducer, .. } = self;
        row_of.clear();
        let is_over = |contact: &ShapeContact| contact.state.holds && face_of(&contact.name).is_some();
        row_of.extend((0..found.len()).filter(|&at| is_over(&found[at])));
        // Of those that stand for each other, the first stays.
        row_of.sort_by_cached_key(|&at| (face_of(&found[at].name), !bore_load(&found[at].name)));
        is_left_out.clear();
        is_left_out.resize(found.len(), false);
        let is_one = |&i: &usize, &j: &usize| face_of(&found[i].name) == face_of(&found[j].name);
        for over in row_of.chunk_by(is_one).filter(|over| over.len() > tuning::MOST_HOLDING) {
            rows.clear();
            // Where the centres are makes no difference to what follows from what.
            rows.extend(over.iter().map(|&at| GapRow::new(&found[at].state, [Vec3::ZERO; 2])));
            over.iter().for_each(|&at| is_left_out[at] = true);
            for &kept in reducer.reduce(rows, Keep::Extent) {
                is_left_out[over[kept]] = false;
            }
        }
        retain(found, is_left_out);
    }
}

/// Keeps those that are not left out.
fn retain(found: &mut Vec<ShapeContact>, is_left_out: &[bool]) {
    let mut left_out = is_left_out.iter();
    found.retain(|_| left_out.next() != Some(&true));
}

/// The face that a vertex is over: of which parts, of which of them, and its number.
fn face_of(name: &ContactName) -> Option<([u32; 2], usize, u32)> {
    let sides = name.key.features.iter().enumerate();
    let mut faces = sides.filter_map(|(side, feature)| match feature {
        Feature::Face(face) => Some((name.parts, side, *face)),
        _ => None,
    });
    faces.next()
}

/// Whether a contact that does not hold is where one that does is, or between two of them that push the same
/// way.
fn is_covered(points: [Vec3; 2], holding: &[Holding], speck: f64) -> bool {
    let near = tuning::COVERED * speck;
    let is_at = |place: Vec3| points.iter().all(|p| p.distance_squared(place) <= near * near);
    let is_between = |p: &Holding, q: &Holding| {
        let way = q.place - p.place;
        let part = (points[0] - p.place).dot(way) / way.length_squared();
        (0.0..=1.0).contains(&part) && is_at(p.place + part * way)
    };
    let is_same = |p: &Holding, q: &Holding| p.normal.distance(q.normal) <= tuning::SAME_NORMAL;
    holding.iter().any(|one| is_at(one.place))
        || holding
            .iter()
            .enumerate()
            .any(|(i, one)| holding[..i].iter().any(|other| is_between(one, other) && is_same(one, other)))
}
