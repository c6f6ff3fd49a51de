//! Seeds: every random case can be run again.

use std::env;
use std::thread;

use fastrand::Rng;

/// Prints the seed of the case that is running when the case fails.
pub(crate) struct Case {
    seed: u64,
}

impl Drop for Case {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("failed with HINDLORE_SEED={}", self.seed);
        }
    }
}

/// The cases of a property: `count` of them, times `HINDLORE_CASES`; each with its own chance. `salt`
/// keeps properties from sharing cases.
pub(crate) fn cases(salt: u64, count: u64) -> impl Iterator<Item = (Case, Rng)> {
    let one = number("HINDLORE_SEED").map(|seed| vec![seed]);
    let times = number("HINDLORE_CASES").unwrap_or(1);
    let all = (0..count * times).map(|at| salt << 32 | at).collect();
    one.unwrap_or(all)
        .into_iter()
        .map(|seed| (Case { seed }, Rng::with_seed(seed)))
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")),
    )
}

/// One of several.
pub(crate) fn pick<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.usize(..all.len())]
}

/// True in a number of a hundred cases.
pub(crate) fn percent(rng: &mut Rng, share: u8) -> bool {
    rng.u8(..100) < share
}
