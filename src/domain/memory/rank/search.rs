//! Translates a query on a memory into a search: weights, bonuses, and the bullets that may be hits.
//!
//! Every figure here must agree with `score.rs`, because the search skips the documents that they exclude.

use hindlore_topk::{self as topk, CLASSES, DocSet, SearchRequest, TopK};

use super::score::{Detail, Failure, Scorer};
use super::strength_formula::StrengthFormula;
use crate::memory::bullet::bullet_kind::MemoryType;
use crate::memory::decay::type_priority;
use crate::memory::policy::Profile;
use crate::memory::query::TopicMode;

/// Near misses in an answer.
pub(crate) const NEAR_MISSES: usize = 5;

/// Finds the best bullets for a query; builds the indexes that it needs, on first use.
pub(crate) fn find(scorer: &Scorer<'_>) -> TopK<Detail, Failure> {
    let formula = StrengthFormula::for_profile(scorer.profile);
    let order = scorer.memory.order(formula);
    topk::search(&scorer.text, order, &request(scorer, formula), scorer)
}

fn request<'s>(scorer: &'s Scorer<'_>, formula: StrengthFormula) -> SearchRequest<'s> {
    let (policy, query, weights) = (scorer.policy(), scorer.query, scorer.weights);
    let unit = scorer.strength_unit();
    let types = &query.memory_types;
    let is_wanted = |at: usize| types.is_empty() || types.contains(&MemoryType::ALL[at]);
    let priority = |at: usize| weights.memory_type * type_priority(MemoryType::ALL[at]);
    let shares = policy.link_shares;
    // Classic mode compares the minimum with the decayed score under every formula; the order of another formula cannot
    // bound that.
    let least_prior = match (policy.is_classic(), formula) {
        (false, _) => query.min_score * unit,
        (true, StrengthFormula::Decayed) => query.min_score * scorer.classic_unit(),
        (true, _) => f64::NEG_INFINITY,
    };
    SearchRequest {
        top_k: query.top_k,
        near_misses: NEAR_MISSES,
        clock: scorer.memory.clock(),
        weights: topk::Weights {
            relevance: weights.relevance,
            prior: weights.strength / unit,
            class: std::array::from_fn::<f64, CLASSES, _>(priority),
        },
        floor: match scorer.profile {
            Profile::Engine => policy.floor,
            _ => 0.0,
        },
        least_prior,
        classes: std::array::from_fn(is_wanted),
        bonuses: scorer.bonuses.clone(),
        candidates: candidates(scorer),
        first: scorer.near.docs(),
        lent: if scorer.is_linked {
            shares.previous.max(shares.next)
        } else {
            0.0
        },
    }
}

/// Returns the bullets that a tag or topic filter admits, if they are so few that scoring them all is cheaper
/// than a search. Near misses are searched for anyway.
fn candidates<'s>(scorer: &'s Scorer<'_>) -> Option<Vec<&'s DocSet>> {
    let query = scorer.query;
    // Few: at most √(top_k · bullets), between the size of the answer and that of the memory.
    let is_few = |sets: &Vec<&DocSet>| {
        let count: usize = sets.iter().map(|set| set.len()).sum();
        let limit = query.top_k.saturating_mul(scorer.memory.arena.len());
        count.saturating_mul(count) <= limit
    };
    // A tag may name a memory type, and the index has no set for that.
    let names_type = |tag: &String| MemoryType::from_word(&tag.to_lowercase()).is_some();
    let has_tags = !query.tags.is_empty() && !query.tags.iter().any(names_type);
    if has_tags && is_few(&scorer.tagged) {
        return Some(scorer.tagged.clone());
    }
    let is_filter = query.topic_mode == TopicMode::Filter;
    let topic = query.topic.as_ref().filter(|_| is_filter)?;
    let mut sets = vec![scorer.memory.without_topic()];
    sets.extend(scorer.memory.about(topic));
    is_few(&sets).then_some(sets)
}
