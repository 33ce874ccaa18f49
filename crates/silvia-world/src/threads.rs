//! Loops over many things, on all threads. What comes of them is what one thread would find, in the same
//! order.
//!
//! A *grain* is how many of these things are worth the while of a thread: fewer than two grains are done at
//! once where they are.

use crate::response::refill;
use rayon::prelude::*;

/// Pairs of bodies, some ten microseconds each.
pub(crate) const PAIRS: usize = 24;

/// Bodies, some microseconds each.
pub(crate) const BODIES: usize = 64;

/// Contacts, some tenths of a microsecond each.
pub(crate) const CONTACTS: usize = 256;

fn is_for_all(count: usize, grain: usize) -> bool {
    count >= 2 * grain && rayon::current_num_threads() > 1
}

/// Makes a list hold one value for each number below `count`, in the memory it has.
pub(crate) fn refill_each<T: Send>(
    list: &mut Vec<T>,
    count: usize,
    grain: usize,
    value: impl Fn(usize) -> T + Sync + Send,
) {
    if is_for_all(count, grain) {
        (0..count).into_par_iter().with_min_len(grain).map(value).collect_into_vec(list);
    } else {
        refill(list, (0..count).map(value));
    }
}

/// Does something to each of them.
pub(crate) fn for_each<T: Send>(things: &mut [T], grain: usize, act: impl Fn(usize, &mut T) + Sync + Send) {
    if is_for_all(things.len(), grain) {
        things.par_iter_mut().with_min_len(grain).enumerate().for_each(|(at, thing)| act(at, thing));
    } else {
        things.iter_mut().enumerate().for_each(|(at, thing)| act(at, thing));
    }
}

/// The same, with what comes of it in place of what a list holds.
pub(crate) fn refill_from<T: Send, U: Send>(
    list: &mut Vec<U>,
    things: &mut [T],
    grain: usize,
    act: impl Fn(usize, &mut T) -> U + Sync + Send,
) {
    if is_for_all(things.len(), grain) {
        let acted = things.par_iter_mut().with_min_len(grain).enumerate().map(|(at, thing)| act(at, thing));
        acted.collect_into_vec(list);
    } else {
        refill(list, things.iter_mut().enumerate().map(|(at, thing)| act(at, thing)));
    }
}
