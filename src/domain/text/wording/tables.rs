//! The words that the comparison of wordings knows.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::antonyms::base_form;

/// Words that may come and go in advice without changing what is advised.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "actually", "all", "always", "any", "basically", "because", "both", "carefully", "certainly",
    "clearly", "correctly", "definitely", "each", "ensure", "every", "hence", "however", "indeed",
    "kindly", "make", "obviously", "please", "properly", "really", "remember", "simply", "since", "still",
    "such", "sure", "therefore", "thus", "up", "whether",
];

/// Words of the same sense in advice; of each group one may stand for another.
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

/// Families of words without weight; within a family the words of one row may not stand for those of
/// another: who must and who may, both and either, from and to, who does it.
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

/// Words that stand between another word and its place, in English, German, French, Spanish, Italian and
/// Portuguese.
#[rustfmt::skip]
pub(super) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "its", "their", "his", "her", "our", "my",
    "your", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "le",
    "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "os", "as", "um", "uma", "l",
];

/// Words that put two things side by side: of the second nothing tells its place.
#[rustfmt::skip]
pub(super) const JOINING: &[&str] = &[
    "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "og", "och", "eller", "и", "или", "lub", "ve",
    "veya", "和", "及", "或", "と", "や",
];

/// Prepositions that have taken in an article, and without it.
#[rustfmt::skip]
pub(super) const CONTRACTED: &[(&str, &str)] = &[
    ("do", "de"), ("da", "de"), ("dos", "de"), ("du", "de"), ("del", "de"), ("au", "à"), ("aux", "à"),
    ("al", "a"), ("dei", "di"), ("della", "di"), ("delle", "di"), ("dello", "di"), ("vom", "von"),
    ("zum", "zu"), ("zur", "zu"), ("im", "in"), ("beim", "bei"),
];

/// What stands before an apostrophe in place of a word of its own.
pub(super) const ELIDED: &[&str] = &["l", "un", "d", "qu", "all", "dall", "dell", "nell", "sull"];

/// Characters of scripts without spaces that may come and go.
pub(super) const UNSPACED_FILLERS: &str = "请請的了也就吧呢はがをのもねよ는은을를";

/// Endings that make another form of a word where its stem is not known.
pub(super) const ENDINGS: &[&str] = &["s", "n", "e", "en", "es", "em"];

/// The group of synonyms of a stem.
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
