//! Forces and torques that act on a body.

mod bytes;

use silvia_solid::{Quat, Remedy, Vec3};
use thiserror::Error;

/// Names a load of a world; never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoadId(pub(crate) u32);

/// A force or a torque on a body: constant or over time, along fixed axes or turning with the body.
///
/// ```
/// use silvia_solid::Vec3;
/// use silvia_world::Load;
///
/// // A thruster at the tail: turns with the body, burns for a second.
/// let thruster = Load::force(Vec3::X * 20.0).at(Vec3::new(-0.5, 0.0, 0.0)).turning().between(1.0, 2.0);
/// // A motor that runs up in half a second.
/// let motor = Load::torque(Vec3::Z * 0.3).over([(0.0, 0.0), (0.5, 1.0)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    action: Action,
    /// In the body's frame, m; the centre of mass if there is none.
    point: Option<Vec3>,
    /// Whether its axes are those of the body.
    is_turning: bool,
    /// Times in s and factors, linear between them; 1 throughout if there are none.
    factors: Option<Vec<(f64, f64)>>,
    /// It acts from the first time to the second, s.
    window: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    /// A force, N.
    Force(Vec3),
    /// A torque, N m.
    Torque(Vec3),
}

/// Why a load was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum LoadError {
    /// A force, torque or point with NaN or infinity.
    NotFinite {
        /// "force", "torque" or "point".
        what: &'static str,
        /// As given.
        given: Vec3,
    },
    /// A torque that was given a point.
    TorqueAtPoint,
    /// A window that ends before it begins.
    Window {
        /// As given, s.
        from: f64,
        /// As given, s.
        to: f64,
    },
    /// An entry of a table that is not finite, or whose time is not after the one before.
    Table {
        /// Which one, from 0.
        number: usize,
        /// As given, s.
        time: f64,
        /// As given.
        factor: f64,
    },
    /// A table of nothing.
    EmptyTable,
}

impl Remedy for LoadError {
    fn what(&self) -> String {
        match self {
            LoadError::NotFinite { what, given } => format!("the {what} of the load is not finite: {given}"),
            LoadError::TorqueAtPoint => "a torque acts on the whole body".to_owned(),
            LoadError::Window { from, to } => format!("the load acts from {from} s to {to} s"),
            LoadError::Table { number, time, factor } => format!(
                "entry {number} of the load's table ({time} s, factor {factor}) is not \
                 finite or not after the one before"
            ),
            LoadError::EmptyTable => "the load's table has no entries".to_owned(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            LoadError::TorqueAtPoint => "give it no point".to_owned(),
            LoadError::Window { .. } => "the second must be a later time".to_owned(),
            LoadError::EmptyTable => "leave it away for a constant load".to_owned(),
            LoadError::NotFinite { .. } | LoadError::Table { .. } => String::new(),
        }
    }
}

impl Load {
    /// A constant force through the centre of mass, along the axes of the world, N.
    pub fn force(force: Vec3) -> Load {
        Load::constant(Action::Force(force))
    }

    /// A constant torque along the axes of the world, N m.
    pub fn torque(torque: Vec3) -> Load {
        Load::constant(Action::Torque(torque))
    }

    /// Acts at a point of the body, in the body's frame, m. For forces: a torque with a point is refused when
    /// it is added.
    #[must_use]
    pub fn at(mut self, point: Vec3) -> Load {
        self.point = Some(point);
        self
    }

    /// Its axes are those of the body, and turn with it.
    #[must_use]
    pub fn turning(mut self) -> Load {
        self.is_turning = true;
        self
    }

    /// Acts from one time to another, s; either may be infinite.
    #[must_use]
    pub fn between(mut self, from: f64, to: f64) -> Load {
        self.window = [from, to];
        self
    }

    /// Multiplied by a factor over time: times in s and factors, linear between them, constant before the
    /// first and after the last.
    #[must_use]
    pub fn over(mut self, factors: impl IntoIterator<Item = (f64, f64)>) -> Load {
        self.factors = Some(factors.into_iter().collect());
        self
    }

    fn constant(action: Action) -> Load {
        let window = [f64::NEG_INFINITY, f64::INFINITY];
        Load { action, point: None, is_turning: false, factors: None, window }
    }

    pub(crate) fn check(&self) -> Result<(), LoadError> {
        let (what, given) = match self.action {
            Action::Force(force) => ("force", force),
            Action::Torque(torque) => ("torque", torque),
        };
        if !given.is_finite() {
            return Err(LoadError::NotFinite { what, given });
        }
        if let Some(given) = self.point.filter(|point| !point.is_finite()) {
            return Err(LoadError::NotFinite { what: "point", given });
        }
        if matches!((self.action, self.point), (Action::Torque(_), Some(_))) {
            return Err(LoadError::TorqueAtPoint);
        }
        let [from, to] = self.window;
        if from.is_nan() || to.is_nan() || from >= to {
            return Err(LoadError::Window { from, to });
        }
        let Some(factors) = &self.factors else { return Ok(()) };
        if factors.is_empty() {
            return Err(LoadError::EmptyTable);
        }
        let mut last = f64::NEG_INFINITY;
        for (number, &(time, factor)) in factors.iter().enumerate() {
            if !(time.is_finite() && factor.is_finite() && time > last) {
                return Err(LoadError::Table { number, time, factor });
            }
            last = time;
        }
        Ok(())
    }

