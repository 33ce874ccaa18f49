//! Collision detection and collision response, for bodies of any shape: CAD parts as they are, smooth shapes,
//! compounds. They fall, slide, fit together and rest, and never pass through each other.
//!
//! Depend on this crate. It holds no logic of its own: each part of the engine is a module here, and
//! [`prelude`] has the names that most programs need. Everything is in SI units and `f64`; z is up.
//!
//! # In ten lines
//! Five boxes fall onto each other and come to rest as a stack.
//!
//! ```
//! use silvia::prelude::*;
//!
//! let mut world = World::new(WorldSettings::default())?;
//! let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
//! world.add(BodyBuilder::fixed(ground).named("ground"))?;
//! for i in 0..5 {
//!     let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2 + 0.2 * f64::from(i)))?;
//!     world.add(BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1))?).named(format!("box {i}")).at(at))?;
//! }
//! for _ in 0..500 {
//!     world.step(2e-3)?;
//! }
//! let top = world.pose(world.body_id("box 4")?)?;
//! assert!((top.translation().z - 0.45).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to use for what
//! | to | use |
//! |---|---|
//! | read or write a part | [`files`] |
//! | make a part | [`primitives`](solid::primitives), [`parts`](solid::parts), [`Soup::new`](solid::Soup::new) |
//! | know whether a part is whole, and mend it | [`Report`](solid::check::Report), [`repair`](solid::repair) |
//! | walk over its faces and edges, know its mass | [`Solid`](solid::Solid), [`MassProperties`](solid::MassProperties) |
//! | place it | [`Pose`](solid::Pose) |
//! | ask about two bodies | [`Shape`](proximity::Shape) with [`collide`](proximity::collide), [`distance`](proximity::distance), [`penetration`](proximity::penetration), [`time_of_impact`](proximity::time_of_impact), [`contacts`](proximity::contacts) |
//! | ask about a point or a ray | [`point_distance`](proximity::point_distance), [`cast_ray`](proximity::cast_ray) |
//! | ask about two meshes, triangle by triangle | [`mesh`](proximity::mesh), over a [`Hierarchy`](proximity::Hierarchy) |
//! | ask about many bodies at once | [`Crowd`](proximity::Crowd) |
//! | find contact forces without a world | [`System`](contact::System), [`ContactProblem`](contact::ContactProblem), [`solvers`](contact::solvers) |
//! | let bodies move | [`World`](world::World), [`BodyBuilder`](world::BodyBuilder), [`Material`](world::Material), [`Load`](world::Load) |
//! | move one by hand or by a script | [`World::take`](world::World::take), [`World::set_hand`](world::World::set_hand), [`Script`](world::Script) |
//! | describe all that in a file, and record it | `scene::Scene`, `scene::Recording` (feature `scene`) |
//! | know whether parts can be assembled, and how | [`assemble`](fit::assemble) |
//! | judge motion, of any engine | [`Checker`](check::Checker) |
//!
//! # The modules
//! Each uses those above it and works without those below.
//!
//! | module | what it is for |
//! |---|---|
//! | [`solid`] | solids and soups: topology, checks and repair, mass properties, hulls, cuts, primitives, files; booleans with the feature `boolean` |
//! | [`files`] | part files: `silvia::files::read("bolt.stl")` |
//! | [`proximity`] | queries on bodies at poses: do they touch, how far apart are they, what is near; rays and points; culling of many boxes |
//! | [`contact`] | contact problems (masses, gaps, normals, friction in; impulses out) and their solvers |
//! | [`world`] | bodies that move, touch and never pass through each other; loads, scripts, snapshots |
//! | [`fit`] | whether parts can be assembled: a way for each, or the place that is too narrow |
//! | [`check`] | a judge of recorded motion that shares no code with what makes motion |
//! | `scene` | with the feature of that name: scene files, recordings of runs; their export, pictures and reports with more features |
//!
//! # Errors
//! Bad input is refused where it comes in, never repaired silently. Errors are enums with fields; their
//! messages say what was wrong, where, and what to do.
//!
//! ```
//! use silvia::prelude::*;
//!
//! let (points, triangles) = primitives::cuboid(Vec3::ONE)?.into_parts();
//! let open = Soup::new(points, triangles[1..].to_vec())?;
//! let error = Solid::from_soup(&open).unwrap_err();
//! assert!(error.to_string().contains("3 open edges"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! By default a program gets what it needs to ask and to simulate, and no reader of scenes, no encoder of
//! pictures and no format of recordings. These are features:
//!
//! | feature | adds |
//! |---|---|
//! | `scene` | scene files, runs and recordings |
//! | `export` | recordings as tables, for ParaView, as glTF and for Foxglove |
//! | `picture` | pictures and films of recordings |
//! | `report` | recordings as one page of playback, plots and tables |
//! | `full` | all of these |
//! | `boolean` | union, difference and intersection of solids |

pub use silvia_check as check;
pub use silvia_contact as contact;
pub use silvia_fit as fit;
pub use silvia_proximity as proximity;
#[cfg(feature = "scene")]
pub use silvia_scene as scene;
pub use silvia_solid as solid;
pub use silvia_solid::files;
pub use silvia_world as world;

pub mod prelude;

#[cfg(doctest)]
mod guide;
