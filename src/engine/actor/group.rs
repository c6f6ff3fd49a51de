//! Questions about a group of messages, and the ways to answer all of it.

use super::loading::hypothetical;
use super::memory_answer::MemoryAnswer;
use super::message::{DeltaMessage, Message, Recorded};
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::log::ContentLog;
use hindlore_domain::memory::apply::apply_delta;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;

/// A group that could not be written; its messages are still unanswered.
pub(super) struct FailedGroup {
    pub(super) messages: Vec<Message>,
    pub(super) error: EngineError,
}

/// Answers every message with the same failure.
pub(super) fn fail_all(messages: Vec<Message>, error: &EngineError) {
    for message in messages {
        message.fail(error.repeat());
    }
}

/// Sends the results of a group after it reached the disk.
pub(super) fn complete_all(messages: Vec<Message>, log: ContentLog<'_>) {
    for message in messages {
        message.complete(log);
    }
}

/// The deltas of a group.
fn deltas(messages: &[Message]) -> impl Iterator<Item = &DeltaMessage> {
    messages.iter().filter_map(|message| match message {
        Message::Delta(delta) => Some(&**delta),
        _ => None,
    })
}

/// The ids of the deltas of a group.
pub(super) fn delta_ids(messages: &[Message]) -> Vec<DeltaId> {
    deltas(messages)
        .map(|message| message.delta.delta.id.clone())
        .collect()
}

/// Number of operations of the deltas of a group.
pub(super) fn operation_count(messages: &[Message]) -> usize {
    deltas(messages)
        .map(|message| message.delta.delta.operations.len())
        .sum()
}

/// True when the decision applied a delta of the group.
pub(super) fn is_any_applied(messages: &[Message]) -> bool {
    deltas(messages).any(|message| matches!(message.result, Some(Ok(_))))
}

/// Answers messages for a memory that does not exist: retrievals as a new memory would, deltas with the
/// reason that keeps them from making one.
pub(super) fn answer_without_memory(context: &Context, key: &MemoryKey, messages: Vec<Message>) {
    let now = context.now();
    let memory = hypothetical(context, key, now).memory;
    for message in messages {
        match message {
            Message::Retrieve(retrieve) => {
                let answer = MemoryAnswer::rank(&memory, None, &retrieve.query, now);
                drop(retrieve.reply.send(Ok(answer)));
            }
            Message::Record(record) => {
                if let Some(reply) = record.reply {
                    drop(reply.send(Ok(Recorded::Tick(None))));
                }
                // A deferred record had a memory, which was erased, and its records with it.
            }
            Message::Flush(reply) => drop(reply.send(Ok(()))),
            Message::Delta(delta) => {
                let tried = try_apply(context, key, &delta, now);
                // A delta that applies here met a memory that was erased in between, so its caller may repeat it.
                let contended = || EngineError::Contended(key.clone());
                let error = tried.err().unwrap_or_else(contended);
                drop(delta.reply.send(Err(error)));
            }
        }
    }
}

fn try_apply(
    context: &Context,
    key: &MemoryKey,
    message: &DeltaMessage,
    now: Timestamp,
) -> EngineResult<()> {
    let mut memory = hypothetical(context, key, now).memory;
    apply_delta(&mut memory, &message.delta.delta, now, context.tables())?;
    Ok(())
}
