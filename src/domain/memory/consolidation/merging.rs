//! The extractive merge: a text takes in another one unit by unit, and writes no word of its own.
//!
//! A unit with the content of one in the text is covered. One that continues a unit of the text replaces it.
//! Any other is appended, whole, so that no condition is torn from its rule. Texts that contradict each other, or give
//! different values of the same thing, do not merge.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::details::{Detail, DetailKind, details};
use hindlore_text::guard::{GuardFeatures, MergeGuard};
use hindlore_text::layout::markup::bare;
use hindlore_text::similarity::jaccard;
use hindlore_text::statement::Statement;
use hindlore_text::words::Tokens;
use hindlore_text::words::units::{begins_item, units};

/// Similarity of two units from which on a contradiction, or another value, is taken seriously, 0..=1.
const ABOUT_THE_SAME: f64 = 0.3;
/// Similarity of two units above which they are equal in content or compete, 0..=1.
const NEARLY_THE_SAME: f64 = 0.6;
/// Minimum share of the shorter of two texts that both must contain, in bytes, 0..=1.
const COVERED_MIN: f64 = 0.5;

/// Words that continue a sentence without restricting it.
#[rustfmt::skip]
const CONTINUATIONS: &[&str] = &[
    "and", "also", "then", "plus", "because", "so", "otherwise", "which", "e.g", "e.g.", "i.e", "i.e.", "such",
    "including", "to",
];

/// Words of a short sentence that point to another one.
const POINTING: &[&str] = &["that", "these", "this", "those"];
/// Words of a sentence that is short, at most.
const SHORT: usize = 8;

/// A text in units, read once.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) content: String,
    units: Vec<Arc<Unit>>,
}

#[derive(Debug)]
struct Unit {
    text: String,
    /// Its standard words, as a set.
    words: Vec<String>,
    /// Its words in order, in lower case.
    sequence: Vec<String>,
    /// Its lines without list marks, if it has several.
    lines: Vec<String>,
    /// Whether the order of its lines counts: those of code and of a numbered list.
    is_ordered: bool,
    /// Its numbers, quotations and identifiers.
    literals: BTreeSet<Detail>,
    features: GuardFeatures,
    statement: Option<Statement>,
}

/// The relation of a unit to the text that takes it in.
enum Relation {
    /// The text contains it.
    Covered,
    /// It extends the unit of the text at this index.
    Extends(usize),
    /// The text does not contain it.
    New,
}

impl Text {
    pub(crate) fn read(content: &str, guard: &MergeGuard) -> Self {
        let read = |unit: &str| Arc::new(Unit::read(unit, guard));
        Self {
            content: content.to_owned(),
            units: units(content).into_iter().map(read).collect(),
        }
    }

    /// Returns the text with the content of another added; `Err` has the reason why the two stay apart.
    pub(crate) fn with(&self, other: &Self, guard: &MergeGuard) -> Result<Self, String> {
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
                Relation::New if unit.stands_alone() => merged.append(unit),
                Relation::New => {
                    return Err(format!("`{}` says nothing without its text", unit.text));
                }
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let share = covered as f64 / all.min(self.content.len()).max(1) as f64;
        if share < COVERED_MIN {
            return Err(
                "each has contents of its own; together they would be no shorter".to_owned(),
            );
        }
        Ok(merged)
    }

