use super::*;
use crate::response::{Answer, Task};
use crate::{LoadError, Script, ScriptError, SnapshotError};
use proptest::prelude::*;
use silvia_contact::Settings;
use silvia_proximity::{Shape, shape};
use silvia_solid::{Mat3, Plane, Quat, Solid, primitives};

/// For worlds that make no steps.
struct Silent;

impl Response for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    fn respond(&self, _: &Task<'_>, _: &Settings) -> Answer {
        unreachable!("no step is made")
    }

    fn collide(&self, _: &Task<'_>, _: &Settings) -> Answer {
        unreachable!("no step is made")
    }
}

fn world() -> World {
    World::with_response(WorldSettings::default(), Arc::new(Silent)).unwrap()
}

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn cube() -> Shape {
    Shape::cuboid(Vec3::ONE).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn ground() -> Shape {
    Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()
}

fn moving(linear: Vec3, angular: Vec3) -> Twist {
    Twist { linear, angular }
}

fn fault(world: &mut World, body: BodyBuilder) -> BodyFault {
    let (bodies, hash) = (world.ids().count(), world.hash());
    let fault = world.add(body).unwrap_err().fault;
    assert_eq!((world.ids().count(), world.hash()), (bodies, hash), "a refused body changes nothing");
    fault
}

fn fault_of<T: std::fmt::Debug>(result: Result<T, WorldError>) -> BodyFault {
    match result.unwrap_err() {
        WorldError::Body(error) => error.fault,
        other => panic!("{other}"),
    }
}

#[test]
fn a_body_is_where_and_what_it_was_made() {
    let mut world = world();
    let steel =
        world.add_material(Material { name: "steel".into(), friction: 0.2, restitution: 0.6 }).unwrap();
    let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_x(0.4)).unwrap();
    let velocity = moving(Vec3::X, Vec3::Y);
    let cone = Shape::cone(0.3, 0.8).unwrap();
    let builder = BodyBuilder::free(cone).named("top").at(pose).density(7850.0).material(steel);
    let id = world.add(builder.velocity(velocity)).unwrap();
    assert_eq!(world.body_id("top"), Ok(id));
    assert_eq!(world.name(id), Ok("top"));
    assert_eq!(world.role(id), Ok(&Role::Free));
    assert_eq!(world.velocity(id), Ok(velocity));
    let there = world.pose(id).unwrap();
    assert!((there.translation() - pose.translation()).length() < 1e-15);
    let centre = pose.transform_point(Vec3::new(0.0, 0.0, -0.2));
    assert!((world.body_state(id).unwrap().centre - centre).length() < 1e-15);
    let mass = 7850.0 * std::f64::consts::PI / 3.0 * 0.09 * 0.8;
    assert!((world.inertia(id).unwrap().mass / mass - 1.0).abs() < 1e-15);
    assert_eq!(world.pair_law(steel, steel), Ok(PairLaw { friction: 0.2, restitution: 0.6 }));
    assert_eq!(world.material_id("steel"), Some(steel));
}

#[test]
fn mass_is_spread_evenly_and_mass_properties_are_taken_as_given() {
    let mut world = world();
    let id = world.add(BodyBuilder::free(cube()).mass(3.0)).unwrap();
    let inertia = *world.inertia(id).unwrap();
    assert_eq!(inertia.mass, 3.0);
    assert!(
        (inertia.inertia - Mat3::from_diagonal(Vec3::splat(0.5)))
            .to_cols_array()
            .iter()
            .all(|e| e.abs() < 1e-15)
    );
    let (centre, given) = (Vec3::new(0.1, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5)));
    let sheet = Shape::soup(primitives::cuboid(Vec3::ONE).unwrap());
    let id = world.add(BodyBuilder::free(sheet).mass_properties(2.0, centre, given)).unwrap();
    let inertia = *world.inertia(id).unwrap();
    assert_eq!((inertia.mass, inertia.centre, inertia.inertia), (2.0, centre, given));
    assert_eq!(world.name(id), Ok("body 1"));
    let id = world.add(BodyBuilder::free(cube()).with_shape(at(2.0, 0.0, 0.0), cube())).unwrap();
    let inertia = *world.inertia(id).unwrap();
    assert!((inertia.mass - 2.0 * BodyBuilder::DENSITY).abs() < 1e-9);
    assert!((inertia.centre - Vec3::X).length() < 1e-15);
}

