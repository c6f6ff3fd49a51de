//! Records retrievals without a lock: ranks them on the snapshot, then writes them in one request that the
//! store refuses if a delta came in between.

use std::time::Instant;

use super::group::{FailedGroup, answer_without_memory, complete_all};
use super::message::Message;
use super::open_memory::OpenMemory;
use super::snapshot::{PendingTouch, Snapshot};
use super::transaction::{reload, transact};
use crate::error::EngineError;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{Position, RetrievalRecord, StoreResult, TouchBatch, TouchOutcome, Touched};

/// Rankings that other instances' deltas may overtake before the next one is made under the lock.
const TRIES: usize = 3;

/// Records a group without deltas and answers it. Returns the messages it could not write.
pub(super) async fn record_group(
    memory: &OpenMemory,
    mut messages: Vec<Message>,
) -> Result<(), FailedGroup> {
    for _ in 0..TRIES {
        let asked = Instant::now();
        let now = memory.context.now();
        let ranked = memory.read(|snapshot| Ranked::new(snapshot, &mut messages, now));
        let Some(Ranked {
            known,
            records,
            touches,
        }) = ranked
        else {
            break;
        };
        let events = records.len();
        match write(memory, known, records).await {
            Ok(TouchOutcome::Recorded { first_tick, others }) => {
                let before = first_tick.saturating_sub(1);
                memory.note_written(before, events);
                // Counted from when the question was sent: the store may have changed since it answered.
                memory.note_confirmed(asked);
                if !note_ticks(memory, &mut messages, touches, before, &others) {
                    // The records are on disk, but the snapshot is gone that would give each message its tick.
                    let error = EngineError::Contended(memory.key.clone());
                    return Err(FailedGroup { messages, error });
                }
                complete_all(messages, memory.content_log());
                return Ok(());
            }
            Ok(TouchOutcome::Moved(catch_up)) => {
                if memory.absorb(*catch_up) {
                    continue;
                }
                match reload(memory, messages).await? {
                    Some(left) => messages = left,
                    None => return Ok(()),
                }
            }
            Ok(TouchOutcome::Missing) => {
                memory.forget();
                answer_without_memory(&memory.context, &memory.key, messages);
                return Ok(());
            }
            Err(error) => {
                // The write may have reached the disk, so the snapshot may lag by an unknown number of ticks.
                memory.forget();
                let error = error.into();
                return Err(FailedGroup { messages, error });
            }
        }
    }
    // Under the store's lock no delta can overtake the ranking again.
    transact(memory, messages).await
}

/// A group ranked on the snapshot.
struct Ranked {
    /// Position of the snapshot when ranked.
    known: Position,
    /// Records to write.
    records: Vec<RetrievalRecord>,
    /// Bullets that each message touches once its record is written.
    touches: Vec<Option<PendingTouch>>,
}

impl Ranked {
    fn new(snapshot: &Snapshot, messages: &mut [Message], now: Timestamp) -> Self {
        let (memory, incarnation) = (&snapshot.memory, snapshot.incarnation.as_str());
        let mut ranked = Self {
            known: snapshot.position(),
            records: Vec::new(),
            touches: Vec::with_capacity(messages.len()),
        };
        for message in messages {
            let record = match message {
                Message::Retrieve(retrieve) => retrieve.rank(memory, incarnation, now),
                Message::Record(record) => record.admit(memory, incarnation),
                Message::Delta(_) | Message::Flush(_) => None,
            };
            let touch = record.as_ref().map(PendingTouch::from);
            ranked.touches.push(touch);
            ranked.records.extend(record);
        }
        ranked
    }
}

/// Writes the records; with none, only asks whether the answers rest on the present state.
async fn write(
    memory: &OpenMemory,
    known: Position,
    retrievals: Vec<RetrievalRecord>,
) -> StoreResult<TouchOutcome> {
    let store = &memory.context.store;
    if !retrievals.is_empty() {
        let batch = TouchBatch {
            known,
            // Only a delta invalidates a ranking; touches of other instances are adopted afterwards.
            strict: false,
            retrievals,
        };
        return store.touch(&memory.key, batch).await;
    }
    let Some(catch_up) = store.changes_since(&memory.key, known.clock).await? else {
        return Ok(TouchOutcome::Missing);
    };
    if catch_up.head.position == known {
        // The answers rest on the present state, and no event was written.
        let (first_tick, others) = (known.clock + 1, Vec::new());
        return Ok(TouchOutcome::Recorded { first_tick, others });
    }
    Ok(TouchOutcome::Moved(Box::new(catch_up)))
}

/// Advances the snapshot past the written records: first the touches of others, then a tick for each message.
/// Returns false if the snapshot could not follow and was dropped.
fn note_ticks(
    memory: &OpenMemory,
    messages: &mut [Message],
    touches: Vec<Option<PendingTouch>>,
    clock: u64,
    others: &[Touched],
) -> bool {
    let mut slot = memory.snapshot.write();
    let Some(snapshot) = slot.as_mut() else {
        return false;
    };
    if !snapshot.absorb_touches(clock, others) {
        *slot = None;
        return false;
    }
    for (message, touch) in messages.iter_mut().zip(touches) {
        if let Some(touch) = touch {
            message.set_tick(snapshot.note_touch(touch));
        }
    }
    true
}
