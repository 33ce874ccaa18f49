//! What a body can be: a file, a shape by its parameters, or several of them together.

use super::Placed;
use super::quantity::{Angle, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape with a name, for bodies and other parts to use.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "part")]
pub struct WrittenPart {
    /// No two parts have the same.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub shape: WrittenShape,
}

/// What something is: just one of these must be given. Shapes stand upright on the z axis, with their middle
/// at the origin.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "shape")]
pub struct WrittenShape {
    /// The name of a part.
    pub part: Option<String>,
    /// A part file (STL, OBJ or PLY) in the folder of the scene or below it.
    pub file: Option<String>,
    /// Of the numbers in the `file`: `m`, `mm`, `cm`, `um`, `in` or `ft`; the scene's unit of length if
    /// nothing is said.
    pub unit: Option<String>,
    /// Takes the triangles of the `file` as a surface without an inside, for one that is not closed. Such a
    /// body must be fixed or scripted, or be given its `inertia`.
    pub surface: Option<bool>,
    /// A box.
    #[serde(rename = "box")]
    pub cuboid: Option<Box>,
    /// A sphere.
    pub sphere: Option<Sphere>,
    /// A cylinder.
    pub cylinder: Option<Cylinder>,
    /// A cone, or one without its tip.
    pub cone: Option<Cone>,
    /// A cylinder with round ends.
    pub capsule: Option<Capsule>,
    /// All that is on one side of a plane: the ground, a wall. It must be fixed or scripted.
    pub half_space: Option<HalfSpace>,
    /// A prism over a regular polygon or over any outline.
    pub prism: Option<Prism>,
    /// A ring about the z axis.
    pub torus: Option<Torus>,
    /// A tube along a torus knot.
    pub knot: Option<Knot>,
    /// The convex hull of points.
    pub hull: Option<Hull>,
    /// A peg. With equal sizes, peg and hole are assembled when both are at the same pose.
    pub peg: Option<Peg>,
    /// The block with the hole for a peg.
    pub hole: Option<Peg>,
    /// A bolt with a countersunk head. With equal sizes, bolt and countersink are assembled when both are at
    /// the same pose.
    pub bolt: Option<Bolt>,
    /// The block with the countersunk hole for a bolt.
    pub countersink: Option<Bolt>,
    /// The tail of a dovetail. With equal sizes, tail and socket are assembled when both are at the same
    /// pose.
    pub tail: Option<Dovetail>,
    /// The block with the groove for a dovetail.
    pub socket: Option<Dovetail>,
    /// Two plates like an L.
    pub l_bracket: Option<Bracket>,
    /// Two plates like a T.
    pub t_bracket: Option<Bracket>,
    /// A gear wheel with involute teeth.
    pub gear: Option<Gear>,
    /// Several shapes that keep their places to each other. Where they overlap, their mass counts twice.
    pub compound: Option<Vec<Placed>>,
}

/// A box.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "box")]
pub struct Box {
    /// Along x, y and z.
    pub size: [Length; 3],
}

/// A sphere; truly round unless it is to be made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "sphere")]
pub struct Sphere {
    /// From the middle.
    pub radius: Length,
    /// Makes it a polyhedron of 20 N² triangles.
    pub frequency: Option<usize>,
}

/// An upright cylinder; truly round unless it is to be made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cylinder")]
pub struct Cylinder {
    /// From the axis.
    pub radius: Length,
    /// Along z.
    pub height: Length,
    /// Makes it a polyhedron with this many sides.
    pub segments: Option<usize>,
}

/// An upright cone; truly round unless it is to be made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cone")]
pub struct Cone {
    /// At the bottom, from the axis.
    pub radius: Length,
    /// The radius at the top, for a cone without its tip, which is always made of triangles.
    pub top: Option<Length>,
    /// Along z.
    pub height: Length,
    /// Makes it a polyhedron with this many sides; 32 for one without its tip if nothing is said.
    pub segments: Option<usize>,
}

/// An upright cylinder with round ends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "capsule")]
pub struct Capsule {
    /// Of the cylinder and of its ends.
    pub radius: Length,
    /// Of the cylinder, along z, without its ends.
    pub height: Length,
}

/// All that is below a plane.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "half-space")]
pub struct HalfSpace {
    /// Out of it, of any length; along z if nothing is said.
    pub normal: Option<[f64; 3]>,
    /// From the origin to the plane, along the normal; 0 if nothing is said.
    pub offset: Option<Length>,
}

/// An upright prism: give `sides` and `radius`, or an `outline`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "prism")]
pub struct Prism {
    /// Corners of the regular polygon.
    pub sides: Option<usize>,
    /// From the axis to the corners of the regular polygon.
    pub radius: Option<Length>,
    /// Corners of any polygon, in order; the points are taken as they are.
    pub outline: Option<Vec<[Length; 2]>>,
    /// Holes in the outline, each by its corners.
    pub holes: Option<Vec<Vec<[Length; 2]>>>,
    /// Along z.
    pub height: Length,
}

