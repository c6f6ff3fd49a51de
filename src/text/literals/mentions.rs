//! The literals of a text (numbers, quoted strings, identifiers), and whether two texts have the same ones.
//!
//! Rewording may move a literal, but not change its role: "copy a.txt to b.txt" and "copy b.txt to a.txt" have the same
//! words. So each mention keeps its neighbouring word, which counts only if the order differs.

/// Maximum length of a literal in a reason, in characters.
const SHOWN_CHARS: usize = 60;

/// A literal in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mention {
    /// The literal in its canonical form.
    pub value: String,
    /// The neighbouring word, which shows its role.
    pub context: String,
}

/// A difference between two texts; an empty side has nothing in that place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The mention of the first text.
    pub left: String,
    /// The mention of the second text.
    pub right: String,
}

/// The literals of one text, as far as one rule finds them.
#[derive(Clone, Copy)]
pub struct Literals<'t> {
    /// In order of appearance, with repeats.
    mentions: &'t [Mention],
    /// Returns true if the text has a value without marking it as a literal.
    says: &'t dyn Fn(&str) -> bool,
}

impl<'t> Literals<'t> {
    /// Creates literals of a text that may also have a value unmarked.
    pub fn new(mentions: &'t [Mention], says: &'t dyn Fn(&str) -> bool) -> Self {
        Self { mentions, says }
    }

    /// Creates literals that are always marked.
    pub fn marked(mentions: &'t [Mention]) -> Self {
        Self::new(mentions, &|_| false)
    }
}

/// Returns the first literal that only one text has, or the literals of both if they changed roles.
pub fn difference(a: Literals<'_>, b: Literals<'_>) -> Option<Difference> {
    let left = unmatched(a.mentions, b.mentions).find(|value| !(b.says)(value));
    let right = unmatched(b.mentions, a.mentions).find(|value| !(a.says)(value));
    if left.is_some() || right.is_some() {
        return Some(Difference {
            left: shown(left),
            right: shown(right),
        });
    }
    let values = |side: &[Mention]| side.iter().map(|m| m.value.clone()).collect::<Vec<_>>();
    let (in_a, in_b) = (values(a.mentions), values(b.mentions));
    if in_a == in_b || sorted(in_a.clone()) != sorted(in_b.clone()) {
        return None;
    }
    // The same literals in another order are fine as long as each keeps its neighbouring word.
    if sorted(a.mentions.to_vec()) == sorted(b.mentions.to_vec()) {
        return None;
    }
    Some(Difference {
        left: shown_all(&in_a),
        right: shown_all(&in_b),
    })
}

/// Returns the values of `a` that have no partner of their own in `b`; repeats need as many partners.
fn unmatched<'a>(a: &'a [Mention], b: &[Mention]) -> impl Iterator<Item = &'a str> {
    let mut partners: Vec<String> = sorted(b.iter().map(|m| m.value.clone()).collect());
    a.iter().map(|m| m.value.as_str()).filter(move |value| {
        // A partner is used up, so that two mentions need two partners.
        let place = partners.binary_search_by(|partner| partner.as_str().cmp(value));
        place.map(|place| partners.remove(place)).is_err()
    })
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

/// Returns the start of a value for a reason; empty for `None`.
pub(crate) fn shown(value: Option<&str>) -> String {
    value
        .unwrap_or_default()
        .chars()
        .take(SHOWN_CHARS)
        .collect()
}

fn shown_all(values: &[String]) -> String {
    shown(Some(&values.join(", ")))
}
