//! How long to look, and by which method.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A method to find the way of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Pushes and twists of a hand in a world.
    Pushes,
    /// Random trees with retraction.
    Trees,
}

impl Method {
    /// All, in the order in which they are tried.
    pub const ALL: [Method; 2] = [Method::Pushes, Method::Trees];

    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Pushes => "pushes",
            Method::Trees => "trees",
        }
    }
}

/// How long to look for a way, and by which methods.
///
/// The same parts and options come to the same answer, to the bit, on any number of threads, unless a
/// deadline or a stop ends the search.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// One after the other; each is given all its tries before the next begins.
    pub methods: Vec<Method>,
    /// Most pushes and twists in all.
    pub tries: usize,
    /// Most placements drawn for random trees in all.
    pub samples: usize,
    /// What random choices begin with.
    pub seed: u64,
    /// When to give up, whatever has been tried. With one, answers depend on the speed of the machine.
    pub deadline: Option<Instant>,
    /// Set from elsewhere, ends the search as a deadline does.
    pub stop: Arc<AtomicBool>,
}

impl Default for FitOptions {
    /// Both methods, 1000 pushes and 1000 placements, seed 0, no deadline.
    fn default() -> FitOptions {
        FitOptions {
            methods: Method::ALL.to_vec(),
            tries: 1000,
            samples: 1000,
            seed: 0,
            deadline: None,
            stop: Arc::default(),
        }
    }
}

impl FitOptions {
    /// Whether to give up now.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The part whose way is looked for, by its number.
    pub part: usize,
    /// By which method.
    pub method: Method,
    /// Parts that have left.
    pub removed: usize,
    /// Parts that are to leave, in all.
    pub to_remove: usize,
    /// Pushes, or placements, tried so far.
    pub tried: usize,
    /// As many as may be tried.
    pub most: usize,
    /// Places that the part has been to.
    pub places: usize,
    /// The least way that its box has to go yet until it is clear, m.
    pub left: f64,
}
