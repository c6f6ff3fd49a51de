//! Deciding a group of requests one after the other, and collecting what they write.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::answer::RetrieveJob;
use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::owed::{is_there, still_there};
use super::prepared_delta::PreparedDelta;
use super::request::{DeltaJob, OwedJob, RecordJob, Recorded};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::apply::{Tables, apply_delta};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::draft::Standing;
use crate::domain::memory::link::LinkId;
use crate::domain::memory::receipt::{ChangeRecord, Changes, Receipt};
use crate::domain::memory::touch::touch;
use crate::domain::timestamp::Timestamp;
use crate::store::{Commit, DeltaRecord, EventRecord, RetrievalRecord, StoredReceipt};

/// Collects what a group writes.
pub(super) struct Writer<'m> {
    memory: &'m mut Memory,
    known: HashMap<DeltaId, StoredReceipt>,
    now: Timestamp,
    commit: Commit,
    origin_before: u64,
    /// Changed bullets as they are now.
    bullets: BTreeMap<BulletId, Arc<Bullet>>,
    links: BTreeSet<LinkId>,
    policy_changed: bool,
    journal: Vec<(Changes, Standing)>,
}

impl<'m> Writer<'m> {
    pub(super) fn new(
        memory: &'m mut Memory,
        known: HashMap<DeltaId, StoredReceipt>,
        now: Timestamp,
    ) -> Self {
        Self {
            origin_before: memory.origin_clock(),
            memory,
            known,
            now,
            commit: Commit::default(),
            bullets: BTreeMap::new(),
            links: BTreeSet::new(),
            policy_changed: false,
            journal: Vec::new(),
        }
    }

    pub(super) fn delta(&mut self, job: &mut DeltaJob, tables: &Tables) {
        let result = self.apply_once(job, tables);
        job.result = Some(result);
    }

    fn apply_once(&mut self, job: &DeltaJob, tables: &Tables) -> EngineResult<AppliedDelta> {
        let PreparedDelta { delta, encoded } = &job.delta;
        if let Some(known) = self.known.get(&delta.id) {
            return if known.body_digest == encoded.body_digest {
                Ok(AppliedDelta::repeated(known.receipt.clone()))
            } else {
                Err(EngineError::DeltaReused(delta.id.clone()))
            };
        }
        let before = self.memory.standing();
        let applied = apply_delta(self.memory, delta, self.now, tables)?;
        self.commit.marks.extend(job.marks.iter().cloned());
        let receipt = applied.receipt.clone();
        if applied.is_event {
            self.note_delta(&job.delta, receipt.clone(), &applied.changes);
            self.note(applied.changes.clone(), before);
        }
        Ok(AppliedDelta::fresh(
            receipt,
            delta.operations.len(),
            applied.changes,
            applied.removed,
        ))
    }

    fn note_delta(&mut self, delta: &PreparedDelta, receipt: Receipt, changes: &Changes) {
        let PreparedDelta { delta, encoded } = delta;
        let stored = StoredReceipt {
            body_digest: encoded.body_digest.clone(),
            receipt: receipt.clone(),
        };
        self.known.insert(delta.id.clone(), stored);
        let record = DeltaRecord {
            id: delta.id.clone(),
            tick: receipt.clock,
            revision: receipt.revision,
            at: self.now,
            origin: delta.origin.clone(),
            reasoning: delta.reasoning.clone(),
            body: encoded.body.clone(),
            body_digest: encoded.body_digest.clone(),
            receipt,
            changes: changes.bullets.iter().map(ChangeRecord::of).collect(),
            policy_before: changes.policy.as_ref().map(|(before, _)| before.clone()),
        };
        self.commit
            .events
            .push(EventRecord::Delta(Box::new(record)));
        self.policy_changed |= changes.policy.is_some();
    }

    pub(super) fn retrieve(&mut self, job: &mut RetrieveJob) {
        if let Some(record) = job.rank_under_lock(self.memory, self.now) {
            let tick = self.touch_and_note(record);
            if let Some((answer, _)) = job.recorded() {
                answer.tick = Some(tick);
            }
        }
    }

    /// Touches bullets, unless others changed the memory since they were chosen.
    pub(super) fn record(&mut self, job: &mut RecordJob) {
        let (memory, record) = (&*self.memory, &job.record);
        let stands = memory.revision() == record.revision
            && (!job.strict || memory.clock() == record.ranked_at)
            // One that was made anew may have come to the same revision.
            && record.returned.iter().all(|one| is_there(one, memory));
        job.result = if stands {
            Recorded::Tick(Some(self.touch_and_note(job.record.clone())))
        } else {
            Recorded::Moved
        };
    }

    /// Records a retrieval that was answered earlier.
    pub(super) fn owed(&mut self, job: &mut OwedJob) {
        if let Some(record) = still_there(&job.record, self.memory) {
            self.touch_and_note(record);
        }
    }

    fn touch_and_note(&mut self, mut record: RetrievalRecord) -> u64 {
        let before = self.memory.standing();
        let ids: Vec<BulletId> = record.returned.iter().map(|one| one.bullet).collect();
        // When it was asked, which may be earlier than now: a replay knows only that.
        let changes = touch(self.memory, &ids, record.at);
        record.tick = self.memory.clock();
        let tick = record.tick;
        self.commit.events.push(EventRecord::Retrieval(record));
        self.note(changes, before);
        tick
    }

    fn note(&mut self, changes: Changes, before: Standing) {
        let after = changes.bullets.iter().map(|change| &change.after);
        let after = after.map(|bullet| (bullet.id, bullet.clone()));
        if self.bullets.is_empty() {
            // Made at once from what is in order.
            self.bullets = after.collect()
        } else {
            self.bullets.extend(after)
        }
        self.links
            .extend(changes.links.iter().map(|(_, link)| link.id));
        self.journal.push((changes, before));
    }

    pub(super) fn finish(self) -> (Commit, Vec<(Changes, Standing)>) {
        let Self {
            memory, mut commit, ..
        } = self;
        commit.bullets = self.bullets.into_values().collect();
        commit.links = self
            .links
            .iter()
            .filter_map(|id| memory.link(*id).cloned())
            .collect();
        commit.policy = self.policy_changed.then(|| memory.policy().clone());
        let origin = memory.origin_clock();
        commit.origin_clock = (origin != self.origin_before).then_some(origin);
        (commit, self.journal)
    }
}
