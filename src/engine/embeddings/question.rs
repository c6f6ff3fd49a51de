//! Finds the texts whose meaning is near a question.

use std::sync::Arc;

use super::embedder::{Embedder, Embeddings, Side};
use super::meaning::Meaning;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::content::vectors::{NearTexts, near_texts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_text::layout::sentences::sentences;

/// Characters of a part of a question that are read; a model reads no more at once.
const PART_CHARS: usize = 2_000;

impl Engine {
    /// Brings the texts of some memories whose meaning is near into a query; `None` where no model is configured. A model
    /// that fails costs the meaning, not the answer.
    pub(crate) async fn find_near(&self, keys: &[MemoryKey], query: &mut Query) -> Option<Meaning> {
        let embedder = match &self.options().embeddings {
            Embeddings::Off => return None,
            Embeddings::Elsewhere => {
                return Some(Meaning::ByWords("no model in this process".to_owned()));
            }
            Embeddings::Here { embedder, .. } => embedder,
        };
        // The model may be at an endpoint.
        let (text, _) = self.redacted(&query.text);
        match self.near_texts(keys, &text, embedder).await {
            Ok(Some(near)) => {
                query.near = Some(near);
                Some(Meaning::Counted)
            }
            Ok(None) => Some(Meaning::ByWords("no vectors yet".to_owned())),
            Err(error) => {
                tracing::warn!(%error, "answered by words");
                Some(Meaning::ByWords(error.to_string()))
            }
        }
    }

    async fn near_texts(
        &self,
        keys: &[MemoryKey],
        text: &str,
        embedder: &Arc<dyn Embedder>,
    ) -> EngineResult<Option<NearTexts>> {
        let mut all = Vec::new();
        for key in keys {
            let actor = self.actor(key);
            let vectors = actor.memory.vectors(Some(&embedder.model().id())).await?;
            all.extend((vectors.dimension() > 0).then_some(vectors));
        }
        let parts = parts(text);
        if all.is_empty() || parts.is_empty() {
            return Ok(None);
        }
        let asked = embedder.embed(&parts, Side::Question).await;
        let asked = asked.map_err(EngineError::Embedder)?;
        Ok(Some(near_texts(&all, &asked, embedder.model().scale)))
    }
}

/// The question, and of several sentences the first and the last one: agents put the task there.
fn parts(text: &str) -> Vec<String> {
    let sentences = sentences(text);
    let mut parts: Vec<String> = Vec::new();
    for part in [Some(&text), sentences.first(), sentences.last()] {
        let part = part.map(|part| part.trim()).unwrap_or_default();
        let part: String = part.chars().take(PART_CHARS).collect();
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn the_ends_of_a_long_question_are_asked_too() {
        assert_eq!(parts(" which port? "), ["which port?"]);
        let asked = parts("Be brief. Use the tools. Which port?");
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[1..], ["Be brief.", "Which port?"]);
        assert!(parts(" ").is_empty());
    }
}
