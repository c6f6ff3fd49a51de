//! A compact set of slots: who has a word, a tag or a topic.
//!
//! The layout is that of Roaring bitmaps (Chambi, Lemire, Kaser, Godin 2016): slots are cut into blocks
//! by their upper 16 bits; a block keeps the lower halves as a sorted list while they are few, else as
//! a bitmap. Up to five slots stay inside the set itself, since most words of a language are rare. That
//! is about 2 bytes a slot, with a look-up that reads one short list or one bit.

mod window;

pub use window::WINDOW;

/// Slots that fit into the set itself.
const INLINE: usize = 5;
/// A block becomes a bitmap when that takes at most this many times the bytes of its list.
const BITMAP_COST: usize = 1;
const WORD_BITS: usize = 64;

/// A set of slots in ascending order.
#[derive(Clone, Debug)]
pub struct SlotSet(Form);

#[derive(Clone, Debug)]
enum Form {
    /// At most [`INLINE`] slots, ascending.
    Inline(u8, [u32; INLINE]),
    Blocks(Box<Blocks>),
}

#[derive(Clone, Default, Debug)]
struct Blocks {
    len: usize,
    /// Ascending by their upper half; none is empty.
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
struct Block {
    high: u16,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    /// Lower halves, ascending.
    List(Vec<u16>),
    /// One bit for each lower half up to the highest there was, and how many are set.
    Bits(Vec<u64>, u32),
}

impl Default for SlotSet {
    fn default() -> Self {
        Self(Form::Inline(0, [0; INLINE]))
    }
}

impl SlotSet {
    /// Number of slots.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Inline(len, _) => usize::from(*len),
            Form::Blocks(blocks) => blocks.len,
        }
    }

    /// True without any slot.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tells whether a slot is in the set.
    #[inline]
    pub fn contains(&self, slot: u32) -> bool {
        match &self.0 {
            Form::Inline(len, slots) => slots[..usize::from(*len)].contains(&slot),
            Form::Blocks(blocks) => blocks
                .block(high(slot))
                .is_some_and(|block| block.body.contains(low(slot))),
        }
    }

    /// Puts a slot in; false when it was there.
    pub fn insert(&mut self, slot: u32) -> bool {
        match &mut self.0 {
            Form::Inline(len, slots) => {
                let count = usize::from(*len);
                let at = slots[..count].partition_point(|other| *other < slot);
                if at < count && slots[at] == slot {
                    return false;
                }
                if count < INLINE {
                    slots.copy_within(at..count, at + 1);
                    slots[at] = slot;
                    *len += 1;
                    return true;
                }
                let mut blocks = Blocks::default();
                slots.iter().for_each(|slot| {
                    blocks.insert(*slot);
                });
                blocks.insert(slot);
                self.0 = Form::Blocks(Box::new(blocks));
                true
            }
            Form::Blocks(blocks) => blocks.insert(slot),
        }
    }

    /// Takes a slot out; false when it was not there.
    pub fn remove(&mut self, slot: u32) -> bool {
        match &mut self.0 {
            Form::Inline(len, slots) => {
                let count = usize::from(*len);
                let Some(at) = slots[..count].iter().position(|other| *other == slot) else {
                    return false;
                };
                slots.copy_within(at + 1..count, at);
                *len -= 1;
                true
            }
            Form::Blocks(blocks) => {
                let removed = blocks.remove(slot);
                if blocks.len == 0 {
                    *self = Self::default();
                }
                removed
            }
        }
    }

    /// Calls with every slot, ascending, for as long as the call gives true.
    #[inline]
    pub fn walk(&self, mut visit: impl FnMut(u32) -> bool) {
        match &self.0 {
            Form::Inline(len, slots) => {
                for slot in &slots[..usize::from(*len)] {
                    if !visit(*slot) {
                        return;
                    }
                }
            }
            Form::Blocks(blocks) => {
                for block in &blocks.blocks {
                    let base = u32::from(block.high) << 16;
                    if !block.body.walk(|low| visit(base | low)) {
                        return;
                    }
                }
            }
        }
    }

    /// All slots, ascending.
    pub fn to_vec(&self) -> Vec<u32> {
        let mut slots = Vec::with_capacity(self.len());
        self.walk(|slot| {
            slots.push(slot);
            true
        });
        slots
    }

    /// Gives back room that was kept for growth.
    pub fn shrink(&mut self) {
        if let Form::Blocks(blocks) = &mut self.0 {
            blocks.blocks.shrink_to_fit();
            blocks.blocks.iter_mut().for_each(|block| block.body.fit());
        }
    }
}

