//! Verb: consolidate a memory, or all memories of a level.
//!
//! The plan is made on a copy, outside of every lock, and applied in batches, each an ordinary delta. A batch is
//! applied as a whole or not at all, so an interrupted run leaves a sound memory; the same run id resumes it, and its
//! rollback undoes all of its batches.

use std::collections::BTreeMap;
use std::pin::Pin;

use super::consolidating::{Batch, Planning};
use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::answers::AppliedDelta;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::consolidation::{
    Choice, Group, Kept, Proposal, RefusedGroup, collect,
};
use hindlore_domain::memory::delta::{Delta, DeltaId, LABEL_MAX_CHARS, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::word_enum;

/// Groups, and refused groups, of one memory that an answer holds, at most.
const LISTED_MAX: usize = 1_000;
/// Growth after which a memory is consolidated in the background again, in bullets.
const GROWTH: u64 = 1_000;
/// Sources of a batch in the background.
const BATCH: usize = 500;

word_enum! {
    /// Which memories a consolidation visits. Bullets of two memories never become one.
    Level {
        /// The memory itself: one learner in one scope.
        Agent = "agent",
        /// All scopes of the learner.
        User = "user",
        /// All memories of the tenant.
        Tenant = "tenant",
        /// All memories of the store.
        Global = "global",
    }
}

/// Selection and options of a consolidation.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsolidateRequest {
    /// Id of the run; an earlier id resumes that run. `None`: a fresh one.
    pub run: Option<String>,
    /// Which bullets.
    pub choice: Choice,
    /// Only plan.
    pub dry_run: bool,
    /// Sources of one delta, at least; its last group is whole.
    pub batch: usize,
    /// Texts for groups that the caller chose, to be checked; then nothing else is merged.
    pub texts: Vec<Proposal>,
    /// Author of the request.
    pub author: Option<String>,
}

/// The consolidation of one memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Consolidated {
    /// The memory.
    pub key: MemoryKey,
    /// Id of the run, for a rollback.
    pub run: String,
    /// Deltas that were applied now, in order.
    pub deltas: Vec<DeltaId>,
    /// Bullets that became part of another.
    pub merged: u64,
    /// Bullets that they became.
    pub made: u64,
    /// Active bullets that stay as they are.
    pub preserved: u64,
    /// Those of them that were no candidates, by reason.
    pub kept: BTreeMap<Kept, u64>,
    /// Groups that were refused.
    pub refused: u64,
    /// Bytes of the sources less those of the results.
    pub space_saved_bytes: u64,
    /// The groups, in order; at most 1,000.
    pub groups: Vec<MergedGroup>,
    /// The refused groups, in order; at most 1,000.
    pub refused_groups: Vec<RefusedGroup>,
    /// Why the memory was left out as a whole.
    pub left_out: Option<String>,
}

/// A group, and the bullet that it became.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedGroup {
    /// The group as planned.
    pub group: Group,
    /// The new bullet; `None` in a dry run.
    pub bullet: Option<BulletId>,
}

impl Consolidated {
    pub(super) fn new(key: &MemoryKey, run: &str) -> Self {
        Self {
            key: key.clone(),
            run: run.to_owned(),
            deltas: Vec::new(),
            merged: 0,
            made: 0,
            preserved: 0,
            kept: BTreeMap::new(),
            refused: 0,
            space_saved_bytes: 0,
            groups: Vec::new(),
            refused_groups: Vec::new(),
            left_out: None,
        }
    }

    fn note_merged(&mut self, group: Group, bullet: Option<BulletId>) {
        let sources = group.sources.len() as u64;
        self.merged += sources;
        self.made += 1;
        self.preserved = self.preserved.saturating_sub(sources);
        self.space_saved_bytes += group.bytes_before.saturating_sub(group.bytes_after);
        if self.groups.len() < LISTED_MAX {
            self.groups.push(MergedGroup { group, bullet });
        }
    }

    fn note_refused(&mut self, group: RefusedGroup) {
        self.refused += 1;
        if self.refused_groups.len() < LISTED_MAX {
            self.refused_groups.push(group);
        }
    }
}

