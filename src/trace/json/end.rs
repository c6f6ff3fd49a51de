//! Where a JSON document ends, found while its bytes arrive.
//!
//! A program that writes a document into a pipe may leave the pipe open. The document itself shows where it ends: with
//! the bracket that closes the first one. Only brackets and texts are followed; a parser checks the rest afterwards.

use crate::encoding::Encoding;

/// Bytes that decide in which encoding a document is written.
const HEAD_BYTES: usize = 4;

/// Follows a document whose bytes arrive in pieces.
#[derive(Clone, Debug, Default)]
pub struct DocumentEnd {
    encoding: Option<Encoding>,
    /// Bytes looked at.
    at: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

/// How far a document has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// More has to come.
    Open,
    /// It ends before this byte.
    Ended(usize),
    /// It begins with neither a brace nor a bracket.
    NoDocument,
}

impl DocumentEnd {
    /// Scans the bytes since the last call; `bytes` are all bytes so far.
    pub fn look(&mut self, bytes: &[u8]) -> Progress {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None if bytes.len() < HEAD_BYTES && !is_one_byte_wide(bytes) => return Progress::Open,
            // JSON begins with signs of ASCII, so its beginning shows the encoding.
            None => Encoding::guess(&bytes[..bytes.len().min(HEAD_BYTES)]),
        };
        self.encoding = Some(encoding);
        let width = encoding.newline().len();
        while let Some(unit) = bytes.get(self.at..self.at + width) {
            let is_mark = self.at < HEAD_BYTES && is_part_of_mark(unit);
            self.at += width;
            let unit = unit_of(unit, encoding);
            if !is_mark && let Some(progress) = self.step(unit) {
                return progress;
            }
        }
        Progress::Open
    }

    /// How the document is written.
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or(Encoding::Utf8)
    }

    fn step(&mut self, unit: u16) -> Option<Progress> {
        let sign = u8::try_from(unit).unwrap_or(b'x');
        if self.in_text {
            match sign {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return None;
        }
        match sign {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 1 => self.depth -= 1,
            b'}' | b']' if self.depth == 1 => return Some(Progress::Ended(self.at)),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if self.depth == 0 => return Some(Progress::NoDocument),
            b'"' => self.in_text = true,
            _ => {}
        }
        None
    }
}

/// True where a short beginning already shows UTF-8: `{}` is a whole document.
fn is_one_byte_wide(bytes: &[u8]) -> bool {
    bytes.len() >= 2 && bytes[..2].iter().all(|byte| (1..0x80).contains(byte))
}

/// True for a unit of the mark that some programs write before a text.
fn is_part_of_mark(unit: &[u8]) -> bool {
    matches!(unit, [0xef | 0xbb | 0xbf] | [0xff, 0xfe] | [0xfe, 0xff])
}

fn unit_of(unit: &[u8], encoding: Encoding) -> u16 {
    match (unit, encoding) {
        ([low, high], Encoding::Utf16Le) | ([high, low], Encoding::Utf16Be) => {
            u16::from_be_bytes([*high, *low])
        }
        ([byte, ..], _) => u16::from(*byte),
        ([], _) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at a text that arrives byte by byte, and at the same text at once.
    fn end(bytes: &[u8]) -> Progress {
        let whole = DocumentEnd::default().look(bytes);
        let mut slow = DocumentEnd::default();
        let steps = (1..=bytes.len()).map(|to| slow.look(&bytes[..to]));
        let slow = steps
            .into_iter()
            .find(|step| *step != Progress::Open)
            .unwrap_or(Progress::Open);
        assert_eq!(whole, slow, "{bytes:?}");
        whole
    }

    #[test]
    fn a_document_ends_with_its_own_bracket() {
        for (text, to) in [
            ("{}", 2),
            ("[]x", 2),
            (" \r\n{\"a\": [1, {\"b\": \"}\"}]}\n{\"c\"", 25),
            (r#"{"a": "\"}\\"} "#, 14),
            ("\u{feff}{\"a\":\"é}\"}", 14),
            (r#"{"a":"\ud83d"}"#, 14),
        ] {
            assert_eq!(end(text.as_bytes()), Progress::Ended(to), "{text}");
        }
        for text in ["", " ", "{", "{\"a\": \"}", "[{}", "{\"\\\"}"] {
            assert_eq!(end(text.as_bytes()), Progress::Open, "{text}");
        }
        for text in ["no json", "\"text\"", "12 ", "} ", "\u{feff}null"] {
            assert_eq!(end(text.as_bytes()), Progress::NoDocument, "{text}");
        }
    }

    #[test]
    fn bytes_of_other_signs_in_utf_16_are_no_brackets() {
        // U+227B and U+7D22 hold the bytes of a quote and of brackets.
        let text = "{\"a\":\"\u{227b}\u{7d22}}\"}";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (mark, bytes) in [
            (&b""[..], &little),
            (b"\xff\xfe", &little),
            (b"\xfe\xff", &big),
        ] {
            let all = [mark, bytes].concat();
            assert_eq!(end(&all), Progress::Ended(all.len()));
            assert_eq!(
                end(&[&all[..], b" {".as_slice()].concat()),
                Progress::Ended(all.len())
            );
        }
        assert_eq!(end(b"{\"a\":\"\xe9\"}"), Progress::Ended(9));
    }
}