#[test]
fn what_is_no_body_is_refused() {
    let mut world = world();
    let first = world.add(BodyBuilder::fixed(cube()).named("first")).unwrap();
    let w = &mut world;
    assert_eq!(fault(w, BodyBuilder::free(cube()).named("first")), BodyFault::DuplicateName);
    assert_eq!(fault(w, BodyBuilder::free(cube()).named(" ")), BodyFault::EmptyName);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(fault(w, BodyBuilder::free(cube()).density(bad)), BodyFault::Density { .. }));
        assert!(matches!(fault(w, BodyBuilder::fixed(cube()).density(bad)), BodyFault::Density { .. }));
        assert!(matches!(fault(w, BodyBuilder::free(cube()).mass(bad)), BodyFault::Mass { .. }));
        let given = BodyBuilder::free(cube()).mass_properties(bad, Vec3::ZERO, Mat3::IDENTITY);
        assert!(matches!(fault(w, given), BodyFault::Mass { .. }));
    }
    let given = |inertia: Mat3| BodyBuilder::free(cube()).mass_properties(1.0, Vec3::ZERO, inertia);
    let moments = |x, y, z| given(Mat3::from_diagonal(Vec3::new(x, y, z)));
    assert!(matches!(fault(w, moments(1.0, 1.0, 2.1)), BodyFault::TriangleInequality { .. }));
    assert!(matches!(fault(w, moments(-1.0, 1.0, 1.0)), BodyFault::Moments { .. }));
    assert!(matches!(fault(w, moments(1.0, f64::NAN, 1.0)), BodyFault::InertiaNotFinite { .. }));
    assert_eq!(fault(w, BodyBuilder::free(ground())), BodyFault::Endless);
    assert_eq!(fault(w, BodyBuilder::held(ground())), BodyFault::Endless);
    let heavy = BodyBuilder::free(ground()).mass_properties(1.0, Vec3::ZERO, Mat3::IDENTITY);
    assert_eq!(fault(w, heavy), BodyFault::Endless);
    let sheet = Shape::triangle([Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
    assert_eq!(fault(w, BodyBuilder::free(sheet.clone())), BodyFault::NoVolume);
    assert_eq!(fault(w, BodyBuilder::held(sheet).mass(1.0)), BodyFault::NoVolume);
    let nothing = BodyBuilder::free(ball(1e-60)).density(1e-20);
    assert!(matches!(fault(w, nothing), BodyFault::Moments { .. }));
    let velocity = moving(Vec3::X * f64::NAN, Vec3::ZERO);
    assert!(matches!(fault(w, BodyBuilder::free(cube()).velocity(velocity)), BodyFault::Velocity { .. }));
    let velocity = moving(Vec3::X, Vec3::ZERO);
    assert_eq!(fault(w, BodyBuilder::fixed(cube()).velocity(velocity)), BodyFault::Immovable);
    assert!(matches!(
        fault(w, BodyBuilder::free(cube()).at(at(0.0, 1e31, 0.0))),
        BodyFault::OutOfReach { .. }
    ));
    let script = Script::Poses(Vec::new());
    let expected = BodyFault::Script(ScriptError::Empty);
    assert_eq!(fault(w, BodyBuilder::scripted(cube(), script)), expected);
    let far = Script::Poses(vec![(0.0, at(1e31, 0.0, 0.0))]);
    assert!(matches!(fault(w, BodyBuilder::scripted(cube(), far)), BodyFault::OutOfReach { .. }));
    let foreign = BodyBuilder::free(cube()).material(MaterialId(9));
    assert!(matches!(fault(w, foreign), BodyFault::Material(MaterialError::NoSuchMaterial { .. })));
    assert_eq!(world.ids().collect::<Vec<_>>(), [first]);
    let text = world.add(BodyBuilder::free(cube()).named("first")).unwrap_err().to_string();
    assert_eq!(text, "body `first`: there is a body of this name already: choose another");
}

#[test]
fn what_nothing_moves_may_have_no_mass_and_no_end() {
    let mut world = world();
    world.add(BodyBuilder::fixed(ground())).unwrap();
    world.add(BodyBuilder::fixed(Shape::soup(primitives::cuboid(Vec3::ONE).unwrap()))).unwrap();
    world.add(BodyBuilder::fixed(ball(1e-59))).unwrap();
    let id = world.add(BodyBuilder::fixed(Shape::point(Vec3::X).unwrap())).unwrap();
    assert_eq!(fault_of(world.set_role(id, Role::Free)), BodyFault::NoVolume);
    assert_eq!(world.energy(), Energy::default());
    assert_eq!(world.centre_of_mass(), None);
}

#[test]
fn a_removed_body_is_gone_for_good_and_its_name_is_free() {
    let mut world = world();
    let id = world.add(BodyBuilder::free(cube()).named("part")).unwrap();
    let load = world.add_load(id, Load::force(Vec3::X)).unwrap();
    world.remove(id).unwrap();
    let gone = WorldError::NoSuchBody { id };
    assert_eq!(world.remove(id), Err(gone.clone()));
    assert_eq!(world.pose(id), Err(gone.clone()));
    assert_eq!(world.velocity(id), Err(gone.clone()));
    assert_eq!(world.set_role(id, Role::Fixed), Err(gone.clone()));
    assert_eq!(world.set_active(id, true), Err(gone.clone()));
    assert_eq!(world.add_load(id, Load::force(Vec3::X)), Err(gone));
    assert_eq!(world.remove_load(load), Err(WorldError::NoSuchLoad { id: load }));
    assert_eq!(world.body_id("part"), Err(WorldError::NoSuchName { name: "part".into() }));
    let again = world.add(BodyBuilder::free(cube()).named("part")).unwrap();
    assert_ne!(again, id);
    assert_eq!(world.ids().collect::<Vec<_>>(), [again]);
}

#[test]
fn a_body_is_taken_in_hand_nailed_down_and_let_go() {
    let mut world = world();
    let velocity = moving(Vec3::X, Vec3::Z);
    let id = world.add(BodyBuilder::free(cube()).velocity(velocity).at(at(0.0, 0.0, 5.0))).unwrap();
    assert_eq!(fault_of(world.set_hand(id, velocity)), BodyFault::NotHeld);
    world.set_role(id, Role::Held(Twist::default())).unwrap();
    assert_eq!(world.velocity(id), Ok(velocity), "until the next step");
    world.set_hand(id, velocity).unwrap();
    assert_eq!(world.role(id), Ok(&Role::Held(velocity)));
    let nan = moving(Vec3::X * f64::NAN, Vec3::ZERO);
    assert!(matches!(fault_of(world.set_hand(id, nan)), BodyFault::Velocity { .. }));
    assert!(matches!(fault_of(world.set_role(id, Role::Held(nan))), BodyFault::Velocity { .. }));
    world.set_role(id, Role::Free).unwrap();
    assert_eq!(world.velocity(id), Ok(velocity));
    world.set_role(id, Role::Fixed).unwrap();
    assert_eq!(world.velocity(id), Ok(Twist::default()));
    assert_eq!(fault_of(world.set_velocity(id, velocity)), BodyFault::Immovable);
    assert_eq!(world.pose(id), Ok(at(0.0, 0.0, 5.0)));
    world.set_role(id, Role::Scripted(Script::Velocity(velocity))).unwrap();
    assert_eq!(world.velocity(id), Ok(velocity));
    assert_eq!(fault_of(world.set_velocity(id, velocity)), BodyFault::Immovable);
    world.set_pose(id, at(1.0, 0.0, 0.0)).unwrap();
    assert_eq!(world.velocity(id), Ok(velocity));
    assert!(matches!(fault_of(world.set_pose(id, at(1e31, 0.0, 0.0))), BodyFault::OutOfReach { .. }));
    assert_eq!(world.pose(id), Ok(at(1.0, 0.0, 0.0)));
}

#[test]
fn a_script_says_where_a_body_is_and_how_its_centre_moves() {
    let mut world = world();
    // A beam whose centre is a metre from the origin of its frame, about which it turns.
    let beam = Shape::compound([(at(1.0, 0.0, 0.0), cube())]).unwrap();
    let turn = Script::Velocity(moving(Vec3::ZERO, Vec3::Z));
    let id = world.add(BodyBuilder::scripted(beam, turn).at(at(0.0, 5.0, 0.0))).unwrap();
    let number = id.0 as usize;
    let quarter = world.scripted_state(number, std::f64::consts::FRAC_PI_2);
    assert!((quarter.centre - Vec3::new(0.0, 6.0, 0.0)).length() < 1e-15);
    assert!((quarter.velocity.linear - Vec3::new(-1.0, 0.0, 0.0)).length() < 1e-15);
    let pose = world.scripted_pose(id, std::f64::consts::FRAC_PI_2).unwrap();
    assert!((pose.translation() - Vec3::new(0.0, 5.0, 0.0)).length() < 1e-15);
    assert_eq!(world.velocity(id), Ok(moving(Vec3::Y, Vec3::Z)));

    let press = Script::Poses(vec![(0.0, at(0.0, 0.0, 2.0)), (1.0, at(0.0, 0.0, 1.0))]);
    let id = world.add(BodyBuilder::scripted(cube(), press)).unwrap();
    assert_eq!(world.pose(id), Ok(at(0.0, 0.0, 2.0)), "the script's, not the builder's");
    assert_eq!(world.velocity(id), Ok(moving(-Vec3::Z, Vec3::ZERO)));
    assert_eq!(world.scripted_pose(id, 0.5), Ok(at(0.0, 0.0, 1.5)));
    assert_eq!(fault_of(world.set_pose(id, Pose::IDENTITY)), BodyFault::Scripted);
    let other = world.add(BodyBuilder::fixed(cube())).unwrap();
    assert_eq!(fault_of(world.scripted_pose(other, 0.0)), BodyFault::NotScripted);
}

#[test]
fn what_is_no_load_is_refused_with_the_body() {
    let mut world = world();
    let id = world.add(BodyBuilder::free(cube()).named("part")).unwrap();
    let error = world.add_load(id, Load::torque(Vec3::X).at(Vec3::X)).unwrap_err();
    assert_eq!(error.to_string(), "body `part`: a torque acts on the whole body: give it no point");
    assert_eq!(fault_of(Err::<(), _>(error)), BodyFault::Load(LoadError::TorqueAtPoint));
    let push = Load::force(Vec3::X);
    let load = world.add_load(id, push.clone()).unwrap();
    assert_ne!(world.add_load(id, Load::force(Vec3::Y)).unwrap(), load);
    assert_eq!(world.remove_load(load), Ok(push));
}

#[test]
fn bad_settings_are_refused_and_good_ones_taken() {
    let bad = WorldSettings { tolerance: 0.0, ..WorldSettings::default() };
    assert!(World::with_response(bad.clone(), Arc::new(Silent)).is_err());
    let mut world = world();
    assert!(world.set_settings(bad).is_err());
    assert_eq!(world.settings(), &WorldSettings::default());
    let none = WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() };
    world.set_settings(none.clone()).unwrap();
    assert_eq!(world.settings(), &none);
    assert_eq!(world.response().name(), "silent");
}

