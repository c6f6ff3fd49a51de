//! What a text names literally (numbers, quoted strings, identifiers), and whether two texts name
//! the same.
//!
//! A rewording may move a literal, but not give it another role: "copy a.txt to b.txt" and "copy b.txt
//! to a.txt" have the same words. So each mention keeps the word beside it, which is looked at only
//! when the order differs.

/// The longest part of a literal that a reason shows, in characters.
const SHOWN_CHARS: usize = 60;

/// A literal in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mention {
    /// The literal in its canonical form.
    pub value: String,
    /// The word beside it that tells its role.
    pub context: String,
}

/// A literal that one text has and the other has not; an empty side has nothing in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What the first text has.
    pub left: String,
    /// What the second text has.
    pub right: String,
}

/// Compares mentions in order of appearance, with repeats.
///
/// `known` tells whether the first or second text says a value without marking it as a literal.
pub fn difference(
    a: &[Mention],
    b: &[Mention],
    known: (impl Fn(&str) -> bool, impl Fn(&str) -> bool),
) -> Option<Difference> {
    let left = unmatched(a, b).find(|value| !known.1(value));
    let right = unmatched(b, a).find(|value| !known.0(value));
    if left.is_some() || right.is_some() {
        return Some(Difference {
            left: shown(left),
            right: shown(right),
        });
    }
    let values = |side: &[Mention]| side.iter().map(|m| m.value.clone()).collect::<Vec<_>>();
    let (in_a, in_b) = (values(a), values(b));
    if in_a == in_b || sorted(in_a.clone()) != sorted(in_b.clone()) {
        return None;
    }
    if sorted(a.to_vec()) == sorted(b.to_vec()) {
        return None;
    }
    Some(Difference {
        left: shown_all(&in_a),
        right: shown_all(&in_b),
    })
}

/// The values of `a` that have no partner of their own in `b`.
fn unmatched<'a>(a: &'a [Mention], b: &[Mention]) -> impl Iterator<Item = &'a str> {
    let mut partners: Vec<String> = sorted(b.iter().map(|m| m.value.clone()).collect());
    a.iter().map(|m| m.value.as_str()).filter(move |value| {
        let place = partners.binary_search_by(|partner| partner.as_str().cmp(value));
        place.map(|place| partners.remove(place)).is_err()
    })
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

/// As much of a value as a reason shows; empty when there is none.
pub(super) fn shown(value: Option<&str>) -> String {
    value
        .unwrap_or_default()
        .chars()
        .take(SHOWN_CHARS)
        .collect()
}

fn shown_all(values: &[String]) -> String {
    shown(Some(&values.join(", ")))
}
