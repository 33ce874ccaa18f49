//! Cavities.

use super::{Form, FormError, si};
use crate::scene::written::{Cavity, Units};
use silvia_proximity::Shape;

impl Form for Cavity {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        Ok(Shape::cavity(si("radius", &self.radius, units)?)?)
    }
}
