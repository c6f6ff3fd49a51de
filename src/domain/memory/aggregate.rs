//! A memory in process: its bullets with every index that a decision needs.
//!
//! Bullets enter and change through `put` only, so that indexes and digests never disagree. Document numbers
//! are assigned in the order of `position` and never reused, so that their order is insertion order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hindlore_topk::{DocId, DocSet, InvertedIndex, LabelIndex, PriorOrder};

use super::bullet::bullet_arena::{BulletArena, hash_prefix};
use super::bullet::header::BulletHeader;
use super::bullet::{Bullet, BulletId};
use super::content::ContentHash;
use super::digest::merkle_tree::MerkleTree;
use super::digest::{
    Hash, content_digest, content_leaf, has_content_leaf, state_digest, state_leaf,
};
use super::index::facet_index::FacetIndex;
use super::index::hash_index::HashIndex;
use super::index::occasions::Speakers;
use super::index::search_indexes::SearchIndexes;
use super::key::MemoryKey;
use super::link::{Link, LinkId};
use super::policy::Policy;
use super::rank::relevance::Vocabulary;
use super::rank::strength_formula::StrengthFormula;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::guard::MergeGuard;
use hindlore_text::subject::is_short;

/// The number of bullets of each status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatusCounts {
    /// Taking part.
    pub active: u64,
    /// Kept for audit.
    pub archived: u64,
    /// Refused by a person.
    pub rejected: u64,
}

impl StatusCounts {
    /// Returns the number of bullets of any status.
    pub fn total(self) -> u64 {
        self.active + self.archived + self.rejected
    }
}

/// One memory with its indexes.
#[derive(Debug)]
pub struct Memory {
    pub(super) key: MemoryKey,
    pub(super) clock: u64,
    pub(super) revision: u64,
    pub(super) origin_clock: u64,
    pub(super) policy: Policy,
    /// All bullets, ascending by position.
    pub(super) arena: BulletArena,
    pub(super) by_id: HashIndex,
    /// The bullet that holds each content hash; the key is a prefix of the hash.
    pub(super) by_hash: HashIndex,
    /// Bullets by the id of another program, in insertion order.
    pub(super) by_legacy: HashMap<String, Vec<DocId>>,
    pub(super) links: BTreeMap<LinkId, Link>,
    /// The bullets that each bullet follows, by `FOLLOWS` links.
    pub(super) previous: HashMap<BulletId, BTreeSet<BulletId>>,
    /// The bullets that follow each bullet.
    pub(super) next: HashMap<BulletId, BTreeSet<BulletId>>,
    /// Links for review, and decisions about them, that are not removed, by either end.
    pub(super) reviews: HashMap<BulletId, BTreeSet<LinkId>>,
    /// The bullets that give a newer value than each bullet, by `SUPERSEDES` links.
    pub(super) newer: HashMap<BulletId, BTreeSet<BulletId>>,
    /// The bullets whose value each bullet replaced.
    pub(super) older: HashMap<BulletId, BTreeSet<BulletId>>,
    /// Active bullets by word, strength, tag and similarity.
    pub(super) search_indexes: SearchIndexes,
    /// Active bullets with a lifetime, by its end.
    pub(super) expiring: BTreeSet<(Timestamp, DocId)>,
    /// Active seed bullets.
    pub(super) seeds: BTreeSet<DocId>,
    /// Active bullets that count against the limit.
    pub(super) limited: u64,
    /// In classic mode, active bullets that may have others to merge with. Any two bullets outside this set were
    /// compared and do not merge.
    pub(super) unrefined: DocSet,
    pub(super) status_counts: StatusCounts,
    /// State leaves by document, as of the last digest. Content leaves are needed too seldom to be stored.
    pub(super) state_leaves: Vec<Hash>,
    /// Documents whose state changed since then.
    pub(super) stale_leaves: DocSet,
    pub(super) state_tree: MerkleTree,
    pub(super) content_tree: MerkleTree,
}

impl Memory {
    /// Creates an empty memory at clock 0 and revision 0.
    pub fn new(key: MemoryKey, policy: Policy) -> Self {
        Self {
            key,
            clock: 0,
            revision: 0,
            origin_clock: 0,
            policy,
            arena: BulletArena::default(),
            by_id: HashIndex::default(),
            by_hash: HashIndex::default(),
            by_legacy: HashMap::new(),
            links: BTreeMap::new(),
            previous: HashMap::new(),
            next: HashMap::new(),
            reviews: HashMap::new(),
            newer: HashMap::new(),
            older: HashMap::new(),
            search_indexes: SearchIndexes::default(),
            expiring: BTreeSet::new(),
            seeds: BTreeSet::new(),
            limited: 0,
            unrefined: DocSet::default(),
            status_counts: StatusCounts::default(),
            state_leaves: Vec::new(),
            stale_leaves: DocSet::default(),
            state_tree: MerkleTree::default(),
            content_tree: MerkleTree::default(),
        }
    }

