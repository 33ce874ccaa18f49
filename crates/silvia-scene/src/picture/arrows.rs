//! Draws forces at contacts on top of everything: bodies that touch hide their contacts.

use super::bodies::USUAL_ROWS;
use super::canvas::{Canvas, Colour};
use crate::recording::Frame;
use crate::stage::Stage;

const FORCE: Colour = [0.70, 0.03, 0.06];
const POINT: Colour = [0.10, 0.10, 0.12];
/// Width of an arrow in a picture of 720 rows, pixels.
const WIDTH: f64 = 2.4;
/// Length of its head, in widths.
const HEAD: f64 = 4.5;
/// The longest arrow, in radii of the scene.
const LONGEST: f64 = 0.7;

/// Draws each contact as a dot, and the force on its second body as an arrow from it.
pub(super) fn draw(canvas: &mut Canvas, frame: &Frame, stage: &Stage) {
    let width = WIDTH * canvas.picture_rows() / USUAL_ROWS;
    for contact in &frame.contacts {
        let arrow = (stage.metres_a_newton * contact.force).clamp_length_max(LONGEST * stage.radius);
        let tip = contact.point + arrow;
        if let (Some(from), Some(to)) = (canvas.place_of(contact.point), canvas.place_of(tip)) {
            canvas.arrow(from, to, width, HEAD, FORCE);
        }
    }
    for contact in &frame.contacts {
        if let Some(at) = canvas.place_of(contact.point) {
            canvas.stroke(at, at, 1.5 * width, POINT);
        }
    }
}
