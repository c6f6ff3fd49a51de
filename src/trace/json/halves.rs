//! Lone surrogates: the remains of an emoji that a program cut in two.
//!
//! A parser refuses the whole text for one of them. So they are replaced first, as invalid UTF-8 is, by an
//! escape of equal length, which keeps all positions in the text.

use std::borrow::Cow;

/// The note on replaced surrogates.
pub const HALVES_REPLACED: &str = "half a surrogate pair was replaced by `\u{fffd}`";

/// Hex digits of an escape.
const DIGITS: usize = 4;

/// Replaces every lone escaped surrogate; borrows the text if there is none.
pub fn replace_halves(text: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let (mut kept, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + found;
        let unit = unit_at(bytes, start);
        at = match unit {
            // An escape of two characters, such as `\\`: skip both, or the second would look like the start
            // of an escape.
            None => start + 2,
            Some(0xD800..=0xDBFF) if is_low(bytes, start + 6) => start + 12,
            Some(0xD800..=0xDFFF) => {
                mended.push_str(&text[kept..start]);
                mended.push_str("\\ufffd");
                kept = start + 6;
                kept
            }
            Some(_) => start + 6,
        };
        // A stray backslash may precede a multi-byte character.
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[kept..]);
    Cow::Owned(mended)
}

fn is_low(bytes: &[u8], at: usize) -> bool {
    matches!(unit_at(bytes, at), Some(0xDC00..=0xDFFF))
}

/// The code unit of the escape `\uXXXX` at a position.
fn unit_at(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..)?.strip_prefix(b"\\u")?.get(..DIGITS)?;
    digits.iter().try_fold(0, |unit, digit| {
        Some(unit * 16 + char::from(*digit).to_digit(16)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_pairs_stay() {
        for (text, mended) in [
            (r"a \ud83d b", r"a \ufffd b"),
            (r"\udE00", r"\ufffd"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\ud83d\u0041", r"\ufffd\u0041"),
            (r"é\\ud83d \é \\\ud83d", r"é\\ud83d \é \\\ufffd"),
        ] {
            assert_eq!(replace_halves(text), mended);
            assert_eq!(text.len(), mended.len());
        }
        for whole in [r"\ud83d\ude00", r"\u00e9 \\ud83d", r"\ud8", r"\", "", r"\u"] {
            assert!(matches!(replace_halves(whole), Cow::Borrowed(same) if same == whole));
        }
    }
}
