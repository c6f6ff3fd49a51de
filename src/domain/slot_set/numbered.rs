//! A set whose slots are numbered in ascending order, and which of them another set holds.

use super::body::Body;
use super::{Form, SlotSet, WINDOW, WORD_BITS};

/// Words of 64 slots in a block.
const BLOCK_WORDS: usize = WINDOW / WORD_BITS;

/// Slots with their numbers, as a bitmap with the count before each of its words.
#[derive(Debug)]
pub struct Numbered {
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl Numbered {
    /// Numbers slots that come ascending.
    pub fn of_ascending(slots: impl Iterator<Item = u32>) -> Self {
        let mut bits: Vec<u64> = Vec::new();
        for slot in slots {
            let word = slot as usize / WORD_BITS;
            if bits.len() <= word {
                bits.resize(word + 1, 0);
            }
            bits[word] |= 1 << (slot % 64);
        }
        let mut count = 0_u32;
        let before = bits.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        let before = before.collect();
        Self { bits, before }
    }

    /// The number of a slot that is in the set.
    #[inline]
    pub fn number(&self, slot: u32) -> Option<u32> {
        let at = slot as usize / WORD_BITS;
        let bit = 1 << (slot % 64);
        let word = *self.bits.get(at)?;
        (word & bit != 0).then(|| self.number_in(at, word, bit))
    }

    #[inline]
    fn number_in(&self, at: usize, word: u64, bit: u64) -> u32 {
        self.before[at] + (word & (bit - 1)).count_ones()
    }
}

impl SlotSet {
    /// Calls with the numbers of the slots that are in both sets, ascending.
    #[inline]
    pub fn for_each_numbered(&self, numbered: &Numbered, mut visit: impl FnMut(u32)) {
        match &self.0 {
            Form::Inline(len, slots) => {
                let slots = slots[..usize::from(*len)].iter();
                slots
                    .filter_map(|slot| numbered.number(*slot))
                    .for_each(visit);
            }
            Form::Blocks(blocks) => {
                for block in &blocks.blocks {
                    let first = usize::from(block.high) * BLOCK_WORDS;
                    let bits = numbered.bits.get(first..).unwrap_or_default();
                    let bits = &bits[..bits.len().min(BLOCK_WORDS)];
                    block.body.for_each_in(bits, |at, word, bit| {
                        visit(numbered.number_in(first + at, word, bit));
                    });
                }
            }
        }
    }
}

impl Body {
    /// Calls with every lower half that a bitmap has as well: its word, what the bitmap has there, and
    /// its bit.
    #[inline]
    fn for_each_in(&self, bits: &[u64], mut visit: impl FnMut(usize, u64, u64)) {
        match self {
            Self::List(lows) => {
                for low in lows {
                    let at = usize::from(*low) / WORD_BITS;
                    let (word, bit) = (bits.get(at).copied().unwrap_or_default(), 1 << (low % 64));
                    if word & bit != 0 {
                        visit(at, word, bit);
                    }
                }
            }
            Self::Bits(words, _) => {
                for (at, (own, word)) in words.iter().zip(bits).enumerate() {
                    let mut both = own & word;
                    while both != 0 {
                        visit(at, *word, both & both.wrapping_neg());
                        both &= both - 1;
                    }
                }
            }
        }
    }
}
