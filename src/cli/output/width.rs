//! Widths of terminals, and of text on them.

/// Columns of the terminal; absent if stdout is none.
pub(super) fn of_terminal() -> Option<usize> {
    let stdout = std::io::stdout();
    let (width, _) = terminal_size::terminal_size_of(stdout)?;
    Some(usize::from(width.0).max(20))
}

/// Columns of the terminal on stderr; absent if there is none.
pub(super) fn of_errors() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some(usize::from(width.0).max(20))
}

/// Columns a text occupies.
pub(super) fn of_text(text: &str) -> usize {
    text.chars().map(of_char).sum()
}

/// Columns that may stay empty to cut a text between words.
const SLACK: usize = 12;

/// The beginning of a text that fits `columns`, with a mark if anything was cut; cuts between words if one
/// ends nearby.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if of_text(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += of_char(c);
        if used > columns {
            break;
        }
        short.push(c);
    }
    let next_is_blank = text[short.len()..].starts_with(' ');
    if let Some((whole, rest)) = short.rsplit_once(' ')
        && !next_is_blank
        && of_text(rest) <= SLACK
        && !whole.is_empty()
    {
        short.truncate(whole.len());
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// Close to the rules of terminals: combining marks take no column, East Asian letters and pictographs take two.
fn of_char(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F | 0x20D0..=0x20FF => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns_and_a_cut_leaves_a_mark() {
        for (text, columns) in [("abc", 3), ("記憶", 4), ("e\u{301}", 1), ("", 0)] {
            assert_eq!(of_text(text), columns, "{text}");
        }
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("記憶記憶", 4), "記…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("two words", 6), "two…");
        assert_eq!(cut("two words", 4), "two…");
        assert_eq!(cut("two wordswithoutanend", 20), "two wordswithoutane…");
    }
}
