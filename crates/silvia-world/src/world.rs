//! The world: bodies, materials, and steps.

use crate::body::{Body, BodyState};
use crate::material::Materials;
use crate::response::{Response, pose_of};
use crate::settings::WorldSettings;
use crate::state::State;
use silvia_proximity::Filter;
use silvia_solid::{Pose, Vec3};
use std::sync::Arc;

/// Bodies that move, touch and never pass through each other.
#[derive(Clone)]
pub struct World {
    pub(crate) settings: WorldSettings,
    pub(crate) response: Arc<dyn Response>,
    /// By number; `None` where a body was removed.
    pub(crate) bodies: Vec<Option<Body>>,
    pub(crate) materials: Materials,
    /// Pairs and bodies switched off, and groups.
    pub(crate) filter: Filter,
    pub(crate) state: State,
}

impl World {
    pub(crate) fn body(&self, number: u32) -> &Body {
        #[allow(clippy::expect_used, reason = "numbers come from bodies that there are")]
        self.bodies[number as usize].as_ref().expect("a removed body has no pairs")
    }

    pub(crate) fn pose_of_state(&self, number: usize, state: &BodyState) -> Pose {
        let centre = self.bodies[number].as_ref().map_or(Vec3::ZERO, |b| b.inertia.centre);
        pose_of(state.centre, state.rotation, centre)
    }

    pub(crate) fn scripted_state(&self, number: usize, _time: f64) -> BodyState {
        self.state.bodies[number]
    }
}
