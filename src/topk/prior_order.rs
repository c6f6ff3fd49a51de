//! Documents in the order of their prior: the part of a score that depends on time, but not on the query.
//!
//! A prior is factor · (1 − rate)^ticks, with ticks since the last access and one rate per class. Within
//! a class every prior shrinks by the same factor per tick, so
//! level = ln(factor) + (access − origin) · −ln(1 − rate) orders the class at every clock. A document
//! moves only when it is touched or its factor changes; the clock moves nothing.
//!
//! Levels enumerate and bound; in the end, priors are compared as the caller computes them. So bounds have
//! slack for the rounding of logarithms and powers, and for underflow. Equal priors are sorted by the tie
//! rule, so that a search can skip a whole run of equals once it has enough of them.

mod level;
mod static_bounds;

use std::cmp::Ordering;
use std::sync::OnceLock;

pub(crate) use level::Decay;
pub use static_bounds::Weights;
pub(crate) use static_bounds::{StaticBounds, in_steps};

use level::difference;

use crate::DocId;

/// Number of classes, each with a decay rate of its own.
pub const CLASSES: usize = 3;
/// Groups: each class, decaying and not. A document that was never accessed does not decay.
pub(crate) const GROUPS: usize = 2 * CLASSES;
/// The group of documents that are not in the order.
const NO_GROUP: u8 = u8::MAX;
/// Maximum documents of a chunk: few enough that an insertion moves little, and enough that the chunks of a
/// million documents are bisected in twelve steps.
const CHUNK: usize = 256;
/// Sets of weights whose bounds are kept at a time.
const KEPT_BOUNDS: usize = 2;
/// Ticks from the origin within which levels are exact enough.
const NEAR_TICKS: u64 = 1 << 22;

/// Decides between equal scores, the larger first. No two documents have the same.
pub type Tie = (i64, u64, u64);

/// The prior of a document.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prior {
    /// The class, below [`CLASSES`], which has a decay rate.
    pub class: u8,
    /// The prior at the last access; 0 or more.
    pub factor: f64,
    /// Tick of the last access; `None` for a prior that does not decay.
    pub accessed: Option<u64>,
    /// Order among equals.
    pub tie: Tie,
}

/// The decay rates of priors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecayRates {
    /// Share lost per tick by class, 0..=1.
    pub rates: [f64; CLASSES],
    /// Upper bound of every factor; `f64::MAX` for no bound.
    pub factor_max: f64,
}

/// Documents by group and level.
#[derive(Debug)]
pub struct PriorOrder {
    decay: Decay,
    /// The highest access of any document, removed ones included.
    newest: u64,
    /// Group by document.
    groups: Vec<u8>,
    /// Level by document, rounded up to 32 bits; chunks are sorted by the exact level.
    levels: Vec<f32>,
    chunks: [Vec<Chunk>; GROUPS],
    /// Built by the first search with given weights.
    bounds: [OnceLock<StaticBounds>; KEPT_BOUNDS],
}

/// A run of documents in the order, and the exact level of the first.
#[derive(Debug)]
struct Chunk {
    level: f64,
    docs: Vec<DocId>,
}

/// A position in the order of a group.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cursor {
    chunk: usize,
    at: usize,
}

/// The sort key of documents within a group.
#[derive(Clone, Copy)]
struct SortKey {
    level: f64,
    factor: f64,
    accessed: Option<u64>,
    tie: Tie,
}

impl SortKey {
    /// Compares two documents of a group; the stronger comes first.
    fn compare(&self, other: &Self) -> Ordering {
        let order = other.level.total_cmp(&self.level);
        order
            .then_with(|| other.factor.total_cmp(&self.factor))
            .then_with(|| other.accessed.cmp(&self.accessed))
            .then_with(|| other.tie.cmp(&self.tie))
    }
}

