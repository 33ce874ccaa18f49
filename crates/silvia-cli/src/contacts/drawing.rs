//! An SVG drawing of two parts and their contacts: A grey, B blue, hidden lines thin; points and normals red.

use super::lines::lines;
use super::view::{Scene, View};
use crate::numbers::number;
use silvia::proximity::Hierarchy;
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::ContactPair;
use silvia::solid::files::Unit;
use silvia::solid::{Aabb, Pose, Vec3};
use std::fmt::Write;

/// The longer side of the drawing, pixels.
const SIDE: f64 = 860.0;
/// Margin around the drawing, pixels.
const MARGIN: f64 = 30.0;
/// Space below it for the text, pixels.
const FOOT: f64 = 54.0;
/// Length of a normal seen from the side, pixels.
const ARROW: f64 = 52.0;
/// Lines are divided into pieces of about this length, pixels, each hidden or visible.
const PIECE: f64 = 5.0;
/// If the larger part is longer than this many times the smaller one, only the surroundings of the smaller
/// one are drawn.
const CROP: f64 = 3.0;
/// How much is then drawn around the smaller part, as a fraction of its size.
const AROUND: f64 = 0.6;
/// The least width for the text to fit, pixels.
const TEXT_WIDTH: f64 = 560.0;

const COLORS: [&str; 2] = ["#6b7280", "#1d4ed8"];
const RED: &str = "#dc2626";

pub(super) fn draw<B: Bound>(
    bodies: [&Hierarchy<B>; 2],
    poses: [&Pose; 2],
    contacts: &[ContactPair],
    unit: Unit,
) -> String {
    let boxes = [0, 1]
        .map(|i| Aabb::of(bodies[i].surface().soup().points().iter().map(|&p| poses[i].transform_point(p))));
    let size = boxes.iter().map(|b| b.size().length()).fold(0.0, f64::max);
    let scene = Scene { bodies, poses, size };
    let view = View::of(&scene, contacts);
    let frame = Frame::around(&view, &scene, contacts);

    let mut svg = frame.head();
    for hidden in [true, false] {
        for index in [0, 1] {
            let soup = bodies[index].surface().soup();
            let path = frame.path(&scene, &view, &lines(soup, poses[index], view.eye), hidden);
            let style =
                if hidden { "stroke-width=\"0.7\" stroke-opacity=\"0.45\"" } else { "stroke-width=\"1.6\"" };
            let _ = writeln!(
                svg,
                "<path class=\"{}{}\" d=\"{path}\" fill=\"none\" stroke=\"{}\" {style} \
                 stroke-linecap=\"round\"/>",
                ["a", "b"][index],
                if hidden { " hidden" } else { "" },
                COLORS[index]
            );
        }
    }
    // Draw the contacts that hold on top of the others.
    let (held, others): (Vec<&ContactPair>, Vec<&ContactPair>) =
        contacts.iter().partition(|pair| pair.state.holds);
    others.iter().chain(&held).for_each(|pair| frame.contact(&mut svg, &view, pair));
    svg += "</g>\n";
    frame.foot(&mut svg, held.len(), others.len(), unit);
    svg + "</svg>\n"
}

/// The part of the plane that is drawn, and its scale.
struct Frame {
    /// The lower corner, m.
    corner: [f64; 2],
    /// Pixels per metre.
    scale: f64,
    /// Width without margins, pixels.
    width: f64,
    height: f64,
}

