//! Order keys: texts that sort bytewise as the values they encode, in every backend.
//!
//! Every list is read from the front of an index and cut at its limit. An index entry is one text: timestamps and numbers
//! become a fixed number of digits, rising or falling, and the id comes last. The front of the index is then the front of
//! the list, ties included, in every store that compares texts byte by byte.

use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Characters of a name that take part in an order: an index entry is limited to about 8 kB.
pub const NAME_CHARS_MAX: usize = 256;
/// Ends a part of a key. It sorts before every character of a name, so that `a` comes before `ab`.
const END: char = '\u{1}';
/// Sorts after every text with the same prefix.
const BEHIND: char = '\u{10FFFF}';
/// Bytes of the hash that replaces a name which is only compared for equality.
const EXACT_BYTES: usize = 16;

/// A timestamp as digits that sort oldest first.
pub fn rising(at: Timestamp) -> String {
    let first = Timestamp::from_millis(i64::MIN).millis();
    // A timestamp has a bounded range, of which no difference needs more digits.
    format!("{:015}", at.millis() - first)
}

/// A timestamp as digits that sort newest first.
pub fn falling(at: Timestamp) -> String {
    let last = Timestamp::from_millis(i64::MAX).millis();
    format!("{:015}", last - at.millis())
}

/// The sort key of an entry, built from its most significant part to its least.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct OrderKey(String);

impl OrderKey {
    /// A key without parts: entries sort by id alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a name of any length that is only compared for equality.
    #[must_use]
    pub fn exact(self, name: &str) -> Self {
        // A hash has a fixed length, so a long name leaves room in the index entry.
        self.part(&hex(&derived_hash(&[name])[..EXACT_BYTES]))
    }

    /// Appends a name, ascending; only its first [`NAME_CHARS_MAX`] characters count.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        let name: String = name.chars().take(NAME_CHARS_MAX).collect();
        // A name must not end its own part.
        self.part(&name.replace(END, " "))
    }

    /// Appends a timestamp, oldest first.
    #[must_use]
    pub fn oldest(self, at: Timestamp) -> Self {
        self.part(&rising(at))
    }

    /// Appends a timestamp, newest first.
    #[must_use]
    pub fn newest(self, at: Timestamp) -> Self {
        self.part(&falling(at))
    }

    /// Appends a number, smallest first.
    #[must_use]
    pub fn smallest(self, number: u64) -> Self {
        // The greatest number has 20 digits.
        self.part(&format!("{number:020}"))
    }

    /// Appends a number, greatest first.
    #[must_use]
    pub fn greatest(self, number: u64) -> Self {
        self.part(&format!("{:020}", u64::MAX - number))
    }

    fn part(mut self, part: &str) -> Self {
        self.0.push_str(part);
        self.0.push(END);
        self
    }

    /// The position of the entry with this key and this id.
    pub fn position(&self, id: &str) -> OrderPosition {
        OrderPosition(format!("{}{id}", self.0))
    }

    /// The key of the entry with this id at a stored position; `None` when the position does not end with the id.
    pub fn from_position(position: &str, id: &str) -> Option<Self> {
        position.strip_suffix(id).map(|key| Self(key.to_owned()))
    }
}

/// A position in an order: a key, then an id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OrderPosition(String);

impl OrderPosition {
    /// The text that a store sorts by.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A range of positions in an order; both ends are exclusive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    above: String,
    below: String,
}

impl Range {
    /// All entries whose keys begin with `key`.
    pub fn starting_with(key: &OrderKey) -> Self {
        Self::between(key, key)
    }

    /// All entries from the first whose key begins with `first` to the last whose key begins with `last`.
    pub fn between(first: &OrderKey, last: &OrderKey) -> Self {
        Self {
            above: first.0.clone(),
            below: format!("{}{BEHIND}", last.0),
        }
    }

    /// The rest of the range after a position: the next page.
    #[must_use]
    pub fn after(self, position: &OrderPosition) -> Self {
        Self {
            // A position before the range must not widen it.
            above: self.above.max(position.0.clone()),
            below: self.below,
        }
    }

    /// The lower end: all positions in the range sort after this text.
    pub fn above(&self) -> &str {
        &self.above
    }

    /// The upper end: all positions in the range sort before this text.
    pub fn below(&self) -> &str {
        &self.below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_their_values() {
        let at = Timestamp::from_millis;
        let key = |name: &str, ms| OrderKey::new().name(name).newest(at(ms));
        let mut keys = [
            key("a", 2),
            key("a", 1),
            key("a", -1),
            key("ab", 9),
            key("b", 5),
            key("ä", 5),
            key("文", 5),
        ];
        let sorted = keys.clone();
        keys.reverse();
        keys.sort();
        assert_eq!(keys, sorted);
        let number = |number| OrderKey::new().smallest(number);
        assert!(number(9) < number(10) && number(10) < number(u64::MAX));
        let number = |number| OrderKey::new().greatest(number);
        assert!(number(9) > number(10) && number(10) > number(u64::MAX));
    }

    #[test]
    fn a_range_holds_what_begins_alike_and_ends_before_the_rest() {
        let holds = |range: &Range, position: &OrderPosition| {
            range.above() < position.as_str() && position.as_str() < range.below()
        };
        let key = |name: &str, number| OrderKey::new().name(name).smallest(number);
        let of_a = Range::starting_with(&OrderKey::new().name("a"));
        assert!(holds(&of_a, &key("a", 1).position("x")));
        assert!(holds(&of_a, &key("a", u64::MAX).position("\u{10FFFD}")));
        assert!(!holds(&of_a, &key("ab", 1).position("x")));
        let some = Range::between(&key("a", 2), &key("a", 3));
        let of = |number, id| key("a", number).position(id);
        assert!(!holds(&some, &of(1, "z")) && holds(&some, &of(2, "a")));
        assert!(holds(&some, &of(3, "z")) && !holds(&some, &of(4, "a")));
        let next = some.after(&of(2, "b"));
        assert!(!holds(&next, &of(2, "b")) && holds(&next, &of(2, "ba")));
    }

    #[test]
    fn a_key_is_read_from_a_position() {
        let key = OrderKey::new()
            .exact("agent")
            .newest(Timestamp::from_millis(5));
        let position = key.position("t_1");
        assert_eq!(OrderKey::from_position(position.as_str(), "t_1"), Some(key));
        assert_eq!(OrderKey::from_position(position.as_str(), "t_2"), None);
    }
}
