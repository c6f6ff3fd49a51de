//! The word lists of `wording.rs`.
//!
//! They are part of the guard's digest: a changed list decides differently, so memories must be upgraded to it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::antonyms::base_form;

/// Words that may come and go without changing the meaning of an instruction.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "actually", "all", "always", "any", "basically", "because", "both", "carefully", "certainly",
    "clearly", "correctly", "definitely", "each", "ensure", "every", "hence", "however", "indeed",
    "kindly", "make", "obviously", "please", "properly", "really", "remember", "simply", "since", "still",
    "such", "sure", "therefore", "thus", "up", "whether",
];

/// Groups of synonyms: in instructions, a word may replace any other of its group.
#[rustfmt::skip]
pub(super) const SYNONYMS: &[&[&str]] = &[
    &["afterward", "afterwards"], &["almost", "nearly"], &["alter", "change", "modify"],
    &["answer", "reply"], &["approximately", "roughly"], &["assist", "help"], &["attempt", "try"], &["begin", "start"],
    &["big", "large"], &["buy", "purchase"], &["call", "invoke"], &["check", "verify"],
    &["choose", "pick", "select"], &["color", "colour"], &["contain", "include"], &["correct", "right"],
    &["delete", "remove"], &["directory", "folder"], &["display", "show"], &["enough", "sufficient"],
    &["entire", "whole"], &["exceed", "surpass"], &["execute", "run"], &["fast", "quick", "rapid"],
    &["fetch", "get", "obtain", "retrieve"], &["frequently", "often"], &["fix", "repair"], &["forbid", "prohibit"],
    &["happen", "occur"], &["immediately", "instantly"], &["incorrect", "wrong"], &["little", "small"], &["maybe", "perhaps", "possibly"], &["normally", "typically", "usually"], &["rarely", "seldom"],
    &["need", "require"], &["part", "piece"], &["permit", "allow"], &["till", "until"],
    &["use", "utilise", "utilize"],
];

/// Families of function words. Within a family, a word of one row must not replace one of another: must and may,
/// and and or, from and to, I and you.
#[rustfmt::skip]
pub(super) const FAMILIES: &[&[&[&str]]] = &[
    &[&["must", "shall", "should"], &["can", "could", "may", "might"]],
    &[
        &["and", "und", "et", "y", "e", "och", "og", "и", "ve", "和", "及"],
        &["or", "oder", "ou", "o", "u", "eller", "или", "lub", "veya", "或"],
    ],
    &[&["to"], &["from"], &["for"], &["with"], &["at"], &["by"], &["in", "into"], &["on", "onto"]],
    &[
        &["i", "me", "my", "mine"], &["you", "your", "yours"], &["he", "him", "his"],
        &["she", "her", "hers"], &["we", "us", "our", "ours"], &["they", "them", "their", "theirs"],
    ],
];

/// Determiners, which are skipped between a word and its neighbours: English, German, French, Spanish, Italian and
/// Portuguese.
#[rustfmt::skip]
pub(super) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "its", "their", "his", "her", "our", "my",
    "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "le",
    "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "os", "as", "um", "uma", "l",
];

/// Conjunctions: the words before one do not show the role of the word after it.
#[rustfmt::skip]
pub(super) const JOINING: &[&str] = &[
    "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "og", "och", "eller", "и", "или", "lub", "ve",
    "veya", "和", "及", "或", "と", "や",
];

/// Prepositions contracted with an article, each with the plain one.
#[rustfmt::skip]
pub(super) const CONTRACTED: &[(&str, &str)] = &[
    ("do", "de"), ("da", "de"), ("dos", "de"), ("du", "de"), ("del", "de"), ("au", "à"), ("aux", "à"),
    ("al", "a"), ("dei", "di"), ("della", "di"), ("delle", "di"), ("dello", "di"), ("vom", "von"),
    ("zum", "zu"), ("zur", "zu"), ("im", "in"), ("beim", "bei"),
];

/// Elided words before an apostrophe.
pub(super) const ELIDED: &[&str] = &["l", "un", "d", "qu", "all", "dall", "dell", "nell", "sull"];

/// Characters of scripts without spaces that may come and go.
pub(super) const UNSPACED_FILLERS: &str = "请請的了也就吧呢はがをのもねよ는은을를";

/// Endings that make another form of a word that has no known stem.
pub(super) const ENDINGS: &[&str] = &["s", "n", "e", "en", "es", "em"];

/// Returns the group of synonyms of a stem.
pub(super) fn group_of(stem: &str) -> Option<usize> {
    static GROUPS: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
        let groups = SYNONYMS.iter().enumerate();
        let words = groups.flat_map(|(number, words)| words.iter().map(move |word| (word, number)));
        words
            .map(|(word, number)| (base_form(word), number))
            .collect()
    });
    GROUPS.get(stem).copied()
}

/// Returns the words that this rule knows, for a digest of the rules.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    let families = FAMILIES.iter().flat_map(|family| family.iter());
    let groups = SYNONYMS
        .iter()
        .chain(families)
        .flat_map(|group| group.iter());
    let lists = [FILLERS, DETERMINERS, JOINING, ELIDED, ENDINGS];
    let words = groups.chain(lists.into_iter().flatten()).copied();
    let contracted = CONTRACTED.iter().flat_map(|(form, base)| [*form, *base]);
    words.chain(contracted).chain([UNSPACED_FILLERS])
}
