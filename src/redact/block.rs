//! Private keys that go over several lines, with the lines that mark them left visible.

use super::span::Span;
use hindlore_primitives::steps;

const RULE: &str = "private-key";

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const PUTTY: &str = "Private-Lines:";
/// The longest first line.
const LABEL_MAX: usize = 120;

/// Finds the bodies of private keys, or the existing part of one that was cut off.
pub(super) fn keys(text: &str, found: &mut Vec<Span<'static>>) {
    let mut done = 0;
    for (at, _) in text.match_indices(BEGIN) {
        let Some(start) = label_end(text, at + BEGIN.len()).filter(|_| at >= done) else {
            continue;
        };
        // The body is the text before the last line; where that was cut off, it is the lines of base64.
        let dashes = text[start..].find("-----").map(|dashes| start + dashes);
        steps::add(dashes.unwrap_or(text.len()) - start);
        let end = match dashes.filter(|end| text[*end..].starts_with(END)) {
            Some(end) => end,
            None => lines_from(text, start),
        };
        push(text, start, end, found);
        done = end;
    }
    for (at, _) in text.match_indices(END) {
        if at < done || label_end(text, at + END.len()).is_none() {
            continue;
        }
        // The beginning was cut off.
        push(text, lines_to(text, done, at), at, found);
        done = at;
    }
    for (at, word) in text.match_indices(PUTTY) {
        let label = &text.as_bytes()[at + word.len()..];
        let line = label.iter().take(LABEL_MAX).position(|b| *b == b'\n');
        if let Some(line) = line {
            let start = at + word.len() + line + 1;
            push(text, start, lines_from(text, start), found);
        }
    }
}

/// The end of the lines of base64 that begin here.
fn lines_from(text: &str, start: usize) -> usize {
    let rest = &text.as_bytes()[start..];
    let length = rest.iter().take_while(|b| is_line(**b)).count();
    steps::add(length);
    // A line that continues with other characters is none of them.
    let whole = if length < rest.len() {
        rest[..length].iter().rposition(|b| *b == b'\n')
    } else {
        None
    };
    start + whole.unwrap_or(length)
}

/// The start of the lines of base64 that end here.
fn lines_to(text: &str, from: usize, end: usize) -> usize {
    let before = &text.as_bytes()[from..end];
    let length = before.iter().rev().take_while(|b| is_line(**b)).count();
    steps::add(length);
    let start = end - length;
    let whole = if length < before.len() {
        text[start..end].find('\n').map(|line| start + line + 1)
    } else {
        None
    };
    whole.filter(|whole| *whole < end).unwrap_or(start)
}

/// Leaves blanks and line ends around a body as they are.
fn push(text: &str, start: usize, end: usize, found: &mut Vec<Span<'static>>) {
    let body = &text[start..end];
    let is_blank = |c: char| c.is_whitespace() || c == '\\';
    let lead = body.len() - body.trim_start_matches(is_blank).len();
    // A written-out line end is two characters.
    let lead = lead
        + usize::from(lead > 0 && body[lead..].starts_with('n') && body[..lead].ends_with('\\'));
    let inner = body[lead.min(body.len())..].trim_end_matches(is_blank);
    let inner = inner.strip_suffix("\\n").unwrap_or(inner);
    if inner.len() >= 16 && inner != super::MARK {
        found.push(Span::new(start + lead..start + lead + inner.len(), RULE));
    }
}

/// The end of a mark that names a private key.
fn label_end(text: &str, from: usize) -> Option<usize> {
    let rest = &text[from..text.floor_char_boundary((from + LABEL_MAX).min(text.len()))];
    let end = rest.find("-----")?;
    let is_private = rest[..end].contains("PRIVATE KEY") || rest[..end].contains("SECRET KEY");
    is_private.then_some(from + end + 5)
}

/// A character of lines of base64.
fn is_line(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=\r\n\\".contains(&byte)
}
