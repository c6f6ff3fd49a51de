//! Verbs about the evidence of others: readers' verdicts on a bullet, and promotion of bullets that helped them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::named::{Named, Speaker, Taker};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::responses::sharing::SupportResponse;
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::Engine;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::sharing::evidence::{Testimony, ViewerVerdict};
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::Principal;

/// Report whether a bullet of another learner helped in a run, as your own evidence.
///
/// Its votes stay as they are: verdicts of readers are kept apart, and decide whether it may be promoted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Testify {
    /// Id of the bullet, or a unique beginning of it.
    #[schemars(length(max = 256))]
    pub bullet: String,
    /// The verdict.
    #[schemars(with = "Word<ViewerVerdict>")]
    pub verdict: ViewerVerdict,
    /// The run of the verdict; a newer verdict for the same run replaces it.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub run: String,
    /// The witness, `agent:NAME` or `user:NAME`, where the operator testifies for another; any other caller is its own.
    #[serde(default)]
    pub by: Option<Named<Speaker>>,
}

impl Testify {
    /// The witness: the caller as its credential names it, or whom the operator names.
    async fn witness(&self, context: &Context) -> Result<String, Problem> {
        let named = match &self.by {
            Some(named) => Some(named.open(context).await?.to_string()),
            None => context.witness(),
        };
        named.ok_or_else(|| {
            Problem::new("needs_caller", "the request names no witness").with_hint(
                "name <field:by>, or give <verb:feedback> to a retrieval of the learner's own",
            )
        })
    }
}

impl Verb for Testify {
    verb!("share.testify", Memory, Writes, idempotent -> SupportResponse);
    const NEEDS: Relation = Relation::Viewer;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let witness = self.witness(context).await?;
        let owner = context.owner()?;
        let is_own = context.caller().is_some_and(|own| own.is_learner(&owner));
        if is_own || witness == Principal::of_learner(owner.learner()).to_string() {
            let message = "the learner itself is no reader of its own memory";
            return Err(Problem::new("invalid_request", message)
                .with_hint("give <verb:feedback> to a retrieval"));
        }
        let bullet = context
            .engine
            .find_bullet(&context.key, &self.bullet)
            .await?
            .id;
        let said = Testimony {
            principal: witness,
            run: self.run,
            verdict: self.verdict,
        };
        let support = context.engine.testify(&context.key, bullet, said).await?;
        Ok(SupportResponse::new(bullet.to_string(), support))
    }
}

/// Pass a bullet on into the memory of another learner, such as a team's.
///
/// It needs evidence of others: it helped at least two authenticated principals in at least three runs, and harmed in
/// fewer. A caller must be an editor of the memory that takes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromoteBullet {
    /// Id of the bullet, or a unique beginning of it.
    #[schemars(length(max = 256))]
    pub bullet: String,
    /// Learner that takes it, in the same scope.
    pub into: Named<Taker>,
    /// Id of the delta: sent again, it counts once. Random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
}

impl Verb for PromoteBullet {
    verb!("share.promote", Memory, Writes, idempotent -> DeltaApplied);
    const NEEDS: Relation = Relation::Owner;
    const MISSING_STORE: MissingStore = MissingStore::Error;
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (key, engine) = (&context.key, &context.engine);
        let into = self.into.open(context).await?;
        let bullet = engine.find_bullet(key, &self.bullet).await?.id;
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let id = id.map_err(|reason| Problem::new("invalid_delta_id", reason))?;
        let id = id.map_or_else(Engine::fresh_delta_id, Ok)?;
        let applied = engine
            .promote((key, bullet), &into, (id, context.author.clone()))
            .await?;
        Ok(applied.into())
    }
}
