//! Makes shapes from the parameters in a file.

mod cavity;
mod choice;
mod ellipsoid;
mod fits;

use crate::scene::written::{
    Angle, Bolt, Box, Bracket, Capsule, Cone, Cylinder, Dimension, Dovetail, Gear, HalfSpace, Hull, Knot,
    Length, Peg, Prism, Quantity, QuantityError, Sphere, Torus, Units,
};
use silvia_proximity::{Shape, ShapeError};
use silvia_solid::hull::{HullError, convex_hull};
use silvia_solid::parts::UnknownSize;
use silvia_solid::primitives::{self, PrimitiveError, TorusKnot};
use silvia_solid::{Plane, Remedy, Solid, SolidError, Soup, Vec3, parts};
use thiserror::Error;

/// The most triangles of a shape made from parameters: more than a world can handle.
pub const MOST_TRIANGLES: f64 = 5e6;

/// Why parameters do not form a shape.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
pub enum FormError {
    /// A text that is not a length or angle.
    Quantity {
        /// The parameter.
        field: &'static str,
        /// The reason.
        #[source]
        error: QuantityError,
    },
    /// An error of an exact shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// An error of a shape made of triangles.
    #[error(transparent)]
    Primitive(#[from] PrimitiveError),
    /// Triangles that do not close.
    Solid(#[from] SolidError),
    /// Points without a hull.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// More than [`MOST_TRIANGLES`].
    TooManyTriangles {
        /// Number of triangles it would have.
        triangles: f64,
    },
    /// A prism with neither a regular polygon nor an outline, or with both.
    PrismOfWhat,
    /// A direction without length.
    NoNormal,
    /// A size of thread that is not known.
    #[error(transparent)]
    Size(#[from] UnknownSize),
    /// A thread with both a clearance and a tolerance.
    TwoFits,
}

impl Remedy for FormError {
    fn what(&self) -> String {
        match self {
            FormError::Quantity { error, .. } => error.what(),
            FormError::Shape(error) => error.what(),
            FormError::Primitive(error) => error.what(),
            FormError::Solid(error) => format!("its triangles do not make a solid: {}", error.what()),
            FormError::Hull(error) => error.what(),
            FormError::TooManyTriangles { triangles } => format!(
                "it would have about {triangles:.1e} triangles, more than \
                 {MOST_TRIANGLES:.0e}"
            ),
            FormError::PrismOfWhat => {
                "a prism needs `sides` and `radius`, or an `outline` instead (with `holes` \
                 if need be)"
                    .to_owned()
            }
            FormError::NoNormal => "the normal has no length".to_owned(),
            FormError::Size(error) => error.what(),
            FormError::TwoFits => "a thread has both `clearance` and `tolerance`".to_owned(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            FormError::Quantity { error, .. } => error.remedy(),
            FormError::Shape(error) => error.remedy(),
            FormError::Primitive(error) => error.remedy(),
            FormError::Solid(error) => error.remedy(),
            FormError::Hull(error) => error.remedy(),
            FormError::TooManyTriangles { .. } => "use fewer segments".to_owned(),
            FormError::PrismOfWhat => "give one of the two".to_owned(),
            FormError::NoNormal => "give one like [0, 0, 1]".to_owned(),
            FormError::Size(error) => error.remedy(),
            FormError::TwoFits => "give one of the two".to_owned(),
        }
    }
}

impl FormError {
    /// The wrong parameter, if there is exactly one.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            FormError::Quantity { field, .. } => Some(field),
            FormError::NoNormal => Some("normal"),
            FormError::Size(_) => Some("size"),
            FormError::Shape(ShapeError::NotALength { name, .. })
            | FormError::Primitive(PrimitiveError::NotALength { name, .. }) => {
                let word = name.split(' ').next()?.replace("semi-axis", "semi_axes");
                ["radius", "height", "size", "semi_axes"].into_iter().find(|field| *field == word)
            }
            FormError::Shape(ShapeError::TooElongated { .. }) => Some("semi_axes"),
            _ => None,
        }
    }
}

/// A description from which a shape can be made.
pub trait Form {
    /// The shape in metres, given the units of plain numbers.
    fn shape(&self, units: &Units) -> Result<Shape, FormError>;

    /// An estimate of its number of triangles, so that oversized shapes are refused without making them.
    fn triangles(&self) -> f64 {
        0.0
    }
}

impl Form for Box {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        Ok(Shape::cuboid(vector("size", &self.size, units)?)?)
    }
}

impl Form for Sphere {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let radius = si("radius", &self.radius, units)?;
        match self.frequency {
            None => Ok(Shape::sphere(radius)?),
            Some(frequency) => solid(primitives::sphere(radius, frequency)),
        }
    }

