//! The lists of words that the rules know, read once from their table.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The table. It is data: a new word is a word in it.
const TABLE: &str = include_str!("words.txt");

static LISTS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| read(TABLE));
static MEMBERS: LazyLock<HashSet<(&'static str, &'static str)>> = LazyLock::new(|| {
    let lists = LISTS.iter();
    lists
        .flat_map(|(list, words)| words.iter().map(|word| (*list, *word)))
        .collect()
});

fn read(table: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut lists: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    let mut name = "";
    for line in table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        if line.starts_with(' ') {
            lists
                .entry(name)
                .or_default()
                .extend(line.split_whitespace())
        } else {
            name = line
        }
    }
    lists
}

/// True when a list has a word.
pub(crate) fn has(list: &'static str, word: &str) -> bool {
    // The words of a lookup live no longer than the caller's.
    let members: &HashSet<(&str, &str)> = &MEMBERS;
    members.contains(&(list, word))
}

/// All words of a list.
pub(super) fn all(list: &str) -> &'static [&'static str] {
    LISTS.get(list).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_that_is_asked_for_is_there() {
        for list in [
            "stems",
            "passwords",
            "secrets",
            "keys",
            "weak-names",
            "query-names",
            "weak-options",
            "input-readers",
            "settings",
            "login-calls",
            "other-keys",
            "other-tokens",
            "ends",
            "name-words",
            "no-values",
            "placeholders",
            "readers",
            "schemes",
            "list-schemes",
            "cookie-settings",
            "speech",
            "setters",
            "group-programs",
        ] {
            assert!(!all(list).is_empty(), "{list}");
        }
        assert!(has("passwords", "passwd") && !has("passwords", "token"));
    }
}
