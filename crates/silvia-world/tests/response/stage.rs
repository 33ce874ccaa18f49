//! Island problems made by hand and stepped by hand: no culling, no certifier, no islands.

use silvia_contact::{Outcome, Settings, Twist};
use silvia_proximity::shape::Shape;
use silvia_proximity::{ContactBody, ContactName, ContactOptions, ShapeContactCache, shape_contacts};
use silvia_solid::{Mat3, Plane, Pose, Quat, Vec3};
use silvia_world::response::{Answer, IslandProblem, ProblemBody, ProblemContact, Response};
use std::collections::BTreeMap;

pub(crate) const GRAVITY: f64 = 9.81;
pub(crate) const SHELL: f64 = 1e-9;

/// A body.
pub(crate) struct Actor {
    pub(crate) shape: ContactBody,
    /// Mass, and inertia along the body's axes; none for what does not move.
    pub(crate) inertia: Option<(f64, Mat3)>,
    pub(crate) centre_in_body: Vec3,
    pub(crate) centre: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) velocity: Twist,
    /// A force and a torque on it besides its weight.
    pub(crate) load: Twist,
}

/// Bodies that are stepped by a response method.
pub(crate) struct Stage {
    pub(crate) actors: Vec<Actor>,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    pub(crate) gravity: Vec3,
    pub(crate) time_step: f64,
    /// How far contacts are looked for, m.
    pub(crate) reach: f64,
    pub(crate) settings: Settings,
    memory: BTreeMap<([usize; 2], ContactName), Vec3>,
}

pub(crate) fn still(linear: Vec3) -> Twist {
    Twist { linear, angular: Vec3::ZERO }
}

impl Stage {
    pub(crate) fn new(friction: f64) -> Stage {
        Stage {
            actors: Vec::new(),
            friction,
            restitution: 0.0,
            gravity: -GRAVITY * Vec3::Z,
            time_step: 1e-3,
            reach: 0.02,
            settings: Settings { tolerance: 1e-11, ..Settings::default() },
            memory: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, shape: &Shape, inertia: Option<(f64, Mat3)>, centre: Vec3) -> usize {
        self.actors.push(Actor {
            shape: ContactBody::new(shape),
            inertia,
            centre_in_body: Vec3::ZERO,
            centre,
            rotation: Quat::IDENTITY,
            velocity: Twist::default(),
            load: Twist::default(),
        });
        self.actors.len() - 1
    }

    /// What is below z = 0, tilted about the y axis so that downhill is x.
    pub(crate) fn add_ground(&mut self, tilt: f64) -> usize {
        let plane = Plane { normal: Vec3::new(tilt.sin(), 0.0, tilt.cos()), offset: 0.0 };
        self.add(&Shape::half_space(plane).unwrap(), None, Vec3::ZERO)
    }

    pub(crate) fn add_box(&mut self, mass: f64, size: Vec3, centre: Vec3) -> usize {
        let square = size * size;
        let moments = mass / 12.0 * (Vec3::splat(square.element_sum()) - square);
        self.add(&Shape::cuboid(size).unwrap(), Some((mass, Mat3::from_diagonal(moments))), centre)
    }

    pub(crate) fn add_ball(&mut self, mass: f64, radius: f64, centre: Vec3) -> usize {
        let inertia = Mat3::from_diagonal(Vec3::splat(0.4 * mass * radius * radius));
        self.add(&Shape::sphere(radius).unwrap(), Some((mass, inertia)), centre)
    }

    /// The island of all bodies over a step.
    pub(crate) fn problem(&self) -> IslandProblem<'_> {
        let bodies: Vec<ProblemBody<'_>> = self.actors.iter().map(|a| self.body(a)).collect();
        let mut contacts = Vec::new();
        for a in 0..self.actors.len() {
            for b in a + 1..self.actors.len() {
                self.add_contacts([a, b], &mut contacts);
            }
        }
        IslandProblem::new(bodies, contacts, self.time_step)
    }

