//! A hash index from keys to docs that does not store the keys: a doc's bullet has its key.
//!
//! Six to eleven bytes a bullet; a map with the key inside takes about thirty for an id and sixty for a
//! content hash. A key may be a prefix of what it stands for, so the caller says which of the docs with a
//! key is meant.

use std::hash::{BuildHasher, Hash, RandomState};

use hashbrown::HashTable;
use mnemograph_topk::DocId;

/// Slots by a key that the caller can read from the doc.
///
/// Hash order reaches no answer: the index is only looked up by key.
#[derive(Clone, Default, Debug)]
pub(super) struct HashIndex {
    hasher: RandomState,
    table: HashTable<DocId>,
}

impl HashIndex {
    /// Returns the doc with a key that is meant.
    pub(super) fn get<K: Hash + Eq>(
        &self,
        key: &K,
        key_of: impl Fn(DocId) -> K,
        is_meant: impl Fn(DocId) -> bool,
    ) -> Option<DocId> {
        let hash = self.hasher.hash_one(key);
        let is_it = |doc: &DocId| key_of(*doc) == *key && is_meant(*doc);
        self.table.find(hash, is_it).copied()
    }

    /// Inserts a doc, in place of the one with the same key that is meant, if there is one.
    pub(super) fn insert<K: Hash + Eq>(
        &mut self,
        doc: DocId,
        key_of: impl Fn(DocId) -> K,
        is_meant: impl Fn(DocId) -> bool,
    ) {
        let key = key_of(doc);
        let hash = self.hasher.hash_one(&key);
        let is_it = |doc: &DocId| key_of(*doc) == key && is_meant(*doc);
        match self.table.find_mut(hash, is_it) {
            Some(known) => *known = doc,
            None => {
                let rehash = |doc: &DocId| self.hasher.hash_one(key_of(*doc));
                self.table.insert_unique(hash, doc, rehash);
            }
        }
    }

    /// Removes the doc with a key that is meant, if there is one.
    pub(super) fn remove<K: Hash + Eq>(
        &mut self,
        key: &K,
        key_of: impl Fn(DocId) -> K,
        is_meant: impl Fn(DocId) -> bool,
    ) {
        let hash = self.hasher.hash_one(key);
        let is_it = |doc: &DocId| key_of(*doc) == *key && is_meant(*doc);
        if let Ok(entry) = self.table.find_entry(hash, is_it) {
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn it_is_a_map_that_reads_its_keys_elsewhere() {
        let mut rng = fastrand::Rng::with_seed(9);
        let wholes: Vec<u16> = (0..2_000).map(|_| rng.u16(..700)).collect();
        // Several wholes share a key, as hashes may share a prefix.
        let whole_of = |doc: DocId| wholes[doc as usize];
        let key_of = |doc: DocId| whole_of(doc) / 3;
        let (mut table, mut model) = (HashIndex::default(), HashMap::new());
        for _ in 0..50_000 {
            let doc = rng.u32(..2_000);
            let whole = whole_of(doc);
            if rng.u8(..5) < 2 {
                table.remove(&key_of(doc), key_of, |other| whole_of(other) == whole);
                model.remove(&whole);
            } else {
                table.insert(doc, key_of, |other| whole_of(other) == whole);
                model.insert(whole, doc);
            }
            let asked = rng.u16(..700);
            let found = table.get(&(asked / 3), key_of, |other| whole_of(other) == asked);
            assert_eq!(found, model.get(&asked).copied());
            assert_eq!(table.table.len(), model.len());
        }
    }
}
