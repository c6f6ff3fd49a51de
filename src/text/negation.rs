//! The negations of a text: how many there are, and which words they cover.
//!
//! Comparing counts catches a lost or added `not`, even in a long text. Comparing the covered words catches one
//! that moved: "tabs, not spaces" and "spaces, not tabs" have the same count and the same words. Only a two-way
//! exchange counts as a move, and a word directly after a negation in one text that no negation covers in the
//! other; any other change of order is style.
//!
//! Phrases that only look like negations (`not only`, `no matter`, 不同) are skipped. Words that reinforce a
//! negation (`nor`, `jamais`, никогда) count only if they are the only one in their sentence.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

use super::words::stop_words::is_stop_word;
use super::words::{fold, is_unspaced, stem};

/// Words that negate by themselves. English, German, French, Spanish, Italian, Portuguese, Russian,
/// Dutch, Scandinavian, Polish, Greek, Turkish, Vietnamese, Arabic, Hebrew, Hindi.
#[rustfmt::skip]
const STRONG: &[&str] = &[
    "not", "never", "no", "non", "cannot", "without", "avoid", "avoids", "avoided", "avoiding",
    "refrain", "refrains", "refrained", "refraining", "neither", "none", "nobody", "nothing",
    "nowhere", "unless", "forbid", "forbids", "forbidden", "prohibit", "prohibits", "prohibited",
    "dont", "doesnt", "didnt", "cant", "wont", "shouldnt", "isnt", "arent", "wasnt", "werent",
    "couldnt", "wouldnt", "mustnt", "neednt", "havent", "hasnt", "hadnt", "nicht", "nie",
    "niemals", "ohne", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nichts",
    "niemand", "nirgends", "weder", "keinesfalls", "keineswegs", "vermeide", "vermeiden",
    "vermeidet", "ne", "sans", "évite", "évitez", "éviter", "sin", "evita", "evite", "evitar",
    "eviten", "senza", "evitare", "evitate", "não", "sem", "не", "нет", "без", "нельзя",
    "избегай", "избегайте", "избегать", "niet", "geen", "nooit", "zonder", "inte", "aldrig", "utan",
    "ikke", "aldri", "uten", "uden", "bez", "nigdy", "δεν", "μη", "μην", "χωρίς", "değil", "đừng",
    "không", "لا", "لم", "لن", "ليس", "بدون", "לא", "אין", "בלי", "न", "नहीं", "मत", "बिना",
];

/// Words that negate only if nothing else in the sentence does.
#[rustfmt::skip]
const WEAK: &[&str] = &[
    "nor", "pas", "jamais", "rien", "aucun", "aucune", "ni", "nunca", "jamás", "nada", "nadie",
    "ningún", "ninguno", "ninguna", "tampoco", "mai", "nulla", "niente", "nessun", "nessuno",
    "nessuna", "né", "nem", "ninguém", "nenhum", "nenhuma", "ни", "никогда", "ничего", "никто",
    "никакой",
];

/// A negation and the next word that together negate nothing.
const HARMLESS: &[(&str, &str)] = &[
    ("not", "only"),
    ("not", "just"),
    ("not", "merely"),
    ("not", "solely"),
    ("not", "simply"),
    ("no", "matter"),
    ("no", "doubt"),
];

/// Negations of scripts without spaces, as parts of the text: Chinese, Japanese, Korean, Thai.
#[rustfmt::skip]
const UNSPACED: &[&str] = &[
    "不", "没", "沒", "别", "勿", "未", "无", "無", "非", "禁止", "避免", "避け", "なかった",
    "ません", "ない", "ずに", "않", "없", "마세요", "마십시오", "금지",
    "ห้าม", "ไม่",
];

/// Compounds in which such a part negates nothing, or twice.
#[rustfmt::skip]
const UNSPACED_HARMLESS: &[&str] = &[
    "なければならない", "なければなりません", "なくてはならない", "なくてはいけない",
    "なくてはなりません", "ないといけない", "かもしれない", "かもしれません", "すみません",
    "少ない", "危ない", "しかない", "差不多", "不同", "不仅", "不僅", "不但", "不只", "不断",
    "不斷", "不过", "不過", "不管", "不论", "不論", "特别", "类别", "区别", "级别", "个别",
    "性别", "分别", "识别", "辨别", "差别", "告别", "别名", "别的", "别人", "没收", "淹没",
    "沉没", "埋没", "出没", "无论", "無論", "未来", "未來", "非常", "除非", "是非", "非洲",
];

