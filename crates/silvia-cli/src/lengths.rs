//! Lengths on the command line: a number in the unit of `--unit`, or one with a unit of its own.

use crate::values::{finite, not_negative, point, positive};
use silvia::solid::Vec3;
use silvia::solid::files::Unit;
use std::fmt;

/// A length, or three, as given: `40`, `40 mm`, `40,20,10 mm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Given<T> {
    number: T,
    /// Without one, the number is in the unit of `--unit`.
    unit: Option<Unit>,
}

/// One length.
pub(crate) type Length = Given<f64>;
/// The edge lengths of a box.
pub(crate) type Size = Given<Vec3>;
/// A way along x, y and z.
pub(crate) type Way = Given<Vec3>;

impl Length {
    /// A default: it is the same length whatever `--unit` says.
    pub(crate) fn metres(metres: f64) -> Length {
        Length { number: metres, unit: Some(Unit::Metre) }
    }

    /// The number that `--unit` makes this length.
    pub(crate) fn in_unit(self, unit: Unit) -> f64 {
        match self.unit {
            Some(own) if own != unit => unit.from_metres(own.to_metres(self.number)),
            _ => self.number,
        }
    }
}

impl Size {
    /// The numbers that `--unit` makes these lengths.
    pub(crate) fn in_unit(self, unit: Unit) -> Vec3 {
        let inner = |number| Length { number, unit: self.unit }.in_unit(unit);
        Vec3::new(inner(self.number.x), inner(self.number.y), inner(self.number.z))
    }
}

impl fmt::Display for Length {
    /// In millimetres if that is the shorter way to write the same number, as for the sizes of most parts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Length { number, unit } = *self;
        let millimetres = Unit::Millimetre.from_metres(number);
        match unit {
            Some(Unit::Metre)
                if (0.0..1.0).contains(&number) && Unit::Millimetre.to_metres(millimetres) == number =>
            {
                write!(f, "{millimetres} mm")
            }
            Some(unit) => write!(f, "{number} {unit}"),
            None => write!(f, "{number}"),
        }
    }
}

/// A length above zero.
pub(crate) fn positive_length(text: &str) -> Result<Length, String> {
    parsed(text, positive)
}

/// A length, zero or above.
pub(crate) fn length(text: &str) -> Result<Length, String> {
    parsed(text, not_negative)
}

/// Three lengths above zero, separated by commas; a single one means all three.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    parsed(text, |numbers| {
        let numbers = numbers.split(',').map(positive).collect::<Result<Vec<f64>, String>>()?;
        match numbers[..] {
            [all] => Ok(Vec3::splat(all)),
            [x, y, z] => Ok(Vec3::new(x, y, z)),
            _ => Err("give one number, or three with commas: 1,2,3".into()),
        }
    })
}

/// Three lengths of any sign, separated by commas.
pub(crate) fn way(text: &str) -> Result<Way, String> {
    parsed(text, point)
}

/// Takes the unit off the end of a text, and reads the rest.
fn parsed<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Given<T>, String> {
    let text = text.trim();
    let numbers = text.trim_end_matches(char::is_alphabetic);
    let is_word = numbers.is_empty() || finite(text).is_ok();
    let (numbers, unit) = if is_word { (text, "") } else { (numbers, &text[numbers.len()..]) };
    let unit = match unit {
        "" => None,
        unit => Some(unit.parse::<Unit>().map_err(|error| error.to_string())?),
    };
    let with_units = numbers.split(',').any(|number| {
        let number = number.trim();
        finite(number).is_err()
            && number.starts_with(|c: char| c.is_ascii_digit())
            && number.ends_with(char::is_alphabetic)
    });
    if with_units {
        return Err("give the unit once, after the last number: 1,2,3 cm".into());
    }
    Ok(Given { number: read(numbers)?, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_without_a_unit_is_in_the_unit_of_the_command() {
        assert_eq!(positive_length("5").unwrap().in_unit(Unit::Millimetre), 5.0);
        assert_eq!(positive_length("5 mm").unwrap().in_unit(Unit::Metre), 0.005);
        assert_eq!(positive_length("1e-3m").unwrap().in_unit(Unit::Millimetre), 1.0);
        assert_eq!(length("0").unwrap().in_unit(Unit::Inch), 0.0);
        for wrong in ["5 miles", "mm", "nan", "-1 m", "", "1e", "5 mm 3"] {
            assert!(positive_length(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_default_reads_back_as_it_is_shown() {
        for metres in [0.02, 0.00004, 1.0, 2.5, 0.1, 1.0 / 3.0] {
            let shown = Length::metres(metres).to_string();
            assert_eq!(length(&shown).unwrap().in_unit(Unit::Metre), metres, "{shown}");
        }
        assert_eq!(Length::metres(0.02).to_string(), "20 mm");
    }

    #[test]
    fn a_size_is_one_length_or_three() {
        assert_eq!(size("2").unwrap().in_unit(Unit::Metre), Vec3::splat(2.0));
        assert_eq!(size("1, 2,3 mm").unwrap().in_unit(Unit::Metre), Vec3::new(0.001, 0.002, 0.003));
        assert_eq!(way("-1, 0,2.5mm").unwrap().in_unit(Unit::Metre), Vec3::new(-0.001, 0.0, 0.0025));
        assert!(way("1").is_err() && way("1,2,nan").is_err() && way("1,2,3,4 mm").is_err());
        assert!(size("1cm,2cm,3cm").unwrap_err().contains("once"));
        assert!(size("1,2").is_err() && size("1,2,0").is_err() && size("1,,3").is_err());
    }
}
