//! Least squares with unknowns that may not be negative, in a few dimensions (Lawson and Hanson 1974, chapter
//! 23).

/// A column that lies off the span of the others by less than this fraction of its length adds nothing to
/// them.
const DEPENDENT: f64 = 1e-12;

/// Memory for least squares, to be used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct NnlsScratch {
    /// The unknowns that were found.
    pub(crate) z: Vec<f64>,
    lengths: Vec<f64>,
}

/// Columns that are not zero, at most as many as there are dimensions.
struct Passive<const D: usize> {
    columns: [usize; D],
    count: usize,
}

impl<const D: usize> Passive<D> {
    fn all(&self) -> &[usize] {
        &self.columns[..self.count]
    }

    fn push(&mut self, column: usize) {
        self.columns[self.count] = column;
        self.count += 1;
    }

    fn remove(&mut self, column: usize) {
        if let Some(at) = self.all().iter().position(|&i| i == column) {
            self.columns.copy_within(at + 1..self.count, at);
            self.count -= 1;
        }
    }
}

/// Finds `z >= 0` for which `sum z_i column_i` is nearest to the target; gives what is left of the target,
/// which makes no acute angle with any column. Columns for which `use_column` is false stay out. `tolerance`
/// is how far along a column, relative to its length and to the target's, the rest may still point.
pub(crate) fn non_negative_least_squares<const D: usize>(
    columns: &[[f64; D]],
    use_column: impl Fn(usize) -> bool,
    target: &[f64; D],
    tolerance: f64,
    scratch: &mut NnlsScratch,
) -> [f64; D] {
    let NnlsScratch { z, lengths } = scratch;
    z.clear();
    z.resize(columns.len(), 0.0);
    lengths.clear();
    lengths.extend(columns.iter().map(|c| dot(c, c).sqrt()));
    let mut rest = *target;
    let scale = dot(target, target).sqrt();
    let mut passive = Passive { columns: [0; D], count: 0 };
    // Every round lowers the distance to the target, so that no set of columns comes back; more rounds than
    // this are rounding.
    for _ in 0..4 * (columns.len() + D) {
        let slope = |i: usize| dot(&columns[i], &rest) / lengths[i];
        let best = (0..columns.len())
            .filter(|&i| use_column(i) && lengths[i] > 0.0 && !passive.all().contains(&i))
            .map(|i| (slope(i), i))
            .fold(None, |best: Option<(f64, usize)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
        let Some((steepest, entering)) = best else { break };
        // As many columns as there are dimensions leave nothing for another one.
        if steepest <= tolerance * scale || passive.count == D {
            break;
        }
        passive.push(entering);
        if !settle(columns, target, &mut passive, z) {
            break;
        }
        rest = *target;
        for &i in passive.all() {
            for (r, c) in rest.iter_mut().zip(&columns[i]) {
                *r -= z[i] * c;
            }
        }
    }
    rest
}

/// Moves `z` to the least squares solution over the passive columns, dropping those that would turn negative
/// on the way; false if the newest column adds nothing.
fn settle<const D: usize>(
    columns: &[[f64; D]],
    target: &[f64; D],
    passive: &mut Passive<D>,
    z: &mut [f64],
) -> bool {
    let newest = passive.count - 1;
    loop {
        let Some(wanted) = least_squares(columns, passive.all(), target) else {
            passive.count = newest.min(passive.count - 1);
            return false;
        };
        let blocked = passive
            .all()
            .iter()
            .zip(&wanted)
            .filter(|&(_, &w)| w <= 0.0)
            .map(|(&i, &w)| (z[i] / (z[i] - w), i))
            .fold(None, |best: Option<(f64, usize)>, next| match best {
                Some(best) if best.0 <= next.0 => Some(best),
                _ => Some(next),
            });
        let Some((share, leaving)) = blocked else {
            passive.all().iter().zip(&wanted).for_each(|(&i, &w)| z[i] = w);
            return true;
        };
        let share = if share.is_finite() { share } else { 0.0 };
        passive.all().iter().zip(&wanted).for_each(|(&i, &w)| z[i] += share * (w - z[i]));
        z[leaving] = 0.0;
        passive.remove(leaving);
        if passive.count == 0 {
            return false;
        }
    }
}

/// Least squares over some columns by orthogonalisation, twice for accuracy, in their order; `None` if they
/// depend on each other.
fn least_squares<const D: usize>(
    columns: &[[f64; D]],
    chosen: &[usize],
    target: &[f64; D],
) -> Option<[f64; D]> {
    let mut basis = [[0.0; D]; D];
    let mut upper = [[0.0; D]; D];
    for (k, &i) in chosen.iter().enumerate() {
        let mut left = columns[i];
        for _ in 0..2 {
            for (j, q) in basis[..k].iter().enumerate() {
                let along = dot(q, &left);
                upper[j][k] += along;
                left.iter_mut().zip(q).for_each(|(l, q)| *l -= along * q);
            }
        }
        let length = dot(&left, &left).sqrt();
        if length <= DEPENDENT * dot(&columns[i], &columns[i]).sqrt() {
            return None;
        }
        upper[k][k] = length;
        basis[k] = left.map(|l| l / length);
    }
    let mut x = [0.0; D];
    for k in (0..chosen.len()).rev() {
        x[k] = dot(&basis[k], target);
        for j in k + 1..chosen.len() {
            x[k] -= upper[k][j] * x[j];
        }
        x[k] /= upper[k][k];
    }
    Some(x)
}

pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_conditions_of_the_optimum_hold(
            columns in prop::collection::vec(prop::array::uniform4(-3i8..4), 1..12),
            target in prop::array::uniform4(-3i8..4),
        ) {
            // Small whole numbers make columns that depend on each other, are equal, opposite or zero.
            let columns: Vec<[f64; 4]> = columns.iter().map(|c| c.map(f64::from)).collect();
            let target = target.map(f64::from);
            let mut scratch = NnlsScratch::default();
            non_negative_least_squares(&columns, |_| true, &target, 1e-12, &mut scratch);
            let z = scratch.z;
            let mut rest = target;
            for (c, &factor) in columns.iter().zip(&z) {
                prop_assert!(factor >= 0.0);
                rest.iter_mut().zip(c).for_each(|(r, c)| *r -= factor * c);
            }
            let rest_squared = dot(&rest, &rest);
            prop_assert!(dot(&rest, &target) >= rest_squared - 1e-9);
            for (c, &factor) in columns.iter().zip(&z) {
                prop_assert!(dot(c, &rest) <= 1e-9, "a column would still help: {z:?}");
                prop_assert!(factor == 0.0 || dot(c, &rest).abs() <= 1e-9);
            }
        }
    }
}
