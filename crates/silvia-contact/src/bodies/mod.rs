//! Contact problems solved over the velocities of bodies, without the matrix over contacts.
//!
//! A world knows bodies and contacts. Where contacts are many to a body, as where solids lie on each other,
//! it is far cheaper to work with six unknowns a body than with three a contact. Bodies that contacts connect
//! are solved together, others apart and at once; what is not solved so goes the long way, by [`Auto`] over
//! the contacts.

mod block_lu;
mod group;
mod interior;
mod lorentz;
mod newton;
mod rows;
mod search;
mod sweeps;

use crate::islands::find;
use crate::solver::{Outcome, Settings, Solver};
use crate::solvers::Auto;
use crate::system::{Contact, ContactFrame, System, SystemError, Twist};
use group::Group;
use rayon::prelude::*;
use rows::{NONE, Row, flat};
use search::Search;
use silvia_solid::Vec3;
use sweeps::{Left, Sweeps};

/// What was found for a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemReport {
    /// Of all bodies, at the end of the step.
    pub velocities: Vec<Twist>,
    /// Of each contact on its body B, in world axes, N s.
    pub impulses: Vec<Vec3>,
    /// How it ended.
    pub outcome: Outcome,
    /// [Measured in velocities](crate::ContactProblem::measured_in_velocities), relative to what contacts
    /// must stop.
    pub residual: f64,
    /// Over all groups of bodies.
    pub iterations: usize,
    /// What a user should know.
    pub notes: Vec<String>,
}

/// Solves a system without joints for Coulomb's law, to a residual relative to the velocities that contacts
/// must stop. `still` (m/s) is a velocity that does not matter: less is not asked for, and where a residual
/// falls slowly, or cannot fall because contacts contradict each other, some more is enough. `start` are
/// impulses to start from.
pub fn solve_system(
    system: &System,
    start: &[Vec3],
    still: f64,
    settings: &Settings,
) -> Result<SystemReport, SystemError> {
    let mut solver = SystemSolver::default();
    solver.solve(system, start, still, settings)?;
    Ok(solver.report)
}

/// What solves systems, one after the other. It keeps its memory, and for groups of bodies that stay in touch
/// the order in which their unknowns are eliminated. Answers do not depend on what was solved before.
#[derive(Clone, Debug, Default)]
pub struct SystemSolver {
    frames: Vec<ContactFrame>,
    free: Vec<Twist>,
    /// Squares of the velocities that contacts must stop, by contact, m²/s².
    squares: Vec<f64>,
    groups: Groups,
    parts: Vec<Part>,
    report: SystemReport,
}

/// A group of contacts that act on each other, and what was found for it.
#[derive(Clone, Debug, Default)]
struct Part {
    contacts: Vec<usize>,
    bodies: Vec<usize>,
    group: Group,
    search: Search,
    sweeps: Sweeps,
    outcome: Outcome,
    notes: Vec<String>,
    error: Option<SystemError>,
}

/// However little moves, a residual above this is no solution.
const LOOSEST: f64 = 1e-3;

/// So many times a velocity that does not matter is near enough where a residual falls slowly; of few
/// contacts and of many.
const ENOUGH: f64 = 500.0;
const ENOUGH_OF_MANY: f64 = 2000.0;

/// So many times a velocity at which contacts may close, over all contacts, leaves few that close faster.
const SOME: f64 = 3.0;

/// No more digits than these where an answer is to be quick.
const LEAST_GOAL: f64 = 1e-4;

/// A residual that is enough for few contacts.
const FINE: f64 = 1e-7;

/// A residual that is enough in any case where it falls slowly.
const NEAR_ROUNDING: f64 = 1e-10;

impl SystemSolver {
    /// See [`solve_system`]. What was found may be taken away; memory given [back](SystemSolver::take_back)
    /// is used again.
    pub fn solve(
        &mut self,
        system: &System,
        start: &[Vec3],
        still: f64,
        settings: &Settings,
    ) -> Result<&mut SystemReport, SystemError> {
        let goal = |scale: f64, contacts: usize| {
            let enough = if contacts > search::MANY { ENOUGH_OF_MANY } else { ENOUGH };
            Goal {
                tolerance: settings.tolerance.max((still / scale).min(LOOSEST)),
                enough: settings.tolerance.max(NEAR_ROUNDING).max((enough * still / scale).min(LOOSEST)),
                most_iterations: settings.max_iterations.unwrap_or(MOST_ITERATIONS),
            }
        };
        self.each(system, &goal, |whole, part| whole.solve(part, start, settings))
    }

