//! The undos of a delta, and which of them are in force.
//!
//! An undo is a delta and can be undone itself, any number of times. A delta is in force unless one of its undos is,
//! which makes a tree. It is read by the derived ids of its members, so its cost is the number of undos and not the
//! length of the history.

use std::collections::BTreeSet;

use super::stored_delta::undoes;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::memory::answers::UndoneBy;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::DeltaRecord;

/// A delta with its undos, their undos, and so on; the delta first, parents before children.
pub(super) struct UndoTree {
    members: Vec<Member>,
    /// The id for the next undo of the delta.
    next: DeltaId,
}

struct Member {
    /// Index of the delta it undoes; absent for the first.
    parent: Option<usize>,
    /// True for the delta itself, and for undos that restore it.
    is_for: bool,
    tick: u64,
    by: UndoneBy,
    stands: bool,
}

impl UndoTree {
    /// The newest undo in force of the delta.
    pub(super) fn undone_by(&self) -> Option<&UndoneBy> {
        let own = self.members.iter().filter(|one| one.parent == Some(0));
        own.filter(|one| one.stands)
            .map(|one| &one.by)
            .max_by_key(|by| by.revision)
    }

    pub(super) fn next(&self) -> &DeltaId {
        &self.next
    }

    /// Ticks of the delta and of all deltas that restore it.
    pub(super) fn ticks(&self) -> BTreeSet<u64> {
        let own = self.members.iter().filter(|one| one.is_for);
        own.map(|one| one.tick).collect()
    }

    /// Members without effect: the undos, and the delta as well while it is undone.
    pub(super) fn cancelled(&self) -> impl Iterator<Item = &DeltaId> {
        let stands = self.members.first().is_some_and(|one| one.stands);
        let members = self.members.iter().skip(usize::from(stands));
        members.map(|one| &one.by.delta)
    }

    fn decide_standing(&mut self) {
        for at in (0..self.members.len()).rev() {
            let (is_standing, parent) = (self.members[at].stands, self.members[at].parent);
            // All children come after their parent, so walking backwards finds each state final.
            if let Some(parent) = parent.filter(|_| is_standing) {
                self.members[parent].stands = false;
            }
        }
    }
}

impl Engine {
    /// Reads the undos of a delta.
    pub(super) async fn undo_tree(
        &self,
        key: &MemoryKey,
        root: &DeltaRecord,
    ) -> EngineResult<UndoTree> {
        let mut tree = UndoTree {
            members: vec![Member::new(root, None, true)],
            next: root.id.undo(key, 0),
        };
        let mut at = 0;
        // By index, because the list grows while it is walked.
        while let Some(member) = tree.members.get(at) {
            let (id, is_for) = (member.by.delta.clone(), member.is_for);
            // Callers could use this id in the oldest histories, so the record itself must name the delta.
            if let Some(first) = self.undo_at(key, &id, &id.first_undo(key)).await? {
                tree.members.push(Member::new(&first, Some(at), !is_for));
            }
            for number in 0.. {
                let place = id.undo(key, number);
                let Some(undo) = self.undo_at(key, &id, &place).await? else {
                    if at == 0 {
                        tree.next = place;
                    }
                    break;
                };
                tree.members.push(Member::new(&undo, Some(at), !is_for));
            }
            at += 1;
        }
        tree.decide_standing();
        Ok(tree)
    }

    /// The undo stored under a derived id; no other delta has one.
    async fn undo_at(
        &self,
        key: &MemoryKey,
        undone: &DeltaId,
        place: &DeltaId,
    ) -> EngineResult<Option<DeltaRecord>> {
        let found = self.store().delta(key, place).await?;
        Ok(found.filter(|record| undoes(record).as_ref() == Some(undone)))
    }

    /// Those of the later deltas that cancel each other: undone deltas and their undos.
    pub(super) async fn cancelled(
        &self,
        key: &MemoryKey,
        later: &BTreeSet<DeltaId>,
    ) -> EngineResult<BTreeSet<DeltaId>> {
        let mut cancelled = BTreeSet::new();
        for id in later {
            // An undo changes the same bullets as its delta, so it is among the later deltas, too.
            let has_undo = later.contains(&id.undo(key, 0)) || later.contains(&id.first_undo(key));
            if !has_undo {
                continue;
            }
            if let Some(record) = self.store().delta(key, id).await? {
                let tree = self.undo_tree(key, &record).await?;
                cancelled.extend(tree.cancelled().cloned());
            }
        }
        Ok(cancelled)
    }
}

impl Member {
    fn new(record: &DeltaRecord, parent: Option<usize>, is_for: bool) -> Self {
        Self {
            parent,
            is_for,
            tick: record.tick,
            by: UndoneBy {
                delta: record.id.clone(),
                revision: record.revision,
                at: record.at,
            },
            stands: true,
        }
    }
}