impl Engine {
    /// Consolidates every memory of a level around one, ascending by key.
    ///
    /// # Errors
    ///
    /// At the level `agent`, the errors of [`Engine::consolidate`]. At a wider level a memory that cannot be
    /// consolidated is left out with its reason; a failing store is an error.
    pub async fn consolidate_level(
        &self,
        key: &MemoryKey,
        level: Level,
        request: ConsolidateRequest,
    ) -> EngineResult<Vec<Consolidated>> {
        if level == Level::Agent {
            return Ok(vec![self.consolidate(key, request).await?]);
        }
        if !request.texts.is_empty() {
            return Err(EngineError::Invalid(
                "texts are for the bullets of one memory; use the level agent".to_owned(),
            ));
        }
        let run = run_id(request.run.as_deref())?;
        let mut done = Vec::new();
        for key in self.memories_of(key, level).await? {
            let request = ConsolidateRequest {
                run: Some(run.clone()),
                ..request.clone()
            };
            done.push(match self.consolidate(&key, request).await {
                Err(EngineError::Invalid(reason)) => Consolidated {
                    left_out: Some(reason),
                    ..Consolidated::new(&key, &run)
                },
                Err(EngineError::Refused(reason)) => Consolidated {
                    left_out: Some(reason.to_string()),
                    ..Consolidated::new(&key, &run)
                },
                consolidated => consolidated?,
            });
        }
        Ok(done)
    }

    async fn memories_of(&self, key: &MemoryKey, level: Level) -> EngineResult<Vec<MemoryKey>> {
        let tenants = match level {
            Level::Global => self.tenants().await?,
            Level::Agent | Level::User | Level::Tenant => vec![key.tenant().to_owned()],
        };
        let learner = (level == Level::User).then(|| key.learner());
        let mut keys = Vec::new();
        for tenant in tenants {
            let memories = self.memories(&tenant, learner).await?;
            keys.extend(memories.into_iter().map(|memory| memory.key));
        }
        keys.sort();
        Ok(keys)
    }

    /// Consolidates one memory.
    ///
    /// # Errors
    ///
    /// `NoMemory`; `Invalid` for a memory in classic mode and for an invalid run id. A text that is empty or unfaithful
    /// is no error: its group is refused.
    pub async fn consolidate(
        &self,
        key: &MemoryKey,
        request: ConsolidateRequest,
    ) -> EngineResult<Consolidated> {
        let run = run_id(request.run.as_deref())?;
        let (choice, now) = (request.choice, self.now());
        let read = |memory: &Memory| {
            let is_classic = memory.policy().is_classic();
            let active = memory.status_counts().active;
            (!is_classic).then(|| (collect(memory, &choice, now), active))
        };
        if self.store().head(key).await?.is_none() {
            return Err(EngineError::NoMemory(key.clone()));
        }
        let Some((candidates, active)) = self.read_memory(key, read).await? else {
            return Err(EngineError::Invalid(
                "a memory in classic mode is not consolidated".to_owned(),
            ));
        };
        let mut done = Consolidated::new(key, &run);
        done.preserved = active;
        done.kept.clone_from(&candidates.kept);
        let guard = self.context().tables().guard.clone();
        let context = self.context().clone();
        let mut planning = Planning::begin(context, candidates, choice, guard).await?;
        let mut number = 0;
        let is_given = !request.texts.is_empty();
        loop {
            let batch = if is_given {
                planning.proposed(request.texts.clone()).await?
            } else {
                planning.next(request.batch).await?
            };
            let is_last = is_given || batch.is_last;
            self.apply_batch(&request, &mut done, &mut number, batch)
                .await?;
            if is_last {
                return Ok(done);
            }
        }
    }

