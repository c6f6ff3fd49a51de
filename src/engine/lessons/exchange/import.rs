//! Verb: take lessons in that another program learned.
//!
//! They pass the same checks as the lessons of a run: a known lesson is merged, one that repeats a suppressed lesson
//! starts suppressed, and contradictions are linked.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::redact;
use crate::lessons::requests::ImportedLesson;
use crate::lessons::rules::LessonRules;
use crate::lessons::runs::working_set::LessonWorkingSet;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson};
use hindlore_errors::fingerprint::Fingerprint;
use hindlore_primitives::identity::hex;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use hindlore_store::lessons::rows::{LessonSource, NewFingerprint, OperationReceipt};
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};

/// Lessons that one transaction takes in: with all triggers that they may have, one request names them.
const BATCH: usize = 32;

/// Lessons to take in.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonImport {
    /// Their source.
    pub source: String,
    /// The lessons, in the order of the source.
    pub lessons: Vec<ImportedLesson>,
    /// Fingerprints that errors of the source have, with their texts and tags.
    pub fingerprints: Vec<(Fingerprint, Vec<String>)>,
}

/// The result of the import.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "each field counts what its name says")]
pub struct LessonsImported {
    pub new: u64,
    pub merged: u64,
    pub confirmed: u64,
    /// Suppressed from the start, because a suppressed lesson has the same rule.
    pub inherited: u64,
    pub conflicts: u64,
    /// Batches that were taken in before; their lessons are counted above as they were then.
    pub repeated: u64,
    /// The lessons, in the order of the source.
    pub ids: Vec<LessonId>,
    /// The secrets that were taken out of the lessons.
    #[serde(skip)]
    pub redacted: Redactions,
}

impl Engine {
    /// Takes lessons in; the same import sent again counts once.
    pub async fn import_lessons(
        &self,
        owner: &LearnerId,
        mut import: LessonImport,
    ) -> EngineResult<LessonsImported> {
        let mut sweep = self.redactor().sweep();
        for lesson in &mut import.lessons {
            redact::imported(&mut sweep, lesson);
        }
        for (fingerprint, tags) in &mut import.fingerprints {
            let texts = tags.iter_mut().chain([&mut fingerprint.normalised]);
            texts.for_each(|text| sweep.text(text));
        }
        let (rules, now) = (self.rules().clone(), self.now());
        let mut all = LessonsImported {
            redacted: sweep.finish(),
            ..LessonsImported::default()
        };
        let known = import.fingerprints.into_iter();
        let mut fingerprints: Vec<NewFingerprint> = known
            .map(|(fingerprint, tags)| NewFingerprint { fingerprint, tags })
            .collect();
        for part in import.lessons.chunks(BATCH) {
            let lessons = part
                .iter()
                .map(|one| lesson_of(owner, one, &rules.tags, now));
            let batch = Batch {
                source: import.source.clone(),
                operation: format!("import:{}", hex(&Sha256::digest(format!("{part:?}")))),
                lessons: lessons.collect(),
                // Sent with the first batch alone, so that each fingerprint is counted once.
                fingerprints: std::mem::take(&mut fingerprints),
                now,
            };
            let one = self.import_batch(owner, batch).await?;
            all.new += one.new;
            all.merged += one.merged;
            all.confirmed += one.confirmed;
            all.inherited += one.inherited;
            all.conflicts += one.conflicts;
            all.repeated += one.repeated;
            all.ids.extend(one.ids);
        }
        Ok(all)
    }

    async fn import_batch(&self, owner: &LearnerId, batch: Batch) -> EngineResult<LessonsImported> {
        let triggers: BTreeSet<FingerprintId> = batch
            .lessons
            .iter()
            .flat_map(|lesson| lesson.triggers.iter().copied())
            .collect();
        let ask = Ask {
            operation: Some(batch.operation.clone()),
            // One without a trigger is known by its id alone.
            lessons: batch.lessons.iter().map(|lesson| lesson.id).collect(),
            triggered_by: triggers.into_iter().collect(),
            ..Ask::default()
        };
        let rules = self.rules().clone();
        self.decide(owner, ask, move |gathered| batch.decide(gathered, &rules))
            .await
    }
}

/// Lessons that are taken in together.
struct Batch {
    source: String,
    /// The content alone names the import: the same file under another name counts once, too.
    operation: String,
    lessons: Vec<Lesson>,
    fingerprints: Vec<NewFingerprint>,
    now: Timestamp,
}

impl Batch {
    fn decide(
        &self,
        gathered: Gathered,
        rules: &LessonRules,
    ) -> EngineResult<(LessonCommit, LessonsImported)> {
        if let Some(receipt) = &gathered.receipt {
            let mut answer: LessonsImported =
                serde_json::from_str(&receipt.answer).map_err(|error| {
                    EngineError::Invalid(format!("the receipt is damaged: {error}"))
                })?;
            answer.repeated = 1;
            return Ok((LessonCommit::default(), answer));
        }
        let mut working_set = LessonWorkingSet::new(gathered.lessons);
        let (mut commit, mut answer) = (LessonCommit::default(), LessonsImported::default());
        for new in &self.lessons {
            let (lesson, how) = working_set.place(new.clone(), rules);
            match how {
                "new" => answer.new += 1,
                "merged" => answer.merged += 1,
                "confirmed" => answer.confirmed += 1,
                _ => answer.inherited += 1,
            }
            let found = working_set.conflicts_of(&lesson, rules, self.now);
            commit.conflicts.extend(found);
            commit.sources.push(LessonSource {
                lesson: lesson.id,
                run: self.source.clone(),
                origin: Origin::Import,
                steps: Vec::new(),
                events: Vec::new(),
                at: self.now,
            });
            answer.ids.push(lesson.id);
        }
        // Two new lessons of one batch find the same conflict, each from its own side.
        commit.conflicts.sort_by_key(|row| (row.first, row.second));
        commit.conflicts.dedup_by_key(|row| (row.first, row.second));
        answer.conflicts = commit.conflicts.len() as u64;
        commit.lessons = working_set.changed();
        commit.fingerprints.clone_from(&self.fingerprints);
        commit.receipt = Some(OperationReceipt {
            operation: self.operation.clone(),
            // The name holds the digest of the contents already.
            body_digest: self.operation.clone(),
            answer: serde_json::to_string(&answer)
                .map_err(|error| EngineError::Invalid(error.to_string()))?,
            at: self.now,
        });
        Ok((commit, answer))
    }
}

fn lesson_of(
    owner: &LearnerId,
    imported: &ImportedLesson,
    tags: &hindlore_errors::tag::TagRules,
    now: Timestamp,
) -> Lesson {
    let given = imported.tags.iter().map(|tag| tags.canonical(tag));
    let mut own: Vec<String> = given.filter(|tag| !tag.is_empty()).collect();
    if own.is_empty() {
        own = tags.of_text(imported.rule.as_str());
    }
    let mut lesson = Lesson::new(NewLesson {
        owner: owner.clone(),
        rule: imported.rule.clone(),
        triggers: imported.triggers.clone(),
        tags: own,
        reach: imported.reach,
        place: imported.place.clone(),
        source_run: imported.source_runs.first().cloned(),
        status: imported.status,
        // The clock of the other program may be ahead; no lesson may come from the future.
        at: imported.created_at.unwrap_or(now).min(now),
    });
    lesson.reliability = imported.reliability.clamp(0.0, 1.0);
    lesson.counts = imported.counts;
    lesson.impact = imported.impact;
    lesson.evidence_at = imported.evidence_at.unwrap_or(lesson.created_at).min(now);
    lesson
}
