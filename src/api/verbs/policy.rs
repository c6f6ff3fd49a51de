//! Verbs about the policy of a memory.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::nearest::suggestion;
use crate::problem::Problem;
use crate::responses::{PolicyChangedResponse, PolicyResponse};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_domain::memory::policy::Policy;

/// Show the policy of a memory, or the one that a new memory would get.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPolicy {}

impl Verb for ShowPolicy {
    verb!("policy.show", Memory, Reads, idempotent -> PolicyResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        Ok(context.engine.policy(&context.key).await?.into())
    }
}

/// Change fields of the policy of a memory, by one delta that can be undone.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPolicy {
    /// Fields and their new values, such as `{"floor": 0.2}`: any field that `policy.show` lists, except
    /// versions and hashes of tables.
    pub fields: Map<String, Value>,
}

impl Verb for SetPolicy {
    verb!("policy.set", Memory, Writes, idempotent -> PolicyChangedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        refuse_unknown(&self.fields)?;
        let (engine, author) = (&context.engine, context.author.clone());
        let changed = engine.set_policy(&context.key, self.fields, author).await?;
        Ok(changed.into())
    }
}

/// Names of the original programs, with the remedy.
const ORIGINALS: &[(&str, &str)] = &[
    (
        "decay_rates",
        "the field is `rates`, such as rates.episodic=0.05",
    ),
    (
        "prune_threshold",
        "a retrieval takes it: <verb:retrieve> with <field:min_score>",
    ),
    (
        "ttl",
        "each bullet has its own: <verb:bullets.add> with <field:ttl_days>",
    ),
];

/// Refuses names that are not policy fields.
pub fn refuse_unknown(fields: &Map<String, Value>) -> Result<(), Problem> {
    let names = Policy::field_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match fields.keys().find(|field| !names.contains(&field.as_str())) {
        Some(unknown) => {
            let message = format!("`{}` is not a policy field", unknown.escape_debug());
            let original = ORIGINALS.iter().find(|(name, _)| unknown.starts_with(name));
            let hint = original.map_or_else(
                || suggestion(unknown, &names),
                |(_, hint)| (*hint).to_owned(),
            );
            Err(Problem::new("invalid_policy", message).with_hint(hint))
        }
        None => Ok(()),
    }
}
