//! Later changes of a delta: a receipt describes the state of its time, but its reader acts on the present state.

use std::collections::BTreeSet;

use super::stored_delta::body_of;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::memory::answers::{AppliedDelta, BulletNow, Since, UndoneBy};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_store::DeltaRecord;

impl Engine {
    /// The undo in force of a delta; absent while the delta is in force.
    pub async fn undone_by(
        &self,
        key: &MemoryKey,
        record: &DeltaRecord,
    ) -> EngineResult<Option<UndoneBy>> {
        Ok(self.undo_tree(key, record).await?.undone_by().cloned())
    }

    /// The answer to a delta that was applied before.
    pub(crate) async fn repeated_answer(
        &self,
        key: &MemoryKey,
        receipt: Receipt,
    ) -> EngineResult<AppliedDelta> {
        let mut applied = AppliedDelta::repeated(receipt);
        if let Some(record) = self.store().delta(key, &applied.receipt.delta).await? {
            applied.operations = body_of(&record)?.operations.len();
            applied.since = self.since(key, &record).await?;
        }
        Ok(applied)
    }

    async fn since(&self, key: &MemoryKey, record: &DeltaRecord) -> EngineResult<Since> {
        let undone_by = self.undone_by(key, record).await?;
        let ids: BTreeSet<BulletId> = record.changes.iter().map(|change| change.bullet).collect();
        let actor = self.actor(key);
        let now = actor
            .memory
            .read_latest(|snapshot| {
                let found = ids.iter().filter_map(|id| snapshot.memory.get(*id));
                let found = found.map(|bullet| (bullet.id, bullet.status, bullet.merged_into));
                found.collect::<Vec<_>>()
            })
            .await?
            .unwrap_or_default();
        // The first later change of a bullet holds, as its `before`, the status that the delta left.
        let ids: Vec<BulletId> = now.iter().map(|(id, ..)| *id).collect();
        let later = self
            .store()
            .later_changes(key, record.revision, &ids)
            .await?;
        let left_as = |id: BulletId| {
            let first = later.iter().find(|one| one.change.bullet == id)?;
            first.change.before.as_ref().map(|before| before.status)
        };
        let changed = now.into_iter().filter_map(|(id, status, merged_into)| {
            let was = left_as(id).filter(|was| *was != status)?;
            Some(BulletNow {
                id,
                was,
                status,
                merged_into,
            })
        });
        Ok(Since {
            undone_by,
            bullets: changed.collect(),
        })
    }
}
