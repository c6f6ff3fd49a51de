//! Moving whole memories.

use async_trait::async_trait;

use super::erase::{destroy, empty, hold_scopes, memory_piece};
use crate::bolt::pieces::AT_ONCE;
use crate::bolt::random::token;
use crate::bolt::row_writes::check_count;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound, bullet_key, memory_key, owner_key};
use crate::error::{Failure, Result};
use crate::memory::commit::{Step, put_links, write_events};
use crate::memory::events::Place;
use crate::memory::history::{compacted, event_of};
use crate::memory::state;
use crate::memory::state::Access;
use crate::memory::{checkpoint, folded};
use crate::memory::{hold_learner, insert_memory};
use crate::statements::{BEGIN_COPY, END_COPY, EVENTS, FIND, HOLD_COPY, PUT_COMPACTED};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{Checkpoint, Erased, EventRecord, MemoryCopy, Position, Usage};

/// Events in one request.
const EVENTS_PAGE: usize = 1_000;

/// Reads a whole memory with its history.
pub(super) struct CopyOut {
    pub(super) key: MemoryKey,
    pub(super) access: Access,
}

#[async_trait]
impl crate::bolt::work::Task for CopyOut {
    type Output = Option<MemoryCopy>;

    async fn attempt(
        &mut self,
        tx: &mut Transaction,
        _was_lost: bool,
    ) -> Result<Option<MemoryCopy>> {
        let memory = memory_key(&self.key);
        let Some(head) = state::hold(tx, self.access, &memory).await? else {
            return Ok(None);
        };
        Ok(Some(MemoryCopy {
            key: self.key.clone(),
            state: state::load(tx, &memory, head).await?,
            events: all_events(tx, &memory).await?,
            checkpoints: all_checkpoints(tx, &memory).await?,
            compacted: compacted(tx, &memory).await?.into_iter().collect(),
            folded: folded::all(tx, &memory).await?,
        }))
    }
}

/// Reads all events, including the creation at tick 0.
async fn all_events(tx: &mut Transaction, memory: &str) -> Result<Vec<EventRecord>> {
    let mut events: Vec<EventRecord> = Vec::new();
    loop {
        // Below the creation, which has tick 0.
        let after = events.last().map_or(-1, |event| bound(event.tick()));
        let page = Map::new()
            .with("memory", memory)
            .with("tick", after)
            .with("clock", i64::MAX)
            .with("limit", EVENTS_PAGE as i64);
        let rows = tx.query(EVENTS, page).await?;
        let found = rows.iter().map(event_of).collect::<Result<Vec<_>>>()?;
        let is_last = found.len() < EVENTS_PAGE;
        events.extend(found);
        if is_last {
            return Ok(events);
        }
    }
}

async fn all_checkpoints(tx: &mut Transaction, memory: &str) -> Result<Vec<Checkpoint>> {
    let mut newest_first = checkpoint::read(tx, memory, i64::MAX, i64::MAX).await?;
    newest_first.reverse();
    Ok(newest_first)
}

/// Writes a whole memory with its history, replacing the one at position `over`, if any. A large memory is written, and a
/// large old one deleted, in pieces with a transaction each; meanwhile the memory is invisible. An interrupted copy must
/// be started again.
pub(super) struct CopyIn {
    pub(super) copy: MemoryCopy,
    pub(super) over: Option<Position>,
}

#[async_trait]
impl crate::bolt::work::Task for CopyIn {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, was_lost: bool) -> Result<()> {
        let copy = &self.copy;
        check_events(copy).map_err(Failure::Refused)?;
        let memory = memory_key(&copy.key);
        hold_learner(tx, copy.key.tenant(), copy.key.learner()).await?;
        let owner = owner_key(copy.key.tenant(), copy.key.learner());
        let copying = token();
        if let Some(there) = standing(tx, &owner, &memory).await? {
            let own = &copy.state.head.position;
            // After a lost answer, the memory found here may be this very copy.
            let is_expected = self.over.as_ref() == Some(&there) || (was_lost && there == *own);
            if !is_expected {
                return Err(Failure::Refused(copy.refused_over(&there)));
            }
        }
        make_room(tx, &owner, &memory, &copying, is_large(copy)).await?;
        let place = Place {
            key: &copy.key,
            memory: &memory,
            request: "",
        };
        let copying = Some(copying).filter(|_| is_large(copy));
        insert_memory(tx, place, &copy.state.head, copying.as_deref()).await?;
        let Some(copying) = copying else {
            return write_copy(tx, place, copy).await;
        };
        let of = || {
            Map::new()
                .with("memory", place.memory)
                .with("copying", copying.as_str())
        };
        // The mark is committed with this, so the memory stays invisible until the end.
        tx.go_on_in_pieces(HOLD_COPY, of()).await?;
        write_copy(tx, place, copy).await?;
        tx.go_on_as_one();
        let incarnation = copy.state.head.position.incarnation.as_str();
        let ended = of().with("incarnation", incarnation);
        // Fails if another instance has begun a copy of its own since.
        check_count(&tx.query(END_COPY, ended).await?, "ended", 1)
    }
}

