//! One timed call to the engine.

use std::time::Instant;

use hindlore::RetrieveRequest;
use hindlore_domain::memory::query::Query;

use super::fill::{Filled, failed, single};
use super::texts::Texts;
use crate::error::EvalError;

/// Seconds of one answer of the engine.
pub(super) async fn ask(filled: &Filled, question: &str) -> Result<f64, EvalError> {
    let started = Instant::now();
    let request = RetrieveRequest::peek(Query::new(question));
    filled
        .engine
        .retrieve(&filled.key, request)
        .await
        .map_err(failed)?;
    Ok(started.elapsed().as_secs_f64())
}

/// Seconds of one add to the engine.
pub(super) async fn add(filled: &Filled, text: &str, id: &str) -> Result<f64, EvalError> {
    let delta = single(text, id, &mut Texts::new(1))?;
    let started = Instant::now();
    filled
        .engine
        .apply_delta(&filled.key, delta)
        .await
        .map_err(failed)?;
    Ok(started.elapsed().as_secs_f64())
}
