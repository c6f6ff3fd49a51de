//! Exact top-k without a scan: bullets are met in two ways, by the words (and bonuses) of the query and
//! in the order of strength, until no bullet that was not met can matter.
//!
//! A threshold algorithm (Fagin, Lotem, Naor 2001) over posting lists with bounds (MaxScore: Turtle and
//! Flood 1995) and over the orders of strength. Lists are read rarest first. A bullet that none of the
//! lists read so far holds is bounded by what the other lists can add, and by the strength that the
//! order has come down to; the cheaper of the two ways is taken next. Every bound is conservative, and
//! what is kept in the end was scored like in a scan, so the answer is that of a scan to the last bit.

use super::best::{Best, Scored};
use super::bullet::MemoryType;
use super::decay::type_priority;
use super::policy::Profile;
use super::query::TopicMode;
use super::ranking::Parts;
use super::relevance::{bend, unbend};
use super::score::Scorer;
use super::strength_order::{Family, GROUPS, Place, StrengthOrder, tie_rank};
use crate::domain::slot_set::SlotSet;

/// Bullets that are taken from one order of strength before the bound is looked at again.
const BATCH: usize = 16;
/// Meeting a bullet by strength costs about so many times what it costs to pass one over in a list.
const MEETING_COST: usize = 6;
/// Bullets of a list so short that to judge them all is cheaper than to find out whether they matter.
const FEW: usize = 4;
/// Room for the rounding of differences and quotients, relative to their terms.
const SLACK: f64 = 1e-11;

/// One search for the best bullets.
pub(super) struct Search<'q, 'm> {
    scorer: &'q Scorer<'m>,
    order: &'m StrengthOrder,
    /// Words and bonuses, rarest first.
    sources: Vec<Source<'q>>,
    best: Best,
    /// Slots that were judged, one bit each.
    judged: Vec<u64>,
    groups: [Group; GROUPS],
    /// Share of a neighbour's relevance that a bullet can get at most.
    lent: f64,
}

/// Bullets that have something in common with the query.
struct Source<'q> {
    slots: Slots<'q>,
    is_word: bool,
    /// Words that were read before this source.
    words_before: usize,
    /// The most bonus that this source and those behind it can add.
    bonus: f64,
}

