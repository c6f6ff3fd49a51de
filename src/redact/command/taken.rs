//! The part of a word of a command line that is the secret.

use std::ops::Range;

use super::programs::Kind;
use super::shell::{Word, inner};
use crate::header;
use crate::span::Span;
use crate::value::false_positives::is_placeholder;

const RULE: &str = "command-option";

/// Takes the secret part of a word, from `skip` characters of its plain text on.
pub(super) fn secret(
    text: &str,
    word: &Word<'_>,
    skip: usize,
    kind: Kind,
    found: &mut Vec<Span<'static>>,
) {
    let plain = &word.text[skip.min(word.text.len())..];
    let part = |sign: char| {
        let (user, secret) = plain.split_once(sign)?;
        let is_time = user.starts_with(['+', '%', '-']) || secret.starts_with("//");
        let is_number = secret.bytes().all(|b| b.is_ascii_digit())
            && (secret.len() <= 5 || user.bytes().all(|b| b.is_ascii_digit()));
        (!is_time && !is_number && !secret.is_empty()).then_some((user.len() + 1, secret))
    };
    let taken = match kind {
        Kind::Pair => part(':'),
        Kind::Percent => part('%'),
        Kind::Comma => part(','),
        Kind::Pass => plain.strip_prefix("pass:").map(|secret| (5, secret)),
        Kind::Slash => login_of(plain),
        Kind::Cookie => {
            let raw = &text[word.range.clone()];
            if raw.contains('=') {
                header::cookies(text, inner_of(text, word), usize::MAX, found);
            }
            None
        }
        Kind::Next | Kind::Glued | Kind::Place(_) => Some((0, plain)),
    };
    let Some((at, secret)) = taken else {
        return;
    };
    if secret.len() >= 3 && !is_placeholder(secret) {
        let known = found.len();
        push(text, word, skip + at, found);
        // The text after the `@` is a host.
        if kind == Kind::Slash
            && let Some(span) = found.get_mut(known)
        {
            span.range.end = span.range.end.min(span.range.start + secret.len());
        }
    }
}

/// A plain `user:secret` after an option such as `--auth`.
pub(super) fn secret_pair(plain: &str) -> bool {
    plain.split_once(':').is_some_and(|(user, secret)| {
        let is_user = user
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-@".contains(c));
        is_user && !user.is_empty() && secret.len() >= 4 && !secret.starts_with("//")
    })
}

/// `user/secret`, before the `@` of a host; also where the secret begins.
fn login_of(plain: &str) -> Option<(usize, &str)> {
    let (user, rest) = plain.split_once('/')?;
    let secret = rest.split('@').next()?;
    let is_user = user
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_$#".contains(c));
    (is_user && !user.is_empty() && !secret.is_empty() && !secret.contains('/'))
        .then_some((user.len() + 1, secret))
}

fn inner_of(text: &str, word: &Word<'_>) -> Range<usize> {
    if text[word.range.clone()].contains(['\'', '"']) {
        inner(text, &word.range)
    } else {
        word.range.clone()
    }
}

/// Marks the part of the written word after `skip` bytes of its plain text.
pub(super) fn push(text: &str, word: &Word<'_>, skip: usize, found: &mut Vec<Span<'static>>) {
    let raw = &text[word.range.clone()];
    let is_framed = raw.len() == word.text.len() + 2 && raw.starts_with(['\'', '"']);
    let (lead, tail) = match (is_framed, raw.len() == word.text.len()) {
        (true, _) => (1, 1),
        // An odd quote belongs to the text around it.
        (false, true) => (
            0,
            usize::from(raw.len() > skip + 3 && raw.ends_with(['\'', '"', ',', ')'])),
        ),
        (false, false) => {
            let bare = raw
                .find(&word.text[skip.min(word.text.len())..])
                .map(|at| at.saturating_sub(skip));
            (bare.unwrap_or(0), 0)
        }
    };
    let start = word.range.start + lead + skip;
    let end = word.range.end - tail;
    let is_inside = text.is_char_boundary(start.min(text.len())) && text.is_char_boundary(end);
    if start < end && is_inside {
        found.push(Span::new(start..end, RULE));
    }
}
