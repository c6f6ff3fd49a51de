//! Writes numbers, texts and interned names as bytes, and reads them back in the same order.
//!
//! Bytes come from a [`Packer`] of the same process and carry no tags, so an [`Unpacker`] trusts them: reading in
//! another order returns nonsense or panics.

use super::super::string_interner::{StringId, StringInterner};

/// Appends values to a buffer.
pub(super) struct Packer(pub(super) Vec<u8>);

impl Packer {
    /// Writes a number in LEB128: seven bits per byte, lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a signed number in zigzag: 0, −1, 1, −2 … become 0, 1, 2, 3 …, so that both signs stay short.
    pub(super) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// Writes a number relative to `base`; wraps, so that any two numbers have a difference.
    pub(super) fn difference(&mut self, number: u64, base: u64) {
        self.signed(number.wrapping_sub(base).cast_signed());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    /// Writes a name as its number in `strings` plus one, or as 0 and the name itself if it is not interned.
    pub(super) fn interned(&mut self, name: &str, strings: &mut StringInterner) {
        match strings.intern(name) {
            Some(number) => self.number(u64::from(number) + 1),
            None => {
                self.number(0);
                self.text(name);
            }
        }
    }

    pub(super) fn interned_list<'n>(
        &mut self,
        all: impl ExactSizeIterator<Item = &'n str>,
        strings: &mut StringInterner,
    ) {
        self.number(all.len() as u64);
        all.for_each(|name| self.interned(name, strings));
    }
}

/// Reads the values of a [`Packer`], in the same order.
#[derive(Clone, Copy)]
pub(super) struct Unpacker<'p>(pub(super) &'p [u8]);

impl<'p> Unpacker<'p> {
    #[inline]
    pub(super) fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    #[inline]
    pub(super) fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
    }

    #[inline]
    pub(super) fn difference(&mut self, base: u64) -> u64 {
        base.wrapping_add(self.signed().cast_unsigned())
    }

    pub(super) fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut taken = [0; N];
        taken.copy_from_slice(&self.0[..N]);
        self.0 = &self.0[N..];
        taken
    }

    pub(super) fn text(&mut self) -> &'p str {
        #[allow(clippy::cast_possible_truncation)]
        let length = self.number() as usize;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        // It was UTF-8 when it was packed.
        std::str::from_utf8(text).unwrap_or_default()
    }

    pub(super) fn interned(&mut self, strings: &'p StringInterner) -> &'p str {
        match self.number() {
            0 => self.text(),
            number => strings.get((number - 1) as StringId),
        }
    }

    pub(super) fn interned_list(&mut self, strings: &'p StringInterner) -> Vec<&'p str> {
        let count = self.number();
        (0..count).map(|_| self.interned(strings)).collect()
    }

    pub(super) fn floats(&mut self) -> Vec<f32> {
        let count = self.number();
        (0..count)
            .map(|_| f32::from_le_bytes(self.take()))
            .collect()
    }
}
