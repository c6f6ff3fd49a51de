//! A model of a folder as an embedder. It is loaded with the first text.

use std::fmt;
use std::sync::Arc;

use hindlore::embeddings::embedder::{Embedded, Embedder, EmbeddingModel, Side};
use tokio::sync::Mutex;

use super::files::ModelFiles;
use super::network::Network;

/// Texts that go through the model together. A question waits for one such group at most, and more bring no speed.
const GROUP: usize = 8;

/// A model in this process.
pub struct LocalEmbedder {
    files: ModelFiles,
    model: EmbeddingModel,
    /// Empty until the first text. Held for a group, since a second thread would take the processor from the first; those
    /// who wait get it in their order, so that a question comes between the groups of a long computation.
    network: Arc<Mutex<Option<Network>>>,
}

impl LocalEmbedder {
    /// A model that is not loaded yet.
    pub fn new(files: ModelFiles, model: EmbeddingModel) -> Self {
        Self {
            files,
            model,
            network: Arc::default(),
        }
    }

    async fn vectors(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, String> {
        let (files, mut network) = (self.files.clone(), self.network.clone().lock_owned().await);
        let work = move || {
            let loaded = match network.take() {
                Some(loaded) => loaded,
                None => Network::load(&files)?,
            };
            network.insert(loaded).vectors(&texts)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err("the model stopped".to_owned()))
    }
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalEmbedder")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

impl Embedder for LocalEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    fn embed<'a>(&'a self, texts: &'a [String], side: Side) -> Embedded<'a> {
        Box::pin(async move {
            // Texts of about the same length go together, since the longest decides the cost of its group.
            let mut order: Vec<usize> = (0..texts.len()).collect();
            order.sort_by_key(|at| texts[*at].len());
            let mut vectors = vec![Vec::new(); texts.len()];
            for group in order.chunks(GROUP) {
                let inputs = group.iter().map(|at| self.model.input(&texts[*at], side));
                let found = self.vectors(inputs.collect()).await?;
                for (at, vector) in group.iter().zip(found) {
                    vectors[*at] = vector;
                }
            }
            Ok(vectors)
        })
    }
}
