//! Verb: bring a file into a memory, as one delta whose id follows from the file.

use super::Engine;
use super::apply_delta::AppliedDelta;
use super::error::EngineResult;
use crate::domain::memory::apply::apply_delta;
use crate::domain::memory::delta::{Delta, DeltaId, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::plant::create;
use crate::domain::memory::policy::Policy;

/// A file, read and understood.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRequest {
    /// Follows from file, format and memory, so that the same import is the same delta.
    pub delta: DeltaId,
    /// What the file says.
    pub operations: Vec<Operation>,
    /// Policy that the file brings; used where the import makes the memory.
    pub policy: Option<Policy>,
    /// The memory is made without planted advice, since the file brings its own.
    pub is_whole_memory: bool,
    /// Apply what can be applied.
    pub lenient: bool,
    /// Who imports.
    pub author: Option<String>,
    /// What is imported, for the history.
    pub reasoning: Option<String>,
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
    pub async fn import(&self, key: &MemoryKey, request: ImportRequest) -> EngineResult<Imported> {
        let mut delta = Delta::new(request.delta, request.operations);
        delta.import = true;
        delta.lenient = request.lenient;
        delta.origin.author = request.author;
        delta.reasoning = request.reasoning;
        if request.is_whole_memory && self.store().head(key).await?.is_none() {
            let policy = request
                .policy
                .unwrap_or_else(|| self.options().policy.clone());
            // Its bullets are taken as they are; what is decided from now on is decided with our tables.
            let policy = self.tables().stamp(policy);
            // An import that is refused leaves no empty memory behind.
            let now = self.shared.clock.now();
            let mut trial = create(key.clone(), policy.clone(), false, now).memory;
            apply_delta(&mut trial, &delta, now, self.tables())?;
            self.create(key, policy, false).await?;
        }
        let applied = self.apply_delta(key, delta).await?;
        Ok(Imported { applied })
    }
}
