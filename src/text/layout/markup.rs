//! Strips Markdown marks from a text, because they change its look, not its content.
//!
//! List marks, headings and bold marks come and go when a text is copied. Inside backticks nothing is a mark.

use std::borrow::Cow;

/// A text without Markdown marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bare<'t> {
    /// The rest of the text.
    pub text: Cow<'t, str>,
    /// The number in the list mark that the text begins with.
    pub number: Option<&'t str>,
}

/// Strips the marks of a text.
pub fn bare(text: &str) -> Bare<'_> {
    let (number, rest) = without_number(text.trim_start());
    if !text.contains(['*', '_', '#', '>', '-', '+', '•', '\n']) {
        let text = Cow::Borrowed(rest);
        return Bare { text, number };
    }
    let mut out = String::with_capacity(rest.len());
    for (at, line) in rest.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        push_without_bold(&mut out, without_line_mark(line));
    }
    let text = Cow::Owned(out);
    Bare { text, number }
}

/// Splits the number of a list mark from the start of a text.
fn without_number(text: &str) -> (Option<&str>, &str) {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = text[digits..].strip_prefix(['.', ')']);
    match behind {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => {
            (Some(&text[..digits]), rest.trim_start())
        }
        _ => (None, text),
    }
}

/// Strips the mark of a list, a heading or a quotation from a line.
fn without_line_mark(line: &str) -> &str {
    let inner = line.trim_start();
    let bare = inner.trim_start_matches(['-', '*', '+', '•', '#', '>']);
    let mark = &inner[..inner.len() - bare.len()];
    let is_mark = !mark.is_empty() && bare.starts_with(' ') && !matches!(mark, "--" | "**");
    if is_mark { bare.trim_start() } else { line }
}

/// Appends a line without its bold marks.
fn push_without_bold(out: &mut String, line: &str) {
    let mut rest = line;
    while let Some(at) = rest.find(['`', '*', '_']) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        let taken = if here.starts_with('`') {
            code_span(here)
        } else {
            bold(here, before.chars().next_back())
        };
        match taken {
            Some(Taken::Whole(length)) => {
                out.push_str(&here[..length]);
                rest = &here[length..];
            }
            Some(Taken::Inner(inner, length)) => {
                push_without_bold(out, inner);
                rest = &here[length..];
            }
            None => {
                out.push_str(&here[..1]);
                rest = &here[1..];
            }
        }
    }
    out.push_str(rest);
}

/// The extent of a mark at the start of a text.
enum Taken<'t> {
    /// A number of bytes to keep as they are.
    Whole(usize),
    /// The text between two marks, and the number of bytes with both.
    Inner(&'t str, usize),
}

fn code_span(here: &str) -> Option<Taken<'_>> {
    let ticks = here.len() - here.trim_start_matches('`').len();
    let closing = here[ticks..].find(&here[..ticks])?;
    Some(Taken::Whole(ticks + closing + ticks))
}

/// Returns the extent of bold marks around words (`**so**`, `__So__`) or emphasis around one word (`*so*`,
/// `_so_`).
fn bold(here: &str, before: Option<char>) -> Option<Taken<'_>> {
    let marks = ["**", "__", "*", "_"];
    let mark = marks.into_iter().find(|mark| here.starts_with(mark))?;
    let inside = &here[mark.len()..];
    let begins = inside.starts_with(|c: char| c.is_alphanumeric() || "`\"'“([".contains(c));
    let length = inside.find(mark)?;
    let (inner, behind) = (&inside[..length], &inside[length + mark.len()..]);
    let ends = inner.ends_with(|c: char| !c.is_whitespace() && c != '*' && c != '_');
    let is_word = |c: char| c.is_alphanumeric();
    // `__init__` and `2**3**2` are code, and so may be a single mark around more than a word.
    let is_code = match mark {
        "**" => false,
        "__" => !inner.contains(' ') && !inner.starts_with(char::is_uppercase),
        _ => !inner.chars().all(char::is_alphabetic),
    };
    let is_apart = before.is_none_or(|c| !is_word(c)) && !behind.starts_with(is_word);
    let whole = length + 2 * mark.len();
    if mark == "__" && is_code && begins && ends {
        // Kept whole, or its second mark would start an emphasis.
        return Some(Taken::Whole(whole));
    }
    (begins && ends && is_apart && !is_code).then_some(Taken::Inner(inner, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_and_code_is_left() {
        let table = [
            ("- Check it", "Check it", None),
            (
                "* **Logs:** check `**/*.py` first",
                "Logs: check `**/*.py` first",
                None,
            ),
            ("2. Check it", "Check it", Some("2")),
            ("# Head\n> said\n  + done", "Head\nsaid\ndone", None),
            ("run x --fast - now", "run x --fast - now", None),
            ("**Never** push, __not now__", "Never push, not now", None),
            (
                "glob **/*.py and 2**3**2 and __init__",
                "glob **/*.py and 2**3**2 and __init__",
                None,
            ),
            ("-x is a flag", "-x is a flag", None),
            ("2.5 GB and 100) no", "2.5 GB and 100) no", None),
            ("an *open one", "an *open one", None),
        ];
        for (text, expected, number) in table {
            let bare = bare(text);
            assert_eq!((&*bare.text, bare.number), (expected, number), "{text:?}");
        }
    }
}
