//! Verbs about deltas: the changes of a memory.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, cursor, place};
pub use crate::delta_input::ApplyDelta;
use crate::delta_input::DeltaInput;
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::{DeltaApplied, DeltaRow, DeltasResponse};
use crate::verb::{Context, MissingStore, Verb, number, verb};
use hindlore::Engine;
use hindlore_domain::memory::delta::Delta;
use hindlore_store::DeltaPage;

impl Verb for ApplyDelta {
    verb!("delta.apply", Memory, Writes, idempotent -> DeltaApplied);
    const MISSING_STORE: MissingStore = MissingStore::Create;
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        apply(context, self.read(None)?).await
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
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
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
