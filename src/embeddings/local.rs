//! A model of a folder as an embedder. It is loaded with the first text, and asked by one thread at a time.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hindlore::embeddings::embedder::{Embedded, Embedder, EmbeddingModel, Side};

use super::files::ModelFiles;
use super::network::Network;

/// A model in this process.
pub struct LocalEmbedder {
    files: ModelFiles,
    model: EmbeddingModel,
    /// Empty until the first text. The lock is held while a text is computed: a second thread would take the processor
    /// from the first.
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
        let texts: Vec<String> = texts
            .iter()
            .map(|text| self.model.input(text, side))
            .collect();
        let (files, network) = (self.files.clone(), self.network.clone());
        Box::pin(async move {
            let work = move || {
                let mut network = network.lock().unwrap_or_else(PoisonError::into_inner);
                let loaded = match network.take() {
                    Some(loaded) => loaded,
                    None => Network::load(&files)?,
                };
                network.insert(loaded).vectors(&texts)
            };
            let done = tokio::task::spawn_blocking(work).await;
            done.unwrap_or_else(|_| Err("the model stopped".to_owned()))
        })
    }
}
