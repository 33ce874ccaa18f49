//! Values on the command line: numbers that must be finite or positive, and lists of them.

use silvia::solid::Vec3;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// A finite number.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err("the number must be finite".into()),
        Err(_) => Err("this is not a number".into()),
    }
}

/// A finite number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let number = finite(text)?;
    if number > 0.0 { Ok(number) } else { Err("the number must be above 0".into()) }
}

/// A fraction from 0 to 1.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    let number = finite(text)?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("give a fraction from 0 to 1".into()) }
}

/// A whole number, 1 or more.
pub(crate) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.trim().parse().map_err(|_| "the number must be 1 or more, and whole".into())
}

/// A length of time above zero, s; as a plain number, or with a unit.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = time(text)?;
    if seconds > 0.0 { Ok(seconds) } else { Err("the number must be above 0".into()) }
}

/// A time, s; as a plain number, or with a unit.
pub(crate) fn time(text: &str) -> Result<f64, String> {
    /// Units, and how many of them a second has.
    const UNITS: [(&str, f64); 5] = [("", 1.0), ("s", 1.0), ("ms", 1e3), ("us", 1e6), ("µs", 1e6)];
    let text = text.trim();
    let digits = text.trim_end_matches(char::is_alphabetic);
    // `nan` is all letters.
    let digits = if digits.is_empty() { text } else { digits };
    let unit = UNITS.into_iter().find(|(unit, _)| *unit == &text[digits.len()..]);
    match (digits.trim().parse::<f64>(), unit) {
        (Ok(number), Some((_, in_a_second))) => finite(&(number / in_a_second).to_string()),
        _ => Err("give seconds as a plain number, like 0.002, or with a unit, like 2ms".into()),
    }
}

/// A finite number, zero or above.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    let number = finite(text)?;
    if number >= 0.0 { Ok(number) } else { Err("the number must not be negative".into()) }
}

/// Three finite numbers separated by commas.
pub(crate) fn point(text: &str) -> Result<Vec3, String> {
    let numbers = text.split(',').map(finite).collect::<Result<Vec<f64>, String>>()?;
    match numbers[..] {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err("give three numbers with commas: 1,2,3".into()),
    }
}

/// A polygon in the plane: its corners in order, each `x,y`, separated by spaces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline(pub(crate) Vec<[f64; 2]>);

impl FromStr for Outline {
    type Err = String;

    fn from_str(text: &str) -> Result<Outline, String> {
        let corner = |word: &str| {
            let numbers = word.split(',').map(finite).collect::<Result<Vec<f64>, String>>()?;
            <[f64; 2]>::try_from(numbers).map_err(|_| format!("`{word}` is not a point `x,y`"))
        };
        let corners = text.split_whitespace().map(corner).collect::<Result<Vec<_>, String>>()?;
        if corners.len() < 3 {
            return Err("an outline has at least three corners: \"0,0 2,0 0,1\"".into());
        }
        Ok(Outline(corners))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        for text in ["nan", "inf", "-inf", "1e999", "", "x"] {
            assert!(finite(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_a_number_of_seconds_or_has_a_unit() {
        for (text, expected) in
            [("0.002", 0.002), ("2ms", 0.002), ("2 ms", 0.002), ("5s", 5.0), ("1e-3", 1e-3)]
        {
            assert_eq!((time(text), seconds(text)), (Ok(expected), Ok(expected)), "{text}");
        }
        assert_eq!((time("-1"), time("0 s")), (Ok(-1.0), Ok(0.0)));
        for text in ["", "s", "nan", "inf", "1 mm", "1s2", "forever", "1e999"] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(seconds("0").is_err() && seconds("-1 ms").is_err());
    }

    #[test]
    fn an_outline_needs_three_corners_of_two_numbers() {
        let triangle = Outline(vec![[0.0, 0.0], [2.0, 0.0], [0.0, 1.5]]);
        assert_eq!("0,0 2,0 0,1.5".parse(), Ok(triangle));
        assert!("0,0 2,0".parse::<Outline>().is_err() && "0,0 2,0 1".parse::<Outline>().is_err());
    }
}
