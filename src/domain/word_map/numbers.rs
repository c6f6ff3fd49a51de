//! Numbers of words: each word has one for as long as it is kept, and numbers that became free go to the next.
//!
//! A hash table with open addressing and linear probing, whose places hold a number and a print of the word; the
//! words lie beside it by their numbers. Looking up many words at once therefore is three short passes, of which
//! none waits for what it has just read: memory is waited for once, not by each word in turn.
//!
//! The hash has a seed of the process's own: who writes the texts cannot choose words that fall together. It
//! reaches no answer: the table is only looked up by word, or swept in the order of the numbers.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use smol_str::SmolStr;

const FREE: u32 = u32::MAX;
const SMALLEST: usize = 8;

/// Words by number, and numbers by word.
#[derive(Clone, Default, Debug)]
pub(crate) struct WordNumbers {
    hasher: RandomState,
    /// A power of two, or empty; at least a quarter is free.
    places: Vec<Place>,
    /// By number.
    words: Vec<SmolStr>,
    free: Vec<u32>,
}

/// What a place of the table says of a word.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The lower half of the word's hash, which also says where to look first.
    print: u32,
    number: u32,
}

impl Place {
    const EMPTY: Self = Self {
        print: 0,
        number: FREE,
    };
}

impl WordNumbers {
    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len() - self.free.len()
    }

    /// The number of a word.
    #[inline]
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        let print = self.print_of(word);
        self.number_from(self.first_place(print), word, print)
    }

    /// Calls with each word and its number, where it has one, in order.
    pub(crate) fn each<'w, W: AsRef<str>>(
        &self,
        words: &'w [W],
        mut visit: impl FnMut(&'w W, Option<u32>),
    ) {
        if self.places.is_empty() {
            return words.iter().for_each(|word| visit(word, None));
        }
        let prints = words.iter().map(|word| self.print_of(word.as_ref()));
        let prints: Vec<u32> = prints.collect();
        let first = prints
            .iter()
            .map(|print| self.places[self.first_place(*print)]);
        let first: Vec<Place> = first.collect();
        for ((word, print), place) in words.iter().zip(prints).zip(first) {
            let text = word.as_ref();
            let is_it = place.print == print && place.number != FREE;
            let number = if is_it && self.words[place.number as usize] == text {
                Some(place.number)
            } else {
                self.number_from(self.first_place(print), text, print)
            };
            visit(word, number);
        }
    }

    /// The number of a word, and whether it was given just now.
    pub(crate) fn intern(&mut self, word: &str) -> (u32, bool) {
        let print = self.print_of(word);
        if let Some(number) = self.number_from(self.first_place(print), word, print) {
            return (number, false);
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.words.push(SmolStr::default());
            u32::try_from(self.words.len() - 1).unwrap_or(FREE)
        });
        self.words[number as usize] = word.into();
        if self.places.len() * 3 < self.len() * 4 {
            self.lay_out((self.places.len() * 2).max(SMALLEST), |_| true);
        }
        self.put(Place { print, number });
        (number, true)
    }

    /// All words with their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &str)> {
        let taken = self.places.iter().filter(|place| place.number != FREE);
        taken.map(|place| (place.number, self.words[place.number as usize].as_str()))
    }

    /// Forgets the words of the numbers that are not wanted.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(u32) -> bool) {
        self.lay_out(self.places.len(), is_wanted);
        let mut is_kept = vec![false; self.words.len()];
        let kept = self.places.iter().filter(|place| place.number != FREE);
        kept.for_each(|place| is_kept[place.number as usize] = true);
        self.free.clear();
        for (number, is_kept) in (0..).zip(is_kept) {
            if !is_kept {
                self.words[number as usize] = SmolStr::default();
                self.free.push(number);
            }
        }
    }

    /// Makes the table anew with so many places, a power of two, of what is wanted.
    fn lay_out(&mut self, size: usize, is_wanted: impl Fn(u32) -> bool) {
        let old = std::mem::replace(&mut self.places, vec![Place::EMPTY; size]);
        let kept = old.into_iter().filter(|place| place.number != FREE);
        for place in kept.filter(|place| is_wanted(place.number)) {
            self.put(place);
        }
    }

    fn put(&mut self, place: Place) {
        let mask = self.places.len() - 1;
        let mut at = self.first_place(place.print);
        while self.places[at].number != FREE {
            at = (at + 1) & mask;
        }
        self.places[at] = place;
    }

    #[inline]
    fn print_of(&self, word: &str) -> u32 {
        #[allow(clippy::cast_possible_truncation)]
        let print = self.hasher.hash_one(word) as u32;
        print
    }

    /// Where to look first, in a table that has places.
    #[inline]
    fn first_place(&self, print: u32) -> usize {
        print as usize & self.places.len().wrapping_sub(1)
    }

    /// The number of a word that is in a place from `at` on.
    fn number_from(&self, mut at: usize, word: &str, print: u32) -> Option<u32> {
        let mask = self.places.len().checked_sub(1)?;
        loop {
            let place = self.places[at];
            if place.number == FREE {
                return None;
            }
            if place.print == print && self.words[place.number as usize] == word {
                return Some(place.number);
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;

    #[test]
    fn it_is_a_map_that_gives_free_numbers_again() {
        let mut rng = fastrand::Rng::with_seed(4);
        let (mut numbers, mut model) = (WordNumbers::default(), HashMap::new());
        let mut freed = 0;
        for round in 0..20_000 {
            let word = match rng.u32(..600) {
                0 => String::new(),
                at if at % 7 == 0 => format!("a word too long to lie in the table itself {at}"),
                at => format!("w{at}"),
            };
            let known = model.get(&word).copied();
            assert_eq!(numbers.get(&word), known, "{word}");
            let (number, is_new) = numbers.intern(&word);
            assert_eq!(known.unwrap_or(number), number, "{word}");
            assert_eq!(is_new, known.is_none(), "{word}");
            model.insert(word, number);
            if round % 1_000 == 999 {
                let part = rng.u32(1..4);
                numbers.retain(|number| number % part == 0);
                let before = model.len();
                model.retain(|_, number| *number % part == 0);
                freed += before - model.len();
            }
            assert_eq!(numbers.len(), model.len());
            let distinct: BTreeSet<u32> = model.values().copied().collect();
            assert_eq!(
                distinct.len(),
                model.len(),
                "no number stands for two words"
            );
        }
        assert!(freed > 1_000, "{freed}");
        assert!(numbers.words.len() <= 600, "numbers are given again");
        assert!(numbers.places.len() * 3 >= numbers.len() * 4);
    }

    #[test]
    fn many_are_found_as_each_alone() {
        let mut numbers = WordNumbers::default();
        let words: Vec<String> = (0..3_000)
            .map(|at| format!("w{}", at * at % 4_001))
            .collect();
        let found = |numbers: &WordNumbers| {
            let mut found = Vec::new();
            numbers.each(&words, |word, number| found.push((word.clone(), number)));
            found
        };
        assert!(found(&numbers).iter().all(|(_, number)| number.is_none()));
        for word in words.iter().step_by(3) {
            numbers.intern(word);
        }
        let alone = words.iter().map(|word| (word.clone(), numbers.get(word)));
        assert_eq!(found(&numbers), alone.collect::<Vec<_>>());
        assert!(found(&numbers).iter().any(|(_, number)| number.is_none()));
    }
}
