//! The results of a consolidation: merged and refused groups, and those that a rollback restored.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::{Id, Word};
use hindlore::{Consolidated, MergedGroup, RolledBack};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::consolidation::{Detail, DetailKind, Kept, Loss, RefusedGroup};
use hindlore_domain::memory::delta::DeltaId;

/// A consolidation of one memory or several.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ConsolidatedResponse {
    /// Id of the run, for a rollback; null without a memory.
    #[schemars(with = "Option<String>")]
    pub run: Option<String>,
    /// True if nothing was changed.
    pub dry_run: bool,
    /// Bullets that became part of another, or would.
    pub merged: u64,
    /// Bullets that they became.
    pub made: u64,
    /// Active bullets that stay as they are.
    pub preserved: u64,
    /// Refused groups.
    pub refused: u64,
    /// Bytes of the sources less those of the results.
    pub space_saved_bytes: u64,
    /// The memories, ascending by key.
    pub memories: Vec<MemoryConsolidation>,
}

/// The consolidation of one memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MemoryConsolidation {
    /// Its tenant.
    pub tenant: String,
    /// Its learner.
    pub learner: String,
    /// Its scope.
    pub scope: String,
    /// Deltas that were applied.
    #[schemars(with = "Vec<Id>")]
    pub deltas: Vec<DeltaId>,
    /// Bullets that became part of another.
    pub merged: u64,
    /// Bullets that they became.
    pub made: u64,
    /// Active bullets that stay as they are.
    pub preserved: u64,
    /// Those of them that were no candidates, by reason.
    pub kept: Vec<KeptResponse>,
    /// Refused groups.
    pub refused: u64,
    /// Bytes of the sources less those of the results.
    pub space_saved_bytes: u64,
    /// The first groups.
    pub groups: Vec<GroupResponse>,
    /// The first refused groups.
    pub refused_groups: Vec<RefusedGroupResponse>,
    /// Why the memory was left out as a whole; null: it was not.
    pub left_out: Option<String>,
}

/// How many active bullets were no candidates for one reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "KeptCountResponse")]
pub struct KeptResponse {
    /// The reason.
    #[schemars(with = "Word<Kept>")]
    pub reason: Kept,
    /// Bullets.
    pub bullets: u64,
}

/// A group of bullets that became one.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ConsolidatedGroupResponse")]
pub struct GroupResponse {
    /// The new bullet; null in a dry run.
    #[schemars(with = "Option<Id>")]
    pub bullet: Option<BulletId>,
    /// The bullets it was made of, the richest first.
    #[schemars(with = "Vec<Id>")]
    pub sources: Vec<BulletId>,
    /// Its text.
    pub content: String,
    /// Bytes of the sources.
    pub bytes_before: u64,
    /// Bytes of the text.
    pub bytes_after: u64,
    /// Share of details and content words of the sources that the text lacks, in 0..=1.
    pub loss: f64,
    /// The missing details.
    pub lost: Vec<LostResponse>,
}

/// Similar bullets that stay apart.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RefusedGroupResponse {
    /// The bullets.
    #[schemars(with = "Vec<Id>")]
    pub sources: Vec<BulletId>,
    /// Why they stay apart.
    pub reason: String,
    /// Share of details and content words that a merge would have lost, in 0..=1; null: it was not that.
    pub loss: Option<f64>,
    /// The loss that it would have had.
    pub lost: Vec<LostResponse>,
}

/// A detail or a content word that a text lacks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LostResponse {
    /// The kind of detail.
    #[schemars(with = "Word<DetailKind>")]
    pub kind: DetailKind,
    /// Its canonical form; of a word its stem.
    pub value: String,
}

/// A consolidation that was rolled back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RolledBackResponse {
    /// Id of the run.
    pub run: String,
    /// Its deltas that were undone now, the last one first.
    #[schemars(with = "Vec<Id>")]
    pub undone: Vec<DeltaId>,
    /// Its deltas that were undone before.
    pub already: u64,
    /// Bullets that are active again.
    pub restored: u64,
    /// Consolidated bullets that are archived now.
    pub archived: u64,
    /// Content digest afterwards.
    pub content_digest: String,
}

impl ConsolidatedResponse {
    /// The answer, with at most `limit` groups, and as many refused ones, of each memory.
    pub fn new(done: &[Consolidated], dry_run: bool, limit: usize) -> Self {
        let sum = |of: fn(&Consolidated) -> u64| done.iter().map(of).sum();
        Self {
            run: done.first().map(|one| one.run.clone()),
            dry_run,
            merged: sum(|one| one.merged),
            made: sum(|one| one.made),
            preserved: sum(|one| one.preserved),
            refused: sum(|one| one.refused),
            space_saved_bytes: sum(|one| one.space_saved_bytes),
            memories: done
                .iter()
                .map(|one| MemoryConsolidation::new(one, limit))
                .collect(),
        }
    }
}

impl MemoryConsolidation {
    fn new(done: &Consolidated, limit: usize) -> Self {
        let kept = done.kept.iter();
        let kept = kept.map(|(reason, bullets)| KeptResponse {
            reason: *reason,
            bullets: *bullets,
        });
        let groups = done.groups.iter().take(limit);
        let refused = done.refused_groups.iter().take(limit);
        Self {
            tenant: done.key.tenant().to_owned(),
            learner: done.key.learner().to_owned(),
            scope: done.key.scope().to_owned(),
            deltas: done.deltas.clone(),
            merged: done.merged,
            made: done.made,
            preserved: done.preserved,
            kept: kept.collect(),
            refused: done.refused,
            space_saved_bytes: done.space_saved_bytes,
            groups: groups.map(GroupResponse::from).collect(),
            refused_groups: refused.map(RefusedGroupResponse::from).collect(),
            left_out: done.left_out.clone(),
        }
    }
}

impl From<&MergedGroup> for GroupResponse {
    fn from(merged: &MergedGroup) -> Self {
        let group = &merged.group;
        Self {
            bullet: merged.bullet,
            sources: group.ids(),
            content: group.content.clone(),
            bytes_before: group.bytes_before,
            bytes_after: group.bytes_after,
            loss: group.loss.share(),
            lost: lost(&group.loss),
        }
    }
}

impl From<&RefusedGroup> for RefusedGroupResponse {
    fn from(group: &RefusedGroup) -> Self {
        Self {
            sources: group.sources.clone(),
            reason: group.reason.clone(),
            loss: group.loss.as_ref().map(Loss::share),
            lost: group.loss.as_ref().map(lost).unwrap_or_default(),
        }
    }
}

impl From<&RolledBack> for RolledBackResponse {
    fn from(done: &RolledBack) -> Self {
        Self {
            run: done.run.clone(),
            undone: done.undone.clone(),
            already: done.already,
            restored: done.restored,
            archived: done.archived,
            content_digest: done.content_digest.clone(),
        }
    }
}

fn lost(loss: &Loss) -> Vec<LostResponse> {
    let response = |detail: &Detail| LostResponse {
        kind: detail.kind,
        value: detail.value.clone(),
    };
    loss.lost.iter().map(response).collect()
}
