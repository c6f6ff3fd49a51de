//! The fingerprint of the original program, reproduced for its vectors and for data that it wrote.
//!
//! It knows the letters a to z only: every Chinese or Cyrillic text has the fingerprint of the empty one.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::lists::is_stop_word;
use hindlore_primitives::identity::hex;

/// The first code point of every block of ten decimal digits that Python's `\d` takes, beyond ASCII.
#[rustfmt::skip]
const DIGIT_BLOCKS: &[u32] = &[
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50,
    0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0,
    0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
];

/// Returns `ef_` and 20 hexadecimal digits; an absent part is `Null` or an empty string.
pub fn classic_fingerprint(error: &Value, state: &Value, action: &Value) -> String {
    let parts = [error, state, action].map(classic_normalised);
    let input = format!("error={}|state={}|action={}", parts[0], parts[1], parts[2]);
    format!("ef_{}", hex(&Sha256::digest(input)[..10]))
}

/// Returns the normalised form of one part.
pub fn classic_normalised(part: &Value) -> String {
    let text = match part {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => super::structure::sorted_json(other),
    };
    let mut chars: Vec<char> = text.to_lowercase().chars().collect();
    for (find, mask) in RULES {
        chars = replaced(&chars, *find, mask);
    }
    let keep = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '<' | '>');
    let spaced: String = chars
        .iter()
        .map(|c| if keep(c) { *c } else { ' ' })
        .collect();
    let mut words: Vec<&str> = spaced
        .split_whitespace()
        .filter(|word| !is_stop_word(word))
        .collect();
    words.dedup();
    words.join(" ")
}

/// The number of characters a rule covers at a place; 0 is no match.
type Find = fn(&[char], usize) -> usize;

/// The masks in the order in which the original applies them.
const RULES: &[(Find, &str)] = &[
    (uuid, "<uuid>"),
    (hexadecimal, "<hex>"),
    (quoted, "<str>"),
    (path, "<path>"),
    (number, "<num>"),
];

fn replaced(chars: &[char], find: Find, mask: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        match find(chars, at) {
            0 => {
                out.push(chars[at]);
                at += 1;
            }
            covered => {
                out.extend(mask.chars());
                at += covered;
            }
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A boundary between a word character and something else, as `\b` in Python.
fn is_boundary(chars: &[char], at: usize) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|at| chars.get(at))
        .is_some_and(|c| is_word(*c));
    before != chars.get(at).is_some_and(|c| is_word(*c))
}

fn uuid(chars: &[char], at: usize) -> usize {
    let fits = chars.len() >= at + 36
        && chars[at..at + 36].iter().enumerate().all(|(i, c)| match i {
            8 | 13 | 18 | 23 => *c == '-',
            _ => c.is_ascii_hexdigit(),
        });
    if fits && is_boundary(chars, at) && is_boundary(chars, at + 36) {
        36
    } else {
        0
    }
}

fn hexadecimal(chars: &[char], at: usize) -> usize {
    if !chars[at..].starts_with(&['0', 'x']) || !is_boundary(chars, at) {
        return 0;
    }
    let digits = run(chars, at + 2, |c| c.is_ascii_hexdigit());
    let end = at + 2 + digits;
    if digits > 0 && is_boundary(chars, end) {
        2 + digits
    } else {
        0
    }
}

fn quoted(chars: &[char], at: usize) -> usize {
    let quote = chars[at];
    if !matches!(quote, '"' | '\'') {
        return 0;
    }
    let inside = run(chars, at + 1, |c| c != quote && c != '\n');
    if chars.get(at + 1 + inside) == Some(&quote) {
        inside + 2
    } else {
        0
    }
}

fn path(chars: &[char], at: usize) -> usize {
    let lead = match chars[at] {
        '~' | '/' => 1,
        'a'..='z' if chars[at + 1..].starts_with(&[':', '\\']) => 3,
        _ => return 0,
    };
    let rest = run(chars, at + lead, |c| !c.is_whitespace());
    if rest > 0 { lead + rest } else { 0 }
}

fn number(chars: &[char], at: usize) -> usize {
    if !is_digit(chars[at]) || !is_boundary(chars, at) {
        return 0;
    }
    let whole = run(chars, at, is_digit);
    let end = at + whole;
    if chars.get(end) == Some(&'.') {
        let fraction = run(chars, end + 1, is_digit);
        if fraction > 0 && is_boundary(chars, end + 1 + fraction) {
            return whole + 1 + fraction;
        }
    }
    if is_boundary(chars, end) { whole } else { 0 }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
        || DIGIT_BLOCKS
            .iter()
            .any(|first| (*first..first + 10).contains(&u32::from(c)))
}

fn run(chars: &[char], from: usize, is: impl Fn(char) -> bool) -> usize {
    chars
        .get(from..)
        .map_or(0, |rest| rest.iter().take_while(|c| is(**c)).count())
}
