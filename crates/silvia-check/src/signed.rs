//! Signed depth and support points of simple pieces.

use crate::nearest;
use crate::piece::{Round, Simple};
use silvia_solid::Vec3;

/// A convex piece with a curved surface and an inside.
pub(crate) trait Curved {
    /// The signed depth of a point below the surface, m: positive inside. A concave function.
    fn signed(&self, p: Vec3) -> f64;

    /// For a point outside, the direction away from the piece, of unit length; zero inside.
    fn away(&self, p: Vec3) -> Vec3;

    /// Its middle, and a box around it: three orthonormal axes, and half its lengths along them, m. The last
    /// axis is that of a piece that is round about one.
    fn frame(&self) -> (Vec3, [Vec3; 3], Vec3);

    /// Some points of it that tell whether it is all inside another body.
    fn inner_points(&self) -> [Vec3; 3];
}

impl Simple {
    /// The piece if it is curved.
    pub(crate) fn curved(&self) -> Option<&dyn Curved> {
        match self {
            Simple::Round(round) => Some(round),
            Simple::Ellipsoid(ellipsoid) => Some(ellipsoid),
            Simple::Ball { .. }
            | Simple::Rod { .. }
            | Simple::HalfSpace(_)
            | Simple::Cavity(_)
            | Simple::Triangle(_) => None,
        }
    }

    /// The point furthest in a direction of unit length. For what is unbounded, a point of its surface.
    pub(crate) fn support(&self, d: Vec3) -> Vec3 {
        let farther = |p: Vec3, q: Vec3| if q.dot(d) > p.dot(d) { q } else { p };
        match self {
            Simple::Ball { center, radius } => *center + *radius * d,
            Simple::Rod { ends, radius } => farther(ends[0], ends[1]) + *radius * d,
            Simple::Round(round) => {
                // Use two directions perpendicular to the axis: the rejection of `d` from the axis can be
                // mostly rounding, and not perpendicular.
                let (u, v) = round.axis.any_orthonormal_pair();
                let aside = round.radius * (d.dot(u) * u + d.dot(v) * v).normalize_or_zero();
                let [low, high] = round.ends();
                farther(low + aside, if round.is_cone { high } else { high + aside })
            }
            Simple::Ellipsoid(ellipsoid) => ellipsoid.support(d),
            Simple::HalfSpace(plane) => plane.offset * plane.normal,
            Simple::Cavity(cavity) => cavity.center + cavity.radius * d,
            Simple::Triangle([a, b, c]) => farther(farther(*a, *b), *c),
        }
    }
}

impl Curved for Round {
    fn signed(&self, p: Vec3) -> f64 {
        let (r, z, _) = self.seen(p);
        if self.is_cone {
            let (side, base) = self.planes(r, z);
            if side <= 0.0 && base <= 0.0 {
                return -side.max(base);
            }
        } else {
            let (aside, above) = (r - self.radius, z.abs() - self.half);
            if aside <= 0.0 && above <= 0.0 {
                return -aside.max(above);
            }
        }
        let [nearest_r, nearest_z] = self.nearest(r, z);
        -(r - nearest_r).hypot(z - nearest_z)
    }

    fn away(&self, p: Vec3) -> Vec3 {
        if self.signed(p) >= 0.0 {
            return Vec3::ZERO;
        }
        let (r, z, radial) = self.seen(p);
        let [nearest_r, nearest_z] = self.nearest(r, z);
        ((r - nearest_r) * radial + (z - nearest_z) * self.axis).normalize_or_zero()
    }

    fn frame(&self) -> (Vec3, [Vec3; 3], Vec3) {
        let (u, v) = self.axis.any_orthonormal_pair();
        (self.middle, [u, v, self.axis], Vec3::new(self.radius, self.radius, self.half))
    }

    fn inner_points(&self) -> [Vec3; 3] {
        let [low, high] = self.ends();
        [low, self.middle, high]
    }
}

impl Round {
    /// The distance of a point from the axis, its height above the middle, and the direction away from the
    /// axis.
    fn seen(&self, p: Vec3) -> (f64, f64, Vec3) {
        let from_middle = p - self.middle;
        let z = from_middle.dot(self.axis);
        let aside = from_middle - z * self.axis;
        (aside.length(), z, aside.normalize_or_zero())
    }

    /// How far a point is outside the slanted side of a cone, and below its base, m.
    fn planes(&self, r: f64, z: f64) -> (f64, f64) {
        let slant = (2.0 * self.half).hypot(self.radius);
        let side = (2.0 * self.half * (r - self.radius) + self.radius * (z + self.half)) / slant;
        (side, -self.half - z)
    }

    /// The nearest point of the piece to a point outside, both given by distance from the axis and height.
    fn nearest(&self, r: f64, z: f64) -> [f64; 2] {
        if !self.is_cone {
            return [r.min(self.radius), z.clamp(-self.half, self.half)];
        }
        let flat = |r: f64, z: f64| Vec3::new(r, z, 0.0);
        let (here, rim) = (flat(r, z), flat(self.radius, -self.half));
        let side = nearest::on_segment([rim, flat(0.0, self.half)], here);
        let base = nearest::on_segment([flat(0.0, -self.half), rim], here);
        let q = if side.distance_squared(here) < base.distance_squared(here) { side } else { base };
        [q.x, q.y]
    }
}
