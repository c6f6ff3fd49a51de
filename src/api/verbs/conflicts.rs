//! Verbs about conflicts: contradicting bullets and lessons, and a person's decisions about them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, place};
use crate::problem::Problem;
use crate::responses::conflicts::{OpenConflictsResponse, PairsPlace, ResolvedResponse};
use crate::verb::{Context, Verb, verb};
use hindlore::{ConflictDecision, ConflictRequest};
use hindlore_store::lessons::reading::ConflictPage;

/// List bullets and lessons that contradict each other and wait for a decision.
///
/// Bullets are those of the memory, lessons those of its learner. Of each pair the votes are shown: the better
/// supported one comes first in answers until it is decided.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListOpenConflicts {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many pairs of each.
    #[serde(default = "super::lessons::rows")]
    pub limit: usize,
}

impl Verb for ListOpenConflicts {
    verb!("conflicts.list", Memory, Reads, idempotent -> OpenConflictsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        let after: PairsPlace = place(self.after.as_deref())?.unwrap_or_default();
        let page = (after.bullets, self.limit);
        let bullets = engine.bullet_conflicts(&context.key, page).await?;
        let page = ConflictPage {
            lesson: None,
            after: after.lessons,
            limit: self.limit,
        };
        let lessons = engine.lesson_conflicts(&owner, page).await?;
        Ok(OpenConflictsResponse::new(bullets, lessons, after))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets.is_empty() && answer.lessons.is_empty()
    }
}

/// Decision about two that contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionChoice {
    /// The first stays; the other is rejected, or archived if it is a lesson.
    KeepOne,
    /// Both stay; give the reason.
    KeepBoth,
    /// The first stays and takes over votes and triggers of the other.
    Merge,
    /// Take an earlier decision back.
    Reopen,
}

impl From<DecisionChoice> for ConflictDecision {
    fn from(choice: DecisionChoice) -> Self {
        match choice {
            DecisionChoice::KeepOne => Self::KeepOne,
            DecisionChoice::KeepBoth => Self::KeepBoth,
            DecisionChoice::Merge => Self::Merge,
            DecisionChoice::Reopen => Self::Reopen,
        }
    }
}

/// Decide about two bullets or two lessons that contradict each other.
///
/// The pair is not reported again. A decision about bullets is a delta that can be undone; one about lessons is
/// recorded with its reviews, and `reopen` takes it back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveConflict {
    /// The bullet or lesson that stays: its id, or a beginning of it that is unique.
    #[schemars(length(max = 256))]
    pub one: String,
    /// The other one, of the same sort.
    #[schemars(length(max = 256))]
    pub other: String,
    /// The decision.
    pub decision: DecisionChoice,
    /// Why, for the history; `keep_both` needs it.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Verb for ResolveConflict {
    verb!("conflicts.resolve", Memory, Writes, not idempotent -> ResolvedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let lacks_reason = self
            .reason
            .as_ref()
            .is_none_or(|reason| reason.trim().is_empty());
        if self.decision == DecisionChoice::KeepBoth && lacks_reason {
            return Err(
                Problem::new("invalid_request", "both can only be kept for a reason")
                    .with_hint("give in <field:reason> the condition of each"),
            );
        }
        let (engine, is_lesson) = (&context.engine, self.one.starts_with("l_"));
        if is_lesson != self.other.starts_with("l_") {
            return Err(
                Problem::new("invalid_request", "a bullet and a lesson are no conflict")
                    .with_hint("name two bullets (b_…) or two lessons (l_…)"),
            );
        }
        let request = ConflictRequest {
            one: self.one,
            other: self.other,
            decision: self.decision.into(),
            reason: self.reason,
            author: context.author.clone(),
        };
        if is_lesson {
            let owner = context.owner()?;
            let settled = engine.resolve_lesson_conflict(&owner, request).await?;
            return Ok(ResolvedResponse::of_lessons(settled));
        }
        let applied = engine
            .resolve_bullet_conflict(&context.key, request)
            .await?;
        Ok(ResolvedResponse::of_bullets(applied))
    }
}
