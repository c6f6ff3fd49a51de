//! The pieces that stay as written: names after words that announce them, quoted names, and signs that decide.

use super::super::class::{CLASS, DIGIT, LETTER};
use super::super::shape::is_file_name;
use super::lines::is_plain_file;
use super::names::{
    announces_name, coordinate, is_library_file, is_name, is_random, is_slash_name, is_term,
};

/// Quoted names longer than this are texts.
const NAME_MAX_BYTES: usize = 100;

/// The content of quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Literal<'t> {
    /// Nothing but signs.
    Sign(&'t str),
    /// A name.
    Name(&'t str),
    /// A text, a path, a number, something drawn.
    None,
}

/// Reads the content of quotes, in lower case and as its author wrote it.
pub(super) fn quoted<'t>(text: &'t str, cased: &'t str) -> Literal<'t> {
    let (text, cased) = (text.trim(), cased.trim());
    let bytes = text.as_bytes();
    let has_blank = bytes.iter().any(|b| *b <= b' ' || *b == 0x7F);
    if text.is_empty() || has_blank || text.len() > NAME_MAX_BYTES {
        return Literal::None;
    }
    if !bytes
        .iter()
        .any(|b| CLASS[usize::from(*b)] & (LETTER | DIGIT) != 0)
    {
        return Literal::Sign(cased);
    }
    // A mask must not be posed as.
    let is_open = bytes.iter().all(|b| !b"<>\"'`".contains(b));
    let has_slash = bytes.iter().any(|b| matches!(b, b'/' | b'\\'));
    if !is_open || text.contains("://") {
        return Literal::None;
    }
    if has_slash {
        let is_name = is_slash_name(text.trim_start_matches('@')) || is_library_file(text);
        return if is_name {
            Literal::Name(cased)
        } else {
            Literal::None
        };
    }
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let is_drawn = is_random(text) || super::names::is_drawn(cased);
    if is_drawn || (has_digit && !is_name(text) && !is_term(text) && !is_library_file(text)) {
        return Literal::None;
    }
    Literal::Name(cased)
}

/// Whether the text after a piece reports that it was not found as a command or a file.
pub(super) fn after_name(rest: &[u8]) -> bool {
    [
        &b": command not found"[..],
        b": not found",
        b": no such file",
        b": cannot open shared",
    ]
    .iter()
    .any(|end| rest.starts_with(end))
}

/// Returns the name that a piece outside of quotes is; absent when it is none.
pub(super) fn literal<'t>(
    piece: &'t str,
    before: &str,
    last: &str,
    is_missing: bool,
) -> Option<&'t str> {
    let bytes = piece.as_bytes();
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let begins_as_word = !bytes.first().is_some_and(u8::is_ascii_digit);
    if has_digit && begins_as_word && is_term(piece) {
        return Some(piece);
    }
    let name = piece.rsplit('/').next().unwrap_or(piece);
    if name.starts_with("lib") && name.contains(".so") && is_library_file(piece) {
        return Some(piece);
    }
    let announced = announces_name(last) || (before, last) == ("not", "found");
    if announced && let Some(coordinate) = coordinate(piece) {
        return Some(coordinate);
    }
    if piece.contains('/') {
        let is_thing = is_slash_name(piece)
            && (!has_digit || announced)
            && (announced || piece.matches('/').count() >= 2);
        let is_library = is_library_file(piece) && (announced || is_missing);
        return (is_thing || is_library).then_some(piece);
    }
    if is_missing && is_library_file(piece) {
        return Some(piece);
    }
    ((announced || is_missing) && has_digit && is_name(piece)).then_some(piece)
}

/// Whether a piece is a place in a file: its name, followed by a line and a column.
pub(super) fn is_place(piece: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(piece) else {
        return false;
    };
    let (path, numbers) = match text.split_once('(') {
        Some((path, rest)) => (path, rest.strip_suffix(')').unwrap_or_default()),
        None => {
            let start = if text.as_bytes().get(1) == Some(&b':') {
                2
            } else {
                0
            };
            match text[start..].split_once(':') {
                Some((path, rest)) => (&text[..start + path.len()], rest),
                None => return false,
            }
        }
    };
    let mut parts = numbers.split([':', ',', '-']);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_file = is_file_name(path.as_bytes()) || is_plain_file(name);
    is_file && parts.all(is_number)
}

/// Words followed by a single sign that was found or missed.
fn announces_sign(word: &str) -> bool {
    matches!(
        word,
        "token"
            | "character"
            | "char"
            | "symbol"
            | "near"
            | "expected"
            | "expecting"
            | "unexpected"
            | "before"
            | "after"
            | "found"
            | "got"
            | "operator"
            | "delimiter"
            | "missing"
            | "bracket"
            | "or"
    )
}

/// Words after which a sign is an operator.
fn announces_operator(word: &str) -> bool {
    matches!(word, "unary" | "binary" | "operator" | "operand" | "for")
}

/// Words followed by the name of an option, with its dashes.
pub(super) fn announces_option(word: &str) -> bool {
    matches!(
        word,
        "option" | "options" | "flag" | "switch" | "argument" | "arguments" | "parameter"
    )
}

/// Operators that decide between two operands.
const OPERATORS: &[&str] = &["===", "!==", "==", "!=", "<=", ">=", "<", ">"];

/// The length in bytes of a sign here that decides: an operator by itself, or the sign that a word announces.
pub(super) fn sign(bytes: &[u8], at: usize, last: &str) -> usize {
    if at == 0 || !bytes[at - 1].is_ascii_whitespace() || last.is_empty() {
        return 0;
    }
    let length = bytes[at..]
        .iter()
        .take_while(|b| b.is_ascii_punctuation())
        .count();
    let run = &bytes[at..at + length];
    let ends = bytes
        .get(at + length)
        .is_none_or(|b| b.is_ascii_whitespace());
    if !ends || length == 0 {
        return 0;
    }
    let is_operator = OPERATORS.iter().any(|sign| sign.as_bytes() == run);
    let has_operand = bytes.get(at + length).is_some_and(|b| *b == b' ');
    if is_operator && has_operand {
        return length;
    }
    // Of `}.` and `),` the first sign is the one that was meant.
    let is_quote = matches!(run[0], b'"' | b'\'' | b'`' | b'-' | b'=' | b'*' | b'#');
    let is_announced = (!is_quote && announces_sign(last)) || announces_operator(last);
    usize::from(length <= 2 && is_announced)
}
