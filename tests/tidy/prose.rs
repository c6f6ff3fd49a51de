//! Prose: plain English in comments, documentation, help and error messages, measured by the patterns of the habit.
//!
//! No rule can separate good English from bad; but a few patterns mark the riddling sort, and texts without them read
//! better. The
//! count of each group is a ratchet: it may only fall, and a fall of more than a tenth must be taken into the limit.

use crate::source::Source;
use crate::token::Kind;

/// Literals with fewer words are names or data, not sentences.
const SENTENCE_WORDS_MIN: usize = 3;

/// A group of patterns, with the share of lines that may still have one.
pub(crate) struct Group {
    /// Name of the group.
    pub(crate) name: &'static str,
    /// Lines with a hit per 1,000 lines of prose. May only fall; the goal is 5 per 1,000.
    pub(crate) limit: f64,
    hits: fn(&str) -> bool,
}

/// All groups. The limits are the present counts, rounded up to one decimal.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "noun clauses with `what`",
        limit: 5.7,
        hits: has_noun_clause,
    },
    Group {
        name: "told, says, stands, nobody, whoever, beside",
        limit: 4.9,
        hits: has_avoided_word,
    },
    Group {
        name: "behind, at work, goes on, anew, so many; `Who …` and `The same …` as a whole doc",
        limit: 0.7,
        hits: has_avoided_phrase,
    },
];

const AVOIDED_WORDS: &[&str] = &[
    "told", "tell", "tells", "said", "say", "says", "stand", "stands", "stood", "nobody",
    "somebody", "anybody", "whoever", "whatever", "beside", "besides",
];
const AVOIDED_PHRASES: &[&str] = &[
    " behind ",
    " at work ",
    " goes on ",
    " go on ",
    " anew ",
    " so many ",
];
const AVOIDED_DOC_STARTS: &[&str] = &["Who ", "Whose ", "The same "];

/// The lines of prose, and those with a hit of each group, in the order of [`GROUPS`].
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) lines: usize,
    pub(crate) hits: [usize; GROUPS.len()],
}

impl Count {
    /// Counts the prose of the sources.
    pub(crate) fn of(sources: &[Source]) -> Self {
        let mut count = Self::default();
        for line in sources.iter().flat_map(prose) {
            count.lines += 1;
            for (hits, group) in count.hits.iter_mut().zip(GROUPS) {
                *hits += usize::from((group.hits)(&line));
            }
        }
        count
    }

    /// Lines with a hit per 1,000 lines of prose.
    #[allow(
        clippy::cast_precision_loss,
        reason = "no repository has 2^52 lines of prose"
    )]
    fn per_thousand(&self, group: usize) -> f64 {
        self.hits[group] as f64 * 1_000.0 / self.lines.max(1) as f64
    }

    /// Reports the groups above their limit, and those whose limit is more than a tenth too high.
    pub(crate) fn complaints(&self, limits: &[f64]) -> Vec<String> {
        let mut found = Vec::new();
        for (at, (group, limit)) in GROUPS.iter().zip(limits).enumerate() {
            let present = self.per_thousand(at);
            let name = group.name;
            if present > *limit {
                found.push(format!(
                    "{name}: {present:.2} of 1,000 lines of prose, {limit} are allowed; write a verb with a subject"
                ));
            }
            if present < limit * 0.9 {
                found.push(format!(
                    "{name}: {present:.2} of 1,000 lines of prose; lower the limit of {limit} in tests/tidy/prose.rs to it"
                ));
            }
        }
        found
    }
}

/// Returns the lines of comments, and of sentences in literals of the product, with blanks around each word.
fn prose(source: &Source) -> Vec<String> {
    let comments = source.comments.iter().flat_map(|comment| {
        let mut lines: Vec<&str> = comment.text.lines().collect();
        lines.retain(|line| line.contains(char::is_alphabetic));
        lines
    });
    let literals = source
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| {
            token.kind == Kind::Literal && source.is_product() && !source.in_test(*at)
        })
        .filter(|(_, token)| is_sentence(&token.text))
        .flat_map(|(_, token)| token.text.lines());
    comments.chain(literals).map(spaced).collect()
}

