//! Splits a text into words, pieces of code and lone signs.
//!
//! In prose, punctuation around a piece is stripped until nothing changes; in a code span every sign counts.

use crate::literals::quotes::Span;
use crate::words::is_unspaced;

/// Signs that are written in several ways, each with its canonical form.
const SAME: &[(&str, &str)] = &[
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "!="),
    ("→", "->"),
    ("⇒", "=>"),
    ("←", "<-"),
    ("↔", "<->"),
    ("\u{2212}", "-"),
    ("–", "-"),
    ("—", "-"),
    ("\u{2010}", "-"),
    ("\u{2011}", "-"),
    ("―", "-"),
    ("\u{2044}", "/"),
    ("“", "\""),
    ("”", "\""),
    ("„", "\""),
    ("‘", "'"),
    ("‚", "'"),
];

/// Signs that mean nothing alone, or that another rule compares.
const LEFT_OUT: &[&str] = &[
    "-", "--", "---", "->", "-->", "=>", "<-", "<--", "<->", "<=>", "==", "===", "!=", "!==", "<=",
    ">=", "&&", "||", "<", "•", "·", "◦", "▪",
];

/// Words with signs that are plain language.
const PROSE: &[&str] = &[
    "and/or",
    "he/she",
    "she/he",
    "his/her",
    "him/her",
    "yes/no",
    "either/or",
    "n/a",
    "w/o",
    "w/",
    "e.g",
    "i.e",
    "a.m",
    "p.m",
    "etc",
    "vs.",
];

/// A word, a piece of code or a lone sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    /// Has a sign of code.
    Literal,
    /// Words of prose joined by slashes.
    Joined,
    /// Has neither letter nor digit.
    Sign,
}

/// Returns the words and signs that this rule knows, for the digest of the rules.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
    let same = SAME.iter().flat_map(|(written, kept)| [*written, *kept]);
    let lists = [LEFT_OUT, PROSE];
    same.chain(lists.into_iter().flatten().copied())
}

/// A run without blanks.
pub(super) struct Part<'t> {
    text: &'t str,
    in_code: bool,
}

/// Splits a text at blanks and at the marks of code spans.
pub(super) fn parts<'t>(text: &'t str, quoted: &[Span]) -> Vec<Part<'t>> {
    let mut parts = Vec::new();
    let mut push = |from: usize, to: usize, in_code: bool| {
        let stretch = &text[from..to];
        // Punctuation that touches a code span belongs to the sentence around it.
        let stretch = if in_code {
            stretch
        } else {
            beside_code(stretch, from > 0, to < text.len())
        };
        let words = stretch.split_whitespace();
        parts.extend(words.map(|text| Part { text, in_code }));
    };
    let mut start = 0;
    for span in quoted.iter().filter(|span| span.is_code) {
        push(start, span.bytes.start, false);
        let inner = text[span.bytes.clone()].trim_matches('`');
        let from = inner.as_ptr() as usize - text.as_ptr() as usize;
        push(from, from + inner.len(), true);
        start = span.bytes.end;
    }
    push(start, text.len(), false);
    parts
}

/// Strips the punctuation of prose that touches a code span before or after it.
fn beside_code(stretch: &str, is_behind: bool, is_before: bool) -> &str {
    let is_mark = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    let stretch = if is_behind {
        stretch.trim_start_matches(is_mark)
    } else {
        stretch
    };
    if is_before {
        stretch.trim_end_matches(is_mark)
    } else {
        stretch
    }
}

/// Returns the pieces of a run.
pub(super) fn pieces_of(part: &Part<'_>) -> Vec<Piece> {
    if part.in_code {
        return piece_in_code(part.text).into_iter().collect();
    }
    let mut pieces = Vec::new();
    let is_broken = part.text.contains(breaks);
    for run in part.text.split(breaks) {
        // A comma that touches a script without spaces belongs to the sentence.
        if is_broken && !run.contains(char::is_alphanumeric) {
            continue;
        }
        let raw = at_commas(run).into_iter().flat_map(at_comparisons);
        let found = raw.filter_map(piece_in_prose);
        pieces.extend(found.map(|(text, kind)| Piece { text, kind }));
    }
    pieces
}

