//! Numbers with units: `5` in the units of the scene, or `"5 mm"` in its own.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::f64::consts::PI;
use std::fmt;
use std::marker::PhantomData;
use thiserror::Error;

/// A number in the units of the scene, or a text with a unit of its own. `D` says what is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity<D> {
    value: Value,
    dimension: PhantomData<D>,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(f64),
    Text(String),
}

/// What a quantity measures.
pub trait Dimension {
    /// In words.
    const NAME: &'static str;
    /// Of the base units.
    const POWERS: Powers;
    /// For messages and descriptions.
    const EXAMPLE: &'static str;
}

/// How often each base unit is a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// m
    pub length: i32,
    /// kg
    pub mass: i32,
    /// s
    pub time: i32,
    /// rad
    pub angle: i32,
}

macro_rules! dimensions {
    ($($quantity:ident, $marker:ident, $name:literal, [$length:literal, $mass:literal, $time:literal, $angle:literal], $example:literal;)*) => {
        /// What can be measured.
        pub mod dimension {
            $(
                #[doc = concat!("As in `", $example, "`.")]
                #[derive(Clone, Copy, Debug, PartialEq, Eq)]
                pub struct $marker;

                impl super::Dimension for $marker {
                    const NAME: &'static str = $name;
                    const POWERS: super::Powers =
                        super::Powers { length: $length, mass: $mass, time: $time, angle: $angle };
                    const EXAMPLE: &'static str = $example;
                }
            )*
        }
        $(
            #[doc = concat!("As in `", $example, "`.")]
            pub type $quantity = Quantity<dimension::$marker>;
        )*
    };
}

dimensions! {
    Length, OfLength, "length", [1, 0, 0, 0], "5 mm";
    Mass, OfMass, "mass", [0, 1, 0, 0], "250 g";
    Time, OfTime, "time", [0, 0, 1, 0], "2 ms";
    Angle, OfAngle, "angle", [0, 0, 0, 1], "30 deg";
    Speed, OfSpeed, "speed", [1, 0, -1, 0], "2 m/s";
    Spin, OfSpin, "angular speed", [0, 0, -1, 1], "120 rpm";
    Acceleration, OfAcceleration, "acceleration", [1, 0, -2, 0], "9.81 m/s2";
    Density, OfDensity, "density", [-3, 1, 0, 0], "7850 kg/m3";
    Force, OfForce, "force", [1, 1, -2, 0], "2 N";
    Torque, OfTorque, "torque", [2, 1, -2, 0], "0.5 N m";
    Moment, OfMoment, "moment of inertia", [2, 1, 0, 0], "0.02 kg m2";
}

/// What numbers without a unit are in: for each base unit the numerator and denominator of its size in m, kg, s or rad, so that
/// decimal numbers are converted without a second rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// m
    pub length: PlainUnit,
    /// kg
    pub mass: PlainUnit,
    /// s
    pub time: PlainUnit,
    /// rad
    pub angle: PlainUnit,
}

/// The size of a unit as a fraction, and what it measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainUnit {
    numerator: f64,
    denominator: f64,
    powers: Powers,
}

/// Why a text is no quantity.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QuantityError {
    /// A text that does not begin with a number.
    #[error("`{text}` does not begin with a number: write a {name} like \"{example}\"")]
    NoNumber {
        /// As given.
        text: String,
        /// What should be there.
        name: &'static str,
        /// Of what should be there.
        example: &'static str,
    },
    /// A number with nothing after it.
    #[error("`{text}` has no unit: write it without quotes for the scene's own, or like \"{example}\"")]
    NoUnit {
        /// As given.
        text: String,
        /// Of what should be there.
        example: &'static str,
    },
    /// A unit that is not known.
    #[error("there is no unit `{unit}`: known are {}", known())]
    UnknownUnit {
        /// As given.
        unit: String,
    },
    /// A length where a mass should be, and the like.
    #[error("`{text}` is no {name}: write it like \"{example}\"")]
    OtherDimension {
        /// As given.
        text: String,
        /// What should be there.
        name: &'static str,
        /// Of what should be there.
        example: &'static str,
    },
    /// A number beyond all numbers.
    #[error("`{text}` is not finite in SI units: give a smaller number")]
    NotFinite {
        /// As given.
        text: String,
    },
}

impl<D: Dimension> Quantity<D> {
    /// In the units of the scene.
    pub fn number(number: f64) -> Quantity<D> {
        Quantity { value: Value::Number(number), dimension: PhantomData }
    }

    /// In m, kg, s and rad.
    pub fn si(&self, units: &Units) -> Result<f64, QuantityError> {
        let (number, unit) = match &self.value {
            Value::Number(number) => (*number, units.of(D::POWERS)),
            Value::Text(text) => parse::<D>(text)?,
        };
        let si = number * unit.numerator / unit.denominator;
        if si.is_finite() { Ok(si) } else { Err(QuantityError::NotFinite { text: self.to_string() }) }
    }
}

