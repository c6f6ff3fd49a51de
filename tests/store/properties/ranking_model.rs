//! A model of ranking that scores every bullet, from the sentences of the documentation alone.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use mnemograph::domain::memory::aggregate::Memory;
use mnemograph::domain::memory::bullet::{Bullet, BulletId, MemoryType};
use mnemograph::domain::memory::link::LinkKind;
use mnemograph::domain::memory::policy::{Profile, Weights};
use mnemograph::domain::memory::query::{Query, TopicMode};
use mnemograph::domain::text::words::search_terms;
use mnemograph::domain::timestamp::Timestamp;

/// One returned bullet: id, and the bits of score, relevance, strength, bonus.
pub(crate) type Place = (BulletId, [u64; 4], u64);

/// All that is asked of one memory.
pub(crate) struct Question<'m> {
    pub(crate) memory: &'m Memory,
    pub(crate) query: &'m Query,
    pub(crate) now: Timestamp,
}

struct Candidate<'m> {
    bullet: &'m Bullet,
    score: f64,
    relevance: f64,
    strength: f64,
    bonus: f64,
}

impl<'m> Question<'m> {
    fn profile(&self) -> Profile {
        self.query.profile.unwrap_or(self.memory.policy().profile)
    }

    /// The answer in order.
    pub(crate) fn answer(&self) -> Vec<Place> {
        let relevances = match self.profile() {
            Profile::Engine => self.engine_relevances(),
            _ => self.classic_relevances(),
        };
        let bullets = self.memory.bullets();
        let candidates = bullets.iter().zip(relevances);
        let mut passed: Vec<Candidate<'_>> = candidates
            .filter(|(bullet, _)| bullet.is_active())
            .map(|(bullet, relevance)| self.score(bullet, relevance))
            .filter(|candidate| self.passes(candidate))
            .collect();
        passed.sort_by(|a, b| self.order(a, b));
        passed.truncate(self.query.top_k);
        let place = |c: &Candidate<'_>| {
            let bits = [c.score, c.relevance, c.strength, c.bonus].map(f64::to_bits);
            let ticks = c
                .bullet
                .access_index
                .map_or(0, |i| self.memory.clock().saturating_sub(i));
            (c.bullet.id, bits, ticks)
        };
        passed.iter().map(place).collect()
    }

    fn weights(&self) -> Weights {
        let policy = self.memory.policy();
        let (relevance, strength, memory_type) = match self.profile() {
            Profile::Original => (0.25, 0.55, 0.20),
            Profile::ClBench => (0.55, 0.25, 0.20),
            Profile::Baseline => (0.7, 0.3, 0.0),
            Profile::Engine => (0.92, 0.06, 0.02),
        };
        let own = policy.weights.filter(|_| self.profile() == policy.profile);
        own.unwrap_or(Weights {
            relevance,
            strength,
            memory_type,
        })
    }

    fn decayed(&self, bullet: &Bullet) -> f64 {
        let rate = self.memory.policy().rates.rate(bullet.memory_type);
        let since = bullet
            .access_index
            .map_or(0, |i| self.memory.clock().saturating_sub(i));
        match (bullet.strength <= 0.0, since) {
            (true, _) => 0.0,
            (false, 0) => bullet.strength,
            (false, ticks) => bullet.strength * libm::pow(1.0 - rate, ticks as f64),
        }
    }

    fn strength(&self, bullet: &Bullet) -> f64 {
        let (helpful, harmful) = (bullet.counts.helpful as f64, bullet.counts.harmful as f64);
        let rate = self.memory.policy().rates.rate(bullet.memory_type);
        match self.profile() {
            Profile::Original | Profile::ClBench => {
                self.decayed(bullet) / self.memory.policy().base_strength.max(1.0)
            }
            Profile::Baseline if helpful + harmful == 0.0 => 0.5,
            Profile::Baseline => helpful / (helpful + harmful),
            Profile::Engine => {
                let since = bullet
                    .access_index
                    .map_or(0, |i| self.memory.clock().saturating_sub(i));
                let retention = match (bullet.strength <= 0.0, since) {
                    (true, _) => 0.0,
                    (false, 0) => 1.0,
                    (false, ticks) => libm::pow(1.0 - rate, ticks as f64),
                };
                retention * ((helpful + 1.0) / (helpful + harmful + 2.0))
            }
        }
    }

    fn score(&self, bullet: &'m Bullet, relevance: f64) -> Candidate<'m> {
        let query = self.query;
        let tagged = |wanted: &str| {
            bullet
                .tags
                .iter()
                .any(|tag| tag.eq_ignore_ascii_case(wanted))
        };
        let mut bonus = 0.0;
        if query.needs_visual && (tagged("visual") || tagged("diagram")) {
            bonus += 0.2;
        }
        if query.persona_request.as_deref().is_some_and(tagged) {
            bonus += 0.1;
        }
        let same_topic = query.topic.is_some() && query.topic == bullet.topic;
        if query.topic_mode == TopicMode::Boost && same_topic {
            bonus += 0.3;
        }
        let priority = match bullet.memory_type {
            MemoryType::Procedural => 1.0,
            MemoryType::Episodic => 0.7,
            MemoryType::Semantic => 0.4,
        };
        let (weights, strength) = (self.weights(), self.strength(bullet));
        let score = weights.relevance * relevance
            + weights.strength * strength
            + weights.memory_type * priority
            + bonus;
        Candidate {
            bullet,
            score,
            relevance,
            strength,
            bonus,
        }
    }

    fn passes(&self, candidate: &Candidate<'_>) -> bool {
        let (query, bullet, policy) = (self.query, candidate.bullet, self.memory.policy());
        let ends = bullet
            .ttl_days
            .map(|days| bullet.created_at.plus_days(days));
        let is_over = policy.expiry && !bullet.pinned && ends.is_some_and(|end| end <= self.now);
        let typed =
            query.memory_types.is_empty() || query.memory_types.contains(&bullet.memory_type);
        let all_tags = bullet.tags_with_type();
        let has = |wanted: &String| all_tags.iter().any(|tag| tag.eq_ignore_ascii_case(wanted));
        let tagged = query.tags.is_empty() || query.tags.iter().any(has);
        let stranger = query.topic_mode == TopicMode::Filter
            && query.topic.is_some()
            && bullet.topic.is_some()
            && query.topic != bullet.topic;
        let compared = if policy.is_classic() {
            self.decayed(bullet)
        } else {
            candidate.strength
        };
        let engine = self.profile() == Profile::Engine;
        let engine_rules = !bullet.is_seed() && candidate.relevance >= policy.floor;
        !is_over
            && typed
            && tagged
            && !stranger
            && compared >= query.min_score
            && (!engine || engine_rules)
    }

    fn order(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
        let (ours, theirs) = (a.bullet, b.bullet);
        let by_score = b.score.total_cmp(&a.score);
        if self.memory.policy().is_classic() {
            return by_score.then(ours.position.cmp(&theirs.position));
        }
        by_score
            .then(theirs.counts.balance().cmp(&ours.counts.balance()))
            .then(theirs.created_tick.cmp(&ours.created_tick))
            .then(theirs.position.cmp(&ours.position))
            .then(ours.id.cmp(&theirs.id))
    }

    /// The words of the query that a returned bullet shares; words are told apart by blanks, as the texts
    /// of these tests are.
    pub(crate) fn matched(&self, id: BulletId) -> Vec<String> {
        let bullet = self.memory.get(id).unwrap();
        let text = bullet.content.as_str();
        if self.profile() != Profile::Engine {
            let own = classic_set(text);
            return classic_set(&self.classic_text())
                .intersection(&own)
                .cloned()
                .collect();
        }
        let own: BTreeSet<String> = search_terms(text).into_iter().collect();
        let mut matched = Vec::new();
        for word in self.query.text.split(' ') {
            let lower = word.to_lowercase();
            let is_shared = search_terms(word).iter().any(|term| own.contains(term));
            if is_shared && !matched.contains(&lower) {
                matched.push(lower);
            }
        }
        matched
    }

    /// The query with its facets in words.
    fn classic_text(&self) -> String {
        let mut asked = self.query.text.clone();
        if let Some(persona) = &self.query.persona_request {
            asked = format!("{asked} {persona}");
        }
        if self.query.next_step {
            asked = format!("{asked} next step");
        }
        asked
    }

    fn classic_relevances(&self) -> Vec<f64> {
        let asked = classic_set(&self.classic_text());
        let of = |bullet: &Bullet| {
            let own = classic_set(bullet.content.as_str());
            if own.is_empty() || asked.is_empty() {
                0.0
            } else {
                own.intersection(&asked).count() as f64 / own.union(&asked).count() as f64
            }
        };
        self.memory.bullets().iter().map(of).collect()
    }

    /// Shares of the ideal, with a part of the better neighbour's, bent below 1.
    fn engine_relevances(&self) -> Vec<f64> {
        let own = self.ideal_shares();
        let shares = self.memory.policy().link_shares;
        let bullets = self.memory.bullets();
        let at = |id: BulletId| bullets.iter().position(|bullet| bullet.id == id);
        let mut previous = vec![0.0_f64; bullets.len()];
        let mut next = vec![0.0_f64; bullets.len()];
        for link in self
            .memory
            .links()
            .filter(|link| link.id.kind == LinkKind::Follows)
        {
            let (Some(later), Some(earlier)) = (at(link.id.from), at(link.id.to)) else {
                continue;
            };
            previous[later] = previous[later].max(own[earlier]);
            next[earlier] = next[earlier].max(own[later]);
        }
        let total = |at: usize| {
            let shared = (shares.previous * previous[at]).max(shares.next * next[at]);
            bent(own[at] + shared)
        };
        (0..bullets.len()).map(total).collect()
    }

    fn ideal_shares(&self) -> Vec<f64> {
        let counted = |text: &str| {
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            search_terms(text)
                .into_iter()
                .for_each(|term| *counts.entry(term).or_default() += 1.0);
            counts
        };
        let bullets = self.memory.bullets();
        let texts: Vec<_> = bullets
            .iter()
            .map(|bullet| {
                counted(if bullet.is_active() {
                    bullet.content.as_str()
                } else {
                    ""
                })
            })
            .collect();
        let documents = bullets.iter().filter(|bullet| bullet.is_active()).count() as f64;
        let lengths: Vec<f64> = texts.iter().map(|counts| counts.values().sum()).collect();
        let total: f64 = lengths.iter().sum();
        if documents == 0.0 {
            return vec![0.0; bullets.len()];
        }
        let mean = (total / documents).max(1.0);
        let weight = |with: f64| libm::log(1.0 + (documents - with + 0.5) / (with + 0.5)) + 1.0;
        let asked = counted(&self.query.text);
        let weights: BTreeMap<&str, f64> = asked
            .keys()
            .map(|term| {
                let with = texts
                    .iter()
                    .filter(|counts| counts.contains_key(term))
                    .count();
                (term.as_str(), weight(with as f64))
            })
            .collect();
        let mut heaviest: Vec<f64> = weights.values().copied().collect();
        heaviest.sort_by(|a, b| b.total_cmp(a));
        let ideal = heaviest.iter().take(12).sum::<f64>() + 0.25 * weight(0.0);
        let share = |(counts, length): (&BTreeMap<String, f64>, &f64)| {
            let mut sum = 0.0;
            for (term, weight) in &weights {
                if let Some(times) = counts.get(*term) {
                    let norm = 0.8 * (1.0 - 0.4 + 0.4 * length / mean);
                    sum += weight * times * (0.8 + 1.0) / (times + norm);
                }
            }
            sum / ideal
        };
        texts.iter().zip(&lengths).map(share).collect()
    }
}

fn classic_set(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn bent(share: f64) -> f64 {
    if share <= 0.8 {
        share
    } else {
        1.0 - (1.0 - 0.8) * (1.0 - 0.8) / (share + 1.0 - 2.0 * 0.8)
    }
}
