//! Taking a delta apart before it waits for its memory: its stored form, and what its texts say.
//!
//! None of this needs the memory, so it costs nobody who waits for the memory's lock. A large delta is taken
//! apart by as many threads as the machine runs at once.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use tokio::task::{JoinError, spawn_blocking};

use super::Engine;
use super::error::{EngineError, EngineResult};
use crate::domain::memory::apply::Readings;
use crate::domain::memory::delta::{Delta, body_digest};

/// Operations from which a delta is worth other threads.
const LARGE: usize = 1_024;
/// Operations that a thread reads at a time.
const PIECE: usize = 256;
/// The most threads: applying takes longer than reading by then.
const READERS_MAX: usize = 8;

/// A delta, its stored form, and what is known of its texts.
pub(super) struct Opened {
    pub(super) delta: Delta,
    pub(super) body: String,
    pub(super) body_digest: String,
    pub(super) readings: Readings,
}

impl Engine {
    /// Takes a delta apart.
    pub(super) async fn open_delta(&self, delta: Delta) -> EngineResult<Opened> {
        if delta.operations.len() < LARGE {
            let (body, body_digest) = stored_form(&delta)?;
            // A few texts are read where they are applied: equal ones need no words.
            let readings = Readings::default();
            return Ok(Opened {
                delta,
                body,
                body_digest,
                readings,
            });
        }
        let delta = Arc::new(delta);
        let next = Arc::new(AtomicUsize::new(0));
        let readers = available_parallelism().map_or(1, NonZero::get);
        let readers: Vec<_> = (0..readers.min(READERS_MAX))
            .map(|_| {
                let (delta, next, tables) = (delta.clone(), next.clone(), self.tables().clone());
                spawn_blocking(move || {
                    let mut readings = Readings::default();
                    loop {
                        let first = next.fetch_add(PIECE, Ordering::Relaxed);
                        if first >= delta.operations.len() {
                            return readings;
                        }
                        let end = (first + PIECE).min(delta.operations.len());
                        readings = readings.and(Readings::of(&delta, first..end, &tables));
                    }
                })
            })
            .collect();
        let own = delta.clone();
        let stored = spawn_blocking(move || stored_form(&own));
        let mut readings = Readings::default();
        for reader in readers {
            readings = readings.and(reader.await.map_err(stopped)?);
        }
        let (body, body_digest) = stored.await.map_err(stopped)??;
        Ok(Opened {
            delta: Arc::unwrap_or_clone(delta),
            body,
            body_digest,
            readings,
        })
    }
}

/// The form that a delta is kept in, and its digest.
pub(super) fn stored_form(delta: &Delta) -> EngineResult<(String, String)> {
    let body = delta.body().to_json();
    let body = body.map_err(|error| EngineError::Invalid(error.to_string()))?;
    let digest = body_digest(&body);
    Ok((body, digest))
}

/// A thread has died, or the runtime has ended before it began.
fn stopped(_: JoinError) -> EngineError {
    EngineError::Stopped
}
