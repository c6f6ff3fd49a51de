//! Sentences in lines of bounded width, so that prose is pleasant to read wherever it goes.

use super::page::{Page, Tone};
use super::width;

/// Columns of prose where there is room for more.
const COLUMNS: usize = 78;

impl Page {
    /// Columns of prose on this page.
    pub(crate) fn columns(&self) -> usize {
        self.width().map_or(COLUMNS, |width| width.min(COLUMNS))
    }

    /// The beginning of a text that fits beside `used` columns, in one line of prose.
    pub(crate) fn beginning(&self, text: &str, used: usize) -> String {
        beginning(text, self.columns().saturating_sub(used).max(8))
    }

    /// Writes a text in lines that fit, each moved in by `indent` columns.
    pub fn prose(&mut self, tone: Tone, indent: usize, text: &str) {
        self.hanging(tone, &" ".repeat(indent), text);
    }

    /// Writes a text in lines that fit: the first begins with `mark`, the others stand below its end.
    pub(crate) fn hanging(&mut self, tone: Tone, mark: &str, text: &str) {
        let indent = width::of(mark);
        let blanks = " ".repeat(indent);
        let room = self.columns().saturating_sub(indent);
        for (place, line) in lines(text, room).iter().enumerate() {
            let start = if place == 0 { mark } else { &blanks };
            self.line(tone, format_args!("{start}{line}"));
        }
    }
}

/// The words of a text in lines of at most `columns`; a longer word has a line of its own.
pub(crate) fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let size = width::of(word);
        match lines.last_mut() {
            Some(line) if used + 1 + size <= columns => {
                line.push(' ');
                line.push_str(word);
                used += 1 + size;
            }
            _ => {
                lines.push(word.to_owned());
                used = size;
            }
        }
    }
    lines
}

/// The beginning of a text that fits into `columns`.
pub(crate) fn beginning(text: &str, columns: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    width::cut(&words.join(" "), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines_and_a_long_word_stands_alone() {
        assert_eq!(
            lines("aa bb  cc\ndddddddd e", 5),
            ["aa bb", "cc", "dddddddd", "e"]
        );
        assert!(lines("  ", 5).is_empty());
        assert_eq!(beginning("one\n two three", 8), "one two…");
    }
}
