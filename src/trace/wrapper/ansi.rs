//! Text as a terminal would show it: without colours, and without what was painted over.

/// Takes escape sequences off and lets each line keep what was written on it last.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let line = uncoloured(line);
        let line = line.trim_end_matches('\r');
        // A progress bar returns to the beginning and writes over what stood there.
        shown.push_str(line.rsplit('\r').next().unwrap_or(line));
        shown.push_str(end);
    }
    shown
}

/// A line without escape sequences and other control characters, tabs and returns apart.
fn uncoloured(line: &str) -> String {
    let mut rest = line.chars().peekable();
    let mut shown = String::with_capacity(line.len());
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut rest),
            '\u{9b}' => skip_control(&mut rest),
            '\t' | '\r' => shown.push(c),
            c if c.is_control() => {}
            c => shown.push(c),
        }
    }
    shown
}

/// Passes over one escape sequence: `[…X` for colours, `]…` up to a bell for titles and links, else one character.
fn skip_sequence(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next() {
        Some('[') => skip_control(rest),
        Some(']' | 'P' | '_' | '^') => {
            while let Some(c) = rest.next() {
                if c == '\u{7}' {
                    return;
                }
                if c == '\u{1b}' {
                    rest.next_if_eq(&'\\');
                    return;
                }
            }
        }
        Some('(' | ')' | '#') => {
            rest.next();
        }
        _ => {}
    }
}

fn skip_control(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = rest.next_if(|c| matches!(c, '\u{20}'..='\u{3f}')) {
        debug_assert!(c.is_ascii());
    }
    rest.next_if(|c| matches!(c, '\u{40}'..='\u{7e}'));
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
