//! Strokes drawn over a picture: arrows and letters. Places are in pixels of the finished picture, right and
//! down.

use super::canvas::{Canvas, Colour, OVERSAMPLING};
use silvia_solid::Vec3;

impl Canvas {
    /// Where a point appears, if it is in front of the eye.
    pub fn place_of(&self, point: Vec3) -> Option<[f64; 2]> {
        let seen = self.on_screen(point);
        let scale = 1.0 / OVERSAMPLING as f64;
        (seen.is_finite() && seen.z > 0.0).then_some([scale * seen.x, scale * seen.y])
    }

    /// Draws a straight line with round ends.
    pub fn stroke(&mut self, from: [f64; 2], to: [f64; 2], width: f64, colour: Colour) {
        let scale = OVERSAMPLING as f64;
        let radius = 0.5 * width * scale;
        let [a, b] = [from, to].map(|p| p.map(|x| x * scale));
        let (along, squared) = ([b[0] - a[0], b[1] - a[1]], (b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2));
        self.cover([a, b], radius, colour, |x, y| {
            let t =
                if squared > 0.0 { ((x - a[0]) * along[0] + (y - a[1]) * along[1]) / squared } else { 0.0 };
            let t = t.clamp(0.0, 1.0);
            let away = [x - a[0] - t * along[0], y - a[1] - t * along[1]];
            away[0] * away[0] + away[1] * away[1] <= radius * radius
        });
    }

    /// Draws an arrow; its head is `head` widths long and at the second end.
    pub fn arrow(&mut self, from: [f64; 2], to: [f64; 2], width: f64, head: f64, colour: Colour) {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        if length < 0.5 * width {
            return;
        }
        let along = along.map(|x| x / length);
        let head = (head * width).min(0.6 * length);
        self.stroke(from, [to[0] - 0.8 * head * along[0], to[1] - 0.8 * head * along[1]], width, colour);
        let scale = OVERSAMPLING as f64;
        let tip = to.map(|x| x * scale);
        let head = head * scale;
        self.cover([tip, tip], head, colour, |x, y| {
            let (back, aside) = (
                (tip[0] - x) * along[0] + (tip[1] - y) * along[1],
                (tip[0] - x) * along[1] - (tip[1] - y) * along[0],
            );
            (0.0..=head).contains(&back) && aside.abs() <= 0.42 * back
        });
    }
}
