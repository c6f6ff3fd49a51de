//! UPDATE, TAG, REMOVE, REJECT and PIN: changes of existing bullets.
//!
//! Two active bullets never have the same text, so an UPDATE may end in a merge or a refusal.

use super::add::absorb;
use super::application::DeltaApplication;
use super::refine::survives;
use crate::memory::bullet::fields::{check_embedding, check_importance, check_name, check_tags};
use crate::memory::bullet::{Bullet, BulletId, COUNT_MAX, Status, normal_tags};
use crate::memory::content::Content;
use crate::memory::decay::finalised_strength;
use crate::memory::delta::{CountChange, Merging, Patch, PinChange, Removal, TagCounts};
use crate::memory::receipt::Merged;

impl DeltaApplication<'_, '_> {
    /// Runs one UPDATE.
    pub(crate) fn update(&mut self, patch: &Patch) -> Result<BulletId, String> {
        let id = self.resolve(&patch.id)?;
        let old = self.bullet(id)?;
        if let (Status::Archived, Some(into)) = (old.status, old.merged_into) {
            return Err(format!("`{id}` was merged into `{into}`; change that one"));
        }
        let new = self.patched(&old, patch)?;
        if new.content_hash() == old.content_hash() {
            self.write_updated(id, new);
            return Ok(id);
        }
        if old.status == Status::Rejected {
            // Otherwise its old text would be released, and could come back by learning.
            return Err(format!(
                "`{id}` was rejected and keeps its text; send the new text as an ADD"
            ));
        }
        match self.draft.memory().holder(new.content_hash()) {
            None => self.write_updated(id, new),
            Some(holder) => match holder.status {
                Status::Rejected => {
                    return Err(format!("the new text was rejected as `{}`", holder.id));
                }
                Status::Archived => {
                    self.draft.edit(holder.id, |bullet| {
                        bullet.holds_hash = false;
                        bullet.merged_into = Some(id);
                    });
                    self.link_merge(holder.id, id);
                    self.write_updated(id, new);
                }
                // An inactive bullet must not replace an active one.
                Status::Active if !old.is_active() => {
                    return Err(format!(
                        "`{id}` is {}, and the new text belongs to `{}`",
                        old.status, holder.id
                    ));
                }
                Status::Active => return Ok(self.merge_equal(new, &holder)),
            },
        }
        Ok(id)
    }

    /// Writes an updated bullet with its finalised strength, and touches it if it is active.
    fn write_updated(&mut self, id: BulletId, new: Bullet) {
        let policy = self.policy.clone();
        self.draft.edit(id, |bullet| {
            *bullet = new;
            bullet.strength = finalised_strength(bullet.strength, &policy, bullet.counts);
        });
        if self
            .draft
            .memory()
            .header_of(id)
            .is_some_and(|it| it.is_active())
        {
            self.draft.touch(id);
        }
    }

    /// Merges a bullet into another as a person decided; returns the survivor.
    pub(crate) fn merge(&mut self, merging: &Merging) -> Result<BulletId, String> {
        let (keep, drop) = (self.resolve(&merging.into)?, self.resolve(&merging.from)?);
        if keep == drop {
            return Err(format!("`{keep}` cannot be merged into itself"));
        }
        let lost = self.bullet(drop)?;
        for bullet in [&self.bullet(keep)?, &lost] {
            if !bullet.is_active() {
                return Err(format!(
                    "`{}` is {}; only active bullets merge",
                    bullet.id, bullet.status
                ));
            }
        }
        let policy = self.policy.clone();
        self.draft.edit(keep, |bullet| {
            absorb(&policy, bullet, &lost);
            bullet.strength = finalised_strength(bullet.strength, &policy, bullet.counts);
        });
        self.draft.touch(keep);
        self.draft.edit(drop, |bullet| {
            bullet.status = Status::Archived;
            bullet.merged_into = Some(keep);
            bullet.holds_hash &= !policy.is_classic();
        });
        self.link_merge(drop, keep);
        self.merged.push(Merged {
            into: keep,
            from: drop,
        });
        Ok(keep)
    }

    /// Merges two active bullets that an update made equal; returns the survivor.
    fn merge_equal(&mut self, updated: Bullet, holder: &Bullet) -> BulletId {
        let updated_stays = if updated.position < holder.position {
            survives(&self.policy, &updated, holder)
        } else {
            !survives(&self.policy, holder, &updated)
        };
        let (keep, drop) = if updated_stays {
            (updated.clone(), holder.clone())
        } else {
            (holder.clone(), updated.clone())
        };
        self.draft.edit(drop.id, |bullet| {
            *bullet = drop.clone();
            bullet.status = Status::Archived;
            bullet.holds_hash = false;
            bullet.merged_into = Some(keep.id);
        });
        let mut kept = keep.clone();
        absorb(&self.policy, &mut kept, &drop);
        kept.holds_hash = true;
        self.write_updated(keep.id, kept);
        self.link_merge(drop.id, keep.id);
        self.merged.push(Merged {
            into: keep.id,
            from: drop.id,
        });
        keep.id
    }

