//! A model of ranking that scores every bullet, from the sentences of the documentation alone.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::occasions_model::{is_met, named};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId, MemoryType, Source};
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::{Profile, Weights};
use hindlore_domain::memory::query::{Query, TopicMode};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::dates::labels_of;
use hindlore_text::layout::sentences::sentences;
use hindlore_text::standing::{asks_to_do, is_standing};
use hindlore_text::words::search_words::{
    KnownTerms, Need, asked_of, for_each_token, terms_of_token,
};

/// One returned bullet: id, and the bits of score, relevance, strength, bonus, cosine.
pub(crate) type Place = (BulletId, [u64; 5], u64);

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
    cosine: Option<f64>,
    strength: f64,
    bonus: f64,
}

impl<'m> Question<'m> {
    pub(crate) fn profile(&self) -> Profile {
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
            .filter(|candidate| candidate.cosine.is_some() || !self.is_vague(candidate.bullet))
            .collect();
        passed.sort_by(|a, b| self.order(a, b));
        passed.truncate(self.query.top_k);
        let place = |c: &Candidate<'_>| {
            let cosine = c.cosine.unwrap_or(-1.0);
            let bits = [c.score, c.relevance, c.strength, c.bonus, cosine].map(f64::to_bits);
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
        let cosine = self.cosine(bullet);
        let score = weights.relevance * (relevance + cosine.map_or(0.0, |cosine| 0.6 * cosine))
            + weights.strength * strength
            + weights.memory_type * priority
            + bonus;
        Candidate {
            bullet,
            score,
            relevance,
            cosine,
            strength,
            bonus,
        }
    }

    /// The cosine that the query brings for the text of a bullet.
    fn cosine(&self, bullet: &Bullet) -> Option<f64> {
        let near = self.query.near.as_ref()?;
        let of_text = near.iter().find(|(text, _)| *text == bullet.content_hash());
        let found = of_text.map(|(_, cosine)| *cosine);
        found.filter(|_| self.profile() == Profile::Engine)
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
            self.decayed(bullet) / policy.base_strength.max(1.0)
        } else {
            candidate.strength
        };
        let engine = self.profile() == Profile::Engine;
        let by_meaning = candidate.cosine.map_or(0.0, |cosine| 0.6 * cosine);
        let engine_rules = !bullet.is_seed() && candidate.relevance + by_meaning >= policy.floor;
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

    /// The words of the query that each of some returned bullets has. Without relevance none counts.
    pub(crate) fn matched(&self, hits: &[(BulletId, f64)]) -> Vec<Vec<String>> {
        let bullet = |id: BulletId| self.memory.get(id).unwrap();
        if self.profile() != Profile::Engine {
            let asked = classic_set(&self.classic_text());
            let shared = |(id, _): &(BulletId, f64)| {
                let own = classic_set(bullet(*id).content.as_str());
                asked.intersection(&own).cloned().collect()
            };
            return hits.iter().map(shared).collect();
        }
        let texts = Texts::of(&self.memory.bullets());
        let asked = asked_of(&self.query.text, self.now.day(), &texts);
        let of = |(id, relevance): &(BulletId, f64)| {
            let passages = passages(&bullet(*id));
            let own: BTreeSet<&String> =
                passages.iter().flat_map(|one| one.counts.keys()).collect();
            let mut matched = Vec::new();
            for word in asked.iter().flat_map(|asked| &asked.words) {
                let is_new = *relevance > 0.0 && !matched.contains(&word.word);
                if is_new && is_met(&word.need, &own) {
                    matched.push(word.word.clone());
                }
            }
            matched
        };
        hits.iter().map(of).collect()
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
            let is_long = passages(&bullets[at]).len() > 1;
            let shared = (shares.previous * previous[at]).max(shares.next * next[at]);
            bent(own[at] + if is_long { 0.0 } else { shared })
        };
        (0..bullets.len()).map(total).collect()
    }

    /// The best passage of each bullet for the best part of the query.
    fn ideal_shares(&self) -> Vec<f64> {
        let bullets = self.memory.bullets();
        let texts = Texts::of(&bullets);
        let asked = &self.query.text;
        let sentences = sentences(asked);
        let unknown = if sentences.len() > 1 { 0.15 } else { 0.1 };
        let today = self.now.day();
        let mut parts = vec![texts.part(asked, today, 0.25, unknown)];
        for (at, sentence) in sentences.iter().enumerate() {
            let mut part = texts.part(sentence, today, 1.0, unknown);
            let is_inner = at > 0 && at + 1 < sentences.len();
            part.ideal /= if is_inner { 0.5 } else { 1.0 };
            parts.push(part);
        }
        if sentences.len() < 2 {
            parts.truncate(1);
        }
        let share = |passage: &Passage| {
            let shares = parts.iter().map(|part| {
                let sum = |needs: &[Weighed], start: f64| {
                    let values = needs.iter().map(|need| texts.value(need, passage));
                    values.fold(start, |sum, value| sum + value)
                };
                let own = sum(&part.needs, 0.0);
                let helped = if own > 0.0 {
                    sum(&part.helpers, own)
                } else {
                    0.0
                };
                helped / part.ideal
            });
            shares.fold(0.0, f64::max)
        };
        let sources: HashMap<Source, f64> = Source::ALL
            .iter()
            .map(|source| (*source, self.source_weight(*source)))
            .collect();
        let may_stand = asks_to_do(asked);
        let of = |bullet: &Bullet| {
            let passages = passages(bullet);
            let best = passages.iter().map(share).fold(0.0, f64::max);
            let taken = if bullet.is_active() { best } else { 0.0 };
            let (helpful, harmful) = (bullet.counts.helpful as f64, bullet.counts.harmful as f64);
            let share = (helpful + 1.0) / (helpful + harmful + 2.0);
            let is_order = bullet.source == Source::Person && is_standing(bullet.content.as_str());
            let standing = if may_stand && is_order { 1.25 } else { 1.0 };
            taken * sources[&bullet.source] * standing * (2.0 * share).min(1.0)
        };
        bullets.iter().map(of).collect()
    }
}

