//! Ellipsoids.

use super::{Form, FormError, vector};
use crate::scene::written::{Ellipsoid, Units};
use silvia_proximity::Shape;

impl Form for Ellipsoid {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        Ok(Shape::ellipsoid(vector("semi_axes", &self.semi_axes, units)?)?)
    }
}
