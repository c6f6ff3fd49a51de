//! The parts of a copy: memories and lessons meet the same two stores, and have the same outcomes.

use crate::args::migrate::Existing;
use crate::output::{Page, Tone};
use hindlore::Engine;
use hindlore_api::responses::migrated::Move;

/// Code of the refusal of a copy over something else.
pub(in crate::commands::stores) const EXISTS: &str = "exists_there";

/// The two opened stores.
pub(super) struct Opened {
    /// Source.
    pub(super) source: Engine,
    /// Target.
    pub(super) target: Engine,
    /// Treatment of parts that the target has already.
    pub(super) existing: Existing,
}

/// Shows the outcome of a part, and the reason.
pub(super) fn outcome(page: &mut Page, outcome: Move, reason: Option<&str>) {
    let tone = if outcome == Move::Refused {
        Tone::Bad
    } else {
        Tone::Good
    };
    match reason {
        Some(reason) => page.line(tone, format_args!("{}: {reason}", outcome.word())),
        None => page.line(
            tone,
            format_args!("{}; equal in both stores", outcome.word()),
        ),
    }
}