#[test]
fn energy_and_momentum_are_those_of_the_bodies_that_can_move() {
    let mut world = world();
    world.add(BodyBuilder::fixed(cube())).unwrap();
    let script = Script::Velocity(moving(Vec3::X, Vec3::ZERO));
    world.add(BodyBuilder::scripted(cube(), script)).unwrap();
    let velocity = moving(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0));
    world.add(BodyBuilder::free(cube()).mass(6.0).at(at(0.0, 0.0, 1.0)).velocity(velocity)).unwrap();
    world.add(BodyBuilder::held(cube()).mass(2.0).at(at(0.0, 4.0, 0.0))).unwrap();
    let energy = world.energy();
    assert!((energy.kinetic - (27.0 + 2.0)).abs() < 1e-13, "m v²/2 and I w²/2 with I = m/6");
    assert!((energy.potential - 6.0 * 9.81).abs() < 1e-13);
    assert_eq!(energy.total(), energy.kinetic + energy.potential);
    assert_eq!(world.momentum(), Vec3::new(18.0, 0.0, 0.0));
    assert_eq!(world.mass(), 8.0);
    assert_eq!(world.centre_of_mass(), Some(Vec3::new(0.0, 1.0, 0.75)));
    // I w along z, and the arm (0, 0, 1) times 18 along x.
    assert!((world.angular_momentum(Vec3::ZERO) - Vec3::new(0.0, 18.0, 2.0)).length() < 1e-14);
    assert!((world.angular_momentum(Vec3::new(0.0, 0.0, 1.0)) - Vec3::new(0.0, 0.0, 2.0)).length() < 1e-14);
}