    /// Applies a batch as one delta; of a dry run, only notes it.
    async fn apply_batch(
        &self,
        request: &ConsolidateRequest,
        done: &mut Consolidated,
        number: &mut u64,
        batch: Batch,
    ) -> EngineResult<()> {
        batch
            .refused
            .into_iter()
            .for_each(|refused| done.note_refused(refused));
        if request.dry_run || batch.groups.is_empty() {
            let groups = batch.groups.into_iter();
            groups.for_each(|group| done.note_merged(group, None));
            return Ok(());
        }
        let operations: Vec<Operation> = batch.groups.iter().map(Group::operation).collect();
        let (id, applied) = loop {
            let id = batch_id(&done.key, &done.run, *number);
            *number += 1;
            // An earlier attempt of this run has written a batch under this id.
            if self.store().delta(&done.key, &id).await?.is_some() {
                continue;
            }
            let mut delta = Delta::new(id.clone(), operations.clone());
            delta.reasoning = Some(format!("consolidation {}, batch {number}", done.run));
            delta.origin.author.clone_from(&request.author);
            // A source that changed since the plan refuses its group, not the batch.
            delta.lenient = true;
            match self.apply_consolidation(&done.key, delta, request).await {
                // The same run may continue in another process, too.
                Err(EngineError::DeltaReused(_)) => {}
                applied => break (id, applied?),
            }
        };
        done.deltas.push(id.clone());
        for (ordinal, group) in batch.groups.into_iter().enumerate() {
            let refused = &applied.receipt.refused;
            match refused.iter().find(|one| one.operation == ordinal) {
                Some(refused) => done.note_refused(RefusedGroup {
                    sources: group.ids(),
                    reason: refused.reason.clone(),
                    loss: None,
                }),
                None => {
                    // Derived as the application derives it, so the new bullet is known without a read.
                    let bullet = BulletId::derive(&done.key, id.as_str(), ordinal as u64);
                    done.note_merged(group, Some(bullet));
                }
            }
        }
        Ok(())
    }

    /// Secrets are removed from texts of others; texts of the memory have none.
    async fn apply_consolidation(
        &self,
        key: &MemoryKey,
        delta: Delta,
        request: &ConsolidateRequest,
    ) -> EngineResult<AppliedDelta> {
        if request.texts.is_empty() {
            self.apply_unredacted(key, delta).await
        } else {
            self.apply_delta(key, delta).await
        }
    }

    /// Consolidates a memory in the background when a delta brought it above the limit, and again each time that it has
    /// grown by 1,000 bullets. The instance whose delta crosses the line does it, so several share the work.
    pub(crate) fn consolidate_if_grown(&self, key: &MemoryKey, applied: &AppliedDelta) {
        let Some(above) = self.options().consolidate_above else {
            return;
        };
        let changes = applied.changes.bullets.iter();
        let is_active = Bullet::is_active;
        let came = changes
            .clone()
            .filter(|it| is_active(&it.after) && !it.before.as_deref().is_some_and(is_active))
            .count() as u64;
        let after = applied.active;
        let before = after.saturating_sub(came);
        let line = |active: u64| active.saturating_sub(above).div_ceil(GROWTH);
        if line(after) <= line(before) {
            return;
        }
        let (engine, key) = (self.clone(), key.clone());
        self.context().spawn(async move {
            engine.consolidate_unasked(&key).await;
        });
    }

    /// Boxed under its own type: applying may begin another consolidation, and the compiler could not see an end.
    fn consolidate_unasked<'e>(
        &'e self,
        key: &'e MemoryKey,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'e>> {
        let request = ConsolidateRequest {
            run: None,
            choice: Choice::default(),
            dry_run: false,
            batch: BATCH,
            texts: Vec::new(),
            author: None,
        };
        Box::pin(async move {
            match self.consolidate(key, request).await {
                Ok(done) => crate::log::consolidated(key, &done.run, done.merged, done.made),
                // Classic memories are left alone; the rest is tried again when the memory has grown.
                Err(error) => crate::log::consolidation_failed(key, &error),
            }
        })
    }
}

/// Returns the id of a batch of a run, which no caller can give.
pub(crate) fn batch_id(key: &MemoryKey, run: &str, number: u64) -> DeltaId {
    DeltaId::from_verb("consolidate", &[&key.derived(), run, &number.to_string()])
}

/// Checks the id of a run, or makes a fresh one.
fn run_id(given: Option<&str>) -> EngineResult<String> {
    match given.map(str::trim) {
        None => random_id("c").map_err(|error| EngineError::Invalid(error.to_string())),
        Some(run) if run.is_empty() || run.chars().count() > LABEL_MAX_CHARS => {
            Err(EngineError::Invalid(format!(
                "the id of a consolidation has 1 to {LABEL_MAX_CHARS} characters"
            )))
        }
        Some(run) if run.chars().any(char::is_control) => Err(EngineError::Invalid(
            "the id of a consolidation has no control characters".to_owned(),
        )),
        Some(run) => Ok(run.to_owned()),
    }
}
