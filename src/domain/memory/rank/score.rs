//! The score of one bullet for a query, and whether the bullet passes the filters.
//!
//! This is the definition: a search may skip bullets, but it scores those that it returns here, as a scan
//! would.

use hindlore_topk::{self as topk, Bonus, DocId, DocSet, Outcome, Prior, TextQuery, TextScore};

use super::bonuses::bonuses;
use super::near_bullets::NearBullets;
use super::ranking::{Hit, NearMiss, Parts};
use super::relevance::{bend, classic_query, engine_query};
use super::strength_formula::{StrengthFormula, tie};
use crate::memory::aggregate::Memory;
use crate::memory::bullet::header::BulletHeader;
use crate::memory::bullet::{BulletId, MemoryType, Source};
use crate::memory::decay::{harm_factor, helpful_ratio, helpfulness, ticks_since, type_priority};
use crate::memory::policy::{Policy, Profile, Weights};
use crate::memory::query::{Query, Speaker, TopicMode};
use hindlore_primitives::steps;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::standing::asks_to_do;

/// Factor of the text score of a standing instruction, where a question is about doing something.
const STANDING: f64 = 1.25;

/// A scored bullet with the parts of its score.
pub(crate) type Scored = topk::Scored<Detail>;

/// The parts of a score, for its explanation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    /// The parts of the score.
    pub(crate) parts: Parts,
    /// Part of the relevance that came from linked neighbours.
    pub(crate) from_neighbours: f64,
    /// The bullet's own text score, and the terms that it comes from.
    pub(crate) text: TextScore,
}

/// Why a bullet is not returned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    TopK,
    Floor,
    OneCommonWord,
    Tags,
    Type,
    Topic,
    MinScore,
    Expired,
}

/// A query on a memory, ready to score bullets.
#[derive(Debug)]
pub(crate) struct Scorer<'m> {
    pub(crate) memory: &'m Memory,
    pub(crate) query: &'m Query,
    pub(crate) now: Timestamp,
    pub(crate) profile: Profile,
    pub(crate) weights: Weights,
    pub(crate) text: TextQuery<'m>,
    /// In the order of addition, on which the rounding depends.
    pub(crate) bonuses: Vec<Bonus<'m>>,
    /// The bullets with each requested tag; names of memory types are no tags.
    pub(crate) tagged: Vec<&'m DocSet>,
    /// The memory types that requested tags name, read once for all bullets.
    tagged_types: Vec<MemoryType>,
    /// Whether neighbours lend relevance.
    pub(crate) is_linked: bool,
    /// The standing instructions, if the question is about doing something and there are any.
    standing: Option<&'m DocSet>,
    /// Factor of an agent's words for the talk that the memory is.
    dialogue: f64,
    /// The bullets whose meaning is near.
    pub(crate) near: NearBullets,
}

impl<'m> Scorer<'m> {
    /// Prepares a query; builds the indexes that it needs, on first use.
    pub(crate) fn new(memory: &'m Memory, query: &'m Query, now: Timestamp) -> Self {
        let policy = memory.policy();
        let profile = query.profile.unwrap_or(policy.profile);
        let text = match profile {
            Profile::Engine => {
                engine_query(memory.terms(), &query.text, now.day(), || memory.days())
            }
            _ => classic_query(memory.classic_words(), &classic_text(query)),
        };
        let shares = policy.link_shares;
        let lends = shares.previous > 0.0 || shares.next > 0.0;
        let tags: Vec<String> = query.tags.iter().map(|tag| tag.to_lowercase()).collect();
        let tagged = tags.iter().filter_map(|tag| memory.tagged(tag));
        let types = tags.iter().filter_map(|tag| {
            let named = MemoryType::from_word(tag);
            named.filter(|named| named.word() == tag)
        });
        let is_engine = profile == Profile::Engine;
        let is_about_doing = is_engine && asks_to_do(&query.text);
        let standing = is_about_doing.then(|| memory.standing());
        let is_weighted = is_engine && query.speaker == Speaker::Weighted;
        let is_dialogue = is_weighted && memory.speakers().both_speak();
        Self {
            now,
            profile,
            standing: standing.filter(|standing| !standing.is_empty()),
            dialogue: if is_dialogue {
                policy.source_weights.dialogue
            } else {
                1.0
            },
            weights: policy.weights_for(profile),
            near: NearBullets::of(memory, query.near.as_ref().filter(|_| is_engine)),
            text,
            bonuses: bonuses(memory, query),
            tagged: tagged.collect(),
            tagged_types: types.collect(),
            is_linked: is_engine && memory.has_neighbours() && lends,
            memory,
            query,
        }
    }

