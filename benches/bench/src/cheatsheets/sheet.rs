//! The entries of a cheatsheet, without the bookkeeping that changes from sheet to sheet.

use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;

/// The mark that opens an entry.
const OPEN: &str = "<memory_item>";
/// The mark that ends one, apart from the next.
const CLOSE: &str = "</memory_item>";
/// Tags inside an entry.
const TAGS: [&str; 4] = ["<description>", "</description>", "<example>", "</example>"];

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its words, as a memory would keep them.
    pub text: String,
    words: Vec<String>,
}

impl Entry {
    /// The entry of a text.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            words: Tokens::Standard.set(text),
        }
    }

    /// The share of its distinct words that another text holds.
    pub fn held_by(&self, other: &Self) -> f64 {
        let held = self
            .words
            .iter()
            .filter(|word| other.words.binary_search(word).is_ok());
        held.count() as f64 / self.words.len().max(1) as f64
    }

    /// Shared words over all words.
    pub fn similarity(&self, other: &Self) -> f64 {
        jaccard(&self.words, &other.words)
    }
}

/// The entries of a sheet, in order.
///
/// References to questions and counts of use are left out: they change whenever an entry is used.
pub fn entries(sheet: &str) -> Vec<Entry> {
    let parts = sheet.split(OPEN).skip(1);
    parts
        .map(plain)
        .filter(|text| !text.is_empty())
        .map(|text| Entry::new(&text))
        .collect()
}

fn plain(part: &str) -> String {
    let part = part.split(CLOSE).next().unwrap_or(part);
    // Without a closing sign an entry ends at its count.
    let is_count = |line: &str| line.trim_start().starts_with("** Count");
    let mut text: String = part
        .lines()
        .take_while(|line| !is_count(line))
        .map(|line| format!("{line}\n"))
        .collect();
    for tag in TAGS {
        text = text.replace(tag, "");
    }
    while let Some(start) = text.find("(Reference:") {
        let length = text[start..]
            .find(')')
            .map_or(text.len() - start, |at| at + 1);
        text.replace_range(start..start + length, "");
    }
    // Characters that no bullet may hold become blanks.
    let plain = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    text.trim().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_without_their_bookkeeping() {
        let sheet = "Version: 2\n\nTRICKS\n<memory_item>\n<description>\nCount pairs first. (Reference: Q1, Q7)\n\
                     </description>\n<example>\nn*(n-1)/2\n</example>\n** Count: 4\n\nOTHERS\n<memory_item>\nUse a \
                     table.</memory_item>\n<memory_item></memory_item>";
        let texts: Vec<String> = entries(sheet).into_iter().map(|entry| entry.text).collect();
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert!(texts[0].starts_with("Count pairs first.") && texts[0].ends_with("n*(n-1)/2"));
        assert_eq!(texts[1], "Use a table.");
        assert!(entries("nothing yet").is_empty());
    }

    #[test]
    fn an_entry_is_held_by_a_longer_one_and_not_by_its_own_heading() {
        let (short, long) = (
            Entry::new("count the pairs"),
            Entry::new("first count all the pairs twice"),
        );
        assert_eq!(short.held_by(&long), 1.0);
        assert_eq!(long.held_by(&short), 0.5);
        assert_eq!(short.similarity(&long), 0.5);
    }
}
