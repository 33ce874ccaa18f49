//! How a body is made.

use crate::body::{Body, BodyState, Role, contact_body};
use crate::error::{BodyFault, check_pose};
use crate::inertia::{Filling, Inertia};
use crate::material::MaterialId;
use crate::script::{Anchor, Script, is_finite};
use silvia_contact::Twist;
use silvia_proximity::{Groups, Shape};
use silvia_solid::{Mat3, Pose, Vec3};
use std::collections::BTreeMap;

/// What a body is to be; [`World::add`](crate::World::add) makes it, and says what is wrong with it if it
/// cannot.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_solid::{Pose, Vec3};
/// use silvia_world::BodyBuilder;
///
/// // A hammer: a wooden handle along z with a head across its upper end, 0.9 kg in all.
/// let end = Pose::from_translation(Vec3::new(0.0, 0.0, 0.16))?;
/// let hammer = BodyBuilder::free(Shape::cylinder(0.015, 0.3)?)
///     .with_shape(end, Shape::cuboid(Vec3::new(0.1, 0.03, 0.03))?)
///     .named("hammer")
///     .mass(0.9)
///     .at(Pose::from_translation(Vec3::new(0.0, 0.0, 1.0))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyBuilder {
    role: Role,
    shapes: Vec<(Pose, Shape)>,
    name: Option<String>,
    pose: Pose,
    /// The default density if nothing was said.
    weight: Option<Weight>,
    velocity: Option<Twist>,
    material: MaterialId,
    groups: Groups,
}

/// Where mass and inertia come from.
#[derive(Clone, Copy, Debug)]
enum Weight {
    /// kg/m³
    Density(f64),
    /// kg, spread evenly over the shape.
    Mass(f64),
    /// Mass in kg, centre in m, inertia about it in kg m².
    Given(f64, Vec3, Mat3),
}

impl BodyBuilder {
    /// Of bodies of which nothing else is said, kg/m³: that of water.
    pub const DENSITY: f64 = 1000.0;

    /// How far the points of a shape may be from its origin, as a multiple of the diagonal of its box. Beyond
    /// that the rounding of coordinates, 2⁻⁵³ of the distance, comes near the gap that is kept between
    /// bodies, by default 1e-9 of their size, and bodies that should touch would jump apart.
    pub const FARTHEST: f64 = 5e5;

    /// A body that forces and contacts move.
    pub fn free(shape: impl Into<Shape>) -> BodyBuilder {
        BodyBuilder::new(Role::Free, shape.into())
    }

    /// A body that nothing moves.
    pub fn fixed(shape: impl Into<Shape>) -> BodyBuilder {
        BodyBuilder::new(Role::Fixed, shape.into())
    }

    /// A body that goes its own way, whatever it meets. A script of poses says where it is; one of constant
    /// velocity goes on from [`BodyBuilder::at`].
    pub fn scripted(shape: impl Into<Shape>, script: Script) -> BodyBuilder {
        BodyBuilder::new(Role::Scripted(script), shape.into())
    }

    /// A body in a hand, which does not move until [`World::set_hand`](crate::World::set_hand) says so.
    pub fn held(shape: impl Into<Shape>) -> BodyBuilder {
        BodyBuilder::new(Role::Held(Twist::default()), shape.into())
    }

    fn new(role: Role, shape: Shape) -> BodyBuilder {
        BodyBuilder {
            role,
            shapes: vec![(Pose::IDENTITY, shape)],
            name: None,
            pose: Pose::IDENTITY,
            weight: None,
            velocity: None,
            material: MaterialId::default(),
            groups: Groups::ALL,
        }
    }