fn piece_in_code(raw: &str) -> Option<Piece> {
    let has_word = raw.contains(char::is_alphanumeric);
    let text = if has_word {
        raw.trim_end_matches([',', ';'])
    } else {
        raw
    };
    let is_plain = |c: char| c.is_alphanumeric() || c == '\'' || is_unspaced(c);
    let kind = if !has_word {
        Kind::Sign
    } else if text.chars().all(is_plain) {
        Kind::Word
    } else {
        Kind::Literal
    };
    let is_left_out = text.is_empty() || kind == Kind::Sign && LEFT_OUT.contains(&text);
    (!is_left_out).then(|| Piece {
        text: text.to_owned(),
        kind,
    })
}

/// Strips the punctuation of prose from a piece, and classifies it.
fn piece_in_prose(raw: &str) -> Option<(String, Kind)> {
    if raw.is_empty() {
        return None;
    }
    if !raw.contains(char::is_alphanumeric) {
        let inner = unquoted(raw);
        let sign = if inner.is_empty() { raw } else { inner };
        let is_kept = !LEFT_OUT.contains(&sign) && sign.is_ascii();
        return is_kept.then(|| (sign.to_owned(), Kind::Sign));
    }
    let text = trimmed(raw);
    let is_plain = is_word(text) || PROSE.contains(&text) || is_initials(text) || is_amount(text);
    let kind = if is_plain {
        Kind::Word
    } else if is_joined(text) {
        Kind::Joined
    } else {
        Kind::Literal
    };
    Some((text.to_owned(), kind))
}

/// Strips quotation marks and emphasis.
fn unquoted(raw: &str) -> &str {
    let mut text = raw;
    for mark in ["\"", "'", "*", "_"] {
        let inner = text
            .strip_prefix(mark)
            .and_then(|text| text.strip_suffix(mark));
        text = inner.unwrap_or(text);
    }
    text
}

/// Strips punctuation of prose, mark by mark, until nothing changes: marks nest in any order.
fn trimmed(raw: &str) -> &str {
    let mut text = raw;
    loop {
        let before = text.len();
        text = unquoted(text);
        text = text.strip_suffix("(s)").unwrap_or(text);
        text = without_end(text);
        text = text.strip_prefix(is_decoration).unwrap_or(text);
        text = text.strip_suffix(is_decoration).unwrap_or(text);
        text = without_brackets(text);
        text = text.strip_prefix(['"', '\'', '¿', '¡']).unwrap_or(text);
        let opened = text.matches('"').count() % 2 == 1 || text.ends_with("s'");
        text = if opened {
            text.strip_suffix(['"', '\'']).unwrap_or(text)
        } else {
            text
        };
        if text.len() == before {
            return text;
        }
    }
}

/// Strips a mark that ends a sentence or a part of one.
fn without_end(text: &str) -> &str {
    let base = text.trim_end_matches(['.', '!', '?']);
    if text.len() - base.len() > 1
        && base.ends_with(|c: char| c.is_alphanumeric() || "\"'".contains(c))
    {
        return base;
    }
    let Some(rest) = text.strip_suffix(['.', ',', ';', ':', '!', '?']) else {
        return text;
    };
    let ends_word = rest.ends_with(|c: char| c.is_alphanumeric() || "\"')]}*_`%°+#".contains(c));
    let is_pattern = rest.ends_with(['*', '+']) && text.ends_with('?');
    if (ends_word && !is_pattern)
        || (text.ends_with(['.', ',']) && !rest.ends_with(['.', '/', '\\']))
    {
        rest
    } else {
        text
    }
}

/// Strips round brackets of prose.
fn without_brackets(text: &str) -> &str {
    let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
    if text.starts_with('(') && (opened > closed || text.ends_with(')') && opened == 1) {
        return text[1..].strip_suffix(')').unwrap_or(&text[1..]);
    }
    if closed > opened {
        text.strip_suffix(')').unwrap_or(text)
    } else {
        text
    }
}

