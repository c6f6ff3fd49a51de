//! A store that fails on demand: before it does anything, after all is done, or in between.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, LessonTotals, LessonsCopy,
    LessonsFound, Neighbourhood, NeighbourhoodAsk, RunPage,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};
use hindlore_store::lessons::transaction::{Ask, DecideLessons};
use hindlore_store::records::{DecideRecords, Record, RecordKey, RecordReads, RecordStore, Scan};
use hindlore_store::{
    CascadeOrder, CatchUp, Checkpoint, Cost, Creation, Decide, DecideCascade, DeltaPage,
    DeltaRecord, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure, ErrorKind, EventRecord,
    Finding, FoldOrder, Head, HistoryStore, ImagePart, Known, LaterChange, LessonStore,
    MaintenanceStore, MemoryCopy, MemoryImage, MemoryStore, MemorySummary, Mention, NotWiped,
    Outcome, Position, RetrievalRecord, SchemaStatus, Store, StoreError, StoreHints, StoreResult,
    TakeParts, TouchBatch, TouchOutcome, Usage,
};
use hindlore_store::{Repairs, ShapeFault};
use tokio::sync::Notify;

/// How the next writes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Well.
    None,
    /// They fail before anything is done.
    Before,
    /// All is done, but the answer is lost.
    After,
    /// The decision is asked for twice, and the second counts.
    Twice,
    /// They fail after the decision, once the test lets them continue.
    Decided,
    /// They panic in the task of the engine.
    Panic,
    /// They succeed, but the creator of a memory hears of it only once the test continues.
    Made,
    /// They succeed, but a reader of events reads them only once the test continues.
    Read,
    /// They succeed, but a writer of deltas begins only once the test continues.
    Begin,
}

/// A store with faults.
pub(crate) struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: Mutex<Fault>,
    /// Notified when a write with the fault `Decided` has decided, one with `Made` has made a memory, or a read with
    /// `Read` or a write with `Begin` is about to begin.
    pub(crate) reached: Notify,
    /// Lets it continue.
    pub(crate) go_on: Notify,
}

impl FaultyStore {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            fault: Mutex::new(Fault::None),
            reached: Notify::new(),
            go_on: Notify::new(),
        })
    }

    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }

    fn fault(&self) -> Fault {
        *self.fault.lock().unwrap()
    }
}

fn failure(fault: Fault) -> StoreError {
    let kind = match fault {
        Fault::After => ErrorKind::UnknownOutcome,
        _ => ErrorKind::Unavailable,
    };
    StoreError::new(kind, "write", "the test wants it so")
}

#[async_trait]
impl MemoryStore for FaultyStore {
    async fn create(&self, creation: Creation) -> StoreResult<Head> {
        let head = self.inner.create(creation).await?;
        if self.fault() == Fault::Made {
            self.reached.notify_one();
            self.go_on.notified().await;
        }
        Ok(head)
    }

    async fn head(&self, key: &MemoryKey) -> StoreResult<Option<Head>> {
        self.inner.head(key).await
    }

    async fn load_parts(&self, key: &MemoryKey, take: TakeParts) -> StoreResult<bool> {
        self.inner.load_parts(key, take).await
    }

    async fn image(
        &self,
        key: &MemoryKey,
        part: ImagePart,
    ) -> StoreResult<Option<MemoryImage<Vec<u8>>>> {
        self.inner.image(key, part).await
    }

    async fn put_image(
        &self,
        key: &MemoryKey,
        image: MemoryImage<[Vec<u8>; 2]>,
    ) -> StoreResult<()> {
        self.inner.put_image(key, image).await
    }

    fn hints(&self) -> StoreHints {
        self.inner.hints()
    }

    async fn changes_since(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<CatchUp>> {
        self.inner.changes_since(key, clock).await
    }

    async fn transact(
        &self,
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        mut decide: Decide,
    ) -> StoreResult<Outcome> {
        let fault = self.fault();
        match fault {
            Fault::None | Fault::Made | Fault::Read => {
                return self.inner.transact(key, known, deltas, decide).await;
            }
            Fault::Begin => {
                self.reached.notify_one();
                self.go_on.notified().await;
                return self.inner.transact(key, known, deltas, decide).await;
            }
            Fault::Before => {}
            Fault::After => {
                self.inner.transact(key, known, deltas, decide).await?;
            }
            Fault::Twice => {
                // A transaction that the backend repeats: the first decision comes to nothing.
                let changed = self.inner.changes_since(key, known.clock()).await?;
                changed.map(&mut decide);
                return self.inner.transact(key, known, deltas, decide).await;
            }
            Fault::Decided => {
                let changed = self.inner.changes_since(key, known.clock()).await?;
                changed.map(&mut decide);
                self.reached.notify_one();
                self.go_on.notified().await;
            }
            Fault::Panic => panic!("the backend panics"),
        }
        Err(failure(fault))
    }

    async fn touch(&self, key: &MemoryKey, batch: TouchBatch) -> StoreResult<TouchOutcome> {
        let fault = self.fault();
        match fault {
            Fault::None | Fault::Twice | Fault::Made | Fault::Read | Fault::Begin => {
                return self.inner.touch(key, batch).await;
            }
            Fault::After => {
                self.inner.touch(key, batch).await?;
            }
            Fault::Before | Fault::Decided => {}
            Fault::Panic => panic!("the backend panics"),
        }
        Err(failure(fault))
    }
}

#[async_trait]
impl HistoryStore for FaultyStore {
    async fn deltas(&self, key: &MemoryKey, page: DeltaPage) -> StoreResult<Vec<DeltaRecord>> {
        self.inner.deltas(key, page).await
    }

