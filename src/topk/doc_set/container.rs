//! The documents of one block, as a sorted array or a bitmap.
//!
//! An array takes 2 bytes per document, a bitmap one bit per number up to the highest; the smaller form wins.
//! So a set costs about as much as its sparser description, for every density of the block.

use super::WORD_BITS;

/// Fewer documents than this are always an array: a search in so few is as fast as a bitmap.
const ARRAY_MIN: usize = 32;

/// Lower halves of the document numbers of a block.
#[derive(Clone, Debug)]
pub(super) enum Container {
    /// Ascending.
    Array(Vec<u16>),
    /// One bit for each number up to the highest ever inserted, and the number of set bits.
    Bitmap(Vec<u64>, u32),
}

impl Default for Container {
    fn default() -> Self {
        Self::Array(Vec::new())
    }
}

impl Container {
    /// Releases spare capacity.
    pub(super) fn shrink_to_fit(&mut self) {
        match self {
            Self::Array(lows) => reallocate(lows),
            Self::Bitmap(words, _) => reallocate(words),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Array(lows) => lows.is_empty(),
            Self::Bitmap(_, count) => *count == 0,
        }
    }

    #[inline]
    pub(super) fn contains(&self, low: u16) -> bool {
        match self {
            Self::Array(lows) => interpolation_search(lows, low),
            Self::Bitmap(words, _) => words
                .get(usize::from(low) / WORD_BITS)
                .is_some_and(|word| word >> (usize::from(low) % WORD_BITS) & 1 == 1),
        }
    }

    pub(super) fn insert(&mut self, low: u16) -> bool {
        match self {
            Self::Array(lows) => {
                let is_behind = lows.last().is_none_or(|last| *last < low);
                let at = if is_behind {
                    lows.len()
                } else {
                    match lows.binary_search(&low) {
                        Ok(_) => return false,
                        Err(at) => at,
                    }
                };
                if lows.len() == lows.capacity() {
                    // Growth by a quarter: doubling would leave a third of the index empty.
                    lows.reserve_exact(lows.len() / 4 + 3);
                }
                lows.insert(at, low);
                self.convert();
                true
            }
            Self::Bitmap(words, count) => {
                let (at, bit) = (usize::from(low) / WORD_BITS, 1_u64 << (low % 64));
                if words.len() <= at {
                    words.resize(at + 1, 0);
                }
                let added = words[at] & bit == 0;
                words[at] |= bit;
                *count += u32::from(added);
                added
            }
        }
    }

    pub(super) fn remove(&mut self, low: u16) -> bool {
        match self {
            Self::Array(lows) => match lows.binary_search(&low) {
                Ok(at) => {
                    lows.remove(at);
                    true
                }
                Err(_) => false,
            },
            Self::Bitmap(words, count) => {
                let bit = 1_u64 << (low % 64);
                let word = words.get_mut(usize::from(low) / WORD_BITS);
                let Some(word) = word.filter(|word| **word & bit != 0) else {
                    return false;
                };
                *word &= !bit;
                *count -= 1;
                self.convert();
                true
            }
        }
    }

    /// Converts to the smaller form. The two thresholds are apart by a factor of two, so that a set at the limit
    /// does not convert at every insertion and removal.
    fn convert(&mut self) {
        match self {
            Self::Array(lows) => {
                let Some(last) = lows.last() else { return };
                let words = usize::from(*last) / WORD_BITS + 1;
                if lows.len() * 2 < words * 8 || lows.len() < ARRAY_MIN {
                    return;
                }
                let mut bits = vec![0_u64; words];
                for low in lows.iter() {
                    bits[usize::from(*low) / WORD_BITS] |= 1 << (low % 64);
                }
                *self = Self::Bitmap(bits, u32::try_from(lows.len()).unwrap_or(u32::MAX));
            }
            Self::Bitmap(words, count) => {
                if *count as usize * 4 >= words.len() * 8 {
                    return;
                }
                let mut lows = Vec::with_capacity(*count as usize);
                self.visit_while(|low| {
                    lows.push(u16::try_from(low).unwrap_or(u16::MAX));
                    true
                });
                *self = Self::Array(lows);
            }
        }
    }

    /// Visits every number, ascending, until `visit` returns false. Returns false if it did.
    #[inline]
    pub(super) fn visit_while(&self, mut visit: impl FnMut(u32) -> bool) -> bool {
        match self {
            Self::Array(lows) => lows.iter().all(|low| visit(u32::from(*low))),
            Self::Bitmap(words, _) => {
                for (base, word) in (0..).step_by(WORD_BITS).zip(words) {
                    let mut rest = *word;
                    while rest != 0 {
                        if !visit(base + rest.trailing_zeros()) {
                            return false;
                        }
                        // Clears the lowest set bit.
                        rest &= rest - 1;
                    }
                }
                true
            }
        }
    }
}

/// Moves the items into an allocation of the exact size. `shrink_to_fit` is not enough: an allocator may
/// shrink a block in place and keep its size class.
fn reallocate<T: Copy>(items: &mut Vec<T>) {
    if items.capacity() > items.len() {
        *items = items.as_slice().to_vec();
    }
}

/// Returns true if a sorted array contains a number.
///
/// The postings of a term are spread nearly evenly, so the search starts where even spacing would put the
/// number, widens in growing steps, then bisects. A plain binary search takes a fifth longer per query.
#[inline]
fn interpolation_search(lows: &[u16], low: u16) -> bool {
    let Some(last) = lows.last() else {
        return false;
    };
    if low >= *last {
        return low == *last;
    }
    let guess = usize::from(low) * lows.len() / (usize::from(*last) + 1);
    let (mut from, mut to, mut step) = (guess, guess, 8);
    while from > 0 && lows[from] > low {
        from = from.saturating_sub(step);
        step *= 4;
    }
    step = 8;
    while to < lows.len() && lows[to] < low {
        to += step;
        step *= 4;
    }
    let to = (to + 1).min(lows.len());
    lows[from..to].binary_search(&low).is_ok()
}
