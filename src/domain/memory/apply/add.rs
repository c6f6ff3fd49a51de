//! ADD: adds a text, or merges it into a bullet that has an equal or similar one.
//!
//! Equal texts are found by hash, similar ones by the search index, and the guard decides which of them may
//! merge. So learning the same text again strengthens a bullet instead of adding another.

use std::cell::OnceCell;
use std::sync::Arc;

use super::analyzed_text::AnalyzedText;
use super::application::DeltaApplication;
use super::nearby::{NEAR_MAX, Nearby};
use super::separation::Compared;
use crate::memory::bullet::fields::{
    TAGS_MAX, check_embedding, check_importance, check_name, check_tags,
};
use crate::memory::bullet::{
    Bullet, BulletId, COUNT_MAX, Counts, IMPORTANCE_STORED, Kind, MemoryType, Source, Status,
    merged_lifetime, normal_tags,
};
use crate::memory::content::check_length;
use crate::memory::decay::{baseline, finalised_strength};
use crate::memory::delta::{Meets, NewBullet};
use crate::memory::link::{Link, LinkId, LinkKind};
use crate::memory::policy::Policy;
use crate::memory::receipt::{Merged, Refused};
use hindlore_text::guard::GuardFeatures;
use hindlore_text::similar::{Bound, Prepared, Similar};
use hindlore_text::words::Tokens;

/// Guard features of the incoming text, extracted at the first comparison.
type Features = OnceCell<Arc<GuardFeatures>>;

/// Importance of a bullet that was learned.
const IMPORTANCE_LEARNED: f64 = 0.5;

impl DeltaApplication<'_, '_> {
    /// Runs one ADD and returns the bullet that now has the text, or the one that it merged into; `None` if the
    /// text was refused as rejected.
    pub(crate) fn add(
        &mut self,
        number: usize,
        new: &NewBullet,
    ) -> Result<Option<BulletId>, String> {
        check_length(&new.content, self.policy.max_content_chars).map_err(|e| e.to_string())?;
        let analyzed =
            AnalyzedText::analyze(new, self.tables, &self.policy).map_err(|e| e.to_string())?;
        let bullet = self.build(number, new, &analyzed)?;
        let follows = new
            .follows
            .as_ref()
            .map(|before| self.resolve(before))
            .transpose()?;
        let home = match self.draft.memory().holder(bullet.content_hash()) {
            Some(holder) => self.merge_equal_text(number, &holder, &bullet),
            None => {
                self.check_free(bullet.id)?;
                let features = Features::default();
                let (near, prepared) = self.near(&analyzed, &features);
                Some(match self.best_similar(&bullet, &features, &near) {
                    Some(keep) => self.merge_similar(keep, bullet),
                    None => {
                        if let Some(features) = features.get() {
                            self.keep_features(bullet.id, Arc::clone(features));
                        }
                        self.add_new(bullet, near, prepared)
                    }
                })
            }
        };
        // A text that merged into the bullet that it follows does not follow itself.
        if let (Some(home), Some(before)) = (home, follows)
            && home != before
        {
            self.link_plainly(LinkKind::Follows, home, before);
        }
        Ok(home)
    }

    /// Checks that an id is free. A new id is derived from its delta's, so it is taken if an earlier delta with
    /// the same id added a bullet.
    pub(crate) fn check_free(&self, id: BulletId) -> Result<(), String> {
        match self.draft.memory().doc_of(id) {
            None => Ok(()),
            Some(_) => Err(format!(
                "`{id}` was made by an earlier delta of the id `{}`; give this one another id",
                self.delta.id
            )),
        }
    }

