//! The world: bodies, materials, and steps.

use crate::body::Body;
use crate::material::Materials;
use crate::response::Response;
use crate::settings::WorldSettings;
use crate::state::State;
use silvia_proximity::Filter;
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