    /// Nearly solves a system, by the work of `most` sweeps over its contacts or less: until none closes
    /// faster than it may, `slack` by contact, m/s. Not what the law asks for, but no impulse is outside of
    /// its cone. A contact of which nothing is said may not close at all.
    pub fn sweep(
        &mut self,
        system: &System,
        start: &[Vec3],
        slack: &[f64],
        most: usize,
    ) -> Result<&mut SystemReport, SystemError> {
        let closing = slack.iter().sum::<f64>() / slack.len().max(1) as f64;
        let goal = |scale: f64, contacts: usize| {
            let rough = (SOME * closing / scale).clamp(LEAST_GOAL, sweeps::ENOUGH);
            // Few contacts are as quickly solved exactly.
            let [tolerance, enough] = if contacts > sweeps::FEW { [rough; 2] } else { [NEAR_ROUNDING, FINE] };
            Goal { tolerance, enough, most_iterations: QUICK_ITERATIONS }
        };
        self.each(system, &goal, |whole, part| whole.sweep(part, start, slack, most))
    }

    /// Does something to each group of contacts that act on each other, in parallel, and puts together what
    /// comes of it. `goal` says what so many of them are solved to where velocities of a size (m/s) are to be
    /// stopped.
    fn each(
        &mut self,
        system: &System,
        goal: &(dyn Fn(f64, usize) -> Goal + Sync),
        solve: impl Fn(&Whole<'_>, &mut Part) + Sync,
    ) -> Result<&mut SystemReport, SystemError> {
        system.check()?;
        self.frames.clear();
        self.frames.extend(system.contacts.iter().map(ContactFrame::new));
        let scale = self.measure(system);
        let count = self.groups.find(system, &mut self.parts);
        let whole = Whole { system, frames: &self.frames, squares: &self.squares, scale, goal };
        let parts = &mut self.parts[..count];
        if count > 1 {
            parts.par_iter_mut().for_each(|part| solve(&whole, part));
        } else {
            parts.iter_mut().for_each(|part| solve(&whole, part));
        }
        self.tell(system, count, scale)
    }

    /// Takes lists of an earlier report, to use their memory again.
    pub fn take_back(&mut self, velocities: Vec<Twist>, impulses: Vec<Vec3>) {
        (self.report.velocities, self.report.impulses) = (velocities, impulses);
    }

    /// What residuals are relative to, m/s.
    fn measure(&mut self, system: &System) -> f64 {
        self.free.clear();
        self.free.extend(system.bodies.iter().map(|b| b.free_velocity));
        self.squares.clear();
        for (contact, frame) in system.contacts.iter().zip(&self.frames) {
            let mut q = frame.relative_velocity(contact, &self.free);
            q[0] += system.bias(contact, frame);
            self.squares.push(q.iter().map(|v| v * v).sum());
        }
        let length = self.squares.iter().sum::<f64>().sqrt();
        if length > f64::EPSILON { length } else { 1.0 }
    }

    /// Puts together what was found for the parts.
    fn tell(&mut self, system: &System, count: usize, scale: f64) -> Result<&mut SystemReport, SystemError> {
        let report = &mut self.report;
        report.velocities.clone_from(&self.free);
        report.impulses.clear();
        report.impulses.resize(system.contacts.len(), Vec3::ZERO);
        (report.outcome, report.iterations) = (Outcome::Solved, 0);
        report.notes.clear();
        let mut squares = 0.0;
        for part in &mut self.parts[..count] {
            if let Some(error) = part.error.take() {
                return Err(error);
            }
            for (&contact, &r) in part.contacts.iter().zip(&part.search.best.r) {
                let (c, frame) = (&system.contacts[contact], &self.frames[contact]);
                report.impulses[contact] = r[0] * frame.0[0] + r[1] * frame.0[1] + r[2] * frame.0[2];
                for body in [c.body_a, c.body_b] {
                    for (unit, size) in frame.impulses_on(c, body).into_iter().zip(r) {
                        let change = system.bodies[body].response(unit);
                        report.velocities[body].linear += size * change.linear;
                        report.velocities[body].angular += size * change.angular;
                    }
                }
            }
            squares += (part.search.best.residual * part.group.scale).powi(2);
            report.iterations += part.search.best.iterations;
            if part.outcome.severity() > report.outcome.severity() {
                report.outcome = part.outcome;
            }
            report.notes.append(&mut part.notes);
        }
        report.residual = squares.sqrt() / scale;
        Ok(report)
    }
}

/// Finds groups of contacts that act on each other.
#[derive(Clone, Debug, Default)]
struct Groups {
    leader: Vec<usize>,
    place: Vec<usize>,
}

impl Groups {
    /// Puts groups of contacts that bodies which can be moved connect into parts; how many there are. Each
    /// ascends, and they are ordered by their first contact.
    fn find(&mut self, system: &System, parts: &mut Vec<Part>) -> usize {
        let Groups { leader, place } = self;
        leader.clear();
        leader.extend(0..system.bodies.len());
        let is_movable = |body: usize| system.bodies[body].is_movable();
        for c in &system.contacts {
            if is_movable(c.body_a) && is_movable(c.body_b) {
                let (a, b) = (find(leader, c.body_a), find(leader, c.body_b));
                leader[a.max(b)] = a.min(b);
            }
        }
        place.clear();
        place.resize(system.bodies.len(), usize::MAX);
        let mut count = 0;
        for (contact, c) in system.contacts.iter().enumerate() {
            let mover = if is_movable(c.body_a) { c.body_a } else { c.body_b };
            let first = find(leader, mover);
            if place[first] == usize::MAX {
                place[first] = count;
                count += 1;
                if parts.len() < count {
                    parts.push(Part::default());
                }
                parts[count - 1].contacts.clear();
            }
            parts[place[first]].contacts.push(contact);
        }
        count
    }
}

/// What all parts share.
struct Whole<'a> {
    system: &'a System,
    frames: &'a [ContactFrame],
    squares: &'a [f64],
    scale: f64,
    goal: &'a (dyn Fn(f64, usize) -> Goal + Sync),
}

