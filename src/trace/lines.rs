//! A source as lines of text, one at a time, so that a trace of any length needs little memory.
//!
//! A line may have [`LINE_MAX_BYTES`]; of a longer one only the number is kept, since half a line of JSON is useless.
//! LF and CRLF end a line.

use std::io::{self, BufRead, Read};

use crate::encoding::Encoding;

/// The longest line, in bytes.
pub const LINE_MAX_BYTES: usize = 32 << 20;

/// One line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// Its text, without its end.
    Text(String),
    /// It has more than [`LINE_MAX_BYTES`].
    TooLong,
}

/// The lines of a source.
pub(crate) struct Lines<R> {
    source: R,
    encoding: Encoding,
    /// Number of the line that was handed out last, from 1.
    pub(crate) number: usize,
    /// Bytes that were no text and had to be replaced so far.
    pub(crate) replaced: usize,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R, encoding: Encoding) -> Self {
        Self {
            source,
            encoding,
            number: 0,
            replaced: 0,
        }
    }

    /// The next line; absent at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let newline = self.encoding.newline();
        let mut bytes = Vec::new();
        let mut length = 0_usize;
        let mut is_ended = false;
        while !is_ended {
            let read = self.piece(&mut bytes)?;
            if read == 0 {
                break;
            }
            length = length.saturating_add(read);
            // In UTF-16 the byte of a line end may be half of another character.
            let is_low_half = self.encoding == Encoding::Utf16Le && length % 2 == 1;
            if is_low_half && bytes.ends_with(b"\n") {
                length += (&mut self.source).take(1).read_to_end(&mut bytes)?;
            }
            is_ended = bytes.ends_with(newline) && length.is_multiple_of(newline.len());
            if length > LINE_MAX_BYTES {
                // The last byte stays: with the next piece it may be a line end.
                bytes.drain(..bytes.len() - 1);
            }
        }
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if length > LINE_MAX_BYTES {
            return Ok(Some(Line::TooLong));
        }
        if is_ended {
            bytes.truncate(bytes.len() - newline.len());
        }
        let (mut text, replaced) = self.encoding.decode(&bytes);
        self.replaced += replaced;
        if text.ends_with('\r') {
            text.pop();
        }
        Ok(Some(Line::Text(text)))
    }

    /// Reads up to a line end, or as much as a line may have.
    fn piece(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let limit = u64::try_from(LINE_MAX_BYTES + 1).unwrap_or(u64::MAX);
        (&mut self.source).take(limit).read_until(b'\n', bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], encoding: Encoding) -> Vec<String> {
        let mut lines = Lines::new(bytes, encoding);
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(match line {
                Line::Text(text) => text,
                Line::TooLong => "…".to_owned(),
            });
        }
        assert_eq!(lines.number, found.len());
        found
    }

    #[test]
    fn lines_end_by_lf_and_crlf_in_every_encoding() {
        // U+0A0A and U+0A41 hold the byte of a line end.
        let text = "one\r\n\ntwo \u{a0a}\u{a41}\nthree";
        let expected = ["one", "", "two \u{a0a}\u{a41}", "three"];
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        assert_eq!(all(text.as_bytes(), Encoding::Utf8), expected);
        assert_eq!(all(&little, Encoding::Utf16Le), expected);
        assert_eq!(all(&big, Encoding::Utf16Be), expected);
        assert_eq!(all(b"", Encoding::Utf8), Vec::<String>::new());
        assert_eq!(all(b"\n", Encoding::Utf8), [""]);
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_only() {
        let mut bytes = vec![b'x'; 2 * LINE_MAX_BYTES + 7];
        bytes.extend(b"\nshort\n");
        assert_eq!(all(&bytes, Encoding::Utf8), ["…", "short"]);
    }
}
