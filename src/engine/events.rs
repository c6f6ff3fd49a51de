//! What the engine tells the log: one structured event for each thing that happens to a memory.
//!
//! Contents stay out of the log unless the engine was made to show them, and then only their
//! beginnings with their full length.

use std::collections::BTreeSet;

use tracing::{debug, info, warn};

use super::Engine;
use super::apply_delta::AppliedDelta;
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::receipt::ChangeKind;
use crate::domain::memory::upgrade::UpgradeReport;

/// Characters of a preview.
const PREVIEW_CHARS: usize = 120;

/// A memory was read into the process.
pub(super) fn loaded(key: &MemoryKey, bullets: u64) {
    info!(target: "mnemograph::memory", event = "loaded", memory = %key, bullets);
}

/// A write's answer never came; the receipt will tell.
pub(super) fn outcome_unknown(key: &MemoryKey) {
    warn!(target: "mnemograph::memory", event = "outcome_unknown", memory = %key);
}

/// The record of a retrieval that was answered could not be written.
pub(super) fn record_lost(retrieval: &str, error: &super::EngineError) {
    warn!(target: "mnemograph::memory", event = "record_lost", retrieval, %error);
}

/// Records of retrievals that were answered could not be written; they are tried again later.
pub(super) fn records_wait(key: &MemoryKey, records: usize, error: &super::EngineError) {
    warn!(target: "mnemograph::memory", event = "records_wait", memory = %key, records, %error);
}

/// Retrieval records were folded into counts.
pub(super) fn folded(key: &MemoryKey, records: u64) {
    info!(target: "mnemograph::memory", event = "folded", memory = %key, records);
}

/// A memory was brought to newer rules.
pub(super) fn upgraded(key: &MemoryKey, report: &UpgradeReport) {
    let (from, to, rehashed) = (report.from, report.to, report.rehashed);
    info!(target: "mnemograph::memory", event = "upgraded", memory = %key, from, to, rehashed);
}

/// Folding could not be done; it is tried again later.
pub(super) fn fold_failed(key: &MemoryKey, error: &super::EngineError) {
    warn!(target: "mnemograph::memory", event = "fold_failed", memory = %key, %error);
}

/// Bullets were returned for a query.
pub(super) fn injected(engine: &Engine, key: &MemoryKey, query: &str, bullets: &[Bullet]) {
    info!(
        target: "mnemograph::memory", event = "inject", memory = %key, bullets = bullets.len(),
        query = shown(engine, query)
    );
    for bullet in bullets {
        debug!(
            target: "mnemograph::memory", event = "injected", memory = %key, bullet = %bullet.id,
            content = shown(engine, bullet.content.as_str())
        );
    }
}

/// A delta was applied.
pub(super) fn applied(engine: &Engine, memory: &Memory, applied: &AppliedDelta) {
    if applied.repeated {
        return;
    }
    let key = memory.key();
    let receipt = &applied.receipt;
    for merged in &receipt.merged {
        if merged.into == merged.from {
            info!(target: "mnemograph::memory", event = "reinforce", memory = %key, bullet = %merged.into);
        } else {
            info!(
                target: "mnemograph::memory", event = "merge", memory = %key,
                kept = %merged.into, merged = %merged.from
            );
        }
    }
    let ends = receipt.merged.iter();
    let merged: BTreeSet<BulletId> = ends.flat_map(|merged| [merged.into, merged.from]).collect();
    let removed: BTreeSet<BulletId> = applied.removed.iter().copied().collect();
    for change in &applied.changes.bullets {
        let (id, after) = (change.after.id, &change.after);
        let event = match change.kind {
            ChangeKind::Added => "add",
            // Archived because an operation said so, and not by refine or prune.
            ChangeKind::Archived if removed.contains(&id) => "remove",
            ChangeKind::Archived => "prune",
            ChangeKind::Rejected => "remove",
            ChangeKind::Changed if !merged.contains(&id) => "update",
            ChangeKind::Changed | ChangeKind::Merged => continue,
        };
        info!(
            target: "mnemograph::memory", event, memory = %key, bullet = %id,
            helpful = after.counts.helpful, harmful = after.counts.harmful,
            content = shown(engine, after.content.as_str())
        );
    }
}

/// A text for the log: its length, and its beginning where that is allowed.
fn shown(engine: &Engine, text: &str) -> String {
    if engine.options().log_contents {
        preview(text)
    } else {
        format!("[len={}]", text.chars().count())
    }
}

/// The first characters of a text and its full length.
fn preview(text: &str) -> String {
    let length = text.chars().count();
    if length <= PREVIEW_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(PREVIEW_CHARS).collect();
    format!("{head}… [len={length}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_names_the_full_length() {
        assert_eq!(preview("short"), "short");
        let long = "é".repeat(200);
        assert_eq!(preview(&long), format!("{}… [len=200]", "é".repeat(120)));
    }
}
