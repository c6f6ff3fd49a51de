//! Images: indexes as bytes, so that a process can read one instead of building it.
//!
//! Bytes carry no tags: a reader asks for the parts in the order in which they were written. It trusts no length, so
//! foreign bytes end in `None`; but which documents a list holds is for the caller to check, by a checksum over all.

/// Collects the bytes of an image.
#[derive(Default, Debug)]
pub struct ImageWriter(Vec<u8>);

/// Reads the bytes of an image, front to back.
#[derive(Clone, Copy, Debug)]
pub struct ImageReader<'i>(&'i [u8]);

impl ImageWriter {
    /// Returns the bytes written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Writes a number in LEB128: seven bits a byte, lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes bytes after their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Writes numbers of 16 bits after their count.
    pub fn shorts(&mut self, all: &[u16]) {
        self.number(all.len() as u64);
        self.0.extend(all.iter().flat_map(|one| one.to_le_bytes()));
    }

    /// Writes numbers of 32 bits after their count.
    pub fn words(&mut self, all: &[u32]) {
        self.number(all.len() as u64);
        self.0.extend(all.iter().flat_map(|one| one.to_le_bytes()));
    }

    /// Writes numbers of 64 bits after their count.
    pub fn longs(&mut self, all: &[u64]) {
        self.number(all.len() as u64);
        self.0.extend(all.iter().flat_map(|one| one.to_le_bytes()));
    }
}

impl<'i> ImageReader<'i> {
    /// Begins at the front of some bytes.
    pub fn new(bytes: &'i [u8]) -> Self {
        Self(bytes)
    }

    /// Returns true if all bytes are read.
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a number.
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if *byte < 0x80 {
                return Some(number);
            }
            shift += 7;
            if shift > 63 {
                return None;
            }
        }
    }

    /// Reads a number of 32 bits.
    #[inline]
    pub fn word(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// Reads a count of parts that take at least one byte each; `None` if fewer bytes are left.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    /// Reads bytes.
    #[inline]
    pub fn bytes(&mut self) -> Option<&'i [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }

    /// Reads a text.
    #[inline]
    pub fn text(&mut self) -> Option<&'i str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Reads numbers of 16 bits.
    pub fn shorts(&mut self) -> Option<Vec<u16>> {
        Some(
            self.array()?
                .iter()
                .copied()
                .map(u16::from_le_bytes)
                .collect(),
        )
    }

    /// Reads numbers of 32 bits.
    pub fn words(&mut self) -> Option<Vec<u32>> {
        Some(
            self.array()?
                .iter()
                .copied()
                .map(u32::from_le_bytes)
                .collect(),
        )
    }

    /// Reads numbers of 64 bits.
    pub fn longs(&mut self) -> Option<Vec<u64>> {
        Some(
            self.array()?
                .iter()
                .copied()
                .map(u64::from_le_bytes)
                .collect(),
        )
    }

    fn array<const N: usize>(&mut self) -> Option<&'i [[u8; N]]> {
        let count = usize::try_from(self.number()?).ok()?;
        let (items, _) = self.take(count.checked_mul(N)?)?.as_chunks::<N>();
        Some(items)
    }

    fn take(&mut self, length: usize) -> Option<&'i [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

/// Writes pairs of a term and a number, or of a document and a number.
pub(crate) fn write_pairs(image: &mut ImageWriter, pairs: &[(u32, u32)]) {
    image.number(pairs.len() as u64);
    for (first, second) in pairs {
        image.number(u64::from(*first));
        image.number(u64::from(*second));
    }
}

/// Reads pairs.
pub(crate) fn read_pairs(image: &mut ImageReader<'_>) -> Option<Vec<(u32, u32)>> {
    let count = image.count()?;
    (0..count)
        .map(|_| Some((image.word()?, image.word()?)))
        .collect()
}
