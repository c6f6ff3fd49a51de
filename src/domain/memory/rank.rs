//! Ranking: which bullets answer a query, in which order, and why.
//!
//! combined = W_relevance · relevance + W_strength · strength + W_type · type priority + bonus, in
//! 64-bit floats, compared as computed; equal scores are told apart by rule, so that every instance
//! gives the same order.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, MemoryType};
use super::decay::{decayed_score, helpfulness, retention, ticks_since, type_priority};
use super::policy::{Policy, Profile, Weights};
use super::query::{Query, TopicMode};
pub use super::ranking::{Hit, NearMiss, Parts, Ranking};
use super::relevance::{QueryWords, Relevance, classic_relevances, engine_relevances};
use crate::domain::timestamp::Timestamp;

const NEAR_MISSES: usize = 5;
const META_PLACES: usize = 3;
const BONUS_VISUAL: f64 = 0.2;
const BONUS_PERSONA: f64 = 0.1;
const BONUS_TOPIC: f64 = 0.3;

/// Ranks the bullets of a memory at its present clock. "Now" decides about expiry only.
pub fn rank(memory: &Memory, query: &Query, now: Timestamp) -> Ranking {
    let policy = memory.policy();
    let profile = query.profile.unwrap_or(policy.profile);
    let weights = policy.weights_for(profile);
    let scorer = Scorer {
        memory,
        query,
        now,
        profile,
        weights,
    };
    let mut found = scorer.score_all();
    let beyond = select_top(&mut found.passed, query.top_k, |a, b| scorer.order(a, b));
    let words = QueryWords::of(&query.text);
    let hits = found
        .passed
        .iter()
        .map(|scored| scorer.explain(scored, &words))
        .collect();
    let mut missed = found.failed;
    missed.extend(beyond.into_iter().map(|scored| (scored, Failure::TopK)));
    let near_misses = scorer.near_misses(missed);
    let meta_strategies = scorer.meta_strategies();
    let (clock, revision) = (memory.clock(), memory.revision());
    Ranking {
        profile,
        weights,
        clock,
        revision,
        hits,
        near_misses,
        meta_strategies,
    }
}

/// Keeps the best `top_k` in order and gives the best few of the rest.
fn select_top<T>(all: &mut Vec<T>, top_k: usize, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let wanted = top_k.saturating_add(NEAR_MISSES);
    if all.len() > wanted && wanted > 0 {
        all.select_nth_unstable_by(wanted - 1, &order);
        all.truncate(wanted);
    }
    all.sort_by(&order);
    all.split_off(top_k.min(all.len()))
}

/// A candidate with its score.
#[derive(Clone, Copy, Debug)]
struct Scored {
    slot: u32,
    score: f64,
    parts: Parts,
    from_neighbours: f64,
}

/// Why a candidate is not returned.
#[derive(Clone, Copy, Debug)]
enum Failure {
    TopK,
    Floor,
    Tags,
    Type,
    Topic,
    MinScore,
    Expired,
}

#[derive(Default)]
struct Found {
    passed: Vec<Scored>,
    failed: Vec<(Scored, Failure)>,
}

struct Scorer<'q> {
    memory: &'q Memory,
    query: &'q Query,
    now: Timestamp,
    profile: Profile,
    weights: Weights,
}

