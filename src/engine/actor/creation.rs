//! Makes a memory for the first group sent to it.
//!
//! Only a delta that can be applied makes a memory; a refused one makes none. So the group is decided first, on a
//! hypothetical memory, and the first transaction writes that decision unless another instance makes the memory
//! meanwhile. A large import is thus decided only once.

use super::commit_builder::{DecisionInputs, decide_group};
use super::group::{FailedGroup, answer_without_memory, is_any_applied};
use super::loading::{creation, hypothetical};
use super::message::Message;
use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use super::transaction::{Decided, transact, transact_decided};
use crate::error::EngineResult;
use crate::log;
use hindlore_store::Creation;

/// Carries out a group on a memory that does not exist. Returns the messages it could not write.
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
    // An incarnation is random, so equal positions prove that this call made the memory.
    if head.position == decided.head.position {
        log::loaded(&memory.key, seeds);
        memory.put(snapshot);
        return transact_decided(memory, messages, decided).await;
    }
    // Another instance made the memory first; the decision rests on a state that never existed.
    match memory.ensure_loaded(true).await {
        Ok(_) => transact(memory, messages).await,
        Err(error) => Err(FailedGroup { messages, error }),
    }
}

/// A memory that can be made, with the first group decided on it.
struct First {
    creation: Creation,
    snapshot: Snapshot,
    decided: Decided,
}

/// Decides a group on a memory as it would be made now; `None` if no delta of the group was applied.
fn decide_first(memory: &OpenMemory, messages: &mut [Message]) -> EngineResult<Option<First>> {
    let context = &memory.context;
    let now = context.now();
    let created = hypothetical(context, &memory.key, now);
    let creation = creation(context, &created, now)?;
    let head = creation.head.clone();
    let mut snapshot = Snapshot::new(created.memory, head.clone());
    let grounds = DecisionInputs {
        receipts: Vec::new(),
        now,
        tables: context.tables(),
        progress: &context.progress,
    };
    let commit = decide_group(&mut snapshot, messages, grounds);
    let first = First {
        creation,
        snapshot,
        decided: Decided { head, commit },
    };
    Ok(is_any_applied(messages).then_some(first))
}
