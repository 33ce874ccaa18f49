//! Random worlds with bodies of every shape and role.

use crate::{at, ball, cube};
use seeded::Random;
use silvia_contact::Twist;
use silvia_proximity::{Groups, Shape};
use silvia_solid::{Mat3, Plane, Pose, Quat, Solid, Vec3, primitives};
use silvia_world::{BodyBuilder, Load, Material, MaterialId, Script, World, WorldSettings};

/// What a random world is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// About how large bodies are, m.
    pub(crate) scale: f64,
    pub(crate) gravity: f64,
    /// Whether bodies may be scripted or held, which does work on others.
    pub(crate) is_driven: bool,
    pub(crate) bodies: usize,
    /// Times the size of a body a second.
    pub(crate) speed: f64,
}

impl Plan {
    pub(crate) const USUAL: Plan = Plan { scale: 1.0, gravity: 10.0, is_driven: true, bodies: 8, speed: 3.0 };
}

fn solid(soup: &silvia_solid::Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

/// About a metre large, scaled.
fn shape(random: &mut Random, s: f64) -> Shape {
    let any = |random: &mut Random| s * (0.2 + 0.5 * random.unit());
    match random.below(11) {
        0 => ball(0.5 * any(random)),
        1 => cube(any(random), any(random), any(random)),
        2 => cube(any(random), any(random), 1e-3 * s),
        3 => Shape::cylinder(0.5 * any(random), any(random)).unwrap(),
        4 => Shape::cone(0.5 * any(random), any(random)).unwrap(),
        5 => Shape::capsule(0.3 * any(random), any(random)).unwrap(),
        6 => Shape::convex(&solid(&primitives::prism(5, 0.5 * any(random), any(random)).unwrap())).unwrap(),
        7 => Shape::solid(solid(&primitives::torus(0.3 * s, 0.1 * s, 9, 5).unwrap())),
        8 => Shape::solid(solid(&primitives::sphere(0.4 * any(random), 2).unwrap())),
        9 => Shape::compound(vec![
            (at(0.25 * s, 0.0, 0.0), ball(0.2 * s)),
            (Pose::IDENTITY, Shape::cylinder(0.05 * s, 0.6 * s).unwrap()),
        ])
        .unwrap(),
        _ => Shape::solid(solid(
            &primitives::cuboid(Vec3::new(any(random), any(random), any(random))).unwrap(),
        )),
    }
}

/// A soup, a segment, a triangle: what has no inside and so no mass of its own.
fn thin(random: &mut Random, s: f64) -> Shape {
    match random.below(3) {
        0 => Shape::segment([Vec3::ZERO, s * Vec3::new(0.5, 0.1, 0.0)]).unwrap(),
        1 => Shape::triangle([Vec3::ZERO, 0.5 * s * Vec3::X, 0.5 * s * Vec3::Y]).unwrap(),
        _ => Shape::soup(primitives::cuboid(Vec3::splat(0.4 * s)).unwrap()),
    }
}

/// A world of a seed. Bodies may overlap at first: they are taken apart, and a world where that fails is
/// none.
pub(crate) fn world(seed: u64, plan: &Plan) -> Option<World> {
    let mut random = Random::new(seed);
    let s = plan.scale;
    let settings = WorldSettings::default().with_gravity(Vec3::new(0.0, 0.0, -plan.gravity * s));
    let mut world = World::new(settings).unwrap();
    let materials: Vec<MaterialId> = (0..3)
        .map(|number| {
            let (friction, restitution) = (random.pick(&[0.0, 0.3, 1.0]), random.pick(&[0.0, 0.5, 0.8, 1.0]));
            world.add_material(Material::new(format!("m{number}"), friction, restitution)).unwrap()
        })
        .collect();
    let ground = match random.below(3) {
        0 => Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap(),
        1 => cube(6.0 * s, 6.0 * s, 0.2 * s),
        _ => Shape::solid(solid(&primitives::cuboid(s * Vec3::new(6.0, 6.0, 0.2)).unwrap())),
    };
    world.add(BodyBuilder::fixed(ground).named("ground").material(materials[0])).unwrap();
    for _ in 0..plan.bodies {
        let is_thin = random.below(8) == 0;
        let form = if is_thin { thin(&mut random, s) } else { shape(&mut random, s) };
        // Half of them stand straight and on a lattice: faces and edges are parallel, and exactly touch.
        let (place, turn) = if random.below(2) == 0 {
            let place =
                Vec3::new(random.below(3) as f64, random.below(3) as f64, 1.0 + random.below(4) as f64);
            (0.5 * s * (place - Vec3::new(1.0, 1.0, 0.0)), Quat::IDENTITY)
        } else {
            let place = random.vector(s) + Vec3::Z * (1.6 * s);
            (place, Quat::from_scaled_axis(random.vector(3.0)))
        };
        let pose = Pose::new(place, turn).unwrap();
        let velocity =
            Twist { linear: random.vector(plan.speed * s), angular: random.vector(2.0 * plan.speed) };
        let role = if plan.is_driven { random.below(10) } else { 5 + random.below(5) };
        let mut body = match role {
            0 => BodyBuilder::scripted(form, Script::Velocity(velocity)),
            1 => {
                let far = Pose::new(place + random.vector(s), Quat::from_scaled_axis(random.vector(2.0)));
                let poses = vec![(0.0, pose), (0.0123, far.unwrap()), (0.021, pose)];
                BodyBuilder::scripted(form, Script::Poses(poses))
            }
            2 | 3 => BodyBuilder::held(form),
            5 => BodyBuilder::fixed(form),
            _ => BodyBuilder::free(form).velocity(velocity),
        };
        if is_thin {
            body = body.mass_properties(
                1.0,
                Vec3::splat(0.1 * s),
                Mat3::from_diagonal(Vec3::splat(0.1 * s * s)),
            );
        }
        let groups = if random.below(6) == 0 { Groups { member_of: 2, meets: 1 } } else { Groups::ALL };
        let id = world.add(body.at(pose).material(random.pick(&materials)).groups(groups)).unwrap();
        if matches!(role, 2 | 3) {
            world.set_hand(id, velocity).unwrap();
        }
        if plan.is_driven && random.below(4) == 0 {
            let mass = world.inertia(id).unwrap().mass;
            world
                .add_load(id, Load::force(mass * random.vector(10.0 * s)).at(random.vector(0.1 * s)))
                .unwrap();
        }
    }
    world.separate().ok()?;
    Some(world)
}