#[test]
fn bodies_pairs_and_groups_are_switched_off_and_on() {
    let mut world = world();
    let [a, b, c] =
        [0.0, 2.0, 6.0].map(|x| world.add(BodyBuilder::free(cube()).at(at(x, 0.0, 0.0))).unwrap());
    let nearest = |world: &World| world.smallest_clearance().map(|clearance| clearance.bodies);
    assert_eq!(nearest(&world), Some([a, b]));
    world.set_pair_active(b, a, false).unwrap();
    assert_eq!(world.admits(a, b), Ok(false));
    assert_eq!(nearest(&world), Some([b, c]));
    world.set_active(b, false).unwrap();
    assert_eq!(nearest(&world), Some([a, c]));
    world.set_groups(c, Groups { member_of: 0, meets: 0 }).unwrap();
    assert_eq!(nearest(&world), None);
    world.set_active(b, true).unwrap();
    world.set_pair_active(a, b, true).unwrap();
    assert_eq!(nearest(&world), Some([a, b]));
    let same = WorldError::SameBody { name: "body 0".into() };
    assert_eq!(world.set_pair_active(a, a, true), Err(same.clone()));
    assert_eq!(world.distance(a, a), Err(same));
    let quiet = BodyBuilder::free(cube()).groups(Groups { member_of: 0, meets: 0 });
    let quiet = world.add(quiet).unwrap();
    assert_eq!(world.admits(a, quiet), Ok(false));
}

