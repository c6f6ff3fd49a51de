//! Reads our own export: a manifest, then one bullet or link per line.
//!
//! Bullets and links are restored exactly. The manifest holds the number of lines and the digests, so a
//! truncated or changed file is noticed before anything is applied.

use std::collections::HashSet;

use serde_json::value::Value;

use super::learned::Learned;
use super::{BadLine, Format, Import, ImportRecord, wrong_format};
use crate::export::learned::LearnedLine;
use crate::export::{BulletLine, EXPORT_VERSION, LinkLine, ManifestLine};
use crate::json::{Unique, reason};
use crate::nearest::quoted;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Bullet, BulletId, COUNT_MAX};
use hindlore_domain::memory::content::ContentHash;
use hindlore_domain::memory::delta::{BulletRef, Insertion, LinkChange, Operation};
use hindlore_domain::memory::digest::{
    DigestTree, content_digest, content_leaf, state_digest, state_leaf,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::record::BulletRecord;

/// The longest content any policy admits; the memory's own limit is checked on insertion.
const LONGEST_CONTENT: u32 = 1_048_576;

/// Reads an export.
pub(super) fn read(text: &str, key: &MemoryKey) -> Result<Import, Problem> {
    let mut lines = (1_u64..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let Some((_, first)) = lines.next() else {
        return Err(wrong_format(Format::Hindlore, "it is empty"));
    };
    let manifest = manifest(first)?;
    if manifest.clock > COUNT_MAX || manifest.revision > COUNT_MAX {
        return Err(wrong_format(
            Format::Hindlore,
            "the clock or the revision of its manifest is out of range",
        ));
    }
    if let Some(fault) = manifest.policy.fault() {
        return Err(Problem::new(
            "invalid_policy",
            format!("the policy of the manifest is one that no memory can have: {fault}"),
        )
        .with_hint("correct it in line 1, and leave `digest` out there")
        .at_line(1));
    }
    let learned = manifest.learned.clone();
    let learned = learned.map(|announced| Learned::announced(announced, key));
    let mut reader = Reader {
        key,
        learned: learned.transpose()?,
        import: Import {
            clock: Some(manifest.clock),
            policy: Some(manifest.policy.clone()),
            has_no_memory: !manifest.has_memory,
            ..Import::default()
        },
        links: Vec::new(),
        bullets: Vec::new(),
        ids: HashSet::new(),
        texts: HashSet::new(),
        manifest,
    };
    for (number, line) in lines {
        reader.line(number, line)?;
    }
    reader.finish()
}

fn manifest(line: &str) -> Result<ManifestLine, Problem> {
    let Unique(value) = serde_json::from_str(line).map_err(|error| {
        let why = format!("line 1 cannot be read: {}", reason(&error));
        wrong_format(Format::Hindlore, &why).at_line(1)
    })?;
    match value.get("hindlore_export").and_then(Value::as_u64) {
        None => Err(wrong_format(Format::Hindlore, "line 1 is not a manifest").at_line(1)),
        Some(EXPORT_VERSION) => serde_json::from_value(value).map_err(|error| {
            wrong_format(
                Format::Hindlore,
                &format!("the manifest cannot be read: {error}"),
            )
            .at_line(1)
        }),
        Some(version) => Err(newer(&format!("the file has export version {version}")).at_line(1)),
    }
}

fn newer(what: &str) -> Problem {
    Problem::new(
        "newer_export",
        format!(
            "{what}, which hindlore {} (export version {EXPORT_VERSION}) does not know",
            env!("CARGO_PKG_VERSION")
        ),
    )
    .with_hint("import it with the version of hindlore that wrote it, or a later one")
}

struct Reader<'k> {
    key: &'k MemoryKey,
    manifest: ManifestLine,
    import: Import,
    learned: Option<Learned>,
    bullets: Vec<Bullet>,
    ids: HashSet<BulletId>,
    /// Texts of the file's bullets: no two may have the same.
    texts: HashSet<ContentHash>,
    /// Kept until the end, so that both bullets of a link exist.
    links: Vec<ImportRecord>,
}

impl Reader<'_> {
    fn line(&mut self, number: u64, line: &str) -> Result<(), Problem> {
        let value = match serde_json::from_str(line) {
            Ok(Unique(value)) => value,
            Err(error) => {
                self.import.add(number, Err(reason(&error)));
                return Ok(());
            }
        };
        let kind = value
            .as_object()
            .filter(|object| object.len() == 1)
            .and_then(|object| object.keys().next().cloned());
        match kind.as_deref() {
            Some("bullet") => {
                let read = self.bullet(value);
                self.import.add(number, read);
            }
            Some("link") => match link(value) {
                Ok(operation) => self.links.push(ImportRecord {
                    line: number,
                    operation,
                }),
                Err(reason) => self.import.bad.push(BadLine {
                    line: number,
                    reason,
                }),
            },
            Some(kind) if LearnedLine::KINDS.contains(&kind) => {
                let Some(learned) = &mut self.learned else {
                    let what =
                        format!("line {number} is of lessons, and the manifest announces none");
                    return Err(Problem::new("export_damaged", what)
                        .with_hint("the file was put together from others; export again")
                        .at_line(number));
                };
                learned.line(number, line, value)?;
            }
            Some(other) => {
                return Err(
                    newer(&format!("line {number} is of the kind {}", quoted(other)))
                        .at_line(number),
                );
            }
            None => self.import.add(
                number,
                Err("a line is an object with one field, `bullet` or `link`".to_owned()),
            ),
        }
        Ok(())
    }

    fn bullet(&mut self, value: Value) -> Result<Operation, String> {
        let line: BulletLine<BulletRecord> =
            serde_json::from_value(value).map_err(|error| error.to_string())?;
        let record = line.bullet;
        record.check(self.manifest.clock)?;
        let bullet = record.to_bullet(LONGEST_CONTENT)?;
        if !self.ids.insert(bullet.id) {
            return Err(format!("`{}` stands twice in the file", bullet.id));
        }
        if bullet.holds_hash && !self.texts.insert(bullet.content_hash()) {
            return Err(format!(
                "the text of `{}` belongs to another bullet of the file as well",
                bullet.id
            ));
        }
        self.bullets.push(bullet);
        let learner = record.learner_id.as_deref();
        let is_foreign = learner.is_some_and(|learner| learner != self.key.learner());
        self.import.foreign_learners += u64::from(is_foreign);
        Ok(Operation::Insert(Box::new(Insertion {
            bullet: record,
            clock: self.manifest.clock,
        })))
    }

    fn finish(mut self) -> Result<Import, Problem> {
        let found = self.import.read + count(&self.links);
        let bad_links =
            count(&self.import.bad).saturating_sub(self.import.read - count(&self.bullets));
        let expected = self.manifest.bullets.saturating_add(self.manifest.links);
        if found + bad_links != expected {
            return Err(Problem::new(
                "export_incomplete",
                format!(
                    "the manifest announces {expected} bullets and links, the file has {}",
                    found + bad_links
                ),
            )
            .with_hint("the file was cut or put together from others; export again"));
        }
        // With a bad line the digests cannot match, and the line is reported anyway.
        if self.import.bad.is_empty() {
            self.check_digests()?;
        }
        self.import.records.append(&mut self.links);
        self.import.learned = self.learned.map(Learned::finish).transpose()?;
        Ok(self.import)
    }

    fn check_digests(&self) -> Result<(), Problem> {
        let (mut contents, mut states) = (DigestTree::default(), DigestTree::default());
        for bullet in &self.bullets {
            if let Some(leaf) = content_leaf(bullet) {
                contents.put(bullet.id, leaf);
            }
            states.put(bullet.id, state_leaf(bullet));
        }
        let manifest = &self.manifest;
        let state = state_digest(
            manifest.clock,
            manifest.revision,
            &manifest.policy,
            states.root(),
        );
        for (name, announced, found) in [
            (
                "content digest",
                &manifest.content_digest,
                content_digest(contents.root()),
            ),
            ("digest", &manifest.digest, state),
        ] {
            if announced
                .as_ref()
                .is_some_and(|announced| *announced != found)
            {
                return Err(Problem::new(
                    "export_damaged",
                    format!("the bullets of the file do not give the {name} of its manifest"),
                )
                .with_hint("the file was changed after the export; export again"));
            }
        }
        Ok(())
    }
}

fn link(value: Value) -> Result<Operation, String> {
    let line: LinkLine = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let link = line.link;
    if link
        .similarity
        .is_some_and(|share| !(0.0..=1.0).contains(&share))
    {
        return Err("the similarity of the link must lie in 0..=1".to_owned());
    }
    Ok(Operation::Link(LinkChange {
        kind: link.kind,
        from: BulletRef::from(link.from),
        to: BulletRef::from(link.to),
        reason: link.reason,
        similarity: link.similarity,
        removed: false,
    }))
}

fn count<T>(list: &[T]) -> u64 {
    u64::try_from(list.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
