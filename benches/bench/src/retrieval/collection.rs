//! A collection: texts that become one memory, and questions whose answers are known to lie in some.

use std::collections::BTreeSet;

use hindlore_domain::memory::bullet::Source;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::dates::named_times;

/// A public set: several collections that are measured together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSet {
    /// Name of the set.
    pub name: &'static str,
    /// One for each dialogue or scenario.
    pub collections: Vec<Collection>,
    /// Questions without a text that answers them, which cannot be measured.
    pub left_out: usize,
}

/// The texts of one dialogue or scenario with its questions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collection {
    /// Name within the set.
    pub name: String,
    /// The texts, in order.
    pub texts: Vec<String>,
    /// Whether a text was written right after the one before it.
    pub follows: Vec<bool>,
    /// Author of a text.
    pub sources: Vec<Source>,
    /// Day of a text, where the set names it.
    pub days: Vec<Option<Timestamp>>,
    /// The heading of a text; empty without one.
    pub sections: Vec<String>,
    /// The questions.
    pub questions: Vec<Question>,
    /// Questions that rest on a false premise: no text answers them.
    pub unanswerable: Vec<String>,
}

/// A question and the texts that answer it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The words.
    pub text: String,
    /// Places of the texts that answer it; never empty.
    pub evidence: BTreeSet<usize>,
}

impl Collection {
    /// Adds a text; characters that no bullet may hold become blanks. False for one without words.
    pub(super) fn push(&mut self, text: &str, follows: bool) -> bool {
        self.push_of(Source::Import, text, follows)
    }

    /// Adds a text of this source, as [`push`](Self::push) does.
    pub(super) fn push_of(&mut self, source: Source, text: &str, follows: bool) -> bool {
        let plain = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
        let text: String = text.chars().map(plain).collect();
        if text.trim().is_empty() {
            return false;
        }
        self.texts.push(text);
        self.follows.push(follows && self.texts.len() > 1);
        self.sources.push(source);
        self.sections.push(String::new());
        self.days.push(None);
        true
    }

    /// Sets the day of the last text from a date in words or digits.
    pub(super) fn date_last(&mut self, date: &str) {
        let label = named_times(date, 0)
            .first()
            .and_then(|time| time.labels.first().copied());
        let day = label.filter(|label| *label > 10_000_000).and_then(|label| {
            let (year, month, day) = (label / 10_000, label / 100 % 100, label % 100);
            Timestamp::parse(&format!("{year}-{month:02}-{day:02}T00:00:00"))
        });
        if let Some(last) = self.days.last_mut() {
            *last = day;
        }
    }
}

impl DataSet {
    /// All questions that can be measured.
    pub fn questions(&self) -> usize {
        let counts = self.collections.iter().map(|one| one.questions.len());
        counts.sum()
    }
}
