//! Characters without an appearance of their own: joiners, direction marks, tag letters, fillers.
//!
//! They can hide an order from a person and still reach a model, and they make texts unequal that look equal. So a text
//! is compared without them, and rendered with a mark such as `<U+202E>` in the place of each. Some scripts and emoji
//! need joiners and variation selectors for their shape: a character that changes the visible text stays. Stored text
//! is never changed.

use std::borrow::Cow;
use std::fmt::Write;

/// Tag letters of the longest known flag, as in that of Scotland.
const FLAG_TAGS_MAX: usize = 6;
const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';
const KEYCAP: char = '\u{20E3}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// Returns true if a character has no appearance of its own (Unicode: `Default_Ignorable_Code_Point`, and marks of
/// annotations).
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns the text with a visible mark in the place of each invisible character that does not shape its neighbours.
pub fn marked(text: &str) -> Cow<'_, str> {
    replaced(text, |c, out| {
        // A text in memory takes every write.
        let _ = write!(out, "<U+{:04X}>", u32::from(c));
    })
}

/// Returns the text without the invisible characters that do not shape their neighbours, for comparison.
pub fn without(text: &str) -> Cow<'_, str> {
    replaced(text, |_, _| {})
}

/// Replaces each invisible character that does not shape its neighbours by the output of `replace`.
pub fn replaced(text: &str, replace: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut flag_end = 0;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        if c == BLACK_FLAG {
            flag_end = at + c.len_utf8() + flag_tags(rest);
        }
        if !is_invisible(c) || at < flag_end || shapes(c, before, rest) {
            out.push(c);
        } else {
            replace(c, &mut out);
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Returns true if an invisible character between its neighbours changes how they look.
fn shapes(c: char, before: Option<char>, rest: &str) -> bool {
    let Some(before) = before else {
        return false;
    };
    let next = rest.chars().next();
    match c {
        ZWJ => {
            let joins_emoji =
                (is_emoji(before) || is_emoji_part(before)) && next.is_some_and(is_emoji);
            joins_emoji || is_joining(before)
        }
        ZWNJ => is_joining(before) && next.is_some_and(is_joining),
        '\u{FE0E}' | '\u{FE0F}' => {
            let is_key = before.is_ascii_digit() || matches!(before, '#' | '*');
            is_emoji(before) || (is_key && next == Some(KEYCAP)) || is_han(before)
        }
        '\u{FE00}'..='\u{FE0D}' => is_han(before) || matches!(before, '\u{2200}'..='\u{22FF}'),
        '\u{E0100}'..='\u{E01EF}' => is_han(before),
        '\u{180B}'..='\u{180F}' => matches!(before, '\u{1820}'..='\u{18AA}'),
        _ => false,
    }
}

/// The bytes of the tag letters after a black flag that make it the flag of a region, with the end mark; 0 for more
/// letters than any flag has.
fn flag_tags(rest: &str) -> usize {
    let is_tag = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let tags = rest.chars().take_while(is_tag).count();
    let size = tags * CANCEL_TAG.len_utf8();
    let is_flag = (1..=FLAG_TAGS_MAX).contains(&tags) && rest[size..].starts_with(CANCEL_TAG);
    if is_flag {
        size + CANCEL_TAG.len_utf8()
    } else {
        0
    }
}

/// Returns true if a character may be shown as an emoji.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21FF}'
        | '\u{2300}'..='\u{23FF}' | '\u{24C2}' | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}'
        | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Returns true if a character continues an emoji: a presentation selector or the end of a flag.
fn is_emoji_part(c: char) -> bool {
    matches!(c, '\u{FE0F}' | CANCEL_TAG)
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303F}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{323AF}')
}

/// Returns true if a letter belongs to a script whose letters take other shapes next to a joiner: Arabic, Syriac, N'Ko,
/// Mongolian, and the scripts of South and South-East Asia.
fn is_joining(c: char) -> bool {
    !is_invisible(c)
        && matches!(c, '\u{620}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{F00}'..='\u{109F}'
            | '\u{1700}'..='\u{18AF}' | '\u{1900}'..='\u{1CFF}' | '\u{A800}'..='\u{A8FF}'
            | '\u{A980}'..='\u{A9DF}' | '\u{AA00}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFC}' | '\u{11000}'..='\u{11FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind, between two Latin letters, where none of them shapes anything.
    #[rustfmt::skip]
    const KINDS: &[char] = &[
        '\u{AD}', '\u{34F}', '\u{61C}', '\u{115F}', '\u{1160}', '\u{17B4}', '\u{180B}', '\u{180E}', '\u{200B}',
        '\u{200C}', '\u{200D}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
        '\u{2060}', '\u{2061}', '\u{2063}', '\u{2064}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{206A}',
        '\u{206F}', '\u{3164}', '\u{FE00}', '\u{FE0E}', '\u{FE0F}', '\u{FEFF}', '\u{FFA0}', '\u{FFF9}', '\u{FFFB}',
        '\u{1D173}', '\u{E0001}', '\u{E0041}', '\u{E007F}', '\u{E0100}', '\u{E01EF}',
    ];

    #[test]
    fn every_invisible_character_gets_a_mark() {
        for c in KINDS {
            let text = format!("a{c}b {c}{c}");
            let mark = format!("<U+{:04X}>", u32::from(*c));
            assert_eq!(marked(&text), format!("a{mark}b {mark}{mark}"));
            assert_eq!(without(&text), "ab ");
        }
        assert_eq!(marked("plain: é, 記憶, файл"), "plain: é, 記憶, файл");
    }

    #[test]
    fn what_shapes_a_word_or_an_emoji_stays() {
        for text in [
            "می\u{200C}خواهم",
            "क्\u{200D}ष and क्\u{200C}ष",
            "ന്\u{200D}",
            "👩\u{200D}💻 👨\u{200D}👩\u{200D}👧 🏳\u{FE0F}\u{200D}🌈 👍🏽",
            "❤\u{FE0F} ☺\u{FE0E} 1\u{FE0F}\u{20E3}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "葛\u{E0100}",
            "ᠨ\u{180B}",
        ] {
            assert_eq!(marked(text), text);
        }
        for (text, expected) in [
            ("می\u{200C}\u{200C}خواهم", "می<U+200C><U+200C>خواهم"),
            ("👩\u{200D}a", "👩<U+200D>a"),
            ("🏴\u{E0069}\u{E0067}", "🏴<U+E0069><U+E0067>"),
            ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}<U+FE0F>"),
        ] {
            assert_eq!(marked(text), expected);
        }
    }
}
