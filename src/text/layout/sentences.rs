//! The sentences of a question: agents ask with a preface, and the task is one sentence of many.

/// Returns the sentences of a text that have a letter or digit, each with its end mark.
///
/// A sentence ends at a line break, at a full stop, question mark, exclamation mark, colon or semicolon before white
/// space, and at their wide forms. So `a.b` and `12:30` stay whole.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if is_end(c, next) {
            let end = at + c.len_utf8();
            found.push(&text[start..end]);
            start = end;
        }
    }
    found.push(&text[start..]);
    found.retain(|sentence| sentence.contains(char::is_alphanumeric));
    found
}

fn is_end(c: char, next: Option<char>) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | '；' => true,
        '.' | '?' | '!' | ':' | ';' => next.is_none_or(char::is_whitespace),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_and_lines() {
        for (text, expected) in [
            ("", ""),
            ("fix it", "fix it"),
            (
                "Be brief. The build fails: why?",
                "Be brief.| The build fails:| why?",
            ),
            ("call a.b at 12:30 now", "call a.b at 12:30 now"),
            ("first line\nsecond line\n\n", "first line\n|second line\n"),
            ("先停止。再启动", "先停止。|再启动"),
            ("... ? fix", " fix"),
        ] {
            assert_eq!(sentences(text).join("|"), expected, "{text:?}");
        }
    }
}
