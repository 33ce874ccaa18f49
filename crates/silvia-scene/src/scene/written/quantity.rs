//! Numbers with units: `5` in the scene's units, or `"5 mm"` in its own.

use super::units::{PlainUnit, Units, factor, known, likely};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use silvia_solid::Remedy;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use thiserror::Error;

/// A number in the scene's units, or a text with a unit of its own. `D` is the dimension.
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

/// The dimension of a quantity.
pub trait Dimension {
    /// Its name.
    const NAME: &'static str;
    /// Exponents of the base units.
    const POWERS: Powers;
    /// An example for messages and descriptions.
    const EXAMPLE: &'static str;
}

/// Exponents of the base units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// Exponent of m.
    pub length: i32,
    /// Exponent of kg.
    pub mass: i32,
    /// Exponent of s.
    pub time: i32,
    /// Exponent of rad.
    pub angle: i32,
}

macro_rules! dimensions {
    ($(
        $quantity:ident, $marker:ident, $name:literal,
        [$length:literal, $mass:literal, $time:literal, $angle:literal], $example:literal;
    )*) => {
        /// The dimensions.
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
    Stiffness, OfStiffness, "stiffness", [0, 1, -2, 0], "2000 N/m";
    TurningStiffness, OfTurningStiffness, "stiffness against turning", [2, 1, -2, -1], "5 N m/rad";
    Damping, OfDamping, "damping", [0, 1, -1, 0], "20 N s/m";
    TurningDamping, OfTurningDamping, "damping of turning", [2, 1, -1, -1], "0.1 N m s/rad";
}

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
pub enum QuantityError {
    /// A text that does not begin with a number.
    NoNumber {
        /// The text.
        text: String,
        /// The expected dimension.
        name: &'static str,
        /// An example of it.
        example: &'static str,
    },
    /// A number without a unit.
    NoUnit {
        /// The text.
        text: String,
        /// An example with a unit.
        example: &'static str,
    },
    /// An unknown unit.
    UnknownUnit {
        /// The unit.
        unit: String,
        /// The expected dimension.
        name: &'static str,
        /// An example of it.
        example: &'static str,
        /// The units that it may have; none if they are put together of others.
        fitting: Vec<&'static str>,
    },
    /// A unit of another dimension, such as a length in place of a mass.
    OtherDimension {
        /// The text.
        text: String,
        /// The expected dimension.
        name: &'static str,
        /// An example of it.
        example: &'static str,
    },
    /// A number too large for double precision.
    NotFinite {
        /// The text.
        text: String,
    },
}

impl QuantityError {
    pub(super) fn unknown<D: Dimension>(unit: &str) -> QuantityError {
        let fitting = PlainUnit::symbols::<D>();
        QuantityError::UnknownUnit { unit: unit.to_owned(), name: D::NAME, example: D::EXAMPLE, fitting }
    }
}

impl Remedy for QuantityError {
    fn what(&self) -> String {
        match self {
            QuantityError::NoNumber { text, .. } => format!("`{text}` does not begin with a number"),
            QuantityError::NoUnit { text, .. } => format!("`{text}` has no unit"),
            QuantityError::UnknownUnit { unit, .. } => format!("there is no unit `{unit}`"),
            QuantityError::OtherDimension { text, name, .. } => {
                format!("`{text}` is not {} {name}", article(name))
            }
            QuantityError::NotFinite { text } => format!("`{text}` is not finite in SI units"),
        }
    }

    fn remedy(&self) -> String {
        match self {
            QuantityError::NoNumber { name, example, .. } => {
                format!("write {} {name} like \"{example}\"", article(name))
            }
            QuantityError::NoUnit { example, .. } => {
                format!("write it without quotes for the file's own unit, or like \"{example}\"")
            }
            QuantityError::UnknownUnit { unit, name, example, fitting } => {
                let units = if fitting.is_empty() { known() } else { fitting.join(", ") };
                match likely(unit) {
                    Some(symbol) => format!("did you mean `{symbol}`? Known here are {units}"),
                    None => {
                        let article = article(name);
                        format!("write {article} {name} like \"{example}\"; known here are {units}")
                    }
                }
            }
            QuantityError::OtherDimension { example, .. } => format!("write it like \"{example}\""),
            QuantityError::NotFinite { .. } => "give a smaller number".to_owned(),
        }
    }
}

/// The article before the name of a dimension.
fn article(name: &str) -> &'static str {
    if name.starts_with('a') { "an" } else { "a" }
}

impl<D: Dimension> Quantity<D> {
    /// A number in the scene's units.
    pub fn number(number: f64) -> Quantity<D> {
        Quantity { value: Value::Number(number), dimension: PhantomData }
    }

    /// Whether it has a unit of its own.
    pub fn has_unit(&self) -> bool {
        matches!(self.value, Value::Text(_))
    }

    /// The value in m, kg, s and rad.
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

/// Parses a number and the unit after it: factors separated by blanks, `*` or `·`, each followed by its power
/// (`m2`, `m^2`, `m²`, `s^-1`); a `/` divides by all factors up to the next `/`.
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
            return Err(QuantityError::unknown::<D>(written));
        }
        for word in factors {
            let factor = factor(word).ok_or_else(|| QuantityError::unknown::<D>(word))?;
            unit = unit.times(if index == 0 { factor } else { factor.power(-1) });
        }
    }
    if unit.powers != D::POWERS {
        return Err(QuantityError::OtherDimension { text: text.to_owned(), name, example });
    }
    Ok((number, unit))
}

