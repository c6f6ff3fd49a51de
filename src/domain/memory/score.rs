//! The score of one bullet for a query, and whether it passes the filters: what every way of searching
//! comes to in the end, and a scan would do for each bullet.

use super::aggregate::Memory;
use super::best::{Failure, Scored};
use super::bullet::BulletId;
use super::decay::{helpful_ratio, helpfulness, ticks_since, type_priority};
use super::family::tie_rank;
use super::header::BulletHeader;
use super::policy::{Policy, Profile, Weights};
use super::query::{Query, TopicMode};
use super::ranking::{Hit, NearMiss, Parts};
use super::relevance::{Matcher, Own, bend};
use crate::slot_set::SlotSet;
use crate::timestamp::Timestamp;

const BONUS_VISUAL: f64 = 0.2;
const BONUS_PERSONA: f64 = 0.1;
const BONUS_TOPIC: f64 = 0.3;

/// Relevance with what neighbours lend.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Relevance {
    /// Own and shared relevance, 0..=1.
    pub(super) total: f64,
    /// The shared part.
    pub(super) from_neighbours: f64,
    /// What [`Own`] says of the words.
    pub(super) words: u64,
}

/// A bonus and who gets it.
#[derive(Clone, Debug)]
pub(super) struct Bonus<'m> {
    pub(super) amount: f64,
    /// Any of these; given once.
    pub(super) sets: Vec<&'m SlotSet>,
}

/// A query on a memory, ready to score bullets.
#[derive(Debug)]
pub(super) struct Scorer<'m> {
    pub(super) memory: &'m Memory,
    pub(super) query: &'m Query,
    pub(super) now: Timestamp,
    pub(super) profile: Profile,
    pub(super) weights: Weights,
    pub(super) matcher: Matcher<'m>,
    /// In the order in which they are added up.
    pub(super) bonuses: Vec<Bonus<'m>>,
    /// Who has any of the tags that are asked for; words for memory types stand apart.
    pub(super) tagged: Vec<&'m SlotSet>,
    /// Whether and how much neighbours lend.
    pub(super) is_linked: bool,
}

impl<'m> Scorer<'m> {
    /// Prepares a query; builds the indexes that it reads, where they are not there yet.
    pub(super) fn new(memory: &'m Memory, query: &'m Query, now: Timestamp) -> Self {
        let policy = memory.policy();
        let profile = query.profile.unwrap_or(policy.profile);
        let matcher = match profile {
            Profile::Engine => Matcher::terms(memory.terms(), &query.text),
            _ => Matcher::classic(memory.classic_words(), &classic_text(query)),
        };
        let shares = policy.link_shares;
        let lends = shares.previous > 0.0 || shares.next > 0.0;
        let tags = query.tags.iter();
        let tagged = tags.filter_map(|tag| memory.tagged(&tag.to_lowercase()));
        Self {
            now,
            profile,
            weights: policy.weights_for(profile),
            matcher,
            bonuses: bonuses(memory, query),
            tagged: tagged.collect(),
            is_linked: profile == Profile::Engine && memory.has_neighbours() && lends,
            memory,
            query,
        }
    }

