//! A model of merge, refine and prune that compares every text with every other.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use hindlore_domain::memory::bullet::{BulletId, Counts, Kind, MemoryType, Status};
use hindlore_domain::memory::content::{Content, ContentHash};
use hindlore_domain::memory::delta::{NewBullet, Operation, Patch, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::Policy;
use hindlore_text::guard::{GuardFeatures, MergeGuard};

/// The model's view of a bullet; its place in the list is its place in the insertion order.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row {
    pub(crate) id: BulletId,
    pub(crate) content: String,
    pub(crate) counts: Counts,
    pub(crate) tags: Vec<String>,
    pub(crate) topic: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) memory_type: MemoryType,
    pub(crate) status: Status,
    pub(crate) pinned: bool,
    pub(crate) holds: bool,
    pub(crate) merged_into: Option<BulletId>,
    pub(crate) strength: f64,
    pub(crate) access_index: u64,
    pub(crate) created_tick: u64,
    pub(crate) created_at: i64,
}

/// A memory by brute force.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) policy: Policy,
    pub(crate) key: MemoryKey,
    pub(crate) rows: Vec<Row>,
    pub(crate) links: BTreeSet<(LinkKind, BulletId, BulletId)>,
    /// Links for review with their strength.
    pub(crate) reviews: BTreeMap<Review, f64>,
    pub(crate) clock: u64,
    guard: MergeGuard,
    features: RefCell<HashMap<String, Rc<GuardFeatures>>>,
    words: RefCell<HashMap<String, Rc<BTreeSet<String>>>>,
}

/// A link for review; the smaller id comes first.
type Review = (LinkKind, BulletId, BulletId);

/// Whether the other end takes part, how alike the two are, and the place of the other end.
type Strength = (bool, f64, Reverse<usize>);

/// Links for review of a kind that a bullet has at most.
pub(crate) const LINKS_MAX: usize = 8;

/// The common part of two texts that are one text to a memory.
fn normal(policy: &Policy, text: &str) -> ContentHash {
    let content = Content::parse(text, u32::MAX).unwrap();
    content.hash_in(policy.identity())
}

fn united(own: &[String], other: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in own.iter().chain(other) {
        if !tags
            .iter()
            .any(|known| known.to_lowercase() == tag.to_lowercase())
        {
            tags.push(tag.clone());
        }
    }
    tags
}

impl Model {
    pub(crate) fn new(key: MemoryKey, policy: Policy) -> Self {
        let guard = MergeGuard::standard();
        let (rows, links) = (Vec::new(), BTreeSet::new());
        Self {
            policy,
            key,
            rows,
            links,
            reviews: BTreeMap::new(),
            clock: 0,
            guard,
            features: RefCell::default(),
            words: RefCell::default(),
        }
    }

    /// Applies a delta, or changes nothing when an operation cannot be applied.
    pub(crate) fn apply(&mut self, delta: &str, operations: &[Operation]) -> bool {
        let before = self.clone();
        self.clock += 1;
        for (number, operation) in operations.iter().enumerate() {
            let done = match operation {
                Operation::Add(new) => {
                    self.add(BulletId::derive(&self.key, delta, number as u64), new)
                }
                Operation::Update(patch) => self.update(patch),
                Operation::Tag(tag) => self.tag(tag),
                Operation::Remove(removal) => self.retire(&removal.id.0, Status::Archived),
                Operation::Reject(removal) => self.retire(&removal.id.0, Status::Rejected),
                _ => panic!("the model does not know {operation:?}"),
            };
            if !done && !self.policy.is_classic() {
                *self = before;
                return false;
            }
        }
        self.refine(&before.rows);
        self.prune();
        true
    }

    fn find(&self, id: &str) -> Option<usize> {
        let at = self.rows.iter().position(|row| row.id.to_string() == id)?;
        (!self.policy.is_classic() || self.rows[at].status == Status::Active).then_some(at)
    }

