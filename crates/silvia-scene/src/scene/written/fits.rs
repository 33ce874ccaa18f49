//! Screws, nuts and screwdrivers; keys and their pockets; stones.

use super::quantity::Length;
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
