//! The mass of a body that springs hold, where the step is implicit in them.
//!
//! A spring that pulls a point of a body with `K (target - p) - D v`, taken at the end of a step of length
//! `h`, acts like a mass `h (h K + D)` at that point: `(M + h (h K + D)) v = ...`. Mass is then no longer a
//! number for all directions, and forces turn the body that do not pass by its centre.

use crate::node::{Twist, work};
use silvia_solid::{Mat3, Vec3};

/// A symmetric, positive definite matrix that takes a velocity to a momentum: linear part first, of the
/// centre of mass.
///
/// ```
/// use silvia_contact::{MassMatrix, Twist};
/// use silvia_solid::{Mat3, Vec3};
///
/// // 2 kg, and a spring that is as good as 6 kg along x, half a metre above the centre.
/// let mut mass = MassMatrix::rigid(2.0, Mat3::IDENTITY);
/// mass.add(Vec3::new(0.0, 0.0, 0.5), Mat3::from_diagonal(Vec3::new(6.0, 0.0, 0.0)), Mat3::ZERO);
/// let push = mass.times(Twist { linear: Vec3::X, angular: Vec3::ZERO });
/// assert_eq!((push.linear.x, push.angular.y), (8.0, 3.0));
/// let back = mass.inverse().ok_or("not positive definite")?.times(push);
/// assert!((back.linear.x - 1.0).abs() < 1e-15 && back.angular.length() < 1e-15);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassMatrix(pub(crate) [[f64; 6]; 6]);

impl MassMatrix {
    /// A rigid body without springs: mass, kg, and inertia about the centre of mass, kg m².
    pub fn rigid(mass: f64, inertia: Mat3) -> MassMatrix {
        let mut matrix = MassMatrix([[0.0; 6]; 6]);
        matrix.put(0, 0, Mat3::from_diagonal(Vec3::splat(mass)));
        matrix.put(3, 3, inertia);
        matrix
    }

    /// Adds what acts like a mass at a point: `linear`, kg, where the point is `arm` from the centre of mass,
    /// m, and `angular`, kg m², against turning. Both symmetric and positive semidefinite.
    pub fn add(&mut self, arm: Vec3, linear: Mat3, angular: Mat3) {
        // The velocity of the point is `v - [arm] w`, so that a force there turns the body by `[arm] f`.
        let cross = cross_matrix(arm);
        let turned = cross * linear;
        self.put(0, 0, linear);
        self.put(3, 0, turned);
        self.put(0, 3, turned.transpose());
        self.put(3, 3, angular - turned * cross);
    }

    /// The momentum of a velocity, or, of an inverse, the change of velocity by an impulse.
    pub fn times(&self, velocity: Twist) -> Twist {
        let v = flat(velocity);
        let row = |i: usize| (0..6).map(|k| self.0[i][k] * v[k]).sum::<f64>();
        Twist { linear: Vec3::new(row(0), row(1), row(2)), angular: Vec3::new(row(3), row(4), row(5)) }
    }

    /// Twice the kinetic energy of a velocity, J.
    pub fn square(&self, velocity: Twist) -> f64 {
        work(self.times(velocity), velocity)
    }

    /// The inverse; `None` if the matrix is not positive definite, or its numbers run out of range.
    pub fn inverse(&self) -> Option<MassMatrix> {
        // Units differ, so rows are scaled to a diagonal of ones first. Then Cholesky.
        let scale: [f64; 6] = std::array::from_fn(|i| 1.0 / self.0[i][i].sqrt());
        let mut lower = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
                let left = scale[i] * self.0[i][j] * scale[j] - known;
                lower[i][j] = if i == j { left.sqrt() } else { left / lower[j][j] };
            }
        }
        let mut inverse = [[0.0; 6]; 6];
        for column in 0..6 {
            let mut x = [0.0; 6];
            for i in 0..6 {
                let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
                x[i] = (f64::from(u8::from(i == column)) - known) / lower[i][i];
            }
            for i in (0..6).rev() {
                let known: f64 = (i + 1..6).map(|k| lower[k][i] * x[k]).sum();
                x[i] = (x[i] - known) / lower[i][i];
            }
            (0..6).for_each(|i| inverse[i][column] = scale[i] * x[i] * scale[column]);
        }
        // Symmetric to the bit.
        let inverse: [[f64; 6]; 6] =
            std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (inverse[i][j] + inverse[j][i])));
        inverse.iter().flatten().all(|v| v.is_finite()).then_some(MassMatrix(inverse))
    }

    /// Adds a block of three rows and columns.
    fn put(&mut self, row: usize, column: usize, block: Mat3) {
        for j in 0..3 {
            let of_column = block.col(j).to_array();
            (0..3).for_each(|i| self.0[row + i][column + j] += of_column[i]);
        }
    }
}

