mod probes;
mod queries;
mod snapshot;

use super::*;
use crate::builder::BodyBuilder;
use crate::{LoadError, Script, ScriptError, SnapshotError};
use silvia_contact::Twist;
use silvia_proximity::{Shape, shape};
use silvia_solid::{Mat3, Plane, Quat, Solid, primitives};

fn world() -> World {
    World::new(WorldSettings::default()).unwrap()
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
    let steel = world.add_material(Material::new("steel", 0.2, 0.6)).unwrap();
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
    assert_eq!(world.pair_law(steel, steel), Ok(PairLaw::new(0.2, 0.6)));
    assert_eq!(world.material_id("steel"), Some(steel));
    assert_eq!(world.material_by_id(steel).map(|m| m.friction), Ok(0.2));
    assert_eq!(world.material(id), Ok(steel));
    world.set_material(id, MaterialId::default()).unwrap();
    assert_eq!(world.material(id), Ok(MaterialId::default()));
    let foreign = fault_of(world.set_material(id, MaterialId(9)));
    assert!(matches!(foreign, BodyFault::Material(MaterialError::NoSuchMaterial { .. })));
    let shown = format!("{world:?}");
    assert!(shown.contains("top") && shown.contains("auto"), "{shown}");
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
    let id = world.add(BodyBuilder::fixed(cube()).named("body 3")).unwrap();
    world.set_active(id, false).unwrap();
    let id = world.add(BodyBuilder::fixed(cube())).unwrap();
    assert_eq!(world.name(id), Ok("body 4"));
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

/// A box with its points 5000 km from its origin teleported: their rounding is as large as the shell.
#[test]
fn a_shape_too_far_from_its_own_origin_for_its_size_is_refused() {
    let placed = |distance: f64| {
        let soup = primitives::cuboid(Vec3::splat(2.0)).unwrap();
        let points = soup.points().iter().map(|p| *p + Vec3::new(distance, 0.0, 0.0)).collect();
        let moved = silvia_solid::Soup::new(points, soup.triangles().to_vec()).unwrap();
        Shape::solid(Solid::from_soup(&moved).unwrap())
    };
    let error = world().add(BodyBuilder::free(placed(5e6)).named("far")).unwrap_err();
    assert!(matches!(error.fault, BodyFault::FarFromOrigin { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "body `far`: its shape is 3.464 m across, but its points lie up to 5000000 m from its own origin, \
         where coordinates are too coarse for it: move its points to its origin, and the body by its pose"
    );
    assert!(world().add(BodyBuilder::fixed(placed(5e6))).is_err());
    world().add(BodyBuilder::free(placed(1e6))).unwrap();
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
    let number = id.index();
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
    assert_eq!(world.loads(id).unwrap().map(|(id, _)| id).next(), Some(load));
    assert_eq!(world.remove_load(load), Ok(push));
    assert_eq!(world.loads(id).unwrap().count(), 1);
}

#[test]
fn bad_settings_are_refused_and_good_ones_taken() {
    let bad = WorldSettings { tolerance: 0.0, ..WorldSettings::default() };
    assert!(World::new(bad.clone()).is_err());
    let mut world = world();
    assert!(world.set_settings(bad).is_err());
    assert_eq!(world.settings(), &WorldSettings::default());
    let none = WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() };
    world.set_settings(none.clone()).unwrap();
    assert_eq!(world.settings(), &none);
    assert_eq!(world.response().name(), "auto");
}
