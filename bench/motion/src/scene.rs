//! The scenes: one body that rolls without slipping, and what is known of it.

use crate::truth::{GRAVITY, Rolling, State, rolling_velocity};
use silvia::prelude::*;

/// What rolls, as every engine gets it. The centre of mass is at its origin, the mass is 1 kg.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// About its z axis.
    Disk {
        radius: f64,
        thickness: f64,
    },
    Ellipsoid {
        semi_axes: Vec3,
        inertia: Mat3,
    },
    /// In a bowl, the inside of a sphere around the origin.
    Ball {
        radius: f64,
        bowl: f64,
    },
}

/// One body on a plane, or in a bowl.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    /// For the page.
    pub(crate) what: &'static str,
    pub(crate) form: Form,
    pub(crate) start: State,
    /// Simulated, s.
    pub(crate) time: f64,
}

/// Enough for none of them to slip.
pub(crate) const FRICTION: f64 = 1.5;

pub(crate) fn all() -> Vec<Scene> {
    vec![coin(), disk(), bowl(), rattleback()]
}

fn bowl() -> Scene {
    let (radius, bowl) = (0.02, 0.1);
    let form = Form::Ball { radius, bowl };
    let aside = 40_f64.to_radians();
    let up = Vec3::new(-aside.sin(), 0.0, aside.cos());
    let centre = -(bowl - radius) * up;
    // It spins about the vertical, so that it goes round as it swings.
    let still = State { rotation: Quat::IDENTITY, angular: 30.0 * Vec3::Z, linear: Vec3::ZERO, centre };
    Scene {
        name: "bowl",
        what: "A ball of 40 mm, spun at 30 rad/s, rolls in a bowl of 200 mm from 40 degrees aside, for 2 s",
        form,
        start: State { linear: rolling_velocity(&form, &still), ..still },
        time: 2.0,
    }
}

fn coin() -> Scene {
    let form = Form::Disk { radius: 0.0125, thickness: 0.002 };
    let (tilt, rate) = (70_f64.to_radians(), 6.0);
    Scene {
        name: "coin",
        what: "A coin of 25 mm rolls round a circle, tilted by 70 degrees, at 6 rad/s, for 1 s",
        form,
        start: steady(&form, 0.0125, 0.002, tilt, rate),
        time: 1.0,
    }
}

fn disk() -> Scene {
    let form = Form::Disk { radius: 0.0375, thickness: 0.006 };
    let tilt = 10_f64.to_radians();
    Scene {
        name: "disk",
        what: "Euler's disk of 75 mm rolls on the spot, tilted by 10 degrees, for 1 s",
        form,
        start: steady(&form, 0.0375, 0.006, tilt, rate_on_the_spot(0.0375, 0.006, tilt)),
        time: 1.0,
    }
}

fn rattleback() -> Scene {
    let semi_axes = Vec3::new(0.1, 0.03, 0.02);
    let s = semi_axes * semi_axes;
    let even = Mat3::from_diagonal(Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 5.0);
    let askew = Mat3::from_quat(Quat::from_rotation_z(0.15));
    let form = Form::Ellipsoid { semi_axes, inertia: askew * even * askew.transpose() };
    let rotation = Quat::from_rotation_x(0.02) * Quat::from_rotation_y(0.01);
    let still = State { rotation, angular: -5.0 * Vec3::Z, linear: Vec3::ZERO, centre: Vec3::ZERO };
    let height = -form.arm(&still).0.z;
    let start = State { linear: rolling_velocity(&form, &still), centre: height * Vec3::Z, ..still };
    Scene {
        name: "rattleback",
        what: "A rattleback of 200 mm, spun the wrong way at 5 rad/s, turns back; 2 s",
        form,
        start,
        time: 2.0,
    }
}

/// A disk in steady rolling: tilted, with its axis going round the vertical at a rate, rad/s.
fn steady(form: &Form, radius: f64, thickness: f64, tilt: f64, rate: f64) -> State {
    let k = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    let down = -(Vec3::Z - k.z * k).normalize();
    let arm = -0.5 * thickness * k + radius * down;
    // Moments by mass.
    let (across, along) = (radius * radius / 4.0 + thickness * thickness / 12.0, radius * radius / 2.0);
    let motion = |spin: f64| {
        let w = rate * Vec3::Z + spin * k;
        (w, -w.cross(arm).y / rate * Vec3::X)
    };
    // What the angular momentum changes by, less the torque of the contact force: linear in the spin.
    let unbalance = |spin: f64| {
        let (w, from_middle) = motion(spin);
        let momentum = across * (w - w.dot(k) * k) + along * w.dot(k) * k;
        let force = GRAVITY * Vec3::Z - rate * rate * from_middle;
        (rate * Vec3::Z.cross(momentum) - arm.cross(force)).y
    };
    let spin = -unbalance(0.0) / (unbalance(1.0) - unbalance(0.0));
    let (angular, from_middle) = motion(spin);
    let rotation = Quat::from_rotation_y(tilt);
    let centre = from_middle - arm.z * Vec3::Z;
    let at = State { rotation, angular, linear: Vec3::ZERO, centre };
    State { linear: rolling_velocity(form, &at), ..at }
}

