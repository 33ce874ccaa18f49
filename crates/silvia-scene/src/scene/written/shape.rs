//! Shapes: a file, a shape with parameters, or several shapes together.

use super::Placed;
use super::fits::{Burr, CrossScrew, HexBolt, Key, Screw, SnapHook, Stone};
use super::quantity::{Angle, Length};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A named shape for bodies and other parts to use.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "part")]
pub struct WrittenPart {
    /// Unique name.
    pub name: String,
    /// Its shape.
    #[serde(flatten)]
    pub shape: WrittenShape,
}

/// A shape: give exactly one of these. Most stand upright along the z axis, centred at the origin; the guide
/// has a table of where each lies.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "shape")]
pub struct WrittenShape {
    /// The name of a part.
    pub part: Option<String>,
    /// A part file (STL, OBJ or PLY) in the folder of the scene or below it.
    pub file: Option<String>,
    /// Unit of the numbers in the `file`: `m`, `mm`, `cm`, `um`, `in` or `ft`; by default the scene's unit of
    /// length.
    pub unit: Option<String>,
    /// Reads the triangles of the `file` as a surface without an inside, for a surface that is not closed.
    /// Such a body must be fixed or scripted, or have its `inertia` given.
    pub surface: Option<bool>,
    /// A factor by which the part in the `file` is made larger, besides its `unit`.
    pub scale: Option<f64>,
    /// Repairs of the `file`, in this order: `weld` (points), `drop_degenerate` and `drop_duplicates`
    /// (triangles), `split_t_junctions`, `unite` (shells that pass through each other), `orient`. By default
    /// none.
    pub repair: Option<Vec<String>>,
    /// How far `weld` and `split_t_junctions` reach; by default a millionth of the part's size.
    pub repair_within: Option<Length>,
    /// A box.
    #[serde(rename = "box")]
    pub cuboid: Option<Box>,
    /// A sphere.
    pub sphere: Option<Sphere>,
    /// A cylinder.
    pub cylinder: Option<Cylinder>,
    /// A cone or a frustum.
    pub cone: Option<Cone>,
    /// A cylinder with round ends.
    pub capsule: Option<Capsule>,
    /// An ellipsoid.
    pub ellipsoid: Option<Ellipsoid>,
    /// All points on one side of a plane: the ground, a wall. It must be fixed or scripted.
    pub half_space: Option<HalfSpace>,
    /// The inside of a sphere, for a bowl in which bodies roll. It must be fixed or scripted.
    pub cavity: Option<Cavity>,
    /// A prism over a regular polygon or any outline.
    pub prism: Option<Prism>,
    /// A ring about the z axis.
    pub torus: Option<Torus>,
    /// A tube along a torus knot.
    pub knot: Option<Knot>,
    /// The convex hull of points.
    pub hull: Option<Hull>,
    /// A peg. With equal sizes, peg and hole are assembled when both are at the same pose.
    pub peg: Option<Peg>,
    /// A block with the hole for a peg.
    pub hole: Option<Peg>,
    /// A bolt with a countersunk head. With equal sizes, bolt and countersink are assembled when both are at
    /// the same pose.
    pub bolt: Option<Bolt>,
    /// A block with the countersunk hole for a bolt.
    pub countersink: Option<Bolt>,
    /// A screw with a hexagonal head. With equal sizes, screw and nut are assembled when both are at the same
    /// pose.
    pub screw: Option<Screw>,
    /// A nut for a screw.
    pub nut: Option<Screw>,
    /// A metric bolt with a hexagonal head, by its size. With equal sizes, bolt and nut are assembled when
    /// both are at the same pose.
    pub hex_bolt: Option<HexBolt>,
    /// A metric nut, by its size.
    pub hex_nut: Option<HexBolt>,
    /// A screw with a cross recess (Phillips). With equal sizes, the screwdriver is seated in it when both
    /// are at the same pose.
    pub cross_screw: Option<CrossScrew>,
    /// A screwdriver for a screw with a cross recess.
    pub screwdriver: Option<CrossScrew>,
    /// A rectangular peg. With equal sizes, it is in the pocket when both are at the same pose.
    pub key: Option<Key>,
    /// A block with the chamfered pocket for a rectangular peg.
    pub pocket: Option<Key>,
    /// The tail of a dovetail. With equal sizes, tail and socket are assembled when both are at the same
    /// pose.
    pub tail: Option<Dovetail>,
    /// A block with the groove for a dovetail.
    pub socket: Option<Dovetail>,
    /// A snap hook. With equal sizes, it has snapped into its slot when both are at the same pose.
    pub snap_hook: Option<SnapHook>,
    /// A plate with the slot for a snap hook.
    pub snap_slot: Option<SnapHook>,
    /// A piece of a puzzle of three boards. With equal sizes, the pieces are assembled when all are at the
    /// same pose.
    pub burr: Option<Burr>,
    /// Two plates in the shape of an L.
    pub l_bracket: Option<Bracket>,
    /// Two plates in the shape of a T.
    pub t_bracket: Option<Bracket>,
    /// A gear wheel with involute teeth.
    pub gear: Option<Gear>,
    /// An irregular stone.
    pub stone: Option<Stone>,
    /// Several shapes joined rigidly. Where they overlap, their mass counts twice.
    pub compound: Option<Vec<Placed>>,
}