impl PriorOrder {
    /// Builds the order of `documents`. Levels are exact near `clock`; see [`is_near`](Self::is_near).
    pub fn build(
        rates: DecayRates,
        clock: u64,
        documents: impl Iterator<Item = (DocId, Prior)>,
    ) -> Self {
        let mut order = Self {
            decay: Decay::new(rates, clock),
            newest: 0,
            groups: Vec::new(),
            levels: Vec::new(),
            chunks: std::array::from_fn(|_| Vec::new()),
            bounds: Default::default(),
        };
        let mut members: [Vec<(SortKey, DocId)>; GROUPS] = std::array::from_fn(|_| Vec::new());
        for (doc, prior) in documents {
            let group = order.decay.group(&prior);
            let key = order.sort_key(group, &prior);
            order.set(doc, group, key.level);
            order.newest = order.newest.max(prior.accessed.unwrap_or_default());
            members[group].push((key, doc));
        }
        order.groups.shrink_to_fit();
        order.levels.shrink_to_fit();
        for (group, mut members) in members.into_iter().enumerate() {
            members.sort_unstable_by(|a, b| a.0.compare(&b.0));
            // Three quarters full, so that insertions do not split every chunk at once.
            let chunks = members.chunks(CHUNK / 4 * 3).map(|part| Chunk {
                level: part[0].0.level,
                docs: part.iter().map(|(_, doc)| *doc).collect(),
            });
            order.chunks[group] = chunks.collect();
        }
        order
    }

    /// Inserts a document. `prior_of` returns the prior of any document in the order, and of this one.
    pub fn insert(&mut self, doc: DocId, prior_of: impl Fn(DocId) -> Prior) {
        let prior = prior_of(doc);
        let group = self.decay.group(&prior);
        let level = self.decay.level(group, &prior);
        self.set(doc, group, level);
        self.newest = self.newest.max(prior.accessed.unwrap_or_default());
        let cursor = self.find(group, doc, &prior_of);
        let chunks = &mut self.chunks[group];
        let Some(chunk) = chunks.get_mut(cursor.chunk) else {
            let docs = vec![doc];
            chunks.push(Chunk { level, docs });
            return;
        };
        chunk.docs.insert(cursor.at, doc);
        if cursor.at == 0 {
            chunk.level = level;
        }
        if chunk.docs.len() > CHUNK {
            let docs = chunk.docs.split_off(CHUNK / 2);
            let level = self.decay.level(group, &prior_of(docs[0]));
            self.chunks[group].insert(cursor.chunk + 1, Chunk { level, docs });
        }
    }

    /// Removes a document, if it is in the order. `prior_of` still returns the prior it was inserted with.
    pub fn remove(&mut self, doc: DocId, prior_of: impl Fn(DocId) -> Prior) {
        let Some(group) = self.group(doc) else {
            return;
        };
        let cursor = self.find(group, doc, &prior_of);
        self.groups[doc as usize] = NO_GROUP;
        self.levels[doc as usize] = f32::NEG_INFINITY;
        self.refresh_bounds(doc);
        let chunks = &mut self.chunks[group];
        let Some(chunk) = chunks.get_mut(cursor.chunk) else {
            return;
        };
        debug_assert_eq!(chunk.docs.get(cursor.at), Some(&doc), "the order is intact");
        chunk.docs.remove(cursor.at);
        match chunk.docs.first().copied() {
            None => {
                chunks.remove(cursor.chunk);
            }
            Some(first) if cursor.at == 0 => {
                let level = self.decay.level(group, &prior_of(first));
                self.chunks[group][cursor.chunk].level = level;
            }
            Some(_) => {}
        }
    }

    /// Returns true if levels are exact enough at a clock. If not, the order must be rebuilt.
    pub fn is_near(&self, clock: u64) -> bool {
        clock.abs_diff(self.decay.origin()) < NEAR_TICKS
    }

    /// Returns the documents of each group, weakest first, with a lower bound of their prior at a clock. The
    /// bounds of a group never decrease.
    pub fn weakest_first(
        &self,
        clock: u64,
    ) -> impl Iterator<Item = impl Iterator<Item = (DocId, f64)>> {
        self.chunks.iter().enumerate().map(move |(group, chunks)| {
            chunks
                .iter()
                .rev()
                .flat_map(|chunk| chunk.docs.iter().rev())
                .map(move |doc| (*doc, self.lower_bound(group, *doc, clock)))
        })
    }

    /// Returns the group of a document, if it is in the order.
    #[inline]
    pub(crate) fn group(&self, doc: DocId) -> Option<usize> {
        let group = *self.groups.get(doc as usize)?;
        (group != NO_GROUP).then_some(usize::from(group))
    }

    /// Returns an upper bound of the prior of a document at a clock.
    pub(crate) fn upper_bound(&self, group: usize, doc: DocId, clock: u64) -> f64 {
        let level = self.levels[doc as usize];
        self.decay.prior_at_most(group, f64::from(level), clock)
    }

