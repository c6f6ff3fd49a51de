//! The choice: from the lessons reached to those returned, with the reason for each omission.

use std::collections::BTreeMap;

use super::page_rank::page_rank;
use super::query::{LessonQuery, RankingMode};
use super::score::{Asked, Nearness, ScoreParts};
use super::walk::{Path, Reached, Walked};
use crate::lesson::activation::RetrievalChannel;
use crate::lesson::lesson::Lesson;
use crate::lesson::lesson_policy::RetrievalNumbers;
use crate::lesson::lifecycle::{Contradiction, unproved_opposite};
use hindlore_errors::tag::UNCATEGORIZED;
use hindlore_primitives::ids::LessonId;

/// A returned lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonHit {
    /// Which.
    pub lesson: LessonId,
    /// Its ranking value: the weighted sum, in the transfer lane times its weight.
    pub score: f64,
    /// The parts of the score.
    pub parts: ScoreParts,
    /// By which door it came.
    pub lane: RetrievalChannel,
    /// How it was reached.
    pub path: Path,
    /// Lessons left out because they contradict this one.
    pub beat: Vec<LessonId>,
}

/// Why a reached lesson is not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// It is suppressed, archived, or of another owner.
    NotLive,
    /// Nothing in fingerprint, tag or text speaks for it.
    NoAnchor,
    /// The error is another one: no fingerprint agrees, and tool and text do not agree enough.
    NoFit,
    /// It belongs to another domain, and enough is known about this one.
    OtherDomain,
    /// It contradicts a better one, or an opposite one while neither is proved.
    Contradicted(LessonId),
    /// Its source run has its share.
    SourceRun,
    /// Its leading tag has its share.
    TagBucket,
    /// It was offered often and never followed, and there is another.
    Idle,
    /// There are enough.
    Enough,
}

/// The answer.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Chosen {
    /// Returned lessons, the best first.
    pub hits: Vec<LessonHit>,
    /// The others, by id.
    pub left_out: BTreeMap<LessonId, LeftOut>,
}

/// Chooses among the reached lessons; `conflicts` are the pairs among them that are linked.
pub fn choose(
    query: &LessonQuery,
    walked: &Walked,
    lessons: &[Lesson],
    conflicts: &[Contradiction],
    numbers: &RetrievalNumbers,
) -> Chosen {
    let mut chosen = Chosen::default();
    let asked = Asked::new(query);
    let by_id: BTreeMap<LessonId, &Lesson> =
        lessons.iter().map(|lesson| (lesson.id, lesson)).collect();
    let mut scored: Vec<Scored<'_>> = Vec::new();
    for reached in walked.reached.values() {
        let Some(lesson) = by_id.get(&reached.lesson) else {
            continue;
        };
        match scored_or_left_out(&asked, lesson, reached, numbers) {
            Ok(row) => scored.push(row),
            Err(reason) => drop(chosen.left_out.insert(reached.lesson, reason)),
        }
    }
    if query.mode == RankingMode::PageRank {
        let ranks = page_rank(walked);
        for row in &mut scored {
            row.rank = ranks.get(&row.lesson.id).copied().unwrap_or_default();
        }
    }
    scored.sort_by(Scored::order);
    let scored = without_transfer(scored, numbers, &mut chosen);
    let scored = without_contradicted(scored, conflicts, &mut chosen);
    let scored = without_idle(scored, numbers, &mut chosen);
    guarded(scored, query, numbers, &mut chosen);
    chosen
}

struct Scored<'l> {
    lesson: &'l Lesson,
    parts: ScoreParts,
    lane: RetrievalChannel,
    /// On an error its first ranking criterion; before a run all are [`Nearness::Neighbour`].
    nearness: Nearness,
    score: f64,
    /// The PageRank, in that mode.
    rank: f64,
    path: Path,
    beat: Vec<LessonId>,
}

