//! A delta with its stored form, ready to be sent to its memory.
//!
//! Encoding needs neither the memory nor its lock, so the caller does it before the delta waits for either.

use std::sync::Arc;

use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::delta::{Delta, body_digest};

/// A delta and its stored form.
pub(crate) struct PreparedDelta {
    pub(crate) delta: Delta,
    pub(crate) encoded: EncodedDelta,
}

impl PreparedDelta {
    /// Encodes a delta.
    pub(crate) fn new(delta: Delta) -> EngineResult<Self> {
        Ok(Self {
            encoded: EncodedDelta::new(&delta)?,
            delta,
        })
    }
}

/// The stored form of a delta: its body as JSON, and the digest that identifies the body.
pub(crate) struct EncodedDelta {
    pub(crate) body: Arc<String>,
    pub(crate) body_digest: String,
}

impl EncodedDelta {
    /// Encodes the body of a delta.
    pub(crate) fn new(delta: &Delta) -> EngineResult<Self> {
        let body = delta.body().to_json();
        let body = body.map_err(|error| EngineError::Invalid(error.to_string()))?;
        Ok(Self {
            body_digest: body_digest(&body),
            body: Arc::new(body),
        })
    }
}
