//! Random numbers and tokens, from the seeds of the standard library's hash tables.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A random number in 0..1. It only spreads retries, so the seed of a hash table is random enough.
pub(super) fn chance() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

/// A random token of 128 bits.
pub(crate) fn token() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
