//! The contact problem in local form: find impulses `r` and velocities `u = W r + q` that obey, at every
//! contact, unilateral contact and Coulomb's law with friction `mu`.

use thiserror::Error;

use crate::matrix::{Block, BlockMatrix, ZERO_BLOCK, norm};

/// Why numbers do not make a contact problem.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum ProblemError {
    /// A list has the wrong length.
    #[error("`{list}` has {found} values but {contacts} contacts need {needed}: check the file's `contacts`")]
    WrongLength {
        /// Name of the list.
        list: &'static str,
        /// How many values it has.
        found: usize,
        /// How many it needs.
        needed: usize,
        /// How many contacts the problem says it has.
        contacts: usize,
    },
    /// The coordinate lists of `W` differ in length.
    #[error("W has {rows} rows, {columns} cols and {values} vals: each entry needs one of each")]
    RaggedTriplets {
        /// Length of `rows`.
        rows: usize,
        /// Length of `cols`.
        columns: usize,
        /// Length of `vals`.
        values: usize,
    },
    /// An entry of `W` lies outside the square of 3n x 3n.
    #[error(
        "W entry {entry} is at row {row}, column {column}, outside {size} x {size}: W is square, three rows \
         a contact"
    )]
    OutsideMatrix {
        /// Position in the coordinate lists.
        entry: usize,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// Rows (and columns) of `W`.
        size: usize,
    },
    /// A value is NaN or infinite.
    #[error("`{list}`[{entry}] is {value}: every value must be finite")]
    NotFinite {
        /// Name of the list.
        list: &'static str,
        /// Position in it.
        entry: usize,
        /// The value found.
        value: f64,
    },
    /// A friction coefficient is negative.
    #[error("`mu`[{contact}] is {value}: friction coefficients are zero or positive")]
    NegativeFriction {
        /// Which contact.
        contact: usize,
        /// The value found.
        value: f64,
    },
    /// The diagonal of `W` has a negative entry, which no mass can produce.
    #[error("W[{row}][{row}] is {value}: a push must not pull; check the sign convention u = W r + q")]
    NegativeDiagonal {
        /// The row (three a contact).
        row: usize,
        /// The value found.
        value: f64,
    },
}

/// Above this relative asymmetry of `W` a problem carries a warning: masses give a symmetric matrix,
/// published files are off by up to 2e-3 from rounding and projection, and more than 1e-2 points at a
/// mistake.
pub const ASYMMETRY_WARNING: f64 = 1e-2;

/// A diagonal entry may be below zero by this part of the largest entry, from rounding in the file.
const DIAGONAL_ROUNDING: f64 = 1e-9;

/// `u = W r + q` with friction `mu`; three entries a contact, in the order normal, tangent 1, tangent 2.
///
/// ```
/// use silvia_contact::solvers::{Auto, GaussSeidel};
/// use silvia_contact::{ContactProblem, Settings, Solver};
///
/// // Two contacts of unit mass that do not see each other. The first closes at 1 m/s, the second opens.
/// let at = [0, 1, 2, 3, 4, 5];
/// let q = vec![-1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
/// let problem = ContactProblem::from_triplets(&at, &at, &[1.0; 6], q, vec![0.5; 2])?;
/// for solver in [&Auto as &dyn Solver, &GaussSeidel] {
///     let report = solver.solve(&problem, None, &Settings::default());
///     assert!((report.r[0] - 1.0).abs() < 1e-6 && report.r[3].abs() < 1e-6);
/// }
/// # Ok::<(), silvia_contact::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem {
    w: BlockMatrix,
    q: Vec<f64>,
    mu: Vec<f64>,
    scale: f64,
    /// What impulses are multiplied by where residuals compare them with velocities; one a contact.
    answers: Vec<f64>,
}

impl ContactProblem {
    /// Makes a problem from coordinate lists of `W` and checks them. Values at the same place add up.
    pub fn from_triplets(
        rows: &[usize],
        columns: &[usize],
        values: &[f64],
        q: Vec<f64>,
        mu: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        let contacts = mu.len();
        let size = 3 * contacts;
        if rows.len() != columns.len() || rows.len() != values.len() {
            let (rows, columns, values) = (rows.len(), columns.len(), values.len());
            return Err(ProblemError::RaggedTriplets { rows, columns, values });
        }
        let mut entries = Vec::with_capacity(values.len());
        for (entry, ((&row, &column), &value)) in rows.iter().zip(columns).zip(values).enumerate() {
            if row >= size || column >= size {
                return Err(ProblemError::OutsideMatrix { entry, row, column, size });
            }
            if !value.is_finite() {
                return Err(ProblemError::NotFinite { list: "W.vals", entry, value });
            }
            let mut block = ZERO_BLOCK;
            block[3 * (row % 3) + column % 3] = value;
            entries.push((row / 3, column / 3, block));
        }
        Self::new(BlockMatrix::from_blocks(contacts, entries), q, mu)
    }