    /// The times between two, s, at which it begins, ends or bends; in any order.
    pub(crate) fn bends(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + '_ {
        let table = self.factors.as_deref().unwrap_or_default();
        let first = table.partition_point(|&(time, _)| time <= from);
        let after = table.partition_point(|&(time, _)| time < to);
        let of_table = table.get(first..after).unwrap_or_default().iter().map(|&(time, _)| time);
        of_table.chain(self.window).filter(move |&time| from < time && time < to)
    }

    /// Its factors at two times between which it does not bend, s; `None` if it does not act there.
    pub(crate) fn factors(&self, from: f64, to: f64) -> Option<[f64; 2]> {
        let middle = 0.5 * (from + to);
        (self.window[0] <= middle && middle < self.window[1]).then(|| [self.factor(from), self.factor(to)])
    }

    /// Without its window.
    fn factor(&self, time: f64) -> f64 {
        let Some(table) = &self.factors else { return 1.0 };
        let after = table.partition_point(|&(t, _)| t <= time);
        match (after.checked_sub(1).map(|before| table[before]), table.get(after)) {
            (None, Some(&(_, first))) => first,
            (Some((_, last)), None) => last,
            (Some((t0, f0)), Some(&(t1, f1))) => f0 + (f1 - f0) * ((time - t0) / (t1 - t0)),
            // A table has entries.
            (None, None) => 1.0,
        }
    }

    /// Its force in world axes at factor 1, N, if that does not depend on how the body lies.
    pub(crate) fn fixed_force(&self) -> Option<Vec3> {
        match self.action {
            Action::Force(force) if !self.is_turning => Some(force),
            _ => None,
        }
    }

    /// Its force in world axes at factor 1, N, if that turns with the body.
    pub(crate) fn turning_force(&self, rotation: Quat) -> Option<Vec3> {
        match self.action {
            Action::Force(force) if self.is_turning => Some(rotation * force),
            _ => None,
        }
    }

    /// Its torque about the centre of mass (given in the body's frame) in world axes at factor 1, N m.
    pub(crate) fn torque_on(&self, rotation: Quat, centre: Vec3) -> Vec3 {
        let turned = |v: Vec3| if self.is_turning { rotation * v } else { v };
        match (self.action, self.point) {
            (Action::Torque(torque), _) => turned(torque),
            (Action::Force(force), Some(point)) => (rotation * (point - centre)).cross(turned(force)),
            (Action::Force(_), None) => Vec3::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_linear_between_its_times_and_constant_outside() {
        let load = Load::torque(Vec3::X).over([(1.0, 2.0), (3.0, 6.0), (4.0, 0.0)]);
        for (time, factor) in
            [(0.0, 2.0), (1.0, 2.0), (1.5, 3.0), (3.0, 6.0), (3.5, 3.0), (4.0, 0.0), (9.0, 0.0)]
        {
            assert_eq!(load.factor(time), factor, "{time}");
        }
        assert_eq!(load.bends(0.0, 3.5).collect::<Vec<_>>(), [1.0, 3.0]);
        assert_eq!(load.bends(1.0, 3.0).count(), 0);
        assert_eq!(load.bends(5.0, 6.0).count(), 0);
    }

    #[test]
    fn a_window_begins_and_ends_what_acts() {
        let load = Load::force(Vec3::X).between(1.0, 2.0);
        assert_eq!(load.bends(0.0, 3.0).collect::<Vec<_>>(), [1.0, 2.0]);
        assert_eq!(load.factors(0.0, 1.0), None);
        assert_eq!(load.factors(1.0, 2.0), Some([1.0, 1.0]));
        assert_eq!(load.factors(2.0, 3.0), None);
        assert_eq!(Load::force(Vec3::X).bends(-1e300, 1e300).count(), 0);
    }

    #[test]
    fn a_force_at_a_point_turns_the_body_about_its_centre() {
        let quarter = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let force = Load::force(Vec3::Y).at(Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(force.torque_on(Quat::IDENTITY, Vec3::X), Vec3::Z);
        assert!(force.torque_on(quarter, Vec3::X).length() < 1e-15); // the arm is along the force now
        let turning = force.turning();
        assert!((turning.torque_on(quarter, Vec3::X) - Vec3::Z).length() < 1e-15);
        assert!((turning.turning_force(quarter).unwrap() + Vec3::X).length() < 1e-15);
        assert_eq!(turning.fixed_force(), None);
    }

    #[test]
    fn what_is_no_load_is_refused() {
        let nan = Vec3::new(0.0, f64::NAN, 0.0);
        let refused = |load: Load| load.check().unwrap_err();
        assert!(matches!(refused(Load::force(nan)), LoadError::NotFinite { what: "force", .. }));
        assert!(matches!(refused(Load::torque(nan)), LoadError::NotFinite { what: "torque", .. }));
        assert!(matches!(refused(Load::force(Vec3::X).at(nan)), LoadError::NotFinite { what: "point", .. }));
        assert_eq!(refused(Load::torque(Vec3::X).at(Vec3::ZERO)), LoadError::TorqueAtPoint);
        for [from, to] in [[1.0, 1.0], [2.0, 1.0], [f64::NAN, 1.0], [0.0, f64::NAN]] {
            assert!(matches!(refused(Load::force(Vec3::X).between(from, to)), LoadError::Window { .. }));
        }
        assert_eq!(refused(Load::force(Vec3::X).over([])), LoadError::EmptyTable);
        for entry in [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (2.0, f64::INFINITY)] {
            let load = Load::force(Vec3::X).over([(0.0, 1.0), entry]);
            assert!(matches!(refused(load), LoadError::Table { number: 1, .. }));
        }
    }
}
