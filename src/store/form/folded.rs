//! The mark that stays of a folded delta: it was applied, with this body.
//!
//! A row for each would grow for ever, so the marks of a memory lie in at most 256 texts, its buckets. A mark is a
//! blank, 16 hex digits of the id's hash and the first digits of the body's; a fold appends it, and a look-up reads one
//! bucket. Two ids of one memory share a mark with a chance of 1 in 2^64.

use std::collections::BTreeMap;

use hindlore_domain::memory::delta::DeltaId;
use hindlore_primitives::identity::{derived_hash, hex};

/// Digits of the digest of a body.
const BODY_DIGITS: usize = 8;

/// The place of a delta among the folded ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldedDelta {
    /// Its bucket.
    pub bucket: u8,
    /// The beginning of its mark, which a bucket contains if the delta is folded.
    pub mark: String,
}

impl FoldedDelta {
    /// The place of a delta.
    pub fn of(id: &DeltaId) -> Self {
        let hash = derived_hash(&["folded delta", id.as_str()]);
        Self {
            bucket: hash[0],
            mark: format!(" {}", hex(&hash[1..9])),
        }
    }

    /// The first digits of its body's digest, in the text of its bucket; absent if it is not folded.
    pub fn body_digest(&self, bucket: &str) -> Option<String> {
        let (_, rest) = bucket.split_once(&self.mark)?;
        rest.split(' ').next().map(str::to_owned)
    }

    /// The marks to append for deltas, given by id and digest of the body, by bucket.
    pub fn marks<'a>(deltas: impl Iterator<Item = (&'a DeltaId, &'a str)>) -> BTreeMap<u8, String> {
        let mut marks: BTreeMap<u8, String> = BTreeMap::new();
        for (id, body_digest) in deltas {
            let one = Self::of(id);
            let marks = marks.entry(one.bucket).or_default();
            marks.push_str(&one.mark);
            marks.push_str(body_digest.get(..BODY_DIGITS).unwrap_or(body_digest));
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_delta_is_found_with_its_body_and_no_other_is() {
        let id = |number: u32| DeltaId::parse(&format!("d_{number}")).unwrap();
        let digest = |number: u32| format!("{number:08x}{:056x}", 0);
        let folded: Vec<(DeltaId, String)> = (0..5_000).map(|n| (id(n), digest(n))).collect();
        let pairs = folded.iter().map(|(id, digest)| (id, digest.as_str()));
        let marks = FoldedDelta::marks(pairs);
        assert_eq!(marks.len(), 256);
        let found = |id: &DeltaId| {
            let one = FoldedDelta::of(id);
            one.body_digest(&marks[&one.bucket])
        };
        for (id, digest) in &folded {
            assert_eq!(found(id).as_deref(), Some(&digest[..BODY_DIGITS]));
        }
        assert!((5_000..10_000).all(|number| found(&id(number)).is_none()));
        let bytes: usize = marks.values().map(String::len).sum();
        assert_eq!(bytes, 25 * folded.len());
    }
}