/// What a group is solved to, relative to the scale.
struct Goal {
    /// The residual that is asked for.
    tolerance: f64,
    /// One that will do where it gets less only slowly.
    enough: f64,
    most_iterations: usize,
}

impl Whole<'_> {
    /// Names the bodies of a part, says what its residuals are relative to, and what it starts from.
    fn begin(&self, part: &mut Part, start: &[Vec3]) {
        let system = self.system;
        let Part { contacts, bodies, group, search, .. } = part;
        let of_contact = |&c: &usize| -> [usize; 2] {
            let Contact { body_a, body_b, .. } = system.contacts[c];
            [body_a, body_b]
        };
        bodies.clear();
        bodies.extend(contacts.iter().flat_map(of_contact).filter(|&body| system.bodies[body].is_movable()));
        bodies.sort_unstable();
        bodies.dedup();
        // As islands are measured: against half their own velocities and half their share of all.
        let own: f64 = contacts.iter().map(|&c| self.squares[c]).sum();
        let share = contacts.len() as f64 / system.contacts.len() as f64;
        group.scale = (0.5 * (own + self.scale * self.scale * share)).sqrt();
        let from = |c: usize| start.get(c).copied().unwrap_or_default();
        let local = |&c: &usize| self.frames[c].0.map(|d| d.dot(from(c)));
        search.best.r.clear();
        search.best.r.extend(contacts.iter().map(local));
    }

    /// Nearly solves for a part: by sweeps; where these would be too many, or contacts are few, as exactly as
    /// the goal says.
    fn sweep(&self, part: &mut Part, start: &[Vec3], slack: &[f64], most: usize) {
        self.begin(part, start);
        let is_small = part.contacts.len() <= sweeps::FEW;
        let mut iterations = 0;
        let mut is_solved = !is_small && {
            iterations += self.sweep_from_best(part, slack, most);
            part.search.best.is_solved
        };
        if !is_solved {
            self.describe(part);
            part.search.solve(&part.group);
            iterations += part.search.best.iterations;
            if !is_small {
                // What was solved for is the law, roughly, not that none closes.
                iterations += self.sweep_from_best(part, slack, most);
            }
            is_solved = part.search.best.is_solved;
        }
        part.search.best.iterations = iterations;
        part.outcome = if is_solved { Outcome::Solved } else { Outcome::OutOfBudget };
    }

    /// Sweeps over many contacts whose impulses are far from an answer, to be solved from there.
    fn sweep_first(&self, part: &mut Part) {
        let Part { contacts, bodies, sweeps, search, group, .. } = part;
        let slack = search::FAR * group.scale / (contacts.len() as f64).sqrt();
        let best = &mut search.best;
        sweeps.begin(self.system, self.frames, (contacts, &best.r), bodies, |_| slack);
        let before = sweeps.residual(group.scale, &best.r);
        if before > search::FAR {
            let mut r = best.r.clone();
            if sweeps.until_stopped(group.scale, SWEEPS_FIRST, &mut r).residual < before {
                best.r = r;
            }
        }
    }

    /// Sweeps from the best impulses; how many.
    fn sweep_from_best(&self, part: &mut Part, slack: &[f64], most: usize) -> usize {
        let Part { contacts, bodies, sweeps, search, group, .. } = part;
        let best = &mut search.best;
        sweeps.begin(self.system, self.frames, (contacts, &best.r), bodies, |c| {
            slack.get(c).copied().unwrap_or(0.0)
        });
        let Left { is_stopped, residual, sweeps } = sweeps.until_stopped(group.scale, most, &mut best.r);
        (best.is_solved, best.residual) = (is_stopped, residual);
        sweeps
    }

    fn solve(&self, part: &mut Part, start: &[Vec3], settings: &Settings) {
        self.begin(part, start);
        if part.contacts.len() > search::MANY {
            self.sweep_first(part);
        }
        self.describe(part);
        part.search.solve(&part.group);
        let found = &part.search.best;
        part.outcome = if found.is_solved { Outcome::Solved } else { Outcome::Inaccurate };
        if !found.is_solved && found.residual > NEARLY_SOLVED && part.contacts.len() <= FEW {
            part.error = self.the_long_way(part, settings).err();
        }
    }

    /// The rows of a part over the velocities of its bodies, and what it is solved to.
    fn describe(&self, part: &mut Part) {
        let system = self.system;
        let Part { contacts, bodies, group, .. } = part;
        let number = |body: usize| bodies.binary_search(&body).map_or(NONE, |at| at as u32);
        let goal = (self.goal)(self.scale, contacts.len());
        (group.tolerance, group.enough) = (goal.tolerance, goal.enough);
        group.most_iterations = goal.most_iterations;
        refill(&mut group.rows, contacts, |c| Row::new(system, c, &self.frames[c], number));
        group.masses.clear();
        group.masses.extend(bodies.iter().map(|&body| system.bodies[body].mass_block()));
        group.inverses.clear();
        group.inverses.extend(bodies.iter().map(|&body| system.bodies[body].inverse_block()));
        group.free.clear();
        group.free.extend(bodies.iter().map(|&body| flat(system.bodies[body].free_velocity)));
    }

    /// By `auto` over the contacts, from the best that was found.
    fn the_long_way(&self, part: &mut Part, settings: &Settings) -> Result<(), SystemError> {
        let system = System {
            bodies: self.system.bodies.clone(),
            contacts: part.contacts.iter().map(|&c| self.system.contacts[c]).collect(),
            joints: Vec::new(),
            time_step: self.system.time_step,
        };
        let assembled = system.assemble()?.measured_in_velocities();
        let problem = assembled.problem();
        let scale = part.group.scale;
        let tolerance = (part.group.tolerance * scale / problem.scale()).min(LOOSEST);
        let start: Vec<f64> = part.search.best.r.iter().flatten().copied().collect();
        let report = Auto.solve(problem, Some(&start), &Settings { tolerance, ..settings.clone() });
        let found = &mut part.search.best;
        found.iterations += report.iterations;
        let residual = report.residual * problem.scale() / scale;
        if report.outcome == Outcome::Solved || residual < found.residual {
            found.r = report.r.chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
            (found.residual, part.outcome) = (residual, report.outcome);
        }
        part.notes = report.notes;
        Ok(())
    }
}

/// Sweeps at most before many contacts are solved for.
const SWEEPS_FIRST: usize = 200;

/// So many contacts are worth the while of a thread.
const GRAIN: usize = 256;

/// Makes a list hold something for each contact, in the memory it has; of many contacts on all threads.
fn refill<T: Send>(list: &mut Vec<T>, contacts: &[usize], make: impl Fn(usize) -> T + Sync + Send) {
    if contacts.len() >= 2 * GRAIN && rayon::current_num_threads() > 1 {
        contacts.par_iter().with_min_len(GRAIN).map(|&c| make(c)).collect_into_vec(list);
    } else {
        list.clear();
        list.extend(contacts.iter().map(|&c| make(c)));
    }
}

/// An answer with no more of a residual is not worth the long way: what is left is how contacts that
/// contradict each other share.
const NEARLY_SOLVED: f64 = 1e-6;

/// With more contacts the long way would take seconds.
const FEW: usize = 60;

/// Iterations of a search where an answer is to be quick: those of the interior-point method, and some more.
const QUICK_ITERATIONS: usize = 60;

/// Iterations of a search, unless the settings say otherwise.
const MOST_ITERATIONS: usize = 400;
