//! Formats numbers for people.

/// Nine significant digits, more than single precision holds, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    with_digits(value, 9, -4..9)
}

/// Four significant digits, for measures; powers of ten only for what is very small or large.
pub(crate) fn measure(value: f64) -> String {
    with_digits(value, 4, -4..7)
}

/// A time, s, without the digits that are rounding: 1.2, not 1.2000000000000008.
pub(crate) fn time(seconds: f64) -> String {
    without_zeros(&format!("{seconds:.9}")).into()
}

/// So many significant digits, in plain notation within these powers of ten.
fn with_digits(value: f64, digits: i32, plain: std::ops::Range<i32>) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !plain.contains(&magnitude) {
        let text = format!("{value:.*e}", digits as usize - 1);
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", without_zeros(digits)),
            None => text,
        };
    }
    let decimals = (digits - 1 - magnitude).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).into()
}

/// The size of a file: three digits, in powers of 1000.
pub(crate) fn file_size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        // A value that would round up to 1000 goes to the next unit.
        if value < 999.5 {
            let decimals = if unit == "bytes" || value >= 99.95 { 0 } else { 1 };
            return format!("{value:.decimals$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::{file_size, measure, number, time};

    #[test]
    fn numbers_keep_nine_digits_and_no_zeros_at_the_end() {
        let shown =
            [0.0, 1.0, -2.5, 1.0 / 3.0, 1234567.0, 0.1 + 0.2, 1.0 / 3.0e7, 6.02214076e23, 100.0].map(number);
        let expected =
            ["0", "1", "-2.5", "0.333333333", "1234567", "0.3", "3.33333333e-8", "6.02214076e23", "100"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn measures_and_times_are_shown_as_people_write_them() {
        let shown = [0.0, -1.649, 0.000123456, 1.2346e-11, 123456.0, 2.5e9].map(measure);
        assert_eq!(shown, ["0", "-1.649", "0.0001235", "1.235e-11", "123456", "2.5e9"]);
        let sizes = [0, 999, 1000, 12_340, 999_499, 999_500, 1_500_000_000, 3_000_000_000_000].map(file_size);
        let expected = ["0 bytes", "999 bytes", "1.0 kB", "12.3 kB", "999 kB", "1.0 MB", "1.5 GB", "3.0 TB"];
        assert_eq!(sizes, expected);
        assert_eq!([1.2000000000000008, 0.0, 10.0, 0.002].map(time), ["1.2", "0", "10", "0.002"]);
    }
}
