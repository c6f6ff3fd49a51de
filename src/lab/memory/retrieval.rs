//! Which lessons are returned: gathered from the keeper, scored as the specification says.

use crate::domain::lesson::fingerprint::{Fingerprints, Level};
use crate::domain::lesson::ids::{FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Lesson, Place};
use crate::domain::lesson::run::RunRecord;
use crate::domain::text::similarity::jaccard;
use crate::domain::text::words::standard_words;
use crate::domain::timestamp::Timestamp;

use super::keeper::Keeper;

/// Earlier runs whose failures are the recent context of a run.
const CONTEXT_RUNS: usize = 4;
const DAY_MS: f64 = 86_400_000.0;

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Query {
    pub(super) place: Place,
    pub(super) text: String,
    pub(super) at: Timestamp,
    pub(super) error: Option<(Fingerprints, Vec<String>)>,
}

/// A lesson that answers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub(super) lesson: LessonId,
    /// The fingerprint that called for it.
    pub(super) trigger: Option<(FingerprintId, Level)>,
    /// What it is in force for, sorted.
    pub(super) triggers: Vec<FingerprintId>,
    pub(super) score: f64,
}

/// Lessons for a run: those that the last failures with this tool call for.
pub(super) fn before_run(keeper: &Keeper, query: &Query) -> Vec<Found> {
    let is_near = |run: &&RunRecord| run.place.tool == query.place.tool;
    let recent: Vec<&RunRecord> = keeper
        .runs
        .iter()
        .rev()
        .filter(is_near)
        .take(CONTEXT_RUNS)
        .collect();
    let scored = live(keeper, query).filter_map(|lesson| {
        let anchor = if recent.iter().any(|run| run.raised(&lesson.triggers)) {
            1.0
        } else {
            0.0
        };
        scored(keeper, query, lesson, (anchor, 0.0, None))
    });
    guarded(
        keeper,
        scored.collect(),
        keeper.numbers.retrieval.pre_run_max,
    )
}

/// Lessons for an error.
pub(super) fn on_error(keeper: &Keeper, query: &Query) -> Vec<Found> {
    let Some((fingerprints, tags)) = &query.error else {
        return Vec::new();
    };
    let (fine, coarse) = (fingerprints.fine.id, fingerprints.coarse.id);
    let scored = live(keeper, query).filter_map(|lesson| {
        let has = |id: FingerprintId| lesson.triggers.binary_search(&id).is_ok();
        let (matched, trigger) = match (has(fine), has(coarse)) {
            (true, _) => (1.0, Some((fine, Level::Fine))),
            (_, true) => (
                keeper.numbers.retrieval.coarse_match,
                Some((coarse, Level::Coarse)),
            ),
            _ => (0.0, None),
        };
        scored(
            keeper,
            query,
            lesson,
            (matched, jaccard(&lesson.tags, tags), trigger),
        )
    });
    let mut found: Vec<Found> = scored.collect();
    // Exact hits first; neighbours only where there is none.
    if found.iter().any(|found| found.trigger.is_some()) {
        found.retain(|found| found.trigger.is_some());
    }
    guarded(keeper, found, keeper.numbers.retrieval.on_error_max)
}

fn live<'k>(keeper: &'k Keeper, query: &'k Query) -> impl Iterator<Item = &'k Lesson> {
    let belongs =
        |lesson: &&Lesson| lesson.status.is_live() && lesson.place.tool == query.place.tool;
    keeper.lessons.values().filter(belongs)
}

fn scored(
    keeper: &Keeper,
    query: &Query,
    lesson: &Lesson,
    (matched, tags, trigger): (f64, f64, Option<(FingerprintId, Level)>),
) -> Option<Found> {
    let numbers = &keeper.numbers.retrieval;
    let words = |text: &str| {
        let mut words = standard_words(text);
        words.sort_unstable();
        words.dedup();
        words
    };
    let text = jaccard(&words(&query.text), &words(lesson.rule.as_str()));
    // Reliability alone is no reason to return a lesson.
    if matched == 0.0 && tags == 0.0 && text == 0.0 {
        return None;
    }
    let days = (query.at.millis() - lesson.evidence_at.millis()).max(0) as f64 / DAY_MS;
    let score = numbers.fingerprint_weight * matched
        + numbers.tag_weight * tags
        + numbers.text_weight * text
        + numbers.reliability_weight * lesson.reliability
        + numbers.recency_weight / (1.0 + days / numbers.recency_days);
    let triggers = trigger.map_or_else(|| lesson.triggers.clone(), |(id, _)| vec![id]);
    Some(Found {
        lesson: lesson.id,
        trigger,
        triggers,
        score,
    })
}

/// The best, but not too many from one source or about one thing.
fn guarded(keeper: &Keeper, mut found: Vec<Found>, limit: usize) -> Vec<Found> {
    let numbers = &keeper.numbers.retrieval;
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.lesson.cmp(&b.lesson)));
    let mut kept: Vec<Found> = Vec::new();
    for candidate in found {
        let Some(lesson) = keeper.lessons.get(&candidate.lesson) else {
            continue;
        };
        let same = |of: &dyn Fn(&Lesson) -> Option<String>| {
            let own = of(lesson);
            let others = kept
                .iter()
                .filter_map(|other| keeper.lessons.get(&other.lesson));
            own.map_or(0, |own| {
                others
                    .filter(|other| of(other).as_ref() == Some(&own))
                    .count()
            })
        };
        let of_run = same(&|lesson| lesson.source_runs.first().cloned());
        let of_tag = same(&|lesson| lesson.tags.first().cloned());
        if of_run < numbers.per_source_run && of_tag < numbers.per_tag {
            kept.push(candidate);
        }
        if kept.len() == limit {
            break;
        }
    }
    kept
}