#[test]
fn distances_are_asked_by_id_and_by_name() {
    let mut world = world();
    let a = world.add(BodyBuilder::fixed(cube()).named("plate")).unwrap();
    let b = world.add(BodyBuilder::free(ball(0.25)).named("ball").at(at(0.0, 0.0, 2.0))).unwrap();
    let distance = world.distance(a, b).unwrap();
    assert!((distance.upper - 1.25).abs() < 1e-15);
    assert!((distance.points[0] - Vec3::new(0.0, 0.0, 0.5)).length() < 1e-12);
    assert_eq!(world.distance_between("plate", "ball"), Ok(distance));
    assert_eq!(world.distance_between("ball", "plate").unwrap().points[0], distance.points[1]);
    let nobody = WorldError::NoSuchName { name: "bal".into() };
    assert_eq!(world.distance_between("plate", "bal"), Err(nobody));
}

#[test]
fn a_half_space_counts_for_the_smallest_clearance_and_fixed_bodies_among_themselves_do_not() {
    let mut world = world();
    let ground = world.add(BodyBuilder::fixed(ground())).unwrap();
    world.add(BodyBuilder::fixed(cube())).unwrap();
    world.add(BodyBuilder::fixed(cube()).at(at(0.5, 0.0, 0.0))).unwrap();
    assert_eq!(world.smallest_clearance(), None);
    let ball = world.add(BodyBuilder::free(ball(0.5)).at(at(50.0, 0.0, 3.0))).unwrap();
    let clearance = world.smallest_clearance().unwrap();
    assert_eq!(clearance.bodies, [ground, ball]);
    assert!((clearance.distance.upper - 2.5).abs() < 1e-14);
}

#[test]
fn a_snapshot_brings_back_the_bits_and_what_was_set() {
    let mut world = world();
    let a = world.add(BodyBuilder::free(cube()).velocity(moving(Vec3::X, Vec3::Y))).unwrap();
    let b = world.add(BodyBuilder::held(cube()).at(at(3.0, 0.0, 0.0))).unwrap();
    let load = world.add_load(a, Load::force(Vec3::X)).unwrap();
    let (snapshot, hash) = (world.snapshot(), world.hash());
    world.set_pose(a, at(0.0, 7.0, 0.0)).unwrap();
    assert_ne!(world.hash(), hash);
    world.set_velocity(a, Twist::default()).unwrap();
    world.set_role(b, Role::Free).unwrap();
    world.remove_load(load).unwrap();
    world.set_pair_active(a, b, false).unwrap();
    world.restore(&snapshot).unwrap();
    assert_eq!(world.hash(), hash);
    assert_eq!(world.velocity(a), Ok(moving(Vec3::X, Vec3::Y)));
    assert_eq!(world.role(b), Ok(&Role::Held(Twist::default())));
    assert_eq!(world.admits(a, b), Ok(true));
    assert_eq!(world.remove_load(load), Ok(Load::force(Vec3::X)));
}