    fn lower_bound(&self, group: usize, doc: DocId, clock: u64) -> f64 {
        // An access ahead of the clock raises the level, but not the prior.
        if self.newest > clock {
            return 0.0;
        }
        // Stored levels are rounded up, so the exact one may be a step lower.
        let level = self.levels[doc as usize].next_down();
        self.decay.prior_at_least(group, f64::from(level), clock)
    }

    /// Returns the document at a cursor.
    #[inline]
    pub(crate) fn doc_at(&self, group: usize, cursor: Cursor) -> Option<DocId> {
        let chunk = self.chunks[group].get(cursor.chunk)?;
        chunk.docs.get(cursor.at).copied()
    }

    /// Returns the cursor after another.
    #[inline]
    pub(crate) fn next(&self, group: usize, cursor: Cursor) -> Cursor {
        let (chunk, at) = (cursor.chunk, cursor.at + 1);
        if at < self.chunks[group][chunk].docs.len() {
            return Cursor { chunk, at };
        }
        let chunk = chunk + 1;
        Cursor { chunk, at: 0 }
    }

    /// Returns the first cursor at or after `cursor` whose document fails `holds`, by bisection: `holds` must be
    /// true up to there and false from there on.
    pub(crate) fn skip_while(
        &self,
        group: usize,
        cursor: Cursor,
        holds: impl Fn(DocId) -> bool,
    ) -> Cursor {
        let chunks = &self.chunks[group];
        let first = |chunk: &Chunk| chunk.docs.first().is_some_and(|doc| holds(*doc));
        let ahead = chunks[cursor.chunk + 1..].partition_point(first);
        let chunk = cursor.chunk + ahead;
        let from = if ahead == 0 { cursor.at } else { 0 };
        let at = from + chunks[chunk].docs[from..].partition_point(|doc| holds(*doc));
        if at < chunks[chunk].docs.len() {
            return Cursor { chunk, at };
        }
        let chunk = chunk + 1;
        Cursor { chunk, at: 0 }
    }

    /// Returns true if two documents of a group have equal priors at every clock, to the last bit.
    pub(crate) fn are_equal(&self, group: usize, a: &Prior, b: &Prior) -> bool {
        let same_access = !self.decay.fades(group) || a.accessed == b.accessed;
        same_access && a.factor.to_bits() == b.factor.to_bits()
    }

    fn set(&mut self, doc: DocId, group: usize, level: f64) {
        let at = doc as usize;
        if self.groups.len() <= at {
            self.groups.resize(at + 1, NO_GROUP);
            self.levels.resize(at + 1, f32::NEG_INFINITY);
        }
        self.groups[at] = u8::try_from(group).unwrap_or(NO_GROUP);
        self.levels[at] = rounded_up(level);
        self.refresh_bounds(doc);
    }

    /// Returns the cursor of a document, or the one at which to insert it.
    fn find(&self, group: usize, doc: DocId, prior_of: &impl Fn(DocId) -> Prior) -> Cursor {
        let chunks = &self.chunks[group];
        let key_of = |doc: DocId| self.sort_key(group, &prior_of(doc));
        let own = key_of(doc);
        let rounded = rounded_up(own.level);
        let is_before = |other: DocId| {
            // Rounding is monotone, so only levels that it made equal need the full key, which costs a read
            // of the document.
            let level = self.levels[other as usize];
            other != doc
                && match rounded.total_cmp(&level) {
                    Ordering::Equal => key_of(other).compare(&own) == Ordering::Less,
                    order => order == Ordering::Less,
                }
        };
        let behind = chunks.partition_point(|chunk| match own.level.total_cmp(&chunk.level) {
            Ordering::Equal => chunk.docs[0] == doc || is_before(chunk.docs[0]),
            order => order == Ordering::Less,
        });
        let chunk = behind.saturating_sub(1);
        let Some(docs) = chunks.get(chunk).map(|chunk| &chunk.docs) else {
            return Cursor::default();
        };
        let at = docs.partition_point(|other| is_before(*other));
        Cursor { chunk, at }
    }

    fn sort_key(&self, group: usize, prior: &Prior) -> SortKey {
        SortKey {
            level: self.decay.level(group, prior),
            factor: prior.factor,
            accessed: prior.accessed.filter(|_| self.decay.fades(group)),
            tie: prior.tie,
        }
    }
}

/// Rounds up, so that a stored level bounds the exact one.
fn rounded_up(level: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation)]
    let rounded = level as f32;
    if f64::from(rounded) < level {
        rounded.next_up()
    } else {
        rounded
    }
}
