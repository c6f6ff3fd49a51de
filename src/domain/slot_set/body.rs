//! The slots of one block: a sorted list while they are few, else a bitmap.

use super::WORD_BITS;

/// Lower halves of the slots of a block.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// Lower halves, ascending.
    List(Vec<u16>),
    /// One bit for each lower half up to the highest there was, and how many are set.
    Bits(Vec<u64>, u32),
}

/// Moves into a block of its own size: an allocator may leave one that shrinks as large as it was.
fn fit<T: Copy>(items: &mut Vec<T>) {
    if items.capacity() > items.len() {
        *items = items.as_slice().to_vec();
    }
}

impl Body {
    /// Gives back room that was kept for growth.
    pub(super) fn fit(&mut self) {
        match self {
            Self::List(lows) => fit(lows),
            Self::Bits(words, _) => fit(words),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(lows) => lows.len(),
            Self::Bits(_, count) => *count as usize,
        }
    }

    #[inline]
    pub(super) fn contains(&self, low: u16) -> bool {
        match self {
            Self::List(lows) => is_among(lows, low),
            Self::Bits(words, _) => words
                .get(usize::from(low) / WORD_BITS)
                .is_some_and(|word| word >> (usize::from(low) % WORD_BITS) & 1 == 1),
        }
    }

    pub(super) fn insert(&mut self, low: u16) -> bool {
        match self {
            Self::List(lows) => {
                let behind = lows.last().is_none_or(|last| *last < low);
                let at = if behind {
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
                self.settle();
                true
            }
            Self::Bits(words, count) => {
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
            Self::List(lows) => match lows.binary_search(&low) {
                Ok(at) => {
                    lows.remove(at);
                    true
                }
                Err(_) => false,
            },
            Self::Bits(words, count) => {
                let bit = 1_u64 << (low % 64);
                let removed = words
                    .get_mut(usize::from(low) / WORD_BITS)
                    .is_some_and(|word| {
                        let was = *word & bit != 0;
                        *word &= !bit;
                        was
                    });
                *count -= u32::from(removed);
                if removed {
                    self.settle();
                }
                removed
            }
        }
    }

    /// Changes to the form that fits the number of slots; the two limits lie apart, so that a set at
    /// the limit does not change with every slot.
    pub(super) fn settle(&mut self) {
        match self {
            Self::List(lows) => {
                let Some(last) = lows.last() else { return };
                let words = usize::from(*last) / WORD_BITS + 1;
                if lows.len() * 2 < words * 8 || lows.len() < 32 {
                    return;
                }
                let mut bits = vec![0_u64; words];
                for low in lows.iter() {
                    bits[usize::from(*low) / WORD_BITS] |= 1 << (low % 64);
                }
                *self = Self::Bits(bits, u32::try_from(lows.len()).unwrap_or(u32::MAX));
            }
            Self::Bits(words, count) => {
                if *count as usize * 4 >= words.len() * 8 {
                    return;
                }
                let mut lows = Vec::with_capacity(*count as usize);
                self.walk(|low| {
                    lows.push(u16::try_from(low).unwrap_or(u16::MAX));
                    true
                });
                *self = Self::List(lows);
            }
        }
    }

    /// False when the visit ended early.
    #[inline]
    pub(super) fn walk(&self, mut visit: impl FnMut(u32) -> bool) -> bool {
        match self {
            Self::List(lows) => lows.iter().all(|low| visit(u32::from(*low))),
            Self::Bits(words, _) => {
                for (base, word) in (0..).step_by(WORD_BITS).zip(words) {
                    let mut rest = *word;
                    while rest != 0 {
                        if !visit(base + rest.trailing_zeros()) {
                            return false;
                        }
                        rest &= rest - 1;
                    }
                }
                true
            }
        }
    }
}

/// Tells whether a sorted list holds a number: from where it would be if the numbers were spread evenly,
/// in steps that grow, then by halving. Slots of a word mostly are spread evenly.
#[inline]
pub fn is_among(lows: &[u16], low: u16) -> bool {
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
