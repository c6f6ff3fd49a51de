//! The value by which two notes differ: the same words with another number, name or path.
//!
//! The rule reads words, not meaning. A missed pair leaves two notes side by side, a wrong one ranks a valid note down,
//! so a thing with several values (files, supported systems) and an event (a fixed issue) change nothing.

use hindlore_text::layout::markup::bare;
use hindlore_text::negation::is_negation;
use hindlore_text::statement::Statement;

/// Maximum words of a note and of its value.
const WORDS_MAX: usize = 30;
const VALUE_MAX: usize = 3;

/// Words that two notes share at least.
const SHARED_MIN: usize = 2;

/// Verbs with one subject at a time: a new one takes the place of the old one.
const HELD: [&str; 14] = [
    "owns",
    "leads",
    "maintains",
    "manages",
    "heads",
    "chairs",
    "runs",
    "hosts",
    "administers",
    "holds",
    "is",
    "has",
    "reviews",
    "approves",
];

/// Words of a relation to one place or name.
const SINGLE: [&str; 17] = [
    "is", "=", "lives", "live", "runs", "run", "goes", "go", "points", "point", "listens",
    "belongs", "resides", "sits", "moved", "stored", "ist",
];

/// Nouns before a plain word that is a name.
const NAMING: [&str; 14] = [
    "host", "hostname", "branch", "user", "username", "channel", "region", "cluster", "bucket",
    "queue", "machine", "zone", "database", "schema",
];

/// Nouns before a number that identifies one of several things.
const NUMBERED: [&str; 30] = [
    "issue", "ticket", "pr", "request", "step", "phase", "case", "test", "bug", "task", "item",
    "section", "chapter", "line", "page", "part", "rule", "sprint", "week", "day", "server",
    "node", "worker", "shard", "room", "level", "team", "error", "exit", "commit",
];

/// Words that add a value to others.
const ADDS: [&str; 7] = [
    "also",
    "too",
    "another",
    "additional",
    "additionally",
    "auch",
    "see",
];

/// A note as words.
#[derive(Clone, Debug)]
pub(super) struct Note {
    words: Vec<Word>,
    statement: Option<Statement>,
}

#[derive(Clone, Debug)]
struct Word {
    /// As compared.
    form: String,
    /// Whether it ends a label: `Staging database:`.
    is_label: bool,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Number,
    Path,
    Name,
    Plain,
}

impl Note {
    /// Reads a text; `None` for one that states no value: it is long, a question, or negated.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = bare(text.trim()).text;
        if text.contains(['\n', '?', '!', ';']) {
            return None;
        }
        let words: Vec<Word> = text
            .split_whitespace()
            .map(Word::new)
            .filter(|word| !word.form.is_empty())
            .collect();
        let is_out = |word: &Word| is_negation(&word.form) || ADDS.contains(&word.form.as_str());
        (words.len() <= WORDS_MAX && !words.iter().any(is_out) && !is_event(&words)).then(|| Self {
            statement: Statement::read(&text),
            words,
        })
    }

    /// The first and the last word; two notes that differ in one value share one of them.
    pub(super) fn ends(&self) -> impl Iterator<Item = &str> {
        let ends = [self.words.first(), self.words.last()];
        ends.into_iter().flatten().map(|word| word.form.as_str())
    }

    /// Returns how the value of an older note changed, in words.
    pub(super) fn changes(&self, older: &Self) -> Option<String> {
        let reason = |before: &str, now: &str| format!("the value {before} became {now}");
        if let (Some(now), Some(before)) = (&self.statement, &older.statement)
            && now.changes(before)
        {
            return Some(reason(&before.value(), &now.value()));
        }
        let (new, old) = (&self.words, &older.words);
        let is_same = |(a, b): &(&Word, &Word)| a.form == b.form;
        let start = new.iter().zip(old).take_while(is_same).count();
        let ends = new
            .iter()
            .skip(start)
            .rev()
            .zip(old.iter().skip(start).rev());
        let end = ends.take_while(is_same).count();
        let now = new.get(start..new.len() - end)?;
        let before = old.get(start..old.len() - end)?;
        let (front, back) = (new.get(..start)?, new.get(new.len() - end..)?);
        let fits = start + end >= SHARED_MIN
            && is_value(front, now, back)
            && is_value(front, before, back);
        let shape = shape_of(front, now);
        if !fits || shape != shape_of(front, before) {
            return None;
        }
        Some(reason(&joined(before), &joined(now)))
    }
}

impl Word {
    fn new(written: &str) -> Self {
        let marks = ['"', '\'', '`', '“', '”', '(', ')', '*', ',', '.', ':'];
        let bare = written.trim_matches(marks);
        let has = |of: fn(char) -> bool| bare.contains(of);
        let shape = if bare.contains(['/', '\\']) {
            Shape::Path
        } else if bare
            .trim_start_matches(['$', '€', '£', '~', 'v'])
            .starts_with(|c: char| c.is_ascii_digit())
        {
            Shape::Number
        } else if has(char::is_uppercase)
            || has(char::is_numeric)
            || bare.contains('_')
            || written.contains('`')
        {
            Shape::Name
        } else {
            Shape::Plain
        };
        let form = if written == "=" { written } else { bare };
        Self {
            form: form.to_lowercase(),
            is_label: written.ends_with(':'),
            shape,
        }
    }
}

