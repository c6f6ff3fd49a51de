//! Verb: report which bullets of a retrieval were used, helped, harmed or ignored.
//!
//! `used` and `ignored` are only marks on the retrieval; `helped` and `harmed` are marks and votes, written together in
//! one delta. A retrieval casts each vote once, however often, in whichever combination, and by however many callers it
//! is reported. The id of the delta is derived from the votes the retrieval had before, so of two deltas that start
//! from the same votes one is refused, reads again, and casts the rest.

use super::answers::AppliedDelta;
use super::prepared_delta::EncodedDelta;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::word_enum;
use hindlore_store::{Mark, RetrievalRecord, Returned};

use std::collections::{BTreeMap, BTreeSet};

word_enum! {
    /// The verdict on a returned bullet.
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
    /// Bullet ids with their verdicts; a bullet may have several, but not both `helped` and `harmed`.
    pub verdicts: Vec<(BulletId, Verdict)>,
    /// Author of the feedback.
    pub author: Option<String>,
}

/// The result of feedback.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackGiven {
    /// Number of marks in the retrieval's records.
    pub marked: usize,
    /// The deltas with the votes, one per memory that took part; none if every vote had been counted before
    /// as part of other feedback.
    pub applied: Vec<AppliedDelta>,
}

/// Verdicts in canonical order, without duplicates.
type Verdicts = BTreeSet<(BulletId, Verdict)>;

impl Engine {
    /// Marks returned bullets with verdicts. A repeated verdict changes nothing.
    pub async fn give_feedback(
        &self,
        key: &MemoryKey,
        feedback: Feedback,
    ) -> EngineResult<FeedbackGiven> {
        let verdicts: Verdicts = feedback.verdicts.iter().copied().collect();
        check(&verdicts)?;
        let mut records = Vec::new();
        // The record may still be deferred.
        self.flush(key).await?;
        // A retrieval over several memories has a record in each.
        for memory in key.recalled() {
            let found = self.store().retrieval(&memory, &feedback.retrieval).await?;
            records.extend(found.map(|record| (memory, record)));
        }
        if records.is_empty() {
            return Err(EngineError::NoRetrieval(feedback.retrieval));
        }
        if let Some(unknown) = verdicts
            .iter()
            .find(|(id, _)| !records.iter().any(|(_, record)| returned(record, *id)))
        {
            let reason = format!(
                "the retrieval `{}` did not return `{}`",
                feedback.retrieval, unknown.0
            );
            return Err(EngineError::Invalid(reason));
        }
        // Checked for all memories before the first write, so that a refusal changes none.
        for (_, record) in &records {
            check_opposites(record, &verdicts)?;
        }
        let mut given = FeedbackGiven {
            marked: 0,
            applied: Vec::new(),
        };
        for (memory, record) in records {
            let own = verdicts.iter().filter(|(id, _)| returned(&record, *id));
            let own: Verdicts = own.copied().collect();
            if own.is_empty() {
                continue;
            }
            given.marked += marks_of(&feedback.retrieval, &own).len();
            let applied = self.tell(&memory, record, &own, &feedback.author).await?;
            given.applied.extend(applied);
        }
        Ok(given)
    }

    /// Writes the verdicts that the record of a retrieval lacks; returns the delta of these votes.
    async fn tell(
        &self,
        memory: &MemoryKey,
        mut record: RetrievalRecord,
        verdicts: &Verdicts,
        author: &Option<String>,
    ) -> EngineResult<Option<AppliedDelta>> {
        let mut voted = None;
        // Each attempt that loses finds at least one more vote, and a bullet takes at most two; this bounds
        // the loop.
        for _ in 0..2 * record.returned.len() + 2 {
            check_opposites(&record, verdicts)?;
            let before = verdicts_of(&record);
            let lacking: Verdicts = verdicts.difference(&before).copied().collect();
            if lacking.is_empty() {
                return match voted {
                    None => self.earlier(memory, &record, verdicts).await,
                    voted => Ok(voted),
                };
            }
            let mut delta = votes(memory, &record.id, &before, &lacking);
            delta.origin.author = author.as_ref().map(|author| self.redacted(author).0);
            let marks = marks_of(&record.id, &lacking);
            match self.send_delta(memory, delta, marks).await {
                // Others cast the same votes from the same state; marks they did not set are still to be set.
                Ok(applied) if applied.repeated => voted = Some(applied),
                Ok(applied) if applied.changes.bullets.is_empty() => return Ok(voted),
                Ok(applied) => return Ok(Some(applied)),
                Err(EngineError::DeltaReused(_)) => {}
                Err(error) => return Err(error),
            }
            let found = self.store().retrieval(memory, &record.id).await?;
            record = found.ok_or(EngineError::NoRetrieval(record.id))?;
        }
        Err(EngineError::Contended(memory.clone()))
    }

