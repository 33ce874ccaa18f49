//! Accounts of momentum, and of a whole run.

use crate::body::Role;
use crate::report::{EnergyAccount, StepReport};
use crate::world::World;
use silvia_solid::Vec3;

/// Where the linear momentum of the free bodies came from in a step, N s.
///
/// `change = gravity + loads + contacts + numerical`
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MomentumAccount {
    /// By how much it grew.
    pub change: Vec3,
    /// What gravity gave.
    pub gravity: Vec3,
    /// What loads gave.
    pub loads: Vec3,
    /// What contacts with fixed, scripted and held bodies gave, impacts included.
    pub contacts: Vec3,
    /// What is left over: the error of the step.
    pub numerical: Vec3,
}

impl MomentumAccount {
    /// Adds another account to it.
    pub fn add(&mut self, other: &MomentumAccount) {
        let MomentumAccount { change, gravity, loads, contacts, numerical } = other;
        self.change += *change;
        self.gravity += *gravity;
        self.loads += *loads;
        self.contacts += *contacts;
        self.numerical += *numerical;
    }
}

/// The accounts of a run: those of its steps added up, and what flowed meanwhile, to which errors are
/// relative.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_world::{BodyBuilder, RunAccount, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// world.add(BodyBuilder::free(Shape::sphere(0.1)?).mass(2.0))?;
/// let mut account = RunAccount::begin(&world);
/// for _ in 0..100 {
///     let report = world.step(1e-2)?;
///     account.add(&world, &report);
/// }
/// // It has fallen for a second.
/// let kinetic = 0.5 * 2.0 * 9.81_f64.powi(2);
/// assert!((account.energy.kinetic - kinetic).abs() < 1e-9 && (account.flowed() - kinetic).abs() < 1e-9);
/// assert!(account.energy_error().abs() < 1e-12 && account.momentum_error() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunAccount {
    /// Where the energy went.
    pub energy: EnergyAccount,
    /// Where the momentum came from.
    pub momentum: MomentumAccount,
    /// The largest kinetic energy so far, J.
    pub most_kinetic: f64,
    /// The largest change of the potential energy since the start, J.
    pub most_potential: f64,
    /// The work of loads, scripts and hands in each step without its sign, added up, J.
    pub worked: f64,
    /// What friction and impacts took in each step without its sign, added up, J.
    pub taken: f64,
    /// What flows at least, J: see [`RunAccount::flowed`].
    pub least: f64,
    /// The lengths of what gravity, loads and contacts gave in each step, added up, N s.
    pub passed: f64,
    /// The largest momentum of the free bodies so far, N s.
    pub most_momentum: f64,
}

/// Motion that lifts bodies by less than this part of their sizes counts as none: opening the gaps of what
/// rests lifts it by billionths, and nothing else flows there.
const LEAST_LIFT: f64 = 1e-2;

