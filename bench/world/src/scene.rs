//! A scene that says nothing about engines: forms, places, masses. Every engine and the judge are made from
//! the same one.

use silvia::prelude::*;
use silvia::solid::hull::convex_hull;
use std::error::Error;

/// Length of a step, s: MuJoCo's default.
pub(crate) const STEP: f64 = 2e-3;
/// Down z, m/s².
pub(crate) const GRAVITY: f64 = 9.81;
/// Coulomb's coefficient between all bodies.
pub(crate) const FRICTION: f64 = 0.5;
/// Of all free bodies, kg/m³.
const DENSITY: f64 = 1000.0;

/// What a part is, around its centre of mass.
#[derive(Clone)]
pub(crate) enum Form {
    /// Length of its sides, m.
    Box(Vec3),
    /// Radius, m.
    Ball(f64),
    /// All below z = 0 of its frame.
    HalfSpace,
    /// A convex solid.
    Convex(Solid),
    /// A solid that is not convex.
    Mesh(Solid),
}

/// A body.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) form: Form,
    pub(crate) pose: Pose,
    /// m/s
    pub(crate) velocity: Vec3,
    /// Mass in kg and inertia about the origin in kg m²; none if nothing moves it.
    pub(crate) weight: Option<(f64, Mat3)>,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) pose: Pose,
    /// Of the centre of mass, m/s, and angular in world axes, rad/s.
    pub(crate) velocity: Twist,
}

pub(crate) struct Scene {
    /// One word.
    pub(crate) name: &'static str,
    /// For the heading of its table.
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) steps: usize,
    /// What goes on in the first steps and in the others.
    pub(crate) windows: [&'static str; 2],
    /// The step with which the second window begins.
    pub(crate) second: usize,
}

impl Form {
    /// The convex hull of some points, with its centre of mass at the origin.
    pub(crate) fn hull(points: &[Vec3]) -> Result<Form, Box<dyn Error>> {
        Ok(Form::Convex(centred(&convex_hull(points)?.soup)?))
    }

    /// The convex hull of some points, scaled so that no point of it is farther than `reach` (m) from its
    /// centre of mass.
    pub(crate) fn hull_within(points: &[Vec3], reach: f64) -> Result<Form, Box<dyn Error>> {
        let rough = centred(&convex_hull(points)?.soup)?;
        let points = rough.soup().points();
        let farthest = points.iter().map(|p| p.length()).fold(0.0, f64::max);
        Form::hull(&points.iter().map(|&p| p * (reach / farthest)).collect::<Vec<Vec3>>())
    }

    /// A mesh that is closed, with its centre of mass at the origin.
    pub(crate) fn mesh(soup: &Soup) -> Result<Form, Box<dyn Error>> {
        Ok(Form::Mesh(centred(soup)?))
    }

    /// Mass and inertia about the origin at a density, kg/m³.
    fn weight(&self, density: f64) -> (f64, Mat3) {
        match self {
            Form::Box(size) => {
                let mass = density * size.x * size.y * size.z;
                let square = *size * *size;
                let moments =
                    Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * (mass / 12.0);
                (mass, Mat3::from_diagonal(moments))
            }
            Form::Ball(radius) => {
                let mass = density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
                (mass, Mat3::from_diagonal(Vec3::splat(0.4 * mass * radius * radius)))
            }
            Form::Convex(solid) | Form::Mesh(solid) => {
                (density * solid.mass().volume, solid.mass().inertia * density)
            }
            Form::HalfSpace => (0.0, Mat3::ZERO),
        }
    }

    /// As Silvia has it, and the judge.
    pub(crate) fn shape(&self) -> Result<Shape, Box<dyn Error>> {
        Ok(match self {
            Form::Box(size) => Shape::cuboid(*size)?,
            Form::Ball(radius) => Shape::sphere(*radius)?,
            Form::HalfSpace => Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?,
            Form::Convex(solid) => Shape::convex(solid)?,
            Form::Mesh(solid) => Shape::solid(solid.clone()),
        })
    }
}

impl Part {
    /// A body that falls.
    pub(crate) fn free(form: Form, pose: Pose) -> Part {
        let weight = Some(form.weight(DENSITY));
        Part { form, pose, velocity: Vec3::ZERO, weight }
    }

    /// A body that nothing moves.
    pub(crate) fn fixed(form: Form, pose: Pose) -> Part {
        Part { form, pose, velocity: Vec3::ZERO, weight: None }
    }

    /// Moving at first, m/s.
    pub(crate) fn moving(self, velocity: Vec3) -> Part {
        Part { velocity, ..self }
    }

    pub(crate) fn is_free(&self) -> bool {
        self.weight.is_some()
    }
}

impl Scene {
    /// How many bodies can move.
    pub(crate) fn free(&self) -> usize {
        self.parts.iter().filter(|part| part.is_free()).count()
    }

    /// Whether all bodies are: MuJoCo would take the convex hulls of others.
    pub(crate) fn is_convex(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part.form, Form::Mesh(_)))
    }

    /// How the bodies are at the start.
    pub(crate) fn start(&self) -> Vec<State> {
        let state = |part: &Part| State {
            pose: part.pose,
            velocity: Twist { linear: part.velocity, angular: Vec3::ZERO },
        };
        self.parts.iter().map(state).collect()
    }
}

/// A closed mesh moved so that its centre of mass is at the origin.
fn centred(soup: &Soup) -> Result<Solid, Box<dyn Error>> {
    let centre = Solid::from_soup(soup)?.mass().center;
    Ok(Solid::from_soup(&soup.posed(&Pose::from_translation(-centre)?))?)
}
