//! The search indexes of a memory, each built on first use.
//!
//! A memory that is only replayed, copied or verified needs none of them, and no memory needs all: the
//! profiles use different words and different strengths. Once built, an index follows every change.

mod image;

use std::sync::OnceLock;

use hindlore_topk::{DocId, DocSet, InvertedIndex, LabelIndex, PriorOrder, Text};

use self::image::{Imaged, TextChange};
use super::facet_index::FacetIndex;
use super::occasions::{self, Speakers};
use super::opposites::Opposites;
use super::statements::Statements;
use crate::memory::bullet::Bullet;
use crate::memory::bullet::bullet_arena::BulletArena;
use crate::memory::policy::{Policy, Profile};
use crate::memory::rank::relevance::Vocabulary;
use crate::memory::rank::strength_formula::StrengthFormula;
use hindlore_text::guard::MergeGuard;
use hindlore_text::similar::{Prepared, SimilarityIndex};
use hindlore_text::words::Tokens;

/// Indexes of the active bullets of a memory.
#[derive(Default, Debug)]
pub(crate) struct SearchIndexes {
    terms: OnceLock<InvertedIndex<Vocabulary>>,
    classic_words: OnceLock<InvertedIndex<Vocabulary>>,
    facets: OnceLock<FacetIndex>,
    days: OnceLock<LabelIndex>,
    standing: OnceLock<DocSet>,
    speakers: OnceLock<Speakers>,
    orders: [OnceLock<StrengthOrder>; StrengthFormula::ALL.len()],
    similar: OnceLock<(Tokens, SimilarityIndex)>,
    opposites: OnceLock<Opposites>,
    statements: OnceLock<Statements>,
    imaged: Imaged,
}

/// Bullets in the order of one strength formula.
#[derive(Debug)]
struct StrengthOrder {
    formula: StrengthFormula,
    is_classic: bool,
    order: PriorOrder,
}

/// A change of one bullet. `old` is `None` for an insertion, `new` for a removal.
#[derive(Clone, Copy)]
pub(crate) struct BulletChange<'b> {
    pub(crate) old: Option<&'b Bullet>,
    pub(crate) new: Option<&'b Bullet>,
}

impl StrengthOrder {
    fn build(formula: StrengthFormula, policy: &Policy, clock: u64, arena: &BulletArena) -> Self {
        let is_classic = policy.is_classic();
        let ranked = arena.docs().filter_map(|doc| {
            let header = arena.header(doc);
            let prior = || formula.prior(&header, doc, is_classic);
            formula.ranks(&header).then(|| (doc, prior()))
        });
        Self {
            formula,
            is_classic,
            order: PriorOrder::build(formula.decay(policy), clock, ranked),
        }
    }

    fn insert(&mut self, doc: DocId, arena: &BulletArena) {
        let (formula, is_classic) = (self.formula, self.is_classic);
        if formula.ranks(&arena.header(doc)) {
            let prior_of = |doc| formula.prior(&arena.header(doc), doc, is_classic);
            self.order.insert(doc, prior_of);
        }
    }

    fn remove(&mut self, doc: DocId, arena: &BulletArena) {
        let (formula, is_classic) = (self.formula, self.is_classic);
        let prior_of = |doc| formula.prior(&arena.header(doc), doc, is_classic);
        self.order.remove(doc, prior_of);
    }
}

impl SearchIndexes {
    /// Returns the inverted index of a vocabulary.
    pub(crate) fn words(
        &self,
        vocabulary: Vocabulary,
        arena: &BulletArena,
    ) -> &InvertedIndex<Vocabulary> {
        match vocabulary {
            Vocabulary::SearchTerms => self.terms.get_or_init(|| {
                let docs = active_docs(arena);
                let texts = docs.map(|doc| (doc, arena.titled_text(doc)));
                InvertedIndex::build(vocabulary, texts)
            }),
            Vocabulary::ClassicWords => self.classic_words.get_or_init(|| {
                let texts = active_texts(arena);
                let texts = texts.map(|(doc, text)| (doc, titled("", text)));
                InvertedIndex::build(vocabulary, texts)
            }),
        }
    }

    /// Returns the index of tags, topics and concepts.
    pub(crate) fn facets(&self, arena: &BulletArena) -> &FacetIndex {
        self.facets.get_or_init(|| FacetIndex::build(arena))
    }

    /// Returns the labels of the days of bullets.
    pub(crate) fn days(&self, arena: &BulletArena) -> &LabelIndex {
        self.days.get_or_init(|| occasions::days(arena))
    }