    fn body<'a>(&self, actor: &'a Actor) -> ProblemBody<'a> {
        let turn = Mat3::from_quat(actor.rotation);
        let inertia = actor.inertia.map(|(mass, inertia)| (mass, turn * inertia * turn.transpose()));
        let free_velocity = inertia.map_or(actor.velocity, |(mass, inertia)| Twist {
            linear: actor.velocity.linear + self.time_step * (self.gravity + actor.load.linear / mass),
            angular: actor.velocity.angular + self.time_step * (inertia.inverse() * actor.load.angular),
        });
        ProblemBody {
            shape: &actor.shape,
            centre_in_body: actor.centre_in_body,
            centre: actor.centre,
            rotation: actor.rotation,
            inertia,
            velocity: actor.velocity,
            free_velocity,
            sprung: None,
            scripted_end: actor.inertia.is_none().then(|| moved(actor, actor.velocity, self.time_step)),
        }
    }

    fn add_contacts(&self, bodies: [usize; 2], contacts: &mut Vec<ProblemContact>) {
        let [a, b] = bodies.map(|i| &self.actors[i]);
        if a.inertia.is_none() && b.inertia.is_none() {
            return;
        }
        let options = ContactOptions { reach: self.reach, turn: 0.1 };
        let poses = [a, b].map(|actor| moved(actor, Twist::default(), 0.0));
        let mut cache = ShapeContactCache::new();
        for found in shape_contacts(&a.shape, &poses[0], &b.shape, &poses[1], &options, &mut cache).unwrap() {
            let guess = self.memory.get(&(bodies, found.name)).copied().unwrap_or_default();
            let (name, start, shell) = (found.name, found.state, SHELL);
            let (friction, restitution) = (self.friction, self.restitution);
            let is_kept = false;
            contacts.push(ProblemContact {
                bodies,
                name,
                start,
                shell,
                friction,
                restitution,
                is_kept,
                guess,
            });
        }
    }

    /// Steps once; the answer says how.
    pub(crate) fn step(&mut self, method: &dyn Response) -> Answer {
        let problem = self.problem();
        let answer = method.answer(&problem, &self.settings);
        assert_eq!(answer.outcome, Outcome::Solved, "{}: {answer:?}", method.name());
        let keys: Vec<_> = problem.contacts.iter().map(|c| (c.bodies, c.name)).collect();
        let moves: Vec<Twist> = answer.velocities.clone();
        self.memory = keys.into_iter().zip(answer.impulses.iter().copied()).collect();
        for (actor, &velocity) in self.actors.iter_mut().zip(&moves) {
            let pose = moved(actor, velocity, self.time_step);
            actor.rotation = pose.rotation();
            actor.centre = pose.transform_point(actor.centre_in_body);
            actor.velocity = velocity;
        }
        answer
    }

    /// Sets the velocities after the impact of all contacts within `touching`, m.
    pub(crate) fn collide(&mut self, method: &dyn Response, touching: f64) -> Answer {
        let mut problem = self.problem();
        problem.contacts.retain(|c| c.start.holds && c.start.gap <= touching);
        let answer = method.collide(&problem, &self.settings);
        assert_eq!(answer.outcome, Outcome::Solved, "{}: {answer:?}", method.name());
        for (actor, &velocity) in self.actors.iter_mut().zip(&answer.velocities) {
            actor.velocity = velocity;
        }
        answer
    }

    /// Of motion, J.
    pub(crate) fn energy(&self) -> f64 {
        let of = |actor: &Actor| {
            let turn = Mat3::from_quat(actor.rotation);
            actor.inertia.map_or(0.0, |(mass, inertia)| {
                let spin = turn.transpose() * actor.velocity.angular;
                0.5 * mass * actor.velocity.linear.length_squared() + 0.5 * spin.dot(inertia * spin)
            })
        };
        self.actors.iter().map(of).sum()
    }
}

/// Where a body is after moving for a time.
fn moved(actor: &Actor, velocity: Twist, time: f64) -> Pose {
    let turn = Quat::from_scaled_axis(time * velocity.angular);
    let rotation = (turn * actor.rotation).normalize();
    let centre = actor.centre + time * velocity.linear;
    Pose::new(centre - rotation * actor.centre_in_body, rotation).unwrap()
}

/// All impulses of an answer added up.
pub(crate) fn sum(answer: &Answer) -> Vec3 {
    answer.impulses.iter().sum()
}
