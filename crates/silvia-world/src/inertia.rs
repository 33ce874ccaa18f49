//! Mass, centre of mass and inertia: given, or of shapes of one density.

use crate::error::BodyFault;
use silvia_proximity::{Shape, Surface};
use silvia_solid::{Mat3, Pose, Quat, Vec3, symmetric_eigen};
use std::f64::consts::PI;

/// Mass, centre of mass and inertia of a body in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// kg; 0 of a body that has none, which can only be fixed or scripted.
    pub mass: f64,
    /// In the body's frame, m.
    pub centre: Vec3,
    /// About the centre, along the axes of the body's frame, kg m².
    pub inertia: Mat3,
    /// The three moments of inertia, ascending, kg m².
    pub(crate) moments: Vec3,
    /// Turns the axes of these moments onto the body's frame.
    pub(crate) axes: Quat,
}

impl Inertia {
    /// How far given inertias may be from symmetric, and from the triangle inequality of their moments, as a
    /// fraction of the largest entry: numbers printed with six digits pass.
    pub const TOLERANCE: f64 = 1e-5;

    /// Of a body without mass.
    pub(crate) const NONE: Inertia = Inertia {
        mass: 0.0,
        centre: Vec3::ZERO,
        inertia: Mat3::ZERO,
        moments: Vec3::ZERO,
        axes: Quat::IDENTITY,
    };

    /// Of given numbers, if a body can have them: inertia about the centre, along the axes of its frame.
    pub(crate) fn new(mass: f64, centre: Vec3, inertia: Mat3) -> Result<Inertia, BodyFault> {
        if !(mass > 0.0 && mass.is_finite() && mass.recip().is_finite()) {
            return Err(BodyFault::Mass { given: mass });
        }
        for (what, is_finite) in [("centre of mass", centre.is_finite()), ("inertia", inertia.is_finite())] {
            if !is_finite {
                return Err(BodyFault::InertiaNotFinite { what });
            }
        }
        let largest = inertia.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let given = [inertia.col(j)[i], inertia.col(i)[j]];
            if (given[0] - given[1]).abs() > Inertia::TOLERANCE * largest {
                return Err(BodyFault::InertiaNotSymmetric { given });
            }
        }
        let inertia = 0.5 * (inertia + inertia.transpose());
        let (moments, axes) = symmetric_eigen(inertia);
        if !(moments.x > 0.0 && moments.recip().is_finite() && moments.is_finite()) {
            return Err(BodyFault::Moments { moments });
        }
        if moments.z - moments.y - moments.x > Inertia::TOLERANCE * moments.z {
            return Err(BodyFault::TriangleInequality { moments });
        }
        Ok(Inertia { mass, centre, inertia, moments, axes: Quat::from_mat3(&axes).normalize() })
    }

    /// Whether forces can move a body with it.
    pub(crate) fn has_mass(&self) -> bool {
        self.mass > 0.0
    }

    /// In world axes, for a rotation of the body, kg m².
    pub(crate) fn in_world(&self, rotation: Quat) -> Mat3 {
        let r = Mat3::from_quat(rotation);
        r * self.inertia * r.transpose()
    }
}

/// What a shape weighs at density 1 kg/m³.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Filling {
    /// It has a volume.
    Of(Uniform),
    /// It has none: a soup, a triangle, a point.
    Nothing,
    /// It goes on for ever: a half-space.
    Endless,
}

/// Of a shape with a volume, at density 1 kg/m³.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Uniform {
    /// The volume, m³.
    pub(crate) volume: f64,
    /// Its centre of mass, m.
    pub(crate) centre: Vec3,
    /// About the centre, kg m².
    pub(crate) inertia: Mat3,
}

impl Uniform {
    pub(crate) fn with_density(&self, density: f64) -> Result<Inertia, BodyFault> {
        self.check()?;
        Inertia::new(density * self.volume, self.centre, density * self.inertia)
    }

    pub(crate) fn with_mass(&self, mass: f64) -> Result<Inertia, BodyFault> {
        self.check()?;
        Inertia::new(mass, self.centre, (mass / self.volume) * self.inertia)
    }

    fn check(&self) -> Result<(), BodyFault> {
        let is_volume = self.volume > 0.0 && self.volume.is_finite();
        if is_volume { Ok(()) } else { Err(BodyFault::Volume { volume: self.volume }) }
    }
}

