//! Loads as bytes and back. Every field is named, so that a new one cannot be forgotten.

use super::{Action, Load, LoadId};
use crate::bytes::{Bytes, Coded};
use crate::error::SnapshotError;
use silvia_solid::Vec3;

impl Coded for LoadId {
    fn put(&self, out: &mut Vec<u8>) {
        let LoadId(number) = self;
        number.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<LoadId, SnapshotError> {
        u32::take(from).map(LoadId)
    }
}

impl Coded for Load {
    fn put(&self, out: &mut Vec<u8>) {
        let Load { action, point, is_turning, factors, window } = self;
        let (kind, vector) = match action {
            Action::Force(force) => (0_u8, force),
            Action::Torque(torque) => (1_u8, torque),
        };
        kind.put(out);
        vector.put(out);
        point.put(out);
        is_turning.put(out);
        factors.put(out);
        window.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Load, SnapshotError> {
        let kind = u8::take(from)?;
        let vector = Vec3::take(from)?;
        let action = match kind {
            0 => Action::Force(vector),
            1 => Action::Torque(vector),
            _ => return Err(from.damaged("a force or a torque")),
        };
        let load = Load {
            action,
            point: Coded::take(from)?,
            is_turning: bool::take(from)?,
            factors: Coded::take(from)?,
            window: <[f64; 2]>::take(from)?,
        };
        let is_good = load.check().is_ok();
        from.check(load, is_good, "a load that a world takes")
    }
}
