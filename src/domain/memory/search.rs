//! Exact top-k without a scan: bullets are met in two ways, by the words (and bonuses) of the query and
//! in the order of strength, until no bullet that was not met can matter.
//!
//! A threshold algorithm (Fagin, Lotem, Naor 2001) over posting lists with bounds (MaxScore: Turtle and
//! Flood 1995) and over the orders of strength. Lists are read rarest first. A bullet that none of the
//! lists read so far holds is bounded by what the other lists can add, and by the strength that the
//! order has come down to; the cheaper of the two ways is taken next. Where the lists are long, all of
//! them are summed at once instead (`windows.rs`), where strength decides those of the strongest bullets
//! first (`tier.rs`). Every bound is conservative, and what is kept in the end was scored like in a
//! scan, so the answer is that of a scan to the last bit.

mod limits;
mod sources;
mod tier;
mod windows;

use sources::{Source, sources};

use super::best::{Best, Scored};
use super::bullet::MemoryType;
use super::decay::type_priority;
use super::family::{Family, tie_rank};
use super::query::TopicMode;
use super::ranking::Parts;
use super::relevance::Own;
use super::score::Scorer;
use super::strength_order::{GROUPS, Place, StrengthOrder};
use crate::slot_set::SlotSet;

/// Bullets that are taken from one order of strength before the bound is looked at again.
const BATCH: usize = 16;
/// Meeting a bullet by strength costs about so many times what it costs to pass one over in a list.
const MEETING_COST: usize = 6;
/// Bullets of a list so short that to judge them all is cheaper than to find out whether they matter.
const FEW: usize = 8;
/// Lists from this length on are worth the steps.
const LONG: usize = 2_000;
/// Bullets that are judged with old needs before these are worked out anew; old needs are too generous,
/// never too strict.
const RENEWAL: usize = 8;

/// One search for the best bullets.
pub(super) struct Search<'q, 'm> {
    scorer: &'q Scorer<'m>,
    order: &'m StrengthOrder,
    /// Words and bonuses, rarest first.
    sources: Vec<Source<'q>>,
    best: Best,
    judged: SlotSet,
    groups: [Group; GROUPS],
    /// Share of a neighbour's relevance that a bullet can get at most.
    lent: f64,
}

/// How far the order of one group was read.
#[derive(Clone, Copy, Default)]
struct Group {
    place: Place,
    /// Bound on the strength parts from `place` on; absent at the end.
    strength: Option<f64>,
    /// The same for the whole group.
    strongest: f64,
    priority: f64,
    /// False when the filters refuse the whole group, or what passes them was judged already.
    can_pass: bool,
}

impl<'q, 'm> Search<'q, 'm> {
    /// Prepares a search; builds the order that it reads, where it is not there yet.
    pub(super) fn new(scorer: &'q Scorer<'m>) -> Self {
        let memory = scorer.memory;
        let order = memory.order(Family::of(scorer.profile));
        let shares = scorer.policy().link_shares;
        let lent = if scorer.is_linked {
            shares.previous.max(shares.next)
        } else {
            0.0
        };
        let mut search = Self {
            scorer,
            order,
            sources: sources(scorer),
            best: Best::of(scorer.query.top_k),
            judged: SlotSet::default(),
            groups: [Group::default(); GROUPS],
            lent,
        };
        for group in 0..GROUPS {
            let memory_type = StrengthOrder::memory_type(group);
            search.groups[group].priority = type_priority(memory_type);
            search.groups[group].can_pass = search.asks_for(memory_type);
            search.note_strength(group);
            search.groups[group].strongest = search.groups[group].strength.unwrap_or_default();
        }
        search
    }

    /// The best bullets.
    pub(super) fn run(mut self) -> Best {
        self.judge_selected();
        let mut read = if self.read_tier() {
            self.sources.len()
        } else {
            if self.scorer.takes_everything() {
                self.read_strongest(0, self.scorer.query.top_k.saturating_add(BATCH));
            }
            self.read_windows()
        };
        while read < self.sources.len() {
            let len = self.sources[read].slots.len();
            if len > FEW && self.bullets_left(read).saturating_mul(MEETING_COST) <= len {
                break;
            }
            self.read_source(read);
            read += 1;
        }
        self.read_strongest(read, usize::MAX);
        self.best
    }