/// The negations of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Negations {
    count: usize,
    /// Stems that occur only under a negation, sorted.
    denied: Vec<String>,
    /// Stems that never occur under a negation, sorted.
    asserted: Vec<String>,
    /// The first stem under each negation, which is most surely denied.
    first: BTreeSet<String>,
}

impl Negations {
    /// Finds the negations of a text.
    pub fn from_text(text: &str) -> Self {
        let text = fold(text).to_lowercase();
        let tokens: Vec<&str> = text
            .split_word_bounds()
            .filter(|token| !is_blank(token))
            .collect();
        let mut reader = Reader::default();
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |at| tokens[at]);
            // Word boundaries split "w/o" into three tokens.
            let short = tokens[at..].starts_with(&["w", "/", "o"]);
            let token = if short { "without" } else { token };
            reader.read(
                token,
                before,
                tokens.get(at + 1).copied().unwrap_or_default(),
            );
        }
        reader.end_sentence();
        let denied = only_in(&reader.denied, &reader.asserted);
        let asserted = only_in(&reader.asserted, &reader.denied);
        Self {
            count: reader.count + unspaced_count(&text),
            denied,
            asserted,
            first: reader.first,
        }
    }

    /// Returns true if the numbers of negations differ by an odd number, which reverses the meaning.
    pub(super) fn differ_in_parity(&self, other: &Self) -> bool {
        self.count.abs_diff(other.count) % 2 == 1
    }

    /// Returns true if one text denies the statement of the other.
    pub fn differ(&self, other: &Self) -> bool {
        let exchanged =
            || share(&self.denied, &other.asserted) && share(&self.asserted, &other.denied);
        let asserts = |of: &Self, what: &BTreeSet<String>| {
            what.iter()
                .any(|word| of.asserted.binary_search(word).is_ok())
        };
        let moved = || asserts(self, &other.first) || asserts(other, &self.first);
        self.count != other.count || exchanged() || moved()
    }
}

/// Negations of scripts without spaces.
pub(super) fn unspaced_parts() -> impl Iterator<Item = &'static str> {
    UNSPACED.iter().copied()
}

/// Returns true if a lower-case word with straight apostrophes negates.
pub fn is_negation(word: &str) -> bool {
    STRONG.contains(&word)
        || WEAK.contains(&word)
        || word.ends_with("n't")
        || word.starts_with("n'")
}

/// Returns the words that this rule knows, for a digest of the rules.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    let pairs = HARMLESS.iter().flat_map(|(a, b)| [*a, *b]);
    [STRONG, WEAK, UNSPACED, UNSPACED_HARMLESS]
        .into_iter()
        .flatten()
        .copied()
        .chain(pairs)
}

/// Reads a text word by word and separates the words under a negation from the others.
#[derive(Default)]
struct Reader {
    count: usize,
    strong: usize,
    weak: usize,
    /// The current word is under a negation.
    under: bool,
    /// "Whether" was read in this sentence, so "or not" negates nothing.
    whether: bool,
    /// A form of "prefer" was read in this sentence, so "over" rejects the words after it.
    prefers: bool,
    denied: BTreeSet<String>,
    asserted: BTreeSet<String>,
    /// A negation was read, and no word under it yet.
    is_first: bool,
    first: BTreeSet<String>,
}

impl Reader {
    fn read(&mut self, token: &str, before: &str, next: &str) {
        if !token.contains(char::is_alphanumeric) {
            self.under = self.under && !token.contains(is_clause_end);
            if token.contains(is_sentence_end) {
                self.end_sentence();
            }
            return;
        }
        self.whether |= token == "whether";
        self.prefers |= token.starts_with("prefer");
        if self.negates(token, before, next) {
            if WEAK.contains(&token) {
                self.weak += 1;
            } else {
                self.strong += 1;
            }
            self.under = true;
            self.is_first = true;
            return;
        }
        // The second term of a comparison is denied, although the sentence is not negated.
        if token == "than"
            || (token == "instead" && next == "of")
            || (token == "over" && self.prefers)
        {
            self.under = true;
        } else if matches!(
            token,
            "but" | "instead" | "sondern" | "mais" | "sino" | "но" | "а"
        ) {
            self.under = false;
        } else if !is_stop_word(token) {
            let stem = stem(token);
            if std::mem::take(&mut self.is_first) && self.under {
                self.first.insert(stem.clone());
            }
            let words = if self.under {
                &mut self.denied
            } else {
                &mut self.asserted
            };
            words.insert(stem);
        }
    }

