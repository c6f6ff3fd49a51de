//! A hash table from keys to slots that does not hold the keys: a slot's bullet has its key.
//!
//! Open addressing with linear probing and no tombstones; five to eleven bytes a bullet, where a map
//! with the key inside takes about thirty for an id and sixty for a content hash. A key may be shorter
//! than what it stands for: then it is for the caller to say which of the slots with a key is meant.

use std::hash::{BuildHasher, Hash, RandomState};

const FREE: u32 = u32::MAX;
const SMALLEST: usize = 8;

/// Slots by a key that the caller can read from the slot.
///
/// Hash order reaches no answer: the table is only looked up by key.
#[derive(Clone, Default, Debug)]
pub(super) struct SlotTable {
    hasher: RandomState,
    /// A power of two, or empty; at least a quarter is free.
    places: Vec<u32>,
    len: usize,
}

impl SlotTable {
    /// The slot with a key that is meant.
    pub(super) fn get<K: Hash + Eq>(
        &self,
        key: &K,
        key_of: impl Fn(u32) -> K,
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        match self.places[self.find(key, &key_of, &is_meant)] {
            FREE => None,
            slot => Some(slot),
        }
    }

    /// Puts a slot in place of the one with the same key that is meant, if there is one.
    pub(super) fn insert<K: Hash + Eq>(
        &mut self,
        slot: u32,
        key_of: impl Fn(u32) -> K,
        is_meant: impl Fn(u32) -> bool,
    ) {
        if self.places.len() * 3 <= self.len * 4 {
            self.grow(&key_of);
        }
        let place = self.find(&key_of(slot), &key_of, &is_meant);
        self.len += usize::from(self.places[place] == FREE);
        self.places[place] = slot;
    }

    /// Takes out the slot with a key that is meant; unknown ones change nothing.
    pub(super) fn remove<K: Hash + Eq>(
        &mut self,
        key: &K,
        key_of: impl Fn(u32) -> K,
        is_meant: impl Fn(u32) -> bool,
    ) {
        if self.places.is_empty() {
            return;
        }
        let mut hole = self.find(key, &key_of, &is_meant);
        if self.places[hole] == FREE {
            return;
        }
        self.len -= 1;
        let mask = self.places.len() - 1;
        let mut next = hole;
        // What was pushed on by the one that goes moves up, so that no search ends at the hole.
        loop {
            next = (next + 1) & mask;
            let slot = self.places[next];
            if slot == FREE {
                break;
            }
            let wanted = self.first_place(&key_of(slot));
            let (from_wanted, from_hole) = (
                next.wrapping_sub(wanted) & mask,
                next.wrapping_sub(hole) & mask,
            );
            if from_wanted >= from_hole {
                self.places[hole] = slot;
                hole = next;
            }
        }
        self.places[hole] = FREE;
    }

    fn first_place<K: Hash>(&self, key: &K) -> usize {
        #[allow(clippy::cast_possible_truncation)]
        let hash = self.hasher.hash_one(key) as usize;
        hash & (self.places.len() - 1)
    }

    /// Where the slot with a key is that is meant, or the free place where it belongs.
    fn find<K: Hash + Eq>(
        &self,
        key: &K,
        key_of: &impl Fn(u32) -> K,
        is_meant: &impl Fn(u32) -> bool,
    ) -> usize {
        let mask = self.places.len() - 1;
        let mut place = self.first_place(key);
        loop {
            let slot = self.places[place];
            if slot == FREE || (key_of(slot) == *key && is_meant(slot)) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn grow<K: Hash + Eq>(&mut self, key_of: &impl Fn(u32) -> K) {
        let size = (self.places.len() * 2).max(SMALLEST);
        let old = std::mem::replace(&mut self.places, vec![FREE; size]);
        for slot in old.into_iter().filter(|slot| *slot != FREE) {
            let place = self.find(&key_of(slot), key_of, &|_| false);
            self.places[place] = slot;
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
        // A key stands for several wholes, as the beginning of a hash may.
        let whole_of = |slot: u32| wholes[slot as usize];
        let key_of = |slot: u32| whole_of(slot) / 3;
        let (mut table, mut model) = (SlotTable::default(), HashMap::new());
        for _ in 0..50_000 {
            let slot = rng.u32(..2_000);
            let whole = whole_of(slot);
            if rng.u8(..5) < 2 {
                table.remove(&key_of(slot), key_of, |other| whole_of(other) == whole);
                model.remove(&whole);
            } else {
                table.insert(slot, key_of, |other| whole_of(other) == whole);
                model.insert(whole, slot);
            }
            let asked = rng.u16(..700);
            let found = table.get(&(asked / 3), key_of, |other| whole_of(other) == asked);
            assert_eq!(found, model.get(&asked).copied());
            assert_eq!(table.len, model.len());
        }
    }
}
