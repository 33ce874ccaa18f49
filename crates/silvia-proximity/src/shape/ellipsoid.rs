//! Ellipsoids: their support points, and their nearest surface points.
//!
//! The point of the surface nearest to `y` is `x = a² y / (t + a²)` along each axis, where `t` makes it lie
//! on the surface: the greatest root of the secular equation `Σ (a y / (t + a²))² = 1`. (Eberly, *Distance
//! from a point to an ellipse, an ellipsoid, or a hyperellipsoid*, 2013.) The way from x to y is `t y / (t +
//! a²)`, so the distance has all its digits next to the surface as well.

use super::{Shape, ShapeError, length};
use silvia_solid::Vec3;

/// An ellipsoid around the origin, along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    pub(crate) semi_axes: Vec3,
}

/// More rounds than the root of the secular equation takes: each at least halves what is left of it.
const MOST_ROUNDS: usize = 1100;

impl Ellipsoid {
    /// How many times as long as the shortest axis the longest may be. The radii of curvature are then up to
    /// a billion times as different, and the nearest points of two ellipsoids still known to nine digits.
    pub const MOST_ELONGATED: f64 = 1e3;

    pub(super) fn new(semi_axes: Vec3) -> Result<Ellipsoid, ShapeError> {
        let names = ["semi-axis along x", "semi-axis along y", "semi-axis along z"];
        for (name, value) in names.into_iter().zip(semi_axes.to_array()) {
            length("ellipsoid", name, value)?;
        }
        if semi_axes.max_element() > Ellipsoid::MOST_ELONGATED * semi_axes.min_element() {
            return Err(ShapeError::TooElongated { semi_axes, most: Ellipsoid::MOST_ELONGATED });
        }
        Ok(Ellipsoid { semi_axes })
    }

    /// Half its lengths along x, y and z, m.
    pub fn semi_axes(&self) -> Vec3 {
        self.semi_axes
    }

    /// The point that is farthest in a direction.
    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        support(self.semi_axes, direction)
    }

    /// A smaller ellipsoid, whose surface is inside that of this one by at least a distance everywhere, m; at
    /// the ends of the axes by `(long + short) / (2 √(long short))` times as much, which is the least that
    /// does it.
    pub(super) fn inset(&self, by: f64) -> Result<Shape, ShapeError> {
        let (long, short) = (self.semi_axes.max_element(), self.semi_axes.min_element());
        let more = 0.5 * (long + short) / (long * short).sqrt();
        Shape::ellipsoid(self.semi_axes - by * more)
    }
}

/// The point of an ellipsoid with these semi-axes that is farthest in a direction; its middle for none.
pub(super) fn support(semi_axes: Vec3, d: Vec3) -> Vec3 {
    semi_axes * (semi_axes * d).normalize_or_zero()
}

/// The outward unit normal of an ellipsoid with these semi-axes at a point of its surface.
pub(crate) fn normal_at(semi_axes: Vec3, p: Vec3) -> Vec3 {
    (p / semi_axes / semi_axes).normalize_or_zero()
}

/// The signed distance of a point to an ellipsoid with these semi-axes, m, negative inside; and the outward
/// unit normal at the nearest point of its surface.
pub(super) fn signed_distance(semi_axes: Vec3, point: Vec3) -> (f64, Vec3) {
    let short = semi_axes.min_element();
    // In multiples of the shortest axis; ratios are those of the squares.
    let (y, ratios) = (point.abs() / short, (semi_axes / short) * (semi_axes / short));
    let side = Vec3::ONE.copysign(point);
    let secular = Secular { weighted: y * semi_axes / short, poles: ratios };
    // Deep inside, the root is next to -1: it is then sought from there, so that it has all its digits.
    let shift = if secular.value(-0.5).0 < 0.0 { 1.0 } else { 0.0 };
    let poles = (semi_axes - short) / short * ((semi_axes + short) / short) + (1.0 - shift);
    let Some(root) = (Secular { poles, ..secular }).greatest_root(shift - 1.0) else {
        let (nearest, way) = across_middle(y, ratios);
        let normal = (nearest / ratios).normalize_or(Vec3::Z);
        return (-short * way, side * normal);
    };
    // The way to the surface is the root times this, along the normal.
    let slopes = y / (root + poles);
    (short * (root - shift) * slopes.length(), side * slopes.normalize_or(Vec3::Z))
}

/// The point of an ellipsoid with these semi-axes, of which some but not all may be zero, that is farthest
/// from another one.
///
/// It is `x = -a² y / (t - a²)` along each axis, with the only root `t` of the same equation that is not less
/// than the longest axis squared.
pub(crate) fn farthest(semi_axes: Vec3, from: Vec3) -> Vec3 {
    let long = semi_axes.max_element();
    let (y, ratios) = (from.abs() / long, semi_axes / long);
    let side = Vec3::ONE.copysign(-from);
    let secular =
        Secular { weighted: y * ratios, poles: (long - semi_axes) / long * ((long + semi_axes) / long) };
    let on_ball = match secular.greatest_root(0.0) {
        Some(root) => (secular.weighted / (root + secular.poles)).normalize_or_zero(),
        None => {
            // The point is in the plane across the longest axis and near the middle: two are equally far.
            let mut found = Vec3::ZERO;
            let mut longest = 0;
            for k in 0..3 {
                if secular.poles[k] > 0.0 {
                    found[k] = secular.weighted[k] / secular.poles[k];
                } else {
                    longest = k;
                }
            }
            found[longest] = (1.0 - found.length_squared()).max(0.0).sqrt();
            found
        }
    };
    side * semi_axes * on_ball
}

