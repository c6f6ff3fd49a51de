//! The text of a file: UTF-8, UTF-16 or Windows-1252, as editors and shells write it.
//!
//! A byte that fits no encoding is replaced and reported, so that one stray byte does not cost a file.

use std::borrow::Cow;

use crate::api::json::strip_bom;
use crate::api::problem::Problem;

/// Bytes that are looked at to tell UTF-16 without a mark from binary data.
const SAMPLE: usize = 4_096;

/// Windows-1252 above 0x7F and below 0xA0; 0 where it has no character.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
];

/// Decodes a file; the notes say what was replaced.
///
/// # Errors
///
/// `not_text` with the byte offset of the first zero byte.
pub(crate) fn decode(bytes: &[u8]) -> Result<(String, Vec<String>), Problem> {
    if let Some(is_little) = utf_16(bytes) {
        return of_utf_16(bytes, is_little);
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let message = format!("the file is not text: a zero byte at byte offset {at}");
        return Err(Problem::new("not_text", message)
            .with_hint("save it as UTF-8, or check that it is the right file"));
    }
    let (text, note) = of_utf_8(bytes);
    Ok((strip_bom(&text).to_owned(), note.into_iter().collect()))
}

/// Whether a file is UTF-16, and if so whether its low bytes come first.
fn utf_16(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xFF, 0xFE, ..] => return Some(true),
        [0xFE, 0xFF, ..] => return Some(false),
        _ => {}
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let zeros = |from: usize| {
        sample
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    // Latin letters have a zero in every pair, always on the same side.
    let is_mostly = |some: usize, others: usize| pairs >= 4 && others == 0 && some * 2 > pairs;
    match (is_mostly(odd, even), is_mostly(even, odd)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn of_utf_16(bytes: &[u8], is_little: bool) -> Result<(String, Vec<String>), Problem> {
    let units = bytes.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if is_little {
            u16::from_le_bytes(pair)
        } else {
            u16::from_be_bytes(pair)
        }
    });
    let mut replaced = bytes.len() % 2;
    let text: String = char::decode_utf16(units)
        .map(|unit| {
            unit.unwrap_or_else(|_| {
                replaced += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    if let Some(at) = text.find('\0') {
        return Err(Problem::new(
            "not_text",
            format!(
                "the file looks like UTF-16, but has a zero character after {at} bytes of text"
            ),
        )
        .with_hint("check that it is the right file"));
    }
    let mut notes = vec!["the file is UTF-16".to_owned()];
    if replaced > 0 {
        notes.push(format!("{replaced} units that are no UTF-16 were replaced"));
    }
    Ok((strip_bom(&text).to_owned(), notes))
}

/// Reads UTF-8; a byte that is none is read as Windows-1252, and half a character is replaced.
fn of_utf_8(bytes: &[u8]) -> (Cow<'_, str>, Option<String>) {
    let mut rest = bytes;
    let mut text = String::new();
    let (mut strays, mut first) = (0_usize, None);
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(all) if strays == 0 => return (Cow::Borrowed(all), None),
            Ok(all) => {
                text.push_str(all);
                break;
            }
            Err(error) => error,
        };
        let (good, bad) = rest.split_at(error.valid_up_to());
        text.push_str(&String::from_utf8_lossy(good));
        first.get_or_insert(bytes.len() - bad.len());
        let length = error.error_len().unwrap_or(bad.len());
        text.push(match bad.first() {
            Some(byte) if length == 1 => of_windows_1252(*byte),
            _ => char::REPLACEMENT_CHARACTER,
        });
        strays += 1;
        rest = &bad[length..];
    }
    let at = first.unwrap_or_default();
    let note = match strays {
        1 => format!("the byte at offset {at} is no UTF-8 and was read as Windows-1252"),
        _ => format!(
            "{strays} bytes, the first at offset {at}, are no UTF-8 and were read as Windows-1252"
        ),
    };
    (Cow::Owned(text), Some(note))
}

fn of_windows_1252(byte: u8) -> char {
    let code = match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => u16::from(byte),
    };
    match char::from_u32(u32::from(code)) {
        Some(found) if code != 0 => found,
        _ => char::REPLACEMENT_CHARACTER,
    }
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
