//! Removes secrets from the input of a verb before anything is derived from it: identity, hash, digest,
//! fingerprint.
//!
//! All surfaces pass through here; there is no other way to a store. Texts that the engine derives from stored contents
//! (an undo, an adoption, a copy, a replay) are not redacted again, because their digests must match.

use hindlore_domain::memory::delta::{Delta, NewBullet, Operation, Patch};
use hindlore_domain::memory::record::BulletRecord;
use hindlore_redact::{Redactions, Redactor, Sweep};

/// Redacts all texts of a delta.
pub(super) fn delta(redactor: &Redactor, delta: &mut Delta) -> Redactions {
    let mut sweep = redactor.sweep();
    sweep.option(&mut delta.reasoning);
    sweep.option(&mut delta.origin.author);
    for operation in &mut delta.operations {
        self::operation(&mut sweep, operation);
    }
    sweep.finish()
}

fn operation(sweep: &mut Sweep<'_>, operation: &mut Operation) {
    match operation {
        Operation::Add(new) => new_bullet(sweep, new),
        Operation::Update(patch) => self::patch(sweep, patch),
        Operation::Remove(removal) | Operation::Reject(removal) => {
            sweep.text(&mut removal.id.0);
            sweep.option(&mut removal.reason);
        }
        Operation::Restore(restoration) => {
            if let Some(fields) = &mut restoration.fields {
                record(sweep, fields);
            }
        }
        Operation::Insert(insertion) => record(sweep, &mut insertion.bullet),
        Operation::Link(link) => sweep.option(&mut link.reason),
        Operation::Consolidate(plan) => sweep.text(&mut plan.content),
        Operation::Malformed(malformed) => sweep.text(&mut malformed.reason),
        Operation::Tag(_) | Operation::Pin(_) | Operation::Policy(_) | Operation::Merge(_) => {}
    }
}

fn new_bullet(sweep: &mut Sweep<'_>, new: &mut NewBullet) {
    let NewBullet {
        content,
        section,
        tags,
        topic,
        concept,
        legacy_id,
        embedding,
        ..
    } = new;
    if sweep.changes(content) {
        // The embedding encodes the whole text, secret included.
        *embedding = None;
    }
    for label in [section, topic, concept, legacy_id] {
        sweep.option(label);
    }
    tags.iter_mut().for_each(|tag| sweep.text(tag));
}

fn patch(sweep: &mut Sweep<'_>, patch: &mut Patch) {
    if patch
        .content
        .as_mut()
        .is_some_and(|content| sweep.changes(content))
    {
        patch.embedding = None;
    }
    for label in [&mut patch.section, &mut patch.topic, &mut patch.concept] {
        sweep.option(label);
    }
    patch
        .tags
        .iter_mut()
        .flatten()
        .for_each(|tag| sweep.text(tag));
    sweep.text(&mut patch.id.0);
}

fn record(sweep: &mut Sweep<'_>, record: &mut BulletRecord) {
    if sweep.changes(&mut record.content) {
        // Both were computed from the whole text, secret included.
        record.content_hash = None;
        record.embedding = None;
    }
    for label in [
        &mut record.section,
        &mut record.topic,
        &mut record.concept,
        &mut record.legacy_id,
    ] {
        sweep.option(label);
    }
    record.tags.iter_mut().for_each(|tag| sweep.text(tag));
}
