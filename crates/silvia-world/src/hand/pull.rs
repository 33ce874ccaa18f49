//! What hands do to a body over a piece of a step.

use super::{Damping, Hand, HandId};
use crate::body::{Body, BodyState};
use crate::flight::Until;
use crate::kinematics::{cross_matrix, turn_of};
use silvia_contact::{MassMatrix, Twist};
use silvia_solid::{Mat3, Vec3};

/// When a piece of a step begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Its start, s.
    pub(crate) start: f64,
    pub(crate) until: Until,
    /// From its start to its end, s.
    pub(crate) length: f64,
}

/// Shares of their springs by which hands pull that are at their limits: of forces and of torques.
pub(crate) type Shares = [(HandId, [f64; 2])];

/// A hand over a piece: its force and torque are linear in the velocity of the body at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    pub(crate) id: HandId,
    /// From the centre of mass to the grip, m, where the piece starts.
    arm: Vec3,
    /// What the grip is from its target at the end, were it to stay: m, and rad.
    error: Twist,
    /// How the turn of `error` changes with the rotation of the body; transposed, how its springs turn that.
    gradient: Mat3,
    /// Of the target over the piece, m/s and rad/s.
    rate: Twist,
    /// In world axes: N/m, N m/rad.
    springs: [Mat3; 2],
    /// N s/m, N m s/rad.
    dampers: [Mat3; 2],
    /// N, N m.
    push: Twist,
    /// N, N m
    most: [f64; 2],
    /// By how much of that it pulls, so that the most is not exceeded.
    share: [f64; 2],
    pub(crate) bears_weight: bool,
    length: f64,
}

/// A body that hands hold, over a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// How impulses change its velocity.
    pub(crate) inverse: MassMatrix,
    /// Mass with springs and dampers.
    pub(crate) mass: MassMatrix,
    /// At the end, if nothing touched it.
    pub(crate) velocity: Twist,
}

/// Springs and dampers count for at most so many times the mass of the body: beyond that they are as good as
/// rigid, and digits are lost.
const MOST_OF_MASS: f64 = 1e8;

/// The hands of a body that starts a piece in a state. At the limits some pull by a `share` alone; others by
/// what they would exceed their limits at the velocity of the start.
pub(crate) fn pulls<'a>(
    body: &'a Body,
    state: &'a BodyState,
    span: Span,
    shares: &'a Shares,
) -> impl Iterator<Item = Pull> + 'a {
    let middle = span.start + 0.5 * span.length;
    body.hands.iter().filter(move |(_, hand)| hand.acts_at(middle)).map(move |(&id, hand)| {
        let mut pull = Pull::new(id, hand, body, state, span);
        pull.share = match shares.iter().find(|(of, _)| *of == id) {
            Some((_, share)) => *share,
            None => pull.share_at(state.velocity),
        };
        pull
    })
}

/// What hands make of a body whose velocity at the end would be `free` without them; `None` if none pulls.
pub(crate) fn hold(
    body: &Body,
    state: &BodyState,
    (free, gravity): (Twist, Vec3),
    span: Span,
    shares: &Shares,
) -> Option<Hold> {
    let mut mass = MassMatrix::rigid(body.inertia.mass, body.inertia.in_world(state.rotation));
    let mut momentum = mass.times(free);
    let (mut is_held, mut bears_weight) = (false, false);
    for pull in pulls(body, state, span, shares) {
        let [linear, angular] = pull.as_mass();
        mass.add(pull.arm, linear, angular);
        let still = pull.force(Twist::default());
        momentum.linear += span.length * still.linear;
        momentum.angular += span.length * (still.angular + pull.arm.cross(still.linear));
        is_held = true;
        bears_weight |= pull.bears_weight;
    }
    if !is_held {
        return None;
    }
    if bears_weight {
        momentum.linear -= span.length * body.inertia.mass * gravity;
    }
    let inverse = mass.inverse()?;
    Some(Hold { inverse, mass, velocity: inverse.times(momentum) })
}

impl Pull {
    fn new(id: HandId, hand: &Hand, body: &Body, state: &BodyState, span: Span) -> Pull {
        let Span { start, until, length } = span;
        let grip_in_body = hand.grip.translation();
        let [from, to] = [hand.target_at(start, 0.0), hand.target_at(until.time, until.later)];
        let wanted = to.transform_point(grip_in_body);
        let arm = state.rotation * (grip_in_body - body.inertia.centre);
        let axes = Mat3::from_quat(to.rotation() * hand.grip.rotation());
        let along = |values: Vec3| axes * Mat3::from_diagonal(values) * axes.transpose();
        let error = Twist {
            linear: wanted - (state.centre + arm),
            angular: turn_of(to.rotation() * state.rotation.conjugate()),
        };
        let gradient = gradient_of_turn(error.angular);
        let rate = Twist {
            linear: (wanted - from.transform_point(grip_in_body)) / length,
            angular: turn_of(to.rotation() * from.rotation().conjugate()) / length,
        };
        // The inertia about the grip, along the axes of the springs.
        let about_grip = {
            let r = body.inertia.in_world(state.rotation);
            let square = Mat3::from_diagonal(Vec3::splat(arm.length_squared()));
            let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            let turned = axes.transpose() * (r + body.inertia.mass * (square - outer)) * axes;
            Vec3::new(turned.col(0).x, turned.col(1).y, turned.col(2).z)
        };
        let masses = [Vec3::splat(body.inertia.mass), about_grip];
        let stiffness = [hand.stiffness.linear, hand.stiffness.angular];
        let damping = match hand.damping {
            Damping::Ratio(ratio) => [0, 1].map(|i| 2.0 * ratio * (stiffness[i] * masses[i]).map(f64::sqrt)),
            Damping::Given(given) => [given.linear, given.angular],
        };
        // Those that are as good as rigid are weakened together.
        let weakened = [0, 1].map(|i| {
            let whole = length * (length * stiffness[i] + damping[i]);
            let part = |whole: f64, mass: f64| (MOST_OF_MASS * mass / whole).min(1.0);
            Vec3::new(part(whole.x, masses[i].x), part(whole.y, masses[i].y), part(whole.z, masses[i].z))
        });
        let about = along(weakened[1] * stiffness[1]);
        Pull {
            id,
            arm,
            error,
            gradient,
            rate,
            springs: [along(weakened[0] * stiffness[0]), about],
            dampers: [0, 1].map(|i| along(weakened[i] * damping[i])),
            push: Twist { linear: axes * hand.push.linear, angular: axes * hand.push.angular },
            most: hand.most,
            share: [1.0; 2],
            bears_weight: hand.bears_weight,
            length,
        }
    }

