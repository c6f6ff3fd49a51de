//! Properties of the pure rules, checked on random cases against models by brute force.
//!
//! The tests belong to the domain's crate, whose code and tests are optimised: a model compares every pair. Every case
//! follows from a seed, which a failure prints. `HINDLORE_SEED` runs that one seed alone, `HINDLORE_CASES` multiplies the
//! number of cases. Models share no code with their subjects but tokenisers and the merge guard.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails ends by panicking"
)]

#[path = "../store/properties/chance.rs"]
mod chance;
#[path = "../store/properties/cpu_time.rs"]
mod cpu_time;
mod merging;
mod merging_model;
mod near_duplicates;
mod occasions_model;
mod ranking;
mod ranking_model;
mod templates;

use std::num::NonZero;
use std::thread;

use fastrand::Rng;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::key::MemoryKey;

use crate::chance::cases;

/// Milliseconds of a day.
pub(crate) const DAY_MS: i64 = 86_400_000;

/// The build that writes and reads images.
pub(crate) const BUILD: &str = "build";

/// The memory of a case.
pub(crate) fn key() -> MemoryKey {
    MemoryKey::new("t", "learner", "s").unwrap()
}

/// The memory that another process reads from the image of this one.
pub(crate) fn through_image(memory: &Memory, tables: &Tables) -> Memory {
    let image = memory.image(BUILD, &tables.guard);
    let [asking, learning] = &image;
    let read = |bytes| Memory::from_image(key(), BUILD, bytes);
    assert!(read(&asking[..asking.len() - 1]).is_none(), "cut off");
    assert!(Memory::from_image(key(), "another build", asking).is_none());
    let mut again = read(asking).expect("this build wrote it");
    again.add_learning(BUILD, Some(learning), &tables.guard);
    assert!(!again.has_built_indexes(), "the image holds them");
    assert!(
        image == again.image(BUILD, &tables.guard),
        "it is the same memory"
    );
    again
}

/// Runs the cases of a property on every core, each with its number; the seeds are those of [`cases`].
pub(crate) fn on_every_core(salt: u64, count: u64, check: impl Fn(u64, Rng) + Sync) {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for own in 0..threads {
            let check = &check;
            scope.spawn(move || {
                let all = (0..).zip(cases(salt, count));
                for (number, (_case, rng)) in all.skip(own).step_by(threads) {
                    check(number, rng);
                }
            });
        }
    });
}
