//! Verb: bring a file into a memory, as one delta whose id is derived from the file.
//!
//! The same file is the same delta, so importing it twice changes nothing. After the memory was cleared, or
//! on request, the file is imported again as another delta. That delta matches its texts to those already
//! present, so no vote counts twice.

use crate::actor::loading::create_empty;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::history::stored_delta::body_of;
use crate::memory::answers::AppliedDelta;
use crate::memory::bullets::is_clear;
use crate::redact;
use hindlore_domain::memory::apply::apply_delta;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, ImportedFile, Meets, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::seed::create;
use hindlore_redact::Redactions;
use hindlore_store::{DeltaPage, DeltaRecord};

/// Deltas read per page.
const PAGE: usize = 256;

/// A parsed file.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRequest {
    /// The delta to be made.
    pub delta: ImportDelta,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Policy in the file; used if the import makes the memory.
    pub policy: Option<Policy>,
    /// True for a whole memory: a new one gets no seed bullets, because the file has its own.
    pub is_whole_memory: bool,
    /// The file that it comes from.
    pub file: Option<ImportedFile>,
    /// Apply every operation that can be applied, and skip the rest.
    pub lenient: bool,
    /// True if an earlier import brought the votes of the file; set by the engine.
    pub is_known_file: bool,
    /// Author of the import.
    pub author: Option<String>,
    /// Description of the import, for the history.
    pub reasoning: Option<String>,
}

/// The delta of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportDelta {
    /// Derived from file, format, memory, and number.
    pub id: DeltaId,
    /// Number of earlier imports of the file that this one does not repeat.
    pub number: u32,
}

impl ImportDelta {
    /// The first import of a file.
    pub fn first(id: DeltaId) -> Self {
        Self { id, number: 0 }
    }
}

/// When a text that was imported before is imported again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again<'f> {
    /// Never: nothing changes.
    Never,
    /// Always.
    Anew,
    /// If it is not the newest import of this file.
    InStep(&'f str),
}

/// The result of an import.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// The applied delta.
    pub applied: AppliedDelta,
    /// Bullets archived because the file no longer holds them.
    pub gone: Vec<BulletId>,
}

impl Imported {
    /// The result of an earlier import.
    pub(super) fn unchanged(applied: AppliedDelta) -> Self {
        let gone = Vec::new();
        Self { applied, gone }
    }
}

impl Engine {
    /// Imports a file. Fails rather than prunes if there is not enough room. The same file again changes
    /// nothing.
    pub async fn import(
        &self,
        key: &MemoryKey,
        mut request: ImportRequest,
    ) -> EngineResult<Imported> {
        if let Some(applied) = self.import_before(key, &request.delta.id).await? {
            return Ok(Imported::unchanged(applied));
        }
        let gone = self.take_away(key, &mut request).await?;
        let (delta, redacted) = self.delta_of_import(&mut request);
        if request.is_whole_memory && self.store().head(key).await?.is_none() {
            let policy = self.policy_of_import(request.policy)?;
            // A refused import must leave no empty memory.
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
        Ok(Imported { applied, gone })
    }

    /// The delta for an import of a file: that of its newest import, or a new one if there was none, if the
    /// memory was cleared since, or with `anew`. For a file that is kept in step the newest import of that file
    /// counts alone: its text may have come back to an earlier one.
    pub async fn import_delta(
        &self,
        key: &MemoryKey,
        first: &DeltaId,
        again: Again<'_>,
    ) -> EngineResult<ImportDelta> {
        let in_step = match again {
            Again::InStep(file) => Some(self.newest_import(key, file).await?),
            Again::Anew | Again::Never => None,
        };
        let anew = matches!(again, Again::Anew);
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
                    let newest = newest.map(|(newest, _)| newest).filter(|newest| {
                        stands
                            && in_step
                                .as_ref()
                                .is_none_or(|last| last.as_ref() == Some(&newest.id))
                    });
                    return Ok(newest.unwrap_or(one));
                }
                Some(record) if is_import(&record) => newest = Some((one, record.revision)),
                // Another delta took this id; try the next.
                Some(_) => {}
            }
            number += 1;
        }
    }

    /// The answer of an earlier run of the same import; absent if there was none.
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

    /// Makes the delta of an import, without secrets. Takes the operations out of the request.
    pub(super) fn delta_of_import(&self, request: &mut ImportRequest) -> (Delta, Redactions) {
        let operations = std::mem::take(&mut request.operations);
        let mut delta = Delta::new(request.delta.id.clone(), operations);
        delta.import = true;
        let is_known = request.delta.number > 0 || request.is_known_file;
        delta.meets = if is_known {
            Meets::KnownTexts
        } else {
            Meets::KnownIds
        };
        delta.file = request.file.take();
        delta.lenient = request.lenient;
        delta.origin.author = request.author.take();
        delta.reasoning = request.reasoning.take();
        let redacted = redact::delta(self.redactor(), &mut delta);
        (delta, redacted)
    }

    /// The policy of a memory made by an import. Its bullets are taken as they are; later decisions use our
    /// own word tables.
    pub(super) fn policy_of_import(&self, brought: Option<Policy>) -> EngineResult<Policy> {
        let policy = brought.unwrap_or_else(|| self.options().policy.clone());
        match policy.fault() {
            Some(fault) => Err(EngineError::Invalid(fault)),
            None => Ok(self.context().tables().stamp(policy)),
        }
    }

    /// True if the memory was cleared after a revision.
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
