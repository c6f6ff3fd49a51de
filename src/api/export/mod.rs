//! Writes a memory to a file: our own lossless lines, and the formats of other programs.
//!
//! An export depends on its input only, without a clock and in input order, so the same memory always makes
//! the same bytes.

mod ace_playbook;
mod classic;
mod json_playbook;
pub(crate) mod learned;
pub mod markdown;
#[cfg(test)]
pub(crate) mod samples;
pub mod skill;
pub(crate) mod strong;
mod write;

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

pub use ace_playbook::write_ace_playbook;
pub use classic::write_classic;
pub use learned::{LearnedLines, LearnedManifest};
pub use write::{ExportFormat, Learned, Written, write};

use hindlore::MemoryView;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkKind};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::record::BulletRecord;

/// Version of the export format.
pub(crate) const EXPORT_VERSION: u64 = 1;

/// The header of a memory's export.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// The memory.
    pub key: MemoryKey,
    /// Its revision.
    pub revision: u64,
    /// Its clock.
    pub clock: u64,
    /// State digest of all its bullets.
    pub digest: String,
    /// Content digest of its active and rejected bullets.
    pub content_digest: String,
    /// Its policy.
    pub policy: Policy,
    /// Number of bullet lines: all bullets of any status.
    pub bullets: u64,
    /// Number of link lines, without removed links.
    pub links: u64,
    /// False for a learner with lessons but no memory; the other fields are then meaningless.
    pub has_memory: bool,
    /// Lesson lines that follow; absent if none.
    pub learned: Option<LearnedManifest>,
}

impl Manifest {
    /// The manifest of a memory, without lessons.
    pub fn from_view(view: &MemoryView) -> Self {
        Self {
            key: view.key.clone(),
            revision: view.revision,
            clock: view.clock,
            digest: view.digest.clone(),
            content_digest: view.content_digest.clone(),
            policy: view.policy.clone(),
            bullets: view.bullets.len() as u64,
            links: view.links.len() as u64,
            has_memory: true,
            learned: None,
        }
    }

    /// The manifest of a learner without a memory under this key.
    pub fn without_memory(key: MemoryKey) -> Self {
        Self {
            key,
            revision: 0,
            clock: 0,
            digest: String::new(),
            content_digest: String::new(),
            policy: Policy::default(),
            bullets: 0,
            links: 0,
            has_memory: false,
            learned: None,
        }
    }
}

/// The first line of an export.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestLine {
    pub(crate) hindlore_export: u64,
    pub(crate) memory: MemoryNames,
    pub(crate) revision: u64,
    pub(crate) clock: u64,
    pub(crate) digest: Option<String>,
    pub(crate) content_digest: Option<String>,
    pub(crate) policy: Policy,
    pub(crate) bullets: u64,
    pub(crate) links: u64,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub(crate) has_memory: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) learned: Option<LearnedManifest>,
}

/// The three names of a memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryNames {
    pub(crate) tenant: String,
    pub(crate) learner: String,
    pub(crate) scope: String,
}

/// A bullet line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BulletLine<T> {
    pub(crate) bullet: T,
}

/// A link line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkLine {
    pub(crate) link: LinkFields,
}

/// The fields of a link line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkFields {
    pub(crate) kind: LinkKind,
    pub(crate) from: BulletId,
    pub(crate) to: BulletId,
    #[serde(default)]
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) similarity: Option<f64>,
}

/// Writes the lossless format: JSON Lines, manifest first, without removed links.
pub fn write_export<'m>(
    out: &mut dyn Write,
    manifest: &Manifest,
    bullets: impl Iterator<Item = &'m Bullet>,
    links: impl Iterator<Item = &'m Link>,
) -> io::Result<()> {
    let key = &manifest.key;
    let names = MemoryNames {
        tenant: key.tenant().to_owned(),
        learner: key.learner().to_owned(),
        scope: key.scope().to_owned(),
    };
    write_line(
        out,
        &ManifestLine {
            hindlore_export: EXPORT_VERSION,
            memory: names.clone(),
            revision: manifest.revision,
            clock: manifest.clock,
            digest: manifest.has_memory.then(|| manifest.digest.clone()),
            content_digest: manifest.has_memory.then(|| manifest.content_digest.clone()),
            policy: manifest.policy.clone(),
            bullets: manifest.bullets,
            links: manifest.links,
            has_memory: manifest.has_memory,
            learned: manifest.learned.clone(),
        },
    )?;
    for bullet in bullets {
        let record = BulletRecord {
            tenant: Some(names.tenant.clone()),
            learner_id: Some(names.learner.clone()),
            context_scope_id: Some(names.scope.clone()),
            ..BulletRecord::from_bullet(bullet)
        };
        write_line(out, &BulletLine { bullet: record })?;
    }
    for link in links.filter(|link| !link.removed) {
        let link = LinkFields {
            kind: link.id.kind,
            from: link.id.from,
            to: link.id.to,
            reason: link.reason.clone(),
            similarity: link.similarity,
        };
        write_line(out, &LinkLine { link })?;
    }
    Ok(())
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
