//! Names that many bullets share: tags, topics, sections and concepts, each kept once.
//!
//! The number of names is bounded: in a memory where every bullet has a section of its own there is
//! nothing to share. A name that is not kept stands in its bullet. Names are never forgotten, since
//! what is bounded need not be.

use std::collections::HashMap;
use std::sync::Arc;

/// Names that are kept.
const NAMES_MAX: usize = 4096;
/// Bytes of the longest name that is kept.
const NAME_BYTES_MAX: usize = 128;

/// The number of a name.
pub(super) type Name = u32;

/// Names by number.
#[derive(Clone, Default, Debug)]
pub(super) struct Names {
    // Hash order reaches no answer: it is only looked up by key.
    numbers: HashMap<Arc<str>, Name>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name, new or known; absent for one that is not kept.
    pub(super) fn keep(&mut self, name: &str) -> Option<Name> {
        if let Some(number) = self.numbers.get(name) {
            return Some(*number);
        }
        if self.names.len() >= NAMES_MAX || name.len() > NAME_BYTES_MAX {
            return None;
        }
        let number = Name::try_from(self.names.len()).ok()?;
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Some(number)
    }

    /// The name with a number that [`keep`](Self::keep) gave.
    pub(super) fn name(&self, number: Name) -> &str {
        &self.names[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_once_and_not_without_bound() {
        let mut names = Names::default();
        for number in 0..NAMES_MAX * 2 {
            let kept = names.keep(&format!("n{number}"));
            assert_eq!(kept.is_some(), number < NAMES_MAX);
        }
        assert_eq!(names.keep("n7"), Some(7));
        assert_eq!((names.name(7), names.names.len()), ("n7", NAMES_MAX));
        assert_eq!(Names::default().keep(&"x".repeat(NAME_BYTES_MAX + 1)), None);
    }
}