    /// Returns the key: whose memory it is.
    pub fn key(&self) -> &MemoryKey {
        &self.key
    }

    /// Returns the tick of the last event.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Returns the number of deltas.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the clock that an import set before the first event; 0 without one.
    pub fn origin_clock(&self) -> u64 {
        self.origin_clock
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sets clock, revision and policy to those that a store has recorded.
    pub fn stand_at(&mut self, clock: u64, revision: u64, origin_clock: u64, policy: Policy) {
        self.revision = revision;
        self.origin_clock = origin_clock;
        self.set_policy(policy);
        self.advance_to(clock);
    }

    /// Advances to the clock of an event that changed neither revision nor policy.
    pub(super) fn advance_to(&mut self, clock: u64) {
        self.clock = clock;
        self.search_indexes.advance_clock(clock);
    }

    /// Returns all bullets in insertion order; unpacks each.
    pub fn bullets(&self) -> Vec<Bullet> {
        self.bullets_where(|_| true).collect()
    }

    /// Returns the active bullets in insertion order.
    pub fn active_bullets(&self) -> impl Iterator<Item = Bullet> {
        self.bullets_where(BulletHeader::is_active)
    }

    fn bullets_where(
        &self,
        wanted: impl Fn(&BulletHeader) -> bool,
    ) -> impl Iterator<Item = Bullet> {
        let docs = self.arena.docs();
        docs.filter(move |doc| wanted(&self.arena.header(*doc)))
            .map(|doc| self.arena.bullet(doc))
    }

    /// Returns the links that are not removed, ascending by identity.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.values().filter(|link| !link.removed)
    }

    /// Returns all links, removed ones included.
    pub fn all_links(&self) -> impl Iterator<Item = &Link> {
        self.links.values()
    }

    /// Returns a link, removed or not.
    pub fn link(&self, id: LinkId) -> Option<&Link> {
        self.links.get(&id)
    }

    /// Returns the bullet with an id; unpacks it.
    pub fn get(&self, id: BulletId) -> Option<Bullet> {
        self.doc_of(id).map(|doc| self.at(doc))
    }

    /// Returns the bullet with a number, which must come from this memory's own indexes.
    pub(super) fn at(&self, doc: DocId) -> Bullet {
        self.arena.bullet(doc)
    }

    /// Returns the header of the bullet with an id.
    pub(super) fn header_of(&self, id: BulletId) -> Option<BulletHeader> {
        self.doc_of(id).map(|doc| self.arena.header(doc))
    }

    pub(super) fn doc_of(&self, id: BulletId) -> Option<DocId> {
        let id_of = |doc| self.arena.id(doc);
        self.by_id.get(&id, id_of, |_| true)
    }

    /// Returns the bullet that holds a content hash.
    pub fn holder(&self, hash: ContentHash) -> Option<Bullet> {
        self.holder_doc(hash).map(|doc| self.at(doc))
    }

    pub(super) fn holder_doc(&self, hash: ContentHash) -> Option<DocId> {
        let arena = &self.arena;
        let is_meant = |doc| arena.content_hash(doc) == hash;
        let prefix_of = |doc| arena.hash_prefix(doc);
        self.by_hash.get(&hash_prefix(hash), prefix_of, is_meant)
    }

    /// Returns the first active bullet with another program's id, else the first of any status. Classic mode sees
    /// active bullets only.
    pub fn by_legacy_id(&self, legacy: &str) -> Option<Bullet> {
        let docs = self.by_legacy.get(legacy)?;
        let first = docs.first().filter(|_| !self.policy.is_classic());
        let mut active = docs
            .iter()
            .filter(|doc| self.arena.header(**doc).is_active());
        active.next().or(first).map(|doc| self.at(*doc))
    }

    /// Follows merges from a bullet to the survivor; returns the bullet itself if it was not merged.
    pub fn survivor(&self, id: BulletId) -> Option<Bullet> {
        let mut bullet = self.get(id)?;
        // A chain has no cycle, since only active bullets survive a merge. The bound guards against a store
        // edited by hand.
        for _ in 0..self.arena.len() {
            match bullet.merged_into.and_then(|into| self.get(into)) {
                Some(next) if !bullet.is_active() => bullet = next,
                _ => break,
            }
        }
        Some(bullet)
    }

    /// Returns the number of bullets of each status.
    pub fn status_counts(&self) -> StatusCounts {
        self.status_counts
    }

    /// Returns the number of active bullets that count against `max_bullets`.
    pub fn limited(&self) -> u64 {
        self.limited
    }

    /// Returns the position of the next new bullet.
    pub fn next_position(&self) -> u64 {
        let last = self.arena.docs().last();
        last.map_or(0, |doc| self.arena.header(doc).position + 1)
    }