/// Locks a memory and reads its position, unless a copy into it is unfinished. The learner is locked already.
async fn standing(tx: &mut Transaction, owner: &str, memory: &str) -> Result<Option<Position>> {
    if hold_scopes(tx, owner, Some(memory)).await?.is_empty() {
        return Ok(None);
    }
    let rows = tx.query(FIND, Map::new().with("memory", memory)).await?;
    let found = rows.first().map(state::head_in);
    let whole = found.transpose()?.filter(|head| !head.is_half_copied());
    Ok(whole
        .map(|head| head.head())
        .transpose()?
        .map(|head| head.position))
}

/// Deletes the memory that a copy replaces, under the learner's lock.
async fn make_room(
    tx: &mut Transaction,
    owner: &str,
    memory: &str,
    copying: &str,
    is_large_copy: bool,
) -> Result<()> {
    if hold_scopes(tx, owner, Some(memory)).await?.is_empty() {
        return Ok(());
    }
    let begun = Map::new().with("memory", memory).with("copying", copying);
    check_count(&tx.query(BEGIN_COPY, begun).await?, "begun", 1)?;
    let mut erased = Erased::default();
    memory_piece(tx, memory, AT_ONCE as i64, &mut erased).await?;
    // A deleted piece means that the old memory is large, too.
    if is_large_copy || erased != Erased::default() {
        empty(tx, owner, memory).await?;
    }
    for there in hold_scopes(tx, owner, Some(memory)).await? {
        destroy(tx, &there, &mut Erased::default()).await?;
    }
    Ok(())
}

/// True for a copy that may exceed the server's memory in one transaction.
fn is_large(copy: &MemoryCopy) -> bool {
    copy.state.bullets.len() + copy.events.len() > AT_ONCE
}

async fn write_copy(tx: &mut Transaction, place: Place<'_>, copy: &MemoryCopy) -> Result<()> {
    let bullets: Vec<&Bullet> = copy.state.bullets.iter().collect();
    let step = Step {
        events: &copy.events,
        new: &bullets,
        head: Map::new(),
    };
    write_events(tx, place, step).await?;
    put_links(tx, place, &copy.state.links).await?;
    for one in &copy.checkpoints {
        checkpoint::put(tx, place.key, place.memory, one).await?;
    }
    let first = copy.events.iter().find_map(|event| match event {
        EventRecord::Delta(delta) if delta.revision > 0 => Some(delta.revision),
        _ => None,
    });
    // The chain has a gap after the creation only where deltas are folded.
    if !copy.folded.is_empty() {
        let first = first.unwrap_or(copy.state.head.position.revision);
        let marks = copy.folded.iter().cloned().collect();
        folded::put_marks(tx, place.key, first, &marks).await?;
    }
    write_compacted(tx, place.memory, &copy.compacted).await
}

/// Refuses a copy whose events do not start at tick 0, ascend, and end at its clock or before.
fn check_events(copy: &MemoryCopy) -> Result<(), String> {
    let ticks = || copy.events.iter().map(EventRecord::tick);
    let begins = ticks().next() == Some(0);
    let ascends = ticks().is_sorted_by(|a, b| a < b);
    let within = ticks().all(|tick| tick <= copy.state.head.position.clock);
    if begins && ascends && within {
        Ok(())
    } else {
        Err(format!(
            "the copy of `{}` does not hold its events in order from tick 0 to its clock; copy it again",
            copy.key
        ))
    }
}

async fn write_compacted(
    tx: &mut Transaction,
    memory: &str,
    counts: &[(BulletId, Usage)],
) -> Result<()> {
    let row = |(bullet, usage): &(BulletId, Usage)| -> Result<Map> {
        let usage = Map::new()
            .whole("retrieved", usage.retrieved)?
            .whole("injected", usage.injected)?
            .whole("used", usage.used)?
            .whole("helped", usage.helped)?
            .whole("harmed", usage.harmed)?
            .whole("ignored", usage.ignored)?;
        Ok(Map::new()
            .with("bullet", bullet_key(memory, *bullet))
            .with("usage", usage))
    };
    if counts.is_empty() {
        return Ok(());
    }
    let rows = counts.iter().map(row).collect::<Result<Vec<_>>>()?;
    let written = Map::new().with("memory", memory).list("counts", rows);
    check_count(
        &tx.query(PUT_COMPACTED, written).await?,
        "written",
        counts.len(),
    )
}
