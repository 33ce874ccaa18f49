//! Metric bolts and nuts with hexagonal heads, by their size.
//!
//! The profile is the basic one of ISO 68-1, with flats of an eighth of the pitch at the major diameter and
//! of a quarter at the minor one. Pitches are the coarse ones of ISO 261, widths and heights those of ISO
//! 4017 (bolts) and ISO 4032 (nuts), deviations and tolerances those of ISO 965-1 for 6g and 6H at a normal
//! length of engagement.
//!
//! Left out are the roundings: of the bolt's root (below its flat, ISO 965-1 wants a radius of an eighth of
//! the pitch or more), of the nut's root, and of the corner under the head; the chamfers of the hexagons'
//! corners, of the bolt's tip and of the nut's bore, in place of which threads fade out over half a turn;
//! and the washer face.

use super::screw::{bored_hexagon, headed};
use super::thread::Thread;
use crate::primitives::{PrimitiveError, above, at_least, clearance_of, length};
use crate::{Remedy, Soup};
use std::f64::consts::{FRAC_PI_6, PI};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A nominal size of ISO 261 with its coarse pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum MetricSize {
    M3,
    M4,
    M5,
    M6,
    M8,
    M10,
    M12,
    M14,
    M16,
    M18,
    M20,
}

/// Dimensions of a size: mm, but micrometres where the name says so.
struct Standard {
    name: &'static str,
    diameter: f64,
    pitch: f64,
    across: f64,
    head: f64,
    nut: f64,
    /// Distance of position g from the basic profile, in diameter.
    deviation_um: f64,
    /// Tolerances of grade 6 of the bolt's major and pitch diameters, and of the nut's pitch and minor ones.
    tolerances_um: [f64; 4],
}

const fn standard(
    name: &'static str,
    [diameter, pitch, across, head, nut]: [f64; 5],
    deviation_um: f64,
    tolerances_um: [f64; 4],
) -> Standard {
    Standard { name, diameter, pitch, across, head, nut, deviation_um, tolerances_um }
}

/// In the order of [`MetricSize`].
const STANDARD: [Standard; 11] = [
    standard("M3", [3.0, 0.5, 5.5, 2.0, 2.4], 20.0, [106.0, 75.0, 100.0, 140.0]),
    standard("M4", [4.0, 0.7, 7.0, 2.8, 3.2], 22.0, [140.0, 90.0, 118.0, 180.0]),
    standard("M5", [5.0, 0.8, 8.0, 3.5, 4.7], 24.0, [150.0, 95.0, 125.0, 200.0]),
    standard("M6", [6.0, 1.0, 10.0, 4.0, 5.2], 26.0, [180.0, 112.0, 150.0, 236.0]),
    standard("M8", [8.0, 1.25, 13.0, 5.3, 6.8], 28.0, [212.0, 118.0, 160.0, 265.0]),
    standard("M10", [10.0, 1.5, 16.0, 6.4, 8.4], 32.0, [236.0, 132.0, 180.0, 300.0]),
    standard("M12", [12.0, 1.75, 18.0, 7.5, 10.8], 34.0, [265.0, 150.0, 200.0, 335.0]),
    standard("M14", [14.0, 2.0, 21.0, 8.8, 12.8], 38.0, [280.0, 160.0, 212.0, 375.0]),
    standard("M16", [16.0, 2.0, 24.0, 10.0, 14.8], 38.0, [280.0, 160.0, 212.0, 375.0]),
    standard("M18", [18.0, 2.5, 27.0, 11.5, 15.8], 42.0, [335.0, 170.0, 224.0, 450.0]),
    standard("M20", [20.0, 2.5, 30.0, 12.5, 18.0], 42.0, [335.0, 170.0, 224.0, 450.0]),
];

impl MetricSize {
    /// All sizes, from small to large.
    pub const ALL: [MetricSize; 11] = [
        MetricSize::M3,
        MetricSize::M4,
        MetricSize::M5,
        MetricSize::M6,
        MetricSize::M8,
        MetricSize::M10,
        MetricSize::M12,
        MetricSize::M14,
        MetricSize::M16,
        MetricSize::M18,
        MetricSize::M20,
    ];

    fn standard(self) -> &'static Standard {
        &STANDARD[self as usize]
    }

    /// Nominal diameter, m.
    pub fn diameter(self) -> f64 {
        1e-3 * self.standard().diameter
    }

    /// Coarse pitch, which is how far a nut moves in a turn, m.
    pub fn pitch(self) -> f64 {
        1e-3 * self.standard().pitch
    }

    /// Distance between opposite sides of the head and of the nut, at its largest, m.
    pub fn across(self) -> f64 {
        1e-3 * self.standard().across
    }

    /// Nominal height of the head, m.
    pub fn head(self) -> f64 {
        1e-3 * self.standard().head
    }

    /// Height of the nut, at its largest, m.
    pub fn nut(self) -> f64 {
        1e-3 * self.standard().nut
    }
}

