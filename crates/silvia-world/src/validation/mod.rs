//! Scenes whose answers are known, each under every method that claims to handle it.
//!
//! The scenes are numbered as in the reference that they come from. Each gives [`Row`]s: a quantity, what it
//! must be by theory, what the world makes of it at a step of 1 ms, and how far off that may be. [`table`]
//! writes them for people.
//!
//! ```
//! use silvia_world::validation::{Scene, table};
//!
//! let tumbling = Scene::by_name("tumbling body").expect("it is one of the scenes");
//! let rows = tumbling.rows("auto")?;
//! assert!(rows.iter().all(|row| row.pass), "{}", table(&rows));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ball;
mod billiards;
mod bounce;
mod countersink;
mod nut;
mod push;
mod rocking;
mod row;
mod slope;
mod stack;
pub mod stacks;
mod stage;
mod stopping;
mod tumbling;
mod wedge;

pub use row::{Measure, Row, table};
pub use stage::ValidationError;

use crate::world::World;

/// All scenes are stepped by this, s.
pub const STEP: f64 = 1e-3;

/// A scene with known answers.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// No two scenes have the same.
    pub name: &'static str,
    /// In the reference.
    pub number: u32,
    /// One sentence.
    pub what: &'static str,
    /// The methods that claim to handle it, by name.
    pub methods: &'static [&'static str],
    /// The scene at its start under a method; of several variants, the first.
    pub open: fn(method: &str) -> Result<World, ValidationError>,
    /// Runs it under a method and compares.
    pub run: fn(method: &str) -> Result<Vec<Row>, ValidationError>,
}

impl Scene {
    /// The scene with a name.
    pub fn by_name(name: &str) -> Option<&'static Scene> {
        SCENES.iter().find(|scene| scene.name == name)
    }

    /// Runs it under a method that claims to handle it, and compares.
    pub fn rows(&self, method: &str) -> Result<Vec<Row>, ValidationError> {
        if !self.methods.contains(&method) {
            return Err(ValidationError::NotHandled {
                scene: self.name,
                given: method.to_owned(),
                methods: self.methods,
            });
        }
        (self.run)(method)
    }
}

/// Methods that know friction.
const WITH_FRICTION: &[&str] = &["auto", "ncp", "lcp"];

/// Methods that know friction and bodies in hand, and take no more than seconds for solids of many facets.
const FITTING: &[&str] = &["auto", "ncp"];

/// Every method.
const ALL: &[&str] = &["auto", "ncp", "lcp", "bilateral"];

/// All scenes, by their numbers.
pub const SCENES: &[Scene] = &[
    Scene {
        name: slope::NAME,
        number: 1,
        what: "A block on a slope slides if the slope is steeper than the friction, and else does not move \
         at all.",
        methods: WITH_FRICTION,
        open: slope::open,
        run: slope::run,
    },
    Scene {
        name: stopping::NAME,
        number: 2,
        what: "A block that slides on level ground is stopped by friction.",
        methods: WITH_FRICTION,
        open: stopping::open,
        run: stopping::run,
    },
    Scene {
        name: ball::NAME,
        number: 3,
        what: "A ball that slides begins to roll, and on a slope rolls without slip if friction allows; on \
         an endless plane and on a table of triangles.",
        methods: WITH_FRICTION,
        open: ball::open,
        run: ball::run,
    },
    Scene {
        name: bounce::NAME,
        number: 4,
        what: "A ball dropped from 1 m rebounds at half its speed, ever faster, and comes to rest in finite \
         time.",
        methods: ALL,
        open: bounce::open,
        run: bounce::run,
    },
    Scene {
        name: push::NAME,
        number: 5,
        what: "A box pushed in any direction, diagonally as well, moves along the push.",
        methods: WITH_FRICTION,
        open: push::open,
        run: push::run,
    },
    Scene {
        name: tumbling::NAME,
        number: 9,
        what: "A free body that spins about its middle axis flips over at regular times.",
        methods: ALL,
        open: tumbling::open,
        run: tumbling::run,
    },
    Scene {
        name: stack::NAME,
        number: 11,
        what: "In a stack of ten boxes each carries the weight of those above, and nothing sinks.",
        methods: ALL,
        open: stack::open,
        run: stack::run,
    },
    Scene {
        name: rocking::NAME,
        number: 12,
        what: "A tilted block falls onto its other edge and goes on to rock about that, slower by Housner's \
         factor.",
        methods: WITH_FRICTION,
        open: rocking::open,
        run: rocking::run,
    },
    Scene {
        name: wedge::NAME,
        number: 16,
        what: "A block slides down a wedge that slides away under it, without friction.",
        methods: ALL,
        open: wedge::open,
        run: wedge::run,
    },
    Scene {
        name: countersink::NAME,
        number: 17,
        what: "A bolt beside its countersunk hole, held upright and pressed down, slides in if friction is \
         below the slope of the wall.",
        methods: FITTING,
        open: countersink::open,
        run: countersink::run,
    },
    Scene {
        name: nut::NAME,
        number: 18,
        what: "A nut on an M20 bolt runs down under its weight if friction is below the tangent of the lead \
         angle times the cosine of half the thread's.",
        methods: FITTING,
        open: nut::open,
        run: nut::run,
    },
    Scene {
        name: billiards::NAME,
        number: 19,
        what: "A ball breaks a rack of fifteen that touch each other, without loss: nothing is lost, and \
         left mirrors right.",
        methods: ALL,
        open: billiards::open,
        run: billiards::run,
    },
];
