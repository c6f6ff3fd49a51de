//! Adaptation: samples, one after another, each answered from memory, judged, and learned from; offline several times
//! over, online once.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::graph::Agent;
use super::turn::{Known, Node, Turn};
use crate::model::{Message, Spent};
use crate::roles::generator::remember;
use hindlore::EngineError;
use hindlore_primitives::identity::derived_hash;

/// A task with, perhaps, its right answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Its id; its place by default.
    #[serde(default)]
    pub id: String,
    /// The question.
    pub question: String,
    /// Further material.
    #[serde(default)]
    pub context: String,
    /// The right answer.
    #[serde(default)]
    pub ground_truth: Option<String>,
}

/// The verdict of an environment on an answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evaluation {
    /// Whether it is right.
    pub correct: Option<bool>,
    /// Its feedback.
    #[serde(default)]
    pub feedback: Option<String>,
    /// The right answer, if known.
    #[serde(default)]
    pub ground_truth: Option<String>,
}

/// A judge of answers.
#[async_trait]
pub trait Environment: Send + Sync {
    /// Judges an answer to a sample.
    ///
    /// # Errors
    /// Why it could not.
    async fn evaluate(&self, sample: &Sample, answer: &str) -> Result<Evaluation, String>;
}

/// The result of one sample in one epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Id of the sample.
    pub sample: String,
    /// The answer.
    pub answer: String,
    /// How it was judged.
    pub evaluation: Evaluation,
    /// The receipt of the learned delta.
    pub learned: Option<Value>,
    /// Cost of the model.
    pub spent: Spent,
    /// The failures, and their replacements.
    pub notes: Vec<String>,
}

/// The state of an adaptation; saved after each node, so that it can be resumed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Adaptation {
    /// Its id, part of the ids of its turns.
    pub id: String,
    /// Order of the samples; equal seeds give equal orders. 0 keeps the order as it is.
    pub seed: u64,
    /// Epochs.
    pub epochs: u32,
    /// The finished samples.
    pub outcomes: Vec<Outcome>,
    /// Notes of the last reflections.
    pub reflections: Vec<String>,
    /// The turn that is under way.
    pub turn: Option<Turn>,
}

/// Share of right answers in one epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Samples that were judged.
    pub judged: usize,
    /// Those that were right.
    pub correct: usize,
}

impl Adaptation {
    /// The epochs so far.
    pub fn by_epoch(&self) -> Vec<Epoch> {
        let of = |epoch: u32| {
            let verdicts = self.outcomes.iter().filter(|one| one.epoch == epoch);
            let verdicts: Vec<bool> = verdicts.filter_map(|one| one.evaluation.correct).collect();
            Epoch {
                epoch,
                judged: verdicts.len(),
                correct: verdicts.iter().filter(|correct| **correct).count(),
            }
        };
        let last = self.outcomes.last().map_or(0, |one| one.epoch);
        (1..=last).map(of).collect()
    }

    /// All that the model cost.
    pub fn spent(&self) -> Spent {
        let mut sum = Spent::default();
        self.outcomes.iter().for_each(|one| sum.add(&one.spent));
        sum
    }
}

/// Continues an adaptation to its end. `keep` saves it after each node.
///
/// # Errors
/// Those of the store, of the environment as texts, and of `keep`.
pub async fn adapt<E: From<EngineError> + From<String>>(
    agent: &Agent,
    environment: &dyn Environment,
    samples: &[Sample],
    (adaptation, mut keep): (&mut Adaptation, impl FnMut(&Adaptation) -> Result<(), E>),
) -> Result<(), E> {
    let per_epoch = samples.len();
    let total = per_epoch.saturating_mul(usize::try_from(adaptation.epochs).unwrap_or(usize::MAX));
    while adaptation.outcomes.len() < total {
        let done = adaptation.outcomes.len();
        let epoch = u32::try_from(done / per_epoch)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let order = order(samples, adaptation.seed, epoch);
        let (place, sample) = order[done % per_epoch];
        let name = if sample.id.is_empty() {
            place.to_string()
        } else {
            sample.id.clone()
        };
        let mut turn = match adaptation.turn.take() {
            Some(turn) => turn,
            None => begun(
                adaptation,
                sample,
                &format!("{}:{epoch}:{name}", adaptation.id),
            ),
        };
        let mut evaluation = Evaluation::default();
        while turn.node != Node::End {
            if turn.node == Node::Referee {
                evaluation = environment.evaluate(sample, &turn.answer).await?;
                turn.known = known(sample, &evaluation);
            }
            agent.step(&mut turn).await?;
            adaptation.turn = Some(turn.clone());
            keep(adaptation)?;
        }
        if evaluation == Evaluation::default() {
            evaluation = Evaluation {
                feedback: turn.known.feedback.clone(),
                ground_truth: turn.known.ground_truth.clone(),
                ..Evaluation::default()
            };
        }
        // The referee may know better than the judge.
        if let Some(verdict) = &turn.verdict {
            evaluation.correct = verdict.success;
        }
        adaptation.turn = None;
        remember(&mut adaptation.reflections, turn.reflection);
        adaptation.outcomes.push(Outcome {
            epoch,
            sample: name,
            answer: turn.answer,
            evaluation,
            learned: turn.learned,
            spent: turn.spent,
            notes: turn.notes,
        });
        keep(adaptation)?;
    }
    Ok(())
}

fn begun(adaptation: &Adaptation, sample: &Sample, id: &str) -> Turn {
    let mut messages = Vec::new();
    if !sample.context.trim().is_empty() {
        messages.push(Message::user(sample.context.as_str()));
    }
    messages.push(Message::user(sample.question.as_str()));
    Turn {
        reflections: adaptation.reflections.clone(),
        ..Turn::new(id, messages)
    }
}

fn known(sample: &Sample, evaluation: &Evaluation) -> Known {
    Known {
        ground_truth: evaluation
            .ground_truth
            .clone()
            .or_else(|| sample.ground_truth.clone()),
        success: evaluation.correct,
        feedback: evaluation.feedback.clone(),
        rubrics: Vec::new(),
    }
}

/// The samples in the order of an epoch, each with its place in the list.
fn order(samples: &[Sample], seed: u64, epoch: u32) -> Vec<(usize, &Sample)> {
    let mut all: Vec<(usize, &Sample)> = samples.iter().enumerate().collect();
    if seed != 0 {
        let parts = |place: usize| [seed.to_string(), epoch.to_string(), place.to_string()];
        all.sort_by_cached_key(|(place, _)| {
            let parts = parts(*place);
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            derived_hash(&parts)
        });
    }
    all
}

/// The environment that knows the right answers: equal but for case, space and marks around them.
pub struct Exact;

#[async_trait]
impl Environment for Exact {
    async fn evaluate(&self, sample: &Sample, answer: &str) -> Result<Evaluation, String> {
        let truth = sample.ground_truth.as_deref();
        let truth =
            truth.ok_or_else(|| format!("the sample `{}` has no `ground_truth`", sample.id))?;
        Ok(Evaluation {
            correct: Some(super::critic::normal(truth) == super::critic::normal(answer)),
            ..Evaluation::default()
        })
    }
}
