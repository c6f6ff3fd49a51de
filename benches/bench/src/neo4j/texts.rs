//! Texts of the kind that a memory of an agent holds, made by number: the same for us and for the peers.
//!
//! A text is advice about things with names: words that many texts share, and four that one in five
//! hundred has. That makes a near duplicate about as hard to rule out as among written conversations (in
//! LoCoMo one in a hundred texts shares a rare word with another). Two texts next to never share enough
//! to be taken for one. A question has no words that every text has, since a full-text search without a
//! limit would then answer with all of them.

const VERBS: &[&str] = &[
    "check", "open", "close", "parse", "split", "retry", "cache", "lock", "merge", "sort", "trim",
    "verify", "export", "import", "rename", "count", "flush", "restart", "compare", "validate",
    "encode", "truncate", "index", "archive", "sample", "replay", "batch", "convert", "queue",
    "sign",
];
const NOUNS: &[&str] = &[
    "ledger",
    "invoice",
    "schema",
    "token",
    "socket",
    "header",
    "payload",
    "record",
    "cursor",
    "branch",
    "certificate",
    "snapshot",
    "migration",
    "container",
    "column",
    "partition",
    "transcript",
    "formula",
    "calendar",
    "printer",
    "gateway",
    "shipment",
    "contract",
    "manifest",
    "spectrum",
    "sensor",
    "voucher",
    "tariff",
    "archive",
    "notebook",
];
const KINDS: &[&str] = &[
    "stale",
    "nested",
    "remote",
    "empty",
    "signed",
    "partial",
    "monthly",
    "binary",
    "shared",
    "frozen",
    "quoted",
    "sparse",
    "external",
    "duplicate",
    "hidden",
    "weekly",
    "encrypted",
    "oversized",
    "regional",
    "provisional",
];
const TOOLS: &[&str] = &[
    "compiler",
    "browser",
    "scheduler",
    "database",
    "spreadsheet",
    "shell",
    "linker",
    "crawler",
    "mailer",
    "debugger",
    "planner",
    "renderer",
    "importer",
    "balancer",
    "router",
    "simulator",
];
const TAGS: &[&str] = &[
    "files",
    "network",
    "billing",
    "dates",
    "parsing",
    "retries",
    "security",
    "reports",
    "search",
    "queues",
    "mail",
    "storage",
    "tests",
    "deployment",
    "forms",
    "graphs",
];

/// Numbers that look random and are the same in every run.
struct Choice(u64);

impl Choice {
    fn of(number: u64) -> Self {
        Self(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D)
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let at = mixed % words.len().max(1) as u64;
        words.get(at as usize).copied().unwrap_or_default()
    }
}

const SYLLABLES: &[&str] = &[
    "ba", "cor", "del", "fin", "gar", "hol", "jun", "kes", "lim", "mor", "nev", "ost", "pra",
    "qui", "rus", "sel", "tam", "urb", "vex", "wil", "yar", "zon",
];

/// Name of one of the four things that the text of a number is about.
fn name(number: u64, which: u64) -> String {
    let mut choice = Choice::of(number.wrapping_mul(4) + which + 0x0CEA_0000);
    (0..2).map(|_| choice.pick(SYLLABLES)).collect()
}

/// The text of a number.
pub(super) fn text(number: u64) -> String {
    let [a, b, c, d] = [0, 1, 2, 3].map(|which| name(number, which));
    let mut choice = Choice::of(number);
    let mut one = |words: &[&'static str]| choice.pick(words);
    format!(
        "{} the {} {} of {a} before you {} the {} {} of the {b} {}, since the {} {c} {} may need to {} {d}",
        one(VERBS),
        one(KINDS),
        one(NOUNS),
        one(VERBS),
        one(KINDS),
        one(NOUNS),
        one(TOOLS),
        one(KINDS),
        one(TOOLS),
        one(VERBS),
    )
}

/// The texts of some numbers.
pub(super) fn texts(numbers: std::ops::Range<u64>) -> Vec<String> {
    numbers.map(text).collect()
}

/// Two tags that belong to a number.
pub(super) fn tags(number: u64) -> Vec<String> {
    let mut choice = Choice::of(number ^ 0x7A65);
    (0..2).map(|_| choice.pick(TAGS).to_owned()).collect()
}

/// A question about the text of a number, in six of its words.
pub(super) fn question(number: u64) -> String {
    let mut choice = Choice::of(number);
    let mut one = |words: &[&'static str]| choice.pick(words);
    let (verb, kind, noun) = (one(VERBS), one(KINDS), one(NOUNS));
    let (_, other, _, tool) = (one(VERBS), one(KINDS), one(NOUNS), one(TOOLS));
    format!("{verb} {kind} {noun} {} {other} {tool}", name(number, 0))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;

    #[test]
    fn no_two_of_many_texts_are_near_each_other() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        let all: Vec<BTreeSet<String>> = (0..1_500).map(|n| words(&text(n))).collect();
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                let both = one.intersection(other).count() as f64;
                let either = one.union(other).count() as f64;
                assert!(both / either < 0.8, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_question_is_about_its_text() {
        for number in 0..100 {
            let (text, question) = (text(number), question(number));
            let asked = question.split(' ').filter(|word| text.contains(word));
            assert!(asked.count() == 6, "{question}: {text}");
        }
    }

    #[test]
    fn thirty_thousand_texts_differ() {
        let mut seen = HashMap::new();
        for number in 0..30_000 {
            let earlier = seen.insert(text(number), number);
            assert_eq!(earlier, None, "{number}");
        }
    }
}
