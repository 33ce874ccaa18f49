//! Units and their symbols.

use super::quantity::{Dimension, Powers, QuantityError};
use crate::scene::spelling::meant;
use std::f64::consts::PI;

/// Units of numbers without a unit of their own. Each base unit is a fraction of m, kg, s or rad, so that
/// decimal numbers are converted without a second rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Unit of length.
    pub length: PlainUnit,
    /// Unit of mass.
    pub mass: PlainUnit,
    /// Unit of time.
    pub time: PlainUnit,
    /// Unit of angle.
    pub angle: PlainUnit,
}

/// A unit: its size in SI units as a fraction, and its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainUnit {
    pub(super) numerator: f64,
    pub(super) denominator: f64,
    pub(super) powers: Powers,
}

impl Default for Units {
    /// Metres, kilograms, seconds and degrees.
    fn default() -> Units {
        let unit = |symbol| unit_named(symbol).unwrap_or(PlainUnit::ONE);
        Units { length: unit("m"), mass: unit("kg"), time: unit("s"), angle: unit("deg") }
    }
}

impl Units {
    /// The default units, with lengths in a unit of part files.
    pub fn with_length(unit: silvia_solid::files::Unit) -> Units {
        let usual = Units::default();
        // Each of them has the same symbol here.
        Units { length: unit_named(unit.symbol()).unwrap_or(usual.length), ..usual }
    }

    /// The derived unit of a dimension.
    pub(super) fn of(&self, powers: Powers) -> PlainUnit {
        self.length
            .power(powers.length)
            .times(self.mass.power(powers.mass))
            .times(self.time.power(powers.time))
            .times(self.angle.power(powers.angle))
    }
}

impl PlainUnit {
    pub(super) const ONE: PlainUnit = PlainUnit {
        numerator: 1.0,
        denominator: 1.0,
        powers: Powers { length: 0, mass: 0, time: 0, angle: 0 },
    };

    /// The unit with a symbol, if it has the dimension `D`.
    pub fn named<D: Dimension>(symbol: &str) -> Result<PlainUnit, QuantityError> {
        match unit_named(symbol) {
            Some(unit) if unit.powers == D::POWERS => Ok(unit),
            Some(_) => Err(QuantityError::OtherDimension {
                text: symbol.to_owned(),
                name: D::NAME,
                example: D::EXAMPLE.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '),
            }),
            None => Err(QuantityError::unknown::<D>(symbol)),
        }
    }

    /// The symbols of all units of a dimension.
    pub fn symbols<D: Dimension>() -> Vec<&'static str> {
        let fits = |symbol: &&str| unit_named(symbol).is_some_and(|unit| unit.powers == D::POWERS);
        UNITS.iter().map(|(symbol, ..)| *symbol).filter(fits).collect()
    }

    /// A value in SI units, in this unit.
    pub(in crate::scene) fn of_si(self, value: f64) -> f64 {
        value * self.denominator / self.numerator
    }

    /// A unit of this in SI units.
    pub(in crate::scene) fn si(self) -> f64 {
        self.numerator / self.denominator
    }

    pub(super) fn times(self, other: PlainUnit) -> PlainUnit {
        let (a, b) = (self.powers, other.powers);
        PlainUnit {
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
            powers: Powers {
                length: a.length + b.length,
                mass: a.mass + b.mass,
                time: a.time + b.time,
                angle: a.angle + b.angle,
            },
        }
    }

    pub(super) fn power(self, power: i32) -> PlainUnit {
        let [up, down] =
            if power < 0 { [self.denominator, self.numerator] } else { [self.numerator, self.denominator] };
        let Powers { length, mass, time, angle } = self.powers;
        PlainUnit {
            numerator: up.powi(power.abs()),
            denominator: down.powi(power.abs()),
            powers: Powers {
                length: length * power,
                mass: mass * power,
                time: time * power,
                angle: angle * power,
            },
        }
    }
}

