//! What governs all steps of a world.

use crate::level::Level;
use silvia_solid::Vec3;
use thiserror::Error;

/// What governs all steps of a world.
///
/// ```
/// use silvia_solid::Vec3;
/// use silvia_world::WorldSettings;
/// let settings = WorldSettings::default().with_gravity(Vec3::ZERO).with_sleep_after(50);
/// assert_eq!(settings.sleep_after, 50);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorldSettings {
    /// Acceleration of everything free, m/s².
    pub gravity: Vec3,
    /// Gaps are kept at or above this fraction of the size of the smaller body, so that rounding never turns
    /// touching into penetrating.
    pub shell: f64,
    /// A pair that closes faster than this is an impact, and rebounds, m/s; slower ones come to rest on each
    /// other.
    pub impact_speed: f64,
    /// Most impacts of an island in a step: after that its bodies no longer rebound until the step ends.
    /// After half as many more, what lands does so as a contact.
    pub most_impacts: usize,
    /// A step is cut where it must be, but to no less than this fraction of it.
    pub shortest_cut: f64,
    /// To what residual contact problems are solved, relative to the velocities that contacts must stop.
    pub tolerance: f64,
    /// Most iterations of a solver on one contact problem; a piece whose forces are not found within them is
    /// cut.
    pub most_iterations: usize,
    /// For interaction: less exact rebounds and friction for less work, and a shell of [`Budget::SHELL`] or
    /// more. The certificate stays as it is. `None` for all the exactness there is.
    pub interactive: Option<Budget>,
    /// Bodies that have rested for so many steps, with all that they touch, sleep: they stay where they are,
    /// and cost nothing, until something else comes near them or the world is changed from outside. 0: never.
    pub sleep_after: u32,
    /// What becomes of a script that cannot go on because nothing in its way can give way.
    pub on_stuck: OnStuck,
    /// Whether steps are of second order where bodies touch, as long as what their contacts do lasts: for
    /// what rolls, spins and slides. By default they are. It has no effect in interactive worlds and with
    /// methods that know no [velocities at the end](crate::response::Response::end_velocities).
    pub second_order: bool,
    /// How much of mechanics the world knows; all of it by default.
    pub level: Level,
}

/// What becomes of a script that cannot go on because nothing in its way can give way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnStuck {
    /// The step is refused with [`StepError::Stuck`](crate::StepError::Stuck).
    #[default]
    End,
    /// The scripted body is held where it is for the step, and the report says so
    /// ([`ShortfallKind::Hold`](crate::ShortfallKind::Hold)). In the next step it tries to get to where its
    /// script then has it.
    Hold,
}

impl OnStuck {
    /// The one that goes by a name, as scene files spell it: `end` or `hold`.
    pub fn by_name(name: &str) -> Option<OnStuck> {
        match name {
            "end" => Some(OnStuck::End),
            "hold" => Some(OnStuck::Hold),
            _ => None,
        }
    }
}

/// How much work an island may be in a step, in counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Impacts, after which its bodies no longer rebound until the step ends: contacts that close after that
    /// come to rest on each other.
    pub impacts: usize,
    /// Sweeps over its contacts for one contact problem, or the work of as many. Where contacts still close
    /// after them, by what would bridge their shells, a way that costs more is taken: never the certificate
    /// is given up. Other methods than `auto`, and impacts, are given as many iterations, and solve to
    /// [`Budget::RESIDUAL`] only.
    pub iterations: usize,
}

impl Budget {
    /// So many impacts, and so many sweeps or iterations.
    pub fn new(impacts: usize, iterations: usize) -> Budget {
        Budget { impacts, iterations }
    }

    /// To what residual impacts are solved, and what other methods than `auto` solve.
    pub const RESIDUAL: f64 = 1e-6;

    /// The least [shell](WorldSettings::shell): what sweeps leave of contacts that close must fit into it.
    /// The larger, the fewer sweeps it takes.
    pub const SHELL: f64 = 1e-5;
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { impacts: 1, iterations: 500 }
    }
}

impl Default for WorldSettings {
    fn default() -> WorldSettings {
        WorldSettings {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            shell: 1e-9,
            impact_speed: 1e-3,
            most_impacts: 64,
            shortest_cut: 1e-6,
            tolerance: 1e-11,
            most_iterations: 1_000,
            interactive: None,
            sleep_after: 0,
            on_stuck: OnStuck::End,
            second_order: true,
            level: Level::Impacts,
        }
    }
}

/// Why settings were refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// Gravity with NaN or infinity.
    #[error("gravity must be finite, not {given} m/s²")]
    Gravity {
        /// As given, m/s².
        given: Vec3,
    },
    /// A number out of its range.
    #[error("the setting `{setting}` must be {range}, not {given}")]
    OutOfRange {
        /// The name of the field.
        setting: &'static str,
        /// As given.
        given: f64,
        /// What it may be.
        range: &'static str,
    },
}