impl fmt::Display for MetricSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.standard().name)
    }
}

/// A text that is none of the [sizes](MetricSize).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct UnknownSize {
    /// The text.
    pub text: String,
}

impl Remedy for UnknownSize {
    fn what(&self) -> String {
        format!("\"{}\" is not a size here", self.text)
    }

    fn remedy(&self) -> String {
        format!("use one of {}", MetricSize::ALL.map(|size| size.to_string()).join(", "))
    }
}

impl FromStr for MetricSize {
    type Err = UnknownSize;

    fn from_str(text: &str) -> Result<Self, UnknownSize> {
        let is_named = |size: &MetricSize| size.standard().name.eq_ignore_ascii_case(text.trim());
        MetricSize::ALL.into_iter().find(is_named).ok_or_else(|| UnknownSize { text: text.to_owned() })
    }
}

/// How much smaller the thread of a bolt is than that of its nut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThreadFit {
    /// The bolt has the basic profile, and all faces of the nut are this far from it, m.
    Clearance(f64),
    /// 6g for the bolt and 6H for the nut (ISO 965-1): 0 is where both are as tight as these allow, 1 where
    /// both are as loose, 0.5 the middle of all tolerances.
    Medium(f64),
}

/// A bolt with a hexagonal head and a thread along its whole length (ISO 4017), and its nut (ISO 4032). At
/// the same pose the nut is on the bolt, with clearance on all sides; turned by an angle it still is, if it
/// is moved along z by that share of the pitch.
///
/// The bolt's corners are on the true thread. Those of the nut are moved out, so that the middles of its
/// sides are. Facets of equal numbers nest like a ratchet: let these have no common divisor, as
/// [`coprime_above`](HexBoltAndNut::coprime_above) gives it.
///
/// ```
/// use silvia_solid::{Solid, parts::{HexBoltAndNut, MetricSize}};
/// let fit = HexBoltAndNut { size: MetricSize::M10, length: 0.03, ..HexBoltAndNut::default() };
/// assert_eq!(Solid::from_soup(&fit.bolt()?)?.genus(), 0);
/// assert_eq!(Solid::from_soup(&fit.nut()?)?.genus(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexBoltAndNut {
    /// Size.
    pub size: MetricSize,
    /// Length without the head, m.
    pub length: f64,
    /// How the threads fit.
    pub fit: ThreadFit,
    /// Number of sides of the polygons that replace circles, of the bolt.
    pub segments: usize,
    /// The same of the nut.
    pub nut_segments: usize,
    /// Rows of quadrangles on each of the four sides of the profile.
    pub rows: usize,
}

impl Default for HexBoltAndNut {
    /// M8 x 25, 6g/6H in the middle of all tolerances, with 32 and 35 sides.
    fn default() -> Self {
        HexBoltAndNut {
            size: MetricSize::M8,
            length: 25.0e-3,
            fit: ThreadFit::Medium(0.5),
            segments: 32,
            nut_segments: HexBoltAndNut::coprime_above(32),
            rows: 1,
        }
    }
}

/// Length of the plain part beyond either end of a thread, in pitches.
const PLAIN: f64 = 0.1;

/// Half the axial section of the bolt's ridge, or of the nut's: radii of its two ends and of where ridge
/// and gap are equally wide, m.
struct Profile {
    major: f64,
    middle: f64,
    minor: f64,
}