fn joined(words: &[Word]) -> String {
    let forms: Vec<&str> = words.iter().map(|word| word.form.as_str()).collect();
    forms.join(" ")
}

/// The shape of a value after the words before it. A plain word is a name after a noun that asks for one, or as the
/// whole text after a label of several words.
fn shape_of(front: &[Word], value: &[Word]) -> Option<Shape> {
    let shape = value.first()?.shape;
    let is_named = front
        .last()
        .is_some_and(|word| NAMING.contains(&word.form.as_str()));
    match shape {
        Shape::Plain if is_named && value.len() == 1 => Some(Shape::Name),
        Shape::Plain => None,
        Shape::Name if value.iter().any(|word| word.shape == Shape::Plain) => None,
        other => Some(other),
    }
}

/// Returns true if the words around a value let it have one value at a time.
fn is_value(front: &[Word], value: &[Word], back: &[Word]) -> bool {
    let Some(shape) = shape_of(front, value).filter(|_| value.len() <= VALUE_MAX) else {
        return false;
    };
    let next = back.first().map(|word| word.form.as_str());
    let is_held = next.is_some_and(|word| HELD.contains(&word));
    let Some(last) = front.last() else {
        return shape == Shape::Name && is_held && value.iter().all(|word| !word.is_label);
    };
    let label = front.iter().rposition(|word| word.is_label);
    // "Owners: Ada" is one of several.
    let is_labelled = label.and_then(|at| front.get(at)).is_some_and(|word| {
        !word.form.ends_with('s') || word.form.ends_with("ss") || word.form.ends_with("us")
    });
    match shape {
        // A number before the verb is a part of the subject: "node 3 is slow".
        Shape::Number => !NUMBERED.contains(&last.form.as_str()) && !is_held,
        _ => {
            is_labelled
                || front
                    .iter()
                    .any(|word| SINGLE.contains(&word.form.as_str()))
        }
    }
}

/// Returns true for a sentence that begins with a past tense: "Fixed issue 12", "Anna visited Rome".
fn is_event(words: &[Word]) -> bool {
    let is_state = |word: &Word| {
        word.is_label || ["the", "a", "an", "our", "is", "are"].contains(&word.form.as_str())
    };
    let begins = words.iter().take(2).take_while(|word| !is_state(word));
    begins
        .into_iter()
        .any(|word| word.form.len() > 4 && word.form.ends_with("ed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(older: &str, newer: &str) -> bool {
        let (older, newer) = (Note::read(older), Note::read(newer));
        older
            .zip(newer)
            .is_some_and(|(older, newer)| newer.changes(&older).is_some())
    }

    #[test]
    fn the_same_words_with_another_number_name_or_path_change_a_value() {
        for (older, newer) in [
            (
                "Staging database: port 5434 on host amber",
                "Staging database: port 5440 on host amber",
            ),
            (
                "Staging database: port 5434 on host amber",
                "Staging database: port 5434 on host birch",
            ),
            (
                "**Staging database:** port 5434",
                "Staging database: port 5440",
            ),
            (
                "Anna owns the billing service",
                "Ben owns the billing service",
            ),
            ("Anna Schmidt leads the shop", "Ben leads the shop"),
            ("The cache is called Redis-2", "The cache is called Redis-3"),
            ("The cache is called Redis-2.", "The cache is called Valkey"),
            ("Logs go to `/var/log/a`", "Logs go to `/srv/log/a`"),
            ("Staging runs on Fly", "Staging runs on Render"),
            ("The worker retries 3 times", "The worker retries 5 times"),
            ("Python version: 3.11", "Python version: 3.12"),
            ("Use port 5434 for the tests", "Use port 5440 for the tests"),
            ("Default branch: main", "Default branch: trunk"),
            ("Deploy path: /srv/a", "Deploy path: /srv/b"),
        ] {
            assert!(changes(older, newer), "{older} / {newer}");
        }
    }

    #[test]
    fn several_values_events_and_rules_change_nothing() {
        for (older, newer) in [
            ("Never restart the worker", "Always restart the worker"),
            (
                "Fixed issue 12 in the parser",
                "Fixed issue 13 in the parser",
            ),
            ("Issue 12 is open", "Issue 13 is open"),
            ("Anna visited Rome", "Anna visited Paris"),
            ("Anna likes tea", "Ben likes tea"),
            ("Do not edit src/a.rs", "Do not edit src/b.rs"),
            ("Edit src/a.rs with care", "Edit src/b.rs with care"),
            ("The API supports Postgres", "The API supports MySQL"),
            ("Node 3 is slow", "Node 4 is slow"),
            ("Owners: Ada", "Owners: Ben"),
            ("The port is also 5434", "The port is also 5440"),
            ("Port 5434", "Port 5440"),
            ("The build is slow", "The build is green"),
            (
                "Run the tests before a push",
                "Run the linter before a push",
            ),
            ("The port is 5434", "The port is 5434"),
            ("Is the port 5434?", "Is the port 5440?"),
        ] {
            assert!(!changes(older, newer), "{older} / {newer}");
        }
    }
}
