//! Folds old deltas, by policy: a checkpoint holds their effect, and of each the mark stays that it was applied.
//!
//! A delta is folded once it is older than `delta_days`, `delta_records` newer ones follow, and replays start after it.
//! So a small memory keeps its whole history, and a busy one every delta of the last days.

use crate::context::Context;
use crate::error::EngineResult;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{FoldOrder, Head};

/// Deltas folded in one transaction, so that no other writer waits long.
const AT_ONCE: usize = 200;
/// Transactions of one compaction; the next one continues.
const ROUNDS: usize = 20;

/// The limits of the deltas to fold.
#[derive(Clone, Copy)]
pub(super) struct Foldable {
    /// Up to this revision.
    pub(super) revision: u64,
    /// Applied before this time.
    pub(super) before: Timestamp,
}

impl Foldable {
    /// The limits that a memory's policy sets; absent if it keeps all deltas.
    pub(super) fn of(head: &Head, now: Timestamp) -> Option<Self> {
        let Policy {
            delta_days,
            delta_records,
            ..
        } = head.policy;
        // The newest delta stays in any case: it begins the history that is kept.
        let kept = delta_records.max(1);
        let revision = head.position.revision.saturating_sub(kept);
        (delta_days > 0 && revision > 0).then(|| Self {
            revision,
            before: now.minus_days(delta_days),
        })
    }
}

/// Folds the deltas within the limits, up to the revision from which replays start.
pub(super) async fn fold(
    context: &Context,
    key: &MemoryKey,
    head: &Head,
    start: u64,
) -> EngineResult<()> {
    let Some(Foldable { revision, before }) = Foldable::of(head, context.now()) else {
        return Ok(());
    };
    let order = FoldOrder {
        revision: revision.min(start),
        before,
        limit: AT_ONCE,
    };
    if order.revision == 0 {
        return Ok(());
    }
    let incarnation = &head.position.incarnation;
    for _ in 0..ROUNDS {
        let folded = context.store.fold_deltas(key, incarnation, order).await?;
        if folded < AT_ONCE as u64 {
            break;
        }
    }
    Ok(())
}
