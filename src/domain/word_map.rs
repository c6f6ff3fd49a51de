//! Maps from words, where looking up is most of the work.
//!
//! Words of up to 23 bytes lie in the map itself, so that to compare one reads no other memory.
//! The hash is a quick one with a seed of the process's own: who writes the texts cannot choose words that
//! fall together. It differs from run to run, so nothing may depend on the order of such a map.

mod numbers;

pub(crate) use numbers::WordNumbers;

use std::collections::HashMap;

use smol_str::SmolStr;

/// The hash of words.
pub(crate) type WordHasher = foldhash::fast::RandomState;

/// Values by word.
pub(crate) type WordMap<V> = HashMap<SmolStr, V, WordHasher>;
