//! Verb: retrieve the bullets that answer a query, and record their use.
//!
//! Three ways: a peek leaves no trace; a recorded retrieval takes a tick, or defers its record if it may
//! ([`Durability::Grouped`](crate::Durability::Grouped)); a retrieval over several memories is recorded in each.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::over_several::{RecordedQuery, ranked_over, retrieve_over};
use super::{RetrieveRequest, Retrieved};
use crate::actor::memory_actor::MemoryActor;
use crate::actor::memory_answer::{MemoryAnswer, QueryRecord};
use crate::actor::message::{Message, RecordCondition, RecordMessage, Recorded, RetrieveMessage};
use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query, TOP_K_MAX};
use hindlore_redact::Redactions;
use hindlore_store::ErrorKind;

impl Engine {
    /// Retrieves bullets. A retrieval takes one tick of each memory it returned bullets from, touches those bullets,
    /// and is recorded for feedback. If the store takes no writes, because it is read-only or its disk is full, the
    /// answer is that of a peek, with the reason in `not_recorded`.
    pub async fn retrieve(
        &self,
        key: &MemoryKey,
        mut request: RetrieveRequest,
    ) -> EngineResult<Retrieved> {
        check(&request)?;
        let with_advice = request.with_advice;
        let keys = if request.include_shared {
            key.recalled()
        } else {
            vec![key.clone()]
        };
        let meaning = self.find_near(&keys, &mut request.query).await;
        let mut retrieved = if request.peek {
            self.peek(key, request).await?
        } else {
            let spare = RetrieveRequest {
                peek: true,
                ..request.clone()
            };
            match self.retrieve_recorded(key, request).await {
                // An answer without its trace is of more use than none.
                Err(error) if forbids_writes(&error) => {
                    let retrieved = self.peek(key, spare).await?;
                    Retrieved {
                        not_recorded: Some(error.to_string()),
                        ..retrieved
                    }
                }
                recorded => recorded?,
            }
        };
        if !with_advice {
            retrieved.meta_strategies.clear();
        }
        retrieved.meaning = meaning;
        // Other processes write, too.
        keys.iter().for_each(|key| self.actor(key).embed_if_due());
        Ok(retrieved)
    }

    async fn peek(&self, key: &MemoryKey, request: RetrieveRequest) -> EngineResult<Retrieved> {
        let fit = request.fit.as_ref();
        let mut retrieved = if request.include_shared {
            ranked_over(self, &key.recalled(), &request.query).await?
        } else {
            let own = self.actor(key).memory.rank_latest(&request.query).await?;
            Retrieved::from_one(key, own)
        };
        retrieved.fit(None, fit, &[]);
        Ok(retrieved)
    }

    async fn retrieve_recorded(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
    ) -> EngineResult<Retrieved> {
        let (query_record, redacted) = self.query_record(&request)?;
        let retrieved = if request.include_shared {
            let recorded = RecordedQuery {
                query: request.query,
                query_record,
                strict: request.strict,
            };
            retrieve_over(self, &key.recalled(), recorded).await?
        } else {
            self.retrieve_one(key, request, query_record).await?
        };
        Ok(Retrieved {
            redacted,
            ..retrieved
        })
    }

    async fn retrieve_one(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
        query_record: QueryRecord,
    ) -> EngineResult<Retrieved> {
        let actor = self.actor(key);
        let id = query_record.id.clone();
        // A strict answer rests on the state at its tick, and a deferred record has no tick yet.
        let window = self.options().durability.window();
        let answer = match window.filter(|_| !request.strict) {
            Some(window) => {
                self.rank_and_defer(&actor, &request.query, query_record, window)
                    .await?
            }
            None => rank_and_record(&actor, request, query_record).await?,
        };
        let is_recorded = answer.is_recorded();
        let mut retrieved = Retrieved::from_one(key, answer);
        retrieved.retrieval = is_recorded.then_some(id);
        Ok(retrieved)
    }

    /// Answers from a snapshot that the store confirmed within the window, and leaves the record to the
    /// actor. The answer shows only clocks that are on disk and takes no tick. So a process that dies leaves
    /// no gap in the ticks, and a clock once shown never recurs.
    async fn rank_and_defer(
        &self,
        actor: &Arc<MemoryActor>,
        query: &Query,
        query_record: QueryRecord,
        window: Duration,
    ) -> EngineResult<MemoryAnswer> {
        // A caller waits while too many records are deferred, so a slow store slows callers down.
        actor.make_room().await?;
        let mut answer = actor.memory.rank_recent(query, window).await?;
        answer.fit(Some(&query_record.id), query_record.fit.as_ref());
        if answer.is_recorded() {
            let record = query_record.record(&answer, self.now());
            let log = actor.memory.content_log();
            log.retrieved(&query_record.query, answer.bullets.iter());
            actor.post(Message::Record(Box::new(RecordMessage {
                record,
                incarnation: answer.incarnation.clone(),
                // Deltas and touches may come in before it is written.
                condition: RecordCondition::RetainActive,
                reply: None,
                result: Recorded::Moved,
            })));
        }
        Ok(answer)
    }

    /// The record of a query: ranked as received, stored without secrets.
    fn query_record(&self, request: &RetrieveRequest) -> EngineResult<(QueryRecord, Redactions)> {
        let query = &request.query;
        let types: Vec<&str> = query.memory_types.iter().map(|t| t.word()).collect();
        let mut parameters = json!({
            "top_k": query.top_k, "tags": query.tags, "memory_types": types, "topic": query.topic,
            "min_score": query.min_score, "needs_visual": query.needs_visual,
            "persona_request": query.persona_request, "next_step": query.next_step,
            "speaker": query.speaker.word(),
            "include_shared": request.include_shared,
        });
        let mut text = query.text.clone();
        let mut sweep = self.redactor().sweep();
        sweep.text(&mut text);
        sweep.value(&mut parameters);
        let record = QueryRecord {
            id: random_id("r").map_err(|error| EngineError::Invalid(error.to_string()))?,
            query: text,
            parameters: parameters.to_string(),
            inject: request.inject,
            fit: request.fit.clone(),
        };
        Ok((record, sweep.finish()))
    }
}

/// Ranks on the available snapshot and has the actor record it; the actor ranks again if it no longer holds.
async fn rank_and_record(
    actor: &Arc<MemoryActor>,
    request: RetrieveRequest,
    query_record: QueryRecord,
) -> EngineResult<MemoryAnswer> {
    let RetrieveRequest { query, strict, .. } = request;
    // A strict answer rests on the state at its tick, so an earlier ranking is of no use.
    let speculative = if strict {
        None
    } else {
        actor.memory.rank_speculatively(&query)
    };
    let message = |reply| {
        Message::Retrieve(Box::new(RetrieveMessage {
            query,
            strict,
            query_record,
            reply,
            speculative,
            answer: None,
        }))
    };
    actor.ask(message).await
}

/// True if the store can be read and takes no writes now.
fn forbids_writes(error: &EngineError) -> bool {
    let EngineError::Store(error) = error else {
        return false;
    };
    matches!(error.kind(), ErrorKind::ReadOnly | ErrorKind::Full)
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
