//! Counts the steps that reading texts takes, so that tests compare growth without a clock.
//!
//! Each loop over a text adds the length that it read. Only debug builds count; a release build contains none of it.
//! The count belongs to the thread.

use std::cell::Cell;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Adds to the count.
#[inline]
pub fn add(steps: usize) {
    if cfg!(debug_assertions) {
        TAKEN.with(|taken| taken.set(taken.get().wrapping_add(steps as u64)));
    }
}

/// Returns how many this thread has counted; always 0 in a release build.
pub fn taken() -> u64 {
    TAKEN.with(Cell::get)
}
