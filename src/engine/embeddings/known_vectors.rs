//! The vectors of a memory in process, and how they follow the store.

use std::sync::Arc;

use super::stored::{batches_after, check_model, stored_model};
use crate::context::Context;
use crate::error::EngineResult;
use hindlore_domain::memory::content::vectors::Vectors;
use hindlore_domain::memory::key::MemoryKey;

/// Vectors as of the last read.
#[derive(Default)]
pub(crate) struct KnownVectors {
    vectors: Arc<Vectors>,
    /// The model that they were last checked for.
    model: String,
    /// The draw of the vectors; empty before the first read, and without vectors.
    draw: String,
    /// The newest batch.
    serial: i64,
    /// The count of writes of the store before the last read.
    writes: Option<u64>,
}

impl KnownVectors {
    /// Brings the vectors up to those in the store, and returns them. Without a model they may be of any.
    ///
    /// # Errors
    /// `OtherEmbeddings` if they are of another model than this one.
    pub(crate) async fn latest(
        &mut self,
        context: &Context,
        (key, model): (&MemoryKey, Option<&str>),
    ) -> EngineResult<Arc<Vectors>> {
        let writes = context.store.hints().change_count;
        let is_checked = model.is_none_or(|model| self.model == model);
        if writes.is_some() && writes == self.writes && is_checked {
            return Ok(self.vectors.clone());
        }
        let Some(stored) = stored_model(context, key).await? else {
            *self = Self {
                model: model.unwrap_or_default().to_owned(),
                writes,
                ..Self::default()
            };
            return Ok(self.vectors.clone());
        };
        if let Some(model) = model {
            check_model(&stored, model)?;
        }
        if stored.draw != self.draw {
            *self = Self {
                draw: stored.draw.clone(),
                ..Self::default()
            };
        }
        if stored.serial > self.serial {
            let vectors = Arc::make_mut(&mut self.vectors);
            batches_after(context, key, self.serial, |batch| {
                for one in &batch.texts {
                    vectors.insert(one.text, one.heading, &one.passages);
                }
                self.serial = batch.serial;
            })
            .await?;
        }
        self.writes = writes;
        if let Some(model) = model {
            model.clone_into(&mut self.model);
        }
        Ok(self.vectors.clone())
    }
}