    /// Makes a problem from its parts and checks them.
    pub fn new(w: BlockMatrix, q: Vec<f64>, mu: Vec<f64>) -> Result<Self, ProblemError> {
        let contacts = mu.len();
        if w.size() != contacts {
            let (found, needed) = (w.size(), contacts);
            return Err(ProblemError::WrongLength { list: "W", found, needed, contacts });
        }
        if q.len() != 3 * contacts {
            let (found, needed) = (q.len(), 3 * contacts);
            return Err(ProblemError::WrongLength { list: "q", found, needed, contacts });
        }
        if let Some((entry, &value)) = q.iter().enumerate().find(|(_, v)| !v.is_finite()) {
            return Err(ProblemError::NotFinite { list: "q", entry, value });
        }
        for (contact, &value) in mu.iter().enumerate() {
            if !value.is_finite() {
                return Err(ProblemError::NotFinite { list: "mu", entry: contact, value });
            }
            if value < 0.0 {
                return Err(ProblemError::NegativeFriction { contact, value });
            }
        }
        let largest = largest_entry(&w)?;
        for row in 0..3 * contacts {
            let value = w.diagonal(row / 3)[4 * (row % 3)];
            if value < -DIAGONAL_ROUNDING * largest {
                return Err(ProblemError::NegativeDiagonal { row, value });
            }
        }
        let length = norm(&q);
        let scale = if length > f64::EPSILON { length } else { 1.0 };
        Ok(Self { w, q, mu, scale, answers: vec![1.0; contacts] })
    }

    /// The same problem with residuals measured in velocities: an impulse counts as the velocity that it
    /// gives its own contact.
    ///
    /// Siconos' measure adds impulses and velocities as they are, which is fair where masses are about 1 kg;
    /// beside a mass of 1e9 kg all velocities are lost in the rounding of its impulses, and a mass of 1e-9 kg
    /// may bounce off unseen. This measure does not change with the unit of mass.
    #[must_use]
    pub fn measured_in_velocities(mut self) -> Self {
        self.answers = (0..self.contacts()).map(|c| self.mean_answer(c).unwrap_or(1.0)).collect();
        self
    }

    /// What a contact's impulse is multiplied by where the residual compares it with a velocity.
    pub(crate) fn answer(&self, contact: usize) -> f64 {
        self.answers[contact]
    }

    /// The mean velocity, over normal and tangents, that a unit impulse gives its own contact; none where it
    /// gives none.
    fn mean_answer(&self, contact: usize) -> Option<f64> {
        let b = self.w.diagonal(contact);
        let mean = (b[0] + b[4] + b[8]) / 3.0;
        (mean > 0.0).then_some(mean)
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The Delassus matrix `W`: velocities at the contacts for a unit impulse at one.
    pub fn w(&self) -> &BlockMatrix {
        &self.w
    }

    /// Velocities at the contacts without contact impulses.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Friction coefficients.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// What residuals are divided by: `|q|`, or 1 where that is zero. An island of a problem has a share of
    /// the problem's scale.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether no contact has friction, so that the problem is a convex one.
    pub fn is_frictionless(&self) -> bool {
        self.mu.iter().all(|&mu| mu == 0.0)
    }

    /// `u = W r + q`.
    pub fn velocities(&self, r: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; self.q.len()];
        self.w.multiply(r, &mut u);
        for (u, q) in u.iter_mut().zip(&self.q) {
            *u += q;
        }
        u
    }

    /// Warnings about the problem, for people to read.
    pub fn warnings(&self) -> Vec<String> {
        let asymmetry = self.w.asymmetry();
        if asymmetry > ASYMMETRY_WARNING {
            vec![format!(
                "W is asymmetric by {asymmetry:.1e} of its largest entry; it is solved as given, check how \
                 it was made"
            )]
        } else {
            Vec::new()
        }
    }

    /// The contacts in `kept` (ascending) alone, with residuals measured against `scale`.
    pub(crate) fn restricted(&self, kept: &[usize], scale: f64) -> Self {
        Self {
            w: self.w.restricted(kept),
            q: kept.iter().flat_map(|&c| self.q[3 * c..3 * c + 3].iter().copied()).collect(),
            mu: kept.iter().map(|&c| self.mu[c]).collect(),
            scale,
            answers: kept.iter().map(|&c| self.answers[c]).collect(),
        }
    }

