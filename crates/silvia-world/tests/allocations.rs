//! A steady step asks for no memory: counted, allocation by allocation, around the response method and in it.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use silvia_contact::{Settings, Twist};
use silvia_proximity::Shape;
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::response::{Answer, Auto, Guarantee, IslandProblem, Response, Scratch};
use silvia_world::{BodyBuilder, Load, Material, MaterialId, StepReport, World, WorldSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// s
const STEP: f64 = 1e-3;

/// Steps after which a scene is taken to be steady: lists have grown to their lengths.
const SETTLE: usize = 400;

/// Steps that are counted.
const COUNTED: usize = 50;

/// The default method, which counts what it asks for.
#[derive(Default)]
struct Counted {
    asked: AtomicU64,
}

impl Response for Counted {
    fn name(&self) -> &'static str {
        "counted"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::NonPenetrating
    }

    fn respond(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        let count = allocation_counter::measure(|| Auto.respond(problem, settings, scratch, answer));
        self.asked.fetch_add(count.count_total, Ordering::Relaxed);
    }

    fn is_of_second_order(&self) -> bool {
        true
    }

    fn end_velocities(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        let count = allocation_counter::measure(|| Auto.end_velocities(problem, settings, scratch, answer));
        self.asked.fetch_add(count.count_total, Ordering::Relaxed);
    }

    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        Auto.collide(problem, settings)
    }
}

/// How often a step asked for memory: the stages around the response method, and that itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    around: u64,
    by_response: u64,
}

/// A world with a ground, and what its steps ask for.
struct Scene {
    world: World,
    method: Arc<Counted>,
    material: MaterialId,
    report: StepReport,
}

impl Scene {
    fn new(friction: f64) -> Scene {
        let method = Arc::new(Counted::default());
        let mut world =
            World::with_response(WorldSettings::default(), Arc::clone(&method) as Arc<dyn Response>).unwrap();
        let material = world.add_material(Material::new("all", friction, 0.0)).unwrap();
        let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
        world.add(BodyBuilder::fixed(ground).material(material)).unwrap();
        Scene { world, method, material, report: StepReport::default() }
    }

    fn add(&mut self, shape: &Shape, at: Vec3, velocity: Twist) {
        let body = BodyBuilder::free(shape.clone()).mass(1.0).material(self.material).velocity(velocity);
        self.world.add(body.at(Pose::from_translation(at).unwrap())).unwrap();
    }

    fn add_stack(&mut self, high: usize, x: f64) {
        let cube = Shape::cuboid(Vec3::splat(0.2)).unwrap();
        (0..high).for_each(|level| {
            self.add(&cube, Vec3::new(x, 0.0, 0.1 + 0.2 * level as f64), Twist::default());
        });
    }

    fn step(&mut self) -> Asked {
        let before = self.method.asked.load(Ordering::Relaxed);
        let count =
            allocation_counter::measure(|| self.world.step_into(STEP, &mut self.report).unwrap()).count_total;
        let by_response = self.method.asked.load(Ordering::Relaxed) - before;
        Asked { around: count - by_response, by_response }
    }

    /// Of all counted steps, once the scene is steady.
    fn steady(&mut self) -> Vec<Asked> {
        (0..SETTLE).for_each(|_| {
            self.step();
        });
        (0..COUNTED).map(|_| self.step()).collect()
    }
}

/// Does something on a pool of one thread: counts are of the thread that counts.
fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
}

#[track_caller]
fn assert_steady(steps: &[Asked]) {
    for (number, asked) in steps.iter().enumerate() {
        assert_eq!(*asked, Asked { around: 0, by_response: 0 }, "step {number} of those counted");
    }
}

#[test]
fn a_first_step_asks_for_memory_and_is_seen_to() {
    let asked = on_one_thread(|| {
        let mut scene = Scene::new(0.5);
        scene.add_stack(10, 0.0);
        scene.step()
    });
    println!("first: {asked:?}");
    assert!(asked.around > 100 && asked.by_response > 0, "{asked:?}");
}

#[test]
fn a_stack_that_stands_asks_for_none() {
    let steps = on_one_thread(|| {
        let mut scene = Scene::new(0.5);
        scene.add_stack(10, 0.0);
        scene.steady()
    });
    println!("stack: {:?}", steps.last());
    assert_steady(&steps);
}

#[test]
fn stacks_that_stand_apart_ask_for_none() {
    let steps = on_one_thread(|| {
        let mut scene = Scene::new(0.5);
        (0..3).for_each(|number| scene.add_stack(4, f64::from(number)));
        scene.steady()
    });
    assert_steady(&steps);
}

#[test]
fn a_box_that_slides_asks_for_none() {
    let steps = on_one_thread(|| {
        let mut scene = Scene::new(0.1);
        let cube = Shape::cuboid(Vec3::new(0.4, 0.4, 0.1)).unwrap();
        let velocity = Twist { linear: Vec3::new(2.0, 0.5, 0.0), angular: Vec3::ZERO };
        scene.add(&cube, Vec3::new(0.0, 0.0, 0.05), velocity);
        let steps = scene.steady();
        let speed = scene.world.velocity(scene.world.ids().last().unwrap()).unwrap().linear.length();
        assert!(speed > 1.0, "it has stopped: {speed} m/s");
        steps
    });
    println!("sliding: {:?}", steps.last());
    assert_steady(&steps);
}

#[test]
fn a_ball_that_rolls_asks_for_none() {
    let steps = on_one_thread(|| {
        let mut scene = Scene::new(0.5);
        let rolling = Twist { linear: Vec3::X, angular: Vec3::new(0.0, 10.0, 0.0) };
        scene.add(&Shape::sphere(0.1).unwrap(), Vec3::new(0.0, 0.0, 0.1), rolling);
        scene.steady()
    });
    assert_steady(&steps);
}

#[test]
fn a_body_in_flight_asks_for_none_at_all() {
    let steps = on_one_thread(|| {
        let mut scene = Scene::new(0.5);
        let brick = Shape::cuboid(Vec3::new(0.1, 0.2, 0.3)).unwrap();
        let tumbling = Twist { linear: Vec3::new(5.0, 0.0, 3.0), angular: Vec3::new(1.0, 9.0, 2.0) };
        scene.add(&brick, Vec3::new(0.0, 0.0, 9.0), tumbling);
        let id = scene.world.ids().last().unwrap();
        let push = Load::force(Vec3::new(0.0, 0.3, 0.0)).at(Vec3::new(0.0, 0.0, 0.1)).turning();
        scene.world.add_load(id, push).unwrap();
        let turned = Quat::from_rotation_x(0.3);
        scene.world.set_pose(id, Pose::new(Vec3::new(0.0, 0.0, 9.0), turned).unwrap()).unwrap();
        scene.steady()
    });
    assert_eq!(steps, vec![Asked { around: 0, by_response: 0 }; COUNTED]);
}