    pub(super) fn policy(&self) -> &'m Policy {
        self.memory.policy()
    }

    /// True when what shares nothing with the query takes part as well.
    pub(super) fn takes_everything(&self) -> bool {
        self.profile != Profile::Engine || self.policy().floor <= 0.0
    }

    /// Scores an active bullet and tells whether it fails.
    pub(super) fn judge(&self, slot: u32) -> (Scored, Option<Failure>) {
        self.judge_as(slot, self.relevance(slot))
    }

    /// The same for a bullet whose relevance is known.
    pub(super) fn judge_as(&self, slot: u32, relevance: Relevance) -> (Scored, Option<Failure>) {
        let bullet = &self.memory.shelf.core(slot);
        let parts = Parts {
            relevance: relevance.total,
            strength: self.strength(bullet),
            memory_type: type_priority(bullet.memory_type),
            bonus: self.bonus(slot),
        };
        let scored = Scored {
            slot,
            score: self.combined(&parts),
            tie: tie_rank(bullet, slot, self.policy().is_classic()),
            parts,
            from_neighbours: relevance.from_neighbours,
            words: relevance.words,
        };
        (scored, self.failure(bullet, &scored))
    }

    /// The combined score. Rises with every part also after rounding, since products and sums of
    /// floats do: from parts that are bounds comes a bound.
    #[inline]
    pub(super) fn combined(&self, parts: &Parts) -> f64 {
        let weights = self.weights;
        weights.relevance * parts.relevance
            + weights.strength * parts.strength
            + weights.memory_type * parts.memory_type
            + parts.bonus
    }

    /// The relevance of a bullet; in the engine profile the better neighbour lends a share.
    pub(super) fn relevance(&self, slot: u32) -> Relevance {
        self.relevance_with(slot, self.matcher.own(slot))
    }

    /// The same for a bullet whose own relevance is known.
    pub(super) fn relevance_with(&self, slot: u32, own: Own) -> Relevance {
        let Own { share, words } = own;
        if self.profile != Profile::Engine {
            return Relevance {
                total: share,
                from_neighbours: 0.0,
                words,
            };
        }
        let shared = if self.is_linked {
            self.lent(self.memory.shelf.id(slot))
        } else {
            0.0
        };
        let total = bend(share + shared);
        Relevance {
            total,
            from_neighbours: total - bend(share),
            words,
        }
    }

    fn lent(&self, bullet: BulletId) -> f64 {
        let shares = self.policy().link_shares;
        let best = |near: &mut dyn Iterator<Item = u32>| {
            let active = near.filter(|slot| self.memory.shelf.core(*slot).is_active());
            active
                .map(|slot| self.matcher.own(slot).share)
                .fold(0.0, f64::max)
        };
        let before = shares.previous * best(&mut self.memory.previous_slots(bullet));
        before.max(shares.next * best(&mut self.memory.next_slots(bullet)))
    }

    /// The strength part of a bullet.
    pub(super) fn strength(&self, bullet: &BulletHeader) -> f64 {
        let (policy, clock) = (self.policy(), self.memory.clock());
        match self.profile {
            Profile::Original | Profile::ClBench => {
                bullet.decayed_score(&policy.rates, clock) / self.strength_unit()
            }
            Profile::Baseline => helpful_ratio(bullet.counts),
            Profile::Engine => bullet.retention(&policy.rates, clock) * helpfulness(bullet.counts),
        }
    }

    /// What a decayed score is divided by to become a strength part.
    pub(super) fn strength_unit(&self) -> f64 {
        match self.profile {
            Profile::Original | Profile::ClBench => self.policy().base_strength.max(1.0),
            Profile::Baseline | Profile::Engine => 1.0,
        }
    }

    fn bonus(&self, slot: u32) -> f64 {
        let due = |bonus: &&Bonus<'_>| bonus.sets.iter().any(|set| set.contains(slot));
        let due = self.bonuses.iter().filter(due);
        due.fold(0.0, |sum, bonus| sum + bonus.amount)
    }

    fn failure(&self, bullet: &BulletHeader, scored: &Scored) -> Option<Failure> {
        let query = self.query;
        let typed = |wanted: &String| wanted.to_lowercase() == bullet.memory_type.word();
        let is_tagged = || {
            let has = self.tagged.iter().any(|set| set.contains(scored.slot));
            has || query.tags.iter().any(typed)
        };
        let other_topic = || {
            let own = self.memory.shelf.labels(scored.slot).topic;
            own.is_some() && query.topic.as_deref() != own
        };
        if self.policy().expiry && bullet.is_expired(self.now) {
            return Some(Failure::Expired);
        }
        if !query.memory_types.is_empty() && !query.memory_types.contains(&bullet.memory_type) {
            return Some(Failure::Type);
        }
        if !query.tags.is_empty() && !is_tagged() {
            return Some(Failure::Tags);
        }
        if query.topic_mode == TopicMode::Filter && query.topic.is_some() && other_topic() {
            return Some(Failure::Topic);
        }
        if self.compared_strength(bullet, scored) < query.min_score {
            return Some(Failure::MinScore);
        }
        let below = self.profile == Profile::Engine && scored.parts.relevance < self.policy().floor;
        below.then_some(Failure::Floor)
    }

    fn compared_strength(&self, bullet: &BulletHeader, scored: &Scored) -> f64 {
        if self.policy().is_classic() {
            bullet.decayed_score(&self.policy().rates, self.memory.clock())
        } else {
            scored.parts.strength
        }
    }

    /// The explanation of a hit; `matched` are the words of the query that it has.
    pub(super) fn hit(&self, scored: &Scored, matched: Vec<String>) -> Hit {
        let bullet = self.memory.shelf.core(scored.slot);
        Hit {
            id: self.memory.shelf.id(scored.slot),
            score: scored.score,
            parts: scored.parts,
            from_neighbours: scored.from_neighbours,
            decay_ticks: ticks_since(bullet.access_index, self.memory.clock()),
            matched,
        }
    }

    /// The explanation of a near miss.
    pub(super) fn near_miss(&self, scored: &Scored, failure: Failure) -> NearMiss {
        let bullet = self.memory.shelf.core(scored.slot);
        NearMiss {
            id: self.memory.shelf.id(scored.slot),
            score: scored.score,
            reason: self.reason(failure, scored, &bullet),
        }
    }

    fn reason(&self, failure: Failure, scored: &Scored, bullet: &BulletHeader) -> String {
        let query = self.query;
        match failure {
            Failure::TopK => format!("it is beyond the {} that were asked for", query.top_k),
            Failure::Floor => {
                format!(
                    "relevance {:.3} is below the floor {}",
                    scored.parts.relevance,
                    self.policy().floor
                )
            }
            Failure::Tags => format!("has none of the tags {}", query.tags.join(", ")),
            Failure::Type => format!("memory type {} was not asked for", bullet.memory_type),
            Failure::Topic => {
                let own = named(self.memory.shelf.labels(scored.slot).topic);
                let asked = named(query.topic.as_deref());
                format!("is about {own}, not {asked}")
            }
            Failure::MinScore => {
                let strength = self.compared_strength(bullet, scored);
                format!("strength {strength:.3} is below {}", query.min_score)
            }
            Failure::Expired => "its time to live ended".to_owned(),
        }
    }

    /// True when a bullet's time to live has ended.
    pub(super) fn is_over(&self, bullet: &BulletHeader) -> bool {
        bullet.is_expired(self.now)
    }
}

