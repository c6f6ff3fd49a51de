//! The text of a file: UTF-8, UTF-16 or Windows-1252, as editors and shells write it.
//!
//! A byte that fits no encoding is replaced and reported, so that one stray byte does not cost a file.

use crate::problem::Problem;
use hindlore_trace::Encoding;

/// Decodes a file; the notes report replacements.
///
/// # Errors
///
/// `not_text` with the offset of the first zero byte.
pub fn decode(bytes: &[u8]) -> Result<(String, Vec<String>), Problem> {
    let encoding = Encoding::guess(bytes);
    let (text, replaced) = encoding.decode(bytes);
    let is_utf_8 = encoding == Encoding::Utf8;
    if let Some(at) = text.find('\0') {
        let message = if is_utf_8 {
            let at = bytes.iter().position(|byte| *byte == 0).unwrap_or(at);
            format!("the file is not text: a zero byte at byte offset {at}")
        } else {
            format!("the file looks like UTF-16, but has a zero character after {at} bytes of text")
        };
        return Err(Problem::new("not_text", message)
            .with_hint("save it as UTF-8, or check that it is the right file"));
    }
    let first = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let mut notes = Vec::new();
    match (is_utf_8, replaced) {
        (true, 0) => {}
        (true, 1) => notes.push(format!(
            "the byte at offset {first} is no UTF-8 and was read as Windows-1252"
        )),
        (true, _) => notes.push(format!(
            "{replaced} bytes, the first at offset {first}, are no UTF-8 and were read as Windows-1252"
        )),
        (false, _) => notes.push("the file is UTF-16".to_owned()),
    }
    if !is_utf_8 && replaced > 0 {
        notes.push(format!("{replaced} bytes that are no UTF-16 were replaced"));
    }
    Ok((text, notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_that_editors_write_is_read() {
        let utf_16 = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        for (bytes, expected, words) in [
            (b"caf\xc3\xa9".to_vec(), "café", ""),
            (b"\xef\xbb\xbfx".to_vec(), "x", ""),
            (
                b"that\x92s \x80 caf\xe9".to_vec(),
                "that’s € café",
                "3 bytes, the first at offset 4",
            ),
            (b"cut \xe2\x80".to_vec(), "cut \u{fffd}", "offset 4"),
            (b"un\x81set".to_vec(), "un\u{fffd}set", "offset 2"),
            (
                utf_16(u16::to_le_bytes, "\u{feff}Ünï 🦀"),
                "Ünï 🦀",
                "UTF-16",
            ),
            (utf_16(u16::to_be_bytes, "\u{feff}rule"), "rule", "UTF-16"),
            (utf_16(u16::to_le_bytes, "no mark"), "no mark", "UTF-16"),
        ] {
            let (text, notes) = decode(&bytes).unwrap();
            assert_eq!(text, expected);
            assert_eq!(notes.is_empty(), words.is_empty(), "{notes:?}");
            assert!(notes.join("").contains(words), "{notes:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_at_its_offset() {
        for bytes in [&b"abc\0def"[..], &b"\x7fELF\x02\x01\x01\0\0\0"[..]] {
            let problem = decode(bytes).unwrap_err();
            assert_eq!(problem.code, "not_text");
            assert!(problem.message.contains("offset"), "{problem}");
        }
    }
}
