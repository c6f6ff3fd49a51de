//! JSON in traces: values one at a time with their line numbers, among any other content.
//!
//! A file is JSON Lines, or one document, or documents one after the other; a list at the top counts as its elements.
//! Invalid JSON is reported with its line and skipped, and of a value that is cut off the whole part is read.

mod end;
mod halves;
mod pieces;
pub(crate) mod value;

use std::io::{self, BufRead};

use serde_json::Value;

use crate::collector::Out;
use crate::lines::{Line, Lines};
pub use end::{DocumentEnd, Progress};
pub use halves::{HALVES_REPLACED, replace_halves};
pub(crate) use pieces::{Kept, Piece, closed, element_lines, pieces};
pub use pieces::{Member, members};
pub(crate) use value::{content, exit_code, text, unpacked};

/// The longest document that is not in lines, in bytes: it is held as a whole.
pub const DOCUMENT_MAX_BYTES: usize = 256 << 20;

/// A reader of values.
pub(crate) trait Values {
    /// Takes the next value.
    fn value(&mut self, value: &Value, at: At<'_>, out: &mut Out<'_>);

    /// Ends the file.
    fn end(&mut self, out: &mut Out<'_>);
}

/// The place of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'t> {
    /// Line on which it begins, from 1.
    pub(crate) line: usize,
    text: &'t str,
}

impl At<'_> {
    /// The lines of the elements of the first list that a field of this name holds.
    pub(crate) fn elements(&self, name: &str) -> Vec<usize> {
        element_lines(self.text, name, self.line)
    }
}

/// The line of an element; that of the whole where the text is in one line.
pub(crate) fn line_of(lines: &[usize], index: usize, at: At<'_>) -> usize {
    lines.get(index).copied().unwrap_or(at.line)
}

/// Feeds all values of a source to a reader.
pub(crate) fn feed<R: BufRead>(
    lines: &mut Lines<R>,
    reader: &mut dyn Values,
    out: &mut Out<'_>,
) -> io::Result<()> {
    let mut is_first = true;
    while let Some(line) = lines.next()? {
        let text = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => text,
            Line::TooLong => {
                out.skip(lines.number, "the line is too long");
                continue;
            }
        };
        if is_first && opens_document(&text) {
            let start = lines.number;
            feed_document(&rest(text, lines, out)?, start, reader, out);
            return Ok(());
        }
        is_first = false;
        feed_line(&text, lines.number, reader, out);
    }
    Ok(())
}

/// True for the first line of a document that continues below it.
fn opens_document(line: &str) -> bool {
    let parsed = serde_json::from_str::<Value>(&replace_halves(line));
    parsed.is_err_and(|error| error.is_eof())
}

/// The document that begins with `text`.
fn rest<R: BufRead>(text: String, lines: &mut Lines<R>, out: &mut Out<'_>) -> io::Result<String> {
    let mut document = text;
    while let Some(line) = lines.next()? {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                out.skip(lines.number, "the line is too long");
                String::new()
            }
        };
        if document.len() + text.len() >= DOCUMENT_MAX_BYTES {
            out.skip(
                lines.number,
                "the document is too long; what follows was not read",
            );
            break;
        }
        // Also for an empty line, so that the lines can be counted.
        document.push('\n');
        document.push_str(&text);
    }
    Ok(document)
}

fn feed_document(text: &str, first: usize, reader: &mut dyn Values, out: &mut Out<'_>) {
    if is_cut_line(text) {
        for (number, line) in (first..).zip(text.lines()) {
            feed_line(line, number, reader, out);
        }
        return;
    }
    for piece in pieces(text, first) {
        feed_piece(piece, reader, out);
    }
}

/// True when an apparent beginning of a document is a line of JSON Lines that is cut off: it ends within a value, where
/// no document breaks, and the next line is an object of its own.
fn is_cut_line(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else {
        return false;
    };
    let breaks = first.trim_end().ends_with(['[', '{', ',', ':']);
    let second = serde_json::from_str::<Value>(&replace_halves(second));
    !breaks && second.is_ok_and(|value| value.is_object())
}

/// Feeds the values of one line of JSON Lines.
fn feed_line(line: &str, number: usize, reader: &mut dyn Values, out: &mut Out<'_>) {
    let text = line.trim();
    if text.is_empty() {
        return;
    }
    // Some writers put a time or `data:` before each object.
    let is_bare = text.starts_with(['{', '[', '"']);
    let Some(start) = is_bare.then_some(0).or_else(|| text.find('{')) else {
        out.skip(number, "the line is no JSON");
        return;
    };
    for piece in pieces(&text[start..], number) {
        feed_piece(piece, reader, out);
    }
}

fn feed_piece(piece: Piece<'_>, reader: &mut dyn Values, out: &mut Out<'_>) {
    let text = replace_halves(piece.text);
    let mut value = serde_json::from_str::<Value>(&text);
    if let Ok(Value::String(inner)) = &value
        && let Ok(nested) = serde_json::from_str::<Value>(inner)
    {
        value = Ok(nested);
    }
    if !piece.is_whole && value.is_err() {
        let Some(whole) = closed(&text, Kept::Records) else {
            out.skip(piece.line, "the value is cut off and was left out");
            return;
        };
        out.skip(
            piece.line,
            "the value is cut off; what is whole of it was read",
        );
        value = serde_json::from_str(&whole);
    }
    let at = At {
        line: piece.line,
        text: piece.text,
    };
    match value {
        Ok(value) => {
            out.count(1);
            reader.value(&value, at, out);
        }
        Err(error) => {
            let line = piece.line + error.line().saturating_sub(1);
            let mut reason = error.to_string();
            if let Some(place) = reason.rfind(" at line ") {
                reason.truncate(place);
            }
            out.skip(line, format!("not valid JSON: {reason}"));
        }
    }
}
