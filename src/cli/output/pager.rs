//! A pager for answers that are longer than the screen.
//!
//! `PAGER` names it, as for other programs; `cat` or an empty value means none.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// The pager without a setting: it ends by itself where the text fits, keeps colours, and leaves the text on the screen.
const DEFAULT: &str = "less -FRX";

/// Shows a text through a pager; false where it fits the screen, or no pager can be started.
pub(super) fn shows(text: &str) -> bool {
    let rows =
        terminal_size::terminal_size_of(std::io::stdout()).map(|(_, rows)| usize::from(rows.0));
    let is_long = rows.is_some_and(|rows| text.lines().count() >= rows);
    if !is_long || !std::io::stdin().is_terminal() {
        return false;
    }
    let named = std::env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_owned());
    let mut words = named.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else {
        return false;
    };
    let started = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut pager) = started else {
        return false;
    };
    // A reader who quits has seen enough.
    let _ = pager
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(text.as_bytes()));
    pager.wait().is_ok()
}
