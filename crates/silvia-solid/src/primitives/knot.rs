//! Tubes along torus knots.

use super::round::closed_tube;
use super::{PrimitiveError, at_least, length};
use crate::{Soup, Vec3};
use std::f64::consts::{PI, TAU};

/// A tube along a knot that winds on a torus about the z axis. Its centre line is the curve
/// `((R + r cos q t) cos p t, (R + r cos q t) sin p t, -r sin q t)` for `0 <= t < 2 pi`, where `R` is the
/// ring radius, `r` the coil radius, `p` the number of turns around the axis and `q` the number around the
/// ring.
///
/// True volume: `pi * tube_radius^2 * length of the curve` (Pappus), see [`TorusKnot::curve_length`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorusKnot {
    /// Turns around the z axis.
    pub around_axis: u32,
    /// Turns around the ring; coprime to `around_axis`.
    pub around_ring: u32,
    /// Distance from the axis to the centre of the torus' own tube.
    pub ring_radius: f64,
    /// Distance from there to the curve.
    pub coil_radius: f64,
    /// Radius of the tube along the curve.
    pub tube_radius: f64,
}

impl TorusKnot {
    /// The trefoil used in comparisons with other libraries.
    pub const TREFOIL: TorusKnot =
        TorusKnot { around_axis: 2, around_ring: 3, ring_radius: 2.0, coil_radius: 1.0, tube_radius: 0.3 };

    /// The most turns around the axis or the ring; the search for self-contact is sized for it.
    pub const MOST_WINDINGS: u32 = 32;

    /// The tube as `along` rings of `around` points: `2 along around` triangles. Refuses a tube that would
    /// run into itself (as far as 256 samples per turn can tell).
    pub fn soup(&self, along: usize, around: usize) -> Result<Soup, PrimitiveError> {
        self.check()?;
        // Fewer rings between two bends would cut the corner.
        let least = 3 * self.around_axis.max(self.around_ring) as usize;
        at_least("segments along", along, least)?;
        closed_tube(along, around, self.tube_radius, |i| self.section(TAU * i as f64 / along as f64))
    }

    /// The tube with about `triangles` triangles, in pairs as nearly square as possible.
    pub fn soup_with_triangles(&self, triangles: usize) -> Result<Soup, PrimitiveError> {
        self.check()?;
        let pairs = 0.5 * triangles as f64;
        let around = (pairs * TAU * self.tube_radius / self.curve_length()).sqrt().round().max(3.0);
        self.soup((pairs / around).round() as usize, around as usize)
    }

    /// Length of the centre line.
    pub fn curve_length(&self) -> f64 {
        // The speed is smooth and periodic, so the trapezoid rule converges faster than any power.
        let n = self.samples();
        (0..n).map(|i| self.velocity(TAU * i as f64 / n as f64).length()).sum::<f64>() * TAU / n as f64
    }

    /// A point of the centre line.
    pub fn curve(&self, t: f64) -> Vec3 {
        let ((sp, cp), (sq, cq)) = self.angles(t);
        let reach = self.ring_radius + self.coil_radius * cq;
        Vec3::new(reach * cp, reach * sp, -self.coil_radius * sq)
    }

    fn angles(&self, t: f64) -> ((f64, f64), (f64, f64)) {
        ((f64::from(self.around_axis) * t).sin_cos(), (f64::from(self.around_ring) * t).sin_cos())
    }

    fn velocity(&self, t: f64) -> Vec3 {
        let ((sp, cp), (sq, cq)) = self.angles(t);
        let (p, q, r) = (f64::from(self.around_axis), f64::from(self.around_ring), self.coil_radius);
        let (reach, change) = (self.ring_radius + r * cq, -q * r * sq);
        Vec3::new(change * cp - p * reach * sp, change * sp + p * reach * cp, -q * r * cq)
    }

    fn acceleration(&self, t: f64) -> Vec3 {
        let ((sp, cp), (sq, cq)) = self.angles(t);
        let (p, q, r) = (f64::from(self.around_axis), f64::from(self.around_ring), self.coil_radius);
        let (reach, change, bend) = (self.ring_radius + r * cq, -q * r * sq, -q * q * r * cq);
        let (radial, sideways) = (bend - p * p * reach, 2.0 * p * change);
        Vec3::new(radial * cp - sideways * sp, radial * sp + sideways * cp, q * q * r * sq)
    }

    /// The circle across the tube at `t`. The curve lies on a torus, whose normal is perpendicular to the
    /// curve everywhere and returns to itself. The frame therefore closes exactly, with no twist to
    /// distribute.
    fn section(&self, t: f64) -> (Vec3, Vec3, Vec3) {
        let ((sp, cp), (sq, cq)) = self.angles(t);
        let normal = Vec3::new(cq * cp, cq * sp, -sq);
        (self.curve(t), normal, normal.cross(self.velocity(t).normalize()))
    }

    fn samples(&self) -> usize {
        256 * self.around_axis.max(self.around_ring) as usize
    }

    fn check(&self) -> Result<(), PrimitiveError> {
        let (p, q) = (self.around_axis, self.around_ring);
        let ok = |w: u32| (1..=Self::MOST_WINDINGS).contains(&w);
        if !ok(p) || !ok(q) || greatest_common_divisor(p, q) != 1 {
            return Err(PrimitiveError::Windings { around_axis: p, around_ring: q });
        }
        length("ring radius", self.ring_radius)?;
        length("coil radius", self.coil_radius)?;
        let tube = length("tube radius", self.tube_radius)?;
        if self.coil_radius >= self.ring_radius {
            return Err(PrimitiveError::TubeTooThick { tube: self.coil_radius, limit: self.ring_radius });
        }
        let limit = self.thickness();
        if tube < limit { Ok(()) } else { Err(PrimitiveError::TubeTooThick { tube, limit }) }
    }

    /// The radius at which the tube would run into itself: the smallest radius of curvature, or half the
    /// distance between strands. Points nearer along the curve than half the tube's circumference are covered
    /// by the curvature (Schur's comparison theorem).
    fn thickness(&self) -> f64 {
        let n = self.samples();
        let times: Vec<f64> = (0..n).map(|i| TAU * i as f64 / n as f64).collect();
        let mut thickness = f64::INFINITY;
        let mut arc = Vec::with_capacity(n + 1);
        let mut walked = 0.0;
        for &t in &times {
            let (v, a) = (self.velocity(t), self.acceleration(t));
            thickness = thickness.min(v.length().powi(3) / v.cross(a).length());
            arc.push(walked);
            walked += v.length() * TAU / n as f64;
        }
        let points: Vec<Vec3> = times.iter().map(|&t| self.curve(t)).collect();
        for i in 0..n {
            for j in i + 1..n {
                let (distance, apart) = (points[i].distance(points[j]), arc[j] - arc[i]);
                if distance < 2.0 * thickness && apart.min(walked - apart) > PI * thickness {
                    thickness = 0.5 * distance;
                }
            }
        }
        thickness
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