    fn holder(&self, content: &str) -> Option<usize> {
        let wanted = normal(&self.policy, content);
        self.rows
            .iter()
            .position(|row| row.holds && normal(&self.policy, &row.content) == wanted)
    }

    fn survivor(&self, mut at: usize) -> usize {
        while self.rows[at].status != Status::Active
            && let Some(into) = self.rows[at].merged_into
        {
            at = self.rows.iter().position(|row| row.id == into).unwrap();
        }
        at
    }

    fn words(&self, text: &str) -> Rc<BTreeSet<String>> {
        let mut known = self.words.borrow_mut();
        if let Some(words) = known.get(text) {
            return Rc::clone(words);
        }
        let words = self.policy.similarity.tokens().set(text);
        let words = Rc::new(words.into_iter().collect());
        known.insert(text.to_owned(), Rc::clone(&words));
        words
    }

    fn similarity(&self, a: &str, b: &str) -> f64 {
        let (a, b) = (self.words(a), self.words(b));
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    }

    fn topics_meet(&self, a: &Row, b: &Row) -> bool {
        self.policy.is_classic() || a.topic.is_none() || b.topic.is_none() || a.topic == b.topic
    }

    /// The link with the guard's reason to keep two texts apart.
    fn apart(&self, a: &Row, b: &Row) -> Option<LinkKind> {
        if !self.policy.guard {
            return None;
        }
        let features = |text: &str| {
            let mut known = self.features.borrow_mut();
            let read = || Rc::new(self.guard.features(text));
            Rc::clone(known.entry(text.to_owned()).or_insert_with(read))
        };
        let (ours, theirs) = (features(&a.content), features(&b.content));
        let reason = self.guard.check(&ours, &theirs);
        let warned = (a.kind == Kind::AntiPattern) != (b.kind == Kind::AntiPattern);
        match reason {
            Some(reason) if reason.is_conflict() => Some(LinkKind::ConflictsWith),
            Some(_) => Some(LinkKind::SimilarTo),
            None => warned.then_some(LinkKind::SimilarTo),
        }
    }

    fn may_merge(&self, a: &Row, b: &Row) -> bool {
        self.topics_meet(a, b) && self.apart(a, b).is_none()
    }

    fn baseline(&self, counts: Counts) -> f64 {
        self.policy.base_strength + counts.helpful.saturating_sub(counts.harmful) as f64
    }

    fn absorb(&mut self, keep: usize, drop: &Row) {
        let base = self.policy.base_strength;
        let row = &mut self.rows[keep];
        row.counts.helpful += drop.counts.helpful;
        row.counts.harmful += drop.counts.harmful;
        row.counts.neutral += drop.counts.neutral;
        row.tags = united(&row.tags, &drop.tags);
        row.topic = row.topic.take().or_else(|| drop.topic.clone());
        row.pinned |= drop.pinned;
        let balance = row.counts.helpful.saturating_sub(row.counts.harmful);
        row.strength = row.strength.max(base + balance as f64);
    }

    fn add(&mut self, id: BulletId, new: &NewBullet) -> bool {
        let row = Row {
            id,
            content: new.content.clone(),
            counts: new.counts(),
            tags: united(&new.tags, &[]),
            topic: new.topic.clone(),
            kind: new.kind.unwrap(),
            memory_type: new.memory_type.unwrap(),
            status: Status::Active,
            pinned: new.pinned,
            holds: true,
            merged_into: None,
            strength: self.baseline(new.counts()),
            access_index: self.clock,
            created_tick: self.clock,
            created_at: new.created_at.unwrap().millis(),
        };
        if let Some(holder) = self.holder(&row.content) {
            let home = match self.rows[holder].status {
                Status::Archived => self.survivor(holder),
                Status::Active | Status::Rejected => holder,
            };
            if self.rows[home].status == Status::Rejected {
                return true;
            }
            self.rows[home].status = Status::Active;
            self.rows[home].merged_into = None;
            self.absorb(home, &row);
            self.rows[home].access_index = self.clock;
            return true;
        }
        let mut best: Option<(f64, usize)> = None;
        for (at, other) in self.rows.iter().enumerate() {
            let similarity = self.similarity(&row.content, &other.content);
            let near = other.status == Status::Active && similarity >= self.policy.merge_threshold;
            if near && best.is_none_or(|best| similarity >= best.0) && self.may_merge(other, &row) {
                best = Some((similarity, at));
            }
        }
        let Some((_, keep)) = best else {
            self.rows.push(row);
            return true;
        };
        self.absorb(keep, &row);
        self.rows[keep].access_index = self.clock;
        if !self.policy.is_classic() {
            let into = self.rows[keep].id;
            self.links.insert((LinkKind::MergedInto, row.id, into));
            let (status, merged_into) = (Status::Archived, Some(into));
            self.rows.push(Row {
                status,
                merged_into,
                ..row
            });
        }
        true
    }

