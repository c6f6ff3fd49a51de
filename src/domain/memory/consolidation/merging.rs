//! The extractive merge: a text takes in another one unit by unit, and writes no word of its own.
//!
//! A unit that says what one of the text says is covered. One that goes on where a unit of the text ends replaces it.
//! Any other is appended, whole, so that no condition is torn from its rule. Texts that contradict each other, or give
//! different values of the same thing, do not merge.

use std::sync::Arc;

use crate::text::guard::{GuardFeatures, GuardReason, MergeGuard};
use crate::text::markup::bare;
use crate::text::similarity::jaccard;
use crate::text::statement::Statement;
use crate::text::units::{begins_item, units};
use crate::text::words::Tokens;

/// Similarity of two units from which on a contradiction between them is taken seriously, 0..=1.
const ABOUT_THE_SAME: f64 = 0.3;
/// Similarity of two units from which on different values are values of the same thing, 0..=1.
const NEARLY_THE_SAME: f64 = 0.6;
/// Share of the shorter of two texts, in bytes, that both must say, 0..=1.
const COVERED_MIN: f64 = 0.5;

/// Words with which a sentence goes on without restricting what it said before.
#[rustfmt::skip]
const CONTINUATIONS: &[&str] = &[
    "and", "also", "then", "plus", "because", "so", "otherwise", "which", "e.g", "e.g.", "i.e", "i.e.", "such",
    "including", "to",
];

/// A text in units, read once.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) content: String,
    units: Vec<Arc<Unit>>,
}

#[derive(Debug)]
struct Unit {
    text: String,
    /// Its standard words, as a set.
    words: Vec<String>,
    /// Its words in order, in lower case.
    sequence: Vec<String>,
    features: GuardFeatures,
    statement: Option<Statement>,
}

/// How a unit stands to one of the text that takes it in.
enum Relation {
    /// The text says it.
    Covered,
    /// It says more than the unit of the text at this index, and all of that one.
    Extends(usize),
    /// The text does not say it.
    New,
}

impl Text {
    pub(super) fn read(content: &str, guard: &MergeGuard) -> Self {
        let read = |unit: &str| Arc::new(Unit::read(unit, guard));
        Self {
            content: content.to_owned(),
            units: units(content).into_iter().map(read).collect(),
        }
    }