    fn relation(&self, unit: &Unit, guard: &MergeGuard) -> Result<Relation, String> {
        let mut relation = Relation::New;
        for (at, own) in self.units.iter().enumerate() {
            let similarity = jaccard(&own.words, &unit.words);
            if own.text == unit.text || own.has_lines_of(unit) {
                return Ok(Relation::Covered);
            }
            if unit.has_lines_of(own) {
                relation = Relation::Extends(at);
                continue;
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
            let is_near =
                similarity >= NEARLY_THE_SAME || own.has_words_of(unit) || unit.has_words_of(own);
            if let Some((left, right)) = own.other_value(unit) {
                return Err(format!("different values: {left} / {right}"));
            }
            if !is_near {
                continue;
            }
            match guard.check(&own.features, &unit.features) {
                None => relation = Relation::Covered,
                Some(reason) => return Err(reason.to_string()),
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
    pub(crate) fn contradicts(&self, other: &Self, guard: &MergeGuard) -> Option<String> {
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
        let is_code = text.contains("```");
        let line = |line: &str| {
            let line = line.trim_end();
            (!line.is_empty()).then(|| {
                if is_code {
                    return line.to_owned();
                }
                bare(line.trim_start()).text.trim().to_owned()
            })
        };
        let lines = text.lines().filter(|_| text.contains('\n'));
        let is_numbered = |line: &str| bare(line).number.is_some();
        let literals = details(text).into_iter();
        let literals =
            literals.filter(|it| !matches!(it.kind, DetailKind::Entity | DetailKind::Word));
        Self {
            lines: lines.filter_map(line).collect(),
            is_ordered: is_code || text.lines().any(is_numbered),
            words: Tokens::Standard.set(text),
            sequence: words.filter(|word| !word.is_empty()).collect(),
            literals: literals.collect(),
            features: guard.features(text),
            statement: Statement::read(text),
            text: text.to_owned(),
        }
    }

    /// Returns true if the unit can be understood in another text: it is no lead-in without its list, and no short sentence
    /// about another one.
    fn stands_alone(&self) -> bool {
        let points = |word: &String| POINTING.contains(&word.as_str());
        let is_remark = self.sequence.len() <= SHORT && self.sequence.iter().any(points);
        !(is_remark || self.text.ends_with([':', '：']))
    }

    /// Returns true if another unit begins with all of this one, and continues without restricting it: with a further
    /// clause, or with more members of a list of numbered things.
    fn goes_on_in(&self, longer: &Self) -> bool {
        let rest = longer.sequence.strip_prefix(self.sequence.as_slice());
        // Two words may begin anything.
        let Some(rest) = rest.filter(|_| self.sequence.len() > 2) else {
            return false;
        };
        let is_numbered = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        let is_longer_list = || {
            self.sequence.last().is_some_and(is_numbered)
                && !rest.is_empty()
                && rest.iter().all(is_numbered)
                && longer.text.contains(',')
        };
        let next = rest.first();
        next.is_some_and(|word| CONTINUATIONS.contains(&word.as_str())) || is_longer_list()
    }

    /// Returns true if this unit is the other, a list or a block of code, with more lines: at the end if the order of lines
    /// counts.
    fn has_lines_of(&self, other: &Self) -> bool {
        let (own, theirs) = (&self.lines, &other.lines);
        if theirs.len() < 2 || own.len() <= theirs.len() || own[0] != theirs[0] {
            return false;
        }
        if self.is_ordered || other.is_ordered {
            own.starts_with(theirs)
        } else {
            theirs.iter().all(|line| own.contains(line))
        }
    }

    /// Returns true if this unit has all words of the other, which is no mere exclamation.
    fn has_words_of(&self, other: &Self) -> bool {
        let has = |word: &String| self.words.binary_search(word).is_ok();
        other.words.len() > 2 && other.words.iter().all(has)
    }

    /// Returns a number, a quotation or an identifier that only this unit has, and one that only the other has; `None`
    /// unless each has one.
    fn other_value<'u>(&'u self, other: &'u Self) -> Option<(&'u str, &'u str)> {
        let own = self.literals.difference(&other.literals).next()?;
        let theirs = other.literals.difference(&self.literals).next()?;
        Some((&own.value, &theirs.value))
    }

    fn changes(&self, other: &Self) -> bool {
        match (&self.statement, &other.statement) {
            (Some(own), Some(other)) => own.changes(other),
            _ => false,
        }
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
            (
                "Before a release:\n- run the linter\n- tag it",
                "Before a release:\n- never skip it\n- tag it\n- run the linter",
                "Before a release:\n- never skip it\n- tag it\n- run the linter",
            ),
            (
                "A rule for counting (see Q1, Q2)\n\nWhen in doubt, ask the teacher of the class.",
                "A rule for counting (see Q1, Q2, Q7)\n\nWhen in doubt, ask the teacher of the class.",
                "A rule for counting (see Q1, Q2, Q7)\n\nWhen in doubt, ask the teacher of the class.",
            ),
            (
                "To release:\n1. tag it\n2. push it\n3. wait",
                "To release:\n1. tag it\n2. push it",
                "To release:\n1. tag it\n2. push it\n3. wait",
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
            (
                "To cancel, tell me the reason first.\n\n- Reservation to cancel: `FDZ0T5` to Paris\n\nThen I go on.",
                "To cancel, tell me the reason first.\n\n- Reservation to cancel: `HSR97W` to Rome\n\nThen I go on.",
            ),
            (
                "The order `A17` (3 lamps) was sent to you. The refund comes to your own account in May.",
                "The order with the number `B20` was sent to you. The refund comes to your own account in May.",
            ),
            (
                "I can change a flight. Give me the number of the booking that you wish to change.",
                "I can help you with that. Give me the number of the booking that you wish to change.",
            ),
            (
                "The insurance is not refunded as it says there. Ask if you need anything else from me.",
                "The insurance is not refunded. Ask if you need anything else from me.",
            ),
            ("Use `jq -r` for the id.", "Use `jq -c` for the id."),
        ] {
            assert!(merged(a, b).is_err(), "{a:?} {b:?}: {:?}", merged(a, b));
        }
    }
}
