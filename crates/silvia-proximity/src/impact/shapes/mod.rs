//! When two shapes of any kind, in rigid motion, first touch, and what of them.
//!
//! Two meshes go the way of their hierarchies. Every other pair is advanced from gap to gap on the distance
//! of the shapes. Where and when its features touch is then found from the first touch on, by advancing
//! pieces of the shapes in the same way.

mod pair;
mod pieces;
mod touch;

use super::motion::Motion;
use super::rigid::Rigid;
use super::{Clock, ImpactError, ImpactOptions, Moving, Outcome, touch_by};
use crate::bounds::Obb;
use crate::feature::Feature;
use crate::shape::{Overlap, Shape, ShapeDistance, penetration};
use pair::{Advance, Pair};
use pieces::{FeaturePieces, OtherShape, groups};
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeMap;
use std::time::Instant;

/// What is known about the first touch of two moving shapes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeImpact {
    /// What happens.
    pub outcome: ShapeOutcome,
    /// Until this time the shapes are certainly further apart than the separation.
    pub lower: f64,
    /// A time at which they touch, within the tolerance; `None` if they do not touch or the time is not
    /// known.
    pub upper: Option<f64>,
    /// What touches, earliest first. If the answer is complete, everything that touches within the band. If
    /// the shapes overlap at the start, the features that overlap; none if a shape is inside a flat-faced
    /// one, away from its faces.
    pub contacts: Vec<ShapeImpactContact>,
    /// If requested and the shapes touch at the start: how deep they are in each other. [`Overlap::Apart`] if
    /// they are only nearer than the separation or the tolerance.
    pub overlap: Option<Overlap>,
    /// Whether everything requested was found. `false` if the deadline or the budget ran out: there may be
    /// more contacts, and the depth may be missing.
    pub is_complete: bool,
    /// How many distances were measured and nodes of meshes opened.
    pub visits: u64,
}

/// What happens to two shapes in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeOutcome {
    /// They do not touch.
    Free,
    /// They touch first between `lower` and `upper`.
    Impact,
    /// They touch at the start, before any motion.
    AtStart,
    /// The deadline or the budget ran out. They are free until `lower`; what follows is unknown.
    Spent,
}

/// Where two shapes touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeImpactContact {
    /// The features do not touch before this time.
    pub lower: f64,
    /// They touch at this time, to the tolerance.
    pub upper: f64,
    /// On the first and on the second shape, at `lower`, m.
    pub points: [Vec3; 2],
    /// A unit vector from the first shape to the second; zero where none can be told, as where edges cross at
    /// the start.
    pub normal: Vec3,
    /// The features that touch, numbered as in [`ShapeDistance`](crate::shape::ShapeDistance); a vertex of a
    /// cylinder is one of three points of its lower rim or, from 3 on, its upper one, and those of a cone are
    /// its tip and three points of its rim.
    pub features: [Option<Feature>; 2],
    /// Of compounds, the numbers of the parts; else 0.
    pub parts: [u32; 2],
    /// Between the points, m: up to the separation and the tolerance. Negative if the features overlap at the
    /// start: then it is how deep, and the points are those that part last.
    pub gap: f64,
}

/// When two shapes in rigid motion first touch, within the tolerance. Never late. Unless both are meshes, the
/// tolerance is at least 1e-11 of the size of the coordinates: that is how precisely their distance is known.
/// Of `max_visits`, a visit is a measured distance or an opened node of two meshes.
///
/// Contacts are pairs of features. Flat-faced shapes meet with a vertex and a face, or with two edges; a
/// meeting at the border of a face or an edge is named by that border. A round shape meets vertices and edges
/// with its whole surface, faces with each of its ends, and another round shape with its whole surface and
/// its ends. The ends of a capsule are its balls; those of a cylinder or a cone are its tip, its rims and
/// three points of each rim. Two solids or soups meet as in
/// [`mesh::time_of_impact`](crate::mesh::time_of_impact). Each pair of features is reported once, when it
/// first touches; an edge that meets a round shape along a line is reported at both ends of that line.
///
/// ```
/// use silvia_proximity::{ImpactOptions, Motion, Shape, ShapeOutcome, time_of_impact};
/// use silvia_solid::{Plane, Pose, Quat, Vec3};
/// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
/// let capsule = Shape::capsule(0.5, 2.0)?;
/// let rest = Motion::still(Pose::IDENTITY);
/// let lying = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
/// let fall = Motion::rigid(Pose::new(Vec3::Z * 2.5, lying)?, Pose::new(Vec3::Z * -1.5, lying)?);
/// let impact = time_of_impact(&ground, &rest, &capsule, &fall, &ImpactOptions::default())?;
/// assert_eq!(impact.outcome, ShapeOutcome::Impact);
/// assert!(impact.lower <= 0.5 && impact.lower > 0.5 - 1e-9);
/// assert_eq!(impact.contacts.len(), 2, "both of its ends");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    options: &ImpactOptions,
) -> Result<ShapeImpact, ImpactError> {
    options.check()?;
    let [start, end] = options.interval;
    let mut search = ShapeImpactSearch {
        options,
        deadline: options.deadline.and_then(|d| Instant::now().checked_add(d)),
        band: options.band / (end - start),
        visits: 0,
        first: None,
        touches: Vec::new(),
        contacts: Vec::new(),
        spent: None,
        is_complete: true,
    };
    let motions = [Rigid::new(motion_a)?, Rigid::new(motion_b)?];
    for (i, part_a) in parts(a).into_iter().enumerate() {
        for (j, part_b) in parts(b).into_iter().enumerate() {
            let pair = [(part_a.0, motions[0].carried(part_a.1)), (part_b.0, motions[1].carried(part_b.1))];
            search.look(pair, [i as u32, j as u32])?;
        }
    }
    search.find_contacts();
    let mut impact = search.answer();
    if options.depth && impact.outcome == ShapeOutcome::AtStart {
        // What is under way is not broken off: one look at the clock before it.
        let is_late = search.is_late();
        impact.overlap = (!is_late).then(|| penetration(a, &motion_a.start(), b, &motion_b.start()));
        impact.is_complete &= !is_late;
    }
    Ok(impact)
}

