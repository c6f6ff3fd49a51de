//! Which of two linked bullets comes first in an answer: the newer value above the older one, and of two that
//! contradict each other the better supported one.
//!
//! Scores stay as they are; only places change. A newer value that missed the answer is inserted above the older one in
//! it, because the reader needs the present value.

use std::collections::BTreeSet;

use hindlore_topk::{Outcome, Scorer as _};

use super::score::{Failure, Scored, Scorer};
use super::search::NEAR_MISSES;
use crate::memory::aggregate::Memory;
use crate::memory::bullet::BulletId;
use crate::memory::link::{LinkId, LinkKind};
use crate::memory::policy::Profile;

impl Memory {
    /// Returns the active bullet with the newest value for the subject of this one; `None` if none is newer.
    pub fn current_of(&self, id: BulletId) -> Option<BulletId> {
        let mut seen = BTreeSet::from([id]);
        let mut at = id;
        let mut current = None;
        // Follows the chain across archived bullets: their replacements replaced this one as well.
        while let Some(next) = self.next_value(at, &seen) {
            seen.insert(next);
            if self.is_active(next) {
                current = Some(next);
            }
            at = next;
        }
        current
    }

    /// Returns the bullet that replaced the value of another, or the one that it was merged into.
    fn next_value(&self, id: BulletId, seen: &BTreeSet<BulletId>) -> Option<BulletId> {
        let newer = self.newer.get(&id).into_iter().flatten().copied();
        let newer: Vec<BulletId> = newer.filter(|id| !seen.contains(id)).collect();
        let active = newer.iter().find(|id| self.is_active(**id));
        if let Some(next) = active.or(newer.first()) {
            return Some(*next);
        }
        let is_merged = !self.is_active(id);
        let into = self.survivor(id).filter(|_| is_merged)?.id;
        (!seen.contains(&into)).then_some(into)
    }

    /// Returns the active bullets that contradict one, ascending by id, without those whose value is an older one.
    pub fn contradicting(&self, id: BulletId) -> Vec<BulletId> {
        let links = self.reviews.get(&id).into_iter().flatten();
        links
            .filter(|link| link.kind == LinkKind::ConflictsWith)
            .map(|link| link.other_end(id))
            .filter(|other| self.is_active(*other) && !self.is_replaced(id, *other))
            .collect()
    }

    /// Returns true if one of two bullets gives a newer value than the other.
    fn is_replaced(&self, one: BulletId, other: BulletId) -> bool {
        let stands = |from, to| {
            let link = self.link(LinkId::new(LinkKind::Supersedes, from, to));
            link.is_some_and(|link| !link.removed)
        };
        stands(one, other) || stands(other, one)
    }

    fn is_active(&self, id: BulletId) -> bool {
        self.header_of(id).is_some_and(|header| header.is_active())
    }
}

/// Hits, and near misses with the reasons, each best first.
pub(crate) type Ranked = (Vec<Scored>, Vec<(Scored, Failure)>);

/// Puts linked hits in order. Only the engine's own profile does: the others reproduce other programs.
pub(crate) fn order_linked(scorer: &Scorer<'_>, ranked: Ranked) -> Ranked {
    let memory = scorer.memory;
    let has_links = !memory.newer.is_empty() || !memory.reviews.is_empty();
    if scorer.profile != Profile::Engine || !has_links {
        return ranked;
    }
    let (hits, missed) = ranked;
    let mut order = Order {
        scorer,
        hits,
        missed,
    };
    order.lift_supported();
    order.lift_current();
    (order.hits, order.missed)
}

struct Order<'s, 'm> {
    scorer: &'s Scorer<'m>,
    hits: Vec<Scored>,
    missed: Vec<(Scored, Failure)>,
}

impl Order<'_, '_> {
    fn id(&self, scored: &Scored) -> BulletId {
        self.scorer.memory.arena.id(scored.doc)
    }

    fn place_of(&self, id: BulletId) -> Option<usize> {
        self.hits.iter().position(|hit| self.id(hit) == id)
    }

    /// Moves a better supported hit above those that it contradicts.
    fn lift_supported(&mut self) {
        for place in 0..self.hits.len() {
            let id = self.id(&self.hits[place]);
            let mut best = (self.support(place), place);
            for other in self.scorer.memory.contradicting(id) {
                if let Some(below) = self.place_of(other).filter(|below| *below > place)
                    && self.support(below) > best.0
                {
                    best = (self.support(below), below);
                }
            }
            if best.1 > place {
                let hit = self.hits.remove(best.1);
                self.hits.insert(place, hit);
            }
        }
    }

    /// Returns the helpful less the harmful votes of a hit.
    fn support(&self, place: usize) -> i128 {
        let header = self.scorer.memory.arena.header(self.hits[place].doc);
        i128::from(header.counts.helpful) - i128::from(header.counts.harmful)
    }

    /// Moves the newest value right above the first older one, and takes it in if it was left out.
    fn lift_current(&mut self) {
        let top_k = self.scorer.query.top_k;
        let mut place = 0;
        while place < self.hits.len() {
            let id = self.id(&self.hits[place]);
            let Some(current) = self.scorer.memory.current_of(id) else {
                place += 1;
                continue;
            };
            match self.place_of(current) {
                Some(below) if below > place => {
                    let hit = self.hits.remove(below);
                    self.hits.insert(place, hit);
                }
                Some(_) => {}
                None => {
                    if let Some(hit) = self.take_in(current) {
                        self.hits.insert(place, hit);
                    }
                }
            }
            // Past the newest value, if it was put here, to the older one.
            let moved = self.id(&self.hits[place]) != id;
            place += 1 + usize::from(moved);
        }
        while self.hits.len() > top_k {
            self.hits.pop().into_iter().for_each(|last| self.miss(last));
        }
    }

    /// Scores a bullet that was left out, if it passes the filters.
    fn take_in(&mut self, id: BulletId) -> Option<Scored> {
        let scorer = self.scorer;
        let doc = scorer.memory.doc_of(id)?;
        let (scored, outcome) = scorer.score(doc, scorer.text.score(doc));
        if !matches!(outcome, Outcome::Hit) {
            return None;
        }
        self.missed.retain(|(missed, _)| missed.doc != doc);
        Some(scored)
    }

    /// Puts a hit without a place among the near misses, which are best first.
    fn miss(&mut self, scored: Scored) {
        let place = self.missed.partition_point(|(other, _)| *other > scored);
        self.missed.insert(place, (scored, Failure::TopK));
        self.missed.truncate(NEAR_MISSES);
    }
}