    /// Returns the text with all that another says; `Err` says why the two stay apart.
    pub(super) fn with(&self, other: &Self, guard: &MergeGuard) -> Result<Self, String> {
        let mut merged = Self {
            content: self.content.clone(),
            units: self.units.clone(),
        };
        let (mut covered, mut all) = (0, 0);
        for unit in &other.units {
            all += unit.text.len();
            match merged.relation(unit, guard)? {
                Relation::Covered => covered += unit.text.len(),
                Relation::Extends(at) => {
                    covered += merged.units[at].text.len();
                    merged.replace(at, unit);
                }
                Relation::New => merged.append(unit),
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let share = covered as f64 / all.min(self.content.len()).max(1) as f64;
        if share < COVERED_MIN {
            return Err(
                "each says something of its own; together they would be no shorter".to_owned(),
            );
        }
        Ok(merged)
    }

    fn relation(&self, unit: &Unit, guard: &MergeGuard) -> Result<Relation, String> {
        let mut relation = Relation::New;
        for (at, own) in self.units.iter().enumerate() {
            let similarity = jaccard(&own.words, &unit.words);
            if own.text == unit.text {
                return Ok(Relation::Covered);
            }
            if similarity < ABOUT_THE_SAME {
                continue;
            }
            if let Some(conflict) = guard.check_conflict(&own.features, &unit.features) {
                return Err(conflict.to_string());
            }
            if own.changes(unit) {
                return Err("one gives another value of the same thing".to_owned());
            }
            if own.goes_on_in(unit) {
                relation = Relation::Extends(at);
                continue;
            }
            if unit.goes_on_in(own) {
                relation = Relation::Covered;
                continue;
            }
            if similarity < NEARLY_THE_SAME {
                continue;
            }
            match guard.check(&own.features, &unit.features) {
                None => relation = Relation::Covered,
                Some(reason) if is_other_value(&reason) => return Err(reason.to_string()),
                Some(_) => {}
            }
        }
        Ok(relation)
    }

    fn replace(&mut self, at: usize, unit: &Arc<Unit>) {
        let old = &self.units[at].text;
        self.content = self.content.replacen(old.as_str(), &unit.text, 1);
        self.units[at] = Arc::clone(unit);
    }

    fn append(&mut self, unit: &Arc<Unit>) {
        let is_list = self.content.contains('\n') || begins_item(&unit.text);
        if is_list {
            self.content.push('\n');
        } else {
            if self
                .content
                .ends_with(|c: char| c.is_alphanumeric() || ")`\"'".contains(c))
            {
                self.content.push('.');
            }
            self.content.push(' ');
        }
        self.content.push_str(&unit.text);
        self.units.push(Arc::clone(unit));
    }

    /// Returns why another text contradicts this one; `None` if it does not.
    pub(super) fn contradicts(&self, other: &Self, guard: &MergeGuard) -> Option<String> {
        other.units.iter().find_map(|unit| {
            self.units.iter().find_map(|own| {
                let is_near = jaccard(&own.words, &unit.words) >= ABOUT_THE_SAME;
                let conflict = || guard.check_conflict(&own.features, &unit.features);
                is_near.then(conflict).flatten().map(|it| it.to_string())
            })
        })
    }
}

impl Unit {
    fn read(text: &str, guard: &MergeGuard) -> Self {
        let plain = bare(text).text;
        let end = |c: char| ".,;:!?".contains(c);
        let words = plain.split_whitespace().map(|word| {
            let word = word.trim_matches(|c: char| end(c) || "()".contains(c));
            word.to_lowercase()
        });
        Self {
            words: Tokens::Standard.set(text),
            sequence: words.filter(|word| !word.is_empty()).collect(),
            features: guard.features(text),
            statement: Statement::read(text),
            text: text.to_owned(),
        }
    }

    /// Tells whether another unit begins with all of this one, and goes on without restricting it.
    fn goes_on_in(&self, longer: &Self) -> bool {
        let rest = longer.sequence.strip_prefix(self.sequence.as_slice());
        let next = rest.and_then(<[String]>::first);
        // Two words may begin anything.
        self.sequence.len() > 2 && next.is_some_and(|word| CONTINUATIONS.contains(&word.as_str()))
    }

    fn changes(&self, other: &Self) -> bool {
        match (&self.statement, &other.statement) {
            (Some(own), Some(other)) => own.changes(other),
            _ => false,
        }
    }
}

/// Tells whether both texts have a value in the place where they differ. If only one has, it says more.
fn is_other_value(reason: &GuardReason) -> bool {
    match reason {
        GuardReason::Numbers(it)
        | GuardReason::Quoted(it)
        | GuardReason::Identifiers(it)
        | GuardReason::Case(it)
        | GuardReason::Code(it)
        | GuardReason::Symbols(it)
        | GuardReason::Words(it) => !it.left.is_empty() && !it.right.is_empty(),
        GuardReason::Places { .. } | GuardReason::Negation | GuardReason::Antonyms { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(a: &str, b: &str) -> Result<String, String> {
        let guard = MergeGuard::standard();
        let (a, b) = (Text::read(a, &guard), Text::read(b, &guard));
        a.with(&b, &guard).map(|text| text.content)
    }

    #[test]
    fn what_is_said_already_is_covered_and_what_is_new_is_appended_whole() {
        for (a, b, expected) in [
            (
                "Run the tests before you commit.",
                "Run the tests before you commit them.",
                "Run the tests before you commit.",
            ),
            (
                "Run the whole test suite before each commit. Ask Maria for the key.",
                "Run the whole test suite before each commit. Push with `--force-with-lease`.",
                "Run the whole test suite before each commit. Ask Maria for the key. \
                 Push with `--force-with-lease`.",
            ),
            (
                "Write the changelog by hand",
                "Write the changelog by hand and link each entry to its issue.",
                "Write the changelog by hand and link each entry to its issue.",
            ),
            (
                "- run the linter\n- run the tests",
                "- run the tests\n- run the linter\n- tag",
                "- run the linter\n- run the tests\n- tag",
            ),
        ] {
            assert_eq!(merged(a, b).as_deref(), Ok(expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn texts_that_contradict_each_other_stay_apart() {
        for (a, b) in [
            (
                "Always use tabs in Go files.",
                "Never use tabs in Go files.",
            ),
            (
                "Set the timeout to 30 seconds.",
                "Set the timeout to 60 seconds.",
            ),
            (
                "Set up the cache first. Enable caching in tests. Tag it.",
                "Set up the cache first. Disable caching in tests. Tag it.",
            ),
            (
                "Retry the upload on an error.",
                "Retry the upload on an error only for small files.",
            ),
            ("Use `jq -r` for the id.", "Use `jq -c` for the id."),
        ] {
            assert!(merged(a, b).is_err(), "{a:?} {b:?}: {:?}", merged(a, b));
        }
    }
}
