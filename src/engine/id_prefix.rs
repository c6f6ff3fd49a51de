//! The beginning of an id, which people type instead of the whole, as in git.
//!
//! It is looked up among all ids of its kind, never guessed; if several match, the error lists them all.

use super::error::{EngineError, EngineResult};

/// Hex digits of a whole id.
const DIGITS: usize = 20;

/// True if a text is the beginning of an id, but not a whole id.
pub(super) fn is_beginning(name: &str, prefix: &str) -> bool {
    let digits = name.strip_prefix(prefix);
    digits.is_some_and(|digits| {
        let is_digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        (1..DIGITS).contains(&digits.len()) && digits.bytes().all(is_digit)
    })
}

/// The one id with this beginning; absent if none has it.
pub(super) fn only<T: ToString>(
    what: &'static str,
    name: &str,
    ids: impl Iterator<Item = T>,
) -> EngineResult<Option<T>> {
    let mut meant: Vec<T> = ids.filter(|id| id.to_string().starts_with(name)).collect();
    if meant.len() > 1 {
        return Err(EngineError::Ambiguous {
            what,
            name: name.to_owned(),
            ids: meant.iter().map(T::to_string).collect(),
        });
    }
    Ok(meant.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_shorter_than_an_id() {
        for (name, is) in [
            ("b_6b36", true),
            ("b_", false),
            ("b_6B36", false),
            ("b_0123456789abcdef0123", false),
            ("l_6b36", false),
            ("6b36", false),
        ] {
            assert_eq!(is_beginning(name, "b_"), is, "{name}");
        }
    }

    #[test]
    fn a_beginning_that_several_have_is_refused_with_all_of_them() {
        let ids = || ["b_12a", "b_12b", "b_3"].into_iter();
        assert_eq!(only("bullet", "b_3", ids()).unwrap(), Some("b_3"));
        assert_eq!(only("bullet", "b_4", ids()).unwrap(), None);
        let error = only("bullet", "b_1", ids()).unwrap_err();
        assert_eq!(error.code(), "ambiguous_id");
        assert!(error.to_string().contains("`b_12a`, `b_12b`"), "{error}");
    }
}
