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
    /// The model that was asked for.
    model: String,
    /// The draw of the vectors; empty before the first read, and without vectors.
    draw: String,
    /// The newest batch.
    serial: i64,
    /// The count of writes of the store before the last read.
    writes: Option<u64>,
}

impl KnownVectors {
    /// Brings the vectors up to those in the store, and returns them.
    ///
    /// # Errors
    /// `OtherEmbeddings` if they are of another model than this one.
    pub(crate) async fn latest(
        &mut self,
        context: &Context,
        (key, model): (&MemoryKey, &str),
    ) -> EngineResult<Arc<Vectors>> {
        let writes = context.store.hints().change_count;
        if writes.is_some() && writes == self.writes && self.model == model {
            return Ok(self.vectors.clone());
        }
        let Some(stored) = stored_model(context, key).await? else {
            *self = Self {
                model: model.to_owned(),
                writes,
                ..Self::default()
            };
            return Ok(self.vectors.clone());
        };
        check_model(&stored, model)?;
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
        (self.model, self.writes) = (model.to_owned(), writes);
        Ok(self.vectors.clone())
    }
}
