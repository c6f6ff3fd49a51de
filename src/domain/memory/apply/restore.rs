//! RESTORE, INSERT and LINK: the operations of an undo and of a lossless import.
//!
//! Both bring back an earlier state, so the refine pass leaves their bullets alone.

use std::collections::BTreeSet;

use super::application::DeltaApplication;
use crate::memory::bullet::{Bullet, BulletId, Source, Status};
use crate::memory::content::{Content, ContentHash};
use crate::memory::decay::finalised_strength;
use crate::memory::delta::{BulletRef, Insertion, LinkChange, Meets, Operation, Restoration};
use crate::memory::link::{Link, LinkId};
use crate::memory::receipt::Refused;
use crate::memory::record::BulletRecord;

impl DeltaApplication<'_, '_> {
    /// Releases the texts of all bullets to restore, before any of them takes its text back: a text may have
    /// passed from one to another. A bullet that the undone delta added keeps its text unless another needs it.
    pub(crate) fn release_restored_hashes(&mut self) {
        let identity = self.policy.identity();
        let restorations = self.delta.operations.iter().filter_map(|operation| {
            let Operation::Restore(restoration) = operation else {
                return None;
            };
            Some(restoration)
        });
        let texts = restorations
            .clone()
            .filter_map(|restoration| restoration.fields.as_ref())
            .filter(|record| record.holds_hash)
            .map(|record| record.content.as_str());
        let wanted: BTreeSet<ContentHash> = texts
            .filter_map(|text| Content::parse(text, u32::MAX).ok())
            .map(|content| content.hash_in(identity))
            .collect();
        for restoration in restorations {
            let releases = restoration.fields.is_some() || restoration.archive;
            self.draft.edit(restoration.id, |bullet| {
                if releases && (!restoration.archive || wanted.contains(&bullet.content_hash())) {
                    bullet.holds_hash = false;
                }
            });
        }
    }

    /// Reverts the change of an earlier delta to one bullet.
    pub(crate) fn restore(&mut self, restoration: &Restoration) -> Result<BulletId, String> {
        let id = restoration.id;
        let now = self.bullet(id)?;
        let position = now.position;
        let counts = restoration.counts.apply_clamped(now.counts);
        self.put_back.insert(id);
        let restored = match &restoration.fields {
            None => Bullet { counts, ..now },
            Some(record) => {
                let earlier = self.rebuild(record)?;
                let holder = self.draft.memory().holder(earlier.content_hash());
                if let Some(other) = holder.filter(|other| other.id != id && earlier.holds_hash) {
                    return Err(format!("the text of `{id}` now belongs to `{}`", other.id));
                }
                let now = if restoration.exact {
                    earlier.clone()
                } else {
                    now
                };
                Bullet {
                    id,
                    counts,
                    strength: now.strength,
                    access_index: now.access_index,
                    last_access: now.last_access,
                    last_used: now.last_used,
                    created_tick: now.created_tick,
                    position,
                    ..earlier
                }
            }
        };
        let forgotten = restoration.archive && self.policy.is_classic();
        self.draft.edit(id, |bullet| {
            *bullet = restored;
            bullet.holds_hash &= !forgotten;
            if restoration.archive {
                bullet.status = Status::Archived;
                bullet.merged_into = None;
            }
        });
        if restoration.exact {
            self.draft.rewrite(id);
        }
        Ok(id)
    }

    /// Builds the bullet of a record, with the hash of its text in this memory.
    fn rebuild(&self, record: &BulletRecord) -> Result<Bullet, String> {
        let bullet = record.to_bullet(self.policy.max_content_chars)?;
        Ok(bullet.with_identity(self.policy.identity()))
    }

    /// Inserts an exported bullet; its ticks shift by the difference of the two clocks.
    pub(crate) fn insert(
        &mut self,
        number: usize,
        insertion: &Insertion,
    ) -> Result<BulletId, String> {
        let mut bullet = self.rebuild(&insertion.bullet)?;
        if self.delta.meets != Meets::Sums {
            insertion.bullet.check(insertion.clock)?;
        }
        let memory = self.draft.memory();
        // The clock before this event corresponds to the clock of the export.
        let before = self.draft.tick - 1;
        let shifted = |index: u64| index.saturating_add(before).saturating_sub(insertion.clock);
        bullet.access_index = bullet.access_index.map(shifted);
        bullet.created_tick = shifted(bullet.created_tick);
        let known = memory.get(bullet.id);
        if let Some(known) = known.as_ref().filter(|_| self.delta.meets != Meets::Sums) {
            return self.rejoin(number, known, &bullet);
        }
        if known.is_some_and(|known| known.content_hash() != bullet.content_hash()) {
            bullet.id = BulletId::derive(memory.key(), self.delta.id.as_str(), number as u64);
        }
        // A bullet that released its text does not compete with the one that has it.
        let rival = memory.holder(bullet.content_hash()).is_some() && bullet.holds_hash;
        if memory.get(bullet.id).is_some() || rival {
            return self.insert_known(number, bullet);
        }
        let id = bullet.id;
        self.put_back.insert(id);
        self.draft.add(bullet);
        Ok(id)
    }