    fn settle(&mut self, at: usize) {
        let base = self.baseline(self.rows[at].counts);
        self.rows[at].strength = self.rows[at].strength.max(base);
        if self.rows[at].status == Status::Active {
            self.rows[at].access_index = self.clock;
        }
    }

    fn update(&mut self, patch: &Patch) -> bool {
        let Some(at) = self.find(&patch.id.0) else {
            return false;
        };
        let old = self.rows[at].clone();
        if old.status == Status::Archived && old.merged_into.is_some() {
            return false;
        }
        let content = patch.content.clone().unwrap_or_else(|| old.content.clone());
        let moved = normal(&self.policy, &content) != normal(&self.policy, &old.content);
        if moved && old.status == Status::Rejected {
            return false;
        }
        let holder = self.holder(&content).filter(|_| moved);
        let status = holder.map(|holder| self.rows[holder].status);
        let blocked = status == Some(Status::Rejected)
            || (status == Some(Status::Active) && old.status != Status::Active);
        if blocked {
            return false;
        }
        let row = &mut self.rows[at];
        row.content = content;
        row.holds |= moved;
        row.counts.helpful = patch.helpful.unwrap_or(old.counts.helpful);
        row.counts.harmful = patch.harmful.unwrap_or(old.counts.harmful);
        match (holder, status) {
            (Some(holder), Some(Status::Active)) => {
                let (first, second) = (at.min(holder), at.max(holder));
                let keep = if self.survives(first, second) {
                    first
                } else {
                    second
                };
                self.merge(keep, if keep == first { second } else { first });
                self.rows[first].holds = keep == first;
                self.rows[second].holds = keep == second;
                self.settle(keep);
            }
            (Some(holder), _) => {
                let into = self.rows[at].id;
                self.rows[holder].holds = false;
                self.rows[holder].merged_into = Some(into);
                self.links
                    .insert((LinkKind::MergedInto, self.rows[holder].id, into));
                self.settle(at);
            }
            (None, _) => self.settle(at),
        }
        true
    }

    fn tag(&mut self, tag: &TagCounts) -> bool {
        let Some(at) = self.find(&tag.id.0) else {
            return false;
        };
        let at = self.survivor(at);
        let plus = |count: u64, step: i64| count.checked_add_signed(step);
        let counts = self.rows[at].counts;
        let (Some(helpful), Some(harmful), Some(neutral)) = (
            plus(counts.helpful, tag.helpful),
            plus(counts.harmful, tag.harmful),
            plus(counts.neutral, tag.neutral),
        ) else {
            return false;
        };
        self.rows[at].counts = Counts {
            helpful,
            harmful,
            neutral,
        };
        self.settle(at);
        true
    }

    fn archive(&mut self, at: usize) {
        self.rows[at].status = Status::Archived;
        self.rows[at].holds &= !self.policy.is_classic();
    }

    fn retire(&mut self, id: &str, status: Status) -> bool {
        let Some(at) = self.find(id) else {
            return false;
        };
        if status == Status::Archived {
            if self.rows[at].status == Status::Active {
                self.archive(at);
            }
            return true;
        }
        if self
            .holder(&self.rows[at].content)
            .is_some_and(|holder| holder != at)
        {
            return false;
        }
        let row = &mut self.rows[at];
        (row.status, row.holds, row.merged_into) = (status, true, None);
        true
    }

