//! Drops the texts of old deltas, by policy: their changes, receipts and the digests of their texts stay.
//!
//! Only deltas before a checkpoint lose their text: no replay reads them again. The newest of them that lost it already
//! has only such before it, so the oldest go first.

use super::stored_delta::{body_of, is_shortened};
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{DeltaPage, Head};

/// Deltas read per page. Each comes with all its changes.
const PAGE: usize = 16;
/// Deltas shortened in one transaction.
const AT_ONCE: usize = 200;

/// The time before which deltas lose their text; absent if they keep it.
pub(super) fn oldest_text(policy: &Policy, now: Timestamp) -> Option<Timestamp> {
    (policy.delta_days > 0).then(|| now.minus_days(policy.delta_days))
}

/// Takes away the texts of the deltas up to a checkpoint's clock that are too old for the policy.
pub(super) async fn shorten(
    context: &Context,
    key: &MemoryKey,
    head: &Head,
    clock: u64,
) -> EngineResult<()> {
    let Some(limit) = oldest_text(&head.policy, context.now()) else {
        return Ok(());
    };
    let mut shorter = Vec::new();
    let mut page = DeltaPage {
        below_revision: None,
        limit: PAGE,
    };
    'pages: loop {
        let deltas = context.store.deltas(key, page).await?;
        for delta in &deltas {
            page.below_revision = Some(delta.revision);
            // The creation has tick 0; it is the beginning of every history.
            if delta.tick == 0 {
                break 'pages;
            }
            if delta.tick > clock || delta.at >= limit {
                continue;
            }
            let body = body_of(delta)?;
            if is_shortened(delta, &body) {
                break 'pages;
            }
            let unwritten = |error| EngineError::Invalid(format!("`{}`: {error}", delta.id));
            let body = body.without_text().to_json().map_err(unwritten)?;
            shorter.push((delta.revision, body));
        }
        if deltas.len() < PAGE {
            break;
        }
    }
    // Oldest first: a later search ends at the first shortened delta, so a crash must leave no long one before it.
    shorter.reverse();
    let store = &context.store;
    for some in shorter.chunks(AT_ONCE) {
        let incarnation = &head.position.incarnation;
        store
            .shorten_deltas(key, incarnation, some.to_vec())
            .await?;
    }
    Ok(())
}