    /// Returns the standing instructions of persons.
    pub(crate) fn standing(&self, arena: &BulletArena) -> &DocSet {
        self.standing.get_or_init(|| occasions::standing(arena))
    }

    /// Returns the number of bullets that a person and an agent wrote.
    pub(crate) fn speakers(&self, arena: &BulletArena) -> Speakers {
        *self.speakers.get_or_init(|| Speakers::build(arena))
    }

    /// Returns the bullets in the order of a strength formula.
    pub(crate) fn order(
        &self,
        formula: StrengthFormula,
        policy: &Policy,
        clock: u64,
        arena: &BulletArena,
    ) -> &PriorOrder {
        let build = || StrengthOrder::build(formula, policy, clock, arena);
        &self.orders[formula as usize].get_or_init(build).order
    }

    /// Returns the index of near duplicates.
    pub(crate) fn similar(&self, tokens: Tokens, arena: &BulletArena) -> &SimilarityIndex {
        let build = || SimilarityIndex::build(&tokens, active_texts(arena));
        &self.similar.get_or_init(|| (tokens, build())).1
    }

    /// Returns the index of short texts by subject.
    pub(crate) fn opposites(&self, guard: &MergeGuard, arena: &BulletArena) -> &Opposites {
        self.opposites
            .get_or_init(|| Opposites::build(guard, active_texts(arena)))
    }

    /// Returns the index of statements by frame.
    pub(crate) fn statements(&self, arena: &BulletArena) -> &Statements {
        self.statements
            .get_or_init(|| Statements::build(active_texts(arena)))
    }

    /// Removes `old` from the indexes before the bullet is updated or deleted; the arena still holds it.
    pub(crate) fn remove(&mut self, doc: DocId, arena: &BulletArena, change: BulletChange<'_>) {
        self.remove_strength(doc, arena);
        let BulletChange {
            old: Some(old),
            new,
        } = change
        else {
            return;
        };
        if let Some(facets) = self.facets.get_mut()
            && !new.is_some_and(|new| same_facets(old, new))
        {
            facets.remove(doc, old);
        }
        if !new.is_some_and(|new| same_occasion(old, new)) {
            self.remove_occasion(doc, old);
        }
        // Votes and tags change more often than texts, and text indexes are the most expensive to update.
        if !old.is_active() {
            return;
        }
        if let Some(terms) = self.terms.get_mut()
            && !new.is_some_and(|new| same_titled_text(old, new))
        {
            terms.remove(doc, titled_text(old));
        }
        if new.is_some_and(|new| same_text(old, new)) {
            return;
        }
        let text = old.content.as_str();
        if let Some(words) = self.classic_words.get_mut() {
            words.remove(doc, titled("", text));
        }
        self.imaged
            .note(|| TextChange::Removed(doc, text.to_owned()));
        self.remove_learning(doc, text);
    }

    /// Removes a text from the indexes that only a new text needs.
    fn remove_learning(&mut self, doc: DocId, text: &str) {
        if let Some((tokens, similar)) = self.similar.get_mut() {
            similar.remove(doc, &tokens.set(text));
        }
        if let Some(opposites) = self.opposites.get_mut() {
            opposites.remove(doc, text);
        }
        if let Some(statements) = self.statements.get_mut() {
            statements.remove(doc, text);
        }
    }

    /// Inserts `new` into the indexes after the bullet was updated or added; the arena holds it already.
    /// `prepared` is its text, if its near duplicates were searched for.
    pub(crate) fn insert(
        &mut self,
        doc: DocId,
        arena: &BulletArena,
        change: BulletChange<'_>,
        prepared: Option<Prepared>,
    ) {
        self.insert_strength(doc, arena);
        let BulletChange {
            old,
            new: Some(new),
        } = change
        else {
            return;
        };
        if let Some(facets) = self.facets.get_mut()
            && !old.is_some_and(|old| same_facets(old, new))
        {
            facets.insert(doc, new);
        }
        if !old.is_some_and(|old| same_occasion(old, new)) {
            self.insert_occasion(doc, new);
        }
        if !new.is_active() {
            return;
        }
        if let Some(terms) = self.terms.get_mut()
            && !old.is_some_and(|old| same_titled_text(old, new))
        {
            terms.insert(doc, titled_text(new));
        }
        if old.is_some_and(|old| same_text(old, new)) {
            return;
        }
        let text = new.content.as_str();
        if let Some(words) = self.classic_words.get_mut() {
            words.insert(doc, titled("", text));
        }
        self.imaged
            .note(|| TextChange::Inserted(doc, text.to_owned()));
        self.insert_learning(doc, text, prepared);
    }

