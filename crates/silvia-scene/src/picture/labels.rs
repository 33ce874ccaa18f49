//! Names of bodies beside them, none on another.

use super::bodies::USUAL_ROWS;
use super::canvas::Canvas;
use super::font;
use silvia_solid::Vec3;

/// Height of a capital letter in a picture of 720 rows, pixels.
const SIZE: f64 = 14.0;
/// The least height at which letters can be read, pixels.
const LEAST: f64 = 8.0;
/// The longest label, letters.
const LONGEST: usize = 24;
/// Distance from line to line, in heights of a capital letter.
const LINE: f64 = 1.9;
/// Lines above and below its place that a label may move to; if all are taken, it is left out.
const LINES: i32 = 6;

/// The most bodies that are named: the nearest.
const MOST: usize = 400;

/// A name at its place.
pub(super) struct Label {
    /// The left end of its baseline, pixels.
    at: [f64; 2],
    width: f64,
    size: f64,
    text: String,
    /// The point that it names, if it had to move away from it, pixels.
    from: Option<[f64; 2]>,
}

impl Label {
    /// Draws a line to where it belongs, if it is elsewhere. Letters come over all of these.
    pub(super) fn draw_thread(&self, canvas: &mut Canvas) {
        if let Some([x, y]) = self.from {
            // To the near edge of the letters.
            let edge =
                if y > self.at[1] { self.at[1] + 0.3 * self.size } else { self.at[1] - 1.3 * self.size };
            font::thread(canvas, [[x, y], [x, edge]], self.size);
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas) {
        font::write(canvas, self.at, self.size, &self.text);
    }

    fn meets(&self, other: &Label) -> bool {
        let [x, y] = [0, 1].map(|axis| self.at[axis] - other.at[axis]);
        // A letter's width of space between them, so that they do not read as one.
        x < other.width + self.size && -x < self.width + self.size && y.abs() < 0.9 * LINE * self.size
    }
}

/// Places texts at points, the first where they belong and the others on free lines nearby.
pub(super) fn placed(canvas: &Canvas, texts: &[(Vec3, &str)]) -> Vec<Label> {
    let size = (SIZE * canvas.picture_rows() / USUAL_ROWS).max(LEAST);
    let mut placed: Vec<Label> = Vec::new();
    for (point, text) in texts.iter().take(MOST) {
        let Some([x, y]) = canvas.place_of(*point) else { continue };
        let text: String = text.chars().take(LONGEST).collect();
        let width = font::width(&text, size);
        let mut label = Label { at: [x - 0.5 * width, 0.0], width, size, text, from: None };
        let lines = (0..=LINES).flat_map(|line| [-line, line]);
        for line in lines {
            label.from = (line != 0).then_some([x, y]);
            label.at[1] = y + 0.5 * size + f64::from(line) * LINE * size;
            if !placed.iter().any(|other| label.meets(other)) {
                placed.push(label);
                break;
            }
        }
    }
    placed
}
