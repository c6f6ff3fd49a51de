//! The door for a model that makes vectors of texts: one in this process, or an endpoint.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;

use hindlore_domain::memory::content::vectors::CosineScale;

/// The future vectors of some texts, one for each; `Err` has the reason why there are none.
pub type Embedded<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, String>> + Send + 'a>>;

/// Whether a text asks or answers; some models read the two in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A question.
    Question,
    /// A text that may answer it.
    Passage,
}

/// A model, and how it reads texts.
#[derive(Clone, PartialEq, Debug)]
pub struct EmbeddingModel {
    /// Its name.
    pub name: String,
    /// Text before each question; empty for most models.
    pub question_prefix: String,
    /// Text before each passage; empty for most models.
    pub passage_prefix: String,
    /// How its cosines count.
    pub scale: CosineScale,
}

impl EmbeddingModel {
    /// Its id, which a memory keeps with the vectors. A prefix changes all of them, so it is a part.
    pub fn id(&self) -> String {
        match self.passage_prefix.trim() {
            "" => self.name.clone(),
            prefix => format!("{} ({prefix})", self.name),
        }
    }

    /// A text as the model reads it.
    pub fn input(&self, text: &str, side: Side) -> String {
        let prefix = match side {
            Side::Question => &self.question_prefix,
            Side::Passage => &self.passage_prefix,
        };
        format!("{prefix}{text}")
    }
}

/// Makes vectors of texts, all of one dimension, whose cosine is their nearness in meaning.
pub trait Embedder: Send + Sync + Debug {
    /// The model.
    fn model(&self) -> &EmbeddingModel;

    /// Makes a vector of each text, at most [`BATCH_MAX`](hindlore_store::records::embedding::BATCH_MAX) at once.
    fn embed<'a>(&'a self, texts: &'a [String], side: Side) -> Embedded<'a>;
}

/// Whether an engine ranks by meaning.
#[derive(Clone, Default, Debug)]
pub enum Embeddings {
    /// By words alone: no model is configured.
    #[default]
    Off,
    /// By words in this process, which does not stay long enough to load the configured model.
    Elsewhere,
    /// By words and by meaning.
    Here {
        /// The model.
        embedder: Arc<dyn Embedder>,
        /// Whether texts get their vectors in the background, after they were written.
        follows_writes: bool,
    },
}

impl Embeddings {
    /// The model, if this process has one.
    pub(crate) fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        match self {
            Self::Here { embedder, .. } => Some(embedder),
            Self::Off | Self::Elsewhere => None,
        }
    }

    /// The model that follows the writes of this process.
    pub(crate) fn follower(&self) -> Option<&Arc<dyn Embedder>> {
        match self {
            Self::Here {
                embedder,
                follows_writes: true,
            } => Some(embedder),
            _ => None,
        }
    }
}
