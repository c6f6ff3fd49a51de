//! Verb: the strategies of a learner that fit a task, by the relevance that bullets are ranked by.

use std::collections::BTreeMap;

use super::read::{PlaybookView, Which};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::apply_delta;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::{Query, TOP_K_MAX};
use hindlore_domain::memory::rank::rank;
use hindlore_domain::playbook::{Confidence, ConfidenceRules, Strategy};

/// A strategy that fits a task.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedStrategy {
    /// The playbook that has it.
    pub playbook: String,
    /// The strategy.
    pub strategy: Strategy,
    /// How well it matches the task, 0..=1, as for a bullet of the same text.
    pub relevance: f64,
    /// How sure it is.
    pub confidence: Confidence,
}

impl Engine {
    /// Ranks the strategies of all active playbooks, or of the named ones, by how well they match a task: best first, then
    /// the surest. Strategies that share no word of weight with the task are left out.
    ///
    /// # Errors
    /// `NoPlaybook` for a name that is none.
    pub async fn strategies_for(
        &self,
        owner: &LearnerId,
        task: &str,
        playbooks: &[String],
        limit: usize,
    ) -> EngineResult<Vec<RankedStrategy>> {
        let names: Vec<String> = if playbooks.is_empty() {
            let active = self.playbooks(owner, false, None).await?;
            active.into_iter().map(|one| one.name).collect()
        } else {
            playbooks.to_vec()
        };
        let mut views = Vec::with_capacity(names.len());
        for name in names {
            views.push(self.playbook(owner, &name, Which::Newest).await?);
        }
        self.ranked_strategies(&views, task, limit)
    }

    fn ranked_strategies(
        &self,
        views: &[PlaybookView],
        task: &str,
        limit: usize,
    ) -> EngineResult<Vec<RankedStrategy>> {
        let strategies: Vec<(&str, &Strategy)> = views
            .iter()
            .flat_map(|view| {
                view.strategies
                    .iter()
                    .map(|one| (view.playbook.name.as_str(), one))
            })
            .collect();
        let relevance = self.relevance_of(&strategies, task)?;
        let (rules, now) = (ConfidenceRules::default(), self.now());
        let mut ranked: Vec<RankedStrategy> = strategies
            .into_iter()
            .filter_map(|(playbook, strategy)| {
                Some(RankedStrategy {
                    playbook: playbook.to_owned(),
                    relevance: *relevance.get(&strategy.sentence())?,
                    confidence: rules.of(strategy, now),
                    strategy: strategy.clone(),
                })
            })
            .collect();
        ranked.sort_by(|a, b| {
            let by_confidence = b.confidence.value.total_cmp(&a.confidence.value);
            b.relevance
                .total_cmp(&a.relevance)
                .then(by_confidence)
                .then(a.strategy.id.cmp(&b.strategy.id))
        });
        ranked.truncate(limit);
        Ok(ranked)
    }

    /// The relevance of each text that matches the task at all. The texts become the bullets of a memory that is gone
    /// afterwards, so that words weigh as they do among bullets.
    fn relevance_of(
        &self,
        strategies: &[(&str, &Strategy)],
        task: &str,
    ) -> EngineResult<BTreeMap<String, f64>> {
        let mut texts: Vec<String> = strategies
            .iter()
            .map(|(_, strategy)| strategy.sentence())
            .collect();
        // Once each, because an equal text would only merge into the first.
        texts.sort_unstable();
        texts.dedup();
        let invalid = |error: &dyn std::fmt::Display| EngineError::Invalid(error.to_string());
        let key = MemoryKey::new("playbooks", "ranking", "one").map_err(|error| invalid(&error))?;
        // Nothing is nearly the same here: each text is looked at for itself.
        let policy = Policy {
            merge_threshold: 1.0,
            ..self.options().policy.clone()
        };
        let mut memory = Memory::new(key, policy);
        let operations = texts.iter().map(|text| {
            let new = NewBullet {
                content: text.clone(),
                ..NewBullet::default()
            };
            Operation::Add(Box::new(new))
        });
        let mut delta = Delta::new(DeltaId::creation(), operations.collect());
        // A text that cannot be a bullet stays unranked and does not fail the others.
        delta.lenient = true;
        let (now, tables) = (self.now(), &self.options().tables);
        apply_delta(&mut memory, &delta, now, tables).map_err(|error| invalid(&error))?;
        let mut query = Query::new(task);
        // At least 1, because a query for nothing is invalid.
        query.top_k = texts.len().clamp(1, TOP_K_MAX);
        let ranking = rank(&memory, &query, now);
        let found = ranking.hits.iter().filter_map(|hit| {
            let bullet = memory.get(hit.id)?;
            Some((bullet.content.as_str().to_owned(), hit.parts.relevance))
        });
        Ok(found.collect())
    }
}
