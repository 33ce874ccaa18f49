//! Draws bodies.

use super::canvas::{Canvas, Colour, OVERSAMPLING, linear};
use super::light::Light;
use crate::smooth::SmoothMesh;
use silvia_solid::{Pose, Vec3};

/// A body at its pose.
pub(super) struct Drawn<'a> {
    pub(super) mesh: &'a SmoothMesh,
    /// Vertices, m.
    pub(super) points: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Vertices as projected by the canvas.
    on_screen: Vec<Vec3>,
    /// First and last row.
    rows: [f64; 2],
    colour: Colour,
    /// Colour of its edges.
    ink: Colour,
    /// Colour of the bands around a ball.
    band: Colour,
    /// Half the width of these bands, in radii.
    band_width: f64,
}

/// Width of an edge in a picture of 720 rows, pixels.
const EDGE: f64 = 0.9;
/// Brightness of an edge relative to the body.
const EDGE_SHADE: f64 = 0.38;
/// Brightness of the bands around a ball relative to the rest of it.
const BAND_SHADE: f64 = 0.4;
/// Half the width of such a band, in radii; on small balls it is wider, to show in a picture of any size.
const BAND_WIDTH: f64 = 0.14;
/// On those it is as many pixels, but not more radii.
const BAND_PIXELS: f64 = 1.1;
const WIDEST_BAND: f64 = 0.35;
/// Number of rows for which widths are given.
pub(super) const USUAL_ROWS: f64 = 720.0;
/// A body with more edges than this fraction of its triangles is not made of faces: its edges would hide it.
const MOST_EDGES: f64 = 1.2;

impl<'a> Drawn<'a> {
    /// Places a body. Only the camera and the size of the canvas matter here.
    pub(super) fn new(mesh: &'a SmoothMesh, pose: &Pose, colour: [u8; 3], canvas: &Canvas) -> Drawn<'a> {
        let points: Vec<Vec3> = mesh.points.iter().map(|&p| pose.transform_point(p)).collect();
        let normals = mesh.normals.iter().map(|&n| pose.transform_vector(n)).collect();
        let on_screen: Vec<Vec3> = points.iter().map(|&p| canvas.on_screen(p)).collect();
        // A body partly behind the eye may appear in any row.
        let behind = on_screen.iter().any(|p| p.z <= 0.0 || !p.is_finite());
        let rows = if behind {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            on_screen
                .iter()
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| [low.min(p.y), high.max(p.y)])
        };
        let colour = linear(colour);
        let [ink, band] = [EDGE_SHADE, BAND_SHADE].map(|shade| colour.map(|c| shade * c));
        let radius = 0.5 * (rows[1] - rows[0]) / OVERSAMPLING as f64;
        let band_width = (BAND_PIXELS / radius).clamp(BAND_WIDTH, WIDEST_BAND);
        Drawn { mesh, points, normals, on_screen, rows, colour, ink, band, band_width }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, light: &Light) {
        let rows = canvas.drawn_rows();
        let (first, last) = (rows.start as f64, rows.end as f64);
        if self.rows[1] < first || self.rows[0] > last {
            return;
        }
        let whole = self.rows[0].is_finite();
        for triangle in &self.mesh.triangles {
            let corners = triangle.map(|corner| corner as usize);
            let shade = |weights: [f64; 3]| {
                let mix = |of: &[Vec3]| {
                    weights[0] * of[corners[0]] + weights[1] * of[corners[1]] + weights[2] * of[corners[2]]
                };
                let is_band =
                    self.mesh.ball.is_some_and(|middle| self.is_band(mix(&self.mesh.points) - middle));
                let colour = if is_band { self.band } else { self.colour };
                light.on_body(colour, mix(&self.points), mix(&self.normals).normalize_or_zero())
            };
            if !whole {
                canvas.triangle(corners.map(|corner| self.points[corner]), shade);
                continue;
            }
            let seen = corners.map(|corner| self.on_screen[corner]);
            let (a, b) = ((seen[1] - seen[0]).truncate(), (seen[2] - seen[0]).truncate());
            // Rows count downwards, so a left turn in space is a right turn here.
            let faces_away = a.x * b.y - a.y * b.x > 0.0;
            let outside = seen.iter().all(|p| p.y < first) || seen.iter().all(|p| p.y > last);
            if !(outside || faces_away && self.mesh.closed) {
                canvas.fill(seen, shade);
            }
        }
        // The circles of a ball are thinner than a pixel in small pictures: its bands stand for them.
        let has_edges = self.mesh.ball.is_none();
        if has_edges && (self.mesh.creases.len() as f64) < MOST_EDGES * self.mesh.triangles.len() as f64 {
            let width = EDGE * canvas.picture_rows() / USUAL_ROWS;
            for crease in &self.mesh.creases {
                let [a, b] = crease.map(|end| self.points[end as usize]);
                canvas.line(a, b, width.max(0.5), self.ink);
            }
        }
    }

    /// Whether a point of a ball, as seen from its middle, is on one of the two bands by which one sees it
    /// roll.
    fn is_band(&self, point: Vec3) -> bool {
        let half = self.band_width * point.length();
        point.x.abs() < half || point.z.abs() < half
    }
}