    /// Builds the bullet that an ADD would insert.
    fn build(
        &self,
        number: usize,
        new: &NewBullet,
        analyzed: &AnalyzedText,
    ) -> Result<Bullet, String> {
        check_new(new)?;
        let tags = analyzed.tags.clone();
        check_tags(&tags)?;
        let (content, memory_type) = (analyzed.content.clone(), analyzed.memory_type);
        let kind = new.kind.unwrap_or(match memory_type {
            MemoryType::Procedural => Kind::Strategy,
            MemoryType::Episodic => Kind::Experience,
            MemoryType::Semantic => Kind::Fact,
        });
        let named = |given: &Option<String>| {
            given
                .as_ref()
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
        };
        let inferred = |found: &Option<String>| {
            let found = found.as_ref().filter(|_| !self.policy.is_classic());
            found.cloned()
        };
        let source = new.source.unwrap_or(Source::Agent);
        let stored_by_person = source == Source::Person;
        let importance = if stored_by_person {
            IMPORTANCE_STORED
        } else {
            IMPORTANCE_LEARNED
        };
        let counts = new.counts();
        let legacy = self.policy.is_classic().then(|| content.legacy_id());
        let key = self.draft.memory().key();
        Ok(Bullet {
            id: BulletId::derive(key, self.delta.id.as_str(), number as u64),
            other_hash: content.hash_by(self.policy.identity()),
            holds_hash: true,
            legacy_id: new.legacy_id.clone().or(legacy),
            memory_type,
            kind,
            status: Status::Active,
            pinned: new.pinned,
            counts,
            strength: baseline(self.policy.base_strength, counts),
            access_index: Some(self.draft.tick),
            last_access: Some(self.draft.now),
            last_used: Some(new.last_used.unwrap_or(self.draft.now)),
            created_at: new.created_at.unwrap_or(self.draft.now),
            created_tick: self.draft.tick,
            changed_tick: self.draft.tick,
            position: 0,
            tags,
            section: named(&new.section),
            topic: named(&new.topic).or_else(|| inferred(&analyzed.topic)),
            concept: named(&new.concept).or_else(|| inferred(&analyzed.concept)),
            ttl_days: new.ttl_days,
            importance: new.importance.unwrap_or(importance),
            source,
            merged_into: None,
            embedding: new.embedding.clone(),
            content,
        })
    }

    /// Handles a text that a bullet has already: reinforces it if active, revives it if archived, refuses it if
    /// rejected. Returns the bullet that has the text now.
    pub(crate) fn merge_equal_text(
        &mut self,
        number: usize,
        holder: &Bullet,
        incoming: &Bullet,
    ) -> Option<BulletId> {
        let home = match holder.status {
            Status::Archived => self.draft.memory().survivor(holder.id)?,
            Status::Active | Status::Rejected => holder.clone(),
        };
        if home.status == Status::Rejected {
            let reason = format!(
                "the text was rejected as `{}` and cannot come back by learning",
                home.id
            );
            self.refused.push(Refused {
                operation: number,
                reason,
            });
            return None;
        }
        let revived = !home.is_active();
        let (policy, now) = (self.policy.clone(), self.draft.now);
        let is_again = self.delta.meets == Meets::KnownTexts;
        self.draft.edit(home.id, |keep| {
            if revived {
                // An expired bullet starts a new lifetime with the return of its text.
                let ended = keep.is_expired(now);
                keep.created_at = if ended { now } else { keep.created_at };
                keep.status = Status::Active;
                keep.merged_into = None;
            }
            let before = keep.counts;
            absorb(&policy, keep, incoming);
            if is_again {
                // The file was imported before, so its votes are counted already.
                keep.counts = before.larger(incoming.counts);
            }
            keep.strength = finalised_strength(keep.strength, &policy, keep.counts);
        });
        self.draft.touch(home.id);
        if revived {
            self.revived.push(home.id);
        } else {
            self.merged.push(Merged {
                into: home.id,
                from: home.id,
            });
        }
        Some(home.id)
    }

    /// Returns the active bullets that are similar enough for the merge at ADD or for the refine pass, and the
    /// prepared text.
    fn near(&self, analyzed: &AnalyzedText, features: &Features) -> (Nearby, Option<Prepared>) {
        let (merge, dedup) = (self.policy.merge_threshold, self.policy.dedup_threshold);
        // The looser of the two thresholds, so that one search serves both.
        let bound = if merge > dedup {
            Bound::Above(dedup)
        } else {
            Bound::AtLeast(merge)
        };
        let memory = self.draft.memory();
        let text = analyzed.content.as_str();
        let most = if self.is_unguarded() {
            usize::MAX
        } else {
            NEAR_MAX
        };
        let (near, prepared) = match self.policy.similarity.tokens() {
            Tokens::Standard => {
                let (near, prepared) = memory.near_words(analyzed.words(), bound, most);
                (near, Some(prepared))
            }
            Tokens::Classic => (memory.near_text(text, bound, most), None),
        };
        let features = || Arc::clone(self.features_of(text, features));
        (self.nearby(near, bound, text, features), prepared)
    }