    /// No two bodies of a world have the same name. Without one the body is `body 0`, `body 1`..., the next
    /// that is free.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> BodyBuilder {
        self.name = Some(name.into());
        self
    }

    /// Where its frame is.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> BodyBuilder {
        self.pose = pose;
        self
    }

    /// One more shape, at a pose in the body's frame. Where shapes overlap, their mass counts twice.
    #[must_use]
    pub fn with_shape(mut self, offset: Pose, shape: impl Into<Shape>) -> BodyBuilder {
        self.shapes.push((offset, shape.into()));
        self
    }

    /// The same all over the body, kg/m³; [`BodyBuilder::DENSITY`] by default.
    #[must_use]
    pub fn density(mut self, density: f64) -> BodyBuilder {
        self.weight = Some(Weight::Density(density));
        self
    }

    /// Spread evenly over the body's volume, kg.
    #[must_use]
    pub fn mass(mut self, mass: f64) -> BodyBuilder {
        self.weight = Some(Weight::Mass(mass));
        self
    }

    /// Mass in kg, centre of mass in the body's frame in m, and inertia about that centre along the axes of
    /// the body's frame in kg m², whatever the shape says.
    #[must_use]
    pub fn mass_properties(mut self, mass: f64, centre: Vec3, inertia: Mat3) -> BodyBuilder {
        self.weight = Some(Weight::Given(mass, centre, inertia));
        self
    }

    /// Of its centre of mass, m/s, and angular, rad/s, in world axes. For bodies that are free or held.
    #[must_use]
    pub fn velocity(mut self, velocity: Twist) -> BodyBuilder {
        self.velocity = Some(velocity);
        self
    }

    /// A material of the world it is added to; [`Material::default`](crate::Material) by default.
    #[must_use]
    pub fn material(mut self, material: MaterialId) -> BodyBuilder {
        self.material = material;
        self
    }

    /// Which bodies it touches; by default all.
    #[must_use]
    pub fn groups(mut self, groups: Groups) -> BodyBuilder {
        self.groups = groups;
        self
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn material_id(&self) -> MaterialId {
        self.material
    }

    /// The body, and its state at a time (s).
    pub(crate) fn build(self, name: String, time: f64) -> Result<(Body, BodyState), BodyFault> {
        let shape = joined(self.shapes)?;
        check_origin(&shape)?;
        let inertia = match self.weight {
            Some(weight) => weight.inertia(&shape)?,
            None => match Weight::Density(BodyBuilder::DENSITY).inertia(&shape) {
                // What nothing moves may be too small or too large to have a mass.
                Err(_) if !self.role.is_movable() => Inertia::NONE,
                inertia => inertia?,
            },
        };
        check_role(&self.role, &shape, &inertia)?;
        if let Some(velocity) = self.velocity {
            check_velocity(&self.role, velocity)?;
        }
        check_pose(&self.pose, shape.reach())?;
        let contact_body = contact_body(&shape);
        let body = Body {
            name,
            role: self.role,
            anchor: Anchor { time, pose: self.pose },
            flatness: contact_body.flatness(),
            triangles: contact_body.triangle_count(),
            contact_body,
            inertia,
            material: self.material,
            groups: self.groups,
            loads: BTreeMap::new(),
            hands: BTreeMap::new(),
            size: shape.aabb(&Pose::IDENTITY).size().length(),
            given: shape.clone(),
            inset: 0.0,
            shape,
        };
        let mut state = body.state_at_anchor();
        state.velocity = self.velocity.unwrap_or(state.velocity);
        Ok((body, state))
    }
}

impl Body {
    /// Where its anchor puts it: at rest there, or as its script says.
    pub(crate) fn state_at_anchor(&self) -> BodyState {
        let Anchor { time, pose } = self.anchor;
        let (pose, velocity) = match &self.role {
            Role::Scripted(script) => script.at(&self.anchor, time),
            _ => (pose, Twist::default()),
        };
        BodyState::of_frame(&pose, velocity, self.inertia.centre)
    }
}

/// Whether a body can have a role.
pub(crate) fn check_role(role: &Role, shape: &Shape, inertia: &Inertia) -> Result<(), BodyFault> {
    match role {
        Role::Fixed => Ok(()),
        Role::Scripted(script) => {
            script.check()?;
            match script {
                Script::Poses(poses) => {
                    poses.iter().try_for_each(|(_, pose)| check_pose(pose, shape.reach()))
                }
                Script::Velocity(_) => Ok(()),
            }
        }
        Role::Free | Role::Held(_) if !shape.reach().is_finite() => Err(BodyFault::Endless),
        Role::Free | Role::Held(_) if !inertia.has_mass() => Err(BodyFault::NoVolume),
        Role::Held(hand) if !is_finite(*hand) => Err(BodyFault::Velocity { velocity: *hand }),
        Role::Free | Role::Held(_) => Ok(()),
    }
}

pub(crate) fn check_velocity(role: &Role, velocity: Twist) -> Result<(), BodyFault> {
    if !role.is_movable() {
        Err(BodyFault::Immovable)
    } else if !is_finite(velocity) {
        Err(BodyFault::Velocity { velocity })
    } else {
        Ok(())
    }
}

/// Refuses a shape that is too far from its own origin for its size. A point has none, and is as coarse
/// anywhere.
fn check_origin(shape: &Shape) -> Result<(), BodyFault> {
    /// The box of a point is widened by less than this fraction of its distance.
    const WIDENED: f64 = 32.0 * f64::EPSILON;
    let (distance, size) = (shape.reach(), shape.aabb(&Pose::IDENTITY).size().length());
    let has_size = size > WIDENED * distance && size.is_finite();
    let is_far = has_size && distance > BodyBuilder::FARTHEST * size;
    if is_far { Err(BodyFault::FarFromOrigin { distance, size }) } else { Ok(()) }
}

/// One shape, or a compound of several.
fn joined(mut shapes: Vec<(Pose, Shape)>) -> Result<Shape, BodyFault> {
    match shapes.pop() {
        Some((_, only)) if shapes.is_empty() => Ok(only),
        last => Ok(Shape::compound(shapes.into_iter().chain(last))?),
    }
}

impl Weight {
    /// None where the shape has no volume.
    fn inertia(self, shape: &Shape) -> Result<Inertia, BodyFault> {
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        let uniform = match Filling::of(shape) {
            Filling::Of(uniform) => Some(uniform),
            Filling::Nothing | Filling::Endless => None,
        };
        let inertia = match self {
            Weight::Density(given) if !is_positive(given) => return Err(BodyFault::Density { given }),
            Weight::Mass(given) if !is_positive(given) => return Err(BodyFault::Mass { given }),
            Weight::Given(mass, centre, inertia) => Some(Inertia::new(mass, centre, inertia)?),
            Weight::Density(density) => uniform.map(|u| u.with_density(density)).transpose()?,
            Weight::Mass(mass) => uniform.map(|u| u.with_mass(mass)).transpose()?,
        };
        Ok(inertia.unwrap_or(Inertia::NONE))
    }
}
