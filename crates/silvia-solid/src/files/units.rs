//! The unit of a file's numbers. No format here records it reliably, so the caller states it.

use std::fmt;
use std::str::FromStr;

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The engine's own unit.
    #[default]
    Metre,
    /// 1/1000 m: what most CAD programs export.
    Millimetre,
    /// 1/100 m.
    Centimetre,
    /// 1/1,000,000 m.
    Micrometre,
    /// Exactly 0.0254 m.
    Inch,
    /// Exactly 0.3048 m.
    Foot,
}

/// A text that is not a unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a unit: use m, mm, cm, um, in or ft")]
pub struct UnitError {
    /// The text.
    pub text: String,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Unit; 6] =
        [Unit::Metre, Unit::Millimetre, Unit::Centimetre, Unit::Micrometre, Unit::Inch, Unit::Foot];

    /// The length of one unit in metres.
    pub fn metres(self) -> f64 {
        self.to_metres(1.0)
    }

    /// Converts a length in this unit to metres.
    ///
    /// Exact for [`Unit::Metre`]; otherwise correctly rounded for every length with few digits: 25.4 mm is
    /// 0.0254 m to the bit. Multiplying by 0.001 would miss that.
    pub fn to_metres(self, length: f64) -> f64 {
        let (numerator, denominator) = self.ratio();
        length * numerator / denominator
    }

    /// Converts a length in metres to this unit. Infinite if it overflows.
    pub fn from_metres(self, metres: f64) -> f64 {
        let (numerator, denominator) = self.ratio();
        metres * denominator / numerator
    }

    /// The symbol that [`Unit::from_str`] reads.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Metre => "m",
            Unit::Millimetre => "mm",
            Unit::Centimetre => "cm",
            Unit::Micrometre => "um",
            Unit::Inch => "in",
            Unit::Foot => "ft",
        }
    }

    /// Metres per unit as a fraction of integers, so that neither part is rounded.
    fn ratio(self) -> (f64, f64) {
        match self {
            Unit::Metre => (1.0, 1.0),
            Unit::Millimetre => (1.0, 1e3),
            Unit::Centimetre => (1.0, 1e2),
            Unit::Micrometre => (1.0, 1e6),
            Unit::Inch => (127.0, 5000.0),
            Unit::Foot => (381.0, 1250.0),
        }
    }
}

impl FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Unit, UnitError> {
        let found = Unit::ALL.into_iter().find(|unit| unit.symbol() == text);
        found.ok_or_else(|| UnitError { text: text.to_owned() })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_legal_length() {
        let metres = Unit::ALL.map(Unit::metres);
        assert_eq!(metres, [1.0, 0.001, 0.01, 0.000001, 0.0254, 0.3048]);
    }

    #[test]
    fn decimal_lengths_convert_to_the_nearest_double() {
        assert_eq!(Unit::Millimetre.to_metres(25.4), 0.0254);
        assert_eq!(Unit::Inch.to_metres(3.0), 0.0762);
        assert_eq!(Unit::Inch.from_metres(0.0762), 3.0);
    }

    #[test]
    fn a_symbol_reads_back_as_its_unit_and_anything_else_is_refused() {
        for unit in Unit::ALL {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        let error = "parsec".parse::<Unit>().unwrap_err();
        assert_eq!(error.to_string(), "\"parsec\" is not a unit: use m, mm, cm, um, in or ft");
    }
}