    /// Inserts a text into the indexes that only a new text needs.
    fn insert_learning(&mut self, doc: DocId, text: &str, prepared: Option<Prepared>) {
        if let Some(opposites) = self.opposites.get_mut() {
            opposites.insert(doc, text);
        }
        if let Some(statements) = self.statements.get_mut() {
            statements.insert(doc, text);
        }
        if let Some((tokens, similar)) = self.similar.get_mut() {
            let is_inserted = prepared.is_some_and(|text| similar.insert_prepared(doc, text));
            if !is_inserted {
                similar.insert(doc, &tokens.set(text));
            }
        }
    }

    fn remove_occasion(&mut self, doc: DocId, old: &Bullet) {
        if let Some(days) = self.days.get_mut()
            && old.is_active()
        {
            occasions::remove_day(days, doc, old.created_at);
        }
        if let Some(speakers) = self.speakers.get_mut() {
            speakers.remove(old);
        }
        if let Some(standing) = self.standing.get_mut() {
            standing.remove(doc);
        }
    }

    fn insert_occasion(&mut self, doc: DocId, new: &Bullet) {
        if let Some(days) = self.days.get_mut()
            && new.is_active()
        {
            occasions::insert_day(days, doc, new.created_at);
        }
        if let Some(speakers) = self.speakers.get_mut() {
            speakers.insert(new);
        }
        if let Some(standing) = self.standing.get_mut()
            && occasions::is_persons_standing(new)
        {
            standing.insert(doc);
        }
    }

    /// Removes a bullet from the orders of strength before it is touched.
    pub(crate) fn remove_strength(&mut self, doc: DocId, arena: &BulletArena) {
        for order in self.orders.iter_mut().filter_map(OnceLock::get_mut) {
            order.remove(doc, arena);
        }
    }

    /// Inserts a bullet into the orders of strength after it was touched.
    pub(crate) fn insert_strength(&mut self, doc: DocId, arena: &BulletArena) {
        for order in self.orders.iter_mut().filter_map(OnceLock::get_mut) {
            order.insert(doc, arena);
        }
    }

    /// Drops the indexes and bounds that depend on a changed part of the policy.
    pub(crate) fn set_policy(&mut self, old: &Policy, new: &Policy) {
        if old.similarity != new.similarity {
            self.similar = OnceLock::new();
            // The image has the words of the old choice.
            self.imaged = Imaged::default();
        }
        if old.rates != new.rates || old.mode != new.mode {
            self.orders = Default::default();
        }
        let same_weights =
            |profile: &Profile| old.weights_for(*profile) == new.weights_for(*profile);
        let same_base = old.base_strength.to_bits() == new.base_strength.to_bits();
        if !(same_base && Profile::ALL.iter().all(same_weights)) {
            let orders = self.orders.iter_mut().filter_map(OnceLock::get_mut);
            orders.for_each(|order| order.order.forget_weights());
        }
    }

    /// Drops the orders whose levels are not exact at this clock, and bounds that have become loose.
    pub(crate) fn advance_clock(&mut self, clock: u64) {
        for cell in &mut self.orders {
            match cell.get_mut() {
                Some(near) if near.order.is_near(clock) => near.order.advance_clock(clock),
                _ => *cell = OnceLock::new(),
            }
        }
    }
}

fn active_docs(arena: &BulletArena) -> impl Iterator<Item = DocId> {
    let docs = arena.docs();
    docs.filter(|doc| arena.header(*doc).is_active())
}

fn active_texts(arena: &BulletArena) -> impl Iterator<Item = (DocId, &str)> {
    active_docs(arena).map(|doc| (doc, arena.text(doc)))
}

/// Returns the texts of a bullet that the engine profile searches: its heading and its content.
fn titled_text(bullet: &Bullet) -> Text<'_> {
    let title = bullet.section.as_deref().unwrap_or_default();
    titled(title, bullet.content.as_str())
}

fn titled<'t>(title: &'t str, body: &'t str) -> Text<'t> {
    Text { title, body }
}

fn same_titled_text(old: &Bullet, new: &Bullet) -> bool {
    same_text(old, new) && old.section == new.section
}

fn same_text(old: &Bullet, new: &Bullet) -> bool {
    old.is_active() == new.is_active() && old.content == new.content
}

fn same_occasion(old: &Bullet, new: &Bullet) -> bool {
    same_text(old, new) && old.source == new.source && old.created_at == new.created_at
}

fn same_facets(old: &Bullet, new: &Bullet) -> bool {
    old.is_active() == new.is_active()
        && old.tags == new.tags
        && old.topic == new.topic
        && old.concept == new.concept
}
