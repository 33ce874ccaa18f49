//! What to write in place of fields and values as other programs have them.

use super::tree::{Entry, Node, Value};

/// What tables of hands with springs are called here: `hand` is the field of a body.
pub(super) const SPRINGS: &str = "[[hand]]";

/// The remedy for a field of another program whose place tells what was meant. `table`: the field that it
/// stands in; none in a body.
pub(super) fn hint(table: Option<&str>, entry: &Entry) -> Option<String> {
    let field = entry.key.as_str();
    match (table, field) {
        (None, "static" | "is_static" | "immovable") => Some("write `role = \"fixed\"`".to_owned()),
        (None, "force" | "forces") => Some("write `load = [{ force = [x, y, z] }]`".to_owned()),
        (None, "torque" | "torques") => Some("write `load = [{ torque = [x, y, z] }]`".to_owned()),
        (Some("hand"), "velocity" | "speed") => {
            Some("write `velocities = [{ time = 0, velocity = [x, y, z] }]`".to_owned())
        }
        (Some("record"), "fps" | "frame_rate" | "rate") => {
            Some("write the time between two frames, as `every = \"20 ms\"`".to_owned())
        }
        (None, "kinematic" | "is_kinematic" | "animated") => {
            Some("write `role = \"scripted\"`, and its motion as `script`".to_owned())
        }
        (Some("sphere" | "cylinder" | "cone" | "capsule"), "diameter" | "d") => {
            Some(match &entry.node.value {
                Value::Float(_) | Value::Integer(Some(_)) => {
                    format!("write half of it as `radius = {}`", half(&entry.node))
                }
                _ => "write half of it as `radius`".to_owned(),
            })
        }
        (Some("sphere" | "cylinder" | "cone" | "capsule"), "r") => Some("did you mean `radius`?".to_owned()),
        (Some("cylinder" | "cone" | "capsule" | "prism"), "length" | "h" | "depth") => {
            Some("did you mean `height`?".to_owned())
        }
        (Some("cylinder" | "cone" | "capsule" | "prism"), "half_height" | "half_length") => {
            Some("write twice as much as `height`".to_owned())
        }
        (Some("box"), "half_extents" | "half_extent" | "half_size" | "halfextents" | "hx") => {
            Some("write `size = [x, y, z]`, the whole edge lengths: twice the halves".to_owned())
        }
        (
            Some("box"),
            "extents" | "extent" | "dimensions" | "dims" | "width" | "height" | "depth" | "length" | "x"
            | "y" | "z" | "edge" | "side",
        ) => Some("write `size = [x, y, z]`, the edge lengths".to_owned()),
        (
            Some("hand"),
            "stiffness" | "turning_stiffness" | "damping" | "most_force" | "most_torque" | "grip",
        ) => Some("a hand with springs is a [[hand]] of the scene, which names its `body`".to_owned()),
        (Some(SPRINGS), "k" | "kp" | "spring" | "spring_constant") => {
            Some("did you mean `stiffness`?".to_owned())
        }
        (Some(SPRINGS), "kd" | "damper" | "damping_coefficient") => {
            Some("did you mean `damping`, or `damping_ratio`?".to_owned())
        }
        (Some(SPRINGS), "max_force" | "force_limit" | "force" | "maximum_force") => {
            Some("did you mean `most_force`, the largest, or `push`, a constant one?".to_owned())
        }
        (Some(SPRINGS), "max_torque" | "torque_limit" | "torque" | "maximum_torque") => {
            Some("did you mean `most_torque`, the largest, or `twist`, a constant one?".to_owned())
        }
        (Some(SPRINGS), "target" | "waypoints" | "keyframes" | "script") => {
            Some("write `poses = [{ time = 0, position = [x, y, z] }]`".to_owned())
        }
        (Some("rotation"), "yaw") => Some("write it as `z`, the angle about the z axis".to_owned()),
        (Some("rotation"), "pitch") => Some("write it as `y`, the angle about the y axis".to_owned()),
        (Some("rotation"), "roll") => Some("write it as `x`, the angle about the x axis".to_owned()),
        _ => None,
    }
}

/// The field here that a field of another program stands for, if it alone does.
pub(super) fn stands_for(table: Option<&str>, field: &str) -> Option<&'static str> {
    Some(match (table?, field) {
        ("sphere" | "cavity" | "cylinder" | "cone" | "capsule", "diameter" | "d" | "r") => "radius",
        ("record", _) => "every",
        ("hand", _) => "velocities",
        ("box", _) => "size",
        ("rotation", "yaw") => "z",
        ("rotation", "pitch") => "y",
        ("rotation", "roll") => "x",
        ("cylinder" | "cone" | "capsule" | "prism", _) => "height",
        _ => return None,
    })
}

/// How a table is written that was given as something else; none if its fields say enough.
pub(super) fn form(table: &str) -> Option<&'static str> {
    Some(match table {
        "hull" => "{ points = [[x, y, z], ...] }, with four points or more",
        "hand" => "{ velocities = [{ time = 0, velocity = [0, 0, -1] }] }, or { poses = [...] }",
        "script" => "{ velocity = [0, 0, -1] }, or { poses = [...] }",
        "inertia" => "{ mass = 1, moments = [0.1, 0.1, 0.1] }: xx, yy and zz about the centre of mass",
        "rotation" => "{ z = 90 }, angles about axes, or { axis = [1, 1, 0], angle = 40 }",
        "half_space" => "{}, the ground below z = 0, or { normal = [0, 0, 1], offset = 0 }",
        _ => return None,
    })
}

fn half(node: &Node) -> f64 {
    match node.value {
        Value::Float(number) => 0.5 * number,
        Value::Integer(Some(number)) => 0.5 * number as f64,
        _ => f64::NAN,
    }
}
