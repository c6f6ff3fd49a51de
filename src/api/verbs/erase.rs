//! Verbs that destroy. The request repeats the name of the victim, so that no mistaken default destroys
//! anything.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::named::{Named, SameLearner, SameScope};
use crate::problem::Problem;
use crate::responses::{ErasedResponse, RemainsResponse};
use crate::verb::{Context, Verb, verb};
use hindlore_domain::memory::key::MemoryKey;

/// Erase a memory with its whole history, for good.
///
/// The request repeats learner and scope; if they do not match the call's memory, nothing is destroyed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EraseMemory {
    /// The learner, the same as the call's.
    pub learner: Named<SameLearner>,
    /// The scope, the same as the call's.
    pub scope: Named<SameScope>,
}

impl Verb for EraseMemory {
    verb!("memory.erase", Memory, Destroys, idempotent -> ErasedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        self.learner.open(context).await?;
        self.scope.open(context).await?;
        let (tenant, learner) = (key.tenant(), key.learner());
        let erased = engine.erase(tenant, learner, Some(key.scope())).await?;
        let left = engine.held(tenant, learner, None).await?;
        Ok(ErasedResponse {
            remains: RemainsResponse::from_erased(left, tenant, learner),
            ..ErasedResponse::from(erased)
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.receipt.is_none()
    }

    fn fault(answer: &Self::Answer, _: &MemoryKey) -> Option<Problem> {
        not_wiped(answer)
    }
}

/// Erase a learner: all memories, lessons, errors, and runs, for good.
///
/// The request repeats the learner; if it does not match the call's, nothing is destroyed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EraseLearner {
    /// The learner, the same as the call's.
    pub learner: Named<SameLearner>,
}

impl Verb for EraseLearner {
    verb!("learner.erase", Learner, Destroys, idempotent -> ErasedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let key = &context.key;
        self.learner.open(context).await?;
        let erased = context.engine.erase(key.tenant(), key.learner(), None);
        Ok(erased.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.receipt.is_none()
    }

    fn fault(answer: &Self::Answer, _: &MemoryKey) -> Option<Problem> {
        not_wiped(answer)
    }
}

/// The problem of an erase that left bytes on the disk.
fn not_wiped(answer: &ErasedResponse) -> Option<Problem> {
    let told = answer.not_wiped.as_ref()?;
    let message = format!("erased, and not yet wiped: {}", told.reason);
    Some(Problem::new("not_wiped", message).with_hint(told.advice.clone()))
}
