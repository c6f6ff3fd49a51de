//! Sums over many sets at once, window by window: what each slot gets from the sets that hold it.

use super::body::Body;
use super::{Form, SlotSet, WORD_BITS, high, low};

/// Slots of a window: those of one block.
pub const WINDOW: usize = 1 << 16;

impl SlotSet {
    /// Adds an amount to the sum of every slot of one window of [`WINDOW`] slots; sums stay at the most
    /// that a byte holds.
    pub fn add_to(&self, window: usize, sums: &mut [u8; WINDOW], amount: u8) {
        match &self.0 {
            Form::Inline(len, slots) => {
                for slot in &slots[..usize::from(*len)] {
                    if usize::from(high(*slot)) == window {
                        add(sums, low(*slot), amount);
                    }
                }
            }
            Form::Blocks(blocks) => {
                let number = u16::try_from(window).ok();
                if let Some(block) = number.and_then(|number| blocks.block(number)) {
                    block.body.add_to(sums, amount);
                }
            }
        }
    }
}

impl Body {
    pub(super) fn add_to(&self, sums: &mut [u8; WINDOW], amount: u8) {
        match self {
            Self::List(lows) => lows.iter().for_each(|low| add(sums, *low, amount)),
            Self::Bits(words, _) => {
                for (word, sums) in words.iter().zip(sums.chunks_exact_mut(WORD_BITS)) {
                    add_bits(*word, sums, amount);
                }
            }
        }
    }
}

/// Adds an amount to the sums with these numbers, each below their count; sums stay at the most that a
/// byte holds.
pub fn add_numbers(sums: &mut [u8], numbers: &[u16], amount: u8) {
    numbers.iter().for_each(|number| add(sums, *number, amount));
}

#[inline]
fn add(sums: &mut [u8], at: u16, amount: u8) {
    let sum = &mut sums[usize::from(at)];
    *sum = sum.saturating_add(amount);
}

/// Adds an amount where a bit is set, to eight sums at a time.
#[inline]
fn add_bits(word: u64, sums: &mut [u8], amount: u8) {
    for (byte, sums) in word.to_le_bytes().iter().zip(sums.chunks_exact_mut(8)) {
        for (sum, mask) in sums.iter_mut().zip(&MASKS[usize::from(*byte)]) {
            *sum = sum.saturating_add(mask & amount);
        }
    }
}

/// For each byte, which of eight sums its bits stand for: all ones where a bit is set.
static MASKS: [[u8; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            masks[byte][bit] = if byte >> bit & 1 == 1 { u8::MAX } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    masks
};
