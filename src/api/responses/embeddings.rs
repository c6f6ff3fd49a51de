//! Answers about the vectors of a memory.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore::embeddings::{BuiltEmbeddings, EmbeddingsStatus};

/// The vectors of a memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct EmbeddingsResponse {
    /// The model of the vectors; null without vectors.
    pub model: Option<String>,
    /// Number of components of a vector; 0 without vectors.
    pub dimension: u32,
    /// Active bullets with a vector.
    pub with_vector: usize,
    /// Active bullets.
    pub bullets: usize,
    /// Bytes that the vectors take in process.
    pub bytes: usize,
    /// The model of this process; null if it has none.
    pub configured: Option<String>,
    /// Texts whose vectors this call computed or deleted; absent if it only looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<usize>,
}

impl From<EmbeddingsStatus> for EmbeddingsResponse {
    fn from(status: EmbeddingsStatus) -> Self {
        let dimension = status.model.as_ref().map(|model| model.dimension);
        Self {
            dimension: dimension.unwrap_or_default(),
            model: status.model.map(|model| model.model),
            with_vector: status.with_vector,
            bullets: status.bullets,
            bytes: status.bytes,
            configured: status.configured,
            changed: None,
        }
    }
}

impl From<BuiltEmbeddings> for EmbeddingsResponse {
    fn from(built: BuiltEmbeddings) -> Self {
        Self {
            changed: Some(built.computed),
            ..built.status.into()
        }
    }
}