    async fn delta(&self, key: &MemoryKey, id: &DeltaId) -> StoreResult<Option<DeltaRecord>> {
        self.inner.delta(key, id).await
    }

    async fn later_changes(
        &self,
        key: &MemoryKey,
        revision: u64,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<LaterChange>> {
        self.inner.later_changes(key, revision, bullets).await
    }

    async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> StoreResult<Vec<EventRecord>> {
        if self.fault() == Fault::Read {
            self.reached.notify_one();
            self.go_on.notified().await;
        }
        self.inner.events(key, tick, limit).await
    }

    async fn retrieval(&self, key: &MemoryKey, id: &str) -> StoreResult<Option<RetrievalRecord>> {
        self.inner.retrieval(key, id).await
    }

    async fn retrievals(
        &self,
        key: &MemoryKey,
        below_tick: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<RetrievalRecord>> {
        self.inner.retrievals(key, below_tick, limit).await
    }

    async fn usage(
        &self,
        key: &MemoryKey,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<(BulletId, Usage)>> {
        self.inner.usage(key, bullets).await
    }

    async fn checkpoint(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<Checkpoint>> {
        self.inner.checkpoint(key, clock).await
    }

    async fn compact(&self, key: &MemoryKey, checkpoint: Checkpoint) -> StoreResult<u64> {
        self.inner.compact(key, checkpoint).await
    }

    async fn fold_deltas(
        &self,
        key: &MemoryKey,
        incarnation: &str,
        order: FoldOrder,
    ) -> StoreResult<u64> {
        self.inner.fold_deltas(key, incarnation, order).await
    }
}

#[async_trait]
impl MaintenanceStore for FaultyStore {
    async fn tenants(&self) -> StoreResult<Vec<String>> {
        self.inner.tenants().await
    }

    async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<MemorySummary>> {
        self.inner.memories(tenant, learner).await
    }

    async fn lost(&self, key: &MemoryKey) -> StoreResult<Vec<String>> {
        self.inner.lost(key).await
    }

    async fn restore(&self, key: &MemoryKey, policy: Option<Policy>) -> StoreResult<()> {
        self.inner.restore(key, policy).await
    }

    async fn costs(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Cost>> {
        self.inner.costs(tenant, learner).await
    }

    async fn check(&self) -> StoreResult<Vec<Finding>> {
        self.inner.check().await
    }

    async fn shape(&self, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>> {
        self.inner.shape(key).await
    }

    async fn wrong_values(
        &self,
        key: &MemoryKey,
        bullet: BulletId,
    ) -> StoreResult<Vec<ShapeFault>> {
        self.inner.wrong_values(key, bullet).await
    }

    async fn repair(&self, key: &MemoryKey, repairs: &Repairs) -> StoreResult<()> {
        self.inner.repair(key, repairs).await
    }

    async fn schema(&self) -> StoreResult<SchemaStatus> {
        self.inner.schema().await
    }

    async fn migrate(&self) -> StoreResult<Vec<String>> {
        self.inner.migrate().await
    }

    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>> {
        self.inner.copy_out(key).await
    }

    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()> {
        self.inner.copy_in(copy, over).await
    }
}

/// So does an erase.
#[async_trait]
impl EraseStore for FaultyStore {
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased> {
        self.inner.held(tenant, learner, scope).await
    }

    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure> {
        self.inner.erase(order).await
    }

    async fn strike(&self, order: CascadeOrder, decide: DecideCascade) -> StoreResult<Erasure> {
        self.inner.strike(order, decide).await
    }

    async fn mentions(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Mention>> {
        self.inner.mentions(tenant, learner).await
    }

    async fn beyond_reach(&self) -> StoreResult<Vec<String>> {
        self.inner.beyond_reach().await
    }

    async fn wipe(&self) -> StoreResult<Option<NotWiped>> {
        self.inner.wipe().await
    }

    async fn receipts(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<EraseReceipt>> {
        self.inner.receipts(tenant, learner).await
    }
}

/// Lessons go through: no fault is wanted there.
#[async_trait]
impl LessonStore for FaultyStore {
    async fn transact_lessons(
        &self,
        owner: &LearnerId,
        ask: Ask,
        decide: DecideLessons,
    ) -> StoreResult<()> {
        self.inner.transact_lessons(owner, ask, decide).await
    }

    async fn run(&self, owner: &LearnerId, id: &str) -> StoreResult<Option<RunContents>> {
        self.inner.run(owner, id).await
    }

    async fn runs(&self, owner: &LearnerId, page: RunPage) -> StoreResult<Vec<RunRow>> {
        self.inner.runs(owner, page).await
    }

    async fn idle_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        self.inner.idle_runs(owner, before, limit).await
    }

    async fn relearning_queue(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<RunRow>> {
        self.inner.relearning_queue(owner, limit).await
    }

    async fn due_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        self.inner.due_runs(owner, before, limit).await
    }

    async fn lessons_by_id(
        &self,
        owner: &LearnerId,
        ids: &[LessonId],
    ) -> StoreResult<LessonsFound> {
        self.inner.lessons_by_id(owner, ids).await
    }

    async fn lessons_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
        per_fingerprint: usize,
    ) -> StoreResult<LessonsFound> {
        self.inner
            .lessons_triggered_by(owner, fingerprints, per_fingerprint)
            .await
    }

    async fn lessons_of_wrong_forms(
        &self,
        owner: &LearnerId,
        keys: &[String],
        per_key: usize,
    ) -> StoreResult<LessonsFound> {
        self.inner
            .lessons_of_wrong_forms(owner, keys, per_key)
            .await
    }

    async fn lessons_ever_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>> {
        self.inner
            .lessons_ever_triggered_by(owner, fingerprints)
            .await
    }

    async fn neighbourhood(
        &self,
        owner: &LearnerId,
        ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood> {
        self.inner.neighbourhood(owner, ask).await
    }

    async fn lessons(&self, owner: &LearnerId, page: LessonPage) -> StoreResult<Vec<Lesson>> {
        self.inner.lessons(owner, page).await
    }

    async fn lesson_records(
        &self,
        owner: &LearnerId,
        lesson: LessonId,
        limit: usize,
    ) -> StoreResult<LessonRecords> {
        self.inner.lesson_records(owner, lesson, limit).await
    }

    async fn decisions(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<Decision>> {
        self.inner.decisions(owner, limit).await
    }

    async fn fingerprints(
        &self,
        owner: &LearnerId,
        ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>> {
        self.inner.fingerprints(owner, ids).await
    }

    async fn errors(&self, owner: &LearnerId, page: ErrorPage) -> StoreResult<Vec<ErrorEvent>> {
        self.inner.errors(owner, page).await
    }

    async fn activations_by_id(
        &self,
        owner: &LearnerId,
        ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>> {
        self.inner.activations_by_id(owner, ids).await
    }

    async fn activations(
        &self,
        owner: &LearnerId,
        page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>> {
        self.inner.activations(owner, page).await
    }

    async fn conflicts(&self, owner: &LearnerId, page: ConflictPage) -> StoreResult<Vec<Conflict>> {
        self.inner.conflicts(owner, page).await
    }

    async fn lesson_totals(&self, owner: &LearnerId) -> StoreResult<LessonTotals> {
        self.inner.lesson_totals(owner).await
    }

    async fn lesson_learners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        self.inner.lesson_learners(tenant, after).await
    }

    async fn copy_lessons_out(&self, owner: &LearnerId) -> StoreResult<Option<LessonsCopy>> {
        self.inner.copy_lessons_out(owner).await
    }

    async fn adopt_lessons(&self, owner: &LearnerId) -> StoreResult<Vec<LessonId>> {
        self.inner.adopt_lessons(owner).await
    }

    async fn copy_lessons_in(&self, copy: LessonsCopy) -> StoreResult<()> {
        self.inner.copy_lessons_in(copy).await
    }
}

#[async_trait]
impl RecordStore for FaultyStore {
    async fn transact_records(
        &self,
        owner: &LearnerId,
        reads: RecordReads,
        decide: DecideRecords,
    ) -> StoreResult<()> {
        self.inner.transact_records(owner, reads, decide).await
    }

    async fn records(&self, owner: &LearnerId, keys: &[RecordKey]) -> StoreResult<Vec<Record>> {
        self.inner.records(owner, keys).await
    }

    async fn scan_records(&self, owner: &LearnerId, scan: Scan) -> StoreResult<Vec<Record>> {
        self.inner.scan_records(owner, scan).await
    }

    async fn export_records(&self, owner: &LearnerId) -> StoreResult<Option<Vec<Record>>> {
        self.inner.export_records(owner).await
    }

    async fn import_records(&self, owner: &LearnerId, records: Vec<Record>) -> StoreResult<()> {
        self.inner.import_records(owner, records).await
    }

    async fn record_owners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        self.inner.record_owners(tenant, after).await
    }
}