impl Frame {
    fn around<B: Bound>(view: &View, scene: &Scene<'_, B>, contacts: &[ContactPair]) -> Frame {
        let seen = [0, 1].map(|i| {
            let points = scene.bodies[i].surface().soup().points();
            Range::of(points.iter().map(|&p| view.project(scene.poses[i].transform_point(p))))
        });
        let points = contacts.iter().flat_map(|pair| pair.state.points).map(|p| view.project(p));
        let (all, touching) = (seen[0].joined(&seen[1]), Range::of(points));
        let small = if seen[0].length() < seen[1].length() { &seen[0] } else { &seen[1] };
        let range = if all.length() > CROP * small.length() {
            small.joined(&touching).grown(AROUND * small.length()).common(&all)
        } else {
            all
        };
        let [wide, high] = [0, 1].map(|k| range.most[k] - range.least[k]);
        // Even a drawing of a single point needs a scale.
        let scale = SIDE / wide.max(high).max(f64::MIN_POSITIVE);
        Frame { corner: range.least, scale, width: scale * wide, height: scale * high }
    }

    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| MARGIN + self.scale * (at[k] - self.corner[k]))
    }

    fn shows(&self, [x, y]: [f64; 2]) -> bool {
        (0.0..=self.width + 2.0 * MARGIN).contains(&x) && (0.0..=self.height + 2.0 * MARGIN).contains(&y)
    }

    fn page(&self) -> [f64; 2] {
        [(self.width + 2.0 * MARGIN).max(TEXT_WIDTH), self.height + 2.0 * MARGIN]
    }

    fn head(&self) -> String {
        let [width, height] = self.page();
        let whole = height + FOOT;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {whole:.0}\" \
             width=\"{width:.0}\" height=\"{whole:.0}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <clipPath id=\"drawing\"><rect width=\"{width:.0}\" height=\"{height:.0}\"/></clipPath>\n\
             <g clip-path=\"url(#drawing)\">\n"
        )
    }

    /// The pieces of lines that are hidden, or those that are visible.
    fn path<B: Bound>(&self, scene: &Scene<'_, B>, view: &View, lines: &[[Vec3; 2]], hidden: bool) -> String {
        let mut path = String::new();
        for &[from, to] in lines {
            let ends = [from, to].map(|p| self.place(view.project(p)));
            let length = (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
            let pieces = (length / PIECE).ceil().max(1.0);
            let at = |k: f64| [0, 1].map(|axis| ends[0][axis] + k / pieces * (ends[1][axis] - ends[0][axis]));
            let mut pen_is_at = f64::NEG_INFINITY;
            for piece in 0..pieces as usize {
                let start = piece as f64;
                let middle = from.lerp(to, (start + 0.5) / pieces);
                let is_shown = self.shows(at(start)) || self.shows(at(start + 1.0));
                if !is_shown || scene.hides(middle, view.eye) != hidden {
                    continue;
                }
                if pen_is_at != start {
                    let [x, y] = at(start);
                    let _ = write!(path, "M{x:.1} {y:.1}");
                }
                let [x, y] = at(start + 1.0);
                let _ = write!(path, "L{x:.1} {y:.1}");
                pen_is_at = start + 1.0;
            }
        }
        path
    }

    fn contact(&self, svg: &mut String, view: &View, pair: &ContactPair) {
        let [a, b] = pair.state.points.map(|p| self.place(view.project(p)));
        if !pair.state.holds {
            let _ = writeln!(
                svg,
                "<circle class=\"may\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"white\" stroke=\"{RED}\" \
                 stroke-opacity=\"0.5\"/>",
                b[0], b[1]
            );
            return;
        }
        let along = view.project(pair.state.normal).map(|c| ARROW * c);
        let length = along[0].hypot(along[1]);
        let _ = write!(
            svg,
            "<g class=\"contact\" stroke=\"{RED}\" fill=\"{RED}\"><path d=\"M{:.1} {:.1}L{:.1} \
             {:.1}\"/><circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\" stroke=\"white\" stroke-width=\"0.6\"/>",
            a[0], a[1], b[0], b[1], b[0], b[1]
        );
        // A normal that points at the eye is drawn as its point alone.
        if length > 6.0 {
            let [x, y] = along.map(|c| c / length);
            let tip = [b[0] + along[0], b[1] + along[1]];
            let back = [tip[0] - 9.0 * x, tip[1] - 9.0 * y];
            let _ = write!(
                svg,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke-width=\"1.8\"/><path d=\"M{:.1} {:.1}L{:.1} \
                 {:.1}L{:.1} {:.1}Z\" stroke=\"none\"/>",
                b[0],
                b[1],
                back[0],
                back[1],
                tip[0],
                tip[1],
                back[0] - 3.6 * y,
                back[1] + 3.6 * x,
                back[0] + 3.6 * y,
                back[1] - 3.6 * x
            );
        }
        svg.push_str("</g>\n");
    }

    fn foot(&self, svg: &mut String, held: usize, others: usize, unit: Unit) {
        let [_, top] = self.page();
        let (bar, text) = self.scale_bar(unit);
        let plural = if held == 1 { "" } else { "s" };
        let more = if others > 0 { format!(", {others} that may come to hold") } else { String::new() };
        let _ = writeln!(
            svg,
            "<g transform=\"translate({MARGIN} {:.0})\">\
             <path d=\"M0 -4H22\" stroke=\"{}\" stroke-width=\"3\"/><text x=\"28\">A</text>\
             <path d=\"M54 -4H76\" stroke=\"{}\" stroke-width=\"3\"/><text x=\"82\">B</text>\
             <circle cx=\"114\" cy=\"-4\" r=\"4\" fill=\"{RED}\"/><text x=\"124\">{held} \
             contact{plural}{more}; arrows: the normal, from A to B</text>\
             <path d=\"M0 21V27H{bar:.1}V21\" fill=\"none\" stroke=\"#111\"/><text x=\"{:.1}\" \
             y=\"29\">{text}</text></g>",
            top + 18.0,
            COLORS[0],
            COLORS[1],
            bar + 8.0
        );
    }

    /// A round length of about a sixth of the drawing: its length in pixels, and its label.
    fn scale_bar(&self, unit: Unit) -> (f64, String) {
        let about = unit.from_metres(SIDE / 6.0 / self.scale);
        let power = 10_f64.powf(about.log10().floor());
        let round = [5.0, 2.0, 1.0].into_iter().find(|m| m * power <= about).unwrap_or(1.0) * power;
        (unit.to_metres(round) * self.scale, format!("{} {unit}", number(round)))
    }
}

/// A rectangle.
#[derive(Clone, Copy)]
struct Range {
    least: [f64; 2],
    most: [f64; 2],
}

impl Range {
    fn of(points: impl Iterator<Item = [f64; 2]>) -> Range {
        let none = Range { least: [f64::INFINITY; 2], most: [f64::NEG_INFINITY; 2] };
        points.fold(none, |range, p| range.joined(&Range { least: p, most: p }))
    }

    fn joined(&self, other: &Range) -> Range {
        Range {
            least: [0, 1].map(|k| self.least[k].min(other.least[k])),
            most: [0, 1].map(|k| self.most[k].max(other.most[k])),
        }
    }

    fn common(&self, other: &Range) -> Range {
        Range {
            least: [0, 1].map(|k| self.least[k].max(other.least[k])),
            most: [0, 1].map(|k| self.most[k].min(other.most[k])),
        }
    }

    fn grown(&self, by: f64) -> Range {
        Range { least: self.least.map(|c| c - by), most: self.most.map(|c| c + by) }
    }

    fn length(&self) -> f64 {
        (self.most[0] - self.least[0]).hypot(self.most[1] - self.least[1])
    }
}