impl Scored<'_> {
    /// The strict lane first, on an error the nearest trigger, then proved before learned, then by rank and score; equal
    /// ones by newer evidence and id. Of lessons that the very error triggers, one with a working form comes before one
    /// that only names the failing form: the reader needs the way out.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let offers_nothing =
            |row: &Self| row.nearness == Nearness::Fine && row.lesson.rule.only_forbids();
        self.lane
            .cmp(&other.lane)
            .then_with(|| self.nearness.cmp(&other.nearness))
            .then_with(|| offers_nothing(self).cmp(&offers_nothing(other)))
            .then_with(|| other.lesson.is_proved().cmp(&self.lesson.is_proved()))
            .then_with(|| other.rank.total_cmp(&self.rank))
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| other.lesson.evidence_at.cmp(&self.lesson.evidence_at))
            .then_with(|| self.lesson.id.cmp(&other.lesson.id))
    }
}

fn scored_or_left_out<'l>(
    asked: &Asked<'_>,
    lesson: &'l Lesson,
    reached: &Reached,
    numbers: &RetrievalNumbers,
) -> Result<Scored<'l>, LeftOut> {
    if !lesson.status.is_live() || lesson.owner != asked.query.owner {
        return Err(LeftOut::NotLive);
    }
    let parts = asked.parts(lesson, reached, numbers);
    if parts.anchor() <= 0.0 {
        return Err(LeftOut::NoAnchor);
    }
    if !asked.fits(lesson, reached, numbers) {
        return Err(LeftOut::NoFit);
    }
    let nearness = if asked.query.is_on_error() {
        asked.nearness(lesson)
    } else {
        Nearness::Neighbour
    };
    let lane = asked.lane(lesson);
    let weight = if lane == RetrievalChannel::Strict {
        1.0
    } else {
        numbers.transfer_weight
    };
    let score = weight * parts.score(numbers);
    Ok(Scored {
        lesson,
        parts,
        lane,
        nearness,
        score,
        rank: 0.0,
        path: reached.path.clone(),
        beat: Vec::new(),
    })
}

/// Lessons of other domains only help out: few, well anchored, and when this domain has nothing good.
fn without_transfer<'l>(
    scored: Vec<Scored<'l>>,
    numbers: &RetrievalNumbers,
    chosen: &mut Chosen,
) -> Vec<Scored<'l>> {
    let strict = scored
        .iter()
        .filter(|row| row.lane == RetrievalChannel::Strict);
    let best = strict.map(|row| row.score).max_by(f64::total_cmp);
    let weak = best.is_none_or(|best| best < numbers.strict_weak_below);
    let mut transferred = 0;
    let mut kept = Vec::new();
    for row in scored {
        let admitted = row.lane == RetrievalChannel::Strict
            || (weak
                && transferred < numbers.transfer_max
                && row.parts.anchor() >= numbers.transfer_anchor_min);
        if admitted {
            transferred += usize::from(row.lane == RetrievalChannel::Transfer);
            kept.push(row);
        } else {
            chosen.left_out.insert(row.lesson.id, LeftOut::OtherDomain);
        }
    }
    kept
}

