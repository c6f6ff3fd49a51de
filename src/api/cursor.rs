//! Cursors: where the next page of a list begins, as a text that callers only hand back.
//!
//! A list answers `next`, and takes it as `after`. The text names a place in the order of the list, not a number of
//! rows, so that new rows shift nothing, and any instance can continue.

use super::problem::Problem;
use hindlore_primitives::identity::{hex, unhex};
use hindlore_primitives::ids::{EventId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// Longest cursor, in characters.
pub const CURSOR_MAX: usize = 2_048;
/// Between two parts of a place; no part holds it.
const BETWEEN: char = '\n';

/// A place in the order of a list.
pub trait Place: Sized {
    /// Its parts as a text.
    fn write(&self) -> String;
    /// The place that a text means.
    fn read(text: &str) -> Option<Self>;
}

/// A part of a place.
pub trait Part: Sized {
    /// As a text.
    fn write(&self) -> String;
    /// The part that a text means.
    fn read(text: &str) -> Option<Self>;
}

impl Part for Timestamp {
    fn write(&self) -> String {
        self.millis().to_string()
    }

    fn read(text: &str) -> Option<Self> {
        Some(Self::from_millis(text.parse().ok()?))
    }
}

macro_rules! named {
    ($($name:ty),*) => {$(
        impl Part for $name {
            fn write(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok().filter(|_| !text.is_empty())
            }
        }
    )*};
}

named!(String, LessonId, EventId);

/// By the first part, then by the second.
impl<A: Part, B: Part> Place for (A, B) {
    fn write(&self) -> String {
        format!("{}{BETWEEN}{}", self.0.write(), self.1.write())
    }

    fn read(text: &str) -> Option<Self> {
        let (one, other) = text.split_once(BETWEEN)?;
        Some((A::read(one)?, B::read(other)?))
    }
}

/// By one part.
impl Place for String {
    fn write(&self) -> String {
        self.clone()
    }

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned()).filter(|text| !text.is_empty())
    }
}

/// By a number.
impl Place for u64 {
    fn write(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// The cursor of a place.
pub fn cursor(place: &impl Place) -> String {
    hex(place.write().as_bytes())
}

/// The place that a cursor means; absent at the beginning.
///
/// `invalid_cursor` for a text that no list returned.
pub fn place<P: Place>(cursor: Option<&str>) -> Result<Option<P>, Problem> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let text = unhex(cursor).and_then(|bytes| String::from_utf8(bytes).ok());
    match text.and_then(|text| P::read(&text)) {
        Some(place) => Ok(Some(place)),
        None => Err(foreign()),
    }
}

/// The page of a list that is read as a whole, and the cursor of the next one. `name` returns the text by which a row is
/// found again.
///
/// `invalid_cursor` for a text that no list returned, and for a row that is gone.
pub fn page<T>(
    rows: Vec<T>,
    (after, limit): (Option<&str>, usize),
    name: impl Fn(&T) -> String,
) -> Result<(Vec<T>, Option<String>), Problem> {
    let start = match place::<String>(after)? {
        None => 0,
        Some(last) => {
            let known = rows.iter().position(|row| name(row) == last);
            known.ok_or_else(foreign)? + 1
        }
    };
    let mut rest: Vec<T> = rows.into_iter().skip(start).collect();
    let is_cut = rest.len() > limit;
    rest.truncate(limit);
    let last = rest.last().filter(|_| is_cut);
    let next = last.map(|last| cursor(&name(last)));
    Ok((rest, next))
}

/// The problem of a cursor that this list did not answer, or whose row is gone.
pub fn foreign() -> Problem {
    Problem::new("invalid_cursor", "`after` is no cursor of this list")
        .with_hint("hand back the `next` of the page before; leave it out for the first page")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_every_row_once() {
        let rows = || vec!["a", "b", "c"];
        let name = |row: &&str| (*row).to_owned();
        let (first, next) = page(rows(), (None, 2), name).unwrap();
        assert_eq!(first, ["a", "b"]);
        let last = page(rows(), (next.as_deref(), 2), name).unwrap();
        assert_eq!(last, (vec!["c"], None));
        let gone = page(vec!["a"], (next.as_deref(), 2), name).unwrap_err();
        assert_eq!(gone.code, "invalid_cursor");
    }

    #[test]
    fn a_place_comes_back_and_anything_else_is_refused() {
        let run = (Timestamp::from_millis(-7), "Änderung 1".to_owned());
        assert_eq!(place(Some(&cursor(&run))), Ok(Some(run)));
        assert_eq!(place(Some(&cursor(&41_u64))), Ok(Some(41_u64)));
        assert_eq!(place::<u64>(None), Ok(None));
        for wrong in ["", "4", "zz", "é1", "6162", "34310a"] {
            let refused = place::<(Timestamp, String)>(Some(wrong)).unwrap_err();
            assert_eq!(refused.code, "invalid_cursor", "{wrong}");
        }
    }
}
