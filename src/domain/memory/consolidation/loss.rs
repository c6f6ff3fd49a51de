//! Information loss: which details and content words of some texts do not occur in another.

use std::collections::BTreeSet;

use super::details::{Detail, DetailKind, details};
use hindlore_text::words::for_each_raw_word;

/// The parts of its sources that a merged text lacks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Loss {
    /// Details and content words that do not occur in the result, ascending.
    pub lost: Vec<Detail>,
    /// Details and content words of the sources, each counted once.
    pub total: usize,
}

impl Loss {
    /// Returns the lost share, 0..=1; 0 for sources without any detail or content word.
    pub fn share(&self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let share = self.lost.len() as f64 / self.total as f64;
        share
    }

    /// Returns the lost names, numbers, quotations and identifiers, without the words.
    pub fn details(&self) -> impl Iterator<Item = &Detail> {
        let lost = self.lost.iter();
        lost.filter(|detail| detail.kind != DetailKind::Word)
    }
}

/// Returns the parts of the `sources` that `result` lacks.
pub fn loss<'t>(sources: impl IntoIterator<Item = &'t str>, result: &str) -> Loss {
    let sources: BTreeSet<Detail> = sources.into_iter().flat_map(details).collect();
    let there = Occurrences::of(result);
    Loss {
        total: sources.len(),
        lost: sources.into_iter().filter(|one| !there.has(one)).collect(),
    }
}

/// The details of a text, to be searched for those of others.
struct Occurrences {
    details: BTreeSet<Detail>,
    /// The words of the text, in lower case, each between blanks: so a name is found that begins a sentence here.
    words: String,
}

impl Occurrences {
    fn of(text: &str) -> Self {
        let mut words = String::from(" ");
        for_each_raw_word(text, |word| {
            words.push_str(&word.to_lowercase());
            words.push(' ');
        });
        Self {
            details: details(text),
            words,
        }
    }

    fn has(&self, detail: &Detail) -> bool {
        if self.details.contains(detail) {
            return true;
        }
        let is_plain = |c: char| c.is_alphanumeric() || c == ' ';
        let says = || self.words.contains(&format!(" {} ", detail.value));
        match detail.kind {
            DetailKind::Entity => says(),
            // Plain words mean the same without their marks; signs do not.
            DetailKind::Quotation => detail.value.chars().all(is_plain) && says(),
            DetailKind::Number | DetailKind::Identifier | DetailKind::Word => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lost_share_is_of_details_and_content_words() {
        let nothing = loss(["Run the tests."], "Always run the tests first.");
        assert_eq!((nothing.share(), nothing.total), (0.0, 2));
        let half = loss(["Run the tests on Friday."], "Run the tests.");
        let lost: Vec<&str> = half.lost.iter().map(|one| one.value.as_str()).collect();
        assert_eq!((lost, half.total), (vec!["friday", "friday"], 4));
        assert_eq!((half.share(), half.details().count()), (0.5, 1));
        assert_eq!(loss(["... 、"], "x").share(), 0.0);
    }

    #[test]
    fn a_name_counts_as_said_where_it_begins_a_sentence() {
        let said = loss(
            ["We use Redis.", "Type \"yes\" there."],
            "Redis we use there. Type yes.",
        );
        assert_eq!(said.lost, []);
        let other = loss(["cut -d on it"], "cut -D on it");
        assert_eq!(other.details().count(), 1);
    }
}
