//! Taking a delta apart: its stored form, and what its texts say.
//!
//! None of this needs the memory or its lock. Others work on a large delta ahead of whoever applies it, who does
//! himself what nobody has begun.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::available_parallelism;

use tokio::task::spawn_blocking;

use super::Engine;
use super::error::{EngineError, EngineResult};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::apply::{Applied, Readings, Refusal, Tables, apply_read_delta};
use crate::domain::memory::delta::{Delta, body_digest};
use crate::domain::timestamp::Timestamp;

/// Operations from which a delta is worth other threads.
const LARGE: usize = 1_024;
/// Operations that are read at a time.
const PIECE: usize = 64;
/// The most threads that work ahead: a delta is not applied faster than these read it.
const AHEAD_MAX: usize = 2;

/// A delta with what is worked out of it.
pub(super) struct Opened {
    pub(super) delta: Arc<Delta>,
    pub(super) stored: Arc<Stored>,
    /// Absent for a few texts, which are read where they are applied: equal ones need no words.
    pub(super) readings: Option<Arc<Readings>>,
}

/// The form that a delta is kept in, made by whoever needs it first.
pub(super) struct Stored {
    delta: Arc<Delta>,
    form: OnceLock<Result<Form, String>>,
}

/// What is kept of a delta, and its digest.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) body: Arc<String>,
    pub(super) body_digest: String,
}

impl Stored {
    fn new(delta: Arc<Delta>) -> Self {
        Self {
            delta,
            form: OnceLock::new(),
        }
    }

    /// The stored form.
    pub(super) fn form(&self) -> EngineResult<&Form> {
        let form = self.form.get_or_init(|| {
            let made = Form::of(&self.delta);
            made.map_err(|error| error.to_string())
        });
        form.as_ref()
            .map_err(|reason| EngineError::Invalid(reason.clone()))
    }
}

impl Form {
    /// Makes the stored form of a delta.
    pub(super) fn of(delta: &Delta) -> serde_json::Result<Self> {
        let body = delta.body().to_json()?;
        Ok(Self {
            body_digest: body_digest(&body),
            body: Arc::new(body),
        })
    }
}

impl Opened {
    /// Applies the delta to a memory.
    pub(super) fn apply(
        &self,
        memory: &mut Memory,
        now: Timestamp,
        tables: &Tables,
    ) -> Result<Applied, Refusal> {
        let read = (self.delta.as_ref(), self.readings.as_deref());
        apply_read_delta(memory, read, now, tables)
    }
}

impl Engine {
    /// Takes a delta apart, a large one in the background.
    pub(super) fn open_delta(&self, delta: Delta) -> EngineResult<Opened> {
        let delta = Arc::new(delta);
        let stored = Arc::new(Stored::new(delta.clone()));
        if delta.operations.len() < LARGE {
            stored.form()?;
            return Ok(Opened {
                delta,
                stored,
                readings: None,
            });
        }
        let readings = Readings::new(delta.clone(), self.tables().clone(), PIECE);
        let (readings, next) = (Arc::new(readings), Arc::new(AtomicUsize::new(0)));
        let cores = available_parallelism().map_or(1, NonZero::get);
        for _ in 0..(cores - 1).clamp(1, AHEAD_MAX) {
            let work = (Arc::downgrade(&readings), Arc::downgrade(&stored));
            let next = next.clone();
            drop(spawn_blocking(move || work_ahead(work, &next)));
        }
        Ok(Opened {
            delta,
            stored,
            readings: Some(readings),
        })
    }
}

/// Reads piece after piece, then makes the stored form; ends where nobody waits for it any more.
fn work_ahead((readings, stored): (Weak<Readings>, Weak<Stored>), next: &AtomicUsize) {
    while let Some(readings) = readings.upgrade() {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        if piece >= readings.pieces() {
            break;
        }
        readings.read(piece);
    }
    if let Some(stored) = stored.upgrade() {
        // What went wrong is told to whoever needs it.
        let _ = stored.form();
    }
}
