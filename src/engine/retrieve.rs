//! Verb: retrieve the bullets that answer a query, and record that they were used.

use serde_json::json;

use super::Engine;
use super::answer::{Ahead, Asked, MemoryAnswer, RetrieveJob};
use super::clock::random_id;
use super::error::{EngineError, EngineResult};
use super::request::Request;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::{MemoryKey, SHARED_SCOPE};
use crate::domain::memory::query::{QUERY_MAX_CHARS, Query, TOP_K_MAX};
use crate::domain::memory::rank::{Hit, NearMiss, Ranking};
use crate::domain::redact::Redactions;

/// What is asked, and how the answer is to be recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrieveRequest {
    /// The question with its filters.
    pub query: Query,
    /// Look only: no tick, no touch, no record.
    pub peek: bool,
    /// Rank at the very state that the tick is taken at, under the memory's lock.
    pub strict: bool,
    /// The learner's shared memory takes part as well.
    pub include_shared: bool,
    /// The bullets go into a prompt; counted apart from being returned.
    pub inject: bool,
    /// The planted advice goes with the answer, which nobody here has learned.
    pub with_advice: bool,
}

impl RetrieveRequest {
    /// A recorded retrieval without filters.
    pub fn new(query: Query) -> Self {
        Self {
            query,
            peek: false,
            strict: false,
            include_shared: false,
            inject: false,
            with_advice: false,
        }
    }

    /// The same question without recording.
    pub fn peek(query: Query) -> Self {
        Self {
            peek: true,
            ..Self::new(query)
        }
    }
}

/// One returned bullet with its explanation.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrievedBullet {
    /// The bullet, as it was when it was ranked.
    pub bullet: Bullet,
    /// Its score and why.
    pub hit: Hit,
    /// Scope of the memory that it is in.
    pub scope: String,
    /// Active bullets of that memory that say the opposite.
    pub conflicts_with: Vec<BulletId>,
}

/// Where a memory stood when it was ranked, and the tick that the retrieval took there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryStanding {
    /// Scope of the memory.
    pub scope: String,
    /// Clock that it was ranked at.
    pub clock: u64,
    /// Revision that it was ranked at.
    pub revision: u64,
    /// The retrieval's own tick; absent when nothing was returned from this memory, or on a peek.
    pub tick: Option<u64>,
}

/// The answer to a retrieval.
#[derive(Clone, PartialEq, Debug)]
pub struct Retrieved {
    /// Id for later feedback; absent when nothing was recorded.
    pub retrieval: Option<String>,
    /// How it was ranked in the memory that was asked.
    pub ranking: Ranking,
    /// Best first, over all memories that took part.
    pub bullets: Vec<RetrievedBullet>,
    /// The best of those left out, with their texts.
    pub near_misses: Vec<(NearMiss, Bullet)>,
    /// Planted advice that goes with the answer, where it was asked for.
    pub meta_strategies: Vec<Bullet>,
    /// The memories that took part, the asked one first.
    pub memories: Vec<MemoryStanding>,
    /// The secrets that were taken out of the question before it was recorded.
    pub redacted: Redactions,
}

impl Engine {
    /// Retrieves. A retrieval that returns something takes one tick of each memory that it returned
    /// something from, touches what it returned, and is recorded for feedback.
    pub async fn retrieve(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
    ) -> EngineResult<Retrieved> {
        check(&request)?;
        let with_advice = request.with_advice;
        let mut retrieved = self.retrieve_learned(key, request).await?;
        if !with_advice {
            retrieved.meta_strategies.clear();
        }
        Ok(retrieved)
    }

    async fn retrieve_learned(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
    ) -> EngineResult<Retrieved> {
        let shared = request.include_shared && key.scope() != SHARED_SCOPE;
        if request.peek {
            return self.peek(key, &request, shared).await;
        }
        let (asked, redacted) = self.asked(&request)?;
        let retrieved = self.retrieve_recorded(key, request, asked, shared).await?;
        Ok(Retrieved {
            redacted,
            ..retrieved
        })
    }

    async fn retrieve_recorded(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
        asked: Asked,
        shared: bool,
    ) -> EngineResult<Retrieved> {
        if shared {
            return self.retrieve_over_two(key, &request, asked).await;
        }
        if let Some(window) = self.shared.options.durability.window()
            && !request.strict
        {
            return self.retrieve_owing(key, request, (asked, window)).await;
        }
        let id = asked.id.clone();
        let RetrieveRequest { query, strict, .. } = request;
        let ahead = if strict {
            None
        } else {
            self.rank_ahead(key, &query)
        };
        let answer = self
            .submit(key, |reply| {
                let job = RetrieveJob::new((query, strict, asked), ahead, reply);
                Request::Retrieve(Box::new(job))
            })
            .await?;
        let recorded = answer.tick.is_some();
        let mut retrieved = combine(vec![(key.clone(), answer)], usize::MAX);
        retrieved.retrieval = recorded.then_some(id);
        Ok(retrieved)
    }

