//! Making a memory for the first group that is sent to it.
//!
//! A memory is made only for a delta that can be applied: a refused one leaves no empty memory. So the group is
//! decided first, on the memory as it would be made. That decision is what the first transaction writes, unless
//! somebody else makes the memory meanwhile: a large import is decided once.

use super::commit_builder::{Grounds, decide_group};
use super::group::{FailedGroup, answer_without_memory, is_any_applied};
use super::loading::{creation, hypothetical};
use super::message::Message;
use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use super::transaction::{Decided, transact, transact_decided};
use crate::engine::error::EngineResult;
use crate::engine::log;
use crate::store::Creation;

/// Carries out a group on a memory that does not exist. What could not be written is returned.
pub(super) async fn create_with(
    memory: &OpenMemory,
    mut messages: Vec<Message>,
) -> Result<(), FailedGroup> {
    let first = match decide_first(memory, &mut messages) {
        Ok(first) => first,
        Err(error) => return Err(FailedGroup { messages, error }),
    };
    let Some(First {
        creation,
        snapshot,
        decided,
    }) = first
    else {
        answer_without_memory(&memory.context, &memory.key, messages);
        return Ok(());
    };
    let seeds = creation.bullets.len() as u64;
    let head = match memory.context.store.create(creation).await {
        Ok(head) => head,
        Err(error) => {
            let error = error.into();
            return Err(FailedGroup { messages, error });
        }
    };
    if head.position == decided.head.position {
        log::loaded(&memory.key, seeds);
        memory.put(snapshot);
        return transact_decided(memory, messages, decided).await;
    }
    match memory.ensure_loaded(true).await {
        Ok(_) => transact(memory, messages).await,
        Err(error) => Err(FailedGroup { messages, error }),
    }
}

/// A memory that can be made, and the first group decided on it.
struct First {
    creation: Creation,
    snapshot: Snapshot,
    decided: Decided,
}

/// Decides a group on a memory as it would be made now; `None` when no delta of it was applied.
fn decide_first(memory: &OpenMemory, messages: &mut [Message]) -> EngineResult<Option<First>> {
    let context = &memory.context;
    let now = context.now();
    let created = hypothetical(context, &memory.key, now);
    let creation = creation(context, &created, now)?;
    let head = creation.head.clone();
    let mut snapshot = Snapshot::new(created.memory, head.clone());
    let grounds = Grounds {
        receipts: Vec::new(),
        now,
        tables: context.tables(),
    };
    let commit = decide_group(&mut snapshot, messages, grounds);
    let first = First {
        creation,
        snapshot,
        decided: Decided { head, commit },
    };
    Ok(is_any_applied(messages).then_some(first))
}