    /// Finds the delta with exactly these votes, for a caller who repeats them after a lost answer.
    async fn earlier(
        &self,
        memory: &MemoryKey,
        record: &RetrievalRecord,
        verdicts: &Verdicts,
    ) -> EngineResult<Option<AppliedDelta>> {
        let before = verdicts_of(record).difference(verdicts).copied().collect();
        let delta = votes(memory, &record.id, &before, verdicts);
        if delta.operations.is_empty() {
            return Ok(None);
        }
        // The id comes from the earlier votes alone, so only the body proves that the votes are equal.
        let EncodedDelta { body_digest, .. } = EncodedDelta::new(&delta)?;
        let known = self.store().delta(memory, &delta.id).await?;
        let known = known.filter(|known| known.body_digest == body_digest);
        match known {
            Some(known) => Ok(Some(
                Box::pin(self.repeated_answer(memory, known.receipt)).await?,
            )),
            None => Ok(None),
        }
    }
}

/// Refuses empty feedback, and feedback that contradicts itself.
fn check(verdicts: &Verdicts) -> EngineResult<()> {
    if verdicts.is_empty() {
        return Err(EngineError::Invalid(
            "the feedback names no bullet".to_owned(),
        ));
    }
    let both = |id: BulletId| {
        [Verdict::Helped, Verdict::Harmed]
            .iter()
            .all(|verdict| verdicts.contains(&(id, *verdict)))
    };
    match verdicts.iter().find(|(id, _)| both(*id)) {
        Some((id, _)) => Err(EngineError::Invalid(format!(
            "the feedback marks `{id}` as both helpful and harmful; give one of them"
        ))),
        None => Ok(()),
    }
}

/// Refuses the opposite of a recorded vote: one retrieval casts one vote per bullet.
fn check_opposites(record: &RetrievalRecord, verdicts: &Verdicts) -> EngineResult<()> {
    let before = verdicts_of(record);
    let opposite = |verdict: &Verdict| match verdict {
        Verdict::Helped => Some(Verdict::Harmed),
        Verdict::Harmed => Some(Verdict::Helped),
        Verdict::Used | Verdict::Ignored => None,
    };
    for (id, verdict) in verdicts {
        if let Some(said) = opposite(verdict).filter(|other| before.contains(&(*id, *other))) {
            return Err(EngineError::Invalid(format!(
                "the feedback on `{}` said before that `{id}` {said}, and that vote is counted; to take it back, \
                 undo its delta or TAG the bullet",
                record.id
            )));
        }
    }
    Ok(())
}

fn returned(record: &RetrievalRecord, id: BulletId) -> bool {
    record.returned.iter().any(|one| one.bullet == id)
}

/// Verdicts already recorded.
fn verdicts_of(record: &RetrievalRecord) -> Verdicts {
    let of = |one: &Returned| {
        let set = [
            (one.used, Verdict::Used),
            (one.helped, Verdict::Helped),
            (one.harmed, Verdict::Harmed),
            (one.ignored, Verdict::Ignored),
        ];
        let bullet = one.bullet;
        set.into_iter()
            .filter_map(move |(is_set, verdict)| is_set.then_some((bullet, verdict)))
    };
    record.returned.iter().flat_map(of).collect()
}

fn marks_of(retrieval: &str, verdicts: &Verdicts) -> Vec<Mark> {
    let mut marks: BTreeMap<BulletId, Mark> = BTreeMap::new();
    for (bullet, verdict) in verdicts {
        let mark = marks
            .entry(*bullet)
            .or_insert_with(|| Mark::on(retrieval, *bullet));
        match verdict {
            Verdict::Used => mark.used = true,
            Verdict::Helped => mark.helped = true,
            Verdict::Harmed => mark.harmed = true,
            Verdict::Ignored => mark.ignored = true,
        }
    }
    marks.into_values().collect()
}

/// The votes among new verdicts as a delta. Its id is derived from the earlier votes alone.
fn votes(key: &MemoryKey, retrieval: &str, before: &Verdicts, new: &Verdicts) -> Delta {
    // A mark is no vote, so it must not change the id.
    let said = before
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Helped | Verdict::Harmed))
        .map(|(id, verdict)| format!("{id} {verdict}"));
    let said: Vec<String> = said.collect();
    let id = DeltaId::from_verb("feedback", &[&key.derived(), retrieval, &said.join(",")]);
    let tags = new.iter().filter_map(|(id, verdict)| {
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