#[test]
fn a_snapshot_of_a_world_with_other_bodies_is_refused() {
    let mut world = world();
    let a = world.add(BodyBuilder::free(cube()).named("a")).unwrap();
    let snapshot = world.snapshot();
    let b = world.add(BodyBuilder::free(cube()).named("b").at(at(5.0, 0.0, 0.0))).unwrap();
    let hash = world.hash();
    let expected = SnapshotError::OtherBodies { number: 1, then: None, now: Some("b".into()) };
    assert_eq!(world.restore(&snapshot), Err(expected));
    assert_eq!(world.hash(), hash);
    world.remove(b).unwrap();
    world.restore(&snapshot).unwrap();
    // The number of a body that is gone stays taken.
    assert_eq!(world.pose(b), Err(WorldError::NoSuchBody { id: b }));
    let c = world.add(BodyBuilder::free(cube()).named("c")).unwrap();
    assert!(world.pose(c).is_ok() && c != b);
    world.remove(a).unwrap();
    assert!(matches!(world.restore(&snapshot), Err(SnapshotError::OtherBodies { number: 0, .. })));
    let mut heavier = self::world();
    heavier.add(BodyBuilder::free(cube()).named("a").density(2000.0)).unwrap();
    assert!(heavier.restore(&snapshot).is_err());
}

#[test]
fn one_bit_of_one_body_changes_the_hash_and_where_a_removed_body_was_does_not() {
    let make = |x: f64| {
        let mut world = world();
        let id = world.add(BodyBuilder::free(ball(1.0)).at(at(x, 0.0, 0.0))).unwrap();
        (world, id)
    };
    let ((one, _), (other, _)) = (make(1.0), make(1.0 + f64::EPSILON));
    assert_eq!(one.hash(), make(1.0).0.hash());
    assert_ne!(one.hash(), other.hash());
    let [one, other] = [make(1.0), make(2.0)].map(|(mut world, id)| {
        world.remove(id).unwrap();
        world.hash()
    });
    assert_eq!(one, other);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// The oracle asks about all pairs.
    #[test]
    fn the_smallest_clearance_is_the_least_of_all_pairs(
        places in prop::collection::vec((prop::array::uniform3(-8.0..8.0f64), 0..5u8, 0..3u8), 0..24),
        is_grounded in any::<bool>(),
        off in prop::collection::vec((0..24usize, 0..24usize), 0..6),
    ) {
        let mut world = world();
        if is_grounded {
            let low = Plane { normal: Vec3::new(0.6, 0.0, 0.8), offset: -9.0 };
            world.add(BodyBuilder::fixed(Shape::half_space(low).unwrap())).unwrap();
        }
        let tetrahedron = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let solid = Solid::from_soup(&silvia_solid::Soup::new(tetrahedron.to_vec(), faces).unwrap()).unwrap();
        for ([x, y, z], kind, role) in places {
            let shape = match kind {
                0 => ball(0.4),
                1 => cube(),
                2 => Shape::cone(0.5, 1.0).unwrap(),
                3 => Shape::capsule(0.2, 1.5).unwrap(),
                _ => Shape::solid(solid.clone()),
            };
            let body = if role == 0 { BodyBuilder::fixed(shape) } else { BodyBuilder::free(shape) };
            world.add(body.at(at(x, y, z))).unwrap();
        }
        let ids: Vec<BodyId> = world.ids().collect();
        for (i, j) in off {
            if i != j && i < ids.len() && j < ids.len() {
                world.set_pair_active(ids[i], ids[j], false).unwrap();
            }
        }
        let mut expected: Option<(f64, [BodyId; 2])> = None;
        for (i, &a) in ids.iter().enumerate() {
            for &b in &ids[i + 1..] {
                let is_movable = world.role(a).unwrap().is_movable() || world.role(b).unwrap().is_movable();
                if is_movable && world.admits(a, b).unwrap() {
                    let (one, other) = (world.shape(a).unwrap(), world.shape(b).unwrap());
                    let (at_a, at_b) = (world.pose(a).unwrap(), world.pose(b).unwrap());
                    let distance = shape::distance(one, &at_a, other, &at_b).upper;
                    if expected.is_none_or(|(least, _)| distance < least) {
                        expected = Some((distance, [a, b]));
                    }
                }
            }
        }
        let found = world.smallest_clearance().map(|clearance| (clearance.distance.upper, clearance.bodies));
        prop_assert_eq!(found, expected);
    }
}
