//! Steps under compliant methods: bodies may overlap, and the overlap is measured.
//!
//! The method sees every contact as it is at the start of a piece, deep ones included, and what it answers is
//! taken. There are no impacts and no certificate. Pieces end where a script bends and before a body has
//! turned far, as under every method.

use crate::report::StuckReason;
use crate::step::accept::accept;
use crate::step::certify::Verdict;
use crate::step::chord_limit::longest_piece;
use crate::step::island::{Ended, IslandRun};
use crate::step::piece::forces;

impl IslandRun<'_> {
    /// Advances by as much of what is left as can be had at once.
    pub(super) fn compliant_piece(&mut self) -> Result<(), Ended> {
        let IslandRun { now, predictor, responder, certifier, acceptor, .. } = self;
        let IslandRun { candidates, impulses, outcome, .. } = self;
        let left = now.step - now.done;
        let length = longest_piece(now, left);
        let flight = predictor.fly(now, length);
        let (tried, toll) = responder.respond_compliantly(now, flight, length, candidates);
        outcome.iterations += toll.iterations;
        let attempt = tried.map_err(|reason| now.stuck(reason))?;
        match certifier.judge_cages(now, attempt.ends) {
            Verdict::Unbounded { body } => {
                return Err(now.stuck(StuckReason::Unbounded { body: now.body(body).name.clone() }));
            }
            Verdict::Escaped(boxes) => {
                return Err(now.escaped(boxes, forces(now, &attempt, length, candidates)));
            }
            Verdict::Free { .. } | Verdict::Impact { .. } | Verdict::Crossed { .. } => {}
        }
        outcome.overlap = certifier.deepest_overlap(now);
        outcome.momentum.put_loads(now, flight, length);
        accept(now, &attempt, (length, left), candidates, acceptor, impulses, outcome);
        Ok(())
    }
}
