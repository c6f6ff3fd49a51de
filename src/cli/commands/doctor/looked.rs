//! One checked item, for people: its state, its name, and the remedy.

use crate::api::responses::doctor::Looked;
use crate::cli::output::{Page, Tone};

/// Writes it.
pub(super) fn write(page: &mut Page, looked: &Looked) {
    let tone = match looked.state {
        "ok" => Tone::Good,
        "error" => Tone::Bad,
        _ => Tone::Plain,
    };
    let mark = format!("{:<6}", looked.state);
    let said = format!("{}: {}", looked.subject, looked.message);
    page.hanging(tone, &mark, &said);
}
