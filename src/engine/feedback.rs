//! Verb: say what became of the bullets that a retrieval returned.
//!
//! `used` and `ignored` stay marks on the retrieval; `helped` and `harmed` are marks and votes, written
//! together in one delta.

use super::Engine;
use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use crate::domain::memory::bullet::{BulletId, words};
use crate::domain::memory::delta::{Delta, DeltaId, Operation, TagCounts};
use crate::domain::memory::key::MemoryKey;
use crate::store::{Mark, RetrievalRecord};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

words! {
    /// What became of a returned bullet.
    Verdict {
        /// The agent used it.
        Used = "used",
        /// It helped.
        Helped = "helped",
        /// It did harm.
        Harmed = "harmed",
        /// The agent passed it over.
        Ignored = "ignored",
    }
}

/// Feedback on one retrieval.
#[derive(Clone, PartialEq, Debug)]
pub struct Feedback {
    /// The retrieval.
    pub retrieval: String,
    /// Bullets by their ids, with what became of them; a bullet may have several verdicts.
    pub verdicts: Vec<(BulletId, Verdict)>,
    /// Who says so.
    pub author: Option<String>,
}

/// What feedback did.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackGiven {
    /// Number of marks in the retrieval's records.
    pub marked: usize,
    /// The deltas that carry the votes, one for each memory that took part.
    pub applied: Vec<AppliedDelta>,
}

impl Engine {
    /// Marks what became of returned bullets. The same feedback again changes nothing.
    pub async fn give_feedback(
        &self,
        key: &MemoryKey,
        feedback: Feedback,
    ) -> EngineResult<FeedbackGiven> {
        if feedback.verdicts.is_empty() {
            return Err(EngineError::Invalid(
                "the feedback names no bullet".to_owned(),
            ));
        }
        let mut records = Vec::new();
        // The record may be one that is still to be written.
        self.flush(key).await?;
        for memory in [key.clone(), key.shared()] {
            if records.iter().any(|(known, _)| *known == memory) {
                continue;
            }
            let found = self.store().retrieval(&memory, &feedback.retrieval).await?;
            records.extend(found.map(|record| (memory, record)));
        }
        if records.is_empty() {
            return Err(EngineError::NoRetrieval(feedback.retrieval));
        }
        if let Some(unknown) = feedback
            .verdicts
            .iter()
            .find(|(id, _)| !returned_by_any(&records, *id))
        {
            let reason = format!(
                "the retrieval `{}` did not return `{}`",
                feedback.retrieval, unknown.0
            );
            return Err(EngineError::Invalid(reason));
        }
        let mut given = FeedbackGiven {
            marked: 0,
            applied: Vec::new(),
        };
        for (memory, record) in records {
            let own = |id: &BulletId| record.returned.iter().any(|one| one.bullet == *id);
            let verdicts: Vec<_> = feedback
                .verdicts
                .iter()
                .filter(|(id, _)| own(id))
                .copied()
                .collect();
            if verdicts.is_empty() {
                continue;
            }
            let marks = marks_of(&feedback.retrieval, &verdicts);
            given.marked += marks.len();
            let mut delta = votes(&memory, &feedback.retrieval, &verdicts);
            delta.origin.author = feedback.author.clone();
            let applied = self.apply_marked(&memory, delta, marks).await?;
            if !applied.changes.bullets.is_empty() || applied.repeated {
                given.applied.push(applied);
            }
        }
        Ok(given)
    }
}

fn returned_by_any(records: &[(MemoryKey, RetrievalRecord)], id: BulletId) -> bool {
    records
        .iter()
        .any(|(_, record)| record.returned.iter().any(|one| one.bullet == id))
}

fn marks_of(retrieval: &str, verdicts: &[(BulletId, Verdict)]) -> Vec<Mark> {
    let mut marks: BTreeMap<BulletId, Mark> = BTreeMap::new();
    for (bullet, verdict) in verdicts {
        let mark = marks.entry(*bullet).or_insert_with(|| Mark {
            retrieval: retrieval.to_owned(),
            bullet: *bullet,
            injected: false,
            used: false,
            helped: false,
            harmed: false,
            ignored: false,
        });
        match verdict {
            Verdict::Used => mark.used = true,
            Verdict::Helped => mark.helped = true,
            Verdict::Harmed => mark.harmed = true,
            Verdict::Ignored => mark.ignored = true,
        }
    }
    marks.into_values().collect()
}

/// The votes as a delta whose id follows from what is said, so that saying it again changes nothing.
fn votes(key: &MemoryKey, retrieval: &str, verdicts: &[(BulletId, Verdict)]) -> Delta {
    let mut sorted: Vec<(BulletId, Verdict)> = verdicts.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let said: Vec<String> = sorted
        .iter()
        .map(|(id, verdict)| format!("{id} {verdict}"))
        .collect();
    let id = DeltaId::derive(&["feedback", &key.derived(), retrieval, &said.join(",")]);
    let tags = sorted.iter().filter_map(|(id, verdict)| {
        let (helpful, harmful) = match verdict {
            Verdict::Helped => (1, 0),
            Verdict::Harmed => (0, 1),
            Verdict::Used | Verdict::Ignored => return None,
        };
        Some(Operation::Tag(TagCounts {
            id: (*id).into(),
            helpful,
            harmful,
            neutral: 0,
        }))
    });
    let mut delta = Delta::new(id, tags.collect());
    delta.reasoning = Some(format!("feedback on {retrieval}"));
    delta
}
