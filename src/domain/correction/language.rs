//! The tables of a language: its classes of words, and the patterns that use them.
//!
//! A language is one text file of lists, so that another one is another file with its own examples in the tests. English is
//! read today.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The languages that are read.
pub(super) static LANGUAGES: LazyLock<[Language; 1]> =
    LazyLock::new(|| [Language::of(include_str!("english.txt"))]);

/// The word that patterns see in place of a phrase for the project.
pub(super) const PLACE: &str = "hereabouts";
/// The word that patterns see in place of a lasting phrase.
pub(super) const HENCEFORTH: &str = "henceforth";

/// The lists of words, phrases and patterns of a language.
#[derive(Debug)]
pub(super) struct Language {
    lists: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Language {
    /// Reads a table; the file explains its form.
    fn of(table: &'static str) -> Self {
        let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut name = "";
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            if let Some(pattern) = line.strip_prefix("- ") {
                lists.entry(name).or_default().push(pattern);
            } else if line.starts_with(' ') {
                let entries = line.split(',').map(str::trim);
                let entries = entries.filter(|entry| !entry.is_empty());
                lists.entry(name).or_default().extend(entries);
            } else if let Some(list) = line.strip_suffix(':') {
                name = list;
            }
        }
        Self { lists }
    }

    /// The entries of a list; none for an unknown name.
    pub(super) fn list(&self, name: &str) -> &[&'static str] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }

    /// All lists with their names.
    #[cfg(test)]
    pub(super) fn lists(&self) -> impl Iterator<Item = (&'static str, &[&'static str])> {
        self.lists
            .iter()
            .map(|(name, list)| (*name, list.as_slice()))
    }
}