/// A ring about the z axis.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "torus")]
pub struct Torus {
    /// From the axis to the middle of the tube.
    pub ring: Length,
    /// Radius of the tube.
    pub tube: Length,
    /// Segments along the ring; 48 if nothing is said.
    pub along: Option<usize>,
    /// Segments around the tube; 16 if nothing is said.
    pub around: Option<usize>,
}

/// A tube along a torus knot; the trefoil unless other windings are given.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "knot")]
pub struct Knot {
    /// From the axis to the ring on which the knot winds.
    pub ring: Length,
    /// From the ring to the middle of the tube.
    pub coil: Length,
    /// Radius of the tube.
    pub tube: Length,
    /// Turns around the z axis; 2 if nothing is said.
    pub around_axis: Option<u32>,
    /// Turns around the ring, with no divisor in common with those around the axis; 3 if nothing is said.
    pub around_ring: Option<u32>,
    /// About how many triangles it is made of; 10,000 if nothing is said.
    pub triangles: Option<usize>,
}

/// The convex hull of points.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "hull")]
pub struct Hull {
    /// At least four that are not in one plane.
    pub points: Vec<[Length; 3]>,
}

/// A peg and the hole for it. What is not said is that of a peg of 20 mm diameter with 0.04 mm of clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "peg")]
pub struct Peg {
    /// Sides of the peg and of the hole; 64 if nothing is said.
    pub facets: Option<usize>,
    /// From the peg's axis to its corners; 10 mm if nothing is said.
    pub radius: Option<Length>,
    /// Between the facets of peg and hole, measured across them; 0 fits exactly; 0.04 mm if nothing is said.
    pub clearance: Option<Length>,
    /// Of the peg; 40 mm if nothing is said.
    pub length: Option<Length>,
    /// Of the hole; 30 mm if nothing is said.
    pub depth: Option<Length>,
    /// Of the block, below the hole; 0, a hole that goes through, if nothing is said.
    pub floor: Option<Length>,
    /// Of the block, beside the hole where it is thinnest; 10 mm if nothing is said.
    pub wall: Option<Length>,
}

/// A bolt with a countersunk head and the block for it. What is not said is that of an M6 bolt with a head of
/// 90 degrees.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "bolt")]
pub struct Bolt {
    /// Sides of the polygons that stand for circles.
    pub segments: Option<usize>,
    /// Radius of the shank.
    pub shank: Option<Length>,
    /// Radius of the head where it is widest.
    pub head: Option<Length>,
    /// Height of the cone under the head.
    pub head_height: Option<Length>,
    /// Of the whole bolt.
    pub length: Option<Length>,
    /// Between the faces of bolt and hole, measured across them; 0 fits exactly.
    pub clearance: Option<Length>,
    /// Height of the block.
    pub thickness: Option<Length>,
    /// Of the block, beside the hole where it is thinnest.
    pub wall: Option<Length>,
}

/// A dovetail, which slides along z.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "dovetail")]
pub struct Dovetail {
    /// Width of the tail where it leaves the rail.
    pub neck: Option<Length>,
    /// Of the tail.
    pub height: Option<Length>,
    /// Between a side of the tail and the rail, below 90 degrees; 60 degrees if nothing is said.
    pub angle: Option<Angle>,
    /// Between the faces of tail and groove, measured across them; 0 fits exactly.
    pub clearance: Option<Length>,
    /// Of the rail under the tail, and of the block around the groove where it is thinnest.
    pub wall: Option<Length>,
    /// Along z.
    pub length: Option<Length>,
}

/// Two plates at right angles.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "bracket")]
pub struct Bracket {
    /// Along x; 80 mm if nothing is said.
    pub along: Option<Length>,
    /// Along y; 60 mm if nothing is said.
    pub up: Option<Length>,
    /// Of the plates; 10 mm if nothing is said.
    pub thickness: Option<Length>,
    /// Along z; 40 mm if nothing is said.
    pub width: Option<Length>,
}

/// A gear wheel with involute teeth.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "gear")]
pub struct Gear {
    /// How many.
    pub teeth: Option<usize>,
    /// Pitch diameter divided by the number of teeth.
    pub module: Option<Length>,
    /// Below 90 degrees; 20 degrees if nothing is said.
    pub pressure_angle: Option<Angle>,
    /// By how much a tooth is thinner than a gap, along the pitch circle.
    pub backlash: Option<Length>,
    /// Along z.
    pub width: Option<Length>,
    /// Radius of the hole along the axis; 0 for none.
    pub bore: Option<Length>,
    /// Parts into which each flank is divided.
    pub flank_segments: Option<usize>,
}