    fn triangles(&self) -> f64 {
        self.frequency.map_or(0.0, |frequency| 20.0 * (frequency as f64).powi(2))
    }
}

impl Form for Cylinder {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let radius = si("radius", &self.radius, units)?;
        let height = si("height", &self.height, units)?;
        match self.segments {
            None => Ok(Shape::cylinder(radius, height)?),
            Some(segments) => solid(primitives::cylinder(radius, height, segments)),
        }
    }

    fn triangles(&self) -> f64 {
        self.segments.map_or(0.0, |segments| 4.0 * segments as f64)
    }
}

/// Default number of sides of a frustum.
const SEGMENTS: usize = 32;

impl Form for Cone {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let radius = si("radius", &self.radius, units)?;
        let height = si("height", &self.height, units)?;
        let segments = self.segments.unwrap_or(SEGMENTS);
        match (&self.top, self.segments) {
            (Some(top), _) => solid(primitives::frustum(radius, si("top", top, units)?, height, segments)),
            (None, Some(segments)) => solid(primitives::cone(radius, height, segments)),
            (None, None) => Ok(Shape::cone(radius, height)?),
        }
    }

    fn triangles(&self) -> f64 {
        self.segments.map_or(0.0, |segments| 4.0 * segments as f64)
    }
}

impl Form for Capsule {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        Ok(Shape::capsule(si("radius", &self.radius, units)?, si("height", &self.height, units)?)?)
    }
}

impl Form for HalfSpace {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let normal = self.normal.map_or(Vec3::Z, Vec3::from).try_normalize().ok_or(FormError::NoNormal)?;
        let offset = or("offset", &self.offset, 0.0, units)?;
        Ok(Shape::half_space(Plane { normal, offset })?)
    }
}

impl Form for Prism {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let height = si("height", &self.height, units)?;
        match (&self.sides, &self.radius, &self.outline) {
            (Some(sides), Some(radius), None) if self.holes.is_none() => {
                solid(primitives::prism(*sides, si("radius", radius, units)?, height))
            }
            (None, None, Some(outline)) => {
                let outline = corners("outline", outline, units)?;
                let holes = self.holes.iter().flatten().map(|hole| corners("holes", hole, units));
                let holes = holes.collect::<Result<Vec<_>, _>>()?;
                solid(primitives::extrusion(&outline, &holes, height))
            }
            _ => Err(FormError::PrismOfWhat),
        }
    }

    fn triangles(&self) -> f64 {
        self.sides.map_or(0.0, |sides| 4.0 * sides as f64)
    }
}

impl Form for Torus {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let [along, around] = self.segments();
        let [ring, tube] = [si("ring", &self.ring, units)?, si("tube", &self.tube, units)?];
        solid(primitives::torus(ring, tube, along, around))
    }

    fn triangles(&self) -> f64 {
        let [along, around] = self.segments();
        2.0 * along as f64 * around as f64
    }
}

impl Torus {
    /// Segments along the ring and around the tube.
    fn segments(&self) -> [usize; 2] {
        [self.along.unwrap_or(48), self.around.unwrap_or(16)]
    }
}

impl Form for Knot {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let knot = TorusKnot {
            around_axis: self.around_axis.unwrap_or(TorusKnot::TREFOIL.around_axis),
            around_ring: self.around_ring.unwrap_or(TorusKnot::TREFOIL.around_ring),
            ring_radius: si("ring", &self.ring, units)?,
            coil_radius: si("coil", &self.coil, units)?,
            tube_radius: si("tube", &self.tube, units)?,
        };
        solid(knot.soup_with_triangles(self.triangles.unwrap_or(TRIANGLES_OF_KNOT)))
    }

    fn triangles(&self) -> f64 {
        self.triangles.unwrap_or(TRIANGLES_OF_KNOT) as f64
    }
}

