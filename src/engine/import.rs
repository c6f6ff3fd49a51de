//! Verb: bring a file into a memory, as one delta whose id follows from the file.
//!
//! The same file is the same delta, so that importing it twice changes nothing. A memory that was cleared
//! since then, or a person who asks for it, gets it anew: as another delta of the same file, for which a text
//! that is here counts as the one of the file, so that no vote counts twice.

use super::actor::loading::create_empty;
use super::answers::AppliedDelta;
use super::bullets::is_clear;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::redact;
use super::stored_delta::body_of;
use crate::domain::memory::apply::apply_delta;
use crate::domain::memory::delta::{Delta, DeltaId, Meets, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::policy::Policy;
use crate::domain::memory::seed::create;
use crate::domain::redact::Redactions;
use crate::store::{DeltaPage, DeltaRecord};

/// Deltas that are read at a time.
const PAGE: usize = 256;

/// A file, read and understood.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRequest {
    /// The delta that the file becomes.
    pub delta: ImportDelta,
    /// What the file says.
    pub operations: Vec<Operation>,
    /// Policy that the file brings; used where the import makes the memory.
    pub policy: Option<Policy>,
    /// A new memory gets no seed bullets, since the file brings its own.
    pub is_whole_memory: bool,
    /// Apply what can be applied.
    pub lenient: bool,
    /// Who imports.
    pub author: Option<String>,
    /// What is imported, for the history.
    pub reasoning: Option<String>,
}

/// The delta of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportDelta {
    /// Follows from file, format, memory and number.
    pub id: DeltaId,
    /// Number of imports of the same file before it that do not stand for this one.
    pub number: u32,
}

impl ImportDelta {
    /// The first import of a file.
    pub fn first(id: DeltaId) -> Self {
        Self { id, number: 0 }
    }
}

/// What an import did.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// The delta.
    pub applied: AppliedDelta,
}

impl Engine {
    /// Imports; nothing is pruned to make room, the import is refused instead. Importing the same file
    /// again changes nothing.
    pub async fn import(
        &self,
        key: &MemoryKey,
        mut request: ImportRequest,
    ) -> EngineResult<Imported> {
        if let Some(applied) = self.import_before(key, &request.delta.id).await? {
            return Ok(Imported { applied });
        }
        let (delta, redacted) = self.delta_of_import(&mut request);
        if request.is_whole_memory && self.store().head(key).await?.is_none() {
            let policy = self.policy_of_import(request.policy)?;
            // An import that is refused leaves no empty memory behind.
            let now = self.now();
            let mut trial = create(key.clone(), policy.clone(), false, now).memory;
            apply_delta(&mut trial, &delta, now, self.context().tables())?;
            create_empty(self.context(), key, policy).await?;
        }
        let applied = Box::pin(self.apply_unredacted(key, delta)).await?;
        let applied = AppliedDelta {
            redacted,
            ..applied
        };
        Ok(Imported { applied })
    }

    /// The delta that an import of a file becomes: the one of its newest import, or a new one where there was
    /// none, where the memory was cleared since, or where it is asked for `anew`.
    pub async fn import_delta(
        &self,
        key: &MemoryKey,
        first: &DeltaId,
        anew: bool,
    ) -> EngineResult<ImportDelta> {
        let mut newest: Option<(ImportDelta, u64)> = None;
        let mut number = 0;
        loop {
            let id = first.again(number);
            let one = ImportDelta { id, number };
            match self.store().delta(key, &one.id).await? {
                None => {
                    let stands = match &newest {
                        Some((_, revision)) => !anew && !self.was_cleared(key, *revision).await?,
                        None => false,
                    };
                    let newest = newest.map(|(newest, _)| newest).filter(|_| stands);
                    return Ok(newest.unwrap_or(one));
                }
                Some(record) if is_import(&record) => newest = Some((one, record.revision)),
                // The id was taken by somebody else.
                Some(_) => {}
            }
            number += 1;
        }
    }

    /// The answer of the same import of earlier; absent where there was none.
    pub(super) async fn import_before(
        &self,
        key: &MemoryKey,
        id: &DeltaId,
    ) -> EngineResult<Option<AppliedDelta>> {
        let found = self.store().delta(key, id).await?;
        match found.filter(is_import) {
            Some(earlier) => {
                let answer = Box::pin(self.repeated_answer(key, earlier.receipt));
                Ok(Some(answer.await?))
            }
            None => Ok(None),
        }
    }

    /// Makes the delta of an import, without its secrets. The operations leave the request.
    pub(super) fn delta_of_import(&self, request: &mut ImportRequest) -> (Delta, Redactions) {
        let operations = std::mem::take(&mut request.operations);
        let mut delta = Delta::new(request.delta.id.clone(), operations);
        delta.import = true;
        delta.meets = match request.delta.number {
            0 => Meets::KnownIds,
            _ => Meets::KnownTexts,
        };
        delta.lenient = request.lenient;
        delta.origin.author = request.author.take();
        delta.reasoning = request.reasoning.take();
        let redacted = redact::delta(self.redactor(), &mut delta);
        (delta, redacted)
    }

    /// The policy of a memory that an import makes. Its bullets are taken as they are; what is decided from now on
    /// is decided with our tables.
    pub(super) fn policy_of_import(&self, brought: Option<Policy>) -> EngineResult<Policy> {
        let policy = brought.unwrap_or_else(|| self.options().policy.clone());
        match policy.fault() {
            Some(fault) => Err(EngineError::Invalid(fault)),
            None => Ok(self.context().tables().stamp(policy)),
        }
    }

    /// True when the memory was cleared after a revision.
    async fn was_cleared(&self, key: &MemoryKey, revision: u64) -> EngineResult<bool> {
        let mut below_revision = None;
        loop {
            let page = DeltaPage {
                below_revision,
                limit: PAGE,
            };
            let records = self.store().deltas(key, page).await?;
            let mut later = records.iter().take_while(|one| one.revision > revision);
            if later.any(is_clear) {
                return Ok(true);
            }
            match records.last() {
                Some(last) if last.revision > revision => below_revision = Some(last.revision),
                _ => return Ok(false),
            }
        }
    }
}

fn is_import(record: &DeltaRecord) -> bool {
    body_of(record).is_ok_and(|body| body.import)
}