    pub(crate) fn policy(&self) -> &'m Policy {
        self.memory.policy()
    }

    /// Computes the combined score from its parts.
    fn combined(&self, parts: &Parts) -> f64 {
        let weights = self.weights;
        weights.relevance * parts.total_relevance()
            + weights.strength * parts.strength
            + weights.memory_type * parts.memory_type
            + parts.bonus
    }

    /// Returns the relevance that the better neighbour of a bullet lends.
    fn lent(&self, bullet: BulletId) -> f64 {
        if !self.is_linked {
            return 0.0;
        }
        let shares = self.policy().link_shares;
        let best = |near: &mut dyn Iterator<Item = DocId>| {
            near.map(|doc| (doc, self.memory.arena.header(doc)))
                .filter(|(_, bullet)| bullet.is_active())
                .map(|(doc, bullet)| self.weighted(doc, &bullet, self.text.score(doc).score))
                .fold(0.0, f64::max)
        };
        // The larger of the two, not their sum: a bullet between two relevant ones is no more than related.
        let before = shares.previous * best(&mut self.memory.previous_docs(bullet));
        before.max(shares.next * best(&mut self.memory.next_docs(bullet)))
    }

    /// Returns a text score as far as it counts for the bullet's source and votes: at most itself times
    /// [`Self::factor_max`], as bounds rely on.
    fn weighted(&self, doc: DocId, bullet: &BulletHeader, text: f64) -> f64 {
        let source = match (self.query.speaker, bullet.source) {
            (Speaker::Any, _) => 1.0,
            (Speaker::Weighted, Source::Agent) => {
                self.dialogue * self.policy().source_weights.agent
            }
            (Speaker::Weighted, source) => self.policy().source_weights.of(source),
        };
        let is_standing = self.standing.is_some_and(|standing| standing.contains(doc));
        let standing = if is_standing { STANDING } else { 1.0 };
        text * source * standing * harm_factor(bullet.counts)
    }

    /// Returns the greatest factor by which a text score may rise.
    fn factor_max(&self) -> f64 {
        self.standing.map_or(1.0, |_| STANDING)
    }

    /// Returns the strength part of a bullet.
    pub(crate) fn strength(&self, bullet: &BulletHeader) -> f64 {
        let (policy, clock) = (self.policy(), self.memory.clock());
        match self.profile {
            Profile::Original | Profile::ClBench => {
                bullet.decayed_score(&policy.rates, clock) / self.strength_unit()
            }
            Profile::Baseline => helpful_ratio(bullet.counts),
            Profile::Engine => bullet.retention(&policy.rates, clock) * helpfulness(bullet.counts),
        }
    }

    /// Returns the strength of a new bullet without votes, by which the classic mode measures the minimum.
    pub(crate) fn classic_unit(&self) -> f64 {
        self.policy().base_strength.max(1.0)
    }

    /// Returns the divisor that turns a decayed score into a strength part.
    pub(crate) fn strength_unit(&self) -> f64 {
        match self.profile {
            Profile::Original | Profile::ClBench => self.policy().base_strength.max(1.0),
            Profile::Baseline | Profile::Engine => 1.0,
        }
    }

    fn bonus(&self, doc: DocId) -> f64 {
        let is_due = |bonus: &&Bonus<'_>| bonus.holders.iter().any(|set| set.contains(doc));
        // `sum` would start from -0.0, which an empty sum would keep.
        self.bonuses
            .iter()
            .filter(is_due)
            .fold(0.0, |sum, bonus| sum + bonus.amount)
    }

    /// Returns the first filter that the bullet fails.
    fn failure(&self, bullet: &BulletHeader, scored: &Scored) -> Option<Failure> {
        let query = self.query;
        let is_tagged = || {
            let has = self.tagged.iter().any(|set| set.contains(scored.doc));
            has || self.tagged_types.contains(&bullet.memory_type)
        };
        let other_topic = || {
            let own = self.memory.arena.labels(scored.doc).topic;
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
        if self.profile != Profile::Engine {
            return None;
        }
        let parts = &scored.detail.parts;
        if parts.total_relevance() < self.policy().floor {
            return Some(Failure::Floor);
        }
        if parts.cosine.is_some() {
            return None;
        }
        let common = self.text.only_common(scored.doc, scored.detail.text);
        common.map(|_| Failure::OneCommonWord)
    }

    /// Returns the strength that `min_score` is compared with.
    fn compared_strength(&self, bullet: &BulletHeader, scored: &Scored) -> f64 {
        if self.policy().is_classic() {
            let decayed = bullet.decayed_score(&self.policy().rates, self.memory.clock());
            decayed / self.classic_unit()
        } else {
            scored.detail.parts.strength
        }
    }

    /// Returns a hit with its explanation; `matched` are the words of the query that it has.
    pub(crate) fn hit(&self, scored: &Scored, matched: Vec<String>) -> Hit {
        let bullet = self.memory.arena.header(scored.doc);
        Hit {
            id: self.memory.arena.id(scored.doc),
            score: scored.score,
            parts: scored.detail.parts,
            from_neighbours: scored.detail.from_neighbours,
            decay_ticks: ticks_since(bullet.access_index, self.memory.clock()),
            matched,
        }
    }

    /// Returns a near miss with its explanation.
    pub(crate) fn near_miss(&self, scored: &Scored, failure: Failure) -> NearMiss {
        let bullet = self.memory.arena.header(scored.doc);
        NearMiss {
            id: self.memory.arena.id(scored.doc),
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
                    scored.detail.parts.total_relevance(),
                    self.policy().floor
                )
            }
            Failure::OneCommonWord => {
                let word = self.text.only_common(scored.doc, scored.detail.text);
                let word = word.unwrap_or_default();
                format!("it shares only the common word \"{word}\" with the question")
            }
            Failure::Tags => format!("has none of the tags {}", query.tags.join(", ")),
            Failure::Type => format!("memory type {} was not asked for", bullet.memory_type),
            Failure::Topic => {
                let own = named(self.memory.arena.labels(scored.doc).topic);
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

    /// Returns true if a bullet's lifetime has ended.
    pub(crate) fn is_expired(&self, bullet: &BulletHeader) -> bool {
        bullet.is_expired(self.now)
    }
}

impl topk::Scorer for Scorer<'_> {
    type Detail = Detail;
    type Miss = Failure;

    fn score(&self, doc: DocId, text: TextScore) -> (Scored, Outcome<Failure>) {
        steps::add(1);
        let header = &self.memory.arena.header(doc);
        // Compression is not linear, so the lent part is the difference of two compressed scores.
        let (relevance, own) = match self.profile {
            Profile::Engine => {
                let own = self.weighted(doc, header, text.score);
                // A long text contains its own context; a short one may need its neighbours.
                let lent = if self.text.is_long(doc) {
                    0.0
                } else {
                    self.lent(self.memory.arena.id(doc))
                };
                (bend(own + lent), bend(own))
            }
            _ => (text.score, text.score),
        };
        let parts = Parts {
            relevance,
            cosine: self.near.cosine(doc),
            strength: self.strength(header),
            memory_type: type_priority(header.memory_type),
            bonus: self.bonus(doc),
        };
        let scored = Scored {
            doc,
            score: self.combined(&parts),
            tie: tie(header, doc, self.policy().is_classic()),
            detail: Detail {
                parts,
                from_neighbours: relevance - own,
                text,
            },
        };
        let outcome = match self.failure(header, &scored) {
            None => Outcome::Hit,
            // A bullet that has nothing in common is no near miss, whichever condition it fails.
            Some(failure) if parts.total_relevance() > 0.0 => Outcome::Miss(failure),
            Some(_) => Outcome::Unrelated,
        };
        (scored, outcome)
    }

    fn relevance(&self, text: f64) -> f64 {
        match self.profile {
            Profile::Engine => bend(text * self.factor_max()),
            _ => text,
        }
    }

    fn prior(&self, doc: DocId) -> Prior {
        let formula = StrengthFormula::for_profile(self.profile);
        let header = self.memory.arena.header(doc);
        formula.prior(&header, doc, self.policy().is_classic())
    }

    fn for_each_neighbour(&self, doc: DocId, visit: impl FnMut(DocId)) {
        let memory = self.memory;
        let id = memory.arena.id(doc);
        let near = memory.previous_docs(id).chain(memory.next_docs(id));
        near.for_each(visit);
    }
}

/// Returns the query with its facets as words, as the original programs compared it.
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

fn named(topic: Option<&str>) -> &str {
    topic.unwrap_or("no topic")
}