    /// Returns the guard features of a text that is not inserted yet.
    fn features_of<'f>(&self, text: &str, features: &'f Features) -> &'f Arc<GuardFeatures> {
        features.get_or_init(|| Arc::new(self.tables.guard.features(text)))
    }

    /// Returns the most similar bullet at or above the merge threshold that the text may merge into; of equally
    /// similar ones the last.
    fn best_similar(
        &self,
        incoming: &Bullet,
        features: &Features,
        near: &Nearby,
    ) -> Option<BulletId> {
        let memory = self.draft.memory();
        let bound = Bound::AtLeast(self.policy.merge_threshold);
        let near: Vec<Similar> = near
            .mergeable()
            .iter()
            .copied()
            .filter(|near| bound.holds(near.similarity))
            .collect();
        let takes_in = |near: &Similar| {
            if !self.policy.guard {
                return true;
            }
            let other = memory.at(near.doc);
            let own = self.features_of(incoming.content.as_str(), features);
            let other = Compared {
                bullet: &other,
                features: &self.features(&other),
            };
            let incoming = Compared {
                bullet: incoming,
                features: own,
            };
            self.separation(other, incoming).is_none()
        };
        let best = self
            .most_similar(incoming, &near)
            .into_iter()
            .find(takes_in)?;
        Some(memory.arena.id(best.doc))
    }

    /// Merges a similar text into a bullet. The text itself stays as an archived bullet, except in classic mode.
    fn merge_similar(&mut self, keep: BulletId, drop: Bullet) -> BulletId {
        let policy = self.policy.clone();
        self.draft.edit(keep, |bullet| {
            absorb(&policy, bullet, &drop);
            bullet.strength = finalised_strength(bullet.strength, &policy, bullet.counts);
        });
        self.draft.touch(keep);
        if policy.is_classic() {
            self.merged.push(Merged {
                into: keep,
                from: keep,
            });
            return keep;
        }
        let from = drop.id;
        self.draft.add(Bullet {
            status: Status::Archived,
            merged_into: Some(keep),
            ..drop
        });
        self.link_merge(from, keep);
        self.merged.push(Merged { into: keep, from });
        keep
    }

    fn add_new(
        &mut self,
        bullet: Bullet,
        mut near: Nearby,
        prepared: Option<Prepared>,
    ) -> BulletId {
        let id = bullet.id;
        let bound = Bound::Above(self.policy.dedup_threshold);
        near.retain(|near| bound.holds(near.similarity));
        self.draft.add_searched(bullet, near, prepared);
        id
    }

    /// Records that one bullet was merged into another.
    pub(crate) fn link_merge(&mut self, from: BulletId, into: BulletId) {
        self.link_plainly(LinkKind::MergedInto, from, into);
    }

    /// Links two bullets without a reason.
    pub(crate) fn link_plainly(&mut self, kind: LinkKind, from: BulletId, to: BulletId) {
        self.draft.link(Link {
            id: LinkId::new(kind, from, to),
            reason: None,
            similarity: None,
            changed_tick: 0,
            removed: false,
        });
    }
}

/// Merges the fields of `drop` into `keep`: counts add up, tags unite, names fill gaps. The longer lifetime and
/// the greater importance win, except in classic mode, which has neither.
pub(crate) fn absorb(policy: &Policy, keep: &mut Bullet, drop: &Bullet) {
    if !policy.is_classic() {
        keep.ttl_days = merged_lifetime(keep, drop);
        keep.importance = keep.importance.max(drop.importance);
    }
    keep.counts = keep.counts.plus(drop.counts);
    // Capped, or many merges would build a bullet with more tags than an import accepts.
    let most = keep.tags.len().max(TAGS_MAX);
    keep.tags = normal_tags(keep.tags.iter().chain(&drop.tags));
    keep.tags.truncate(most);
    keep.topic = keep.topic.take().or_else(|| drop.topic.clone());
    keep.concept = keep.concept.take().or_else(|| drop.concept.clone());
    keep.section = keep.section.take().or_else(|| drop.section.clone());
    keep.legacy_id = keep.legacy_id.take().or_else(|| drop.legacy_id.clone());
    keep.embedding = keep.embedding.take().or_else(|| drop.embedding.clone());
    keep.pinned |= drop.pinned;
}

fn check_new(new: &NewBullet) -> Result<(), String> {
    let Counts {
        helpful,
        harmful,
        neutral,
    } = new.counts();
    if helpful.max(harmful).max(neutral) > COUNT_MAX {
        return Err(format!("a count is above {COUNT_MAX}"));
    }
    check_importance(new.importance)?;
    check_embedding(new.embedding.as_deref())?;
    for (name, value) in [
        ("section", &new.section),
        ("topic", &new.topic),
        ("concept", &new.concept),
    ] {
        check_name(name, value.as_deref())?;
    }
    check_name("legacy_id", new.legacy_id.as_deref())
}