/// A box.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "box")]
pub struct Box {
    /// Edge lengths along x, y and z.
    pub size: [Length; 3],
}

/// A sphere; exact unless made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "sphere")]
pub struct Sphere {
    /// Radius.
    pub radius: Length,
    /// Makes it a polyhedron of 20 N² triangles.
    pub frequency: Option<usize>,
}

/// An upright cylinder; exact unless made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cylinder")]
pub struct Cylinder {
    /// Radius.
    pub radius: Length,
    /// Height along z.
    pub height: Length,
    /// Makes it a polyhedron with this many sides.
    pub segments: Option<usize>,
}

/// An upright cone; exact unless made of triangles.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cone")]
pub struct Cone {
    /// Radius at the bottom.
    pub radius: Length,
    /// Radius at the top, for a frustum, which is always made of triangles.
    pub top: Option<Length>,
    /// Height along z.
    pub height: Length,
    /// Makes it a polyhedron with this many sides; 32 by default for a frustum.
    pub segments: Option<usize>,
}

/// An upright cylinder with round ends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "capsule")]
pub struct Capsule {
    /// Radius of the cylinder and of its ends.
    pub radius: Length,
    /// Height of the cylinder along z, without its ends.
    pub height: Length,
}

/// An ellipsoid along the axes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ellipsoid")]
pub struct Ellipsoid {
    /// Half its lengths along x, y and z. The longest is at most 1000 times as long as the shortest.
    pub semi_axes: [Length; 3],
}

/// All points below a plane.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "half-space")]
pub struct HalfSpace {
    /// Outward normal, of any length; z by default.
    pub normal: Option<[f64; 3]>,
    /// Distance from the origin to the plane, along the normal; 0 by default.
    pub offset: Option<Length>,
}

/// Everything outside a ball around the origin. Drawn is the lower half of its surface.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cavity")]
pub struct Cavity {
    /// Radius of the ball that is empty.
    pub radius: Length,
}

/// An upright prism: give `sides` and `radius`, or an `outline`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "prism")]
pub struct Prism {
    /// Number of corners of the regular polygon.
    pub sides: Option<usize>,
    /// Distance from the axis to the corners of the regular polygon.
    pub radius: Option<Length>,
    /// Corners of any polygon, in order; they are not centred.
    pub outline: Option<Vec<[Length; 2]>>,
    /// Holes in the outline, each as a list of corners.
    pub holes: Option<Vec<Vec<[Length; 2]>>>,
    /// Height along z.
    pub height: Length,
}

/// A ring about the z axis.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "torus")]
pub struct Torus {
    /// Distance from the axis to the middle of the tube.
    pub ring: Length,
    /// Radius of the tube.
    pub tube: Length,
    /// Segments along the ring; 48 by default.
    pub along: Option<usize>,
    /// Segments around the tube; 16 by default.
    pub around: Option<usize>,
}

