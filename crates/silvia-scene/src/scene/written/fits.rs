//! Screws, bolts, nuts and screwdrivers; keys and their pockets; snap hooks; the pieces of a puzzle; stones.

use super::quantity::{Angle, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A screw with a hexagonal head, and the nut for it; by default M16 with 0.1 mm of clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "screw")]
pub struct Screw {
    /// Number of sides of the polygons that replace circles; 32 by default. A screw and a nut with coprime
    /// numbers turn more smoothly on each other.
    pub segments: Option<usize>,
    /// Rows of quadrangles on each of the four sides of the thread's profile; 1 by default.
    pub rows: Option<usize>,
    /// Radius of the screw's crests; 8 mm by default.
    pub radius: Option<Length>,
    /// Rise of the thread in a turn; 2 mm by default.
    pub pitch: Option<Length>,
    /// Turns of the thread of the screw; 14 by default.
    pub screw_turns: Option<usize>,
    /// Turns of the thread of the nut, fewer than those of the screw; 5 by default.
    pub nut_turns: Option<usize>,
    /// Distance between the faces of the threads, measured across them; 0 is an exact fit; 0.1 mm by default.
    pub clearance: Option<Length>,
    /// Distance between opposite sides of the head and of the nut; 24 mm by default.
    pub across: Option<Length>,
    /// Height of the head; 10 mm by default.
    pub head: Option<Length>,
}

/// A screw with a cross recess of ISO 4757, type H (Phillips), and the screwdriver for it; by default M4 with
/// a pan head, and a driver of 6 mm with 0.03 mm of clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "cross-screw")]
pub struct CrossScrew {
    /// Number of the recess: 1 to 4; 2 by default.
    pub size: Option<usize>,
    /// Diameter over the ends of the recess's wings at the top of the head; 4.4 mm by default.
    pub mouth: Option<Length>,
    /// Distance between the faces of driver and recess, measured across them; 0 is an exact fit; 0.03 mm by
    /// default.
    pub clearance: Option<Length>,
    /// Radius of the head; 4 mm by default.
    pub head: Option<Length>,
    /// Height of the head; 3.1 mm by default.
    pub head_height: Option<Length>,
    /// Radius of the screw's shank; 2 mm by default.
    pub shank: Option<Length>,
    /// Length of the screw's shank; 12 mm by default.
    pub length: Option<Length>,
    /// Radius of the driver's shaft; 3 mm by default.
    pub shaft: Option<Length>,
    /// Height of the end of the driver's shaft above the head; 30 mm by default.
    pub shaft_length: Option<Length>,
    /// Number of sides of the polygons that replace circles; 32 by default.
    pub segments: Option<usize>,
}

/// A rectangular peg, and a block with a chamfered pocket for it; by default 20 mm x 12 mm with 0.05 mm of
/// clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "key")]
pub struct Key {
    /// Sides of the peg along x and y; 20 mm and 12 mm by default.
    pub sides: Option<[Length; 2]>,
    /// Length of the peg along z; 40 mm by default.
    pub length: Option<Length>,
    /// Distance between the sides of peg and pocket; 0 is an exact fit; 0.05 mm by default.
    pub clearance: Option<Length>,
    /// Width and depth of the chamfer around the mouth of the pocket; 0 for none; 1 mm by default.
    pub chamfer: Option<Length>,
    /// Depth of the pocket, chamfer included; 30 mm by default.
    pub depth: Option<Length>,
    /// Thickness of the block below the pocket; 0, a through hole, by default.
    pub floor: Option<Length>,
    /// Least thickness of the block beside the pocket; 10 mm by default.
    pub wall: Option<Length>,
}

/// A metric bolt with a hexagonal head (ISO 4017), threaded along its whole length, and its nut (ISO 4032);
/// by default M8 x 25 with threads of 6g and 6H in the middle of their tolerances.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "hex-bolt")]
pub struct HexBolt {
    /// Size with coarse pitch: `"M3"`, `"M4"`, `"M5"`, `"M6"`, `"M8"`, `"M10"`, `"M12"`, `"M14"`, `"M16"`,
    /// `"M18"` or `"M20"`; M8 by default.
    pub size: Option<String>,
    /// Length without the head; 25 mm by default.
    pub length: Option<Length>,
    /// How loose the threads of 6g and 6H (ISO 965-1) are within their tolerances: 0 is as tight as these
    /// allow, 1 as loose; 0.5 by default.
    pub tolerance: Option<f64>,
    /// Distance between the faces of the threads, in place of `tolerance`; the bolt then has the basic
    /// profile.
    pub clearance: Option<Length>,
    /// Number of sides of the polygons that replace circles, of the bolt; 32 by default.
    pub segments: Option<usize>,
    /// The same of the nut; by default the first number that is more than two larger and has no common
    /// divisor with `segments`: 35. Give the same numbers for bolt and nut.
    pub nut_segments: Option<usize>,
    /// Rows of quadrangles on each of the four sides of the thread's profile; 1 by default.
    pub rows: Option<usize>,
}

/// A cantilever hook on a base plate, and a plate with the slot for it; by default a beam of 2 mm x 8 mm
/// with an overhang of 1 mm. The bodies are rigid: the hook does not bend into the slot.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "snap-hook")]
pub struct SnapHook {
    /// Thickness of the beam along x; 2 mm by default.
    pub thickness: Option<Length>,
    /// Width of the beam along y; 8 mm by default.
    pub width: Option<Length>,
    /// How far the hook stands out from the beam, towards x; 1 mm by default.
    pub overhang: Option<Length>,
    /// Angle between the face that slides in and the beam's axis; 30 degrees by default.
    pub entry: Option<Angle>,
    /// Angle between the face that holds and the beam's axis, at most 90 degrees; 90 degrees by default.
    pub hold: Option<Angle>,
    /// Distance between facing faces; 0 is an exact fit; 0.1 mm by default.
    pub clearance: Option<Length>,
    /// Thickness of the plate with the slot; 12 mm by default.
    pub plate: Option<Length>,
    /// Thickness of the plate that the beam stands on; 3 mm by default.
    pub base: Option<Length>,
    /// Least thickness beside the slot; 5 mm by default.
    pub wall: Option<Length>,
}

/// A piece of a burr: a puzzle of three boards, each of which goes through a slot of the next; by default of
/// 10 mm x 30 mm x 90 mm with 0.1 mm of clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "burr")]
pub struct Burr {
    /// Which piece, in the order in which they go together: 1, 2 or 3; 1 by default.
    pub piece: Option<usize>,
    /// Thickness of the boards; 10 mm by default.
    pub thickness: Option<Length>,
    /// Width of the boards; 30 mm by default.
    pub width: Option<Length>,
    /// Length of the boards; 90 mm by default.
    pub length: Option<Length>,
    /// Distance between facing faces; 0 is an exact fit; 0.1 mm by default.
    pub clearance: Option<Length>,
}

/// An irregular stone, not convex.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "stone")]
pub struct Stone {
    /// Mean radius; 50 mm by default.
    pub radius: Option<Length>,
    /// The most that a point is off the mean radius, as a fraction of it, below 1; 0.3 by default.
    pub roughness: Option<f64>,
    /// Approximate number of triangles; 5000 by default.
    pub triangles: Option<usize>,
    /// Stones of different seeds differ; 1 by default.
    pub seed: Option<u64>,
}
