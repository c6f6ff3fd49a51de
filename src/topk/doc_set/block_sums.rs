//! Sums over many sets, block by block: adds an amount to every document of a set.
//!
//! Sums are bytes that saturate, so a bitmap is added eight documents per vector instruction, and a sum of 255
//! means "255 or more".

use super::container::Container;
use super::{DocSet, Form, WORD_BITS, high, low};

/// Documents of a block.
pub(crate) const BLOCK: usize = 1 << 16;

impl DocSet {
    /// Adds an amount to the sum of each document of one block; sums saturate at 255.
    pub fn add_to_block(&self, block: usize, sums: &mut [u8; BLOCK], amount: u8) {
        match &self.0 {
            Form::Inline(len, docs) => {
                for doc in &docs[..usize::from(*len)] {
                    if usize::from(high(*doc)) == block {
                        add(sums, low(*doc), amount);
                    }
                }
            }
            Form::Blocks(blocks) => {
                let number = u16::try_from(block).ok();
                if let Some(block) = number.and_then(|number| blocks.block(number)) {
                    block.container.add_to(sums, amount);
                }
            }
        }
    }
}

impl Container {
    fn add_to(&self, sums: &mut [u8; BLOCK], amount: u8) {
        match self {
            Self::Array(lows) => lows.iter().for_each(|low| add(sums, *low, amount)),
            Self::Bitmap(words, _) => {
                for (word, sums) in words.iter().zip(sums.chunks_exact_mut(WORD_BITS)) {
                    add_word(*word, sums, amount);
                }
            }
        }
    }
}

#[inline]
fn add(sums: &mut [u8], at: u16, amount: u8) {
    let sum = &mut sums[usize::from(at)];
    *sum = sum.saturating_add(amount);
}

/// Adds an amount where a bit is set, eight sums at a time without a branch: the compiler turns the inner
/// loop into one vector instruction.
#[inline]
fn add_word(word: u64, sums: &mut [u8], amount: u8) {
    for (byte, sums) in word.to_le_bytes().iter().zip(sums.chunks_exact_mut(8)) {
        for (sum, mask) in sums.iter_mut().zip(&MASKS[usize::from(*byte)]) {
            *sum = sum.saturating_add(mask & amount);
        }
    }
}

/// For each byte, one mask per bit: all ones where the bit is set.
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