/// The end of the number at the beginning. An `e` belongs to it only if digits follow.
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
        json_schema!({ "description": what, "type": ["number", "string"], "examples": [D::EXAMPLE] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn si<D: Dimension>(text: &str) -> Result<f64, QuantityError> {
        let quantity = Quantity::<D> { value: Value::Text(text.to_owned()), dimension: PhantomData };
        quantity.si(&Units::default())
    }

    #[test]
    fn texts_have_their_value_in_si_units_to_the_bit() {
        for (text, expected) in [
            ("25.4 mm", 0.0254),
            ("1 in", 0.0254),
            ("1inch", 0.0254),
            (" 3 ft ", 0.9144),
            ("-5e-1 cm", -0.005),
            ("7 µm", 7e-6),
            ("2km", 2000.0),
        ] {
            assert_eq!(si::<dimension::OfLength>(text), Ok(expected), "{text}");
        }
        assert_eq!(si::<dimension::OfDensity>("7.85 g/cm3"), Ok(7850.0));
        assert_eq!(si::<dimension::OfDensity>("7850 kg/m^3"), Ok(7850.0));
        assert_eq!(si::<dimension::OfDensity>("7850 kg m^-3"), Ok(7850.0));
        assert_eq!(si::<dimension::OfAcceleration>("9.81 m/s²"), Ok(9.81));
        assert_eq!(si::<dimension::OfAcceleration>("9.81 m/s/s"), Ok(9.81));
        assert_eq!(si::<dimension::OfSpeed>("36 km/h"), Ok(10.0));
        assert_eq!(si::<dimension::OfForce>("2 kg*m/s2"), Ok(2.0));
        assert_eq!(si::<dimension::OfTorque>("3 N mm"), Ok(0.003));
        assert_eq!(si::<dimension::OfTorque>("3 Nm"), Ok(3.0));
        assert_eq!(si::<dimension::OfMoment>("2 kg·m2"), Ok(2.0));
        assert_eq!(si::<dimension::OfMass>("1 lb"), Ok(0.453_592_37));
        assert_eq!(si::<dimension::OfAngle>("180°"), Ok(std::f64::consts::PI));
        assert!((si::<dimension::OfSpin>("60 rpm").unwrap() - std::f64::consts::TAU).abs() < 1e-15);
        assert!((si::<dimension::OfSpin>("1 turn/s").unwrap() - std::f64::consts::TAU).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_quantity_says_why() {
        let why = |text: &str| si::<dimension::OfLength>(text).unwrap_err();
        assert!(matches!(why("mm 5"), QuantityError::NoNumber { .. }));
        assert!(matches!(why(""), QuantityError::NoNumber { .. }));
        assert!(matches!(why("nan mm"), QuantityError::NoNumber { .. }));
        assert!(matches!(why("5"), QuantityError::NoUnit { .. }));
        assert!(matches!(why("5 parsec"), QuantityError::UnknownUnit { .. }));
        assert!(matches!(why("5 m/"), QuantityError::UnknownUnit { .. }));
        assert!(matches!(why("5 m0"), QuantityError::UnknownUnit { .. }));
        assert!(matches!(why("5 kg"), QuantityError::OtherDimension { .. }));
        assert!(matches!(why("5 m2"), QuantityError::OtherDimension { .. }));
        assert!(matches!(why("1e400 m"), QuantityError::NotFinite { .. }));
        assert!(matches!(why("1e308 km"), QuantityError::NotFinite { .. }));
    }

    #[test]
    fn numbers_are_in_the_coherent_units_of_the_scene() {
        let units = Units {
            length: PlainUnit::named::<dimension::OfLength>("mm").unwrap(),
            mass: PlainUnit::named::<dimension::OfMass>("g").unwrap(),
            ..Units::default()
        };
        assert_eq!(Speed::number(25.4).si(&units), Ok(0.0254));
        // 1 g mm/s² is a millionth of a newton, and 1 g/mm³ is 1e6 kg/m³.
        assert_eq!(Force::number(3.0).si(&units), Ok(3e-6));
        assert_eq!(Density::number(0.0078125).si(&units), Ok(7812.5));
        assert_eq!(Density::number(0.00785).si(&units), Ok(0.00785 * 1e6), "rounded once");
        assert_eq!(Angle::number(180.0).si(&units), Ok(std::f64::consts::PI));
    }

    proptest! {
        #[test]
        fn a_text_and_a_number_in_the_same_unit_are_the_same(number in -1e6..1e6_f64, symbol in 0..6_usize) {
            let symbol = ["m", "mm", "cm", "um", "in", "ft"][symbol];
            let unit = PlainUnit::named::<dimension::OfLength>(symbol).unwrap();
            let units = Units { length: unit, ..Units::default() };
            let by_text = si::<dimension::OfLength>(&format!("{number} {symbol}"));
            prop_assert_eq!(by_text.clone(), Length::number(number).si(&units));
            // The units of part files are written by others.
            let file: silvia_solid::files::Unit = symbol.parse().unwrap();
            prop_assert_eq!(by_text, Ok(file.to_metres(number)));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[-+0-9.eE_]{0,4}[ a-zA-Zµ°²³/*^·0-9-]{0,12}") {
            let _ = si::<dimension::OfForce>(&text);
        }
    }
}
