//! Lists that are filled again in the memory they have, on one thread or on all of them.
//!
//! The parallel loops give what one thread would, in the same order. A *grain* is how many items are worth a
//! thread's while: fewer than two grains run on the calling thread.

use rayon::prelude::*;

/// Grain for pairs of bodies, some ten microseconds each.
pub(crate) const PAIRS: usize = 24;

/// Grain for bodies, some microseconds each.
pub(crate) const BODIES: usize = 64;

/// Grain for contacts, some tenths of a microsecond each.
pub(crate) const CONTACTS: usize = 256;

/// Replaces the contents of a list, in the memory it has.
pub(crate) fn refill<T>(list: &mut Vec<T>, with: impl IntoIterator<Item = T>) {
    list.clear();
    list.extend(with);
}

/// Replaces the contents of a list by one value for each number below `count`, in the memory it has.
pub(crate) fn refill_each<T: Send>(
    list: &mut Vec<T>,
    count: usize,
    grain: usize,
    value: impl Fn(usize) -> T + Sync + Send,
) {
    if is_worth_threads(count, grain) {
        (0..count).into_par_iter().with_min_len(grain).map(value).collect_into_vec(list);
    } else {
        refill(list, (0..count).map(value));
    }
}

/// Replaces the contents of a list by what `act` gives for each item, which it may change.
pub(crate) fn refill_from<T: Send, U: Send>(
    list: &mut Vec<U>,
    items: &mut [T],
    grain: usize,
    act: impl Fn(usize, &mut T) -> U + Sync + Send,
) {
    if is_worth_threads(items.len(), grain) {
        let acted = items.par_iter_mut().with_min_len(grain).enumerate().map(|(at, item)| act(at, item));
        acted.collect_into_vec(list);
    } else {
        refill(list, items.iter_mut().enumerate().map(|(at, item)| act(at, item)));
    }
}

/// Changes each item.
pub(crate) fn for_each<T: Send>(items: &mut [T], grain: usize, act: impl Fn(usize, &mut T) + Sync + Send) {
    if is_worth_threads(items.len(), grain) {
        items.par_iter_mut().with_min_len(grain).enumerate().for_each(|(at, item)| act(at, item));
    } else {
        items.iter_mut().enumerate().for_each(|(at, item)| act(at, item));
    }
}

fn is_worth_threads(count: usize, grain: usize) -> bool {
    count >= 2 * grain && rayon::current_num_threads() > 1
}