/// The equation `Σ (w / (s + k))² = 1`: the weighted coordinates of the point, and the poles' places,
/// negated.
#[derive(Clone, Copy, Debug)]
struct Secular {
    weighted: Vec3,
    poles: Vec3,
}

impl Secular {
    /// By how much the left side is more than 1, and its slope.
    fn value(&self, s: f64) -> (f64, f64) {
        let terms = self.weighted / (s + self.poles);
        (terms.length_squared() - 1.0, -2.0 * (terms * terms / (s + self.poles)).element_sum())
    }

    /// The root above the greatest pole, to the last digit; `None` if there is none. By Newton's method from
    /// the left, from where it never overshoots, and by halves where that is faster.
    fn greatest_root(&self, pole: f64) -> Option<f64> {
        // Each term alone is at least 1 here, and all together no more than 1 there.
        let mut low = (self.weighted - self.poles).max_element();
        let mut high = self.weighted.length() + pole;
        if low <= pole {
            // Just above the pole the left side must be more than 1.
            low = if pole == 0.0 { f64::MIN_POSITIVE } else { pole.next_up() };
            if self.value(low).0 <= 0.0 {
                return None;
            }
        }
        for _ in 0..MOST_ROUNDS {
            let (above, slope) = self.value(low);
            let newton = low - above / slope;
            low = if above > 0.0 && newton > low { newton } else { break };
            let middle = 0.5 * (low + high);
            if !(low < middle && middle < high) {
                break;
            }
            if self.value(middle).0 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }
}

/// For a point so near to the plane across the shortest axis that the surface is nearest off to its side: the
/// nearest point, and how far it is, in multiples of that axis.
fn across_middle(y: Vec3, ratios: Vec3) -> (Vec3, f64) {
    let mut nearest = Vec3::ZERO;
    let mut shortest = 0;
    for k in 0..3 {
        if ratios[k] > 1.0 {
            nearest[k] = ratios[k] * y[k] / (ratios[k] - 1.0);
        } else {
            shortest = k;
        }
    }
    let rest = 1.0 - (nearest * nearest / ratios).element_sum();
    nearest[shortest] = rest.max(0.0).sqrt();
    (nearest, nearest.distance(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;

    /// The nearest point of the surface by small steps along it.
    fn by_brute_force(semi_axes: Vec3, p: Vec3) -> f64 {
        let mut best = (f64::INFINITY, Vec3::Z);
        let mut reach = 2.0;
        for _ in 0..60 {
            let (u, v) = best.1.any_orthonormal_pair();
            let around = best.1;
            for i in -10..=10 {
                for j in -10..=10 {
                    let (x, y) = (0.1 * reach * f64::from(i), 0.1 * reach * f64::from(j));
                    for sign in [1.0, -1.0] {
                        let d = sign * (around + x * u + y * v).normalize();
                        let apart = (semi_axes * d).distance(p);
                        if apart < best.0 {
                            best = (apart, d);
                        }
                    }
                }
            }
            reach *= 0.6;
        }
        best.0
    }

    #[test]
    fn nearest_points_are_those_of_brute_force() {
        let mut random = Random::new(5);
        for _ in 0..150 {
            let axes = 0.2 + Vec3::new(random.unit(), random.unit(), random.unit());
            let p = 1.5 * random.unit() * random.direction();
            let (distance, normal) = signed_distance(axes, p);
            let foot = p - distance * normal;
            assert!(((foot / axes).length() - 1.0).abs() < 1e-14, "{axes} {p}: {foot} is not on it");
            assert!(normal_at(axes, foot).distance(normal) < 1e-13);
            assert!((distance.abs() - by_brute_force(axes, p)).abs() < 1e-9, "{axes} {p}: {distance}");
            assert_eq!(distance < 0.0, (p / axes).length() < 1.0);
        }
    }

    #[test]
    fn all_digits_are_there_next_to_the_surface_and_in_the_planes_of_the_axes() {
        let mut random = Random::new(6);
        for axes in
            [Vec3::new(1.0, 1.0, 0.01), Vec3::new(1.0, 0.05, 0.05), Vec3::new(3.0, 2.0, 1.0), Vec3::ONE]
        {
            for k in 0..400 {
                let mut d = random.direction();
                if k % 3 == 0 {
                    d[k % 9 / 3] = 0.0;
                }
                let foot = axes * d.normalize();
                let normal = normal_at(axes, foot);
                // No farther in than the least radius of curvature.
                let least = axes.min_element().powi(2) / axes.max_element();
                let gap = [1.0, 1e-3, 1e-9, 0.0, -0.9 * least, -1e-9 * least][k % 6];
                let (distance, found) = signed_distance(axes, foot + gap * normal);
                // What the rounding of the point itself makes of it.
                assert!((distance - gap).abs() <= 4e-15, "{axes} {foot}: {distance} for {gap}");
                assert!(found.distance(normal) <= 1e-13 / least, "{axes} {foot}: {found} for {normal}");
            }
            let short = axes.min_element();
            assert!((signed_distance(axes, Vec3::ZERO).0 + short).abs() <= 1e-15);
        }
    }
}