impl HexBoltAndNut {
    /// The least number of sides for a nut that is more than two above that of the bolt and has no common
    /// divisor with it. The gap between the two polygons then has its narrowest places at three or more
    /// angles, evenly around the axis, which carry the nut upright.
    pub fn coprime_above(segments: usize) -> usize {
        let divisor = |mut a: usize, mut b: usize| {
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        // A number and the next have no common divisor, so that one is found before twice the number.
        (segments.saturating_add(3)..usize::MAX).find(|&n| divisor(n, segments) <= 1).unwrap_or(usize::MAX)
    }

    /// The bolt, its head down, with the middle of the face under its head at the origin.
    pub fn bolt(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        headed(&self.bolt_thread(), self.size.across(), self.size.head())
    }

    /// The nut.
    pub fn nut(&self) -> Result<Soup, PrimitiveError> {
        self.check()?;
        bored_hexagon(&self.nut_thread(), self.size.across())
    }

    /// Heights of the two faces of the nut, m.
    pub fn nut_faces(&self) -> [f64; 2] {
        self.nut_thread().ends
    }

    /// Distance between the flanks of bolt and nut where both are in the middle of their play, m.
    pub fn flank_clearance(&self) -> f64 {
        let [bolt, nut] = self.profiles();
        (nut.middle - bolt.middle) * FRAC_PI_6.sin()
    }

    /// Turns of thread of the bolt.
    pub fn bolt_turns(&self) -> usize {
        self.turns_in(self.length)
    }

    /// Turns of thread of the nut.
    pub fn nut_turns(&self) -> usize {
        self.turns_in(self.size.nut())
    }

    /// As many as a length has room for beside the plain ends. The points of a thread reach one turn beyond
    /// it.
    fn turns_in(&self, length: f64) -> usize {
        // The height of an M20 nut is a whole number of turns: rounding must not take one away.
        (length / self.size.pitch() - 1.0 - 2.0 * PLAIN + 1e-9).max(0.0) as usize
    }

    /// Profiles of the bolt and of the nut.
    fn profiles(&self) -> [Profile; 2] {
        let (d, p) = (self.size.diameter(), self.size.pitch());
        let height = 0.5 * p / FRAC_PI_6.tan();
        // Basic profile: from the sharp triangle, H/8 are cut off outside and H/4 inside.
        let basic = |[major, middle, minor]: [f64; 3]| Profile {
            major: 0.5 * d + major,
            middle: 0.5 * d - 0.375 * height + middle,
            minor: 0.5 * d - 0.625 * height + minor,
        };
        match self.fit {
            ThreadFit::Clearance(c) => [basic([0.0; 3]), basic([c, c / FRAC_PI_6.sin(), c])],
            ThreadFit::Medium(share) => {
                let standard = self.size.standard();
                // Of radii, m. Roots follow the flanks.
                let g = -0.5e-6 * standard.deviation_um;
                let [bolt_major, bolt_middle, nut_middle, nut_minor] =
                    standard.tolerances_um.map(|um| 0.5e-6 * share * um);
                [
                    basic([g - bolt_major, g - bolt_middle, g - bolt_middle]),
                    basic([nut_middle, nut_middle, nut_minor]),
                ]
            }
        }
    }

    fn bolt_thread(&self) -> Thread {
        let p = self.size.pitch();
        let [Profile { major, middle, minor }, _] = self.profiles();
        let half = |radius: f64| 0.25 * p - (radius - middle) * FRAC_PI_6.tan();
        let turns = self.bolt_turns();
        // What is left of the length is plain, under the head.
        let start = self.length - PLAIN * p - (turns as f64 + 1.0) * p + half(minor);
        Thread {
            segments: self.segments,
            rows: self.rows,
            turns,
            pitch: p,
            base: minor,
            crest: major,
            half_base: half(minor),
            half_crest: half(major),
            start,
            ends: [0.0, self.length],
        }
    }

    /// The ridge of the nut is in the gap of the bolt, near the middle of its thread.
    fn nut_thread(&self) -> Thread {
        let p = self.size.pitch();
        let [_, Profile { major, middle, minor }] = self.profiles();
        let bolt = self.bolt_thread();
        let circumscribed = 1.0 / (PI / self.nut_segments as f64).cos();
        let half = |radius: f64| 0.25 * p + (radius - middle) * FRAC_PI_6.tan();
        let turns = self.nut_turns();
        let turns_below = bolt.turns.saturating_sub(turns) / 2;
        let start = bolt.start + p * (turns_below as f64 + 0.5);
        // The thread is in the middle of the nut.
        let thread = [start - half(major), start - half(major) + p * (turns as f64 + 1.0)];
        let plain = 0.5 * (self.size.nut() - (thread[1] - thread[0]));
        Thread {
            segments: self.nut_segments,
            turns,
            base: major * circumscribed,
            crest: minor * circumscribed,
            half_base: half(major),
            half_crest: half(minor),
            start,
            ends: [thread[0] - plain, thread[1] + plain],
            ..bolt
        }
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        at_least("segments", self.segments, 6)?;
        at_least("segments of the nut", self.nut_segments, 6)?;
        at_least("rows", self.rows, 1)?;
        length("length", self.length)?;
        above("length", self.length, self.size.nut() + self.size.pitch(), "a nut and a turn of its thread")?;
        match self.fit {
            ThreadFit::Clearance(c) => {
                clearance_of(c)?;
            }
            ThreadFit::Medium(share) if (0.0..=1.0).contains(&share) => {}
            ThreadFit::Medium(share) => {
                return Err(PrimitiveError::NotAShare { name: "tolerance", value: share });
            }
        }
        let nut = self.nut_thread();
        if nut.half_crest <= 0.0 {
            let limit = 0.125 * self.size.pitch() * FRAC_PI_6.cos() / (1.0 - FRAC_PI_6.sin());
            let (name, reason) = ("clearance", "where the thread of the nut would vanish");
            let value = if let ThreadFit::Clearance(c) = self.fit { c } else { self.flank_clearance() };
            return Err(PrimitiveError::DoesNotFit { name, value, bound: "below", limit, reason });
        }
        above("distance across", self.size.across(), 2.0 * nut.base, "the width of the bore of the nut")
    }
}

#[cfg(test)]
mod tests;
