//! Islands: groups of contacts that do not act on each other, which can be solved apart and at once.

use rayon::prelude::*;

use crate::matrix::{BlockMatrix, norm};
use crate::problem::ContactProblem;

/// Finds the groups of contacts that blocks of `w` connect. Contacts ascend in each group, and groups are
/// ordered by their first contact.
pub fn islands(w: &BlockMatrix) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..w.size()).collect();
    for row in 0..w.size() {
        let (columns, blocks) = w.row(row);
        for (&column, block) in columns.iter().zip(blocks) {
            if block.iter().any(|&v| v != 0.0) {
                let (a, b) = (find(&mut leader, row), find(&mut leader, column));
                leader[a.max(b)] = a.min(b);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![usize::MAX; w.size()];
    for contact in 0..w.size() {
        let first = find(&mut leader, contact);
        if place[first] == usize::MAX {
            place[first] = groups.len();
            groups.push(Vec::new());
        }
        groups[place[first]].push(contact);
    }
    groups
}

/// The problems of the islands. Each is measured against its share of the whole: if all have residual `t` or
/// less, so has the whole, and an island where hardly anything moves need not be solved to the last digit.
pub(crate) fn island_problems(problem: &ContactProblem, islands: &[Vec<usize>]) -> Vec<ContactProblem> {
    let all = problem.contacts() as f64;
    let whole = problem.scale();
    islands
        .par_iter()
        .map(|contacts| {
            let mut own = 0.0;
            for &c in contacts {
                let length = norm(&problem.q()[3 * c..3 * c + 3]);
                own += length * length;
            }
            let share = contacts.len() as f64 / all;
            problem.restricted(contacts, (0.5 * (own + whole * whole * share)).sqrt())
        })
        .collect()
}

/// The leader of a contact's group, with the path to it shortened.
pub(crate) fn find(leader: &mut [usize], mut at: usize) -> usize {
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::ZERO_BLOCK;

    #[test]
    fn islands_are_what_blocks_connect_even_in_one_direction_only() {
        let one = [1.0; 9];
        let w = BlockMatrix::from_blocks(5, [(0, 3, one), (4, 1, one), (2, 4, ZERO_BLOCK)]);
        assert_eq!(islands(&w), vec![vec![0, 3], vec![1, 4], vec![2]]);
    }

    #[test]
    fn scales_of_islands_add_up_to_that_of_the_whole() {
        let one = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let w = BlockMatrix::from_blocks(3, (0..3).map(|c| (c, c, one)));
        let q = vec![-1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 5.0, -1.0, 3.0];
        let problem = ContactProblem::new(w, q, vec![0.5; 3]).unwrap();
        let parts = island_problems(&problem, &islands(problem.w()));
        let sum: f64 = parts.iter().map(|p| p.scale() * p.scale()).sum();
        assert!((sum.sqrt() - problem.scale()).abs() < 1e-14);
        assert!(parts.iter().all(|p| p.scale() > 0.0));
    }
}