/// Default number of triangles of a knot.
const TRIANGLES_OF_KNOT: usize = 10_000;

impl Form for Hull {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let points = self.points.iter().map(|point| vector("points", point, units));
        let hull = convex_hull(&points.collect::<Result<Vec<_>, _>>()?)?;
        Ok(Shape::convex(&Solid::from_soup(&hull.soup)?)?)
    }
}

impl Peg {
    /// The peg.
    pub fn peg(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.peg())
    }

    /// The block with the hole.
    pub fn hole(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.block())
    }

    fn fit(&self, units: &Units) -> Result<parts::PegAndHole, FormError> {
        let usual = parts::PegAndHole::default();
        let facets = self.facets.unwrap_or(usual.facets);
        few(16.0 * facets as f64)?;
        Ok(parts::PegAndHole {
            facets,
            radius: or("radius", &self.radius, usual.radius, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            length: or("length", &self.length, usual.length, units)?,
            depth: or("depth", &self.depth, usual.depth, units)?,
            floor: or("floor", &self.floor, usual.floor, units)?,
            wall: or("wall", &self.wall, usual.wall, units)?,
        })
    }
}

impl Bolt {
    /// The bolt.
    pub fn bolt(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.bolt())
    }

    /// The block with the hole.
    pub fn countersink(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.block())
    }

    fn fit(&self, units: &Units) -> Result<parts::CountersunkBolt, FormError> {
        let usual = parts::CountersunkBolt::default();
        let segments = self.segments.unwrap_or(usual.segments);
        few(24.0 * segments as f64)?;
        Ok(parts::CountersunkBolt {
            segments,
            shank_radius: or("shank", &self.shank, usual.shank_radius, units)?,
            head_radius: or("head", &self.head, usual.head_radius, units)?,
            head_height: or("head_height", &self.head_height, usual.head_height, units)?,
            length: or("length", &self.length, usual.length, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            thickness: or("thickness", &self.thickness, usual.thickness, units)?,
            wall: or("wall", &self.wall, usual.wall, units)?,
        })
    }
}

impl Dovetail {
    /// The rail with the tail.
    pub fn tail(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.tail())
    }

    /// The block with the groove.
    pub fn socket(&self, units: &Units) -> Result<Shape, FormError> {
        solid(self.fit(units)?.socket())
    }

    fn fit(&self, units: &Units) -> Result<parts::Dovetail, FormError> {
        let usual = parts::Dovetail::default();
        Ok(parts::Dovetail {
            neck: or("neck", &self.neck, usual.neck, units)?,
            height: or("height", &self.height, usual.height, units)?,
            angle: or_angle("angle", &self.angle, usual.angle, units)?,
            clearance: or("clearance", &self.clearance, usual.clearance, units)?,
            wall: or("wall", &self.wall, usual.wall, units)?,
            length: or("length", &self.length, usual.length, units)?,
        })
    }
}

/// Default sizes of a bracket, m: along, up, thickness, width.
pub const BRACKET: [f64; 4] = [0.08, 0.06, 0.01, 0.04];

impl Bracket {
    /// The L-shaped bracket.
    pub fn l(&self, units: &Units) -> Result<Shape, FormError> {
        let [along, up, thickness, width] = self.sizes(units)?;
        solid(parts::l_bracket(along, up, thickness, width))
    }

    /// The T-shaped bracket.
    pub fn t(&self, units: &Units) -> Result<Shape, FormError> {
        let [along, up, thickness, width] = self.sizes(units)?;
        solid(parts::t_bracket(along, up, thickness, width))
    }

    fn sizes(&self, units: &Units) -> Result<[f64; 4], FormError> {
        Ok([
            or("along", &self.along, BRACKET[0], units)?,
            or("up", &self.up, BRACKET[1], units)?,
            or("thickness", &self.thickness, BRACKET[2], units)?,
            or("width", &self.width, BRACKET[3], units)?,
        ])
    }
}