struct ShapeImpactSearch<'a> {
    options: &'a ImpactOptions,
    deadline: Option<Instant>,
    /// As a fraction of the interval.
    band: f64,
    visits: u64,
    first: Option<First>,
    /// Of pairs that are not both meshes, in the order of parts.
    touches: Vec<Touch<'a>>,
    /// Times are fractions of the interval.
    contacts: Vec<ShapeImpactContact>,
    /// The least time until which a pair is free that was given up.
    spent: Option<f64>,
    is_complete: bool,
}

/// When the first touch is, in fractions of the interval: not before `lower`; surely at `upper`; and what
/// touches by `until` does so with it.
#[derive(Clone, Copy)]
struct First {
    lower: f64,
    upper: f64,
    until: f64,
}

/// The first touch of two parts.
struct Touch<'a> {
    pair: Pair<'a>,
    parts: [u32; 2],
    time: f64,
    upper: f64,
    near: ShapeDistance,
}

impl<'a> ShapeImpactSearch<'a> {
    /// Looks for the first touch of two parts that are no compounds, if it is not later than all of interest.
    fn look(&mut self, pair: [(&'a Shape, Rigid); 2], parts: [u32; 2]) -> Result<(), ImpactError> {
        if self.is_spent() {
            self.give_up(0.0);
            return Ok(());
        }
        if let [(Shape::Solid(a) | Shape::Soup(a), _), (Shape::Solid(b) | Shape::Soup(b), _)] = &pair {
            let motions = [pair[0].1.motion(), pair[1].1.motion()];
            let bodies = [Moving::new(a.hierarchy(), &motions[0]), Moving::new(b.hierarchy(), &motions[1])];
            return self.look_at_meshes(&bodies, parts);
        }
        let pair = Pair::new(pair, self.options)?;
        match self.advance(&pair, 0.0, self.limit()) {
            Advance::Free => {}
            Advance::Spent(time) => self.give_up(time),
            Advance::Touch(time, near) => {
                let upper = pair.touch_after(time, near.upper).unwrap_or(time);
                // The others touch at the same time if they are as near as the tolerance then.
                let until = upper.max(time + pair.tolerance / pair.speed);
                self.keep(First { lower: time, upper, until });
                self.touches.push(Touch { pair, parts, time, upper, near });
            }
        }
        Ok(())
    }

    fn look_at_meshes(&mut self, [a, b]: &[Moving<'_, Obb>; 2], parts: [u32; 2]) -> Result<(), ImpactError> {
        let max_visits = self.options.max_visits.map(|most| most - self.visits);
        let options = ImpactOptions { interval: [0.0, 1.0], band: self.band, max_visits, ..*self.options };
        let from = [crate::duo::Pair::ROOTS];
        let impact =
            touch_by(&a.travel(), &b.travel(), &options, self.limit(), self.deadline, (&from, usize::MAX))?;
        self.visits += impact.visits;
        self.is_complete &= impact.is_complete;
        if impact.outcome == Outcome::Spent {
            self.give_up(impact.lower);
        } else if let Some(upper) = impact.upper {
            self.keep(First { lower: impact.lower, upper, until: upper });
        }
        self.contacts.extend(impact.contacts.iter().map(|c| ShapeImpactContact {
            lower: c.lower,
            upper: c.upper,
            points: c.points,
            normal: c.normal,
            features: c.features.map(Some),
            parts,
            gap: c.gap,
        }));
        Ok(())
    }

    /// What of the shapes touches until the end of the band.
    fn find_contacts(&mut self) {
        let limit = self.limit();
        let touches = std::mem::take(&mut self.touches);
        for touch in touches.iter().filter(|touch| touch.time <= limit) {
            let known = self.contacts.len();
            self.find_contacts_of(touch, limit);
            // No time was left to look: the nearest points are all that is known. A shape inside another has
            // none.
            if self.contacts.len() == known && touch.near.upper > 0.0 {
                self.contacts.push(touch.pair.contact(touch.time, &touch.near, None, touch.parts));
            }
        }
        self.contacts.retain(|c| c.lower <= limit);
        let key = |c: &ShapeImpactContact| (c.parts, c.features);
        self.contacts.sort_by(|c, d| c.lower.total_cmp(&d.lower).then_with(|| key(c).cmp(&key(d))));
    }

    /// The earliest contact of each two features of two parts.
    fn find_contacts_of(&mut self, touch: &Touch<'_>, limit: f64) {
        let Touch { pair, parts, .. } = touch;
        let poses = pair.poses(touch.time);
        let (a_in_b, b_in_a) = (poses[1].inverse().compose(&poses[0]), poses[0].inverse().compose(&poses[1]));
        // How far what meets within the band is apart at the first touch at most.
        let reach = pair.separation + 2.0 * (pair.tolerance + pair.slack) + pair.speed * (limit - touch.time);
        let [a, b] = pair.shapes;
        let of_a = FeaturePieces::of(a, &OtherShape { shape: b, pose: b_in_a, reach });
        let of_b = FeaturePieces::of(b, &OtherShape { shape: a, pose: a_in_b, reach });
        let mut found: BTreeMap<([Option<Feature>; 2], usize), ShapeImpactContact> = BTreeMap::new();
        for [first, second] in groups(&of_a, &of_b, touch.near.upper == 0.0) {
            let boxes: Vec<Aabb> = second.iter().map(|p| p.shape.aabb(&b_in_a.compose(&p.pose))).collect();
            for p in first {
                let Aabb { min, max } = p.shape.aabb(&p.pose);
                let around = Aabb { min: min - reach, max: max + reach };
                for (q, _) in second.iter().zip(&boxes).filter(|(_, bounds)| around.overlaps(bounds)) {
                    let of_pieces = pair.of_pieces([(&p.shape, p.pose), (&q.shape, q.pose)]);
                    match self.advance(&of_pieces, touch.time, limit) {
                        Advance::Free => {}
                        Advance::Spent(_) => self.is_complete = false,
                        Advance::Touch(time, near) => {
                            for (number, near) in of_pieces.along_line(time, near).iter().enumerate() {
                                let mut contact = of_pieces.contact(time, near, Some([p, q]), *parts);
                                contact.upper = time.max(touch.upper);
                                let kept = found.entry((contact.features, number)).or_insert(contact);
                                if contact.lower < kept.lower {
                                    *kept = contact;
                                }
                            }
                        }
                    }
                }
            }
        }
        self.contacts.extend(found.into_values());
    }

    fn advance(&mut self, pair: &Pair<'_>, from: f64, limit: f64) -> Advance {
        pair.advance(from, limit, || {
            let is_spent = self.is_spent();
            self.visits += u64::from(!is_spent);
            is_spent
        })
    }

    /// Nothing later than this is of interest.
    fn limit(&self) -> f64 {
        match self.first {
            None => 1.0,
            Some(first) if first.upper == 0.0 => 0.0,
            Some(first) => (first.until + self.band).min(1.0),
        }
    }

    fn keep(&mut self, found: First) {
        self.first = Some(self.first.map_or(found, |first| First {
            lower: first.lower.min(found.lower),
            upper: first.upper.min(found.upper),
            until: first.until.min(found.until),
        }));
    }

    fn give_up(&mut self, lower: f64) {
        self.is_complete = false;
        self.spent = Some(self.spent.map_or(lower, |l| l.min(lower)));
    }

    fn is_spent(&self) -> bool {
        self.options.max_visits.is_some_and(|most| self.visits >= most) || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn answer(&mut self) -> ShapeImpact {
        let clock = Clock(self.options.interval);
        let [start, end] = self.options.interval;
        let spent = self.spent.filter(|&s| self.first.is_none_or(|first| s < first.lower));
        let upper = self.first.map(|first| clock.up(first.upper));
        let (outcome, lower, upper) = match (spent, self.first) {
            (_, Some(First { upper: 0.0, .. })) => (ShapeOutcome::AtStart, start, Some(start)),
            (Some(spent), _) => (ShapeOutcome::Spent, clock.down(spent), upper),
            (None, Some(first)) => (ShapeOutcome::Impact, clock.down(first.lower), upper),
            (None, None) => (ShapeOutcome::Free, end, None),
        };
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.iter_mut().for_each(|c| (c.lower, c.upper) = (clock.down(c.lower), clock.up(c.upper)));
        ShapeImpact {
            outcome,
            lower,
            upper,
            contacts,
            overlap: None,
            is_complete: self.is_complete,
            visits: self.visits,
        }
    }
}

/// The parts of a compound and their poses; of any other shape, itself.
fn parts(shape: &Shape) -> Vec<(&Shape, Pose)> {
    match shape.as_compound() {
        Some(compound) => compound
            .parts()
            .iter()
            .flat_map(|part| {
                let inner = parts(&part.shape);
                inner.into_iter().map(|(shape, pose)| (shape, part.pose.compose(&pose)))
            })
            .collect(),
        None => vec![(shape, Pose::IDENTITY)],
    }
}