    /// The same problem in units where a typical diagonal entry of `W` is one, and the factors used.
    ///
    /// With one factor `d` a contact, `W' = D W D`, `q' = D q`, `r = D r'` and `u' = D u`: Coulomb's cones do
    /// not change, but stiff and soft contacts become alike (per-contact scaling, Macklin 2019).
    pub(crate) fn equilibrated(&self) -> (Self, Vec<f64>) {
        let factors: Vec<f64> =
            (0..self.contacts()).map(|c| self.mean_answer(c).map_or(1.0, |mean| 1.0 / mean.sqrt())).collect();
        let q = self.q.iter().enumerate().map(|(at, v)| factors[at / 3] * v).collect();
        let scaled = Self {
            w: self.w.scaled(&factors),
            q,
            mu: self.mu.clone(),
            scale: self.scale,
            answers: vec![1.0; self.contacts()],
        };
        (scaled, factors)
    }
}

/// The largest absolute entry of `w`, which must all be finite.
fn largest_entry(w: &BlockMatrix) -> Result<f64, ProblemError> {
    let mut largest = 0.0_f64;
    for row in 0..w.size() {
        for block in w.row(row).1 {
            let block: &Block = block;
            for &value in block {
                if !value.is_finite() {
                    return Err(ProblemError::NotFinite { list: "W", entry: row, value });
                }
                largest = largest.max(value.abs());
            }
        }
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(values: [f64; 3], q: Vec<f64>, mu: Vec<f64>) -> Result<ContactProblem, ProblemError> {
        ContactProblem::from_triplets(&[0, 1, 2], &[0, 1, 2], &values, q, mu)
    }

    #[test]
    fn a_sound_problem_is_accepted() {
        let p = one([1.0; 3], vec![-3.0, 0.0, 4.0], vec![0.5]).unwrap();
        assert_eq!((p.contacts(), p.scale()), (1, 5.0));
        assert!(p.warnings().is_empty());
    }

    #[test]
    fn each_defect_is_named_with_its_place() {
        let nan = one([1.0; 3], vec![0.0, f64::NAN, 0.0], vec![0.5]).unwrap_err();
        assert!(nan.to_string().contains("`q`[1] is NaN"), "{nan}");
        let infinite = one([1.0, f64::INFINITY, 1.0], vec![0.0; 3], vec![0.5]).unwrap_err();
        assert!(infinite.to_string().contains("`W.vals`[1] is inf"), "{infinite}");
        let friction = one([1.0; 3], vec![0.0; 3], vec![-0.5]).unwrap_err();
        assert_eq!(friction, ProblemError::NegativeFriction { contact: 0, value: -0.5 });
        let short = one([1.0; 3], vec![0.0; 2], vec![0.5]).unwrap_err();
        assert!(matches!(short, ProblemError::WrongLength { list: "q", found: 2, needed: 3, .. }));
        let outside = ContactProblem::from_triplets(&[3], &[0], &[1.0], vec![0.0; 3], vec![0.5]).unwrap_err();
        assert_eq!(outside, ProblemError::OutsideMatrix { entry: 0, row: 3, column: 0, size: 3 });
        let ragged = ContactProblem::from_triplets(&[0], &[], &[1.0], vec![0.0; 3], vec![0.5]).unwrap_err();
        assert_eq!(ragged, ProblemError::RaggedTriplets { rows: 1, columns: 0, values: 1 });
        let pulls = one([-1.0, 1.0, 1.0], vec![0.0; 3], vec![0.5]).unwrap_err();
        assert_eq!(pulls, ProblemError::NegativeDiagonal { row: 0, value: -1.0 });
    }

    #[test]
    fn strong_asymmetry_is_warned_of() {
        let p = ContactProblem::from_triplets(
            &[0, 0, 1, 2],
            &[0, 1, 1, 2],
            &[1.0, 0.1, 1.0, 1.0],
            vec![0.0; 3],
            vec![0.0],
        )
        .unwrap();
        assert_eq!(p.warnings().len(), 1);
    }

    #[test]
    fn measured_in_velocities_a_residual_does_not_change_with_the_unit_of_mass() {
        // A contact that sticks in one direction and leaves too fast: wrong by 0.1 m/s in 1, whatever the
        // mass.
        for mass in [1e-12_f64, 1.0, 1e12] {
            let w = [1.0 / mass; 3];
            let problem = one(w, vec![-1.0, 0.0, 0.0], vec![0.5]).unwrap().measured_in_velocities();
            let residual = crate::residual(&problem, &[1.1 * mass, 0.0, 0.0]);
            assert!((residual - 0.1).abs() < 1e-6, "{mass}: {residual}");
            assert!(crate::residual(&problem, &[mass, 0.0, 0.0]) < 1e-15);
        }
    }

    #[test]
    fn equilibration_keeps_the_solutions() {
        let p = one([4.0, 4.0, 4.0], vec![-2.0, 1.0, 0.0], vec![0.5]).unwrap();
        let (scaled, factors) = p.equilibrated();
        assert_eq!(factors, [0.5]);
        assert_eq!(scaled.w().diagonal(0)[0], 1.0);
        assert_eq!(scaled.q(), [-1.0, 0.5, 0.0]);
    }
}