impl Form for Gear {
    fn shape(&self, units: &Units) -> Result<Shape, FormError> {
        let usual = parts::Gear::default();
        let teeth = self.teeth.unwrap_or(usual.teeth);
        let flank_segments = self.flank_segments.unwrap_or(usual.flank_segments);
        let gear = parts::Gear {
            teeth,
            module: or("module", &self.module, usual.module, units)?,
            pressure_angle: or_angle("pressure_angle", &self.pressure_angle, usual.pressure_angle, units)?,
            backlash: or("backlash", &self.backlash, usual.backlash, units)?,
            width: or("width", &self.width, usual.width, units)?,
            bore_radius: or("bore", &self.bore, usual.bore_radius, units)?,
            flank_segments,
        };
        solid(gear.soup())
    }

    fn triangles(&self) -> f64 {
        let usual = parts::Gear::default();
        let segments = self.flank_segments.unwrap_or(usual.flank_segments) as f64;
        8.0 * self.teeth.unwrap_or(usual.teeth) as f64 * (segments + 2.0)
    }
}

fn si<D: Dimension>(field: &'static str, quantity: &Quantity<D>, units: &Units) -> Result<f64, FormError> {
    quantity.si(units).map_err(|error| FormError::Quantity { field, error })
}

fn or(field: &'static str, given: &Option<Length>, usual: f64, units: &Units) -> Result<f64, FormError> {
    given.as_ref().map_or(Ok(usual), |length| si(field, length, units))
}

fn or_angle(field: &'static str, given: &Option<Angle>, usual: f64, units: &Units) -> Result<f64, FormError> {
    given.as_ref().map_or(Ok(usual), |angle| si(field, angle, units))
}

fn vector(field: &'static str, [x, y, z]: &[Length; 3], units: &Units) -> Result<Vec3, FormError> {
    Ok(Vec3::new(si(field, x, units)?, si(field, y, units)?, si(field, z, units)?))
}

fn corners(field: &'static str, points: &[[Length; 2]], units: &Units) -> Result<Vec<[f64; 2]>, FormError> {
    points.iter().map(|[x, y]| Ok([si(field, x, units)?, si(field, y, units)?])).collect()
}

fn few(triangles: f64) -> Result<(), FormError> {
    if triangles <= MOST_TRIANGLES { Ok(()) } else { Err(FormError::TooManyTriangles { triangles }) }
}

/// A solid made of triangles, as `silvia make` makes it.
fn solid(soup: Result<Soup, PrimitiveError>) -> Result<Shape, FormError> {
    Ok(Shape::solid(Solid::from_soup(&soup?)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::written::{PlainUnit, dimension};

    #[test]
    fn every_reason_has_what_is_wrong_and_a_message_of_both() {
        let finite = PrimitiveError::NotALength { name: "radius", value: -1.0 };
        let no_unit = PlainUnit::named::<dimension::OfLength>("ell").unwrap_err();
        let known = no_unit.remedy();
        assert!(known.ends_with("known here are m, km, dm, cm, mm, um, µm, in, inch, ft"), "{known}");
        let cases: Vec<(FormError, &str, &str)> = vec![
            (FormError::Quantity { field: "radius", error: no_unit }, "there is no unit `ell`", &known),
            (finite.into(), "radius is -1", "it must be a positive, finite length in metres"),
            (
                FormError::Shape(ShapeError::EmptyCompound),
                "the compound has no parts",
                "give it at least one",
            ),
            (
                FormError::Solid(SolidError::NoVolume { volume: 0.0, area: 1.0 }),
                "its triangles do not make a solid: this is not a solid: its volume is 0 m³ at an area of 1 \
                 m²",
                "check that it is not a flat sheet",
            ),
            (FormError::Hull(HullError::Empty), "there are no points", ""),
            (FormError::NoNormal, "the normal has no length", "give one like [0, 0, 1]"),
        ];
        for (error, what, remedy) in cases {
            assert_eq!((error.what().as_str(), error.remedy().as_str()), (what, remedy));
            let message = if remedy.is_empty() { what.to_owned() } else { [what, remedy].join(": ") };
            assert_eq!(error.to_string(), message);
        }
    }
}
