//! Brings a text into the two forms that the scanner reads: one in lower case, which decides, and one in the
//! case of the author, which quoted names keep.
//!
//! Both have the same length, byte by byte, so that a place in one is a place in the other. A letter whose lower
//! case is longer or shorter is in lower case in both.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use hindlore_primitives::steps;
use hindlore_text::words::is_unspaced;

/// The longest part of a path whose letters are of several scripts, in characters.
const PART_MAX: usize = 128;

/// A text in the two forms.
#[derive(Default)]
pub(super) struct Folded {
    lower: String,
    cased: String,
}

impl Folded {
    /// Replaces the content with a text.
    pub(super) fn read(&mut self, text: &str) {
        self.lower.clear();
        self.cased.clear();
        steps::add(text.len());
        if text.is_ascii() {
            self.lower.push_str(text);
            self.lower.make_ascii_lowercase();
            self.cased.push_str(text);
            return;
        }
        let chars: Vec<char> = text.nfkc().collect();
        let mut was_unspaced = false;
        for (at, &c) in chars.iter().enumerate() {
            let unspaced = is_unspaced(c);
            // Scripts without blanks set none before a number either; the number must not take them along. In a
            // path they are the name of a folder.
            if unspaced != was_unspaced && !is_combining_mark(c) {
                if !is_in_path(&chars, at) {
                    self.push(' ', ' ');
                }
                was_unspaced = unspaced;
            }
            self.put(c);
        }
    }

    fn put(&mut self, c: char) {
        let plain = plain(c);
        match plain {
            'ß' | 'ẞ' => {
                self.push('s', 's');
                self.push('s', 's');
            }
            // The dot that lower case leaves after an İ.
            '\u{307}' => {}
            _ => {
                for lower in plain.to_lowercase() {
                    let lower = unmarked(lower);
                    if lower == '\u{307}' {
                        continue;
                    }
                    let cased = if lower.len_utf8() == plain.len_utf8() {
                        plain
                    } else {
                        lower
                    };
                    self.push(lower, cased);
                }
            }
        }
    }

    fn push(&mut self, lower: char, cased: char) {
        self.lower.push(lower);
        self.cased.push(cased);
    }

    /// The text in lower case.
    pub(super) fn lower(&self) -> &str {
        &self.lower
    }

    /// The text in the author's case.
    pub(super) fn cased(&self) -> &str {
        &self.cased
    }
}

/// Whether a run of a script without blanks that begins or ends here is a part of a path: a slash before it, and a
/// slash or a point after it.
fn is_in_path(chars: &[char], at: usize) -> bool {
    let is_slash = |c: &char| matches!(c, '/' | '\\');
    let is_part = |c: &&char| is_unspaced(**c) || c.is_alphanumeric();
    let begins = |before: &[char]| {
        let part = before
            .iter()
            .rev()
            .take(PART_MAX)
            .take_while(is_part)
            .count();
        steps::add(part);
        before[..before.len() - part].last().is_some_and(is_slash)
    };
    let ends = |behind: &[char]| {
        let part = behind.iter().take(PART_MAX).take_while(is_part).count();
        steps::add(part);
        behind.get(part).is_some_and(|c| is_slash(c) || *c == '.')
    };
    begins(&chars[..at]) && ends(&chars[at..])
}

/// A sign of ASCII in place of its relatives, a blank in place of any other non-letter.
fn plain(c: char) -> char {
    match c {
        _ if c.is_ascii() => c,
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{02BC}' => '\'',
        '\u{201C}'..='\u{201E}'
        | '\u{AB}'
        | '\u{BB}'
        | '\u{2039}'
        | '\u{203A}'
        | '\u{300C}'..='\u{300F}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ if c.is_alphabetic() || is_combining_mark(c) => c,
        _ if c.is_numeric() => '0',
        _ => ' ',
    }
}

/// Letters that lose a mark or take another form in capitals: errors are shouted in some languages.
fn unmarked(c: char) -> char {
    match c {
        'ı' => 'i',
        'ς' => 'σ',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' => 'ι',
        'ό' => 'ο',
        'ύ' => 'υ',
        'ώ' => 'ω',
        _ => c,
    }
}
