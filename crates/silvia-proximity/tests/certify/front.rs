//! Parts in close fit, with a cache and without; and all that is in the way against brute force.

use super::common::random::random_pose;
use super::common::thread::NutAndBolt;
use super::{at, body, ground, path};
use seeded::Random;
use silvia_proximity::elementary::{MovingPair, first_touch};
use silvia_proximity::shape::Shape;
use silvia_proximity::{ContactBody, ContactOptions, Feature, PathCheck, RigidPath, ShapeContactCache};
use silvia_proximity::{check_path, check_path_with, crossings_of_path, shape_contacts};
use silvia_solid::primitives::{cuboid, extrusion, torus};
use silvia_solid::{Pose, Quat, SideId, Solid, Soup, TriangleId, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

#[test]
fn a_nut_is_screwed_on_its_bolt_with_the_same_answers_as_without_a_cache() {
    let fit = NutAndBolt { facets: 60, rows: 2, turns: 4, clearance: 1e-4 };
    let [bolt, nut] =
        [fit.bolt(), fit.nut()].map(|soup| body(&Shape::solid(Solid::from_soup(&soup).unwrap())));
    let place = |angle: f64, drop: f64| {
        let rise = NutAndBolt::PITCH * (2.0 + angle / TAU) - drop;
        Pose::new(Vec3::new(0.0, 0.0, rise), Quat::from_rotation_z(angle)).unwrap()
    };
    let still = RigidPath::still(Pose::IDENTITY);
    let mut cache = ShapeContactCache::new();
    let (mut free, mut crossing, mut contacts) = (0, 0, 0);
    let mut angle = 0.0;
    for step in 0..40 {
        // On the flank, half way, and where it would go through; a jump by half a turn.
        let drop: f64 = [0.0, 5e-5, 9.9e-5, 1.2e-4][step / 3 % 4];
        let next = if step == 20 { angle + 3.0 } else { angle + 0.02 };
        let from = place(angle, drop.min(1.1e-4));
        let way = path(from, place(angle + 0.02, drop));
        let cached = check_path_with(&bolt, &still, &nut, &way, &mut cache);
        let fresh = check_path(&bolt, &still, &nut, &way);
        assert_eq!(PathCheck { work: 0, ..cached }, PathCheck { work: 0, ..fresh }, "step {step}");
        let few = crossings_of_path(&bolt, &still, &nut, &way, 50, &mut cache);
        assert_eq!(few, crossings_of_path(&bolt, &still, &nut, &way, 50, &mut ShapeContactCache::new()));
        assert_eq!(few.first(), fresh.crossing.as_ref());
        let options = ContactOptions::within_shapes([1e-6, 1e-5][step % 2], &bolt, &nut);
        let find = |cache: &mut ShapeContactCache| {
            shape_contacts(&bolt, &Pose::IDENTITY, &nut, &from, &options, cache).unwrap()
        };
        let found = find(&mut cache);
        assert_eq!(found, find(&mut ShapeContactCache::new()), "step {step}");
        contacts += found.len();
        *if fresh.is_free() { &mut free } else { &mut crossing } += 1;
        angle = next;
    }
    assert!(free > 15 && crossing > 5 && contacts > 0, "{free} free, {crossing} not, {contacts} contacts");
}

/// A solid, and its triangles at the start and at the end of a path.
struct Placed<'a> {
    solid: &'a Solid,
    ends: [Pose; 2],
}

impl Placed<'_> {
    fn corners(&self, triangle: usize) -> [[Vec3; 3]; 2] {
        self.ends.map(|pose| self.solid.soup().corners(triangle).map(|p| pose.transform_point(p)))
    }

    fn vertex(&self, triangle: usize, k: usize) -> Feature {
        Feature::Vertex(self.solid.soup().triangles()[triangle][k])
    }

    fn face(&self, triangle: usize) -> Feature {
        Feature::Face(self.solid.face_of_triangle(TriangleId(triangle as u32)).0)
    }

    fn side(&self, triangle: usize, k: usize) -> Feature {
        let side = SideId(3 * triangle as u32 + k as u32);
        self.solid.edge_of_side(side).map_or(self.face(triangle), |edge| Feature::Edge(edge.0))
    }
}

/// All that touches, with its time, by elementary tests of everything with everything.
fn brute_force(a: &Placed<'_>, b: &Placed<'_>) -> Vec<(f64, [Feature; 2])> {
    let mut all: BTreeMap<[Feature; 2], f64> = BTreeMap::new();
    let mut add = |features: [Feature; 2], pair: MovingPair| {
        if let Some(touch) = first_touch(&pair) {
            let time = all.entry(features).or_insert(f64::INFINITY);
            *time = time.min(touch.lower);
        }
    };
    for i in 0..a.solid.soup().triangles().len() {
        for j in 0..b.solid.soup().triangles().len() {
            let (p, q) = (a.corners(i), b.corners(j));
            for k in 0..3 {
                let vertex = |c: &[[Vec3; 3]; 2]| c.map(|c| c[k]);
                add([a.vertex(i, k), b.face(j)], MovingPair::vertex_face(vertex(&p), q).unwrap());
                add([a.face(i), b.vertex(j, k)], MovingPair::vertex_face(vertex(&q), p).unwrap());
                for l in 0..3 {
                    let edge = |c: &[[Vec3; 3]; 2], k: usize| c.map(|c| [c[k], c[(k + 1) % 3]]);
                    let pair = MovingPair::edge_edge(edge(&p, k), edge(&q, l)).unwrap();
                    add([a.side(i, k), b.side(j, l)], pair);
                }
            }
        }
    }
    let mut all: Vec<_> = all.into_iter().map(|(features, time)| (time, features)).collect();
    all.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
    let mut seen: [BTreeSet<Feature>; 2] = Default::default();
    all.retain(|(_, [f, g])| {
        let (first, second) = (seen[0].insert(*f), seen[1].insert(*g));
        first || second
    });
    all
}

