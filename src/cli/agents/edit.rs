//! Our part of a settings file: put in, taken out, looked for. Order, comments and layout of the rest stay as they are,
//! and so do a person's changes in our part.
//!
//! All of this is about texts; nothing here touches a file.

pub(super) mod command_line;
pub(super) mod json;

use std::borrow::Cow;

use hindlore_trace::replace_halves;

use super::codex_settings;
use super::pieces::{NAME, Part};

/// The mark that some editors write before the text of a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The state of a file before our part came into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Original {
    /// No record of it is here.
    Unknown,
    /// There was no file.
    Absent,
    /// Its text.
    Text(String),
}

impl Part {
    /// The file with this part in it, once; `text` is `None` where there is no file. A part that is there already keeps what
    /// a person changed in it, and calls this program.
    ///
    /// A sentence for people if the file has another form.
    pub(crate) fn put_into(&self, text: Option<&str>) -> Result<String, String> {
        let (mark, text) = split_mark(text.unwrap_or_default());
        let (text, halves) = Halves::of(text);
        let now = match self {
            Self::Whole(own) => return Ok(own.clone()),
            Self::ServerInToml { command, arguments } => {
                codex_settings::with_server(&text, command, arguments)?
            }
            Self::Hooks { form, commands } => json::with_hooks(&text, *form, commands)?,
            Self::Server { servers, entry } => json::with_server(&text, servers, entry)?,
        };
        Ok(format!("{mark}{}", halves.put_back(now)))
    }

    /// The file without this part; `None` where there was no file before and nothing else is left of it.
    ///
    /// A sentence for people if the file has another form.
    pub(crate) fn taken_out_of(
        &self,
        text: &str,
        original: &Original,
    ) -> Result<Option<String>, String> {
        let (mark, plain) = split_mark(text);
        if let Self::Whole(_) = self {
            return Ok(match original {
                Original::Text(original) => Some(original.clone()),
                _ if self.is_in(text) => None,
                _ => Some(text.to_owned()),
            });
        }
        let original_text = match original {
            Original::Text(original) => Some(split_mark(original).1),
            Original::Unknown | Original::Absent => None,
        };
        let (plain, halves) = Halves::of(plain);
        let readable = original_text.map(replace_halves);
        let readable = readable.as_deref();
        let rest = match self {
            Self::Whole(_) => None,
            Self::ServerInToml { .. } => codex_settings::without_server(&plain, readable)?,
            Self::Hooks { .. } => json::without_hooks(&plain, readable)?,
            Self::Server { servers, .. } => json::without_server(&plain, servers, readable)?,
        };
        let rest = rest.map(|rest| halves.put_back(rest));
        let rest = rest.map(|rest| match original_text {
            // Only the layout differs: the person changed nothing else, so that the file is restored as it was.
            Some(original) if is_same_but_for_layout(&rest, original) => original.to_owned(),
            _ => rest,
        });
        Ok(rest.map(|rest| format!("{mark}{rest}")))
    }

    /// Whether a file has this part or another version of it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let (_, plain) = split_mark(text);
        let plain = replace_halves(plain);
        match self {
            Self::Whole(_) => text.contains(NAME),
            Self::ServerInToml { .. } => codex_settings::has_server(&plain),
            Self::Hooks { .. } => json::has_hooks(&plain),
            Self::Server { servers, .. } => json::has_server(&plain, servers),
        }
    }
}

/// Escaped halves of surrogate pairs, which a runtime leaves where it cuts a text within an emoji. No parser here reads them,
/// so that another sign takes the place of their backslashes during an edit.
struct Halves(Option<char>);

impl Halves {
    /// A text with its halves set aside.
    fn of(text: &str) -> (Cow<'_, str>, Self) {
        let Cow::Owned(mended) = replace_halves(text) else {
            return (Cow::Borrowed(text), Self(None));
        };
        let mut unused = '\u{e000}'..='\u{f8ff}';
        let Some(sign) = unused.find(|sign| !text.contains(*sign)) else {
            return (Cow::Borrowed(text), Self(None));
        };
        let mut aside = String::with_capacity(text.len());
        for (at, part) in text.char_indices() {
            let is_half = part == '\\' && text.get(at..at + 6) != mended.get(at..at + 6);
            let is_start = is_half && mended[at..].starts_with("\\ufffd");
            aside.push(if is_start { sign } else { part });
        }
        (Cow::Owned(aside), Self(Some(sign)))
    }

    /// The edited text with its halves.
    fn put_back(&self, text: String) -> String {
        match self.0 {
            Some(sign) => text.replace(sign, "\\"),
            None => text,
        }
    }
}

/// A text without the mark before it, and the mark.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", text),
    }
}

/// Whether two texts differ only in white space outside of quotes, and in commas after a last item.
fn is_same_but_for_layout(one: &str, other: &str) -> bool {
    without_layout(one) == without_layout(other)
}

/// A text without its layout. Within a line, quotes are followed; a comment in which a quote stays open only makes
/// equal texts differ.
fn without_layout(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut quote = None;
    let mut is_escaped = false;
    for sign in text.chars() {
        match quote {
            Some(open) if sign == open && !is_escaped => quote = None,
            None if matches!(sign, '"' | '\'') => quote = Some(sign),
            _ => {}
        }
        is_escaped = quote.is_some() && sign == '\\' && !is_escaped;
        if quote.is_none() && sign.is_whitespace() {
            continue;
        }
        if quote.is_none() && matches!(sign, '}' | ']') && plain.ends_with(',') {
            plain.pop();
        }
        plain.push(sign);
    }
    plain
}

#[cfg(test)]
mod tests;
