//! Verbs about the vectors of a memory, by which it is ranked by meaning as well as by words.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::problem::Problem;
use crate::responses::embeddings::EmbeddingsResponse;
use crate::verb::{Context, Verb, verb};

/// Show which bullets of a memory have vectors, of which model.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowEmbeddings {}

impl Verb for ShowEmbeddings {
    verb!("embeddings.status", Memory, Reads, idempotent -> EmbeddingsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        Ok(context.engine.embeddings_status(&context.key).await?.into())
    }
}

/// Compute the vectors that bullets of a memory lack. An interrupted call loses at most 32 texts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildEmbeddings {}

impl Verb for BuildEmbeddings {
    verb!("embeddings.build", Memory, Writes, idempotent -> EmbeddingsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        Ok(context.engine.build_embeddings(&context.key).await?.into())
    }
}

/// Delete the vectors of a memory: it is ranked by words until they are computed again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropEmbeddings {}

impl Verb for DropEmbeddings {
    verb!("embeddings.drop", Memory, Writes, idempotent -> EmbeddingsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let dropped = engine.drop_embeddings(key).await?;
        let mut answer = EmbeddingsResponse::from(engine.embeddings_status(key).await?);
        answer.changed = Some(dropped);
        Ok(answer)
    }
}