/// All units: symbol, numerator, denominator, powers of m, kg, s, rad.
const UNITS: [(&str, f64, f64, [i32; 4]); 32] = [
    ("m", 1.0, 1.0, [1, 0, 0, 0]),
    ("km", 1e3, 1.0, [1, 0, 0, 0]),
    ("dm", 1.0, 1e1, [1, 0, 0, 0]),
    ("cm", 1.0, 1e2, [1, 0, 0, 0]),
    ("mm", 1.0, 1e3, [1, 0, 0, 0]),
    ("um", 1.0, 1e6, [1, 0, 0, 0]),
    ("µm", 1.0, 1e6, [1, 0, 0, 0]),
    ("in", 127.0, 5000.0, [1, 0, 0, 0]),
    ("inch", 127.0, 5000.0, [1, 0, 0, 0]),
    ("ft", 381.0, 1250.0, [1, 0, 0, 0]),
    ("kg", 1.0, 1.0, [0, 1, 0, 0]),
    ("g", 1.0, 1e3, [0, 1, 0, 0]),
    ("mg", 1.0, 1e6, [0, 1, 0, 0]),
    ("t", 1e3, 1.0, [0, 1, 0, 0]),
    // Exactly 0.45359237 kg.
    ("lb", 45_359_237.0, 1e8, [0, 1, 0, 0]),
    ("s", 1.0, 1.0, [0, 0, 1, 0]),
    ("ms", 1.0, 1e3, [0, 0, 1, 0]),
    ("us", 1.0, 1e6, [0, 0, 1, 0]),
    ("µs", 1.0, 1e6, [0, 0, 1, 0]),
    ("min", 60.0, 1.0, [0, 0, 1, 0]),
    ("h", 3600.0, 1.0, [0, 0, 1, 0]),
    ("rad", 1.0, 1.0, [0, 0, 0, 1]),
    ("deg", PI, 180.0, [0, 0, 0, 1]),
    ("°", PI, 180.0, [0, 0, 0, 1]),
    ("turn", 2.0 * PI, 1.0, [0, 0, 0, 1]),
    ("rpm", PI, 30.0, [0, 0, -1, 1]),
    ("N", 1.0, 1.0, [1, 1, -2, 0]),
    ("mN", 1.0, 1e3, [1, 1, -2, 0]),
    ("kN", 1e3, 1.0, [1, 1, -2, 0]),
    ("Nm", 1.0, 1.0, [2, 1, -2, 0]),
    ("mNm", 1.0, 1e3, [2, 1, -2, 0]),
    ("kNm", 1e3, 1.0, [2, 1, -2, 0]),
];

fn unit_named(symbol: &str) -> Option<PlainUnit> {
    let found = UNITS.iter().find(|(known, ..)| *known == symbol);
    found.map(|&(_, numerator, denominator, [length, mass, time, angle])| PlainUnit {
        numerator,
        denominator,
        powers: Powers { length, mass, time, angle },
    })
}

/// The names of units, with their symbols.
const NAMES: [(&str, &str); 32] = [
    ("metre", "m"),
    ("meter", "m"),
    ("kilometre", "km"),
    ("kilometer", "km"),
    ("decimetre", "dm"),
    ("decimeter", "dm"),
    ("centimetre", "cm"),
    ("centimeter", "cm"),
    ("millimetre", "mm"),
    ("millimeter", "mm"),
    ("micrometre", "um"),
    ("micrometer", "um"),
    ("micron", "um"),
    ("inches", "in"),
    ("foot", "ft"),
    ("feet", "ft"),
    ("kilogram", "kg"),
    ("kilo", "kg"),
    ("gram", "g"),
    ("milligram", "mg"),
    ("tonne", "t"),
    ("pound", "lb"),
    ("sec", "s"),
    ("second", "s"),
    ("millisecond", "ms"),
    ("microsecond", "us"),
    ("minute", "min"),
    ("hour", "h"),
    ("radian", "rad"),
    ("degree", "deg"),
    ("newton", "N"),
    ("kilonewton", "kN"),
];

/// The symbol of a unit that was written out, perhaps misspelled or in the plural.
pub(super) fn likely(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let singular = lower.strip_suffix('s').filter(|singular| singular.len() > 2).unwrap_or(&lower);
    let by_name = |word: &str| NAMES.iter().find(|(name, _)| *name == word).map(|(_, symbol)| *symbol);
    let by_case =
        || UNITS.iter().find(|(symbol, ..)| symbol.to_lowercase() == lower).map(|(symbol, ..)| *symbol);
    let misspelled = || meant(singular, NAMES.map(|(name, _)| name)).and_then(by_name);
    by_name(&lower).or_else(|| by_name(singular)).or_else(by_case).or_else(misspelled)
}

pub(super) fn known() -> String {
    UNITS.map(|(symbol, ..)| symbol).join(", ")
}

/// Parses a symbol with its power.
pub(super) fn factor(word: &str) -> Option<PlainUnit> {
    let end =
        word.find(|c: char| c.is_ascii_digit() || matches!(c, '^' | '²' | '³' | '-')).unwrap_or(word.len());
    let unit = unit_named(&word[..end])?;
    let power = match &word[end..] {
        "" => 1,
        "²" => 2,
        "³" => 3,
        power => {
            power.trim_start_matches('^').parse().ok().filter(|power: &i32| (1..=9).contains(&power.abs()))?
        }
    };
    Some(unit.power(power))
}