/// A tube along a torus knot; by default the trefoil.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "knot")]
pub struct Knot {
    /// Distance from the axis to the ring that the knot winds around.
    pub ring: Length,
    /// Distance from the ring to the middle of the tube.
    pub coil: Length,
    /// Radius of the tube.
    pub tube: Length,
    /// Turns around the z axis; 2 by default.
    pub around_axis: Option<u32>,
    /// Turns around the ring, coprime to those around the axis; 3 by default.
    pub around_ring: Option<u32>,
    /// Approximate number of triangles; 10,000 by default.
    pub triangles: Option<usize>,
}

/// The convex hull of points.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "hull")]
pub struct Hull {
    /// At least four points that are not in one plane.
    pub points: Vec<[Length; 3]>,
}

/// A peg and the hole for it; by default a peg of 20 mm diameter with 0.04 mm of clearance.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "peg")]
pub struct Peg {
    /// Number of facets of the peg and of the hole; 64 by default.
    pub facets: Option<usize>,
    /// Distance from the peg's axis to its corners; 10 mm by default.
    pub radius: Option<Length>,
    /// Distance between the facets of peg and hole, measured across them; 0 is an exact fit; 0.04 mm by
    /// default.
    pub clearance: Option<Length>,
    /// Length of the peg; 40 mm by default.
    pub length: Option<Length>,
    /// Depth of the hole; 30 mm by default.
    pub depth: Option<Length>,
    /// Thickness of the block below the hole; 0, a through hole, by default.
    pub floor: Option<Length>,
    /// Least thickness of the block beside the hole; 10 mm by default.
    pub wall: Option<Length>,
}

/// A countersunk bolt and the block for it; by default an M6 bolt with a 90 degree head.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "bolt")]
pub struct Bolt {
    /// Number of sides of the polygons that replace circles.
    pub segments: Option<usize>,
    /// Radius of the shank.
    pub shank: Option<Length>,
    /// Largest radius of the head.
    pub head: Option<Length>,
    /// Height of the cone under the head.
    pub head_height: Option<Length>,
    /// Length of the whole bolt.
    pub length: Option<Length>,
    /// Distance between the faces of bolt and hole, measured across them; 0 is an exact fit.
    pub clearance: Option<Length>,
    /// Height of the block.
    pub thickness: Option<Length>,
    /// Least thickness of the block beside the hole.
    pub wall: Option<Length>,
}

/// A dovetail, which slides along z.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "dovetail")]
pub struct Dovetail {
    /// Width of the tail where it leaves the rail.
    pub neck: Option<Length>,
    /// Height of the tail.
    pub height: Option<Length>,
    /// Angle between a side of the tail and the rail, below 90 degrees; 60 degrees by default.
    pub angle: Option<Angle>,
    /// Distance between the faces of tail and groove, measured across them; 0 is an exact fit.
    pub clearance: Option<Length>,
    /// Thickness of the rail under the tail, and least thickness of the block around the groove.
    pub wall: Option<Length>,
    /// Length along z.
    pub length: Option<Length>,
}

/// Two plates at right angles.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "bracket")]
pub struct Bracket {
    /// Length along x; 80 mm by default.
    pub along: Option<Length>,
    /// Height along y; 60 mm by default.
    pub up: Option<Length>,
    /// Thickness of the plates; 10 mm by default.
    pub thickness: Option<Length>,
    /// Width along z; 40 mm by default.
    pub width: Option<Length>,
}

/// A gear wheel with involute teeth.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(rename = "gear")]
pub struct Gear {
    /// Number of teeth.
    pub teeth: Option<usize>,
    /// Pitch diameter divided by the number of teeth.
    pub module: Option<Length>,
    /// Pressure angle, below 90 degrees; 20 degrees by default.
    pub pressure_angle: Option<Angle>,
    /// How much thinner a tooth is than a gap, along the pitch circle.
    pub backlash: Option<Length>,
    /// Width along z.
    pub width: Option<Length>,
    /// Radius of the hole along the axis; 0 for none.
    pub bore: Option<Length>,
    /// Number of segments of each flank.
    pub flank_segments: Option<usize>,
}
