//! The engine's log: one structured event for each change of a memory.
//!
//! Contents stay out of the log unless the engine was made to show them, and then only their beginnings
//! appear, with their full length.

use std::collections::BTreeSet;

use tracing::{debug, info, warn};

use super::error::EngineError;
use super::memory::answers::AppliedDelta;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Status};
use hindlore_domain::memory::decay::decayed_score;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Rates;
use hindlore_domain::memory::receipt::{BulletChange, ChangeKind};
use hindlore_text::layout::preview::preview;

/// Characters in a preview.
pub const PREVIEW_CHARS: usize = 120;

/// A memory was read into the process.
pub(super) fn loaded(key: &MemoryKey, bullets: u64) {
    info!(target: "hindlore::memory", event = "loaded", memory = %key, bullets);
}

/// A memory in the store is not the one in process, at the same clock and revision: a hand has changed it.
pub(super) fn changed_by_hand(key: &MemoryKey) {
    warn!(
        target: "hindlore::memory", event = "changed_by_hand", memory = %key,
        "`hindlore doctor verify` names what a hand has changed"
    );
}

/// A memory could not be reloaded; the next interval tries again.
pub(super) fn reread_failed(key: &MemoryKey, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "reread_failed", memory = %key, %error);
}

/// The image of a memory could not be read; its rows were.
pub(super) fn image_not_read(key: &MemoryKey, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "image_not_read", memory = %key, %error);
}

/// The image of a memory was not written; a later process tries again.
pub(super) fn image_not_written(key: &MemoryKey, error: &EngineError) {
    debug!(target: "hindlore::memory", event = "image_not_written", memory = %key, %error);
}

/// The answer to a write never came; the receipt shows the outcome.
pub(super) fn outcome_unknown(key: &MemoryKey) {
    warn!(target: "hindlore::memory", event = "outcome_unknown", memory = %key);
}

/// The record of an answered retrieval could not be written.
pub(super) fn record_lost(retrieval: &str, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "record_lost", retrieval, %error);
}

/// Records of answered retrievals could not be written and will be retried.
pub(super) fn records_wait(key: &MemoryKey, records: usize, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "records_wait", memory = %key, records, %error);
}

/// Retrieval records were compacted into counts.
pub(super) fn compacted(key: &MemoryKey, records: u64) {
    info!(target: "hindlore::memory", event = "folded", memory = %key, records);
}

/// A compaction failed and will be retried.
pub(super) fn compaction_failed(key: &MemoryKey, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "fold_failed", memory = %key, %error);
}

/// Vectors could not be computed; the next question or write tries again.
pub(super) fn embedding_failed(key: &MemoryKey, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "embedding_failed", memory = %key, %error);
}

/// A memory was consolidated in the background, with its bullets before and after.
pub(super) fn consolidated(key: &MemoryKey, run: &str, merged: u64, made: u64) {
    info!(target: "hindlore::memory", event = "consolidated", memory = %key, run, merged, made);
}

/// A consolidation in the background failed, and is tried again when the memory has grown.
pub(super) fn consolidation_failed(key: &MemoryKey, error: &EngineError) {
    warn!(target: "hindlore::memory", event = "consolidation_failed", memory = %key, %error);
}

/// Events of one memory that mention contents.
#[derive(Clone, Copy)]
pub(super) struct ContentLog<'k> {
    key: &'k MemoryKey,
    /// Rates and clock by which the scores of bullets are shown; absent after the memory was dropped.
    decay: Option<(Rates, u64)>,
    /// False: log only the length of contents.
    shows_contents: bool,
}

impl<'k> ContentLog<'k> {
    pub(super) fn new(
        key: &'k MemoryKey,
        decay: Option<(Rates, u64)>,
        shows_contents: bool,
    ) -> Self {
        Self {
            key,
            decay,
            shows_contents,
        }
    }

    /// Bullets were returned for a query.
    pub(super) fn retrieved<'b>(&self, query: &str, bullets: impl Iterator<Item = &'b Bullet>) {
        let key = self.key;
        let bullets: Vec<&Bullet> = bullets.collect();
        info!(
            target: "hindlore::memory", event = "inject", memory = %key, bullets = bullets.len(),
            query = self.shown(query)
        );
        for bullet in bullets {
            debug!(
                target: "hindlore::memory", event = "injected", memory = %key, bullet = %bullet.id,
                score = %self.score(bullet), helpful = bullet.counts.helpful, harmful = bullet.counts.harmful,
                tags = self.tags(bullet), content = self.shown(bullet.content.as_str())
            );
        }
    }

    /// A delta was applied.
    pub(super) fn applied(&self, applied: &AppliedDelta) {
        if applied.repeated {
            return;
        }
        let key = self.key;
        let merges = &applied.receipt.merged;
        for merge in merges {
            if merge.into == merge.from {
                info!(target: "hindlore::memory", event = "reinforce", memory = %key, bullet = %merge.into);
            } else {
                info!(
                    target: "hindlore::memory", event = "merge", memory = %key,
                    kept = %merge.into, merged = %merge.from
                );
            }
        }
        let ends = merges.iter().flat_map(|merge| [merge.into, merge.from]);
        let merged: BTreeSet<BulletId> = ends.collect();
        let removed: BTreeSet<BulletId> = applied.removed.iter().copied().collect();
        for change in &applied.changes.bullets {
            for event in events_of(change, &merged, &removed) {
                let after = &change.after;
                info!(
                    target: "hindlore::memory", event, memory = %key, bullet = %after.id,
                    score = %self.score(after), helpful = after.counts.helpful, harmful = after.counts.harmful,
                    tags = self.tags(after), content = self.shown(after.content.as_str())
                );
            }
        }
    }

    /// The decayed score with three decimals; the plain strength after the memory was dropped.
    fn score(&self, bullet: &Bullet) -> String {
        let score = self.decay.map_or(bullet.strength, |(rates, clock)| {
            decayed_score(bullet, &rates, clock)
        });
        format!("{score:.3}")
    }

    /// The tags are words about the content, and are hidden with it.
    fn tags(&self, bullet: &Bullet) -> String {
        self.shown(&bullet.tags.join(","))
    }

    fn shown(&self, text: &str) -> String {
        shown(text, self.shows_contents)
    }
}

/// The part of a text that an event shows: its beginning, or its length alone.
pub(super) fn shown(text: &str, shows_contents: bool) -> String {
    if shows_contents {
        preview(text, PREVIEW_CHARS)
    } else {
        format!("[len={}]", text.chars().count())
    }
}

/// The event names of a bullet's change; none for merges, which have their own events.
fn events_of(
    change: &BulletChange,
    merged: &BTreeSet<BulletId>,
    removed: &BTreeSet<BulletId>,
) -> &'static [&'static str] {
    let id = change.after.id;
    match change.kind {
        // The memory had no room for it.
        ChangeKind::Added
            if change.after.status == Status::Archived && change.after.merged_into.is_none() =>
        {
            &["add", "prune"]
        }
        ChangeKind::Added => &["add"],
        // Archived by an operation, not by refine or prune.
        ChangeKind::Archived if removed.contains(&id) => &["remove"],
        ChangeKind::Archived => &["prune"],
        ChangeKind::Rejected => &["remove"],
        ChangeKind::Changed if !merged.contains(&id) => &["update"],
        ChangeKind::Changed | ChangeKind::Merged => &[],
    }
}
