//! Headers that carry credentials: `Authorization`, `Cookie`, and a bearer's token at any place.

use super::span::Span;
use super::value::ends;
use super::value::false_positives::is_placeholder;
use super::value::lists;
use super::value::name;
use super::value::name::Says;
use super::value::traits::Traits;
use super::value::{Form, is_secret};
use hindlore_primitives::steps;

const AUTHORIZATION: &str = "authorization";
const COOKIE: &str = "cookie";

/// The longest header that is followed, in bytes.
const HEADER_MAX: usize = 8 * 1_024;
/// Bytes of a value that are read before it is judged. The rest is read only of values that are taken.
const JUDGED_MAX: usize = 512;

/// Which header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Authorization,
    Cookie,
    SetCookie,
}

/// The header of this name.
pub(super) fn kind(name: &[u8]) -> Option<Kind> {
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    let ends = |word: &str| {
        name.len() > word.len()
            && name[name.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    if is("authorization") || ends("-authorization") || ends("_authorization") {
        return Some(Kind::Authorization);
    }
    if is("set-cookie") || is("set_cookie") {
        return Some(Kind::SetCookie);
    }
    (is("cookie") || is("http_cookie") || is("cookies")).then_some(Kind::Cookie)
}

/// Finds the credentials of a header whose value begins at `at`.
pub(super) fn value(
    text: &str,
    kind: Kind,
    at: usize,
    found: &mut Vec<Span<'static>>,
) -> Option<usize> {
    let most = match kind {
        Kind::Authorization => JUDGED_MAX,
        Kind::Cookie | Kind::SetCookie => HEADER_MAX,
    };
    let (start, end) = region(text.as_bytes(), at, most)?;
    match kind {
        Kind::Authorization => authorization(text, start, end, found),
        Kind::Cookie => cookies(text, start..end, usize::MAX, found),
        Kind::SetCookie => cookies(text, start..end, 1, found),
    }
}

/// The value of the header: the text in quotes, or the rest of the line up to a quote.
fn region(bytes: &[u8], at: usize, most: usize) -> Option<(usize, usize)> {
    let rest = bytes.get(at..)?;
    let slashes = rest.iter().take(3).take_while(|b| **b == b'\\').count();
    let is_quoted = matches!(rest.get(slashes), Some(b'"' | b'\'' | b'`'));
    let start = if is_quoted { at + slashes + 1 } else { at };
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r' | b'"' | b'\'' | b'`');
    let length = bytes[start..]
        .iter()
        .take(most)
        .take_while(|b| !is_end(b))
        .count();
    steps::add(length);
    let end = start + length;
    // The backslash belongs to the quote.
    let end = end - usize::from(length > 0 && bytes[end - 1] == b'\\');
    (end > start).then_some((start, end))
}

fn authorization(
    text: &str,
    start: usize,
    end: usize,
    found: &mut Vec<Span<'static>>,
) -> Option<usize> {
    let end = text.floor_char_boundary(end);
    let value = text.get(start..end)?;
    // A longer one continues to its end, once it is taken.
    let whole = |end: usize| {
        if end - start >= JUDGED_MAX - 4 {
            ends::bare_rest(text.as_bytes(), end)
        } else {
            end
        }
    };
    let first = value.split([' ', '\t', ',']).next().unwrap_or_default();
    let lower = first.to_ascii_lowercase();
    let behind = &value[first.len()..];
    let credential = behind.trim_start();
    let begin = end - credential.len();
    if lists::has("list-schemes", &lower) && credential.contains('=') {
        let end = match region(text.as_bytes(), begin, HEADER_MAX) {
            Some((_, whole)) => text.floor_char_boundary(whole),
            None => end,
        };
        found.push(Span::new(begin..end, AUTHORIZATION));
        return Some(end);
    }
    if lists::has("schemes", &lower) && !credential.is_empty() {
        let word = first_word(credential);
        let is_last = credential.len() == word.len();
        let traits = Traits::of(word);
        let is_one = !is_placeholder(word)
            && (traits.is_mixed() || traits.is_random(12) || is_last && word.len() >= 4);
        if is_one {
            let end = whole(begin + word.len());
            found.push(Span::new(begin..end, AUTHORIZATION));
            return Some(end);
        }
        return None;
    }
    let word = first_word(value);
    let is_one = is_secret(Says::Secret, word, Form::Header) && Traits::of(word).is_mixed();
    is_one.then(|| {
        let end = whole(start + word.len());
        found.push(Span::new(start..end, AUTHORIZATION));
        end
    })
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || "\"'`\\,;)<>".contains(c));
    &text[..end.unwrap_or(text.len())]
}

/// `Bearer x` and `Basic x` outside a header.
pub(super) fn loose(
    text: &str,
    word: &[u8],
    end: usize,
    found: &mut Vec<Span<'static>>,
) -> Option<usize> {
    let is_bearer = word.eq_ignore_ascii_case(b"bearer");
    if !is_bearer && !word.eq_ignore_ascii_case(b"basic") {
        return None;
    }
    let rest = text.get(end..)?;
    let credential = rest
        .strip_prefix([' ', '\t'])
        .or_else(|| rest.strip_prefix("%20"))?;
    let begin = end + rest.len() - credential.len();
    let value = first_word(&credential[..credential.floor_char_boundary(JUDGED_MAX)]);
    steps::add(value.len());
    let traits = Traits::of(value);
    let is_one = if is_bearer {
        traits.length >= 8 && traits.is_mixed() || traits.is_random(16)
    } else {
        is_login(value)
    };
    if !is_one || is_placeholder(value) {
        return None;
    }
    let mut end = begin + value.len();
    if value.len() >= JUDGED_MAX - 4 {
        end = ends::bare_rest(text.as_bytes(), end);
    }
    found.push(Span::new(begin..end, AUTHORIZATION));
    Some(end)
}

/// Finds the values of a list of cookies that identify a user.
pub(super) fn cookies(
    text: &str,
    range: std::ops::Range<usize>,
    most: usize,
    found: &mut Vec<Span<'static>>,
) -> Option<usize> {
    let list = text.get(range.clone())?;
    let mut at = range.start;
    for (number, part) in list.split(';').enumerate() {
        let begin = at;
        at += part.len() + 1;
        let Some((name, value)) = part.split_once('=').filter(|_| number < most) else {
            continue;
        };
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim();
        let marks = [
            "sess", "sid", "auth", "token", "csrf", "xsrf", "jwt", "remember", "login", "ticket",
        ];
        let says =
            name::says(name.as_bytes()).is_some() || marks.iter().any(|mark| name.contains(mark));
        let is_one = says && value.len() >= 6 || Traits::of(value).is_random(16);
        if is_one && !lists::has("cookie-settings", &name) && !is_placeholder(value) {
            let start = begin + part.find('=').unwrap_or(0) + 1;
            let start = start + text[start..].len() - text[start..].trim_start().len();
            found.push(Span::new(start..start + value.len(), COOKIE));
        }
    }
    // Read to its end in any case: a list of cookies is not read twice.
    Some(range.end)
}

/// True when a base64 text decodes to `name:password`.
fn is_login(text: &str) -> bool {
    let text = text.trim_end_matches('=');
    let is_long = (8..=1_024).contains(&text.len());
    let mut bits = 0_u32;
    let mut has_colon = false;
    for (place, byte) in text.bytes().enumerate().filter(|_| is_long) {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(six);
        if place % 4 == 0 {
            continue;
        }
        // Six more bits complete one more byte.
        let shift = 6 - 2 * (place % 4);
        let byte = (bits >> shift) as u8;
        has_colon |= byte == b':';
        if byte < 0x20 || byte == 0x7f {
            return false;
        }
    }
    is_long && has_colon
}