/// Returns the bare form of a piece, without the slash of a folder or the brackets of a call.
pub(super) fn bare(text: &str) -> &str {
    let called = text.strip_suffix("()").filter(|name| !name.is_empty());
    let name = called.unwrap_or(text);
    let folder = name.strip_suffix('/').filter(|name| !name.is_empty());
    folder.unwrap_or(name)
}

/// Returns true if a piece is a word, with hyphens and apostrophes inside at most.
fn is_word(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let is_inner = |at: usize| {
        let near = |at: Option<usize>| {
            at.and_then(|at| chars.get(at))
                .is_some_and(|c| c.is_alphanumeric())
        };
        near(at.checked_sub(1)) && near(Some(at + 1))
    };
    let is_part = |(at, c): (usize, &char)| {
        c.is_alphanumeric()
            || unicode_normalization::char::is_combining_mark(*c)
            || (matches!(c, '\'' | '-') && is_inner(at))
            || (*c == '\'' && at + 1 == chars.len())
    };
    chars.iter().enumerate().all(is_part)
}

/// Returns true if a piece is initials: single letters with dots between them, as in `u.s`.
fn is_initials(text: &str) -> bool {
    text.contains('.')
        && text.split('.').all(|part| part.chars().count() <= 1)
        && text.contains(char::is_alphabetic)
}

/// Returns true if a piece is an amount, which `numbers.rs` compares.
fn is_amount(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| "+-~<>#$€£¥".contains(c));
    number.starts_with(|c: char| c.is_numeric())
        && !number.contains("..")
        && number
            .chars()
            .all(|c| c.is_alphanumeric() || ".,'_-%°€$£¥".contains(c))
        && !text.starts_with("--")
}

/// Returns true if a piece is plain words joined by slashes.
fn is_joined(text: &str) -> bool {
    let is_plain =
        |part: &str| !part.is_empty() && is_word(part) && part.contains(char::is_alphabetic);
    text.contains('/') && text.split('/').all(is_plain)
}

/// Returns true if prose breaks at a character without a blank.
fn breaks(c: char) -> bool {
    is_unspaced(c)
        || matches!(
            c,
            '\u{3000}'
                ..='\u{303f}'
                    | '\u{964}'
                    | '\u{965}'
                    | '،'
                    | '؛'
                    | '؟'
                    | '•'
                    | '«'
                    | '»'
                    | '‹'
                    | '›'
                    | '，'
        )
}

/// Splits a run at its commas and semicolons, except between digits and within signs.
fn at_commas(run: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|(_, c)| c.is_alphabetic())
    };
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, (byte, c)) in chars.iter().enumerate() {
        let between = is_letter(at.checked_sub(1)) || is_letter(Some(at + 1));
        if matches!(c, ',' | ';') && between && !run[..*byte].contains(['&', '(', '[', '{']) {
            parts.push(&run[start..*byte]);
            start = byte + 1;
        }
    }
    parts.push(&run[start..]);
    parts
}

/// Splits a run at a comparison with a number, which is also written with blanks. `identifiers.rs` compares the
/// operator.
fn at_comparisons(run: &str) -> Vec<&str> {
    let Some(at) = run.find(['<', '>']).filter(|at| *at > 0) else {
        return vec![run];
    };
    let behind = run[at + 1..].strip_prefix('=').unwrap_or(&run[at + 1..]);
    let is_compared =
        run[..at].ends_with(char::is_alphanumeric) && behind.starts_with(|c: char| c.is_numeric());
    if is_compared {
        vec![&run[..at], behind]
    } else {
        vec![run]
    }
}

/// Returns true if a character is an emoji, a mark or a star next to a word.
fn is_decoration(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}')
}

/// Replaces equivalent signs by their canonical form.
pub(super) fn same_signs(text: &str) -> String {
    let mut same = text.to_owned();
    if !text.is_ascii() {
        for (written, kept) in SAME {
            same = same.replace(written, kept);
        }
    }
    same
}
