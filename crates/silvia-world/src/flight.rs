//! How a body moves if nothing touches it.

use crate::body::{Body, BodyState};
use silvia_solid::Vec3;

/// Where a free body is a time `length` (s) after `time` if nothing touches it.
pub(crate) fn fly(body: &Body, from: &BodyState, gravity: Vec3, time: f64, length: f64) -> BodyState {
    let _ = (body, gravity, time, length);
    *from
}