/// The terms of a passage.
#[derive(Default)]
pub(crate) struct Passage {
    pub(crate) counts: HashMap<String, f64>,
    length: f64,
}

/// Passages by section and text.
type Known = HashMap<(Option<String>, String, i64), Rc<Vec<Passage>>>;

/// Passages of about 120 words, each under the heading of its bullet.
pub(crate) fn passages(bullet: &Bullet) -> Rc<Vec<Passage>> {
    // The same bullets are ranked again and again.
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    let text = bullet.content.as_str().to_owned();
    let key = (bullet.section.clone(), text, bullet.created_at.day());
    KNOWN.with_borrow_mut(|known| {
        if known.len() > 2_000 {
            known.clear();
        }
        known
            .entry(key)
            .or_insert_with(|| Rc::new(cut(bullet)))
            .clone()
    })
}

fn cut(bullet: &Bullet) -> Vec<Passage> {
    let mut heading = Vec::new();
    let section = bullet.section.as_deref().unwrap_or_default();
    if !section.is_empty() {
        for_each_token(section, |token| heading.extend(terms_of_token(token)));
    }
    let mut tokens: Vec<Vec<String>> = Vec::new();
    for_each_token(bullet.content.as_str(), |token| {
        tokens.push(terms_of_token(token))
    });
    let count = ((tokens.len() + 60) / 120).max(1);
    let size = tokens.len().div_ceil(count).max(1);
    let mut chunks: Vec<&[Vec<String>]> = tokens.chunks(size).collect();
    if chunks.is_empty() {
        chunks.push(&[]);
    }
    let passage = |chunk: &&[Vec<String>]| {
        let mut passage = Passage::default();
        for term in heading.iter().chain(chunk.iter().flatten()) {
            *passage.counts.entry(term.clone()).or_default() += 1.0;
            passage.length += 1.0;
        }
        for label in labels_of(bullet.created_at.day()) {
            passage.counts.insert(named(label), 1.0);
        }
        passage
    };
    chunks.iter().map(passage).collect()
}

/// The needs of a part of a query, and the score that counts as 1.
struct Part {
    needs: Vec<Weighed>,
    /// Function words, which count only together with others.
    helpers: Vec<Weighed>,
    ideal: f64,
}

/// A need with the weight of its terms, and whether any text can meet it.
struct Weighed {
    weight: f64,
    is_known: bool,
    form: Form,
}

enum Form {
    Any(Vec<String>),
    Best(Vec<Weighed>),
    Sum(Vec<Weighed>),
    All(Vec<Weighed>),
}

/// The terms that all active texts have.
pub(crate) struct Texts {
    documents: f64,
    with_term: HashMap<String, f64>,
    mean: f64,
}

impl KnownTerms for Texts {
    fn knows(&self, term: &str) -> bool {
        self.with_term.contains_key(term)
    }

    fn containing(&self, c: char) -> Vec<String> {
        let mut terms: Vec<String> = self.with_term.keys().cloned().collect();
        terms.retain(|term| term.contains(c));
        terms.sort_unstable();
        terms
    }
}

