//! Reads a delta back from its record in the history.

use std::borrow::Cow;

use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::delta::{Delta, DeltaBody, DeltaId};
use hindlore_store::DeltaRecord;

/// Decodes the body of a record.
pub(crate) fn body_of(record: &DeltaRecord) -> EngineResult<DeltaBody<'static>> {
    serde_json::from_str(&record.body).map_err(|error| {
        EngineError::Invalid(format!(
            "the stored body of `{}` cannot be read: {error}",
            record.id
        ))
    })
}

/// Restores the delta of a record, ready to be applied again.
pub(super) fn delta_of(record: DeltaRecord) -> EngineResult<Delta> {
    let body = body_of(&record)?;
    Ok(Delta {
        id: record.id,
        origin: record.origin,
        reasoning: body.reasoning.map(Cow::into_owned),
        expected_revision: None,
        lenient: body.lenient,
        import: body.import,
        undo: body.undo,
        undoes: body.undoes,
        meets: body.meets,
        file: body.file,
        operations: body.operations.into_owned(),
    })
}

/// The delta that a record undoes; absent if it is no undo.
pub fn undoes(record: &DeltaRecord) -> Option<DeltaId> {
    let body = body_of(record).ok()?;
    // The oldest histories name it only in the reasoning, in a form that only an undo could write.
    let named = || {
        let name = record.reasoning.as_deref()?.strip_prefix("undo of ")?;
        DeltaId::known(name).ok()
    };
    body.undoes.or_else(|| named().filter(|_| body.undo))
}