/// The rate at which a disk rolls with its centre at rest, rad/s.
fn rate_on_the_spot(a: f64, h: f64, tilt: f64) -> f64 {
    let t = tilt.tan();
    let inertia = a * a / 4.0 + h * h / 12.0 - a * h / 4.0 * t;
    (GRAVITY * (a - 0.5 * h * t) / (inertia * tilt.sin())).sqrt()
}

impl Form {
    /// Half its largest extent, m: what errors are relative to.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Form::Disk { radius, .. } => *radius,
            Form::Ellipsoid { semi_axes, .. } => semi_axes.max_element(),
            Form::Ball { radius, .. } => *radius,
        }
    }
}

impl Rolling for Form {
    fn inertia(&self) -> Mat3 {
        match *self {
            Form::Disk { radius, thickness } => {
                let across = radius * radius / 4.0 + thickness * thickness / 12.0;
                Mat3::from_diagonal(Vec3::new(across, across, radius * radius / 2.0))
            }
            Form::Ellipsoid { inertia, .. } => inertia,
            Form::Ball { radius, .. } => Mat3::from_diagonal(Vec3::splat(0.4 * radius * radius)),
        }
    }

    fn arm(&self, at: &State) -> (Vec3, Vec3) {
        let w = at.angular;
        match *self {
            // The lowest point of the lower rim.
            Form::Disk { radius, thickness } => {
                let k = at.rotation * Vec3::Z;
                let k_change = w.cross(k);
                let (across, across_change) = (k.z * k - Vec3::Z, k_change.z * k + k.z * k_change);
                let length = across.length();
                let down = across / length;
                let down_change = (across_change - down * down.dot(across_change)) / length;
                (-0.5 * thickness * k + radius * down, -0.5 * thickness * k_change + radius * down_change)
            }
            Form::Ellipsoid { semi_axes, .. } => {
                let squares = semi_axes * semi_axes;
                let down = -(at.rotation.conjugate() * Vec3::Z);
                // The downward direction turns back as the body turns.
                let change = -(at.rotation.conjugate() * w).cross(down);
                let reach = (squares * down).dot(down).sqrt();
                let low = squares * down / reach;
                let low_change =
                    squares * change / reach - low * ((squares * down).dot(change) / (reach * reach));
                (at.rotation * low, w.cross(at.rotation * low) + at.rotation * low_change)
            }
            // Away from the middle of the bowl, which is the origin.
            Form::Ball { radius, .. } => {
                let away = at.centre.length();
                let out = at.centre / away;
                let change = (at.linear - out * out.dot(at.linear)) / away;
                (radius * out, radius * change)
            }
        }
    }
}

impl Scene {
    /// How far a state is from another, as a share of the body's radius: by its centre, and by its rotation.
    pub(crate) fn apart(&self, a: &State, b: &State) -> f64 {
        let turned = (a.rotation.conjugate() * b.rotation).xyz().length().min(1.0);
        a.centre.distance(b.centre) / self.form.radius() + 2.0 * turned
    }

    /// Kinetic and potential energy, J.
    pub(crate) fn energy(&self, at: &State) -> f64 {
        let own = at.rotation.conjugate() * at.angular;
        0.5 * at.linear.length_squared() + 0.5 * own.dot(self.form.inertia() * own) + GRAVITY * at.centre.z
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::after;

    #[test]
    fn a_disk_in_steady_rolling_keeps_its_tilt_and_goes_round_at_its_rate() {
        for (scene, rate) in [(coin(), 6.0), (disk(), rate_on_the_spot(0.0375, 0.006, 10_f64.to_radians()))] {
            let end = after(&scene.form, scene.start, 0.5);
            let round = Quat::from_rotation_z(0.5 * rate);
            let axis = |state: &State| state.rotation * Vec3::Z;
            assert!(axis(&end).distance(round * axis(&scene.start)) < 1e-9, "{}", scene.name);
            let flat = |state: &State| state.centre.with_z(0.0);
            assert!(flat(&end).distance(round * flat(&scene.start)) < 1e-9, "{}", scene.name);
        }
    }

    #[test]
    fn what_rolls_keeps_its_energy() {
        for scene in all() {
            let end = after(&scene.form, scene.start, scene.time);
            let (before, now) = (scene.energy(&scene.start), scene.energy(&end));
            assert!((now - before).abs() < 1e-9 * before, "{}: {before} J, then {now} J", scene.name);
        }
    }
}
