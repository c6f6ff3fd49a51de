//! Decides messages one after the other on a snapshot, and collects their writes into one commit.
//!
//! Pure except for the snapshot it changes: no store, no clock, no lock. The snapshot keeps the changes as
//! uncommitted, so that the whole decision can be rolled back and made again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::message::{DeltaMessage, Message, RecordMessage, RetrieveMessage};
use super::snapshot::Snapshot;
use crate::error::{EngineError, EngineResult};
use crate::memory::answers::{AppliedDelta, Since};
use crate::memory::prepared_delta::PreparedDelta;
use crate::progress::Progress;
use hindlore_domain::memory::apply::draft::Savepoint;
use hindlore_domain::memory::apply::{Tables, apply_watched};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::link::LinkId;
use hindlore_domain::memory::receipt::{ChangeRecord, Changes, Receipt};
use hindlore_domain::memory::touch::touch;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use hindlore_store::{Commit, DeltaRecord, EventRecord, RetrievalRecord, StoredReceipt};

/// Inputs of a decision apart from the snapshot and the messages.
pub(crate) struct DecisionInputs<'a> {
    /// Receipts of those deltas of the group that were applied earlier.
    pub(crate) receipts: Vec<StoredReceipt>,
    pub(crate) now: Timestamp,
    pub(crate) tables: &'a Tables,
    pub(crate) progress: &'a Progress,
}

/// Decides a group in order and returns the commit to write. Each message keeps its own result.
pub(crate) fn decide_group(
    snapshot: &mut Snapshot,
    messages: &mut [Message],
    grounds: DecisionInputs<'_>,
) -> Commit {
    let mut builder = CommitBuilder::new(snapshot, grounds);
    for message in messages {
        let record = match message {
            Message::Delta(delta) => {
                builder.apply(delta);
                None
            }
            Message::Retrieve(retrieve) => builder.rank(retrieve),
            Message::Record(record) => builder.admit(record),
            Message::Flush(_) => None,
        };
        if let Some(record) = record {
            message.set_tick(builder.touch(record));
        }
    }
    builder.finish()
}

/// Decides one delta; its message keeps the result.
pub(crate) fn decide_delta(
    snapshot: &mut Snapshot,
    delta: &mut DeltaMessage,
    grounds: DecisionInputs<'_>,
) -> Commit {
    let mut builder = CommitBuilder::new(snapshot, grounds);
    builder.apply(delta);
    builder.finish()
}

/// Collects the writes of a group.
struct CommitBuilder<'a> {
    snapshot: &'a mut Snapshot,
    /// Receipts of applied deltas by id, including those of this group.
    receipts: HashMap<DeltaId, StoredReceipt>,
    now: Timestamp,
    tables: &'a Tables,
    progress: &'a Progress,
    commit: Commit,
    origin_before: u64,
    /// Changed bullets in their latest state.
    bullets: BTreeMap<BulletId, Arc<Bullet>>,
    links: BTreeSet<LinkId>,
    is_policy_changed: bool,
}

impl<'a> CommitBuilder<'a> {
    fn new(snapshot: &'a mut Snapshot, grounds: DecisionInputs<'a>) -> Self {
        let receipts = grounds.receipts.into_iter();
        Self {
            origin_before: snapshot.memory.origin_clock(),
            snapshot,
            receipts: receipts
                .map(|stored| (stored.delta.clone(), stored))
                .collect(),
            now: grounds.now,
            tables: grounds.tables,
            progress: grounds.progress,
            commit: Commit::default(),
            bullets: BTreeMap::new(),
            links: BTreeSet::new(),
            is_policy_changed: false,
        }
    }

    fn apply(&mut self, message: &mut DeltaMessage) {
        message.result = Some(self.apply_once(message));
    }

