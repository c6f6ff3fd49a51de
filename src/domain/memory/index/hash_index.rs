//! A hash index from keys to document numbers that stores no keys: the caller reads them from the bullets.
//!
//! It takes six to eleven bytes per bullet; a map with its keys takes about thirty for an id and sixty for a
//! content hash. A key may be a prefix of the full value, so a second test picks among documents with one key.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hindlore_topk::DocId;

/// Document numbers by a key that the caller can read from the document.
///
/// Hash order reaches no answer: the index is only looked up by key.
#[derive(Clone, Default, Debug)]
pub(crate) struct HashIndex {
    hasher: RandomState,
    table: HashTable<DocId>,
}

impl HashIndex {
    /// Builds the index of documents whose keys differ, or differ in the rest of what they stand for.
    pub(crate) fn of<K: Hash>(docs: &[DocId], key_of: impl Fn(DocId) -> K) -> Self {
        let hasher = RandomState::default();
        let hash = |doc: &DocId| hasher.hash_one(key_of(*doc));
        let mut table = HashTable::with_capacity(docs.len());
        for doc in docs {
            table.insert_unique(hash(doc), *doc, hash);
        }
        Self { hasher, table }
    }

    /// Returns all documents, ascending.
    pub(crate) fn docs(&self) -> Vec<DocId> {
        let mut docs: Vec<DocId> = self.table.iter().copied().collect();
        docs.sort_unstable();
        docs
    }

    /// Returns the document with this key for which `is_meant` returns true.
    pub(crate) fn get<K: Hash + Eq>(
        &self,
        key: &K,
        key_of: impl Fn(DocId) -> K,
        is_meant: impl Fn(DocId) -> bool,
    ) -> Option<DocId> {
        let hash = self.hasher.hash_one(key);
        let is_it = |doc: &DocId| key_of(*doc) == *key && is_meant(*doc);
        self.table.find(hash, is_it).copied()
    }

    /// Inserts a document. Replaces the one with the same key for which `is_meant` returns true, if any.
    pub(crate) fn insert<K: Hash + Eq>(
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
            // The table stores no keys, so growing it reads every key through the caller.
            None => {
                let rehash = |doc: &DocId| self.hasher.hash_one(key_of(*doc));
                self.table.insert_unique(hash, doc, rehash);
            }
        }
    }

    /// Removes the document with this key for which `is_meant` returns true, if any.
    pub(crate) fn remove<K: Hash + Eq>(
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
