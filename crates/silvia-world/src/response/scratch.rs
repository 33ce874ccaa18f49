//! Memory of a response method, kept from answer to answer.

use std::any::Any;
use std::fmt;

/// Memory that a response method keeps from answer to answer, so that a steady step allocates nothing. It
/// affects speed, never results: an answer is the same, to the bit, with fresh memory.
///
/// A method keeps a type of its own in it:
/// ```
/// use silvia_world::response::Scratch;
/// #[derive(Default)]
/// struct Mine {
///     forces: Vec<f64>,
/// }
/// let mut scratch = Scratch::default();
/// scratch.of::<Mine>().forces.push(1.0);
/// assert_eq!(scratch.of::<Mine>().forces, [1.0]);
/// ```
#[derive(Default)]
pub struct Scratch {
    memory: Option<Box<dyn Any + Send + Sync>>,
}

impl Scratch {
    /// The memory as a method's own type: as the method left it, or new if another method had it last.
    #[allow(clippy::expect_used, reason = "memory of the type was just put there")]
    pub fn of<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        if !self.memory.as_deref().is_some_and(|memory| memory.is::<T>()) {
            self.memory = Some(Box::<T>::default());
        }
        self.memory.as_deref_mut().and_then(|memory| memory.downcast_mut()).expect("memory of this type")
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}
