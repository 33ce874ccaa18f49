//! What is compared, and how it is shown.

use std::fmt::Write;

/// How an error is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// As a fraction of what is expected.
    Relative,
    /// In the unit of the quantity.
    Absolute,
}

/// A quantity of a scene that is known, and what the world made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the scene.
    pub scene: &'static str,
    /// The name of the method.
    pub method: &'static str,
    /// What is compared.
    pub quantity: &'static str,
    /// Of what is expected and what was got; empty for a plain number.
    pub unit: &'static str,
    /// By theory.
    pub expected: f64,
    /// By the world.
    pub got: f64,
    /// How far apart they are, as [`Row::measure`] says.
    pub error: f64,
    /// What the error is relative to.
    pub measure: Measure,
    /// The largest error that is let pass.
    pub tolerance: f64,
    /// Whether the error is within the tolerance.
    pub pass: bool,
}

/// The rows of a scene under a method, as they come.
pub(super) struct Rows {
    scene: &'static str,
    method: &'static str,
    rows: Vec<Row>,
}

impl Rows {
    pub(super) fn new(scene: &'static str, method: &'static str) -> Rows {
        Rows { scene, method, rows: Vec::new() }
    }

    /// A quantity that must be right to a fraction of it.
    pub(super) fn relative(
        &mut self,
        quantity: &'static str,
        unit: &'static str,
        values: [f64; 2],
        tolerance: f64,
    ) {
        let [expected, got] = values;
        let error = ((got - expected) / expected).abs();
        self.add(quantity, unit, values, error, Measure::Relative, tolerance);
    }

    /// A quantity that must be right to something in its unit.
    pub(super) fn absolute(
        &mut self,
        quantity: &'static str,
        unit: &'static str,
        values: [f64; 2],
        tolerance: f64,
    ) {
        let [expected, got] = values;
        self.add(quantity, unit, values, (got - expected).abs(), Measure::Absolute, tolerance);
    }

    pub(super) fn done(self) -> Vec<Row> {
        self.rows
    }

    fn add(
        &mut self,
        quantity: &'static str,
        unit: &'static str,
        [expected, got]: [f64; 2],
        error: f64,
        measure: Measure,
        tolerance: f64,
    ) {
        // What is no number passes nothing.
        let pass = error <= tolerance;
        let Rows { scene, method, .. } = *self;
        self.rows.push(Row { scene, method, quantity, unit, expected, got, error, measure, tolerance, pass });
    }
}

/// A table of rows in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| scene | method | quantity | expected | got | error | tolerance | |\n\
         |---|---|---|---:|---:|---:|---:|---|\n",
    );
    for row in rows {
        let unit = if row.unit.is_empty() { String::new() } else { format!(" {}", row.unit) };
        let of_error = match row.measure {
            Measure::Relative => String::new(),
            Measure::Absolute => unit.clone(),
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{unit} | {}{unit} | {:.1e}{of_error} | {:.0e}{of_error} | {} |",
            row.scene,
            row.method,
            row.quantity,
            digits(row.expected),
            digits(row.got),
            row.error,
            row.tolerance,
            if row.pass { "pass" } else { "**fail**" },
        );
    }
    text
}

/// Seven digits.
fn digits(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let after_point = (6 - size.log10().floor() as i64).clamp(0, 9) as usize;
        format!("{value:.after_point$}")
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_beyond_the_tolerance_or_no_number_does_not_pass() {
        let mut rows = Rows::new("scene", "auto");
        rows.relative("q", "m", [2.0, 2.001], 1e-3);
        rows.relative("q", "m", [2.0, 2.003], 1e-3);
        rows.relative("q", "m", [2.0, f64::NAN], 1e-3);
        rows.absolute("q", "m", [0.0, -1e-10], 1e-9);
        rows.absolute("q", "m", [0.0, -1e-8], 1e-9);
        let pass: Vec<bool> = rows.rows.iter().map(|row| row.pass).collect();
        assert_eq!(pass, [true, false, false, true, false]);
    }

    #[test]
    fn a_table_has_a_line_a_row() {
        let mut rows = Rows::new("slope", "auto");
        rows.relative("acceleration", "m/s²", [0.65715, 0.6572], 1e-3);
        rows.absolute("way", "m", [0.0, 1e-12], 1e-9);
        let text = table(&rows.done());
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| slope | auto | acceleration | 0.6571500 m/s² | 0.6572000 m/s² | 7.6e-5 | 1e-3 | pass |",
                "| slope | auto | way | 0 m | 1.00e-12 m | 1.0e-12 m | 1e-9 m | pass |",
            ]
        );
    }
}