    /// Returns the index of active bullets by search term.
    pub(super) fn terms(&self) -> &InvertedIndex<Vocabulary> {
        self.search_indexes
            .words(Vocabulary::SearchTerms, &self.arena)
    }

    /// Returns the index of active bullets by classic word.
    pub(super) fn classic_words(&self) -> &InvertedIndex<Vocabulary> {
        self.search_indexes
            .words(Vocabulary::ClassicWords, &self.arena)
    }

    /// Returns the active bullets in the order of a strength formula.
    pub(super) fn order(&self, formula: StrengthFormula) -> &PriorOrder {
        self.search_indexes
            .order(formula, &self.policy, self.clock, &self.arena)
    }

    /// Returns the bullets of each tag that begins with `start`, which is in lower case.
    pub(crate) fn tagged_below(&self, start: &str) -> impl Iterator<Item = &DocSet> {
        self.facets().tagged_below(start)
    }

    /// Returns the active bullets with a tag, which is in lower case.
    pub(super) fn tagged(&self, tag: &str) -> Option<&DocSet> {
        self.facets().tagged(tag)
    }

    /// Returns the active bullets about a topic.
    pub(super) fn about(&self, topic: &str) -> Option<&DocSet> {
        self.facets().about(topic)
    }

    /// Returns the active bullets without a topic.
    pub(super) fn without_topic(&self) -> &DocSet {
        self.facets().without_topic()
    }

    /// Returns the labels of the days of active bullets.
    pub(super) fn days(&self) -> &LabelIndex {
        self.search_indexes.days(&self.arena)
    }

    /// Returns the active bullets that are standing instructions of a person.
    pub(super) fn standing(&self) -> &DocSet {
        self.search_indexes.standing(&self.arena)
    }

    /// Returns the number of active bullets that a person and an agent wrote.
    pub(super) fn speakers(&self) -> Speakers {
        self.search_indexes.speakers(&self.arena)
    }

    /// Returns the active bullets by tag, topic and concept.
    pub(super) fn facets(&self) -> &FacetIndex {
        self.search_indexes.facets(&self.arena)
    }

    /// Returns the active short texts about the subject of this one, newest last; none for a long text.
    pub(super) fn about_subject_of(&self, guard: &MergeGuard, text: &str) -> &[DocId] {
        if !is_short(text) {
            return &[];
        }
        self.search_indexes.opposites(guard, &self.arena).find(text)
    }

    /// Returns the bullets that were written right before one.
    pub(super) fn previous_docs(&self, id: BulletId) -> impl Iterator<Item = DocId> {
        let near = self.previous.get(&id).into_iter().flatten();
        near.filter_map(|near| self.doc_of(*near))
    }

    /// Returns the bullets that were written right after one.
    pub(super) fn next_docs(&self, id: BulletId) -> impl Iterator<Item = DocId> {
        let near = self.next.get(&id).into_iter().flatten();
        near.filter_map(|near| self.doc_of(*near))
    }

    /// Returns true if any bullet follows another.
    pub fn has_neighbours(&self) -> bool {
        !self.previous.is_empty()
    }

    /// Returns the active bullets whose lifetime ended at or before `now`, in insertion order.
    pub(super) fn expired(&self, now: Timestamp) -> Vec<DocId> {
        let ended = self.expiring.iter().take_while(|(end, _)| *end <= now);
        let mut docs: Vec<DocId> = ended.map(|(_, doc)| *doc).collect();
        docs.sort_unstable();
        docs
    }

    /// Returns the active seed bullets in insertion order.
    pub(super) fn seeds(&self) -> impl Iterator<Item = DocId> {
        self.seeds.iter().copied()
    }

    /// Returns the state digest (SHA-256 hex): clock, revision, policy and every bullet. Its cost grows with the
    /// changes since the last call.
    pub fn digest(&mut self) -> String {
        let (arena, leaves) = (&self.arena, &mut self.state_leaves);
        let leaf = |doc: DocId| state_leaf(&arena.bullet(doc));
        std::mem::take(&mut self.stale_leaves).for_each(|doc| {
            leaves[doc as usize] = leaf(doc);
        });
        leaves.reserve_exact(arena.len() - leaves.len());
        leaves.extend(arena.docs().skip(leaves.len()).map(leaf));
        let all = || arena.docs().collect();
        let root = self
            .state_tree
            .root(arena, all, &mut |doc| leaves[doc as usize]);
        state_digest(self.clock, self.revision, &self.policy, root)
    }

    /// Returns the content digest (SHA-256 hex): the part that agents can read, without strengths and ticks.
    pub fn content_digest(&mut self) -> String {
        let arena = &self.arena;
        let mut leaf = |doc| content_leaf(&arena.bullet(doc)).unwrap_or_default();
        let counts = |doc: &DocId| has_content_leaf(arena.header(*doc).status);
        let all = || arena.docs().filter(counts).collect();
        content_digest(self.content_tree.root(arena, all, &mut leaf))
    }
}
