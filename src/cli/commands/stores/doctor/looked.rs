//! One checked item, for people: its state, its name, and the remedy.

use crate::output::{Page, Tone};
use hindlore_api::responses::doctor::Looked;

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
