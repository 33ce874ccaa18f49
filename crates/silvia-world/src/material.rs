//! Materials and the laws between them.

/// Names a material of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub(crate) u32);

/// What two materials do to each other where they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLaw {
    /// Coulomb's friction coefficient.
    pub friction: f64,
    /// Newton's restitution coefficient, between 0 and 1.
    pub restitution: f64,
}

/// All materials of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Materials {}

impl Materials {
    /// The law between two materials.
    pub(crate) fn law(&self, a: MaterialId, b: MaterialId) -> PairLaw {
        let _ = (a, b);
        PairLaw { friction: 0.0, restitution: 0.0 }
    }
}