    /// Merges a record into the bullet with its id, which may have changed since: the larger votes win, an
    /// archived bullet becomes active with the file, and a rejection stays.
    fn rejoin(&mut self, number: usize, known: &Bullet, file: &Bullet) -> Result<BulletId, String> {
        let id = known.id;
        if known.content_hash() != file.content_hash() {
            return Err(format!(
                "`{id}` has another text here by now, and keeps it; to have the text of the file, ADD it"
            ));
        }
        let counts = known.counts.larger(file.counts);
        let holder = self.draft.memory().holder(known.content_hash());
        let is_free = holder.is_none_or(|holder| holder.id == id);
        match known.status {
            Status::Archived if file.is_active() && known.merged_into.is_none() && is_free => {
                let now = self.draft.now;
                let ended = known.is_expired(now);
                self.draft.edit(id, |bullet| {
                    bullet.status = Status::Active;
                    bullet.holds_hash = true;
                    bullet.counts = counts;
                    bullet.created_at = if ended { now } else { bullet.created_at };
                });
                self.draft.touch(id);
                self.revived.push(id);
                self.put_back.insert(id);
            }
            Status::Rejected if file.is_active() => self.refused.push(Refused {
                operation: number,
                reason: format!(
                    "the text was rejected as `{id}` and cannot come back by an import"
                ),
            }),
            Status::Active if counts != known.counts => {
                let policy = self.policy.clone();
                self.draft.edit(id, |bullet| {
                    bullet.counts = counts;
                    bullet.strength = finalised_strength(bullet.strength, &policy, counts);
                });
            }
            Status::Active | Status::Archived | Status::Rejected => {}
        }
        Ok(id)
    }

    /// Merges a bullet whose text or id the memory has already: votes add up, a seed keeps the larger votes, and a
    /// rejection stays.
    fn insert_known(&mut self, number: usize, bullet: Bullet) -> Result<BulletId, String> {
        let memory = self.draft.memory();
        let found = memory
            .holder(bullet.content_hash())
            .or_else(|| memory.get(bullet.id));
        let Some(holder) = found else {
            return Err(format!("`{}` cannot be put back", bullet.id));
        };
        if holder.source == Source::Seed && bullet.is_meta_strategy() {
            self.draft.edit(holder.id, |seed| {
                let (own, other) = (seed.counts, bullet.counts);
                seed.counts.helpful = own.helpful.max(other.helpful);
                seed.counts.harmful = own.harmful.max(other.harmful);
                seed.counts.neutral = own.neutral.max(other.neutral);
                seed.strength = seed.strength.max(bullet.strength);
            });
            return Ok(holder.id);
        }
        if bullet.is_active() {
            let home = self.merge_equal_text(number, &holder, &bullet);
            return Ok(home.unwrap_or(holder.id));
        }
        Ok(holder.id)
    }

    /// Resolves an end of a link, which may be a bullet of any status, even in classic mode.
    fn end(&self, reference: &BulletRef) -> Result<BulletId, String> {
        let own = reference.0.parse::<BulletId>().ok();
        match own.filter(|id| self.draft.memory().get(*id).is_some()) {
            Some(id) => Ok(id),
            None => self.resolve(reference),
        }
    }

    /// Links or unlinks two bullets.
    pub(crate) fn link(&mut self, change: &LinkChange) -> Result<(), String> {
        let (from, to) = (self.end(&change.from)?, self.end(&change.to)?);
        if from == to {
            return Err(format!("`{from}` cannot be linked with itself"));
        }
        self.draft.link(Link {
            id: LinkId::new(change.kind, from, to),
            reason: change.reason.clone(),
            similarity: change.similarity,
            changed_tick: 0,
            removed: change.removed,
        });
        Ok(())
    }
}