impl Filling {
    /// Of a shape. Parts of a compound add up, also where they overlap; parts without volume add nothing.
    pub(crate) fn of(shape: &Shape) -> Filling {
        match shape {
            Shape::Sphere(ball) => Filling::Of(sphere(ball.radius())),
            Shape::Box(cube) => Filling::Of(cuboid(cube.size())),
            Shape::Cylinder(can) => Filling::Of(cylinder(can.radius(), can.height())),
            Shape::Cone(cone) => Filling::Of(self::cone(cone.radius(), cone.height())),
            Shape::Capsule(capsule) => Filling::Of(self::capsule(capsule.radius(), capsule.height())),
            Shape::Ellipsoid(ellipsoid) => Filling::Of(self::ellipsoid(ellipsoid.semi_axes())),
            Shape::Convex(convex) => Filling::Of(solid(convex.solid())),
            Shape::Solid(mesh) | Shape::Soup(mesh) => match mesh.hierarchy().surface() {
                Surface::Solid(s) => Filling::Of(solid(s)),
                Surface::Soup(_) => Filling::Nothing,
            },
            Shape::HalfSpace(_) | Shape::Cavity(_) => Filling::Endless,
            Shape::Point(_) | Shape::Segment(_) | Shape::Triangle(_) | Shape::Polygon(_) => Filling::Nothing,
            Shape::Compound(compound) => {
                let mut filled = Vec::new();
                for part in compound.parts() {
                    match Filling::of(&part.shape) {
                        Filling::Of(uniform) => filled.push(uniform.placed(&part.pose)),
                        Filling::Nothing => {}
                        Filling::Endless => return Filling::Endless,
                    }
                }
                if filled.is_empty() { Filling::Nothing } else { Filling::Of(sum(&filled)) }
            }
        }
    }
}

fn solid(solid: &silvia_solid::Solid) -> Uniform {
    let mass = solid.mass();
    Uniform { volume: mass.volume, centre: mass.center, inertia: mass.inertia }
}

fn sphere(r: f64) -> Uniform {
    let volume = 4.0 / 3.0 * PI * r.powi(3);
    diagonal(volume, Vec3::ZERO, Vec3::splat(0.4 * volume * r * r))
}

fn cuboid(size: Vec3) -> Uniform {
    let volume = size.element_product();
    let s = size * size;
    diagonal(volume, Vec3::ZERO, volume / 12.0 * Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

fn cylinder(r: f64, h: f64) -> Uniform {
    let volume = PI * r * r * h;
    diagonal(volume, Vec3::ZERO, upright(volume * (r * r / 4.0 + h * h / 12.0), volume * r * r / 2.0))
}

/// The middle of its height is at the origin, so its centre is a quarter of the height below.
fn cone(r: f64, h: f64) -> Uniform {
    let volume = PI / 3.0 * r * r * h;
    let across = volume * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h);
    diagonal(volume, Vec3::new(0.0, 0.0, -0.25 * h), upright(across, 0.3 * volume * r * r))
}

/// A cylinder and two halves of a ball, whose centres of mass are 3/8 of the radius beyond its ends.
fn capsule(r: f64, h: f64) -> Uniform {
    let (can, ball) = (PI * r * r * h, 4.0 / 3.0 * PI * r.powi(3));
    let across =
        can * (h * h / 12.0 + r * r / 4.0) + ball * (2.0 / 5.0 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r);
    let along = can * r * r / 2.0 + ball * 2.0 / 5.0 * r * r;
    diagonal(can + ball, Vec3::ZERO, upright(across, along))
}

fn ellipsoid(semi_axes: Vec3) -> Uniform {
    let volume = 4.0 / 3.0 * PI * semi_axes.element_product();
    let s = semi_axes * semi_axes;
    diagonal(volume, Vec3::ZERO, volume / 5.0 * Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

fn upright(across: f64, along: f64) -> Vec3 {
    Vec3::new(across, across, along)
}

fn diagonal(volume: f64, centre: Vec3, moments: Vec3) -> Uniform {
    Uniform { volume, centre, inertia: Mat3::from_diagonal(moments) }
}

impl Uniform {
    fn placed(&self, pose: &Pose) -> Uniform {
        let r = pose.matrix();
        Uniform {
            volume: self.volume,
            centre: pose.transform_point(self.centre),
            inertia: r * self.inertia * r.transpose(),
        }
    }
}

/// All parts as one (parallel axis theorem).
fn sum(parts: &[Uniform]) -> Uniform {
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    // Relative to the first part, so that a body far from its origin loses no digits.
    let first = parts[0].centre;
    let moment = parts.iter().fold(Vec3::ZERO, |sum, part| sum + part.volume * (part.centre - first));
    let centre = first + moment / volume;
    let inertia = parts.iter().fold(Mat3::ZERO, |sum, part| {
        let d = part.centre - centre;
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        sum + part.inertia + part.volume * (Mat3::from_diagonal(Vec3::splat(d.length_squared())) - outer)
    });
    Uniform { volume, centre, inertia }
}

#[cfg(test)]
mod tests;
