//! The arrays of a glTF file, one after the other, and their offsets. Every number has 4 bytes, so all arrays
//! are aligned.

use serde_json::{Value, json};

/// glTF's codes for number types and uses.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// How many numbers a value has.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Scalar,
    Vec3,
    Vec4,
}

/// The arrays so far.
#[derive(Default)]
pub(super) struct Binary {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Binary {
    /// Adds three numbers per vertex. Returns the accessor.
    pub(super) fn vertices(&mut self, values: &[f32], bounds: bool) -> usize {
        let view = self.view(values.iter().map(|value| value.to_le_bytes()), Some(ARRAY_BUFFER));
        self.float_accessor(view, values, Shape::Vec3, bounds)
    }

    /// Adds three indices per triangle. Returns the accessor.
    pub(super) fn indices(&mut self, values: &[u32]) -> usize {
        let view = self.view(values.iter().map(|value| value.to_le_bytes()), Some(ELEMENT_ARRAY_BUFFER));
        let accessor = json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": values.len(), "type": "SCALAR",
        });
        self.accessor(accessor)
    }

    /// Adds the data of an animation. Returns the accessor.
    pub(super) fn floats(&mut self, values: &[f32], shape: Shape, bounds: bool) -> usize {
        let view = self.view(values.iter().map(|value| value.to_le_bytes()), None);
        self.float_accessor(view, values, shape, bounds)
    }

    fn float_accessor(&mut self, view: usize, values: &[f32], shape: Shape, bounds: bool) -> usize {
        let (name, width) = match shape {
            Shape::Scalar => ("SCALAR", 1),
            Shape::Vec3 => ("VEC3", 3),
            Shape::Vec4 => ("VEC4", 4),
        };
        let count = values.len() / width;
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": name });
        if bounds {
            let extreme = |better: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..width)
                    .filter_map(|axis| values.iter().skip(axis).step_by(width).copied().reduce(better))
                    .collect()
            };
            accessor["min"] = json!(extreme(f32::min));
            accessor["max"] = json!(extreme(f32::max));
        }
        self.accessor(accessor)
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, values: impl Iterator<Item = [u8; 4]>, target: Option<u32>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(values.flatten());
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }
}
