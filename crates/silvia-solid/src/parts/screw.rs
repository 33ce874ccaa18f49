//! A screw with a hexagonal head, and a nut that fits.

use super::thread::{Surface, Thread};
use crate::primitives::{PrimitiveError, above, at_least, check_triangles, clearance_of, length};
use crate::triangulate::polygon_with_holes;
use crate::{Soup, Vec3};
use std::f64::consts::{FRAC_PI_6, PI};

/// A screw and a nut with matching right-handed threads, of the profile of ISO 68-1 (flanks at 60 degrees,
/// crests of an eighth of the pitch). At the same pose the nut is on the screw with the clearance on all
/// sides; turned by an angle it still is, if it is moved along z by that share of the pitch.
///
/// The screw's corners are on the true thread. Those of the nut are moved out, so that the middles of its
/// sides keep the clearance. Threads fade out over half a turn at both ends.
///
/// ```
/// use silvia_solid::{Solid, parts::ScrewAndNut};
/// let fit = ScrewAndNut { clearance: 5e-5, ..ScrewAndNut::default() };
/// assert_eq!(Solid::from_soup(&fit.screw()?)?.genus(), 0);
/// assert_eq!(Solid::from_soup(&fit.nut()?)?.genus(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewAndNut {
    /// Number of sides of the polygons that replace circles.
    pub segments: usize,
    /// Rows of quadrangles on each of the four sides of the profile.
    pub rows: usize,
    /// Radius of the screw's crests, m.
    pub radius: f64,
    /// Rise of the thread in a turn, m.
    pub pitch: f64,
    /// Turns of the thread of the screw.
    pub screw_turns: usize,
    /// Turns of the thread of the nut; fewer than those of the screw.
    pub nut_turns: usize,
    /// Distance between the faces of the two threads, m.
    pub clearance: f64,
    /// Distance between opposite sides of the head and of the nut, m.
    pub across: f64,
    /// Height of the head, m.
    pub head: f64,
}

impl Default for ScrewAndNut {
    /// M16 with 0.1 mm of clearance.
    fn default() -> Self {
        ScrewAndNut {
            segments: 32,
            rows: 1,
            radius: 8.0e-3,
            pitch: 2.0e-3,
            screw_turns: 14,
            nut_turns: 5,
            clearance: 0.1e-3,
            across: 24.0e-3,
            head: 10.0e-3,
        }
    }
}

/// Half the thickness of the ridge at the crest of a screw, in pitches.
const HALF_CREST: f64 = 1.0 / 16.0;
/// Half the thickness of the ridge at the root of a screw, in pitches.
const HALF_ROOT: f64 = 3.0 / 8.0;
/// Length of the plain part beyond either end of a thread, in pitches.
const PLAIN: f64 = 0.25;

impl ScrewAndNut {
    /// The screw, its head down, with the middle of its thread at the origin.
    pub fn screw(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        headed(&self.screw_thread(), self.across, self.head)
    }

    /// The nut.
    pub fn nut(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        bored_hexagon(&self.nut_thread(), self.across)
    }

    /// Height of the tip of the screw above the origin, m.
    pub fn tip(&self) -> f64 {
        self.screw_thread().ends[1]
    }

    /// Heights of the two faces of the nut, m.
    pub fn nut_faces(&self) -> [f64; 2] {
        self.nut_thread().ends
    }

    /// Depth of the thread, m.
    fn depth(&self) -> f64 {
        self.pitch * (HALF_ROOT - HALF_CREST) / FRAC_PI_6.tan()
    }

    fn screw_thread(&self) -> Thread {
        let half_base = HALF_ROOT * self.pitch;
        let middle = 0.5 * self.pitch * self.screw_turns as f64;
        let ends = half_base + PLAIN * self.pitch;
        Thread {
            segments: self.segments,
            rows: self.rows,
            turns: self.screw_turns,
            pitch: self.pitch,
            base: self.radius - self.depth(),
            crest: self.radius,
            half_base,
            half_crest: HALF_CREST * self.pitch,
            start: -middle,
            // The last row is one pitch beyond the last ridge.
            ends: [-middle - ends, middle + self.pitch + PLAIN * self.pitch],
        }
    }

