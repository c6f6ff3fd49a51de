//! Verbs about deltas: the changes of a memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cursor::{CURSOR_MAX, cursor, place};
use crate::delta_input::{self, DeltaInput};
use crate::problem::Problem;
use crate::responses::{DeltaApplied, DeltaRow, DeltasResponse};
use crate::verb::{Context, MissingStore, Verb, number, verb};
use hindlore::Engine;
use hindlore_domain::memory::delta::{Delta, LABEL_MAX_CHARS, OPERATIONS_MAX};
use hindlore_store::DeltaPage;

/// Apply a delta, all of it or nothing, exactly once.
///
/// A delta is a list of operations on the bullets of a memory, decided in order and written in one
/// transaction. Sent again with the same id it changes nothing and returns the same answer.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyDelta {
    /// Id of the delta; sent again with the same id, it is applied once. By default a fresh one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub id: Option<String>,
    /// Person or agent who wrote it, for the history, if the caller has no name of its own; the holder of a key signs
    /// as its key, and one that claims to be another is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LABEL_MAX_CHARS))]
    pub author: Option<String>,
    /// Why, for the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Apply only if the memory is at this revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_revision: Option<u64>,
    /// Apply what can be applied, and report the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lenient: Option<bool>,
    /// What to do, in order. Each has an `op`: ADD (content, and any of section, tags, memory_type, kind,
    /// topic, concept, ttl_days, importance, helpful, harmful, neutral, source, follows, created_at,
    /// legacy_id, pinned, embedding), UPDATE (id and the changed fields), TAG (id, and the changes of
    /// helpful, harmful or neutral), REMOVE or REJECT (id, reason), PIN (id, on), POLICY (fields of the
    /// policy). A fault is reported at its operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = OPERATIONS_MAX), extend("examples" = [[{"op": "ADD", "content": "check the path first"}]]))]
    pub operations: Option<Vec<Value>>,
    /// Bullets to add, in the format of the original programs, instead of `operations`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_bullets: Option<Value>,
    /// Bullets to change, by id, in that format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update_bullets: Option<Value>,
    /// Ids of bullets to archive, in that format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_bullets: Option<Value>,
}

impl Verb for ApplyDelta {
    verb!("delta.apply", Memory, Writes, idempotent -> DeltaApplied);
    const MISSING_STORE: MissingStore = MissingStore::Create;
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let delta = serde_json::to_value(&self)
            .map_err(|error| Problem::new("invalid_delta", error.to_string()))?;
        apply(context, delta_input::read(&delta, None)?).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Applies a parsed delta; the caller's name overrides the author in the delta.
///
/// # Errors
/// `not_allowed` for the holder of a key that claims another author; those of the engine.
pub async fn apply(context: &Context, input: DeltaInput) -> Result<DeltaApplied, Problem> {
    let id = input.id.map_or_else(Engine::fresh_delta_id, Ok)?;
    let mut delta = Delta::new(id, input.operations);
    delta.reasoning = input.reasoning;
    delta.expected_revision = input.expected_revision;
    delta.lenient = input.lenient.unwrap_or_default();
    delta.origin.author = context.signed(input.author)?;
    let applied = context.engine.apply_delta(&context.key, delta).await?;
    Ok(DeltaApplied {
        notes: input.notes,
        ..applied.into()
    })
}

/// Undo a delta by another delta.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoDelta {
    /// Id of the delta to undo, or a unique beginning of it.
    pub id: String,
    /// Undo even if later deltas depend on it.
    #[serde(default)]
    pub force: bool,
}

impl Verb for UndoDelta {
    verb!("delta.undo", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let id = engine.find_delta(key, &self.id).await?;
        let undone = engine.undo_delta(key, &id, context.author.clone(), self.force);
        Ok(undone.await?.into())
    }
}

/// List the deltas of a memory, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDeltas {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Maximum number of deltas.
    #[serde(default = "number::<20>")]
    pub limit: usize,
}

impl Verb for ListDeltas {
    verb!("delta.log", Memory, Reads, idempotent -> DeltasResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let page = DeltaPage {
            below_revision: place(self.after.as_deref())?,
            limit: self.limit,
        };
        let logged = context.engine.delta_log(&context.key, page).await?;
        let last = logged.last().map(|last| last.record.revision);
        // The delta that made the memory is the last there is.
        let next = last.filter(|revision| logged.len() == self.limit && *revision > 0);
        Ok(DeltasResponse {
            deltas: logged.iter().map(DeltaRow::from).collect(),
            next: next.map(|revision| cursor(&revision)),
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.deltas.is_empty()
    }
}
