//! Verbs about vectors: their state, their computation, and their end.

use super::compute::{compute_missing, covered};
use super::stored::{delete_all, stored_model};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::records::embedding::EmbeddingModelRow;

/// The vectors of a memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddingsStatus {
    /// The model that this process would compute with.
    pub configured: Option<String>,
    /// The model of the vectors; absent without vectors.
    pub model: Option<EmbeddingModelRow>,
    /// Active bullets with a vector, general advice apart.
    pub with_vector: usize,
    /// Active bullets, general advice apart.
    pub bullets: usize,
    /// Bytes that the vectors take in process.
    pub bytes: usize,
}

/// The result of a computation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltEmbeddings {
    /// Texts that got their vectors now.
    pub computed: usize,
    /// The state afterwards.
    pub status: EmbeddingsStatus,
}

impl Engine {
    /// Reads the state of a memory's vectors; all counts are 0 without a memory.
    pub async fn embeddings_status(&self, key: &MemoryKey) -> EngineResult<EmbeddingsStatus> {
        let actor = self.actor(key);
        let vectors = actor.memory.vectors(None).await?;
        let model = stored_model(self.context(), key).await?;
        let counts = actor
            .memory
            .read_latest(|snapshot| covered(&snapshot.memory, &vectors));
        let (with_vector, bullets) = counts.await?.unwrap_or_default();
        let configured = self.options().embeddings.embedder();
        Ok(EmbeddingsStatus {
            configured: configured.map(|embedder| embedder.model().id()),
            model,
            with_vector,
            bullets,
            bytes: vectors.bytes(),
        })
    }

    /// Computes the vectors that a memory lacks, in batches; an interrupted call loses at most one, and the next
    /// continues from there.
    ///
    /// # Errors
    /// `NoEmbedder`, `Embedder`, `OtherEmbeddings`.
    pub async fn build_embeddings(&self, key: &MemoryKey) -> EngineResult<BuiltEmbeddings> {
        let (actor, embedder) = (self.actor(key), self.options().embeddings.embedder());
        if let Some(embedder) = embedder {
            // Refuses those of another model, even if no text lacks a vector.
            actor.memory.vectors(Some(&embedder.model().id())).await?;
        }
        let before = self.embeddings_status(key).await?;
        if before.with_vector == before.bullets {
            return Ok(BuiltEmbeddings {
                computed: 0,
                status: before,
            });
        }
        let embedder = embedder.ok_or(EngineError::NoEmbedder)?;
        let progress = &self.context().progress;
        progress.begin((before.bullets - before.with_vector) as u64);
        let done = |done| progress.reach(done as u64);
        let computed = compute_missing(&actor.memory, embedder, done).await?;
        Ok(BuiltEmbeddings {
            computed,
            status: self.embeddings_status(key).await?,
        })
    }

    /// Deletes the vectors of a memory; returns the number of texts that had some. The next answers are by words.
    pub async fn drop_embeddings(&self, key: &MemoryKey) -> EngineResult<usize> {
        delete_all(self.context(), key).await
    }
}