fn is_sentence(literal: &str) -> bool {
    let words = literal.split_whitespace();
    words.filter(|word| is_word(word)).count() >= SENTENCE_WORDS_MIN
}

fn is_word(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.len() > 1 && bare.chars().all(char::is_alphabetic)
}

/// Cuts out code between backticks and names in braces, and sets every word off by blanks: a mark becomes a word of its own.
fn spaced(line: &str) -> String {
    let mut spaced = String::from(" ");
    let mut in_braces = false;
    for outside in line.split('`').step_by(2) {
        for c in outside.chars() {
            in_braces = c != '}' && (in_braces || c == '{');
            if in_braces {
                continue;
            }
            if c.is_alphanumeric() || c == '_' || c == '\'' {
                spaced.push(c);
            } else {
                spaced.extend([' ', c, ' ']);
            }
        }
        spaced.push(' ');
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

/// True for `what` that begins a clause, unless the line asks a question.
fn has_noun_clause(line: &str) -> bool {
    let lower = line.to_lowercase();
    let Some((_, rest)) = lower.split_once(" what ") else {
        return false;
    };
    rest.starts_with(char::is_alphabetic) && !rest.contains('?')
}

fn has_avoided_word(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.split(' ').any(|word| AVOIDED_WORDS.contains(&word))
}

fn has_avoided_phrase(line: &str) -> bool {
    let lower = line.to_lowercase();
    let text = line.trim_start_matches([' ', '/', '!']);
    let is_doc = line.starts_with(" / / / ");
    AVOIDED_PHRASES.iter().any(|phrase| lower.contains(phrase))
        || is_doc
            && AVOIDED_DOC_STARTS
                .iter()
                .any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, text: &str) -> [usize; 3] {
        Count::of(&[Source::new(path, text)]).hits
    }

    #[test]
    fn a_noun_clause_is_counted_and_a_question_is_not() {
        let text = "// Keeps what is written twice.\n// What came of it.\n// why, never what.\n\
                    // \"What hangs on it?\"\n// `what is` is code\n// {what is} a name\n";
        assert_eq!(hits("src/a.rs", text), [2, 0, 0]);
    }

    #[test]
    fn avoided_words_are_counted_in_comments_and_messages() {
        let text = "/// Tells whether it stands.\nfn f() { refuse(\"nobody is let in\") }\n";
        assert_eq!(hits("src/a.rs", text), [0, 2, 0]);
        assert_eq!(hits("tests/a.rs", text), [0, 1, 0]);
        let in_test = "#[cfg(test)] mod tests { const A: &str = \"he said it aloud\"; }";
        assert_eq!(hits("src/a.rs", in_test), [0, 0, 0]);
    }

    #[test]
    fn avoided_phrases_and_whole_docs_are_counted() {
        let text = "/// Who calls.\n/// The same with a name.\n// Who calls, waits.\n// It goes on, behind it.\n";
        assert_eq!(hits("src/a.rs", text), [0, 0, 3]);
    }

    #[test]
    fn names_and_data_are_no_prose() {
        let text = "const A: &[&str] = &[\"whoever\", \"what is\", \"a/what b/is c/it\"];";
        assert_eq!(Count::of(&[Source::new("src/a.rs", text)]).lines, 0);
    }

    #[test]
    fn the_limit_holds_in_both_directions() {
        let count = Count {
            lines: 1_000,
            hits: [10, 0, 0],
        };
        assert!(count.complaints(&[10.0, 0.0, 0.0]).is_empty());
        assert!(count.complaints(&[11.1, 0.0, 0.0]).is_empty());
        let above = count.complaints(&[9.9, 0.0, 0.0]);
        assert!(
            above.len() == 1 && above[0].contains("are allowed"),
            "{above:?}"
        );
        let stale = count.complaints(&[11.2, 0.0, 0.0]);
        assert!(
            stale.len() == 1 && stale[0].contains("lower the limit"),
            "{stale:?}"
        );
    }
}