impl Scorer<'_> {
    fn policy(&self) -> &Policy {
        self.memory.policy()
    }

    fn score_all(&self) -> Found {
        let engine = self.profile == Profile::Engine;
        let relevances: HashMap<u32, Relevance> = match engine {
            true => engine_relevances(self.memory, &self.query.text),
            false => classic_relevances(self.memory, &self.classic_text()),
        };
        let mut found = Found::default();
        let none = Relevance::default();
        // Without a floor, what has no word in common with the query takes part as well.
        let everything = !engine || self.policy().floor <= 0.0;
        let mut slots: Vec<u32> = match everything {
            true => (0..).take(self.memory.bullets().len()).collect(),
            false => relevances.keys().copied().collect(),
        };
        slots.sort_unstable();
        for slot in slots {
            let bullet = self.memory.at(slot);
            if !bullet.is_active() || (engine && bullet.is_meta_strategy()) {
                continue;
            }
            let relevance = relevances.get(&slot).unwrap_or(&none);
            let scored = self.score(slot, bullet, relevance);
            match self.failure(bullet, &scored) {
                Some(failure) => found.failed.push((scored, failure)),
                None => found.passed.push(scored),
            }
        }
        found
    }

    /// The query with its facets in words, as the original programs compared it.
    fn classic_text(&self) -> String {
        let mut text = self.query.text.clone();
        if let Some(persona) = &self.query.persona_request {
            text.push(' ');
            text.push_str(persona);
        }
        if self.query.next_step {
            text.push_str(" next step");
        }
        text
    }

    fn score(&self, slot: u32, bullet: &Bullet, relevance: &Relevance) -> Scored {
        let parts = Parts {
            relevance: relevance.total,
            strength: self.strength(bullet),
            memory_type: type_priority(bullet.memory_type),
            bonus: self.bonus(bullet),
        };
        let weights = self.weights;
        let score = weights.relevance * parts.relevance
            + weights.strength * parts.strength
            + weights.memory_type * parts.memory_type
            + parts.bonus;
        Scored {
            slot,
            score,
            parts,
            from_neighbours: relevance.from_neighbours,
        }
    }

    fn strength(&self, bullet: &Bullet) -> f64 {
        let (policy, clock) = (self.policy(), self.memory.clock());
        match self.profile {
            Profile::Original | Profile::ClBench => {
                decayed_score(bullet, &policy.rates, clock) / policy.base_strength.max(1.0)
            }
            Profile::Baseline => {
                let (helpful, harmful) = (bullet.counts.helpful, bullet.counts.harmful);
                if helpful + harmful == 0 {
                    return 0.5;
                }
                #[allow(clippy::cast_precision_loss)]
                let ratio = helpful as f64 / (helpful + harmful) as f64;
                ratio
            }
            Profile::Engine => retention(bullet, &policy.rates, clock) * helpfulness(bullet.counts),
        }
    }

    fn bonus(&self, bullet: &Bullet) -> f64 {
        let tagged = |wanted: &str| bullet.tags.iter().any(|tag| tag.to_lowercase() == wanted);
        let mut bonus = 0.0;
        if self.query.needs_visual && (tagged("visual") || tagged("diagram")) {
            bonus += BONUS_VISUAL;
        }
        if self
            .query
            .persona_request
            .as_ref()
            .is_some_and(|persona| tagged(&persona.to_lowercase()))
        {
            bonus += BONUS_PERSONA;
        }
        let same_topic = self.query.topic.is_some() && self.query.topic == bullet.topic;
        if self.query.topic_mode == TopicMode::Boost && same_topic {
            bonus += BONUS_TOPIC;
        }
        bonus
    }

    fn failure(&self, bullet: &Bullet, scored: &Scored) -> Option<Failure> {
        let query = self.query;
        let tagged = |wanted: &String| {
            let wanted = wanted.to_lowercase();
            bullet.memory_type.word() == wanted
                || bullet.tags.iter().any(|tag| tag.to_lowercase() == wanted)
        };
        let other_topic =
            query.topic.is_some() && bullet.topic.is_some() && query.topic != bullet.topic;
        if self.policy().expiry && bullet.is_expired(self.now) {
            return Some(Failure::Expired);
        }
        if !query.memory_types.is_empty() && !query.memory_types.contains(&bullet.memory_type) {
            return Some(Failure::Type);
        }
        if !query.tags.is_empty() && !query.tags.iter().any(tagged) {
            return Some(Failure::Tags);
        }
        if query.topic_mode == TopicMode::Filter && other_topic {
            return Some(Failure::Topic);
        }
        if self.compared_strength(bullet, scored) < query.min_score {
            return Some(Failure::MinScore);
        }
        let below = self.profile == Profile::Engine && scored.parts.relevance < self.policy().floor;
        below.then_some(Failure::Floor)
    }

    fn compared_strength(&self, bullet: &Bullet, scored: &Scored) -> f64 {
        match self.policy().is_classic() {
            true => decayed_score(bullet, &self.policy().rates, self.memory.clock()),
            false => scored.parts.strength,
        }
    }

    /// Best first; equal scores by balance, then newer, then id; in classic mode by insertion order.
    fn order(&self, a: &Scored, b: &Scored) -> Ordering {
        let by_score = b.score.total_cmp(&a.score);
        if by_score != Ordering::Equal {
            return by_score;
        }
        if self.policy().is_classic() {
            return a.slot.cmp(&b.slot);
        }
        let (left, right) = (self.memory.at(a.slot), self.memory.at(b.slot));
        let newer = |bullet: &Bullet| (bullet.created_tick, bullet.position);
        (right.counts.balance().cmp(&left.counts.balance()))
            .then_with(|| newer(right).cmp(&newer(left)))
            .then_with(|| left.id.cmp(&right.id))
    }

    fn explain(&self, scored: &Scored, words: &QueryWords) -> Hit {
        let bullet = self.memory.at(scored.slot);
        let (id, score, parts) = (bullet.id, scored.score, scored.parts);
        let matched = match self.profile {
            Profile::Engine => words.matched(bullet.content.as_str()),
            _ => super::relevance::common_classic_words(
                &self.classic_text(),
                bullet.content.as_str(),
            ),
        };
        let decay_ticks = ticks_since(bullet.access_index, self.memory.clock());
        Hit {
            id,
            score,
            parts,
            from_neighbours: scored.from_neighbours,
            decay_ticks,
            matched,
        }
    }

    fn near_misses(&self, mut missed: Vec<(Scored, Failure)>) -> Vec<NearMiss> {
        // What shares nothing with the query is no near miss.
        missed.retain(|(scored, failure)| {
            scored.parts.relevance > 0.0 || matches!(failure, Failure::TopK)
        });
        let rest = select_top(&mut missed, NEAR_MISSES, |a, b| self.order(&a.0, &b.0));
        drop(rest);
        let explained = missed.iter().map(|(scored, failure)| {
            let bullet = self.memory.at(scored.slot);
            NearMiss {
                id: bullet.id,
                score: scored.score,
                reason: self.reason(*failure, scored, bullet),
            }
        });
        explained.collect()
    }

    fn reason(&self, failure: Failure, scored: &Scored, bullet: &Bullet) -> String {
        let query = self.query;
        match failure {
            Failure::TopK => format!("{} better ones were asked for", query.top_k),
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
                format!(
                    "is about {}, not {}",
                    named(&bullet.topic),
                    named(&query.topic)
                )
            }
            Failure::MinScore => {
                let strength = self.compared_strength(bullet, scored);
                format!("strength {strength:.3} is below {}", query.min_score)
            }
            Failure::Expired => "its time to live ended".to_owned(),
        }
    }

    fn meta_strategies(&self) -> Vec<BulletId> {
        let query = self.query;
        let filtered = !query.tags.is_empty()
            || (!query.memory_types.is_empty()
                && !query.memory_types.contains(&MemoryType::Procedural));
        if self.profile != Profile::Engine || filtered {
            return Vec::new();
        }
        let live = self
            .memory
            .meta_strategies()
            .filter(|bullet| !bullet.is_expired(self.now));
        live.take(META_PLACES).map(|bullet| bullet.id).collect()
    }
}

fn named(topic: &Option<String>) -> &str {
    topic.as_deref().unwrap_or("no topic")
}