fn flat(twist: Twist) -> [f64; 6] {
    let ([x, y, z], [u, v, w]) = (twist.linear.to_array(), twist.angular.to_array());
    [x, y, z, u, v, w]
}

/// `[a]`, with `[a] b = a x b`.
fn cross_matrix(a: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, a.z, -a.y), Vec3::new(-a.z, 0.0, a.x), Vec3::new(a.y, -a.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> MassMatrix {
        let inertia = Mat3::from_diagonal(Vec3::new(1e-6, 2e-6, 3e-6));
        let mut mass = MassMatrix::rigid(0.02, inertia);
        let spring =
            Mat3::from_cols(Vec3::new(5.0, 1.0, 0.5), Vec3::new(1.0, 4.0, -1.0), Vec3::new(0.5, -1.0, 6.0));
        mass.add(Vec3::new(0.01, -0.02, 0.03), spring, 1e-3 * spring);
        mass
    }

    #[test]
    fn the_momentum_of_a_spring_is_its_pull_at_the_point_with_its_moment() {
        let arm = Vec3::new(0.01, -0.02, 0.03);
        let spring = Mat3::from_diagonal(Vec3::new(5.0, 4.0, 6.0));
        let mut mass = MassMatrix::rigid(2.0, Mat3::IDENTITY);
        mass.add(arm, spring, Mat3::ZERO);
        let v = Twist { linear: Vec3::new(1.0, 2.0, 3.0), angular: Vec3::new(-4.0, 5.0, 6.0) };
        let pull = spring * (v.linear + v.angular.cross(arm));
        let momentum = mass.times(v);
        assert!((momentum.linear - (2.0 * v.linear + pull)).length() < 1e-13);
        assert!((momentum.angular - (v.angular + arm.cross(pull))).length() < 1e-13);
        let by_hand =
            2.0 * v.linear.length_squared() + v.angular.length_squared() + pull.dot(spring.inverse() * pull);
        assert!((mass.square(v) - by_hand).abs() < 1e-11);
    }

    #[test]
    fn an_inverse_takes_momenta_back_to_velocities_though_masses_differ_by_millions() {
        let mass = matrix();
        let inverse = mass.inverse().unwrap();
        for k in 0..6 {
            let mut unit = [0.0; 6];
            unit[k] = 1.0;
            let v = Twist { linear: Vec3::from_slice(&unit[..3]), angular: Vec3::from_slice(&unit[3..]) };
            let back = flat(inverse.times(mass.times(v)));
            (0..6).for_each(|i| assert!((back[i] - unit[i]).abs() < 1e-10, "{k} {i}: {}", back[i]));
        }
        assert!((0..6).all(|i| (0..6).all(|j| inverse.0[i][j] == inverse.0[j][i])));
    }

    #[test]
    fn what_is_no_mass_has_no_inverse() {
        assert_eq!(MassMatrix::rigid(0.0, Mat3::IDENTITY).inverse(), None);
        assert_eq!(MassMatrix::rigid(1.0, Mat3::ZERO).inverse(), None);
        assert_eq!(MassMatrix::rigid(f64::NAN, Mat3::IDENTITY).inverse(), None);
        let mut less = MassMatrix::rigid(1.0, Mat3::IDENTITY);
        less.add(Vec3::ZERO, Mat3::from_diagonal(Vec3::splat(-2.0)), Mat3::ZERO);
        assert_eq!(less.inverse(), None);
    }
}
