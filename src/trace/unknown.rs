//! The answer to a file of no known format: a description of the file, and the formats that are known.
//!
//! Two lines are enough to see that the format is the problem, and not a field of a step.

use serde_json::Value;

use crate::encoding::Encoding;
use crate::guess::Format;
use crate::json::pieces;

/// First bytes of files that are no text, each with a description and the way to its content.
#[rustfmt::skip]
const MAGIC: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a ZIP archive; the `.eval` log of Inspect is read by `hindlore learn FILE`"),
    (b"SQLite format 3\0", "a SQLite database; export the session from the agent that wrote it"),
    (b"\x1f\x8b", "data that gzip compressed; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "data that zstd compressed; unpack it first"),
    (b"PAR1", "a Parquet table; write its rows as JSON Lines first"),
    (b"%PDF", "a PDF document"),
];
/// Names of fields that are shown.
const FIELDS_MAX: usize = 6;
/// Characters of a first line that are shown.
const SHOWN_MAX: usize = 60;

/// Describes a file of no known format in two lines, from its beginning.
pub fn describe_unknown(head: &[u8]) -> String {
    let words: Vec<&str> = Format::ALL.iter().map(|format| format.word()).collect();
    format!(
        "no known format: the file looks like {}\nknown formats: {}",
        looks_like(head),
        words.join(", ")
    )
}

fn looks_like(head: &[u8]) -> String {
    if let Some((_, description)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return (*description).to_owned();
    }
    let (text, _) = Encoding::guess(head).decode(head);
    let text = text.trim();
    if text.is_empty() {
        return "an empty file".to_owned();
    }
    if text.contains('\0') {
        return "binary data".to_owned();
    }
    if text.starts_with(['{', '[']) {
        let first = pieces(text, 1).next();
        return of_json(
            first
                .and_then(|piece| serde_json::from_str(piece.text).ok())
                .as_ref(),
        );
    }
    let first = text.lines().next().unwrap_or_default();
    format!("text that begins with `{}`", shortened(first))
}

fn of_json(first: Option<&Value>) -> String {
    match first {
        Some(Value::Object(fields)) => {
            let names = fields.keys().take(FIELDS_MAX);
            let names: Vec<String> = names.map(|name| format!("`{}`", shortened(name))).collect();
            let more = if fields.len() > FIELDS_MAX {
                ", .."
            } else {
                ""
            };
            format!("JSON objects with the fields {}{more}", names.join(", "))
        }
        Some(Value::String(_)) => "a JSON list of texts".to_owned(),
        Some(_) => "a JSON list without objects".to_owned(),
        None => "JSON that is damaged or cut off in its first value".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_MAX).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_describe_the_file_and_the_known_formats() {
        for (head, part) in [
            (&b"PK\x03\x04rest"[..], "`hindlore learn FILE`"),
            (b"SQLite format 3\0..", "a SQLite database"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"", "an empty file"),
            (b"a\0b", "binary data"),
            (b"{\"kind\": 1, \"x\": 2}\n{}", "the fields `kind`, `x`"),
            (b"[\"a\", \"b\"]", "a JSON list of texts"),
            (b"[1]", "without objects"),
            (b"{\"a\": ", "damaged"),
            (b"Use uv.\nAlways.", "text that begins with `Use uv.`"),
        ] {
            let lines = describe_unknown(head);
            assert_eq!(lines.lines().count(), 2, "{lines}");
            assert!(lines.contains(part), "{lines}");
            assert!(
                lines.contains("claude-code") && lines.contains("gemini-cli"),
                "{lines}"
            );
        }
    }
}
