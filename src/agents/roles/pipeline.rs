//! Reflect, sift, curate, apply: one turn to at most one delta. A step that fails passes its input on to the next one.

use serde::Serialize;

use super::curator::{self, Desk};
use super::gate::{Rejected, sift};
use super::insight::{Kind, Reflection, Takeaway};
use super::learned_change::LearnedChange;
use super::proposed_operations;
use super::reflector;
use super::rules;
use super::shown::Shown;
use super::trace::{Trace, TraceLimits};
use crate::model::{Model, Refused};
use hindlore::{AppliedDelta, Engine, EngineError, EngineResult, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};
use hindlore_text::layout::preview::both_ends;

/// Characters of the question that the Curator sees.
const QUESTION_CHARS: usize = 1_000;
/// Bullets of the memory that are compared with a takeaway.
const NEAR: usize = 10;

/// How a pipeline works.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Whether a model curates; by rule otherwise.
    pub curates_by_model: bool,
    /// Whether a model's takeaways pass the whole gate.
    pub gate: bool,
    /// Similarity from which a takeaway is a bullet that is there, 0..=1.
    pub similarity: f64,
    /// How much of a trace goes into a prompt.
    pub limits: TraceLimits,
    /// Whether a failure that teaches nothing leaves one general takeaway, as the classic programs do. It is added once
    /// and never reinforced.
    pub general_lesson: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            curates_by_model: false,
            gate: true,
            similarity: 0.9,
            limits: TraceLimits::default(),
            general_lesson: false,
        }
    }
}

/// Characters of a model's reasoning that are kept with a delta.
const REASONING_CHARS: usize = 1_000;

/// The general takeaway of classic mode.
const GENERAL: &str = "Check each requirement of the task against the answer before giving it.";

/// The roles and options for the turns of one memory.
#[derive(Clone, Copy)]
pub struct Pipeline<'p> {
    /// The engine.
    pub engine: &'p Engine,
    /// The memory.
    pub key: &'p MemoryKey,
    /// The model, if any.
    pub model: Option<&'p dyn Model>,
    /// How it works.
    pub options: &'p Options,
}

/// The results of a turn.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Learned {
    /// The Reflector: `rules`, or the name of a model.
    pub reflector: String,
    /// The Curator.
    pub curator: String,
    /// The kept takeaways.
    pub takeaways: Vec<Takeaway>,
    /// The refused takeaways, with reasons.
    pub rejected: Vec<Rejected>,
    /// Replies of the model that were refused.
    pub refused: Vec<Refused>,
    /// Steps that failed, and their replacements.
    pub notes: Vec<String>,
    /// Why the Curator chose its operations, in the words of a model; empty by rule.
    pub reasoning: String,
    /// The mistake of this turn, for the next one's prompt.
    pub reflection: String,
    /// The delta that was applied; absent if there was nothing to change.
    #[serde(skip)]
    pub applied: Option<AppliedDelta>,
}

impl Learned {
    /// Why the delta was sent: the model's reasoning, then the roles and their authors.
    fn reason(&self) -> String {
        let by = format!(
            "learned from a turn by {}, curated by {}",
            self.reflector, self.curator
        );
        if self.reasoning.is_empty() {
            return by;
        }
        format!("{} ({by})", self.reasoning)
    }

    /// The bullets that the delta changed, with their texts.
    pub fn changes(&self) -> Vec<LearnedChange> {
        let applied = self.applied.iter();
        let changes = applied.flat_map(|applied| &applied.changes.bullets);
        changes.map(LearnedChange::from).collect()
    }
}

