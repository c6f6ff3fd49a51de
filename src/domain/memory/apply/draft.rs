//! An event in progress: changes go into the memory at once, with a journal that rolls them all back unless
//! the event is finished.
//!
//! Operations of one delta must see each other's effects, and a refused delta must leave no trace;
//! the journal provides both without copying the memory.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use hindlore_topk::DocId;

use super::nearby::{Nearby, Searches};
use crate::memory::aggregate::Memory;
use crate::memory::bullet::{Bullet, BulletId, Status};
use crate::memory::link::{Link, LinkId};
use crate::memory::policy::Policy;
use crate::memory::receipt::{BulletChange, ChangeKind, Changes};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::similar::Prepared;

/// The changes of one event so far. Dropping it rolls them back.
#[derive(Debug)]
pub(crate) struct Draft<'m> {
    memory: &'m mut Memory,
    /// Tick of the event.
    pub(crate) tick: u64,
    /// Time of the event.
    pub(crate) now: Timestamp,
    clock: u64,
    origin_clock: u64,
    /// Bullets that the event changed or added.
    bullets: BTreeMap<BulletId, Versions>,
    /// Number of bullets that the event added.
    made: usize,
    /// Near-duplicate searches of the event.
    pub(crate) searches: Searches,
    links: BTreeMap<LinkId, Option<Link>>,
    policy: Option<Policy>,
    finished: bool,
}

/// A bullet before and after the event so far.
#[derive(Debug)]
struct Versions {
    /// `None` if the event added it.
    before: Option<Arc<Bullet>>,
    after: Arc<Bullet>,
}

impl<'m> Draft<'m> {
    /// Begins an event, which takes the next tick.
    pub(crate) fn begin(memory: &'m mut Memory, now: Timestamp) -> Self {
        let (clock, origin_clock) = (memory.clock, memory.origin_clock);
        memory.advance_to(clock + 1);
        Self {
            tick: memory.clock,
            now,
            clock,
            origin_clock,
            bullets: BTreeMap::new(),
            made: 0,
            searches: Searches::default(),
            links: BTreeMap::new(),
            policy: None,
            finished: false,
            memory,
        }
    }

    /// Returns the memory with the changes so far.
    pub(crate) fn memory(&self) -> &Memory {
        self.memory
    }

    /// Sets an unused memory to the clock of an import; the event takes the tick after it.
    pub(crate) fn start_from(&mut self, origin_clock: u64) {
        self.memory.origin_clock = origin_clock;
        self.memory.clock = origin_clock + 1;
        self.tick = self.memory.clock;
    }

    /// Appends a bullet whose near duplicates were not searched.
    pub(crate) fn add(&mut self, bullet: Bullet) {
        self.searches.note_unsearched(bullet.id);
        self.push(bullet, None);
    }

    /// Appends a bullet whose near duplicates were found.
    pub(crate) fn add_searched(
        &mut self,
        bullet: Bullet,
        near: Nearby,
        prepared: Option<Prepared>,
    ) {
        self.searches.note_found(bullet.id, near);
        self.push(bullet, prepared);
    }

    fn push(&mut self, mut bullet: Bullet, prepared: Option<Prepared>) {
        bullet.position = self.memory.next_position();
        bullet.changed_tick = self.tick;
        self.memory.put_prepared(&bullet, prepared);
        self.made += 1;
        let versions = Versions {
            before: None,
            after: Arc::new(bullet),
        };
        self.bullets.insert(versions.after.id, versions);
    }

    /// Changes a bullet, and nothing if the result is equal. An unknown id is ignored.
    pub(crate) fn edit(&mut self, id: BulletId, change: impl FnOnce(&mut Bullet)) {
        let Some(old) = self.memory.get(id) else {
            return;
        };
        let mut new = old.clone();
        change(&mut new);
        if new == old {
            return;
        }
        new.changed_tick = self.tick;
        if new.content != old.content || new.is_active() != old.is_active() {
            self.searches.note_unsearched(id);
        }
        self.set(old, new);
    }

    fn set(&mut self, old: Bullet, new: Bullet) {
        self.memory.put(&new);
        let after = Arc::new(new);
        match self.bullets.entry(after.id) {
            Entry::Occupied(mut known) => known.get_mut().after = after,
            Entry::Vacant(free) => {
                let before = Some(Arc::new(old));
                free.insert(Versions { before, after });
            }
        }
    }

    /// Returns the bullets that a classic pass must compare, and marks them as compared.
    pub(crate) fn take_unrefined(&mut self) -> Vec<DocId> {
        std::mem::take(&mut self.memory.unrefined).to_vec()
    }

    /// Marks a bullet as changed even if it is not, so that it is written to the store.
    pub(crate) fn rewrite(&mut self, id: BulletId) {
        let tick = self.tick;
        if let Some(old) = self.memory.get(id) {
            let new = Bullet {
                changed_tick: tick,
                ..old.clone()
            };
            self.set(old, new);
        }
    }

    /// Marks a bullet as used by this event: restarts its decay.
    pub(crate) fn touch(&mut self, id: BulletId) {
        let (tick, now) = (self.tick, self.now);
        self.edit(id, |bullet| {
            bullet.access_index = Some(tick);
            bullet.last_access = Some(now);
            bullet.last_used = Some(now);
        });
    }

    /// Sets a link; an equal one stays untouched.
    pub(crate) fn link(&mut self, mut link: Link) {
        link.changed_tick = self.tick;
        let old = self.memory.link(link.id).cloned();
        if old.as_ref().is_some_and(|old| {
            Link {
                changed_tick: link.changed_tick,
                ..old.clone()
            } == link
        }) {
            return;
        }
        self.links.entry(link.id).or_insert(old);
        self.memory.put_link(link);
    }

