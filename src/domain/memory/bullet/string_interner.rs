//! Strings that many bullets share: tags, topics, sections and concepts, each stored once.
//!
//! The number of strings is bounded: in a memory where every bullet has a section of its own there is
//! nothing to share. A string that is not interned is stored in its bullet. Nothing is ever removed, since
//! the table cannot outgrow its bound.

use std::collections::HashMap;
use std::sync::Arc;

use hindlore_topk::{ImageReader, ImageWriter};

/// The most strings that are interned.
const STRINGS_MAX: usize = 4096;
/// The longest interned string, in bytes.
const STRING_BYTES_MAX: usize = 128;

/// The number of an interned string.
pub(crate) type StringId = u32;

/// Strings by number, and numbers by string.
#[derive(Clone, Default, Debug)]
pub(crate) struct StringInterner {
    // Hash order reaches no answer: the map is only looked up by key.
    ids: HashMap<Arc<str>, StringId>,
    strings: Vec<Arc<str>>,
}

impl StringInterner {
    /// Returns the number of a string, and gives it one if it has none; `None` if the string is too long or
    /// the table is full.
    pub(crate) fn intern(&mut self, string: &str) -> Option<StringId> {
        if let Some(id) = self.ids.get(string) {
            return Some(*id);
        }
        if self.strings.len() >= STRINGS_MAX || string.len() > STRING_BYTES_MAX {
            return None;
        }
        let id = StringId::try_from(self.strings.len()).ok()?;
        let string: Arc<str> = string.into();
        self.strings.push(string.clone());
        self.ids.insert(string, id);
        Some(id)
    }

    /// Returns the string with a number that [`intern`](Self::intern) returned.
    pub(crate) fn get(&self, id: StringId) -> &str {
        &self.strings[id as usize]
    }

    /// Writes the strings by number.
    pub(crate) fn write(&self, image: &mut ImageWriter) {
        image.number(self.strings.len() as u64);
        let strings = self.strings.iter();
        strings.for_each(|string| image.bytes(string.as_bytes()));
    }

    /// Reads strings; `None` if the bytes are of something else.
    pub(crate) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let mut interner = Self::default();
        for number in 0..image.count()? {
            let id = interner.intern(image.text()?)?;
            (id as usize == number).then_some(())?;
        }
        Some(interner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_interned_once_and_not_without_bound() {
        let mut interner = StringInterner::default();
        for number in 0..STRINGS_MAX * 2 {
            let id = interner.intern(&format!("n{number}"));
            assert_eq!(id.is_some(), number < STRINGS_MAX);
        }
        assert_eq!(interner.intern("n7"), Some(7));
        assert_eq!(
            (interner.get(7), interner.strings.len()),
            ("n7", STRINGS_MAX)
        );
        let long = "x".repeat(STRING_BYTES_MAX + 1);
        assert_eq!(StringInterner::default().intern(&long), None);
    }
}