    /// Returns the bullet with the fields of a patch, or why a field cannot be set.
    fn patched(&self, old: &Bullet, patch: &Patch) -> Result<Bullet, String> {
        let mut new = old.clone();
        if let Some(text) = &patch.content {
            let content =
                Content::parse(text, self.policy.max_content_chars).map_err(|e| e.to_string())?;
            new.content = content;
            new.other_hash = new.content.hash_by(self.policy.identity());
            new.holds_hash |= new.content_hash() != old.content_hash();
        }
        check_importance(patch.importance)?;
        check_embedding(patch.embedding.as_deref())?;
        for (name, given, field) in [
            ("section", &patch.section, &mut new.section),
            ("topic", &patch.topic, &mut new.topic),
            ("concept", &patch.concept, &mut new.concept),
        ] {
            check_name(name, given.as_deref())?;
            if let Some(value) = given {
                *field = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
            }
        }
        if let Some(tags) = &patch.tags {
            new.tags = normal_tags(tags);
            check_tags(&new.tags)?;
        }
        let counts = &mut new.counts;
        for (given, field) in [
            (patch.helpful, &mut counts.helpful),
            (patch.harmful, &mut counts.harmful),
            (patch.neutral, &mut counts.neutral),
        ] {
            *field = given.unwrap_or(*field);
            if *field > COUNT_MAX {
                return Err(format!("a count is above {COUNT_MAX}"));
            }
        }
        new.memory_type = patch.memory_type.unwrap_or(new.memory_type);
        new.kind = patch.kind.unwrap_or(new.kind);
        new.ttl_days = patch.ttl_days.or(new.ttl_days);
        new.importance = patch.importance.unwrap_or(new.importance);
        new.source = patch.source.unwrap_or(new.source);
        new.embedding = patch.embedding.clone().or(new.embedding);
        Ok(new)
    }

    /// Runs one TAG. Votes on a bullet that was merged away go to its survivor.
    pub(crate) fn tag(&mut self, tag: &TagCounts) -> Result<BulletId, String> {
        let named = self.resolve(&tag.id)?;
        let target = self
            .draft
            .memory()
            .survivor(named)
            .map_or(named, |bullet| bullet.id);
        let old = self.bullet(target)?;
        let change = CountChange {
            helpful: tag.helpful,
            harmful: tag.harmful,
            neutral: tag.neutral,
        };
        let counts = if self.delta.lenient {
            change.apply_clamped(old.counts)
        } else {
            change
                .apply(old.counts)
                .map_err(|reason| format!("{reason} on `{target}`"))?
        };
        self.write_updated(target, Bullet { counts, ..old });
        Ok(target)
    }

    /// Runs one REMOVE.
    pub(crate) fn remove(&mut self, removal: &Removal) -> Result<BulletId, String> {
        let id = self.resolve(&removal.id)?;
        if self.bullet(id)?.is_active() {
            self.archive(id);
            self.removed.push(id);
        }
        Ok(id)
    }

    /// Runs one REJECT.
    pub(crate) fn reject(&mut self, removal: &Removal) -> Result<BulletId, String> {
        let id = self.resolve(&removal.id)?;
        let hash = self.bullet(id)?.content_hash();
        let taken = self
            .draft
            .memory()
            .holder(hash)
            .is_some_and(|holder| holder.id != id);
        if taken {
            return Err(format!(
                "the text of `{id}` now belongs to another bullet; reject that one"
            ));
        }
        self.draft.edit(id, |bullet| {
            bullet.status = Status::Rejected;
            bullet.holds_hash = true;
            bullet.merged_into = None;
        });
        Ok(id)
    }

    /// Runs one PIN.
    pub(crate) fn pin(&mut self, pin: &PinChange) -> Result<BulletId, String> {
        let id = self.resolve(&pin.id)?;
        if pin.on && self.bullet(id)?.status == Status::Rejected {
            return Err(format!(
                "`{id}` was rejected: it is never returned nor pruned, so there is nothing to pin; to have it \
                 back, undo the delta that rejected it"
            ));
        }
        self.draft.edit(id, |bullet| bullet.pinned = pin.on);
        Ok(id)
    }
}