#[derive(Clone, Copy)]
enum Slots<'q> {
    Set(&'q SlotSet),
    List(&'q [u32]),
}

impl Slots<'_> {
    fn len(self) -> usize {
        match self {
            Self::Set(set) => set.len(),
            Self::List(slots) => slots.len(),
        }
    }

    #[inline]
    fn walk(self, mut visit: impl FnMut(u32)) {
        match self {
            Self::Set(set) => set.walk(|slot| {
                visit(slot);
                true
            }),
            Self::List(slots) => slots.iter().copied().for_each(visit),
        }
    }
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

/// What a bullet of a list must have to matter, by group.
#[derive(Clone, Copy)]
struct Needs {
    /// Level in the order of strength.
    level: f32,
    /// Own relevance.
    own: f64,
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
            judged: vec![0; memory.bullets().len() / 64 + 1],
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
        if self.scorer.takes_everything() {
            self.read_strongest(0, self.scorer.query.top_k.saturating_add(BATCH));
        }
        let mut read = 0;
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
            let wanted = query
                .top_k
                .saturating_mul(self.scorer.memory.bullets().len());
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
        let (word, bit) = (slot as usize / 64, 1 << (slot % 64));
        if self.judged[word] & bit != 0 || self.order.group(slot).is_none() {
            return;
        }
        self.judged[word] |= bit;
        let (scored, failure) = self.scorer.judge(slot);
        self.best.offer(scored, failure);
    }

    fn is_judged(&self, slot: u32) -> bool {
        self.judged[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// The most relevance of a bullet that none of the sources before `read` holds, nor any neighbour.
    fn relevance_left(&self, read: usize) -> f64 {
        let words = self.sources.get(read).map_or_else(
            || self.sources.iter().filter(|source| source.is_word).count(),
            |source| source.words_before,
        );
        self.relevance_of(self.scorer.matcher.most_from(words))
    }

    fn relevance_of(&self, own: f64) -> f64 {
        match self.scorer.profile {
            Profile::Engine => bend(own * (1.0 + self.lent) * (1.0 + SLACK)),
            _ => own,
        }
    }

    /// The most bonus of such a bullet. A neighbour that lends may be read long after the bonus of the
    /// bullet that it lends to.
    fn bonus_left(&self, read: usize) -> f64 {
        let from = if self.scorer.is_linked { 0 } else { read };
        self.sources.get(from).map_or(0.0, |source| source.bonus)
    }

    /// The score that a bullet of a group must reach to matter; absent when none can.
    fn limit(&self, group: &Group, relevance: f64, strength: f64) -> Option<f64> {
        let floor = match self.scorer.profile {
            Profile::Engine => self.scorer.policy().floor,
            _ => 0.0,
        };
        if group.can_pass && relevance >= floor && self.is_strong_enough(strength) {
            return Some(self.best.least_passed());
        }
        (relevance > 0.0).then(|| self.best.least_failed())
    }

    /// False when no bullet with this strength part, or less, passes the least score asked for.
    fn is_strong_enough(&self, strength: f64) -> bool {
        let least = self.scorer.query.min_score;
        let decays = Family::of(self.scorer.profile) == Family::Decayed;
        match (self.scorer.policy().is_classic(), decays) {
            (false, _) => strength >= least,
            (true, true) => {
                let raw = strength * self.scorer.strength_unit();
                raw * (1.0 + SLACK) + f64::MIN_POSITIVE >= least
            }
            (true, false) => true,
        }
    }

    fn bound(&self, group: &Group, relevance: f64, strength: f64, bonus: f64) -> f64 {
        self.scorer.combined(&Parts {
            relevance,
            strength,
            memory_type: group.priority,
            bonus,
        })
    }

    /// True when a bullet of a group with at most these parts can matter.
    fn can_matter(&self, group: &Group, relevance: f64, strength: f64, bonus: f64) -> bool {
        let limit = self.limit(group, relevance, strength);
        limit.is_some_and(|limit| self.bound(group, relevance, strength, bonus) >= limit)
    }

    /// About how many bullets the orders would have to give after `read` sources.
    fn bullets_left(&self, read: usize) -> usize {
        let (relevance, bonus) = (self.relevance_left(read), self.bonus_left(read));
        let clock = self.scorer.memory.clock();
        let left = |number: usize| {
            let group = &self.groups[number];
            let Some(strength) = group.strength else {
                return 0;
            };
            if !self.can_matter(group, relevance, strength, bonus) {
                return 0;
            }
            let limit = self.limit(group, relevance, strength);
            let limit = limit.unwrap_or(f64::INFINITY);
            let needed = self.strength_needed(group, relevance, bonus, limit);
            let level = self.order.level_at_least(number, needed, clock);
            self.order.count_from(number, group.place, level)
        };
        (0..GROUPS).map(left).sum()
    }

    /// The least decaying factor at which a bullet can reach a limit; `relevance` and `bonus` are what
    /// it has besides.
    fn strength_needed(&self, group: &Group, relevance: f64, bonus: f64, limit: f64) -> f64 {
        let weight = self.scorer.weights.strength;
        let rest = self.bound(group, relevance, 0.0, bonus);
        let needed = quotient(limit, rest, weight) * self.scorer.strength_unit();
        needed * (1.0 - SLACK)
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
        let linked = self.scorer.is_linked;
        slots.walk(|slot| {
            // Planted advice is in no group, but lends to its neighbours.
            let group = match self.order.group(slot) {
                Some(group) => group,
                None if linked => 0,
                None => return,
            };
            let need = needs[group];
            if self.order.level_of(slot) < need.level || (!linked && self.is_judged(slot)) {
                return;
            }
            let matcher = &self.scorer.matcher;
            if matcher.most_of_slot(slot, words_before) < need.own
                || !matcher.can_reach(slot, words_before, need.own)
            {
                return;
            }
            self.judge_with_neighbours(slot);
            if self.limits() != limits {
                (needs, limits) = (self.needs(read), self.limits());
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
        let id = memory.at(slot).id;
        let near = memory.previous_slots(id).chain(memory.next_slots(id));
        near.for_each(|near| self.judge(near));
    }

    /// What a bullet of a source must have to matter, or to make a neighbour matter.
    fn needs(&self, read: usize) -> [Needs; GROUPS] {
        let mut needs: [Needs; GROUPS] = std::array::from_fn(|group| self.needs_of(read, group));
        if self.scorer.is_linked {
            // A neighbour of another group, or a stronger one, can matter through this bullet.
            let own = needs
                .iter()
                .fold(f64::INFINITY, |own, need| own.min(need.own));
            needs.fill(Needs {
                level: f32::NEG_INFINITY,
                own: own / (1.0 + self.lent) * (1.0 - SLACK),
            });
        }
        needs
    }

    fn needs_of(&self, read: usize, number: usize) -> Needs {
        let (group, scorer) = (&self.groups[number], self.scorer);
        let (relevance, bonus) = (self.relevance_left(read), self.bonus_left(read));
        let nothing = Needs {
            level: f32::INFINITY,
            own: f64::INFINITY,
        };
        let limit = self.limit(group, relevance, group.strongest);
        let Some(limit) = limit.filter(|_| !self.order.is_empty(number)) else {
            return nothing;
        };
        let needed = self.strength_needed(group, relevance, bonus, limit);
        let clock = scorer.memory.clock();
        #[allow(clippy::cast_possible_truncation)]
        let level = (self.order.level_at_least(number, needed, clock) as f32).next_down();
        let rest = self.bound(group, 0.0, group.strongest, bonus);
        let own_for = |limit: f64| {
            let needed = quotient(limit, rest, scorer.weights.relevance);
            match scorer.profile {
                Profile::Engine => unbend(needed),
                _ => needed,
            }
        };
        let failed = own_for(self.best.least_failed());
        let own = match group.can_pass && self.is_strong_enough(group.strongest) {
            true if scorer.profile == Profile::Engine => {
                let floor = unbend(scorer.policy().floor) * (1.0 - SLACK);
                own_for(self.best.least_passed()).max(floor).min(failed)
            }
            true => own_for(self.best.least_passed()),
            false => failed,
        };
        Needs { level, own }
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
                    let bullets = self.scorer.memory.bullets();
                    let first = &bullets[slot as usize];
                    place = self.order.skip(number, place, |other| {
                        self.order
                            .are_equal(number, first, &bullets[other as usize])
                    });
                    continue;
                }
                let group = &self.groups[number];
                let own = self.scorer.matcher.most_of_slot(slot, words);
                let relevance = match self.scorer.is_linked {
                    true => self.relevance_left(read),
                    false => self.relevance_of(own),
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
        let bullet = self.scorer.memory.at(slot);
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
        };
        scored < *worst
    }

    fn note_strength(&mut self, number: usize) {
        let clock = self.scorer.memory.clock();
        let slot = self.order.slot_at(number, self.groups[number].place);
        let strength = slot.map(|slot| {
            let level = f64::from(self.order.level_of(slot));
            let most = self.order.strength_at_most(number, level, clock);
            most / self.scorer.strength_unit()
        });
        self.groups[number].strength = strength;
    }
}

/// The words and bonuses of a query, rarest first.
fn sources<'q>(scorer: &'q Scorer<'_>) -> Vec<Source<'q>> {
    // What a source is: a word, or the bonus with this number.
    let mut all: Vec<(Slots<'q>, Option<usize>)> = Vec::new();
    let matcher = &scorer.matcher;
    all.extend(
        matcher
            .matched_slots()
            .map(|slots| (Slots::List(slots), None)),
    );
    all.extend(matcher.lists().map(|list| (Slots::Set(list.slots()), None)));
    for (number, bonus) in scorer.bonuses.iter().enumerate() {
        let sets = bonus.sets.iter();
        all.extend(sets.map(|set| (Slots::Set(*set), Some(number))));
    }
    // A stable sort: words stay in the order of the matcher.
    all.sort_by_key(|(slots, _)| slots.len());
    let mut words_before = 0;
    let mut sources = Vec::with_capacity(all.len());
    for (at, (slots, bonus)) in all.iter().enumerate() {
        let ahead = |number: usize| all[at..].iter().any(|(_, other)| *other == Some(number));
        let amounts = scorer.bonuses.iter().enumerate();
        let most = amounts
            .filter(|(number, _)| ahead(*number))
            .fold(0.0, |sum, (_, bonus)| sum + bonus.amount);
        sources.push(Source {
            slots: *slots,
            is_word: bonus.is_none(),
            words_before,
            bonus: most,
        });
        words_before += usize::from(bonus.is_none());
    }
    sources
}

/// (limit − rest) / weight, rounded down with room to spare; what no weight can change is −∞ or +∞.
fn quotient(limit: f64, rest: f64, weight: f64) -> f64 {
    let missing = limit - rest - SLACK * (limit.abs() + rest.abs());
    if missing <= 0.0 || missing.is_nan() {
        return f64::NEG_INFINITY;
    }
    match weight > 0.0 {
        true => missing / weight * (1.0 - SLACK),
        false => f64::INFINITY,
    }
}
