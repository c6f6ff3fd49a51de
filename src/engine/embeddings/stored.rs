//! The vectors of a memory in the store: the model, and the batches.

use std::sync::Arc;

use super::embedder::Embedder;
use crate::clock::random_id;
use crate::context::Context;
use crate::decide_records::decide_records;
use crate::error::{EngineError, EngineResult};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::records::embedding::{
    BY_SERIAL, EMBEDDING, EMBEDDING_VERSION, EmbeddedText, EmbeddingBatch, EmbeddingModelRow,
    embedding_model_key, embeddings_after,
};
use hindlore_store::records::{Record, RecordCommit, RecordReads, Scan};

/// Reads the model of a memory's vectors; `None` without vectors.
pub(super) async fn stored_model(
    context: &Context,
    key: &MemoryKey,
) -> EngineResult<Option<EmbeddingModelRow>> {
    let keys = [embedding_model_key(key.scope())];
    let found = context.store.records(&owner_of(key)?, &keys).await?;
    found.first().map(read_model).transpose()
}

/// Reads the batches after a serial number, page by page, until there is none.
pub(super) async fn batches_after(
    context: &Context,
    key: &MemoryKey,
    mut serial: i64,
    mut take: impl FnMut(EmbeddingBatch),
) -> EngineResult<()> {
    let owner = owner_of(key)?;
    loop {
        let page = context
            .store
            .scan_records(&owner, scan(key, serial))
            .await?;
        let is_last = page.len() < PAGE_MAX;
        for record in &page {
            let batch = EmbeddingBatch::from_record(record).map_err(damaged)?;
            serial = batch.serial;
            take(batch);
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Writes a batch with the next serial number; the first one brings the model along.
///
/// # Errors
/// `OtherEmbeddings` if the vectors of the memory are of another model.
pub(super) async fn write_batch(
    context: &Context,
    key: &MemoryKey,
    embedder: &Arc<dyn Embedder>,
    texts: Vec<EmbeddedText>,
) -> EngineResult<()> {
    let vectors = texts.iter().flat_map(|text| &text.passages);
    let dimension = vectors.map(|vector| vector.dimension()).next();
    let draw = random_id("em").map_err(|error| EngineError::Invalid(error.to_string()))?;
    let fresh = EmbeddingModelRow {
        scope: key.scope().to_owned(),
        model: embedder.model().id(),
        dimension: u32::try_from(dimension.unwrap_or_default()).unwrap_or(u32::MAX),
        version: EMBEDDING_VERSION,
        draw,
        serial: 0,
    };
    let reads = RecordReads {
        keys: vec![embedding_model_key(key.scope())],
        ..RecordReads::default()
    };
    decide_records(&context.store, &owner_of(key)?, reads, move |read| {
        let there = read.records.first().map(read_model).transpose()?;
        let mut model = there.unwrap_or_else(|| fresh.clone());
        check_model(&model, &fresh.model)?;
        // Texts without a direction bring no dimension; the first one that has it decides.
        match (model.dimension, fresh.dimension) {
            (0, own) => model.dimension = own,
            (there, own) if own != 0 && own != there => {
                return Err(EngineError::OtherEmbeddings(format!(
                    "vectors of {there} components, and the model `{}` now makes {own}",
                    fresh.model
                )));
            }
            _ => {}
        }
        model.serial += 1;
        let batch = EmbeddingBatch {
            scope: model.scope.clone(),
            serial: model.serial,
            texts: texts.clone(),
        };
        let commit = RecordCommit {
            puts: vec![model.to_record(), batch.to_record()],
            deletes: Vec::new(),
        };
        Ok(((), commit))
    })
    .await
}

/// Deletes all vectors of a memory; returns the number of texts that had some.
pub(super) async fn delete_all(context: &Context, key: &MemoryKey) -> EngineResult<usize> {
    let (owner, mut dropped) = (owner_of(key)?, 0);
    loop {
        let reads = RecordReads {
            keys: vec![embedding_model_key(key.scope())],
            scans: vec![scan(key, 0)],
        };
        let gone = decide_records(&context.store, &owner, reads, move |read| {
            let page = read.scans.iter().flatten();
            let batches = page.map(|record| EmbeddingBatch::from_record(record).map_err(damaged));
            let batches = batches.collect::<EngineResult<Vec<_>>>()?;
            let texts = batches.iter().map(|batch| batch.texts.len()).sum::<usize>();
            // The model goes with the first page, so that no reader takes vectors of a memory that is half dropped.
            let models = read.records.iter().map(|record| record.key.clone());
            let deletes = models
                .chain(batches.iter().map(EmbeddingBatch::key))
                .collect();
            let commit = RecordCommit {
                puts: Vec::new(),
                deletes,
            };
            Ok(((texts, batches.len()), commit))
        });
        let (texts, batches) = gone.await?;
        dropped += texts;
        if batches < PAGE_MAX {
            return Ok(dropped);
        }
    }
}

/// Refuses vectors that cannot be compared with those of a model.
pub(super) fn check_model(there: &EmbeddingModelRow, model: &str) -> EngineResult<()> {
    if there.model != model {
        return Err(EngineError::OtherEmbeddings(format!(
            "vectors of the model `{}`, and the configured one is `{model}`",
            there.model
        )));
    }
    if there.version != EMBEDDING_VERSION {
        return Err(EngineError::OtherEmbeddings(format!(
            "vectors of version {}, and this program makes version {EMBEDDING_VERSION}",
            there.version
        )));
    }
    Ok(())
}

fn scan(key: &MemoryKey, serial: i64) -> Scan {
    Scan {
        kind: &EMBEDDING,
        order: BY_SERIAL,
        range: embeddings_after(key.scope(), serial),
        limit: PAGE_MAX,
    }
}

fn read_model(record: &Record) -> EngineResult<EmbeddingModelRow> {
    EmbeddingModelRow::from_record(record).map_err(damaged)
}

fn damaged(reason: String) -> EngineError {
    EngineError::damaged("read the vectors of a memory", reason)
}

fn owner_of(key: &MemoryKey) -> EngineResult<LearnerId> {
    LearnerId::new(key.tenant(), key.learner())
        .map_err(|error| EngineError::Invalid(error.to_string()))
}