    fn negates(&self, token: &str, before: &str, next: &str) -> bool {
        // "Stop editing" negates, "stop the server" does not.
        let gerund = next.len() > 4 && next.ends_with("ing");
        if token == "stop" {
            return gerund;
        }
        let whether_or_not = token == "not" && before == "or" && self.whether;
        is_negation(token) && !HARMLESS.contains(&(token, next)) && !whether_or_not
    }

    fn end_sentence(&mut self) {
        // "Ne … jamais" is one negation: weak words only reinforce a strong one.
        self.count += if self.strong > 0 {
            self.strong
        } else {
            self.weak.min(1)
        };
        (self.strong, self.weak) = (0, 0);
        (self.under, self.whether, self.prefers) = (false, false, false);
    }
}

fn is_blank(token: &str) -> bool {
    token.chars().all(|c| c == ' ' || c == '\t')
}

fn is_clause_end(c: char) -> bool {
    is_sentence_end(c) || matches!(c, ',' | ':' | '(' | ')' | '–' | '—' | '，' | '、')
}

fn is_sentence_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ';' | '\n' | '\r' | '。' | '…')
}

fn unspaced_count(text: &str) -> usize {
    if !text.contains(is_unspaced) {
        return 0;
    }
    let starts = |rest: &str, list: &[&str]| {
        list.iter()
            .find(|part| rest.starts_with(**part))
            .map(|part| part.len())
    };
    let (mut rest, mut count) = (text, 0);
    while let Some(first) = rest.chars().next() {
        // Harmless compounds first, since they contain the negations.
        let harmless = starts(rest, UNSPACED_HARMLESS);
        let negation = if harmless.is_none() {
            starts(rest, UNSPACED)
        } else {
            None
        };
        count += usize::from(negation.is_some());
        rest = &rest[harmless.or(negation).unwrap_or(first.len_utf8())..];
    }
    count
}

/// Returns the words of `a` that `b` lacks.
fn only_in(a: &BTreeSet<String>, b: &BTreeSet<String>) -> Vec<String> {
    a.difference(b).cloned().collect()
}

fn share(a: &[String], b: &[String]) -> bool {
    a.iter().any(|word| b.binary_search(word).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_are_counted() {
        let table = [
            ("Check the file.", 0),
            ("Do not, don't, DON’T, must not, cannot, can't edit", 6),
            (
                "Never do it; avoid it; refrain from it; without it w/o it",
                5,
            ),
            ("Stop editing the file. Stop the server.", 1),
            ("Not only this, no matter what, whether or not it fails", 0),
            ("neither this nor that", 1),
            ("It is no longer used", 1),
            (
                "Ne modifiez pas le fichier. N'utilisez jamais ça. Pas de tests.",
                3,
            ),
            ("Никогда не удаляйте файл", 1),
            ("No lo hagas nunca. Nunca lo hagas.", 2),
            ("Nicht ohne Test, keine Ausnahme", 3),
            ("Non usare. Não use.", 2),
            ("不要修改，别忘了，没有，勿动", 4),
            ("不同的类别，不仅，特别", 0),
            (
                "変更しないでください。変更しません。確認しなければならない",
                2,
            ),
            ("is_not_null and notify nobody_here", 0),
        ];
        for (text, count) in table {
            assert_eq!(Negations::from_text(text).count, count, "{text:?}");
        }
    }

    #[test]
    fn a_moved_negation_differs() {
        let differ = |a, b| Negations::from_text(a).differ(&Negations::from_text(b));
        assert!(differ("Use tabs, not spaces.", "Use spaces, not tabs."));
        assert!(differ(
            "Do not run alpha. Run beta.",
            "Run alpha. Do not run beta."
        ));
        assert!(differ(
            "Prefer tabs over spaces.",
            "Prefer spaces over tabs."
        ));
        assert!(differ(
            "Use maps instead of lists.",
            "Use lists instead of maps."
        ));
        assert!(differ(
            "Do not remind guests to pay.",
            "Remind guests not to pay."
        ));
        assert!(!differ(
            "If tests fail, do not deploy.",
            "Do not deploy if tests fail."
        ));
        assert!(!differ(
            "Never commit secrets.",
            "Secrets must never be committed."
        ));
        assert!(!differ(
            "Do not manually edit it.",
            "Do not edit it manually."
        ));
    }
}
