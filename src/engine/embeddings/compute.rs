//! Computes the vectors that a memory lacks, batch by batch.
//!
//! Each batch is read from the snapshot, computed without a lock, and written at once, so that an interrupted run loses at
//! most one. Two processes that compute the same texts waste work and nothing else.

use std::sync::Arc;

use super::embedder::{Embedder, Side};
use super::stored::{delete_all, write_batch};
use crate::actor::open_memory::OpenMemory;
use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::content::ContentHash;
use hindlore_domain::memory::content::vectors::{Heading, PackedVector, Vectors, passages};
use hindlore_store::records::embedding::{BATCH_MAX, EmbeddedText};

/// Texts that are taken from the snapshot at once.
const TAKEN_MAX: usize = 1_024;

/// A text without a vector.
struct Missing {
    text: ContentHash,
    heading: Heading,
    passages: Vec<String>,
}

/// Computes what is missing; `done` hears of the texts that have their vectors. Returns their number.
pub(crate) async fn compute_missing(
    memory: &OpenMemory,
    embedder: &Arc<dyn Embedder>,
    mut done: impl FnMut(usize),
) -> EngineResult<usize> {
    let mut count = 0;
    loop {
        let vectors = memory.vectors(Some(&embedder.model().id())).await?;
        let missing = memory.read_latest(|snapshot| missing(&snapshot.memory, &vectors));
        let missing = missing.await?.unwrap_or_default();
        if missing.is_empty() {
            return Ok(count);
        }
        for batch in missing.chunks(BATCH_MAX) {
            let texts = embedded(embedder, batch).await?;
            write_batch(&memory.context, &memory.key, embedder, texts).await?;
            if memory.context.store.head(&memory.key).await?.is_none() {
                // Erased meanwhile: the erase found no batch that was still on its way.
                delete_all(&memory.context, &memory.key).await?;
                return Ok(count);
            }
            count += batch.len();
            done(count);
        }
    }
}

/// The numbers of ranked bullets: of those that have a vector, and of all.
pub(crate) fn covered(memory: &Memory, vectors: &Vectors) -> (usize, usize) {
    ranked(memory).fold((0, 0), |(with, all), one| {
        let heading = Heading::of(one.section.as_deref());
        let has = vectors.contains(one.content_hash(), heading);
        (with + usize::from(has), all + 1)
    })
}

/// The bullets that a ranking by meaning can return.
fn ranked(memory: &Memory) -> impl Iterator<Item = Bullet> {
    memory.active_bullets().filter(|one| !one.is_seed())
}

fn missing(memory: &Memory, vectors: &Vectors) -> Vec<Missing> {
    let of = ranked(memory).filter_map(|one| {
        let (text, section) = (one.content_hash(), one.section.as_deref());
        let heading = Heading::of(section);
        (!vectors.contains(text, heading)).then(|| Missing {
            text,
            heading,
            passages: passages(section, one.content.as_str()),
        })
    });
    of.take(TAKEN_MAX).collect()
}

async fn embedded(
    embedder: &Arc<dyn Embedder>,
    batch: &[Missing],
) -> EngineResult<Vec<EmbeddedText>> {
    let all: Vec<String> = batch.iter().flat_map(|one| one.passages.clone()).collect();
    let mut vectors = Vec::with_capacity(all.len());
    for some in all.chunks(BATCH_MAX) {
        let found = embedder.embed(some, Side::Passage).await;
        let found = found.map_err(EngineError::Embedder)?;
        if found.len() != some.len() {
            let (asked, got) = (some.len(), found.len());
            let reason = format!("it made {got} vectors of {asked} texts");
            return Err(EngineError::Embedder(reason));
        }
        vectors.extend(found);
    }
    let mut rest = vectors.into_iter();
    let of = |one: &Missing| EmbeddedText {
        text: one.text,
        heading: one.heading,
        // A text without a direction keeps no vector, and is not asked about again.
        passages: rest
            .by_ref()
            .take(one.passages.len())
            .filter_map(|vector| PackedVector::pack(&vector))
            .collect(),
    };
    Ok(batch.iter().map(of).collect())
}