    /// The velocity of the grip of a body that goes at a velocity, m/s and rad/s.
    fn of_grip(&self, velocity: Twist) -> Twist {
        Twist { linear: velocity.linear + velocity.angular.cross(self.arm), angular: velocity.angular }
    }

    /// Force and torque about the grip, N and N m, on a body with a velocity at the end.
    pub(crate) fn force(&self, velocity: Twist) -> Twist {
        let Twist { linear, angular } = self.unlimited(velocity);
        Twist { linear: self.share[0] * linear, angular: self.share[1] * angular }
    }

    fn unlimited(&self, velocity: Twist) -> Twist {
        let grip = self.of_grip(velocity);
        let turn = self.error.angular - self.length * (self.gradient * grip.angular);
        let linear = self.springs[0] * (self.error.linear - self.length * grip.linear);
        let angular = self.gradient.transpose() * (self.springs[1] * turn);
        Twist {
            linear: linear + self.dampers[0] * (self.rate.linear - grip.linear) + self.push.linear,
            angular: angular + self.dampers[1] * (self.rate.angular - grip.angular) + self.push.angular,
        }
    }

    /// What springs and dampers act like over the piece: a mass at the grip, kg, and an inertia, kg m².
    fn as_mass(&self) -> [Mat3; 2] {
        let springs = [self.springs[0], self.gradient.transpose() * self.springs[1] * self.gradient];
        [0, 1].map(|i| self.length * self.share[i] * (self.dampers[i] + springs[i] * self.length))
    }

    /// The same, but no more than the most: where bodies were brought to rest in their ways, forces by their
    /// velocities at the end never acted.
    pub(crate) fn force_told(&self, velocity: Twist) -> Twist {
        let Twist { linear, angular } = self.force(velocity);
        let capped = |force: Vec3, most: f64| {
            let size = force.length();
            if size > most { force * (most / size) } else { force }
        };
        Twist { linear: capped(linear, self.most[0]), angular: capped(angular, self.most[1]) }
    }

    /// By what share it pulls at a velocity so that its most is not exceeded.
    fn share_at(&self, velocity: Twist) -> [f64; 2] {
        let Twist { linear, angular } = self.unlimited(velocity);
        let share = |force: Vec3, most: f64| {
            let force = force.length();
            if force > most { most / force } else { 1.0 }
        };
        [share(linear, self.most[0]), share(angular, self.most[1])]
    }

    /// The shares that it would have to pull by, if it exceeds its most by more than `slack` of that at a
    /// velocity.
    pub(crate) fn weaker(&self, velocity: Twist, slack: f64) -> Option<[f64; 2]> {
        let Twist { linear, angular } = self.force(velocity);
        let exceeds = [linear.length(), angular.length()];
        let is_over = |i: usize| exceeds[i] > (1.0 + slack) * self.most[i];
        (is_over(0) || is_over(1)).then(|| {
            [0, 1].map(|i| if is_over(i) { self.share[i] * self.most[i] / exceeds[i] } else { self.share[i] })
        })
    }

    /// Whether its most limits it.
    pub(crate) fn is_limited(&self) -> [bool; 2] {
        self.share.map(|share| share < 1.0)
    }

    /// The way of the grip over the piece at a mean velocity of the body, m and rad.
    pub(crate) fn way(&self, mean: Twist) -> Twist {
        let grip = self.of_grip(mean);
        Twist { linear: self.length * grip.linear, angular: self.length * grip.angular }
    }

    /// From the centre of mass to the grip, m.
    pub(crate) fn arm(&self) -> Vec3 {
        self.arm
    }
}

/// Of the turn `t` that takes a body to where it is wanted: `t` less by this times a small turn of the body
/// is what is left. Springs `K` have the energy `t K t / 2`, so that their torque is `gradient' K t`, which
/// is `K t` only where all are alike.
pub(super) fn gradient_of_turn(turn: Vec3) -> Mat3 {
    let angle = turn.length();
    // (1 - x cot x) / (2 x)², x half the angle.
    let second = if angle < 1e-3 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        let half = 0.5 * angle;
        (1.0 - half / half.tan()) / (angle * angle)
    };
    let cross = cross_matrix(turn);
    Mat3::IDENTITY + 0.5 * cross + second * (cross * cross)
}