/// Moves into a block of its own size: an allocator may leave one that shrinks as large as it was.
fn fit<T: Copy>(items: &mut Vec<T>) {
    if items.capacity() > items.len() {
        *items = items.as_slice().to_vec();
    }
}

impl Blocks {
    #[inline]
    fn place(&self, high: u16) -> Result<usize, usize> {
        // One block, or the newest, is what is asked for most.
        match self.blocks.last() {
            Some(last) if last.high == high => Ok(self.blocks.len() - 1),
            _ => self.blocks.binary_search_by_key(&high, |block| block.high),
        }
    }

    #[inline]
    fn block(&self, high: u16) -> Option<&Block> {
        self.place(high).ok().map(|at| &self.blocks[at])
    }

    fn insert(&mut self, slot: u32) -> bool {
        let at = match self.place(high(slot)) {
            Ok(at) => at,
            Err(at) => {
                // Slots mostly come in order: the block before is full, and is given its own size.
                if let Some(before) = at.checked_sub(1) {
                    self.blocks[before].body.fit();
                }
                let body = Body::List(Vec::new());
                let high = high(slot);
                self.blocks.insert(at, Block { high, body });
                at
            }
        };
        let added = self.blocks[at].body.insert(low(slot));
        self.len += usize::from(added);
        added
    }

    fn remove(&mut self, slot: u32) -> bool {
        let Ok(at) = self.place(high(slot)) else {
            return false;
        };
        let removed = self.blocks[at].body.remove(low(slot));
        self.len -= usize::from(removed);
        if self.blocks[at].body.len() == 0 {
            self.blocks.remove(at);
        }
        removed
    }
}

impl Body {
    /// Gives back room that was kept for growth.
    fn fit(&mut self) {
        match self {
            Self::List(lows) => fit(lows),
            Self::Bits(words, _) => fit(words),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::List(lows) => lows.len(),
            Self::Bits(_, count) => *count as usize,
        }
    }

    #[inline]
    fn contains(&self, low: u16) -> bool {
        match self {
            Self::List(lows) => is_among(lows, low),
            Self::Bits(words, _) => words
                .get(usize::from(low) / WORD_BITS)
                .is_some_and(|word| word >> (usize::from(low) % WORD_BITS) & 1 == 1),
        }
    }

    fn insert(&mut self, low: u16) -> bool {
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

    fn remove(&mut self, low: u16) -> bool {
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
    fn settle(&mut self) {
        match self {
            Self::List(lows) => {
                let Some(last) = lows.last() else { return };
                let words = usize::from(*last) / WORD_BITS + 1;
                if lows.len() * 2 * BITMAP_COST < words * 8 || lows.len() < 32 {
                    return;
                }
                let mut bits = vec![0_u64; words];
                for low in lows.iter() {
                    bits[usize::from(*low) / WORD_BITS] |= 1 << (low % 64);
                }
                *self = Self::Bits(bits, u32::try_from(lows.len()).unwrap_or(u32::MAX));
            }
            Self::Bits(words, count) => {
                if *count as usize * 4 * BITMAP_COST >= words.len() * 8 {
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
    fn walk(&self, mut visit: impl FnMut(u32) -> bool) -> bool {
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
fn is_among(lows: &[u16], low: u16) -> bool {
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

#[inline]
fn high(slot: u32) -> u16 {
    (slot >> 16) as u16
}

#[inline]
fn low(slot: u32) -> u16 {
    (slot & 0xFFFF) as u16
}

#[cfg(test)]
mod tests;
