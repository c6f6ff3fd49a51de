//! Folding: one form for words that differ in case or marks only, so that a query need not know either.
//!
//! Case is folded in full (ß is ss, and the four letters i of Turkish are one), and marks are dropped where people
//! leave them out: accents, the points of Hebrew and the vowel signs of Arabic. Marks that make another letter
//! stay: the й of Cyrillic, the dakuten of Kana, the vowels of Indic scripts.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Returns a word in its folded form.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return if word.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(word.to_ascii_lowercase())
        } else {
            Cow::Borrowed(word)
        };
    }
    let mut letters = String::with_capacity(word.len());
    let mut before = ' ';
    for c in word.chars().flat_map(char::to_lowercase).nfd() {
        if !is_dropped(c, before) {
            push_folded(&mut letters, c);
        }
        before = c;
    }
    Cow::Owned(letters.nfc().collect())
}

/// Returns true if a character is a mark that people leave out, on the letter before it.
fn is_dropped(c: char, before: char) -> bool {
    match c {
        // Breve and diaeresis make й, ў and ї other letters than и, у and і; the ё is written е as often as not.
        '\u{306}' => !matches!(before, 'и' | 'у'),
        '\u{308}' => before != 'і',
        // Accents, points of Hebrew, vowel signs and the stroke that only lengthens a word of Arabic.
        '\u{300}'..='\u{36F}'
        | '\u{591}'..='\u{5BD}'
        | '\u{5BF}'
        | '\u{5C1}'..='\u{5C2}'
        | '\u{5C4}'..='\u{5C5}'
        | '\u{5C7}'
        | '\u{610}'..='\u{61A}'
        | '\u{640}'
        | '\u{64B}'..='\u{65F}'
        | '\u{670}'
        | '\u{6D6}'..='\u{6DC}'
        | '\u{6DF}'..='\u{6E8}'
        | '\u{6EA}'..='\u{6ED}' => true,
        _ => false,
    }
}

fn push_folded(letters: &mut String, c: char) {
    match c {
        'ß' => letters.push_str("ss"),
        'æ' => letters.push_str("ae"),
        'œ' => letters.push_str("oe"),
        'þ' => letters.push_str("th"),
        'ı' => letters.push('i'),
        'ø' => letters.push('o'),
        'ł' => letters.push('l'),
        'đ' | 'ð' => letters.push('d'),
        'ſ' => letters.push('s'),
        'ς' => letters.push('σ'),
        // Forms of Arabic letters that are written for one another.
        'ى' => letters.push('ي'),
        'ة' => letters.push('ه'),
        c => letters.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_in_case_or_marks_meet() {
        for (one, other) in [
            ("Zürich", "zurich"),
            ("STRASSE", "Straße"),
            ("Istanbul", "İSTANBUL"),
            ("Işık", "ışık"),
            ("cafe\u{301}", "Café"),
            ("שָׁלוֹם", "שלום"),
            ("تَحديث", "تحديث"),
            ("تحـديث", "تحديث"),
            ("ёлка", "елка"),
            ("ΟΔΟΣ", "οδος"),
            ("Łódź", "lodz"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
    }

    #[test]
    fn other_letters_stay_apart() {
        for (one, other) in [
            ("мой", "мои"),
            ("が", "か"),
            ("ї", "і"),
            ("नि", "न"),
            ("a", "ä b"),
        ] {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }
}
