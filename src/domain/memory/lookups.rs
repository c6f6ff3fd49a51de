//! The indexes that ranking and near-duplicate search read, each built when it is first asked for.
//!
//! A memory that is only replayed, copied or verified needs none of them, and no memory needs all: the
//! profiles use different words and different strengths. Once built, an index follows every change.

use std::sync::OnceLock;

use super::bullet::Bullet;
use super::family::Family;
use super::opposites::Opposites;
use super::policy::{Policy, Profile};
use super::selectors::Selectors;
use super::shelf::Shelf;
use super::strength_order::StrengthOrder;
use super::word_index::{Vocabulary, WordIndex};
use crate::text::guard::MergeGuard;
use crate::text::similar::{Asked, SimilarityIndex};
use crate::text::words::Tokens;

/// What can be looked up about the active bullets of a memory.
#[derive(Default, Debug)]
pub(super) struct Lookups {
    terms: OnceLock<WordIndex>,
    classic_words: OnceLock<WordIndex>,
    selectors: OnceLock<Selectors>,
    orders: [OnceLock<StrengthOrder>; Family::ALL.len()],
    similar: OnceLock<(Tokens, SimilarityIndex)>,
    opposites: OnceLock<Opposites>,
}

impl Lookups {
    /// The words of one vocabulary.
    pub(super) fn words(&self, vocabulary: Vocabulary, shelf: &Shelf) -> &WordIndex {
        let cell = match vocabulary {
            Vocabulary::SearchTerms => &self.terms,
            Vocabulary::ClassicWords => &self.classic_words,
        };
        cell.get_or_init(|| WordIndex::build(vocabulary, active_texts(shelf)))
    }

    /// Tags and topics.
    pub(super) fn selectors(&self, shelf: &Shelf) -> &Selectors {
        self.selectors.get_or_init(|| Selectors::build(shelf))
    }

    /// The order by one strength part.
    pub(super) fn order(
        &self,
        family: Family,
        (policy, clock): (&Policy, u64),
        shelf: &Shelf,
    ) -> &StrengthOrder {
        self.orders[family as usize]
            .get_or_init(|| StrengthOrder::build(family, policy, clock, shelf))
    }

    /// The texts by their likeness.
    pub(super) fn similar(&self, tokens: Tokens, shelf: &Shelf) -> &SimilarityIndex {
        let build = || (tokens, SimilarityIndex::build(tokens, active_texts(shelf)));
        &self.similar.get_or_init(build).1
    }

    /// Short texts by what they are about.
    pub(super) fn opposites(&self, guard: &MergeGuard, shelf: &Shelf) -> &Opposites {
        self.opposites
            .get_or_init(|| Opposites::build(guard, active_texts(shelf)))
    }

    /// Takes out what is said of a bullet that is about to change into `new`, or to go; the shelf still
    /// holds it as `old`.
    pub(super) fn leave(
        &mut self,
        slot: u32,
        shelf: &Shelf,
        (old, new): (&Bullet, Option<&Bullet>),
    ) {
        self.leave_orders(slot, shelf);
        if let Some(selectors) = self.selectors.get_mut()
            && !new.is_some_and(|new| same_selectors(old, new))
        {
            selectors.remove(slot, old);
        }
        if old.is_active() && !new.is_some_and(|new| same_text(old, new)) {
            let text = old.content.as_str();
            let words = [&mut self.terms, &mut self.classic_words];
            for index in words.into_iter().filter_map(OnceLock::get_mut) {
                index.remove(slot, text);
            }
            if let Some((tokens, similar)) = self.similar.get_mut() {
                similar.remove(slot, &tokens.set(text));
            }
            if let Some(opposites) = self.opposites.get_mut() {
                opposites.remove(slot, text);
            }
        }
    }

    /// Puts in what is said of a bullet that has just changed from `old`, or come; the shelf holds it as
    /// `new`. `asked` is its text, where its near duplicates were asked for.
    pub(super) fn enter(
        &mut self,
        slot: u32,
        shelf: &Shelf,
        (old, new): (Option<&Bullet>, &Bullet),
        asked: Option<Asked>,
    ) {
        self.enter_orders(slot, shelf);
        if let Some(selectors) = self.selectors.get_mut()
            && !old.is_some_and(|old| same_selectors(old, new))
        {
            selectors.insert(slot, new);
        }
        if new.is_active() && !old.is_some_and(|old| same_text(old, new)) {
            let text = new.content.as_str();
            let orders = self.orders.iter_mut().filter_map(OnceLock::get_mut);
            orders.for_each(|order| order.note_text(slot));
            let words = [&mut self.terms, &mut self.classic_words];
            for index in words.into_iter().filter_map(OnceLock::get_mut) {
                index.insert(slot, text);
            }
            if let Some(opposites) = self.opposites.get_mut() {
                opposites.insert(slot, text);
            }
            if let Some((tokens, similar)) = self.similar.get_mut() {
                let is_in = asked.is_some_and(|asked| similar.insert_asked(slot, asked));
                if !is_in {
                    similar.insert(slot, &tokens.set(text));
                }
            }
        }
    }

    /// Takes a bullet out of the orders of strength; the shelf still holds it as it was.
    pub(super) fn leave_orders(&mut self, slot: u32, shelf: &Shelf) {
        for order in self.orders.iter_mut().filter_map(OnceLock::get_mut) {
            order.remove(slot, shelf);
        }
    }

    /// Puts a bullet into the orders of strength; the shelf holds it as it is.
    pub(super) fn enter_orders(&mut self, slot: u32, shelf: &Shelf) {
        for order in self.orders.iter_mut().filter_map(OnceLock::get_mut) {
            order.insert(slot, shelf);
        }
    }

    /// Drops what another policy would have built otherwise.
    pub(super) fn follow_policy(&mut self, old: &Policy, new: &Policy) {
        if old.similarity != new.similarity {
            self.similar = OnceLock::new();
        }
        if old.rates != new.rates || old.mode != new.mode {
            self.orders = Default::default();
        }
        let weighs_alike =
            |profile: &Profile| old.weights_for(*profile) == new.weights_for(*profile);
        let same_base = old.base_strength.to_bits() == new.base_strength.to_bits();
        if !(same_base && Profile::ALL.iter().all(weighs_alike)) {
            let orders = self.orders.iter_mut().filter_map(OnceLock::get_mut);
            orders.for_each(StrengthOrder::forget_weights);
        }
    }

    /// Drops orders whose origin lies too far from the clock to tell bullets apart, and bounds that are
    /// too far from the truth.
    pub(super) fn follow_clock(&mut self, clock: u64) {
        for order in &mut self.orders {
            match order.get_mut() {
                Some(near) if near.is_near(clock) => near.follow_clock(clock),
                _ => *order = OnceLock::new(),
            }
        }
    }
}

fn active_texts(shelf: &Shelf) -> impl Iterator<Item = (u32, &str)> {
    shelf
        .slots()
        .filter(|slot| shelf.core(*slot).is_active())
        .map(|slot| (slot, shelf.text(slot)))
}

fn same_text(old: &Bullet, new: &Bullet) -> bool {
    old.is_active() == new.is_active() && old.content == new.content
}

fn same_selectors(old: &Bullet, new: &Bullet) -> bool {
    old.is_active() == new.is_active() && old.tags == new.tags && old.topic == new.topic
}
