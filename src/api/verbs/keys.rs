//! Verbs about API keys, which admit callers to a server. Only the operator calls them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, page};
use crate::named::{AnyLearner, Named};
use crate::problem::Problem;
use crate::responses::keys::{KeyMadeResponse, KeyResponse, KeysResponse};
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, number, verb};
use hindlore::api_keys::NewApiKey;
use hindlore_domain::sharing::api_key::Rights;

/// Make an API key, with which a server lets its holder in. The token is shown once; the store keeps its hash.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateKey {
    /// Name of the key, unique among those in use.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// The only learner that it lets in to; left out, all of the tenant.
    #[serde(default)]
    pub only_learner: Option<Named<AnyLearner>>,
    /// What its holder may do; each includes those before it. `read` is enough to retrieve, for briefs and for lessons:
    /// such a retrieval leaves no trace.
    #[serde(default = "write")]
    #[schemars(with = "Word<Rights>")]
    pub rights: Rights,
    /// Days until it ends by itself; left out, it does not.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3650))]
    pub days: Option<u32>,
}

fn write() -> Rights {
    Rights::Write
}

impl Verb for CreateKey {
    verb!("key.create", Tenant, Writes, not idempotent -> KeyMadeResponse);
    const OPERATOR_ONLY: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let now = context.engine.now();
        let learner = match &self.only_learner {
            Some(learner) => Some(learner.open(context).await?),
            None => None,
        };
        let new = NewApiKey {
            name: self.name,
            learner,
            rights: self.rights,
            expires: self.days.map(|days| now.plus_days(days)),
        };
        let made = context
            .engine
            .create_api_key(context.key.tenant(), new)
            .await?;
        Ok(KeyMadeResponse::new(&made.0, &made.1, now))
    }
}

/// List the API keys of the tenant, without their tokens.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListKeys {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<1_000>")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
}

impl Verb for ListKeys {
    verb!("key.list", Tenant, Reads, idempotent -> KeysResponse);
    const OPERATOR_ONLY: bool = true;

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.keys.is_empty()
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let rows = context.engine.list_api_keys(context.key.tenant()).await?;
        let now = context.engine.now();
        let rows = rows.iter().map(|row| KeyResponse::new(row, now)).collect();
        let wanted = (self.after.as_deref(), self.limit);
        let (keys, next) = page(rows, wanted, |row: &KeyResponse| row.key_id.clone())?;
        Ok(KeysResponse { keys, next })
    }
}

/// End an API key: within a second no server lets its holder in any more.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeKey {
    /// Name of the key.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
}

impl Verb for RevokeKey {
    verb!("key.revoke", Tenant, Writes, not idempotent -> KeyResponse);
    const OPERATOR_ONLY: bool = true;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let tenant = context.key.tenant();
        let ended = context.engine.revoke_api_key(tenant, &self.name).await?;
        Ok(KeyResponse::new(&ended, context.engine.now()))
    }
}

/// Replace an API key by a new one that lets in to the same; the old one ends. The new token is shown once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateKey {
    /// Name of the key.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
}

impl Verb for RotateKey {
    verb!("key.rotate", Tenant, Writes, not idempotent -> KeyMadeResponse);
    const OPERATOR_ONLY: bool = true;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let tenant = context.key.tenant();
        let made = context.engine.rotate_api_key(tenant, &self.name).await?;
        Ok(KeyMadeResponse::new(&made.0, &made.1, context.engine.now()))
    }
}
