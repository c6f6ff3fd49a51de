//! The seal on who wrote a delta, when and with which engine: nothing else repeats that, so an edit would go unnoticed.

use serde::Deserialize;

use crate::bolt::executor::Executor;
use crate::bolt::times::Moment;
use crate::bolt::values::{Map, memory_key};
use crate::bolt::work::send;
use crate::error::Result;
use crate::statements::ORIGINS;
use crate::upkeep::by_hand::Mended;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_store::DeltaRecord;

/// Bytes of a seal: enough to notice an edit.
const SEAL_BYTES: usize = 16;

/// The seal of a delta.
pub(super) fn seal(delta: &DeltaRecord) -> String {
    let origin = &delta.origin;
    Origin {
        id: delta.id.to_string(),
        at: Moment(delta.at),
        author: origin.author.clone(),
        instance: origin.instance.clone(),
        engine_version: origin.engine_version.clone(),
        seal: None,
    }
    .meant()
}

#[derive(Deserialize)]
struct Origin {
    id: String,
    at: Moment,
    author: Option<String>,
    instance: String,
    engine_version: String,
    seal: Option<String>,
}

impl Origin {
    fn meant(&self) -> String {
        let at = self.at.0.to_string();
        // The prefix keeps a delta without an author apart from one with an empty name.
        let author = self
            .author
            .as_ref()
            .map_or(String::new(), |author| format!("by {author}"));
        let parts = [&self.id, &at, &author, &self.instance, &self.engine_version];
        hex(&derived_hash(&parts.map(String::as_str))[..SEAL_BYTES])
    }
}

/// The deltas of a memory whose seal does not fit, since its newest checkpoint.
pub(crate) async fn broken(executor: &Executor, key: &MemoryKey) -> Result<Vec<String>> {
    let asked = Map::new().with("memory", memory_key(key));
    let rows = send(executor, ORIGINS, asked).await?;
    let mut found = Vec::new();
    for row in rows {
        let Mended(origin) = row.get::<Mended<Origin>>("origin")?;
        if origin.seal.as_ref() != Some(&origin.meant()) {
            found.push(origin.id);
        }
    }
    Ok(found)
}