impl Pipeline<'_> {
    /// Learns from a turn. Sent again with the same id it changes nothing more.
    ///
    /// Those of the store; failures of a model are reported in the answer.
    pub async fn learn(
        &self,
        trace: &Trace,
        id: DeltaId,
        about: (Option<&str>, &str),
    ) -> EngineResult<Learned> {
        let (topic, progress) = about;
        let mut learned = Learned::default();
        let mut reflection = self.reflect(trace, &mut learned).await;
        let is_strict = self.options.gate && learned.reflector != RULES;
        let (kept, rejected) = sift(trace, std::mem::take(&mut reflection.takeaways), is_strict);
        reflection.takeaways = kept;
        learned.rejected = rejected;
        self.add_general(trace, &mut reflection).await?;
        learned.reflection.clone_from(&reflection.note);
        learned.takeaways.clone_from(&reflection.takeaways);
        self.log_lessons(&reflection);
        if reflection.takeaways.is_empty() && reflection.votes.is_empty() {
            RULES.clone_into(&mut learned.curator);
            return Ok(learned);
        }
        let operations = self
            .curate(trace, &reflection, (topic, progress), &mut learned)
            .await?;
        if operations.is_empty() {
            return Ok(learned);
        }
        let delta = Delta {
            lenient: true,
            reasoning: Some(learned.reason()),
            ..Delta::new(id, operations)
        };
        match self.engine.apply_delta(self.key, delta).await {
            Ok(applied) => learned.applied = Some(applied),
            // A process that died after its delta finds it in the memory when it comes back, and finds other
            // operations.
            Err(EngineError::DeltaReused(_)) => {
                learned
                    .notes
                    .push("this turn was learned from before".to_owned());
            }
            Err(error) => return Err(error),
        }
        Ok(learned)
    }

    async fn reflect(&self, trace: &Trace, learned: &mut Learned) -> Reflection {
        RULES.clone_into(&mut learned.reflector);
        let by_rules = rules::reflect(trace);
        let Some(model) = self.model else {
            return by_rules;
        };
        let asked = reflector::reflect(model, trace, self.options.limits).await;
        learned.refused.extend(asked.refused);
        match asked.answer {
            Ok(mut reflection) => {
                model.name().clone_into(&mut learned.reflector);
                // The result of an evaluator counts regardless of a model's opinion.
                if reflection.votes.is_empty() {
                    reflection.votes = by_rules.votes;
                }
                reflection
            }
            Err(why) => {
                learned
                    .notes
                    .push(format!("the model did not reflect, the rules did: {why}"));
                by_rules
            }
        }
    }

    /// One general takeaway for a failure that teaches nothing, unless the memory has it.
    async fn add_general(&self, trace: &Trace, reflection: &mut Reflection) -> EngineResult<()> {
        let is_due = self.options.general_lesson
            && trace.success == Some(false)
            && reflection.takeaways.is_empty();
        if is_due
            && self
                .near(GENERAL)
                .await?
                .iter()
                .all(|bullet| bullet.content != GENERAL)
        {
            reflection.takeaways.push(Takeaway {
                content: GENERAL.to_owned(),
                kind: Kind::Failure,
                tags: Vec::new(),
            });
        }
        Ok(())
    }

    async fn curate(
        &self,
        trace: &Trace,
        reflection: &Reflection,
        (topic, progress): (Option<&str>, &str),
        learned: &mut Learned,
    ) -> EngineResult<Vec<Operation>> {
        let mut near = Vec::new();
        for takeaway in &reflection.takeaways {
            near.push(self.near(&takeaway.content).await?);
        }
        let question = both_ends(&trace.question, QUESTION_CHARS);
        let state = format!(
            "question: {question}\n{} notes were shown in this turn",
            trace.shown.len()
        );
        let desk = Desk {
            reflection,
            shown: &trace.shown,
            near: &near,
            similarity: self.options.similarity,
            topic,
            state: &state,
            progress,
        };
        RULES.clone_into(&mut learned.curator);
        let Some(model) = self.model.filter(|_| self.options.curates_by_model) else {
            return Ok(curator::by_rules(desk));
        };
        let asked = proposed_operations::by_model(model, desk).await;
        learned.refused.extend(asked.refused);
        match asked.answer {
            Ok(curated) => {
                tracing::debug!(target: "hindlore::roles", event = "curator_raw", reasoning = self.engine.loggable(&curated.reasoning));
                learned.reasoning = curated.reasoning.chars().take(REASONING_CHARS).collect();
                model.name().clone_into(&mut learned.curator);
                let (mut operations, refused) =
                    proposed_operations::granted(&curated, &trace.shown, topic);
                learned.notes.extend(refused);
                // Votes of the Reflector are evidence, not wishes.
                let votes = Reflection {
                    takeaways: Vec::new(),
                    ..reflection.clone()
                };
                let counted = curator::by_rules(Desk {
                    reflection: &votes,
                    near: &[],
                    ..desk
                });
                for vote in counted {
                    if !operations.contains(&vote) {
                        operations.push(vote);
                    }
                }
                Ok(operations)
            }
            Err(why) => {
                tracing::info!(target: "hindlore::roles", event = "curator_fallback", why = %why);
                learned
                    .notes
                    .push(format!("the model did not curate, the rules did: {why}"));
                Ok(curator::by_rules(desk))
            }
        }
    }

    fn log_lessons(&self, reflection: &Reflection) {
        let (lessons, votes) = (reflection.takeaways.len(), reflection.votes.len());
        tracing::info!(target: "hindlore::roles", event = "lessons", lessons, votes);
        for one in &reflection.takeaways {
            let content = self.engine.loggable(&one.content);
            tracing::debug!(target: "hindlore::roles", event = "lesson", kind = %one.kind, content);
        }
    }

    /// The bullets that are most like a text. Looking moves no clock.
    async fn near(&self, text: &str) -> EngineResult<Vec<Shown>> {
        let text: String = text.chars().take(QUERY_MAX_CHARS).collect();
        let query = Query {
            top_k: NEAR,
            ..Query::new(text)
        };
        let found = self
            .engine
            .retrieve(self.key, RetrieveRequest::peek(query))
            .await?;
        Ok(found.bullets.iter().map(Shown::from).collect())
    }
}

/// The name of the rules as a role.
pub const RULES: &str = "rules";