    fn apply_once(&mut self, message: &DeltaMessage) -> EngineResult<AppliedDelta> {
        let PreparedDelta { delta, encoded } = &message.delta;
        // A client that lost the answer sends its delta again: the same body gets the first receipt, and nothing
        // is applied twice.
        if let Some(known) = self.receipts.get(&delta.id) {
            if !encoded.body_digest.starts_with(&known.body_digest) {
                return Err(EngineError::DeltaReused(delta.id.clone()));
            }
            // Of a folded delta only the mark is left, so its receipt is that of a delta that changes nothing now.
            let receipt = known.receipt.clone();
            let receipt = receipt
                .unwrap_or_else(|| Receipt::unchanged(delta.id.clone(), &mut self.snapshot.memory));
            return Ok(AppliedDelta::repeated(receipt));
        }
        let memory = &mut self.snapshot.memory;
        // Taken before the delta, because a rollback returns to this state.
        let before = memory.savepoint();
        let watch = self.progress.of_delta(delta.operations.len());
        let applied = apply_watched(memory, delta, self.now, self.tables, &watch)?;
        let active = memory.limited();
        self.commit.marks.extend(message.marks.iter().cloned());
        if applied.is_event {
            self.note_delta(&message.delta, &applied.receipt, &applied.changes);
            self.note_changes(applied.changes.clone(), before);
        }
        Ok(AppliedDelta {
            receipt: applied.receipt,
            repeated: false,
            since: Since::default(),
            operations: delta.operations.len(),
            changes: applied.changes,
            redacted: Redactions::default(),
            active,
            removed: applied.removed,
        })
    }

    fn note_delta(&mut self, delta: &PreparedDelta, receipt: &Receipt, changes: &Changes) {
        let PreparedDelta { delta, encoded } = delta;
        let stored = StoredReceipt {
            delta: delta.id.clone(),
            body_digest: encoded.body_digest.clone(),
            receipt: Some(receipt.clone()),
        };
        // A group may hold the same delta twice; the second one then finds this receipt.
        self.receipts.insert(delta.id.clone(), stored);
        let record = DeltaRecord {
            id: delta.id.clone(),
            tick: receipt.clock,
            revision: receipt.revision,
            at: self.now,
            origin: delta.origin.clone(),
            reasoning: delta.reasoning.clone(),
            body: encoded.body.clone(),
            body_digest: encoded.body_digest.clone(),
            receipt: receipt.clone(),
            changes: changes
                .bullets
                .iter()
                .map(ChangeRecord::from_change)
                .collect(),
            policy_before: changes.policy.as_ref().map(|(before, _)| before.clone()),
        };
        let event = EventRecord::Delta(Box::new(record));
        self.commit.events.push(event);
        self.is_policy_changed |= changes.policy.is_some();
    }

    fn rank(&self, message: &mut RetrieveMessage) -> Option<RetrievalRecord> {
        let Snapshot {
            memory,
            incarnation,
            ..
        } = &*self.snapshot;
        message.rank(memory, incarnation, self.now)
    }

    fn admit(&self, message: &mut RecordMessage) -> Option<RetrievalRecord> {
        let Snapshot {
            memory,
            incarnation,
            ..
        } = &*self.snapshot;
        message.admit(memory, incarnation)
    }

    /// Touches the bullets a record returned; returns the tick of the record.
    fn touch(&mut self, mut record: RetrievalRecord) -> u64 {
        let memory = &mut self.snapshot.memory;
        let before = memory.savepoint();
        let ids: Vec<BulletId> = record.returned.iter().map(|one| one.bullet).collect();
        // Use the moment of the query, not the present: it is the only time a replay can know.
        let changes = touch(memory, &ids, record.at);
        record.tick = memory.clock();
        let tick = record.tick;
        self.commit.events.push(EventRecord::Retrieval(record));
        self.note_changes(changes, before);
        tick
    }

    fn note_changes(&mut self, changes: Changes, before: Savepoint) {
        let after = changes.bullets.iter().map(|change| &change.after);
        let after = after.map(|bullet| (bullet.id, bullet.clone()));
        if self.bullets.is_empty() {
            // Changes arrive in order of id, so the tree is built in one pass.
            self.bullets = after.collect();
        } else {
            self.bullets.extend(after);
        }
        let links = changes.links.iter();
        self.links.extend(links.map(|(_, link)| link.id));
        self.snapshot.keep_uncommitted(changes, before);
    }

    fn finish(self) -> Commit {
        let memory = &self.snapshot.memory;
        let origin = memory.origin_clock();
        // Read from the final state: a link that several messages of the group changed is written once.
        let links = self.links.iter();
        Commit {
            bullets: self.bullets.into_values().collect(),
            links: links.filter_map(|id| memory.link(*id).cloned()).collect(),
            policy: self.is_policy_changed.then(|| memory.policy().clone()),
            origin_clock: (origin != self.origin_before).then_some(origin),
            ..self.commit
        }
    }
}
