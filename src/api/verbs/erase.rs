//! Verbs that destroy. The request repeats the name of the victim, so that no mistaken default destroys
//! anything.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::api::problem::Problem;
use crate::api::responses::{ErasedResponse, RemainsResponse};
use crate::api::verb::{Context, Effect, Subject, Verb};
use crate::domain::identity::parse_name;
use crate::domain::memory::key::MemoryKey;

/// Erase a memory with its whole history, for good.
///
/// The request repeats learner and scope; if they do not match the call's memory, nothing is destroyed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EraseMemory {
    /// The learner, the same as the call's.
    #[schemars(length(min = 1, max = 256))]
    pub learner: String,
    /// The scope, the same as the call's.
    #[schemars(length(min = 1, max = 256))]
    pub scope: String,
}

impl Verb for EraseMemory {
    const NAME: &'static str = "memory.erase";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Destroys;
    const IDEMPOTENT: bool = true;
    type Answer = ErasedResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        consents("learner", &self.learner, key.learner())?;
        consents("scope", &self.scope, key.scope())?;
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
    #[schemars(length(min = 1, max = 256))]
    pub learner: String,
}

impl Verb for EraseLearner {
    const NAME: &'static str = "learner.erase";
    const SUBJECT: Subject = Subject::Learner;
    const EFFECT: Effect = Effect::Destroys;
    const IDEMPOTENT: bool = true;
    type Answer = ErasedResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let key = &context.key;
        consents("learner", &self.learner, key.learner())?;
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

/// The problem of an erase that left bytes behind.
fn not_wiped(answer: &ErasedResponse) -> Option<Problem> {
    let told = answer.not_wiped.as_ref()?;
    let message = format!("erased, and not yet wiped: {}", told.reason);
    Some(Problem::new("not_wiped", message).with_hint(told.advice.clone()))
}

/// Refuses a request that does not repeat the call's subject.
fn consents(part: &'static str, repeated: &str, meant: &str) -> Result<(), Problem> {
    if parse_name(part, repeated)? == meant {
        return Ok(());
    }
    let repeated = repeated.escape_debug();
    let message = format!("the request names the {part} `{repeated}`, and it is about `{meant}`");
    Err(Problem::new("needs_consent", message).with_hint(format!(
        "repeat the {part} of what is to go in <field:{part}>; <subject:{part}> says what that is; nothing was erased"
    )))
}