impl RunAccount {
    /// Columns of [`RunAccount::to_reals`]: names and units.
    pub const COLUMNS: [[&'static str; 2]; 29] = [
        ["kinetic", "J"],
        ["potential", "J"],
        ["loads", "J"],
        ["driven", "J"],
        ["friction", "J"],
        ["impacts", "J"],
        ["numerical", "J"],
        ["momentum.change.x", "N s"],
        ["momentum.change.y", "N s"],
        ["momentum.change.z", "N s"],
        ["momentum.gravity.x", "N s"],
        ["momentum.gravity.y", "N s"],
        ["momentum.gravity.z", "N s"],
        ["momentum.loads.x", "N s"],
        ["momentum.loads.y", "N s"],
        ["momentum.loads.z", "N s"],
        ["momentum.contacts.x", "N s"],
        ["momentum.contacts.y", "N s"],
        ["momentum.contacts.z", "N s"],
        ["momentum.numerical.x", "N s"],
        ["momentum.numerical.y", "N s"],
        ["momentum.numerical.z", "N s"],
        ["most_kinetic", "J"],
        ["most_potential", "J"],
        ["worked", "J"],
        ["taken", "J"],
        ["least", "J"],
        ["passed", "N s"],
        ["most_momentum", "N s"],
    ];

    /// The account of a run that starts from the state of a world.
    pub fn begin(world: &World) -> RunAccount {
        let mut account = RunAccount::default();
        let gravity = world.outside().gravity.length();
        for (_, body) in world.numbered().filter(|(_, body)| body.is_movable()) {
            account.least += LEAST_LIFT * body.inertia.mass * gravity * body.size;
        }
        account.look_at(world);
        account
    }

    /// Adds a step of the world, just made.
    pub fn add(&mut self, world: &World, report: &StepReport) {
        let EnergyAccount { loads, driven, friction, impacts, .. } = report.energy;
        self.energy.add(&report.energy);
        self.momentum.add(&report.momentum);
        self.worked += loads.abs() + driven.abs();
        self.taken += friction.abs() + impacts.abs();
        let MomentumAccount { gravity, loads, contacts, .. } = report.momentum;
        self.passed += gravity.length() + loads.length() + contacts.length();
        self.look_at(world);
    }

    fn look_at(&mut self, world: &World) {
        self.most_kinetic = self.most_kinetic.max(world.energy().kinetic);
        self.most_potential = self.most_potential.max(self.energy.potential.abs());
        self.most_momentum = self.most_momentum.max(world.free_momentum().length());
    }

    /// How much energy flowed, J: the most of four, which are the largest kinetic energy, the largest change
    /// of the potential energy, the work done, and what friction and impacts took. But not less than a
    /// hundredth of what lifts each body by its size: a stack at rest would have an error of nothing by
    /// nothing.
    pub fn flowed(&self) -> f64 {
        let RunAccount { most_kinetic, most_potential, worked, taken, least, .. } = *self;
        [most_kinetic, most_potential, worked, taken].into_iter().fold(least, f64::max)
    }

    /// The numerical part of the energy's account by what [flowed](RunAccount::flowed): positive if energy
    /// was gained. 0 where nothing flowed.
    pub fn energy_error(&self) -> f64 {
        relative(self.energy.numerical, self.flowed())
    }

    /// The numerical part of the momentum's account by what flowed: the larger of the largest momentum, and
    /// of the sum of what gravity, loads and contacts gave in each step. 0 where nothing flowed.
    pub fn momentum_error(&self) -> f64 {
        relative(self.momentum.numerical.length(), self.passed.max(self.most_momentum))
    }

    /// All of it as numbers, in the order of [`RunAccount::COLUMNS`].
    pub fn to_reals(&self) -> [f64; 29] {
        let EnergyAccount { kinetic, potential, loads, driven, friction, impacts, numerical } = self.energy;
        let MomentumAccount { change, gravity, loads: by_loads, contacts, numerical: left } = self.momentum;
        let mut reals = [0.0; 29];
        reals[..7].copy_from_slice(&[kinetic, potential, loads, driven, friction, impacts, numerical]);
        let vectors = [change, gravity, by_loads, contacts, left];
        reals[7..22].as_chunks_mut::<3>().0.iter_mut().zip(vectors).for_each(|(to, v)| *to = v.to_array());
        let RunAccount { most_kinetic, most_potential, worked, taken, least, passed, most_momentum, .. } =
            *self;
        let rest = [most_kinetic, most_potential, worked, taken, least, passed, most_momentum];
        reals[22..].copy_from_slice(&rest);
        reals
    }

    /// The same account again, to the bit.
    pub fn from_reals(reals: &[f64; 29]) -> RunAccount {
        let vector = |first: usize| Vec3::new(reals[first], reals[first + 1], reals[first + 2]);
        RunAccount {
            energy: EnergyAccount {
                kinetic: reals[0],
                potential: reals[1],
                loads: reals[2],
                driven: reals[3],
                friction: reals[4],
                impacts: reals[5],
                numerical: reals[6],
            },
            momentum: MomentumAccount {
                change: vector(7),
                gravity: vector(10),
                loads: vector(13),
                contacts: vector(16),
                numerical: vector(19),
            },
            most_kinetic: reals[22],
            most_potential: reals[23],
            worked: reals[24],
            taken: reals[25],
            least: reals[26],
            passed: reals[27],
            most_momentum: reals[28],
        }
    }
}

fn relative(error: f64, flowed: f64) -> f64 {
    if flowed > 0.0 { error / flowed } else { 0.0 }
}

impl World {
    /// The momentum of the bodies that are free, not held, N s.
    fn free_momentum(&self) -> Vec3 {
        let free = self.numbered().filter(|(_, body)| matches!(body.role, Role::Free));
        free.fold(Vec3::ZERO, |sum, (number, body)| {
            sum + body.inertia.mass * self.state.bodies[number].velocity.linear
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_comes_back_from_its_numbers_to_the_bit() {
        let reals = std::array::from_fn(|i| 0.1 * i as f64 - 1.0 / 3.0);
        let account = RunAccount::from_reals(&reals);
        assert_eq!(account.to_reals(), reals);
        assert_eq!(RunAccount::from_reals(&account.to_reals()), account);
    }
}