    /// `a` is at the earlier place.
    fn survives(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.rows[a], &self.rows[b]);
        let (ours, theirs) = (first.counts.balance(), second.counts.balance());
        if ours != theirs {
            return ours > theirs;
        }
        if self.policy.is_classic() {
            first.created_at >= second.created_at
        } else {
            (first.created_tick, a) >= (second.created_tick, b)
        }
    }

    fn merge(&mut self, keep: usize, drop: usize) {
        let lost = self.rows[drop].clone();
        self.absorb(keep, &lost);
        let into = self.rows[keep].id;
        self.archive(drop);
        self.rows[drop].merged_into = Some(into);
        self.links.insert((LinkKind::MergedInto, lost.id, into));
    }

    fn refine(&mut self, before: &[Row]) {
        if self.policy.is_classic() {
            let mut all = (0..self.rows.len()).collect();
            self.pass(&mut all);
            return;
        }
        let is_fresh = |(at, row): (usize, &Row)| {
            let same = before.get(at).is_some_and(|old| {
                old.content == row.content
                    && (old.status == Status::Active) == (row.status == Status::Active)
                    && old.kind == row.kind
                    && old.topic == row.topic
            });
            (!same && row.status == Status::Active).then_some(at)
        };
        let mut fresh: BTreeSet<usize> =
            self.rows.iter().enumerate().filter_map(is_fresh).collect();
        while self.pass(&mut fresh) {}
        self.link_kept_apart(&fresh);
        self.link_opposites(&fresh);
        for at in 0..self.rows.len() {
            let Counts {
                helpful, harmful, ..
            } = self.rows[at].counts;
            let harms = harmful > helpful && helpful + harmful >= self.policy.harmful_votes;
            if harms && self.rows[at].status == Status::Active {
                self.archive(at);
            }
        }
    }

    /// One pass over places; survivors become fresh. True when something merged.
    fn pass(&mut self, fresh: &mut BTreeSet<usize>) -> bool {
        let active = |at: &usize| self.rows[*at].status == Status::Active;
        let mut places: Vec<Option<usize>> =
            (0..self.rows.len()).filter(active).map(Some).collect();
        let mut merged = false;
        for i in 0..places.len() {
            for j in i + 1..places.len() {
                let (Some(a), Some(b)) = (places[i], places[j]) else {
                    continue;
                };
                let (one, other) = (&self.rows[a], &self.rows[b]);
                let looked_at = fresh.contains(&a) || fresh.contains(&b);
                let near = looked_at
                    && self.similarity(&one.content, &other.content) > self.policy.dedup_threshold;
                if !near || !self.may_merge(one, other) {
                    continue;
                }
                let keep = if self.survives(a, b) { a } else { b };
                self.merge(keep, if keep == a { b } else { a });
                places[i] = Some(keep);
                places[j] = None;
                fresh.insert(keep);
                merged = true;
            }
        }
        merged
    }

    /// Each fresh bullet in turn is linked with those before it, the strongest first, as far as both have room.
    fn link_kept_apart(&mut self, fresh: &BTreeSet<usize>) {
        for turn in fresh.iter().copied() {
            if !self.policy.guard || self.rows[turn].status != Status::Active {
                continue;
            }
            let is_before = |at: &usize| *at != turn && (*at < turn || !fresh.contains(at));
            let takes_part = |at: &usize| self.rows[*at].status == Status::Active;
            let others = (0..self.rows.len()).filter(|at| is_before(at) && takes_part(at));
            let likeness =
                |at: usize| self.similarity(&self.rows[turn].content, &self.rows[at].content);
            let mut near: Vec<(f64, usize)> = others.map(|at| (likeness(at), at)).collect();
            near.retain(|(similarity, _)| *similarity > self.policy.dedup_threshold);
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (similarity, at) in near {
                self.link_pair((turn, at), similarity);
            }
        }
    }

    fn link_pair(&mut self, (turn, at): (usize, usize), similarity: f64) {
        let (one, other) = (&self.rows[turn], &self.rows[at]);
        if !self.topics_meet(one, other) {
            return;
        }
        let Some(kind) = self.apart(one, other) else {
            return;
        };
        let ends = [one.id, other.id];
        let link = (kind, ends[0].min(ends[1]), ends[0].max(ends[1]));
        if self.reviews.contains_key(&link) {
            return;
        }
        let weakest = ends.map(|end| self.weakest(end, kind));
        let is_full = |weakest: &Option<(Strength, Review)>| {
            weakest.is_some_and(|(strength, _)| strength.0 && strength.1 >= similarity)
        };
        if weakest.iter().any(is_full) {
            return;
        }
        for (_, weaker) in weakest.into_iter().flatten() {
            self.reviews.remove(&weaker);
        }
        self.reviews.insert(link, similarity);
    }

    /// The weakest link of a kind that a bullet without room for one more has, with its strength.
    fn weakest(&self, end: BulletId, kind: LinkKind) -> Option<(Strength, Review)> {
        let own = self.reviews.iter();
        let own = own.filter(|(link, _)| link.0 == kind && (link.1 == end || link.2 == end));
        let mut own: Vec<_> = own
            .map(|(link, similarity)| {
                let other = if link.1 == end { link.2 } else { link.1 };
                let at = self.rows.iter().position(|row| row.id == other).unwrap();
                let takes_part = self.rows[at].status == Status::Active;
                ((takes_part, *similarity, Reverse(at)), *link)
            })
            .collect();
        if own.len() < LINKS_MAX {
            return None;
        }
        own.sort_by(|(a, _), (b, _)| {
            let by_part = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
            by_part.then(a.2.cmp(&b.2))
        });
        own.first().copied()
    }

    /// Fresh short bullets are linked with their opposites, as far as both have room.
    fn link_opposites(&mut self, fresh: &BTreeSet<usize>) {
        for turn in fresh.iter().copied() {
            for at in (0..self.rows.len()).rev().filter(|at| *at != turn) {
                let (one, other) = (&self.rows[turn], &self.rows[at]);
                let ends = [one.id.min(other.id), one.id.max(other.id)];
                let link = (LinkKind::ConflictsWith, ends[0], ends[1]);
                let is_meant = one.status == Status::Active
                    && other.status == Status::Active
                    && !self.reviews.contains_key(&link)
                    && self.topics_meet(one, other)
                    && self.oppose(one, other);
                let has_room = |end| self.weakest(end, LinkKind::ConflictsWith).is_none();
                if is_meant && ends.into_iter().all(has_room) {
                    let similarity = self.similarity(&one.content, &other.content);
                    self.reviews.insert(link, similarity);
                }
            }
        }
    }

    /// Two short texts about one subject that contradict each other.
    fn oppose(&self, a: &Row, b: &Row) -> bool {
        let subjects = self.guard.subjects();
        let features = |row: &Row| self.guard.features(&row.content);
        let about = subjects.read(&a.content);
        self.policy.guard
            && about.is_some()
            && about == subjects.read(&b.content)
            && self
                .guard
                .contradiction(&features(a), &features(b))
                .is_some()
    }

    fn prune(&mut self) {
        let Some(limit) = self.policy.max_bullets else {
            return;
        };
        let score = |row: &Row| {
            let rate = self.policy.rates.rate(row.memory_type);
            let ticks = (self.clock - row.access_index) as f64;
            let left = if ticks == 0.0 {
                1.0
            } else {
                libm::pow(1.0 - rate, ticks)
            };
            row.strength * left
        };
        let counted =
            |row: &Row| row.status == Status::Active && (self.policy.is_classic() || !row.pinned);
        let mut ranked: Vec<(f64, u64, usize)> = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| counted(row))
            .map(|(at, row)| (score(row), row.counts.helpful, at))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        for (_, _, at) in ranked.into_iter().skip(limit as usize) {
            self.archive(at);
        }
    }
}