/// Of two contradicting lessons one stays: a proved one, then on an error the nearer one, so that no weaker hit displaces
/// a lesson about this very error; then higher reliability, newer evidence, score. Of two opposites none stays until one
/// is proved.
fn without_contradicted<'l>(
    mut scored: Vec<Scored<'l>>,
    conflicts: &[Contradiction],
    chosen: &mut Chosen,
) -> Vec<Scored<'l>> {
    let scored_before: Vec<&Lesson> = scored.iter().map(|row| row.lesson).collect();
    scored.retain(|row| {
        let others = scored_before.iter().copied();
        let opposite = unproved_opposite(row.lesson, others, conflicts);
        if let Some(other) = opposite {
            let reason = LeftOut::Contradicted(other.id);
            chosen.left_out.insert(row.lesson.id, reason);
        }
        opposite.is_none()
    });
    let mut strongest: Vec<usize> = (0..scored.len()).collect();
    strongest.sort_by(|a, b| {
        let (a, b) = (&scored[*a], &scored[*b]);
        b.lesson
            .is_proved()
            .cmp(&a.lesson.is_proved())
            .then_with(|| a.nearness.cmp(&b.nearness))
            .then_with(|| b.lesson.reliability.total_cmp(&a.lesson.reliability))
            .then_with(|| b.lesson.evidence_at.cmp(&a.lesson.evidence_at))
            .then_with(|| b.score.total_cmp(&a.score))
            .then_with(|| a.lesson.id.cmp(&b.lesson.id))
    });
    let linked = |a: LessonId, b: LessonId| conflicts.iter().any(|pair| pair.joins(a, b));
    let mut staying: Vec<usize> = Vec::new();
    for at in strongest {
        let id = scored[at].lesson.id;
        let winner = staying
            .iter()
            .copied()
            .find(|other| linked(scored[*other].lesson.id, id));
        match winner {
            Some(winner) => {
                chosen
                    .left_out
                    .insert(id, LeftOut::Contradicted(scored[winner].lesson.id));
                scored[winner].beat.push(id);
            }
            None => staying.push(at),
        }
    }
    staying.sort_unstable();
    let mut at = 0;
    scored.retain(|_| {
        at += 1;
        staying.binary_search(&(at - 1)).is_ok()
    });
    scored
}

/// A lesson that is never followed would take the place of one that might be; alone it does no harm.
fn without_idle<'l>(
    scored: Vec<Scored<'l>>,
    numbers: &RetrievalNumbers,
    chosen: &mut Chosen,
) -> Vec<Scored<'l>> {
    let is_idle = |row: &Scored<'_>| row.lesson.proof.is_idle(numbers);
    if scored.iter().all(is_idle) {
        return scored;
    }
    let (idle, kept): (Vec<_>, Vec<_>) = scored.into_iter().partition(is_idle);
    for row in idle {
        chosen.left_out.insert(row.lesson.id, LeftOut::Idle);
    }
    kept
}

/// The first tag of a lesson that names a kind of failure; where it happened and that it happened do not.
fn kind_of(lesson: &Lesson) -> Option<&str> {
    let names_kind = |tag: &&str| {
        !tag.starts_with("surface_") && !matches!(*tag, UNCATEGORIZED | "nonzero_exit")
    };
    lesson.tags.iter().map(String::as_str).find(names_kind)
}

/// Keeps one source or one kind of failure from filling the answer. Lessons that the very error triggers do not fill
/// it: they are counted, and limited by the number of results alone.
fn guarded(
    scored: Vec<Scored<'_>>,
    query: &LessonQuery,
    numbers: &RetrievalNumbers,
    chosen: &mut Chosen,
) {
    let configured = if query.is_on_error() {
        numbers.on_error_max
    } else {
        numbers.pre_run_max
    };
    let max = query.max_results.unwrap_or(configured);
    let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
    for row in scored {
        let run = row.lesson.source_runs.first().map(String::as_str);
        let tag = kind_of(row.lesson);
        let full = |counts: &BTreeMap<&str, usize>, key: Option<&str>, most: usize| {
            key.is_some_and(|key| counts.get(key).copied().unwrap_or_default() >= most)
        };
        let reason = if chosen.hits.len() >= max {
            Some(LeftOut::Enough)
        } else if row.nearness == Nearness::Fine {
            None
        } else if full(&runs, run, numbers.per_source_run) {
            Some(LeftOut::SourceRun)
        } else if full(&tags, tag, numbers.per_tag) {
            Some(LeftOut::TagBucket)
        } else {
            None
        };
        if let Some(reason) = reason {
            chosen.left_out.insert(row.lesson.id, reason);
            continue;
        }
        run.into_iter()
            .for_each(|run| *runs.entry(run).or_default() += 1);
        tag.into_iter()
            .for_each(|tag| *tags.entry(tag).or_default() += 1);
        let Scored {
            lesson,
            parts,
            lane,
            score,
            path,
            beat,
            ..
        } = row;
        chosen.hits.push(LessonHit {
            lesson: lesson.id,
            score,
            parts,
            lane,
            path,
            beat,
        });
    }
}