    /// Number of slots in all sources.
    fn listed(&self) -> usize {
        self.sources.iter().map(|source| source.slots.len()).sum()
    }

    /// False when what passes the filters was judged already.
    fn can_pass(&self) -> bool {
        self.groups.iter().any(|group| group.can_pass)
    }

    fn asks_for(&self, memory_type: MemoryType) -> bool {
        let types = &self.scorer.query.memory_types;
        types.is_empty() || types.contains(&memory_type)
    }

    /// Where a filter lets few bullets pass, judges all of these; the others can only be near misses.
    fn judge_selected(&mut self) {
        let Some(sets) = self.selected() else { return };
        for set in sets {
            set.walk(|slot| {
                self.judge(slot);
                true
            });
        }
        self.groups
            .iter_mut()
            .for_each(|group| group.can_pass = false);
    }

    fn selected(&self) -> Option<Vec<&'m SlotSet>> {
        let (scorer, query) = (self.scorer, self.scorer.query);
        let is_few = |sets: &Vec<&SlotSet>| {
            let count: usize = sets.iter().map(|set| set.len()).sum();
            let wanted = query.top_k.saturating_mul(self.scorer.memory.shelf.len());
            count.saturating_mul(count) <= wanted
        };
        let names_type = |tag: &String| MemoryType::from_word(&tag.to_lowercase()).is_some();
        let by_tag = !query.tags.is_empty() && !query.tags.iter().any(names_type);
        if by_tag && is_few(&scorer.tagged) {
            return Some(scorer.tagged.clone());
        }
        let topic = query
            .topic
            .as_ref()
            .filter(|_| query.topic_mode == TopicMode::Filter)?;
        let mut sets = vec![scorer.memory.without_topic()];
        sets.extend(scorer.memory.about(topic));
        is_few(&sets).then_some(sets)
    }

    /// Judges a bullet, once.
    fn judge(&mut self, slot: u32) {
        if !self.is_judged(slot) && self.order.group(slot).is_some() {
            self.judge_with(slot, self.scorer.matcher.own(slot));
        }
    }

    /// Judges a bullet whose own relevance is known, once.
    fn judge_with(&mut self, slot: u32, own: Own) {
        if self.order.group(slot).is_none() || !self.judged.insert(slot) {
            return;
        }
        let relevance = self.scorer.relevance_with(slot, own);
        let (scored, failure) = self.scorer.judge_as(slot, relevance);
        self.best.offer(scored, failure);
    }

    fn is_judged(&self, slot: u32) -> bool {
        self.judged.contains(slot)
    }

    /// Judges the bullets of a source that can still matter.
    fn read_source(&mut self, read: usize) {
        if self.sources[read].slots.len() <= FEW {
            let slots = self.sources[read].slots;
            slots.walk(|slot| self.judge_with_neighbours(slot));
            return;
        }
        let (slots, words_before) = (self.sources[read].slots, self.sources[read].words_before);
        let (mut needs, mut limits) = (self.needs(read), self.limits());
        let (linked, mut judged) = (self.scorer.is_linked, 0);
        let renewal = if slots.len() >= LONG {
            RENEWAL * 4
        } else {
            RENEWAL
        };
        slots.walk(|slot| {
            // Planted advice is in no group, but lends to its neighbours.
            let group = match self.order.group(slot) {
                Some(group) => group,
                None if linked => 0,
                None => return,
            };
            let (matcher, level) = (&self.scorer.matcher, self.order.level_of(slot));
            let need = &needs[group];
            if !need.are_met(matcher.most_of_slot(slot, words_before), level)
                || (!linked && self.is_judged(slot))
            {
                return;
            }
            let reached = matcher.reached(slot, words_before, need.own);
            if !reached.is_some_and(|own| need.are_met(own, level)) {
                return;
            }
            self.judge_with_neighbours(slot);
            judged += 1;
            if judged >= renewal && self.limits() != limits {
                (needs, limits) = (self.needs(read), self.limits());
                judged = 0;
            }
        });
    }

    fn limits(&self) -> (f64, f64) {
        (self.best.least_passed(), self.best.least_failed())
    }

    fn judge_with_neighbours(&mut self, slot: u32) {
        self.judge(slot);
        if !self.scorer.is_linked {
            return;
        }
        let memory = self.scorer.memory;
        let id = memory.shelf.id(slot);
        let near = memory.previous_slots(id).chain(memory.next_slots(id));
        near.for_each(|near| self.judge(near));
    }

    /// Takes bullets from the orders of strength, the most promising group first, until none that is
    /// left can matter, or until so many were taken.
    fn read_strongest(&mut self, read: usize, most: usize) {
        let (relevance, bonus) = (self.relevance_left(read), self.bonus_left(read));
        let mut taken = 0;
        while taken < most {
            let promise = |number: &usize| {
                let group = &self.groups[*number];
                let strength = group.strength?;
                let matters = self.can_matter(group, relevance, strength, bonus);
                matters.then(|| (self.bound(group, relevance, strength, bonus), *number))
            };
            let promising = (0..GROUPS).filter_map(|number| promise(&number));
            let Some((_, number)) = promising.max_by(|a, b| a.0.total_cmp(&b.0)) else {
                return;
            };
            taken += BATCH;
            self.read_batch(number, read);
        }
    }

    fn read_batch(&mut self, number: usize, read: usize) {
        let (words, bonus) = (self.words_read(read), self.bonus_left(read));
        let all_read = read == self.sources.len() && !self.scorer.is_linked;
        let mut place = self.groups[number].place;
        for _ in 0..BATCH {
            let Some(slot) = self.order.slot_at(number, place) else {
                break;
            };
            if !self.is_judged(slot) {
                if all_read && self.is_beaten(number, slot) {
                    let shelf = &self.scorer.memory.shelf;
                    let first = shelf.core(slot);
                    place = self.order.skip(number, place, |other| {
                        self.order.are_equal(number, &first, &shelf.core(other))
                    });
                    continue;
                }
                let group = &self.groups[number];
                let own = self.scorer.matcher.most_of_slot(slot, words);
                let relevance = if self.scorer.is_linked {
                    self.relevance_left(read)
                } else {
                    self.relevance_of(own)
                };
                let strength = group.strength.unwrap_or_default();
                if self.can_matter(group, relevance, strength, bonus) {
                    self.judge(slot);
                }
            }
            place = self.order.next(number, place);
        }
        self.groups[number].place = place;
        self.note_strength(number);
    }

    fn words_read(&self, read: usize) -> usize {
        let read = &self.sources[..read];
        read.iter().filter(|source| source.is_word).count()
    }

    /// True when a bullet that shares nothing with the query is worse than all that are kept; then so
    /// is every later one that is as strong, by the tie rule.
    fn is_beaten(&self, number: usize, slot: u32) -> bool {
        let Some(worst) = self.best.worst_passed() else {
            return false;
        };
        let bullet = &self.scorer.memory.shelf.core(slot);
        let parts = Parts {
            relevance: 0.0,
            strength: self.scorer.strength(bullet),
            memory_type: self.groups[number].priority,
            bonus: 0.0,
        };
        let scored = Scored {
            slot,
            score: self.scorer.combined(&parts),
            tie: tie_rank(bullet, slot, self.scorer.policy().is_classic()),
            parts,
            from_neighbours: 0.0,
            words: 0,
        };
        scored < *worst
    }

    fn note_strength(&mut self, number: usize) {
        let slot = self.order.slot_at(number, self.groups[number].place);
        self.groups[number].strength = slot.map(|slot| self.most_strength(number, slot));
    }

    /// The most that the strength part of a bullet of a group can be.
    fn most_strength(&self, number: usize, slot: u32) -> f64 {
        let level = f64::from(self.order.level_of(slot));
        let clock = self.scorer.memory.clock();
        self.order.strength_at_most(number, level, clock) / self.scorer.strength_unit()
    }
}

#[cfg(test)]
mod tests;