    /// Removes a link. One that the event itself added disappears without a trace.
    pub(crate) fn unlink(&mut self, id: LinkId) {
        let Some(link) = self.memory.link(id).cloned() else {
            return;
        };
        if self.links.get(&id) == Some(&None) {
            self.memory.forget_link(&link);
            self.links.remove(&id);
            return;
        }
        self.link(Link {
            removed: true,
            ..link
        });
    }

    /// Changes the policy.
    pub(crate) fn set_policy(&mut self, policy: Policy) {
        let old = self.memory.policy().clone();
        self.memory.set_policy(policy);
        self.searches.forget();
        self.policy.get_or_insert(old);
    }

    /// Returns the bullets that the event changed or added so far, ascending by id.
    pub(crate) fn changed(&self) -> impl Iterator<Item = BulletId> {
        self.bullets.keys().copied()
    }

    /// Returns a bullet that the event changed or added: before the event, `None` if added, and now.
    pub(crate) fn change(&self, id: BulletId) -> Option<(Option<&Bullet>, &Bullet)> {
        let versions = self.bullets.get(&id)?;
        Some((versions.before.as_deref(), &versions.after))
    }

    /// Returns true if the event changed the policy.
    pub(crate) fn policy_changed(&self) -> bool {
        self.policy.is_some()
    }

    /// Commits the changes of a delta at a new revision, and returns them with the state and content digests.
    pub(crate) fn finish_delta(self, revision: u64) -> (Changes, String, String) {
        self.memory.revision = revision;
        let (digest, content_digest) = (self.memory.digest(), self.memory.content_digest());
        (self.finish(), digest, content_digest)
    }

    /// Commits the changes.
    pub(crate) fn finish(mut self) -> Changes {
        self.finished = true;
        let memory = &*self.memory;
        let bullets = std::mem::take(&mut self.bullets).into_values();
        let change = |Versions { before, after }| BulletChange {
            kind: kind_of(before.as_deref(), &after),
            before,
            after,
        };
        let bullets = bullets.map(change).collect();
        let links = std::mem::take(&mut self.links)
            .into_iter()
            .filter_map(|(id, before)| Some((before, memory.link(id)?.clone())))
            .collect();
        let policy = self
            .policy
            .take()
            .map(|before| (before, memory.policy().clone()));
        Changes {
            bullets,
            links,
            policy,
        }
    }
}

/// The clocks and the revision of a memory before an event, to roll back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Savepoint {
    clock: u64,
    revision: u64,
    origin_clock: u64,
}

impl Savepoint {
    /// Returns the clock that an import started from.
    pub fn origin_clock(&self) -> u64 {
        self.origin_clock
    }
}

impl Memory {
    /// Returns the point that the next event can be rolled back to.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            clock: self.clock,
            revision: self.revision,
            origin_clock: self.origin_clock,
        }
    }

    /// Rolls back the newest event, which was decided but not written. `savepoint` was taken right before it,
    /// and `changes` are all that it changed.
    pub fn roll_back(&mut self, changes: Changes, savepoint: Savepoint) {
        let clock = self.clock;
        let mut draft = Draft::begin(self, Timestamp::default());
        for change in changes.bullets {
            let BulletChange { before, after, .. } = change;
            draft.made += usize::from(before.is_none());
            draft.bullets.insert(after.id, Versions { before, after });
        }
        draft.links = changes
            .links
            .into_iter()
            .map(|(before, after)| (after.id, before))
            .collect();
        draft.policy = changes.policy.map(|(before, _)| before);
        draft.clock = clock;
        drop(draft);
        self.clock = savepoint.clock;
        self.revision = savepoint.revision;
        self.origin_clock = savepoint.origin_clock;
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        // The policy first: it decides how the bullets below are counted and indexed.
        if let Some(policy) = self.policy.take() {
            self.memory.set_policy(policy);
        }
        for (id, before) in std::mem::take(&mut self.links) {
            let now = self.memory.link(id).cloned();
            match (before, now) {
                (Some(before), _) => self.memory.put_link(before),
                (None, Some(now)) => self.memory.forget_link(&now),
                (None, None) => {}
            }
        }
        // Added bullets are the last ones, so they leave in reverse order before older ones are restored.
        for _ in 0..self.made {
            self.memory.forget_last();
        }
        // A hash may have passed from one bullet to another: first all release theirs, then all take them back.
        let before: Vec<Arc<Bullet>> = std::mem::take(&mut self.bullets)
            .into_values()
            .filter_map(|versions| versions.before)
            .collect();
        for bullet in &before {
            self.memory.put(&Bullet {
                holds_hash: false,
                ..Bullet::clone(bullet)
            });
        }
        before.iter().for_each(|bullet| self.memory.put(bullet));
        self.memory.clock = self.clock;
        self.memory.origin_clock = self.origin_clock;
    }
}

/// Returns the most telling description of a change.
fn kind_of(before: Option<&Bullet>, after: &Bullet) -> ChangeKind {
    let merged =
        before.and_then(|b| b.merged_into) != after.merged_into && after.merged_into.is_some();
    let became = |status| after.status == status && before.is_none_or(|b| b.status != status);
    if became(Status::Rejected) {
        ChangeKind::Rejected
    } else if merged {
        ChangeKind::Merged
    } else if before.is_none() {
        ChangeKind::Added
    } else if became(Status::Archived) {
        ChangeKind::Archived
    } else {
        ChangeKind::Changed
    }
}