/// The query with its facets in words, as the original programs compared it.
fn classic_text(query: &Query) -> String {
    let mut text = query.text.clone();
    if let Some(persona) = &query.persona_request {
        text.push(' ');
        text.push_str(persona);
    }
    if query.next_step {
        text.push_str(" next step");
    }
    text
}

fn bonuses<'m>(memory: &'m Memory, query: &Query) -> Vec<Bonus<'m>> {
    let mut bonuses = Vec::new();
    let mut add = |amount, sets: Vec<&'m SlotSet>| {
        if !sets.is_empty() {
            bonuses.push(Bonus { amount, sets });
        }
    };
    if query.needs_visual {
        let sets = ["visual", "diagram"].into_iter();
        add(
            BONUS_VISUAL,
            sets.filter_map(|tag| memory.tagged(tag)).collect(),
        );
    }
    if let Some(persona) = &query.persona_request {
        let set = memory.tagged(&persona.to_lowercase());
        add(BONUS_PERSONA, set.into_iter().collect());
    }
    if let (TopicMode::Boost, Some(topic)) = (query.topic_mode, &query.topic) {
        add(BONUS_TOPIC, memory.about(topic).into_iter().collect());
    }
    bonuses
}

fn named(topic: Option<&str>) -> &str {
    topic.unwrap_or("no topic")
}
