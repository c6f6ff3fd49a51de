//! Wraps sentences to lines of bounded width.

use super::width;

/// Wraps a text to lines of at most `columns`; a longer word gets its own line.
pub(crate) fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let size = width::of_text(word);
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

/// The beginning of a text that fits `columns`.
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
