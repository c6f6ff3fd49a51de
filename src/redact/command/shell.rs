//! Lines and words as a shell reads them: quotes, backslashes, and signs that part commands.

use std::borrow::Cow;
use std::ops::Range;

/// A word of a command line, and its text without quotes.
#[derive(Clone)]
pub(super) struct Word<'t> {
    pub(super) range: Range<usize>,
    pub(super) text: Cow<'t, str>,
}

/// The end of a line; one that ends in a backslash continues.
pub(super) fn line_end(text: &str, from: usize, most: usize) -> usize {
    let mut at = from;
    while let Some(line) = text[at..most].find('\n') {
        let end = at + line;
        if !text[from..end].ends_with('\\') {
            return end;
        }
        at = end + 1;
    }
    most
}

/// The text between the quotes of a word.
pub(super) fn inner(text: &str, range: &Range<usize>) -> Range<usize> {
    let word = &text[range.clone()];
    let lead = word.find(['\'', '"']).map_or(0, |quote| quote + 1);
    let tail = usize::from(word.len() > lead && word.ends_with(['\'', '"']));
    range.start + lead..(range.end - tail).max(range.start + lead)
}

/// The next word, `None` in its place for a sign that separates commands; also the place after it.
pub(super) fn next_word(text: &str, from: usize, end: usize) -> Option<(usize, Option<Word<'_>>)> {
    let bytes = text.as_bytes();
    let is_quote = |b: Option<&u8>| matches!(b, Some(b'"' | b'\''));
    // Lists of programs write `["a", "b"]`.
    let is_blank = |at: usize| {
        let byte = bytes[at];
        byte.is_ascii_whitespace()
            || byte == b'\\' && matches!(bytes.get(at + 1), Some(b'\n'))
            || b",[]".contains(&byte)
                && (is_quote(bytes.get(at + 1)) || at > from && is_quote(bytes.get(at - 1)))
    };
    let mut at = from;
    while at < end && is_blank(at) {
        at += 1;
    }
    if at >= end {
        return None;
    }
    if b"|;&`".contains(&bytes[at]) {
        return Some((at + 1, None));
    }
    let start = at;
    let mut plain = String::new();
    let mut copied = start;
    while at < end && !is_blank(at) && !b"|;&`".contains(&bytes[at]) {
        let quote = bytes[at];
        if matches!(quote, b'"' | b'\'')
            && let Some(close) = closing(bytes, at + 1, end, quote)
        {
            plain.push_str(&text[copied..at]);
            plain.push_str(&text[at + 1..close]);
            (at, copied) = (close + 1, close + 1);
            continue;
        }
        if quote == b'\\' && at + 1 < end && bytes[at + 1].is_ascii_punctuation() {
            plain.push_str(&text[copied..at]);
            copied = at + 1;
            at += 1;
        }
        at += 1;
    }
    let text = if copied == start {
        Cow::Borrowed(&text[start..at])
    } else {
        Cow::Owned(plain + &text[copied..at])
    };
    Some((
        at.max(from + 1),
        Some(Word {
            range: start..at,
            text,
        }),
    ))
}

fn closing(bytes: &[u8], from: usize, end: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    while at < end {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
