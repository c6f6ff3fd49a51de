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
    /// Made by whoever needs it first.
    form: OnceLock<Result<Form, String>>,
    /// Absent for a few texts, which are read where they are applied: equal ones need no words.
    readings: Option<Readings>,
}

/// The form that a delta is kept in.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) body: Arc<String>,
    pub(super) body_digest: String,
}

impl Form {
    /// Makes the stored form of a delta; `Err` says why there is none.
    pub(super) fn of(delta: &Delta) -> Result<Self, String> {
        let body = delta.body().to_json().map_err(|error| error.to_string())?;
        Ok(Self {
            body_digest: body_digest(&body),
            body: Arc::new(body),
        })
    }
}

impl Opened {
    /// The stored form.
    pub(super) fn form(&self) -> EngineResult<&Form> {
        let form = self.form.get_or_init(|| Form::of(&self.delta));
        form.as_ref()
            .map_err(|reason| EngineError::Invalid(reason.clone()))
    }

    /// Applies the delta to a memory.
    pub(super) fn apply(
        &self,
        memory: &mut Memory,
        now: Timestamp,
        tables: &Tables,
    ) -> Result<Applied, Refusal> {
        let read = (self.delta.as_ref(), self.readings.as_ref());
        apply_read_delta(memory, read, now, tables)
    }
}

impl Engine {
    /// Takes a delta apart, a large one in the background.
    pub(super) fn open_delta(&self, delta: Delta) -> EngineResult<Arc<Opened>> {
        let delta = Arc::new(delta);
        let is_large = delta.operations.len() >= LARGE;
        let readings = || Readings::new(delta.clone(), self.tables().clone(), PIECE);
        let opened = Arc::new(Opened {
            readings: is_large.then(readings),
            form: OnceLock::new(),
            delta,
        });
        if !is_large {
            opened.form()?;
            return Ok(opened);
        }
        let next = Arc::new(AtomicUsize::new(0));
        let cores = available_parallelism().map_or(1, NonZero::get);
        for _ in 0..(cores - 1).clamp(1, AHEAD_MAX) {
            let (opened, next) = (Arc::downgrade(&opened), next.clone());
            drop(spawn_blocking(move || work_ahead(&opened, &next)));
        }
        Ok(opened)
    }
}

/// Reads piece after piece, then makes the stored form; ends where nobody waits for it any more.
fn work_ahead(opened: &Weak<Opened>, next: &AtomicUsize) {
    while let Some(opened) = opened.upgrade() {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        let readings = opened.readings.as_ref();
        let Some(readings) = readings.filter(|readings| piece < readings.pieces()) else {
            // What went wrong is told to whoever needs it.
            let _ = opened.form();
            return;
        };
        readings.read(piece);
    }
}
