//! Brings a text into the form that the scanner reads: NFKC, lower case, letters of every script kept,
//! all other signs outside ASCII gone.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::words::is_unspaced;

/// Writes the folded text over what was in the buffer.
pub(super) fn fold_into(text: &str, folded: &mut String) {
    folded.clear();
    if text.is_ascii() {
        folded.push_str(text);
        folded.make_ascii_lowercase();
        return;
    }
    let mut was_unspaced = false;
    for c in text.nfkc().flat_map(char::to_lowercase) {
        let c = plain(c);
        let unspaced = is_unspaced(c);
        // Scripts without blanks set none before a number either; the number must not take them along.
        if unspaced != was_unspaced && !is_combining_mark(c) {
            folded.push(' ');
            was_unspaced = unspaced;
        }
        folded.push(c);
    }
}

/// A sign of ASCII in place of its relatives, a blank in place of what is no letter.
fn plain(c: char) -> char {
    match c {
        _ if c.is_ascii() => c,
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{AB}' | '\u{BB}' | '\u{300C}' | '\u{300D}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ if c.is_alphabetic() || is_combining_mark(c) => c,
        _ if c.is_numeric() => '0',
        _ => ' ',
    }
}
