//! Removals by an import: texts that came from a file alone, and that the file no longer holds.
//!
//! The history shows the origin of a bullet. Texts that another file or a caller brought too, edits by a person, and
//! pinned bullets stay, because they no longer belong to the file alone.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::import::ImportRequest;
use crate::actor::loading::{hypothetical, load};
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::history::stored_delta::body_of;
use crate::memory::bullets::is_clear;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{
    BulletRef, DeltaBody, DeltaId, ImportedFile, Operation, Removal,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_store::{DeltaPage, DeltaRecord};

/// Deltas read per page.
const PAGE: usize = 256;

impl Engine {
    /// Adds removals to an import that keeps a file in step, for bullets that the file no longer holds, and returns
    /// them.
    pub(super) async fn take_away(
        &self,
        key: &MemoryKey,
        request: &mut ImportRequest,
    ) -> EngineResult<Vec<BulletId>> {
        let Some(file) = request.file.clone().filter(|file| file.sync) else {
            return Ok(Vec::new());
        };
        let came = self.provenance(key, &file.name).await?;
        request.is_known_file = came.newest.is_some();
        if came.own.is_empty() {
            return Ok(Vec::new());
        }
        // The import decides which bullets its texts meet, so it is tried first.
        let (delta, _) = self.delta_of_import(&mut request.clone());
        // Loaded for this call alone, because the trial changes it.
        let mut memory = match load(self.context(), key).await? {
            Some(snapshot) => snapshot.memory,
            None => hypothetical(self.context(), key, self.now()).memory,
        };
        let kept = met(&self.decided(&mut memory, &delta)?.receipt);
        let is_gone = |id: &&BulletId| {
            let bullet = memory
                .get(**id)
                .filter(|bullet| bullet.is_active() && !bullet.pinned);
            bullet.is_some() && !kept.contains(*id) && !came.is_elsewhere(**id)
        };
        let gone: Vec<BulletId> = came.own.iter().filter(is_gone).copied().collect();
        request.operations.extend(gone.iter().map(|id| {
            Operation::Remove(Removal {
                id: BulletRef::from(*id),
                reason: Some(format!("it is not in {} any more", file.name)),
            })
        }));
        Ok(gone)
    }

    /// The newest import of a file; absent if there was none, or if the memory was cleared since.
    pub(super) async fn newest_import(
        &self,
        key: &MemoryKey,
        file: &str,
    ) -> EngineResult<Option<DeltaId>> {
        Ok(self.provenance(key, file).await?.newest)
    }

    /// Reads the history for where the bullets of a memory came from.
    async fn provenance(&self, key: &MemoryKey, file: &str) -> EngineResult<Provenance> {
        let mut parts = Vec::new();
        let mut below_revision = None;
        'pages: loop {
            let page = DeltaPage {
                below_revision,
                limit: PAGE,
            };
            let records = self.store().deltas(key, page).await?;
            let Some(last) = records.last() else { break };
            below_revision = Some(last.revision);
            for record in records {
                // A cleared memory holds nothing that earlier imports brought.
                if is_clear(&record) {
                    break 'pages;
                }
                parts.extend(Part::of(record)?);
            }
        }
        let mut came = Provenance::default();
        // The pages come newest first, but origins are followed from the oldest on.
        for part in parts.into_iter().rev() {
            came.take(part, file);
        }
        Ok(came)
    }
}

/// The bullets that an import matched in the memory, its own new bullets included.
fn met(receipt: &Receipt) -> HashSet<BulletId> {
    let merged = receipt.merged.iter().map(|merged| merged.into);
    let lists = [&receipt.added, &receipt.revived, &receipt.updated];
    lists.into_iter().flatten().copied().chain(merged).collect()
}

/// The origins of bullets by one delta.
struct Part {
    id: DeltaId,
    file: Option<ImportedFile>,
    receipt: Receipt,
    edited: Vec<BulletId>,
}

impl Part {
    /// Reads a record; an undo adds nothing new.
    fn of(record: DeltaRecord) -> EngineResult<Option<Self>> {
        let body = body_of(&record)?;
        if body.undo {
            return Ok(None);
        }
        Ok(Some(Self {
            edited: edited(&body, &record.receipt),
            file: body.file,
            id: record.id,
            receipt: record.receipt,
        }))
    }
}

/// Bullets whose text a delta changed by hand.
fn edited(body: &DeltaBody<'_>, receipt: &Receipt) -> Vec<BulletId> {
    let mut edited = Vec::new();
    for operation in body.operations.iter() {
        let Operation::Update(patch) = operation else {
            continue;
        };
        if patch.content.is_some() {
            match patch.id.0.parse() {
                Ok(id) => edited.push(id),
                // Named by the id of another program: any of those that changed.
                Err(_) => edited.extend(&receipt.updated),
            }
        }
    }
    edited
}

/// Where the bullets of a memory came from, seen from one file.
#[derive(Default)]
struct Provenance {
    /// Bullets that the file brought.
    own: BTreeSet<BulletId>,
    /// Bullets that each other file has; those of callers under the empty name.
    others: HashMap<String, HashSet<BulletId>>,
    newest: Option<DeltaId>,
}

impl Provenance {
    fn is_elsewhere(&self, id: BulletId) -> bool {
        self.others.values().any(|ids| ids.contains(&id))
    }

    fn take(&mut self, part: Part, file: &str) {
        let receipt = &part.receipt;
        let is_own = part.file.as_ref().is_some_and(|one| one.name == file);
        if is_own {
            self.own
                .extend(receipt.added.iter().chain(&receipt.revived));
            self.newest = Some(part.id);
        } else {
            let name = part.file.as_ref().map_or("", |one| one.name.as_str());
            let has = self.others.entry(name.to_owned()).or_default();
            // A file that is kept in step holds only the texts of its newest import.
            if part.file.as_ref().is_some_and(|one| one.sync) {
                has.clear();
            }
            has.extend(
                receipt
                    .added
                    .iter()
                    .chain(&receipt.revived)
                    .chain(&part.edited),
            );
            // A text that matched a bullet supports it; two bullets that merged later add nothing new.
            let spoken = receipt
                .merged
                .iter()
                .filter(|one| one.from == one.into || !self.own.contains(&one.from));
            has.extend(spoken.map(|one| one.into));
        }
        // A bullet that became part of another passes its origins on.
        for merged in receipt.merged.iter().filter(|one| one.from != one.into) {
            for ids in self.others.values_mut() {
                if ids.contains(&merged.from) {
                    ids.insert(merged.into);
                }
            }
        }
    }
}