    /// What is recorded of the question. It is ranked as it was asked, and kept without secrets.
    fn asked(&self, request: &RetrieveRequest) -> EngineResult<(Asked, Redactions)> {
        let query = &request.query;
        let types: Vec<&str> = query.memory_types.iter().map(|t| t.word()).collect();
        let mut parameters = json!({
            "top_k": query.top_k, "tags": query.tags, "memory_types": types, "topic": query.topic,
            "min_score": query.min_score, "needs_visual": query.needs_visual,
            "persona_request": query.persona_request, "next_step": query.next_step,
            "include_shared": request.include_shared,
        });
        let mut text = query.text.clone();
        let mut sweep = self.redactor().sweep();
        sweep.text(&mut text);
        sweep.value(&mut parameters);
        let asked = Asked {
            id: random_id("r").map_err(|error| EngineError::Invalid(error.to_string()))?,
            query: text,
            parameters: parameters.to_string(),
            inject: request.inject,
        };
        Ok((asked, sweep.finish()))
    }

    /// Ranks on the snapshot at hand, in the caller's own task, so that those who ask at once are not
    /// ranked one after the other. Whether the answer still stands shows when it is recorded.
    fn rank_ahead(&self, key: &MemoryKey, query: &Query) -> Option<Ahead> {
        let now = self.shared.clock.now();
        self.lane(key).read_settled(|snapshot| Ahead {
            incarnation: snapshot.incarnation.clone(),
            answer: MemoryAnswer::rank(&snapshot.memory, query, now),
        })
    }

    /// The answer of one memory at its present state, without a trace.
    pub(super) async fn look(&self, key: &MemoryKey, query: &Query) -> EngineResult<MemoryAnswer> {
        let now = self.shared.clock.now();
        let lane = self.lane(key);
        let seen = self
            .look_at(&lane, |snapshot| {
                MemoryAnswer::rank(&snapshot.memory, query, now)
            })
            .await?;
        Ok(seen.unwrap_or_else(|| MemoryAnswer::rank(&self.imagined(key, now).memory, query, now)))
    }

    async fn peek(
        &self,
        key: &MemoryKey,
        request: &RetrieveRequest,
        shared: bool,
    ) -> EngineResult<Retrieved> {
        let mut answers = vec![(key.clone(), self.look(key, &request.query).await?)];
        if shared {
            let other = key.shared();
            answers.push((other.clone(), self.look(&other, &request.query).await?));
        }
        Ok(combine(answers, request.query.top_k))
    }
}

fn check(request: &RetrieveRequest) -> EngineResult<()> {
    let query = &request.query;
    let invalid = |reason: String| Err(EngineError::Invalid(reason));
    if query.top_k == 0 || query.top_k > TOP_K_MAX {
        return invalid(format!(
            "top_k is {}; it must lie in 1..={TOP_K_MAX}",
            query.top_k
        ));
    }
    if !query.min_score.is_finite() {
        return invalid("min_score must be a number".to_owned());
    }
    let length = query.text.chars().count();
    if length > QUERY_MAX_CHARS {
        return invalid(format!(
            "the query has {length} characters; the limit is {QUERY_MAX_CHARS}"
        ));
    }
    Ok(())
}

/// Joins the answers of several memories into one order; the first is the asked one.
pub(super) fn combine(answers: Vec<(MemoryKey, MemoryAnswer)>, top_k: usize) -> Retrieved {
    let mut memories = Vec::new();
    let mut bullets: Vec<RetrievedBullet> = Vec::new();
    let mut near_misses: Vec<(NearMiss, Bullet)> = Vec::new();
    let mut meta_strategies: Vec<Bullet> = Vec::new();
    let mut first: Option<Ranking> = None;
    for (key, answer) in answers {
        let scope = key.scope().to_owned();
        let (clock, revision) = (answer.ranking.clock, answer.ranking.revision);
        memories.push(MemoryStanding {
            scope: scope.clone(),
            clock,
            revision,
            tick: answer.tick,
        });
        let hits = answer.ranking.hits.iter().cloned().zip(answer.bullets);
        let mut conflicts = answer.conflicts;
        bullets.extend(hits.map(|(hit, bullet)| RetrievedBullet {
            conflicts_with: conflicts.remove(&bullet.id).unwrap_or_default(),
            bullet,
            hit,
            scope: scope.clone(),
        }));
        near_misses.extend(answer.near_misses);
        if first.is_none() {
            meta_strategies = answer.meta_strategies;
            first = Some(answer.ranking);
        }
    }
    if memories.len() > 1 {
        // A stable sort: within one memory the order is right already.
        bullets.sort_by(|a, b| b.hit.score.total_cmp(&a.hit.score));
        near_misses.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        for beyond in bullets.split_off(top_k.min(bullets.len())) {
            let reason = format!("it is beyond the {top_k} that were asked for");
            near_misses.insert(
                0,
                (
                    NearMiss {
                        id: beyond.hit.id,
                        score: beyond.hit.score,
                        reason,
                    },
                    beyond.bullet,
                ),
            );
        }
        near_misses.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        near_misses.truncate(5);
    }
    let ranking = first.unwrap_or_else(|| Ranking {
        profile: crate::domain::memory::policy::Profile::Engine,
        weights: crate::domain::memory::policy::Profile::Engine.weights(),
        clock: 0,
        revision: 0,
        hits: Vec::new(),
        near_misses: Vec::new(),
        meta_strategies: Vec::new(),
    });
    Retrieved {
        retrieval: None,
        ranking,
        bullets,
        near_misses,
        meta_strategies,
        memories,
        redacted: Redactions::default(),
    }
}
