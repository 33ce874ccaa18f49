//! Forces and torques that act on a body.

/// A force or a torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {}
