//! Text as a terminal would show it: without colours and overwritten text.

use anstream::adapter::strip_str;

/// Removes escape sequences and keeps the last text written on each line.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let line = uncoloured(line);
        let line = line.trim_end_matches('\r');
        // A progress bar returns to the beginning and overwrites the line.
        shown.push_str(line.rsplit('\r').next().unwrap_or(line));
        shown.push_str(end);
    }
    shown
}

/// A line without escape sequences and other control characters, tabs and returns apart.
fn uncoloured(line: &str) -> String {
    // The parser takes the one-character form of `ESC [` for text.
    let line = line.replace('\u{9b}', "\u{1b}[");
    let mut shown = strip_str(&line).to_string();
    shown.retain(|c| matches!(c, '\t' | '\r') || !c.is_control());
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_progress_go() {
        for (written, shown) in [
            ("\u{1b}[31;1mred\u{1b}[0m\r\nnext", "red\nnext"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("10 %\r50 %\rdone", "done"),
            ("a\u{8}b\u{0}", "ab"),
            ("tab\tstays", "tab\tstays"),
            ("cut \u{1b}[3", "cut "),
            ("\u{9b}1mx", "x"),
        ] {
            assert_eq!(plain(written), shown, "{written:?}");
        }
    }
}
