//! Impacts: bodies that touch and approach faster than a named speed rebound, before any forces (paper 4 §3).

use crate::body::{BodyId, BodyState};
use crate::report::ImpactRecord;
use crate::response::Task;
use crate::step::cages::drift;
use crate::step::contacts::{Near, TOUCH};
use crate::step::island::{Ended, Run};
use silvia_contact::{GapRow, Keep, Settings, reduce};

/// Impacts are solved to this residual, or as near to it as the iterations allow: what is wrong with a
/// velocity after an impact stays wrong.
const TOLERANCE: f64 = 1e-12;

/// Iterations after which an answer that is good enough is taken: what is left then is how redundant contacts
/// share.
const MOST_ITERATIONS: usize = 400;

impl Run<'_> {
    /// Applies the impact law to all contacts that touch, if one of them approaches fast enough; whether it
    /// did.
    pub(crate) fn rebound(&mut self, near: &[Near]) -> Result<bool, Ended> {
        if self.rebounds >= self.most_impacts() {
            return Ok(false);
        }
        let touching: Vec<Near> = near.iter().copied().filter(|n| self.touches(n)).collect();
        if !touching.iter().any(|n| self.is_impact(n)) {
            return Ok(false);
        }
        let touching = self.without_implied(touching);
        let length = self.length - self.done;
        let contacts = touching.iter().map(|n| self.task_contact(n, length, None)).collect();
        let bodies = (0..self.states.len()).map(|i| self.task_body_at_rest(i)).collect();
        let task = Task { bodies, contacts, near: None, time_step: length, sweeps: 0, watch: self.watch };
        let tolerance = match self.world.settings.interactive {
            Some(_) => self.tolerance(),
            None => self.tolerance().min(TOLERANCE),
        };
        let most = MOST_ITERATIONS.min(self.most_iterations());
        let settings = Settings { tolerance, max_iterations: Some(most), ..self.solver_settings(length) };
        let answer = self.world.response.collide(&task, &settings);
        if !self.is_usable(&answer, true) {
            // Without rebound they go on as contacts, whose forces can be found over a shorter piece.
            self.rebounds = self.most_impacts();
            self.note(&format!("no rebound: the law of impact was not solved ({})", answer.outcome.as_str()));
            return Ok(false);
        }
        self.rebounds += 1;
        self.ran.iterations += answer.iterations;
        for (near, impulse) in touching.iter().zip(&answer.impulses) {
            if impulse.length_squared() > 0.0 {
                let [a, b] = self.pairs[near.pair].bodies;
                self.ran.impacts.push(ImpactRecord {
                    time: self.time(),
                    bodies: [a, b].map(|i| BodyId(self.island.bodies[i])),
                    name: near.name,
                    point: 0.5 * (near.state.points[0] + near.state.points[1]),
                    normal: near.state.normal,
                    speed: (-near.rate).max(0.0),
                    impulse: *impulse,
                });
            }
        }
        for index in 0..self.island.movable {
            self.states[index].velocity = answer.velocities[index];
        }
        Ok(true)
    }

    /// The contacts without those that others of the same pair imply.
    fn without_implied(&self, touching: Vec<Near>) -> Vec<Near> {
        let mut left = Vec::with_capacity(touching.len());
        // Contacts come pair by pair.
        for of_pair in touching.chunk_by(|x, y| x.pair == y.pair) {
            let pair = &self.pairs[of_pair[0].pair];
            let centres = pair.bodies.map(|i| self.states[i].centre);
            let row = |near: &Near| GapRow {
                gap: pair.restitution * near.rate,
                ..GapRow::new(&near.state, centres)
            };
            let rows: Vec<GapRow> = of_pair.iter().map(row).collect();
            left.extend(reduce(&rows, Keep::Extent).into_iter().map(|at| of_pair[at]));
        }
        left
    }

    fn touches(&self, near: &Near) -> bool {
        near.state.gap <= TOUCH * self.pairs[near.pair].shell
            && (near.state.holds || self.is_impact(near) && self.is_about_to_hold(near))
    }

    /// Whether a contact that closes holds once it has: a corner onto which a body rolls over is not the
    /// lowest before.
    fn is_about_to_hold(&self, near: &Near) -> bool {
        let ahead = 2.0 * near.state.gap / -near.rate;
        let then: Vec<BodyState> = self.states.iter().map(|state| drift(state, ahead)).collect();
        self.state_at(near, &self.poses_in(&then)).holds
    }

    pub(super) fn is_impact(&self, near: &Near) -> bool {
        -near.rate > self.pairs[near.pair].impact_speed
    }
}