impl<D> fmt::Display for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl Default for Units {
    /// Metres, kilograms, seconds and degrees.
    fn default() -> Units {
        let unit = |symbol| unit_named(symbol).unwrap_or(PlainUnit::ONE);
        Units { length: unit("m"), mass: unit("kg"), time: unit("s"), angle: unit("deg") }
    }
}

impl Units {
    /// The coherent unit of a dimension.
    fn of(&self, powers: Powers) -> PlainUnit {
        self.length
            .power(powers.length)
            .times(self.mass.power(powers.mass))
            .times(self.time.power(powers.time))
            .times(self.angle.power(powers.angle))
    }
}

impl PlainUnit {
    const ONE: PlainUnit = PlainUnit {
        numerator: 1.0,
        denominator: 1.0,
        powers: Powers { length: 0, mass: 0, time: 0, angle: 0 },
    };

    /// The unit of a base dimension by its symbol.
    pub fn named<D: Dimension>(symbol: &str) -> Result<PlainUnit, QuantityError> {
        match unit_named(symbol) {
            Some(unit) if unit.powers == D::POWERS => Ok(unit),
            Some(_) => Err(QuantityError::OtherDimension {
                text: symbol.to_owned(),
                name: D::NAME,
                example: D::EXAMPLE.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '),
            }),
            None => Err(QuantityError::UnknownUnit { unit: symbol.to_owned() }),
        }
    }

    /// The symbols of all units of a dimension.
    pub fn symbols<D: Dimension>() -> Vec<&'static str> {
        let fits = |symbol: &&str| unit_named(symbol).is_some_and(|unit| unit.powers == D::POWERS);
        UNITS.iter().map(|(symbol, ..)| *symbol).filter(fits).collect()
    }

    fn times(self, other: PlainUnit) -> PlainUnit {
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

    fn power(self, power: i32) -> PlainUnit {
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

fn known() -> String {
    UNITS.map(|(symbol, ..)| symbol).join(", ")
}

/// A number and the unit after it: factors with blanks, `*` or `·` between them, each with its power after it (`m2`, `m^2`,
/// `m²`, `s^-1`); one `/` divides by all that follows it up to the next.
fn parse<D: Dimension>(text: &str) -> Result<(f64, PlainUnit), QuantityError> {
    let trimmed = text.trim();
    let end = number_end(trimmed);
    let (name, example) = (D::NAME, D::EXAMPLE);
    let number: f64 = trimmed[..end].trim().parse().map_err(|_| QuantityError::NoNumber {
        text: text.to_owned(),
        name,
        example,
    })?;
    let written = trimmed[end..].trim();
    if written.is_empty() {
        return Err(QuantityError::NoUnit { text: text.to_owned(), example });
    }
    let mut unit = PlainUnit::ONE;
    for (index, part) in written.split('/').enumerate() {
        let mut factors = part.split([' ', '*', '·']).filter(|word| !word.is_empty()).peekable();
        if factors.peek().is_none() {
            return Err(QuantityError::UnknownUnit { unit: written.to_owned() });
        }
        for word in factors {
            let factor = factor(word).ok_or_else(|| QuantityError::UnknownUnit { unit: word.to_owned() })?;
            unit = unit.times(if index == 0 { factor } else { factor.power(-1) });
        }
    }
    if unit.powers != D::POWERS {
        return Err(QuantityError::OtherDimension { text: text.to_owned(), name, example });
    }
    Ok((number, unit))
}

/// How far the number at the beginning goes. An `e` belongs to it only before digits.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')) {
            at += 1;
        }
        at
    };
    let sign = |at: usize| at + usize::from(bytes.get(at).is_some_and(|b| matches!(b, b'+' | b'-')));
    let end = digits(sign(0));
    match bytes.get(end) {
        Some(b'e' | b'E') => {
            let power = sign(end + 1);
            if digits(power) > power { digits(power) } else { end }
        }
        _ => end,
    }
}

/// A symbol with its power.
fn factor(word: &str) -> Option<PlainUnit> {
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

impl<'de, D> Deserialize<'de> for Quantity<D> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Quantity<D>, S::Error> {
        struct NumberOrText;

        impl Visitor<'_> for NumberOrText {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a text with a unit")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
                Ok(Value::Number(number as f64))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
                Ok(Value::Number(number as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }
        }

        let value = deserializer.deserialize_any(NumberOrText)?;
        Ok(Quantity { value, dimension: PhantomData })
    }
}

impl<D> Serialize for Quantity<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Number(number) => serializer.serialize_f64(*number),
            Value::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        D::NAME.replace(' ', "-").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let what = format!(
            "A number in the scene's unit of {}, or a text with a unit of its own: \"{}\".",
            D::NAME,
            D::EXAMPLE
        );
        json_schema!({ "description": what, "type": ["number", "string"] })
    }
}
