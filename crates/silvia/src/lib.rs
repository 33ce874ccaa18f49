//! Silvia: collision detection and response.
//!
//! Depend on this crate. It holds no logic of its own: each part of the engine is a module here, and
//! [`prelude`] has the names that most programs need.
//!
//! | module | what it is for |
//! |---|---|
//! | [`solid`] | solids and soups: topology, checks and repair, mass properties, hulls, cuts, primitives, files; booleans with the feature `boolean` |
//! | [`files`] | part files: `silvia::files::read("bolt.stl")` |
//! | [`proximity`] | queries on bodies at poses: do they touch, how far apart are they, what is near; rays and points; culling of many boxes |
//! | [`contact`] | contact problems (masses, gaps, normals, friction in; impulses out) and their solvers |
//! | [`world`] | bodies that move, touch and never pass through each other; loads, scripts, snapshots |
//! | `scene` | with the feature of that name: scene files, recordings of runs; their export, pictures and reports with more features |
//! | [`check`] | a judge of recorded motion that shares no code with what makes motion |
//!
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
//!
//! ```
//! use silvia::prelude::*;
//!
//! let part = Soup::new(
//!     vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
//!     vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
//! )?;
//! let solid = Solid::from_soup(&part)?;
//! assert!(solid.is_convex());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use silvia_check as check;
pub use silvia_contact as contact;
pub use silvia_proximity as proximity;
#[cfg(feature = "scene")]
pub use silvia_scene as scene;
pub use silvia_solid as solid;
pub use silvia_solid::files;
pub use silvia_world as world;

pub mod prelude;

#[cfg(doctest)]
mod guide;
