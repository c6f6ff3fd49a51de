//! Credentials in addresses: `scheme://user:password@host`.

use super::span::Span;
use super::value::false_positives::is_placeholder;
use super::value::traits::Traits;
use hindlore_primitives::steps;

const RULE: &str = "url-credentials";

/// The longest login that is followed, in bytes.
const LOGIN_MAX: usize = 512;

/// Finds the passwords in addresses.
pub(super) fn logins(text: &str, found: &mut Vec<Span<'static>>) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices("://") {
        if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() {
            continue;
        }
        let begin = at + 3;
        let word = bytes[begin..]
            .iter()
            .take(LOGIN_MAX)
            .take_while(|b| is_part(**b))
            .count();
        steps::add(word);
        let word = &text[begin..text.floor_char_boundary(begin + word)];
        let Some(login) = login_of(word) else {
            continue;
        };
        let (start, end) = match login.split_once(':') {
            Some((user, _)) => (begin + user.len() + 1, begin + login.len()),
            None => (begin, begin + login.len()),
        };
        let secret = &text[start..end];
        let is_user = !login.contains(':');
        let traits = Traits::of(secret);
        let is_one = if is_user {
            traits.is_random(16) || traits.length >= 20 && traits.is_mixed()
        } else {
            !secret.is_empty()
        };
        // A form such as `[:password]@` is of a manual.
        if is_one && !secret.ends_with(']') && !is_placeholder(secret) {
            found.push(Span::new(start..end, RULE));
        }
    }
}

fn is_part(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte >= 0x20 && !b"\"'`<>".contains(&byte)
        || byte == b'<'
        || byte == b'>'
}

/// The text before the `@`. A password may hold a slash if its writer did not encode it.
fn login_of(word: &str) -> Option<&str> {
    let host = word.find(['/', '?', '#']).unwrap_or(word.len());
    if let Some(at) = word[..host].rfind('@') {
        return Some(&word[..at]);
    }
    let at = word.find('@')?;
    let login = &word[..at];
    let (user, rest) = login.split_once(':')?;
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = port.is_empty() || port.bytes().all(|b| b.is_ascii_digit());
    (!is_port && !user.contains(['/', '?', '#', '.'])).then_some(login)
}
