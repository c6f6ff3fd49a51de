//! The quoted strings of a text, in any kind of quotation mark.
//!
//! An apostrophe inside or after a word is not a quotation mark, and neither is a mark that is not closed within
//! a bound.

use std::ops::Range;

use super::mentions::Mention;

/// Maximum length of a quotation, in characters: a stray mark must not swallow the text.
const QUOTED_MAX_CHARS: usize = 1_000;

/// Returns the quoted strings of a text in order, each once, in lower case and without outer blanks;
/// the context is the word before.
pub fn quoted(text: &str) -> Vec<Mention> {
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<Mention> = Vec::new();
    let mut at = 0;
    let mut last_end = 0;
    while at < chars.len() {
        let Some((start, end, after)) = quotation(&chars, at) else {
            at += 1;
            continue;
        };
        let value: String = chars[start..end]
            .iter()
            .collect::<String>()
            .trim()
            .to_lowercase();
        let before: String = chars[last_end..at]
            .iter()
            .collect::<String>()
            .to_lowercase();
        let role = before.split_whitespace().rev().find(|word| !is_joint(word));
        // In a list of quotations, all have the role of the first.
        let context = match (role, found.last()) {
            (Some(role), _) => role.to_owned(),
            (None, Some(last)) => last.context.clone(),
            (None, None) => String::new(),
        };
        if !value.is_empty() && found.iter().all(|known| known.value != value) {
            found.push(Mention { value, context });
        }
        (at, last_end) = (after, after);
    }
    found
}

/// A quotation in a text, with its marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// Its byte range, with both marks.
    pub(crate) bytes: Range<usize>,
    /// Whether its marks are backticks.
    pub(super) is_code: bool,
}

/// Returns the quotations of a text, in order.
pub(crate) fn spans(text: &str) -> Vec<Span> {
    let places: Vec<(usize, char)> = text.char_indices().collect();
    let chars: Vec<char> = places.iter().map(|(_, c)| *c).collect();
    let byte = |at: usize| places.get(at).map_or(text.len(), |(byte, _)| *byte);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let Some((_, _, after)) = quotation(&chars, at) else {
            at += 1;
            continue;
        };
        found.push(Span {
            bytes: byte(at)..byte(after),
            is_code: chars[at] == '`',
        });
        at = after;
    }
    found
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "or" | "und" | "et" | "y" | "e") || !word.contains(char::is_alphanumeric)
}

/// Returns the start and end of the inside of a quotation that opens here, and the place after its mark.
fn quotation(chars: &[char], open: usize) -> Option<(usize, usize, usize)> {
    let closers = closers(chars[open])?;
    let before = open.checked_sub(1).map(|place| chars[place]);
    let plain = matches!(chars[open], '\'' | '"' | '’' | '‘' | '”');
    // After a letter these marks are apostrophes or inches, not opening quotes.
    if plain && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let ticks = chars[open..].iter().take_while(|c| **c == '`').count();
    let start = open + ticks.max(1);
    if chars.get(start).is_none_or(|c| plain && c.is_whitespace()) {
        return None;
    }
    let limit = chars.len().min(start + QUOTED_MAX_CHARS);
    for end in start..limit {
        let c = chars[end];
        if c == '\n' && chars[open] == '\'' {
            return None;
        }
        if !closers.contains(c) {
            continue;
        }
        if ticks > 1 {
            let closing = chars[end..].iter().take_while(|c| **c == '`').count();
            if closing < ticks {
                continue;
            }
            return Some((start, end, end + closing));
        }
        let inside_word = chars
            .get(end + 1)
            .is_some_and(|next| next.is_alphanumeric());
        if matches!(c, '\'' | '’') && (inside_word || chars[end - 1].is_whitespace()) {
            continue;
        }
        return Some((start, end, end + 1));
    }
    None
}

fn closers(open: char) -> Option<&'static str> {
    Some(match open {
        '"' => "\"",
        '`' => "`",
        '\'' => "'",
        '‘' | '‚' => "’‘",
        '“' | '„' | '”' => "”“",
        '«' => "»",
        '»' => "«",
        '‹' => "›",
        '「' => "」",
        '『' => "』",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_mark_quotes() {
        let table = [
            ("say \"Yes\" or 'No' or `maybe`", "yes|no|maybe"),
            ("don't use the user's files' names", ""),
            ("‘don’t do it’ and “this”", "don’t do it|this"),
            ("„so“ «là» 「はい」", "so|là|はい"),
            ("```let x = `1`;``` end", "let x = `1`;"),
            ("5\" wide and 6\" high", ""),
            ("join with \",\" then \";\"", ",|;"),
            ("an 'open one", ""),
            ("'a' 'a'", "a"),
            ("\"\"", ""),
        ];
        for (text, expected) in table {
            let values: Vec<String> = quoted(text).into_iter().map(|m| m.value).collect();
            assert_eq!(values.join("|"), expected, "{text:?}");
        }
    }
}