#[test]
fn all_that_is_in_the_way_of_two_meshes_is_what_all_elementary_tests_say() {
    let profile = [[0., 0.], [1., 0.], [1., 0.4], [0.4, 0.4], [0.4, 1.], [0., 1.]];
    let soups: [Soup; 3] = [
        extrusion(&profile, &[], 0.5).unwrap(),
        torus(0.5, 0.15, 8, 5).unwrap(),
        cuboid(Vec3::new(0.7, 0.5, 0.4)).unwrap(),
    ];
    let solids = soups.map(|soup| Solid::from_soup(&soup).unwrap());
    let bodies: Vec<ContactBody> = solids.iter().map(|s| body(&Shape::solid(s.clone()))).collect();
    let mut random = Random::new(21);
    let mut crossings = 0;
    for round in 0..60 {
        let (i, j) = (round % 3, round / 3 % 3);
        let from = random_pose(&mut random, 0.1).moved(Vec3::new(1.7, 0.1, 0.2));
        let to = random_pose(&mut random, 0.1).moved(Vec3::new(0.6, 0.1, 0.2));
        let (still, way) = (RigidPath::still(Pose::IDENTITY), path(from, to));
        let check = check_path(&bodies[i], &still, &bodies[j], &way);
        let mut cache = ShapeContactCache::new();
        let found = crossings_of_path(&bodies[i], &still, &bodies[j], &way, usize::MAX, &mut cache);
        assert_eq!(found.first(), check.crossing.as_ref());
        if check.at_start {
            continue;
        }
        let a = Placed { solid: &solids[i], ends: [Pose::IDENTITY; 2] };
        let b = Placed { solid: &solids[j], ends: [from, to] };
        let truth = brute_force(&a, &b);
        let names: Vec<_> = found.iter().map(|c| c.features.map(Option::unwrap)).collect();
        let expected: Vec<_> = truth.iter().map(|(_, features)| *features).collect();
        assert_eq!(names, expected, "round {round}");
        let two = crossings_of_path(&bodies[i], &still, &bodies[j], &way, 2, &mut cache);
        assert_eq!(two, found[..found.len().min(2)]);
        crossings += found.len();
    }
    assert!(crossings > 300, "{crossings}");
}

#[test]
fn all_vertices_that_come_to_a_plane_are_in_the_way() {
    let solid = Solid::from_soup(&torus(0.5, 0.15, 40, 20).unwrap()).unwrap();
    let (floor, ring) = (body(&ground()), body(&Shape::solid(solid.clone())));
    let mut random = Random::new(4);
    for _ in 0..20 {
        let from = random_pose(&mut random, 0.1).moved(0.9 * Vec3::Z);
        let to = random_pose(&mut random, 0.1).moved(0.3 * Vec3::Z);
        let (still, way) = (RigidPath::still(Pose::IDENTITY), path(from, to));
        let mut cache = ShapeContactCache::new();
        let found = crossings_of_path(&floor, &still, &ring, &way, usize::MAX, &mut cache);
        assert_eq!(found.first(), check_path(&floor, &still, &ring, &way).crossing.as_ref());
        assert!(found.is_sorted_by(|p, q| p.upper <= q.upper));
        let names: BTreeSet<_> = found.iter().map(|c| c.features[1].unwrap()).collect();
        assert_eq!(names.len(), found.len());
        let points = solid.soup().points().iter().enumerate();
        let below = points.filter(|(_, p)| to.transform_point(**p).z <= 0.0);
        assert_eq!(names, below.map(|(v, _)| Feature::Vertex(v as u32)).collect());
    }
}

#[test]
fn of_compounds_every_pair_of_parts_has_its_crossings() {
    let parts = vec![
        (at(-0.5, 0.0, 0.0), Shape::cuboid(Vec3::splat(0.4)).unwrap()),
        (at(0.5, 0.0, 0.0), Shape::sphere(0.2).unwrap()),
    ];
    let (two, floor) = (body(&Shape::compound(parts).unwrap()), body(&ground()));
    let way = path(at(0.0, 0.0, 0.5), at(0.0, 0.0, 0.1));
    let (still, mut cache) = (RigidPath::still(Pose::IDENTITY), ShapeContactCache::new());
    let found = crossings_of_path(&two, &way, &floor, &still, 10, &mut cache);
    assert_eq!(found.first(), check_path(&two, &way, &floor, &still).crossing.as_ref());
    let of_part = |part: u32| found.iter().filter(|c| c.parts == [part, 0]).count();
    assert_eq!([of_part(0), of_part(1)], [4, 1]);
    assert!(
        crossings_of_path(&two, &still, &two, &path(at(0.0, 0.0, 3.0), at(0.0, 0.0, 2.0)), 10, &mut cache)
            .is_empty()
    );
}
