//! The question: the moment, the error or the task, and its place.

use crate::lesson::lesson::{LearnerId, Place};
use hindlore_errors::fingerprint::{Fingerprints, Level};
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

/// How the reached lessons are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RankingMode {
    /// By score.
    #[default]
    Direct,
    /// By personalised PageRank over the reached neighbourhood, then by score.
    PageRank,
}

/// The occasion of a question for lessons.
#[derive(Clone, PartialEq, Debug)]
pub enum Call {
    /// Before a run: the last failures of this task or domain, the newest first.
    PreRun {
        /// Their fingerprints.
        recent: Vec<Fingerprints>,
    },
    /// After a failed step.
    OnError {
        /// Its two fingerprints.
        fingerprints: Fingerprints,
        /// The failed action; absent if only the message is known.
        action: Option<Value>,
        /// The message is too general to identify a failure without its action.
        is_hub: bool,
    },
}

/// A question.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonQuery {
    /// The owner of the lessons.
    pub owner: LearnerId,
    /// The occasion.
    pub call: Call,
    /// The task intent, or the error with the action.
    pub text: String,
    /// Tags of the error or of the recent failures, in the names of the vocabulary.
    pub tags: Vec<String>,
    /// Task, domain and tool.
    pub place: Place,
    /// The most lessons; the configured number when absent.
    pub max_results: Option<usize>,
    /// How they are ordered.
    pub mode: RankingMode,
    /// Now.
    pub at: Timestamp,
}

impl LessonQuery {
    /// The errors that call for lessons, the newest first.
    pub fn errors(&self) -> &[Fingerprints] {
        match &self.call {
            Call::PreRun { recent } => recent,
            Call::OnError { fingerprints, .. } => std::slice::from_ref(fingerprints),
        }
    }

    /// The fingerprints that the walk starts from, each once: of every error the fine one first.
    pub fn starts(&self) -> Vec<(FingerprintId, Level)> {
        let mut starts: Vec<(FingerprintId, Level)> = Vec::new();
        for error in self.errors() {
            for (id, level) in [
                (error.fine.id, Level::Fine),
                (error.coarse.id, Level::Coarse),
            ] {
                if !starts.iter().any(|(known, _)| *known == id) {
                    starts.push((id, level));
                }
            }
        }
        starts
    }

    /// Returns true if it is asked before a run of which nothing is known but words: then everything is near.
    pub fn is_anywhere(&self) -> bool {
        !self.is_on_error() && self.place == Place::default()
    }

    /// Returns true if it is asked after a failed step.
    pub fn is_on_error(&self) -> bool {
        matches!(self.call, Call::OnError { .. })
    }
}
