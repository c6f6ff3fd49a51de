//! Takes the terminal out of a text: colours, cursor movements, titles, and lines that were written over.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Control sequences (ECMA-48) that begin with the escape character, its visible symbol, or the single character for
/// both; commands to the operating system end with a bell or a string terminator.
const SEQUENCE: &str = r"(?x)
    (?:\x1b|\u{241B}) (?:
        \[ [0-?]* [\x20-/]* [@-~]
      | \] [^\x07\x1b\n]* (?:\x07|\x1b\\)
      | [\x20-/]+ [0-~]
      | [@-Z\\^_=>]
    )
  | \u{9B} [0-?]* [\x20-/]* [@-~]";

static SEQUENCES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(SEQUENCE).ok());

/// Returns a text as a reader of the terminal saw it last.
pub(super) fn without_terminal(text: &str) -> Cow<'_, str> {
    let has_escape = |text: &str| {
        let plain = text.as_bytes().contains(&0x1B);
        plain || (!text.is_ascii() && text.contains(['\u{9B}', '\u{241B}']))
    };
    let mut seen = Cow::Borrowed(text);
    if has_escape(text)
        && let Some(sequences) = SEQUENCES.as_ref()
    {
        seen = Cow::Owned(sequences.replace_all(text, "").into_owned());
    }
    if seen.as_bytes().contains(&b'\r') {
        // A line shows only the text after its last carriage return.
        let lines = seen.lines().map(|line| {
            let line = line.trim_end_matches('\r');
            line.rsplit('\r').next().unwrap_or(line)
        });
        seen = Cow::Owned(lines.collect::<Vec<_>>().join("\n"));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_shows_is_what_remains() {
        for (raw, seen) in [
            ("plain [31m text", "plain [31m text"),
            (
                "\x1b[1;33mwarn\x1b[0m: \x1b[4mlow disk\x1b[24m",
                "warn: low disk",
            ),
            ("\x1b[38;2;1;2;3mdenied\x1b[m", "denied"),
            ("\u{9B}31mdenied\u{9B}0m", "denied"),
            ("\u{241B}[31mdenied\u{241B}[0m", "denied"),
            ("\x1b]0;title\x07denied", "denied"),
            ("\x1b[2K\x1b[1G 10 %\r 90 %\rdone\r\nnext\r\n", "done\nnext"),
        ] {
            assert_eq!(without_terminal(raw), seen, "{raw:?}");
        }
    }
}
