//! Formats numbers for people.

/// Nine significant digits, more than single precision holds, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    /// Significant digits shown.
    const DIGITS: i32 = 9;
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-4..DIGITS).contains(&magnitude) {
        let text = format!("{value:.*e}", DIGITS as usize - 1);
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", without_zeros(digits)),
            None => text,
        };
    }
    let decimals = (DIGITS - 1 - magnitude).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).into()
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_keep_nine_digits_and_no_zeros_at_the_end() {
        let shown =
            [0.0, 1.0, -2.5, 1.0 / 3.0, 1234567.0, 0.1 + 0.2, 1.0 / 3.0e7, 6.02214076e23, 100.0].map(number);
        let expected =
            ["0", "1", "-2.5", "0.333333333", "1234567", "0.3", "3.33333333e-8", "6.02214076e23", "100"];
        assert_eq!(shown, expected);
    }
}
