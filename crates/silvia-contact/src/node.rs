//! Mass nodes: what constraints act on.

use silvia_solid::{Mat3, Vec3};

use crate::mass_matrix::MassMatrix;
use crate::system::{SystemError, finite_vector};

/// Linear and angular velocity of a rigid body (m/s and rad/s), or the impulse and angular impulse that
/// change them (N s and N m s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the centre of mass.
    pub linear: Vec3,
    /// Angular velocity.
    pub angular: Vec3,
}

/// A mass with 6 degrees of freedom (a rigid body), 3 (a molecule or particle) or none (the ground).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    kind: NodeKind,
    pub(crate) inverse_mass: f64,
    pub(crate) inverse_inertia: Mat3,
    /// Of a rigid body that springs hold: how impulses change its velocity, in place of the two above.
    pub(crate) inverse: Option<MassMatrix>,
    pub(crate) velocity: Twist,
    pub(crate) free_velocity: Twist,
}

/// How a node can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Rigid,
    Point,
    Immovable,
}

impl Node {
    /// A rigid body: mass in kg, inertia about the centre of mass in world axes in kg m², its velocity now,
    /// and its velocity at the end of the step if no constraint acted.
    pub fn rigid(mass: f64, inertia: Mat3, velocity: Twist, free_velocity: Twist) -> Self {
        Self {
            kind: NodeKind::Rigid,
            inverse_mass: 1.0 / mass,
            inverse_inertia: inertia.inverse(),
            inverse: None,
            velocity,
            free_velocity,
        }
    }

    /// A rigid body that springs hold in which the step is implicit, by the inverse of its [`MassMatrix`].
    pub fn sprung(inverse: MassMatrix, velocity: Twist, free_velocity: Twist) -> Self {
        let [x, y, z] = [3, 4, 5].map(|j| Vec3::new(inverse.0[3][j], inverse.0[4][j], inverse.0[5][j]));
        Self {
            kind: NodeKind::Rigid,
            inverse_mass: (inverse.0[0][0] + inverse.0[1][1] + inverse.0[2][2]) / 3.0,
            inverse_inertia: Mat3::from_cols(x, y, z),
            inverse: Some(inverse),
            velocity,
            free_velocity,
        }
    }

    /// A molecule or particle: mass in kg, its velocity now, and its velocity at the end of the step if no
    /// constraint acted, m/s. Nothing turns it.
    pub fn point(mass: f64, velocity: Vec3, free_velocity: Vec3) -> Self {
        let twist = |linear: Vec3| Twist { linear, angular: Vec3::ZERO };
        Self {
            kind: NodeKind::Point,
            inverse_mass: 1.0 / mass,
            inverse_inertia: Mat3::ZERO,
            inverse: None,
            velocity: twist(velocity),
            free_velocity: twist(free_velocity),
        }
    }

    /// A node that no impulse changes: the ground, a conveyor that goes at `velocity`, a molecule that is
    /// held.
    pub fn immovable(velocity: Twist) -> Self {
        Self {
            kind: NodeKind::Immovable,
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
            inverse: None,
            velocity,
            free_velocity: velocity,
        }
    }

    /// Whether impulses change its velocity.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// Whether it is a [point](Node::point), which nothing turns.
    pub fn is_point(&self) -> bool {
        self.kind == NodeKind::Point
    }

    pub(crate) fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Mass and inertia: the impulse for a unit velocity, by component. A point has the inertia of a sphere
    /// with a radius of gyration of 1 m, which no torque ever meets.
    pub(crate) fn mass_block(&self) -> [[f64; 6]; 6] {
        if let Some(mass) = self.inverse.and_then(|inverse| inverse.inverse()) {
            return mass.0;
        }
        let mass = 1.0 / self.inverse_mass;
        block(mass, if self.is_point() { spin(mass) } else { self.inverse_inertia.inverse() })
    }

    /// The inverse of [`Node::mass_block`].
    pub(crate) fn inverse_block(&self) -> [[f64; 6]; 6] {
        if let Some(inverse) = self.inverse {
            return inverse.0;
        }
        let inertia = if self.is_point() { spin(self.inverse_mass) } else { self.inverse_inertia };
        block(self.inverse_mass, inertia)
    }

    /// The change of velocity that an impulse gives.
    pub(crate) fn response(&self, impulse: Twist) -> Twist {
        if let Some(inverse) = &self.inverse {
            return inverse.times(impulse);
        }
        Twist { linear: self.inverse_mass * impulse.linear, angular: self.inverse_inertia * impulse.angular }
    }

    pub(crate) fn check(&self, node: usize) -> Result<(), SystemError> {
        let inertia = self.inverse_inertia;
        let is_right = match self.kind {
            NodeKind::Rigid => match self.inverse {
                Some(inverse) => inverse.inverse().is_some(),
                None => self.is_movable() && is_positive_definite(inertia),
            },
            NodeKind::Point => self.is_movable(),
            NodeKind::Immovable => true,
        };
        if !(is_right && self.inverse_mass.is_finite() && inertia.is_finite()) {
            return Err(SystemError::BadMass { node });
        }
        for twist in [self.velocity, self.free_velocity] {
            finite_vector("node", node, "velocity", twist.linear)?;
            finite_vector("node", node, "angular velocity", twist.angular)?;
        }
        Ok(())
    }
}

fn spin(mass: f64) -> Mat3 {
    Mat3::from_diagonal(Vec3::splat(mass))
}

fn block(mass: f64, inertia: Mat3) -> [[f64; 6]; 6] {
    let mut block = [[0.0; 6]; 6];
    for i in 0..3 {
        block[i][i] = mass;
        for j in 0..3 {
            block[3 + i][3 + j] = inertia.col(j)[i];
        }
    }
    block
}

/// An inertia may be asymmetric by this share of its largest entry: a few roundings of a rotation and an
/// inverse.
const INERTIA_ASYMMETRY: f64 = 1e-9;

/// Whether a matrix is symmetric, up to rounding, with positive leading minors.
fn is_positive_definite(m: Mat3) -> bool {
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = m.to_cols_array_2d();
    let largest = m.to_cols_array().into_iter().fold(0.0_f64, |l, v| l.max(v.abs()));
    let asymmetry = (xy - yx).abs().max((xz - zx).abs()).max((yz - zy).abs());
    asymmetry <= INERTIA_ASYMMETRY * largest
        && xx > 0.0
        && yy > 0.0
        && zz > 0.0
        && xx * yy - xy * yx > 0.0
        && m.determinant() > 0.0
}

/// The power of an impulse along a velocity.
pub(crate) fn work(impulse: Twist, velocity: Twist) -> f64 {
    impulse.linear.dot(velocity.linear) + impulse.angular.dot(velocity.angular)
}
