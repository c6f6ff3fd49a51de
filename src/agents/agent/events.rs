//! Log events of a turn, in addition to those of the engine about the memory. A preview has at most 120 characters, and
//! texts are shown only at the most detailed level.

use super::turn::Turn;
use hindlore::PREVIEW_CHARS;
use hindlore_text::layout::preview::preview;

/// Memory was read, once a turn.
pub(super) fn loaded(turn: &Turn) {
    tracing::info!(target: "hindlore::agent", event = "loaded", turn = %turn.id, bullets = turn.bullets().len());
}

/// A step of thinking.
pub(super) fn thought(mode: &str, text: &str) {
    tracing::debug!(target: "hindlore::agent", event = "thought", mode, chars = text.chars().count());
    tracing::trace!(target: "hindlore::agent", event = "thought_text", mode, text = %preview(text, PREVIEW_CHARS));
}