impl Texts {
    pub(crate) fn of(bullets: &[Bullet]) -> Self {
        let (mut documents, mut with_term) = (0.0, HashMap::new());
        let (mut count, mut length) = (0.0, 0.0);
        for bullet in bullets.iter().filter(|bullet| bullet.is_active()) {
            documents += 1.0;
            let passages = passages(bullet);
            count += passages.len() as f64;
            length += passages.iter().map(|passage| passage.length).sum::<f64>();
            let terms: BTreeSet<&String> = passages
                .iter()
                .flat_map(|passage| passage.counts.keys())
                .collect();
            for term in terms {
                *with_term.entry(term.clone()).or_insert(0.0) += 1.0;
            }
        }
        let mean = if count == 0.0 {
            1.0
        } else {
            (length / count).max(1.0)
        };
        Self {
            documents,
            with_term,
            mean,
        }
    }

    fn idf(&self, with: f64) -> f64 {
        self.rarity(with) + 1.0
    }

    fn rarity(&self, with: f64) -> f64 {
        libm::log(1.0 + (self.documents - with + 0.5) / (with + 0.5))
    }

    fn part(&self, text: &str, today: i64, doubt: f64, unknown: f64) -> Part {
        let asked = asked_of(text, today, self);
        let has_others = asked.iter().any(|one| !one.is_light);
        let of = |is_helper: bool| -> Vec<Weighed> {
            let asked = asked.iter();
            let asked = asked.filter(|one| (one.is_light && has_others) == is_helper);
            asked.map(|one| self.weighed(&one.need)).collect()
        };
        let (needs, helpers) = (of(false), of(true));
        let mut heaviest: Vec<f64> = needs
            .iter()
            .chain(&helpers)
            .map(|need| need.weight * if need.is_known { 1.0 } else { unknown })
            .collect();
        heaviest.sort_by(|a, b| b.total_cmp(a));
        let ideal = heaviest.iter().take(12).sum::<f64>() + doubt * self.idf(0.0);
        Part {
            needs,
            helpers,
            ideal,
        }
    }

    fn weighed(&self, need: &Need) -> Weighed {
        let of = |needs: &[Need]| -> (Vec<Weighed>, Vec<f64>, bool) {
            let all: Vec<Weighed> = needs.iter().map(|need| self.weighed(need)).collect();
            let is_known = all.iter().any(|one| one.is_known);
            let counted = all.iter().filter(|one| one.is_known == is_known);
            let weights = counted.map(|one| one.weight).collect();
            (all, weights, is_known)
        };
        let (weight, is_known, form) = match need {
            Need::Any { terms, weight } => {
                let with = terms.iter().filter_map(|term| self.with_term.get(term));
                let with: f64 = with.sum();
                let weight = weight * self.idf(with.min(self.documents));
                (weight, with > 0.0, Form::Any(terms.clone()))
            }
            Need::Label { labels, weight } => {
                let terms: Vec<String> = labels.iter().map(|label| named(*label)).collect();
                let with = terms.iter().filter_map(|term| self.with_term.get(term));
                let with: f64 = with.sum();
                let rarity = self.rarity(with.min(self.documents));
                (weight * rarity, with > 0.0, Form::Any(terms))
            }
            Need::Best(needs) => {
                let (all, weights, is_known) = of(needs);
                let best = weights.into_iter().fold(0.0, f64::max);
                (best, is_known, Form::Best(all))
            }
            Need::Sum(needs) => {
                let (all, weights, is_known) = of(needs);
                (sum(&weights), is_known, Form::Sum(all))
            }
            Need::All(needs) => {
                let (all, ..) = of(needs);
                let weights: Vec<f64> = all.iter().map(|one| one.weight).collect();
                let is_known = all.iter().all(|one| one.is_known);
                (sum(&weights), is_known, Form::All(all))
            }
        };
        Weighed {
            weight,
            is_known,
            form,
        }
    }

    fn value(&self, need: &Weighed, passage: &Passage) -> f64 {
        let values = |needs: &[Weighed]| -> Vec<f64> {
            needs.iter().map(|need| self.value(need, passage)).collect()
        };
        match &need.form {
            Form::Any(terms) => {
                let norm = 0.8 * (1.0 - 0.4 + 0.4 * passage.length / self.mean);
                let counts = terms.iter().filter_map(|term| passage.counts.get(term));
                let best = counts.map(|times| times * (0.8 + 1.0) / (times + norm));
                need.weight * best.fold(0.0, f64::max)
            }
            Form::Best(needs) => values(needs).into_iter().fold(0.0, f64::max),
            Form::Sum(needs) => sum(&values(needs)),
            Form::All(needs) => {
                let values = values(needs);
                let has_all = values.iter().all(|value| *value > 0.0);
                if has_all { sum(&values) } else { 0.0 }
            }
        }
    }
}

fn sum(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value)
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