/// # Setting one thing
impl WorldSettings {
    /// With an [acceleration](WorldSettings::gravity) of everything free, m/s².
    pub fn with_gravity(self, gravity: Vec3) -> WorldSettings {
        WorldSettings { gravity, ..self }
    }

    /// With a [shell](WorldSettings::shell) of this fraction of the smaller body's size.
    pub fn with_shell(self, shell: f64) -> WorldSettings {
        WorldSettings { shell, ..self }
    }

    /// With a [speed](WorldSettings::impact_speed) from which on pairs rebound, m/s.
    pub fn with_impact_speed(self, impact_speed: f64) -> WorldSettings {
        WorldSettings { impact_speed, ..self }
    }

    /// With so many [impacts](WorldSettings::most_impacts) of an island in a step at most.
    pub fn with_most_impacts(self, most_impacts: usize) -> WorldSettings {
        WorldSettings { most_impacts, ..self }
    }

    /// With a [shortest piece](WorldSettings::shortest_cut) of this fraction of the step.
    pub fn with_shortest_cut(self, shortest_cut: f64) -> WorldSettings {
        WorldSettings { shortest_cut, ..self }
    }

    /// With a [residual](WorldSettings::tolerance) to which contact problems are solved.
    pub fn with_tolerance(self, tolerance: f64) -> WorldSettings {
        WorldSettings { tolerance, ..self }
    }

    /// With so many [iterations](WorldSettings::most_iterations) of a solver at most.
    pub fn with_most_iterations(self, most_iterations: usize) -> WorldSettings {
        WorldSettings { most_iterations, ..self }
    }

    /// With a [budget](WorldSettings::interactive) for interaction, or without one for exact answers.
    pub fn with_interactive(self, interactive: impl Into<Option<Budget>>) -> WorldSettings {
        WorldSettings { interactive: interactive.into(), ..self }
    }

    /// With bodies that [sleep](WorldSettings::sleep_after) after so many steps at rest; 0 for never.
    pub fn with_sleep_after(self, sleep_after: u32) -> WorldSettings {
        WorldSettings { sleep_after, ..self }
    }

    /// With steps of [second order](WorldSettings::second_order) where bodies touch, or of first.
    pub fn with_second_order(self, second_order: bool) -> WorldSettings {
        WorldSettings { second_order, ..self }
    }

    /// With another [level](WorldSettings::level) of mechanics.
    pub fn with_level(self, level: Level) -> WorldSettings {
        WorldSettings { level, ..self }
    }

    /// With a choice of what [becomes of scripts](WorldSettings::on_stuck) that cannot go on.
    pub fn with_on_stuck(self, on_stuck: OnStuck) -> WorldSettings {
        WorldSettings { on_stuck, ..self }
    }
}

impl WorldSettings {
    /// The shell that steps use.
    pub(crate) fn shell_in_use(&self) -> f64 {
        self.interactive.map_or(self.shell, |_| self.shell.max(Budget::SHELL))
    }

    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        if !self.gravity.is_finite() {
            return Err(SettingsError::Gravity { given: self.gravity });
        }
        let is_fraction = |x: f64| x > 0.0 && x < 1.0;
        const FRACTION: &str = "more than 0 and less than 1";
        let is_speed = self.impact_speed >= 0.0 && self.impact_speed.is_finite();
        for (setting, given, is_right, range) in [
            ("shell", self.shell, is_fraction(self.shell), FRACTION),
            ("impact_speed", self.impact_speed, is_speed, "0 m/s or more, and finite"),
            ("shortest_cut", self.shortest_cut, is_fraction(self.shortest_cut), FRACTION),
            ("tolerance", self.tolerance, is_fraction(self.tolerance), FRACTION),
        ] {
            if !is_right {
                return Err(SettingsError::OutOfRange { setting, given, range });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_has_a_range() {
        let good = WorldSettings::default();
        assert_eq!(good.check(), Ok(()));
        let gravity = WorldSettings { gravity: Vec3::new(f64::NAN, 0.0, 0.0), ..good.clone() };
        assert!(matches!(gravity.check(), Err(SettingsError::Gravity { .. })));
        for bad in [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY] {
            for settings in [
                WorldSettings { shell: bad, ..good.clone() },
                WorldSettings { shortest_cut: bad, ..good.clone() },
                WorldSettings { tolerance: bad, ..good.clone() },
            ] {
                assert!(matches!(settings.check(), Err(SettingsError::OutOfRange { .. })), "{settings:?}");
            }
        }
        for bad in [-1e-3, f64::NAN, f64::INFINITY] {
            let settings = WorldSettings { impact_speed: bad, ..good.clone() };
            let Err(SettingsError::OutOfRange { setting, .. }) = settings.check() else { panic!("{bad}") };
            assert_eq!(setting, "impact_speed");
        }
    }
}
