//! What changes from step to step.

use crate::body::BodyState;
use silvia_proximity::ContactName;
use silvia_solid::Vec3;
use std::collections::BTreeMap;

/// What changes from step to step: all that is needed to go on from here to the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// s
    pub(crate) time: f64,
    /// Steps made so far.
    pub(crate) steps: u64,
    /// By number; of a removed body, where it was.
    pub(crate) bodies: Vec<BodyState>,
    /// The mean contact forces of the last step, by bodies and features: where solvers start from.
    pub(crate) memory: Memory,
    /// Whether all bodies are known to be apart: false once a body was placed, or a pair switched on, from outside.
    pub(crate) is_checked: bool,
}

/// Mean contact forces of the last step, on the second body, N.
pub(crate) type Memory = BTreeMap<([u32; 2], ContactName), Vec3>;
