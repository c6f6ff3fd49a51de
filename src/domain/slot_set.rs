//! A compact set of slots: who has a word, a tag or a topic.
//!
//! The layout is that of Roaring bitmaps (Chambi, Lemire, Kaser, Godin 2016): slots are cut into blocks
//! by their upper 16 bits; a block keeps the lower halves as a sorted list while they are few, else as
//! a bitmap. Up to five slots stay inside the set itself, since most words of a language are rare. That
//! is about 2 bytes a slot, with a look-up that reads one short list or one bit.

mod body;
mod numbered;
mod window;

pub use body::is_among;
pub use numbered::Numbered;
pub use window::{WINDOW, add_numbers};

use body::Body;

/// Slots that fit into the set itself.
const INLINE: usize = 5;
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

    /// The lowest slot.
    pub fn first(&self) -> Option<u32> {
        let mut first = None;
        self.walk(|slot| {
            first = Some(slot);
            false
        });
        first
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