    /// The ridge of the nut fills the gap of the screw, but for the clearance.
    fn nut_thread(&self) -> Thread {
        let (p, c) = (self.pitch, self.clearance);
        let screw = self.screw_thread();
        let circumscribed = 1.0 / (PI / self.segments as f64).cos();
        // Half the thickness of the ridge at a height above the crest of the screw.
        let half = |above: f64| 0.5 * p - (HALF_CREST * p - above * FRAC_PI_6.tan()) - c / FRAC_PI_6.cos();
        let (half_base, half_crest) = (half(c), half(c - self.depth()));
        // Half a pitch beside the ridge of the screw, as near the middle as that allows.
        let turns_below = (self.screw_turns - self.nut_turns) / 2;
        let start = screw.start + p * (turns_below as f64 + 0.5);
        let top = start + p * (self.nut_turns as f64 + 1.0);
        Thread {
            turns: self.nut_turns,
            base: (self.radius + c) * circumscribed,
            crest: (screw.base + c) * circumscribed,
            half_base,
            half_crest,
            start,
            ends: [start - half_base - PLAIN * p, top + PLAIN * p],
            ..screw
        }
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("segments", self.segments, 6)?;
        at_least("rows", self.rows, 1)?;
        at_least("turns of the nut", self.nut_turns, 1)?;
        at_least("turns of the screw", self.screw_turns, self.nut_turns + 1)?;
        length("radius", self.radius)?;
        length("pitch", self.pitch)?;
        length("across", self.across)?;
        length("head", self.head)?;
        clearance_of(self.clearance)?;
        above("radius", self.radius, self.depth(), "the depth of the thread")?;
        let nut = self.nut_thread();
        // The ridge must leave something of itself, and the hexagon something around the bore.
        if nut.half_crest <= 0.0 {
            let limit = self.pitch * (0.5 - HALF_ROOT) * FRAC_PI_6.cos() / (1.0 - FRAC_PI_6.sin());
            let reason = "where the thread of the nut would vanish";
            let (name, value) = ("clearance", self.clearance);
            return Err(PrimitiveError::DoesNotFit { name, value, bound: "below", limit, reason });
        }
        above("across", self.across, 2.0 * nut.base, "the width of the bore of the nut")
    }
}

/// A thread that points outward, on a hexagonal head below it.
pub(super) fn headed(thread: &Thread, across: f64, head: f64) -> Result<Soup, PrimitiveError> {
    check_triangles(thread.triangles() + 4.0 * thread.segments as f64)?;
    let Surface { mut points, mut triangles, rings: [low, high] } = thread.surface();
    let [under, _] = thread.ends;
    let hexagons = [under - head, under].map(|z| hexagon(&mut points, across, z));
    triangles.extend(polygon_with_holes(&points, &high, &[])?);
    let bottom = polygon_with_holes(&points, &hexagons[0], &[])?;
    triangles.extend(bottom.into_iter().map(turned_over));
    triangles.extend(polygon_with_holes(&points, &hexagons[1], &[reversed(&low)])?);
    triangles.extend(wall(&hexagons));
    Ok(Soup::new(points, triangles)?)
}

/// A hexagon around a thread that points inward.
pub(super) fn bored_hexagon(thread: &Thread, across: f64) -> Result<Soup, PrimitiveError> {
    check_triangles(thread.triangles() + 4.0 * thread.segments as f64)?;
    let Surface { mut points, mut triangles, rings: [low, high] } = thread.surface();
    // The material is outside the bore.
    triangles.iter_mut().for_each(|triangle| *triangle = turned_over(*triangle));
    let hexagons = thread.ends.map(|z| hexagon(&mut points, across, z));
    let bottom = polygon_with_holes(&points, &hexagons[0], &[reversed(&low)])?;
    triangles.extend(bottom.into_iter().map(turned_over));
    triangles.extend(polygon_with_holes(&points, &hexagons[1], &[reversed(&high)])?);
    triangles.extend(wall(&hexagons));
    Ok(Soup::new(points, triangles)?)
}

/// Adds the corners of a hexagon, with two sides across y, and gives their numbers, anticlockwise.
fn hexagon(points: &mut Vec<Vec3>, across: f64, z: f64) -> Vec<u32> {
    let first = points.len() as u32;
    let radius = across / (2.0 * FRAC_PI_6.cos());
    points.extend(crate::primitives::circle(radius, z, 6));
    (first..first + 6).collect()
}

/// The upright sides between two hexagons.
fn wall([low, high]: &[Vec<u32>; 2]) -> Vec<[u32; 3]> {
    let side = |i: usize| {
        let j = (i + 1) % low.len();
        [[low[i], low[j], high[j]], [low[i], high[j], high[i]]]
    };
    (0..low.len()).flat_map(side).collect()
}

fn reversed(ring: &[u32]) -> Vec<u32> {
    ring.iter().rev().copied().collect()
}

fn turned_over([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}
