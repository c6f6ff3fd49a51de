//! Verbs: record a reader's evidence about a bullet of another learner, and promote a bullet once enough readers
//! support it.

use super::tuples::unreadable;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::answers::AppliedDelta;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::evidence::{PRINCIPALS_MIN, RUNS_MIN, Support, Testimony};
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::records::testimony::{OF_BULLET, TESTIMONY, TestimonyRow, testimonies_of};
use hindlore_store::records::{RecordCommit, RecordReads, Scan};

impl Engine {
    /// Keeps a principal's verdict on a bullet after a run; a newer verdict for the same run replaces it. The bullet's
    /// own votes stay as they are.
    ///
    /// # Errors
    /// `NoMemory`, `NoBullet`.
    pub async fn testify(
        &self,
        key: &MemoryKey,
        bullet: BulletId,
        said: Testimony,
    ) -> EngineResult<Support> {
        self.active_bullet(key, bullet).await?;
        let owner = owner_of(key)?;
        let row = TestimonyRow {
            scope: key.scope().to_owned(),
            bullet: bullet.to_string(),
            said,
            at: self.now(),
        };
        self.decide_records(&owner, RecordReads::default(), move |_| {
            let commit = RecordCommit {
                puts: vec![row.to_record()],
                deletes: Vec::new(),
            };
            Ok(((), commit))
        })
        .await?;
        self.support_for(key, bullet).await
    }

    /// Counts the verdicts of principals on a bullet, by the oldest 1,000 testimonies.
    pub async fn support_for(&self, key: &MemoryKey, bullet: BulletId) -> EngineResult<Support> {
        let scan = Scan {
            kind: &TESTIMONY,
            order: OF_BULLET,
            range: testimonies_of(key.scope(), &bullet.to_string()),
            limit: PAGE_MAX,
        };
        let found = self.store().scan_records(&owner_of(key)?, scan).await?;
        let rows = found
            .iter()
            .map(|record| TestimonyRow::from_record(record).map_err(unreadable));
        let said = rows
            .map(|row| row.map(|row| row.said))
            .collect::<EngineResult<Vec<_>>>()?;
        Ok(Support::of(&said))
    }

    /// Passes a bullet on into another memory, once it helped two principals in three runs, and harmed in fewer.
    ///
    /// `NoMemory`, `NoBullet`; `Invalid` with the missing evidence.
    pub async fn promote(
        &self,
        (key, bullet): (&MemoryKey, BulletId),
        into: &MemoryKey,
        (id, author): (DeltaId, Option<String>),
    ) -> EngineResult<AppliedDelta> {
        let found = self.active_bullet(key, bullet).await?;
        let support = self.support_for(key, bullet).await?;
        if !support.suffices() {
            return Err(EngineError::Invalid(format!(
                "`{bullet}` helped {} principals in {} runs and harmed in {}; it is passed on from {PRINCIPALS_MIN} \
                 principals and {RUNS_MIN} runs on, if it helped in more than it harmed",
                support.principals, support.runs, support.harmed
            )));
        }
        let new = NewBullet {
            content: found.content.as_str().to_owned(),
            tags: found.tags.clone(),
            section: found.section.clone(),
            kind: Some(found.kind),
            memory_type: Some(found.memory_type),
            topic: found.topic.clone(),
            ..NewBullet::default()
        };
        let mut delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
        delta.origin.author = author;
        delta.reasoning = Some(format!(
            "{bullet} of {key}: {} principals, {} runs",
            support.principals, support.runs
        ));
        self.apply_delta(into, delta).await
    }

    async fn active_bullet(
        &self,
        key: &MemoryKey,
        id: BulletId,
    ) -> EngineResult<hindlore_domain::memory::bullet::Bullet> {
        let view = self
            .view(key)
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let found = view
            .bullets
            .into_iter()
            .find(|bullet| bullet.id == id && bullet.is_active());
        found.ok_or_else(|| EngineError::NoBullet(id.to_string()))
    }
}

fn owner_of(key: &MemoryKey) -> EngineResult<LearnerId> {
    LearnerId::new(key.tenant(), key.learner())
        .map_err(|error| EngineError::Invalid(error.to_string()))
}
