//! Plots of growth, both axes logarithmic, as SVG.

use std::fmt::Write;

/// One line of a plot.
pub struct Curve<'a> {
    /// As the legend says it.
    pub name: &'a str,
    /// Any SVG colour.
    pub color: &'a str,
    /// Both coordinates positive.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 670.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// A value within this factor of a power of ten counts as that power when the range of an axis is chosen.
const NEARLY: f64 = 1.02;

/// [`growth_plot`] of lines (name, color, points), with the exponent of its growth from its first point to
/// its last in each one's name.
pub fn plot_with_exponents<'a>(
    title: &str,
    x_label: &str,
    y_label: &str,
    lines: impl IntoIterator<Item = (&'a str, &'a str, Vec<(f64, f64)>)>,
) -> String {
    let named: Vec<(String, &str, Vec<_>)> = lines
        .into_iter()
        .map(|(name, color, points)| match (points.first(), points.last()) {
            (Some(&first), Some(&last)) if last.0 > first.0 => {
                (format!("{name} n^{:.2}", crate::growth_exponent(first, last)), color, points)
            }
            _ => (name.into(), color, points),
        })
        .collect();
    let curves: Vec<Curve<'_>> =
        named.iter().map(|(name, color, points)| Curve { name, color, points: points.clone() }).collect();
    growth_plot(title, x_label, y_label, &curves)
}

/// An SVG picture of some curves, with a grid line at every power of ten.
pub fn growth_plot(title: &str, x_label: &str, y_label: &str, curves: &[Curve<'_>]) -> String {
    let points = || curves.iter().flat_map(|c| c.points.iter());
    let x = Axis::over(points().map(|p| p.0), LEFT, WIDTH - RIGHT);
    let y = Axis::over(points().map(|p| p.1), HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n"
    );
    grid(&mut svg, &x, &y);
    let middle = (0.5 * (x.start + x.end), 0.5 * (y.start + y.end));
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>",
        middle.0,
        HEIGHT - 10.0
    );
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{y_label}</text>",
        middle.1
    );
    for (index, curve) in curves.iter().enumerate() {
        draw(&mut svg, curve, index, &x, &y);
    }
    svg + "</svg>\n"
}

fn grid(svg: &mut String, x: &Axis, y: &Axis) {
    for power in x.low..=x.high {
        let at = x.place(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text>",
            y.start,
            y.end,
            y.start + 18.0,
            tick(power)
        );
    }
    for power in y.low..=y.high {
        let at = y.place(10f64.powi(power));
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {at:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            x.start,
            x.end,
            x.start - 6.0,
            at + 4.0,
            tick(power)
        );
    }
}

fn draw(svg: &mut String, curve: &Curve<'_>, index: usize, x: &Axis, y: &Axis) {
    let places: Vec<(f64, f64)> = curve.points.iter().map(|p| (x.place(p.0), y.place(p.1))).collect();
    let path: Vec<String> = places.iter().map(|(px, py)| format!("{px:.1},{py:.1}")).collect();
    let Curve { name, color, .. } = curve;
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for (px, py) in &places {
        let _ = writeln!(svg, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{color}\"/>");
    }
    let (left, top) = (WIDTH - RIGHT + 14.0, TOP + 16.0 + 22.0 * index as f64);
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {:.1}h18\" stroke=\"{color}\" stroke-width=\"3\"/><text x=\"{}\" \
         y=\"{top}\">{name}</text>",
        top - 4.0,
        left + 24.0
    );
}

/// Powers of ten `low` to `high`, drawn from `start` to `end`.
struct Axis {
    low: i32,
    high: i32,
    start: f64,
    end: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let (mut least, mut most) = (f64::INFINITY, 0f64);
        values.for_each(|v| (least, most) = (least.min(v), most.max(v)));
        // A knot of 1,000,008 triangles needs no axis up to ten million.
        let low = (least * NEARLY).log10().floor() as i32;
        Axis { low, high: ((most / NEARLY).log10().ceil() as i32).max(low + 1), start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let along = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.start + (self.end - self.start) * along
    }
}

fn tick(power: i32) -> String {
    match power {
        -3..=3 => format!("{}", 10f64.powi(power)),
        _ => format!("10<tspan dy=\"-5\" font-size=\"10\">{power}</tspan>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_evenly_spaced() {
        let axis = Axis::over([20.0, 3000.0].into_iter(), 0.0, 300.0);
        assert_eq!((axis.low, axis.high), (1, 4));
        assert!((axis.place(100.0) - 100.0).abs() < 1e-9 && (axis.place(1000.0) - 200.0).abs() < 1e-9);
    }
}
