//! Texts that only look like a secret: placeholders, sentences, paths, pieces of programs.

use super::lists;
use super::name::{self, Says};
use super::traits::Traits;
use crate::MARK;

/// A value that is substituted elsewhere: a variable, a form, a filler, a word that names a secret.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return true;
    };
    if value.contains(MARK)
        || value.contains("<secret:")
        || value.contains('\u{2026}')
        || value.contains('\u{2022}')
    {
        return true;
    }
    let is_framed = matches!(
        (first, last),
        (b'<', b'>') | (b'{', b'}') | (b'[', b']') | (b'%', b'%') | (b'(', b')')
    );
    let has_part = [
        "${", "$(", "{{", "<%", "#{", "%(", "***", "...", "xxx", "XXX", "$env:",
    ]
    .iter()
    .any(|part| value.contains(part));
    if is_framed || has_part || is_variable(bytes) || is_filler(bytes) {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    if lists::has("no-values", &lower) {
        return true;
    }
    let is_wordlike = bytes
        .iter()
        .all(|b| b.is_ascii_alphabetic() || b"-_ .()!".contains(b));
    let is_numbered = !is_wordlike && bytes.iter().filter(|b| b.is_ascii_digit()).count() <= 3;
    if (is_wordlike || is_numbered && value.len() < 24)
        && lists::all("placeholders")
            .iter()
            .any(|part| lower.contains(part))
    {
        return true;
    }
    let is_fields = || {
        let is_word = |part: &str| part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
        value.matches(':').count() >= 3 && value.split(':').all(is_word)
    };
    if is_fields() {
        return true;
    }
    // `PASSWORD`, `API_KEY`, `db_password`, `accessToken`: the name of a value.
    let is_caps = bytes.iter().all(|b| b.is_ascii_uppercase() || *b == b'_') && value.len() <= 24;
    is_caps || is_wordlike && value.len() <= 48 && names_a_secret(bytes)
}

/// Made of nothing but words that names of secrets are made of.
fn names_a_secret(bytes: &[u8]) -> bool {
    let words = name::words(bytes);
    let is_known = |word: &String| {
        let lists = ["name-words", "stems", "passwords", "secrets", "keys"];
        lists.into_iter().any(|list| lists::has(list, word))
    };
    words.len() <= 5
        && words.iter().all(is_known)
        && (name::says(bytes).is_some_and(|says| says > Says::Key) || words == ["secret"])
}

/// `$NAME`, `$1`, `%s`, `@name`, `:name`, `!name`.
fn is_variable(bytes: &[u8]) -> bool {
    let name = |rest: &[u8]| {
        !rest.is_empty() && rest.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    match bytes {
        [b'$', rest @ ..] => {
            let rest = rest.strip_prefix(b"$").unwrap_or(rest);
            name(rest) && (!rest[0].is_ascii_digit() || rest.len() == 1)
        }
        [b'%', rest @ ..] => rest.len() <= 2,
        [b':' | b'@' | b'!' | b'&' | b'*', rest @ ..] => {
            name(rest) && rest.iter().all(|b| b.is_ascii_lowercase() || *b == b'_')
        }
        _ => false,
    }
}

/// Two characters at most, over and over.
fn is_filler(bytes: &[u8]) -> bool {
    let first = bytes[0];
    let second = bytes.iter().find(|b| **b != first);
    let all = bytes.iter().all(|b| *b == first || Some(b) == second);
    all && (second.is_none() || b"xX*.-_#?0".contains(&first)) && bytes.len() >= 2
}

/// Several words of letters alone.
pub(crate) fn is_sentence(value: &str) -> bool {
    value.contains(' ') && {
        let words = value.split(' ').filter(|word| !word.is_empty());
        let is_word = |word: &str| {
            word.chars()
                .all(|c| c.is_alphabetic() || "'.,:;!?()-\u{2019}\"/`".contains(c))
        };
        let (all, plain) = words.fold((0, 0), |(all, plain), word| {
            (all + 1, plain + usize::from(is_word(word)))
        });
        plain * 2 >= all
    }
}

pub(crate) fn is_path(value: &str) -> bool {
    let begins = ["/", "./", "../", "~/", "\\\\", "C:\\", "file:"]
        .iter()
        .any(|start| value.starts_with(start));
    let steps = value.split('/').count();
    let is_of_words = || {
        let is_word = |step: &str| {
            step.chars()
                .all(|c| c.is_ascii_lowercase() || "-_.".contains(c))
        };
        steps >= 3 && value.split('/').all(is_word) || steps == 2 && value.split('/').all(is_word)
    };
    // A base64 text may begin with a slash.
    let is_random = || Traits::of(value).is_random(24) && steps <= 4 && !value.contains('.');
    begins && !is_random() || value.contains("://") || is_of_words()
}

/// A piece of a program: a path of names, a call, an element, an operator.
pub(crate) fn is_code(value: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = |part: &str| {
        part.chars().next().is_some_and(is_start)
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let is_inside = |b: &u8| b.is_ascii_alphanumeric() || b"_\"'`)]}>&*$([{".contains(b);
    let open = value.find(['(', '[', '{', '<']);
    let is_call = open.is_some_and(|at| {
        let head = value[..at]
            .split(['.', ':', '?', '!'])
            .all(|part| part.is_empty() || is_name(part));
        head && value.as_bytes().get(at + 1).is_none_or(is_inside)
    });
    let is_dotted = value.contains('.')
        && value
            .trim_end_matches(['?', '!', '.'])
            .split('.')
            .all(|part| is_name(part.trim_end_matches('?')))
        && !Traits::of(value).is_random(24);
    // The end of base64 looks like one.
    let inner = value.trim_end_matches('=');
    let has_operator = ["::", "->", "=>", "==", "&&", "||", "?."]
        .iter()
        .any(|sign| inner.contains(sign));
    let has_prefix = value
        .strip_prefix(['!', '&', '*', '@', '-', '+'])
        .is_some_and(|rest| {
            is_name(rest.split(['.', '[', '(']).next().unwrap_or_default())
                && !Traits::of(rest).is_mixed()
        });
    // `__u32`, `_type_3`: names that programs make.
    let is_made = value.starts_with('_') && is_name(value) && value.len() <= 24;
    is_call || is_dotted || has_operator || has_prefix || is_made
}

/// A capital word of letters, as types are written.
pub(super) fn is_type(value: &str) -> bool {
    let value = value.trim_end_matches(['?', ',', ';']);
    value.chars().next().is_some_and(|c| c.is_ascii_uppercase())
        && value.chars().all(|c| c.is_ascii_alphabetic())
        && !Traits::of(value).is_random(16)
}

pub(crate) fn is_uuid(value: &str) -> bool {
    let sizes = value.split('-').map(str::len);
    value.len() == 36
        && sizes.eq([8, 4, 4, 4, 12])
        && value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}
