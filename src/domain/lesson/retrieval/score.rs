//! The score of a lesson for a question, with its parts.

use super::floor::{error_similarity, is_same_tool};
use super::query::{Call, LessonQuery};
use super::walk::{Path, Reached};
use crate::lesson::activation::RetrievalChannel;
use crate::lesson::learning::failed_action::FailedAction;
use crate::lesson::lesson::{Lesson, Reach};
use crate::lesson::lesson_policy::RetrievalNumbers;
use hindlore_errors::fingerprint::{Level, pieces};
use hindlore_errors::tag::UNCATEGORIZED;
use hindlore_primitives::ids::FingerprintId;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::search_terms;

/// The parts of a score, each 0..=1.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct ScoreParts {
    /// How far the fingerprints agree.
    pub fingerprint_match: f64,
    /// Common tags over all tags.
    pub tag_overlap: f64,
    /// Common search terms over all.
    pub text_similarity: f64,
    /// The lesson's reliability.
    pub reliability: f64,
    /// 1 for evidence of now, ½ after `recency_days`.
    pub recency: f64,
}

impl ScoreParts {
    /// The relation of the lesson to the question; reliability and recency alone are no reason.
    pub fn anchor(&self) -> f64 {
        self.fingerprint_match
            .max(self.tag_overlap)
            .max(self.text_similarity)
    }

    /// The weighted sum.
    pub fn score(&self, numbers: &RetrievalNumbers) -> f64 {
        numbers.fingerprint_weight * self.fingerprint_match
            + numbers.tag_weight * self.tag_overlap
            + numbers.text_weight * self.text_similarity
            + numbers.reliability_weight * self.reliability
            + numbers.recency_weight * self.recency
    }
}

/// How near a lesson's trigger is to the question's errors, the nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Nearness {
    /// The fine fingerprint agrees.
    Fine,
    /// The coarse one does.
    Coarse,
    /// Neither does.
    Neighbour,
}

/// The question with its derived values.
pub(crate) struct Asked<'q> {
    pub(crate) query: &'q LessonQuery,
    tags: Vec<&'q str>,
    terms: Vec<String>,
    starts: Vec<(FingerprintId, Level)>,
    /// The pieces of every error.
    pieces: Vec<Vec<String>>,
    /// The action that failed; absent if it is unknown.
    action: Option<FailedAction>,
    /// The message alone identifies no failure.
    is_hub: bool,
}

impl<'q> Asked<'q> {
    pub(crate) fn new(query: &'q LessonQuery) -> Self {
        let mut tags: Vec<&str> = query
            .tags
            .iter()
            .map(String::as_str)
            .filter(|tag| *tag != UNCATEGORIZED)
            .collect();
        tags.sort_unstable();
        tags.dedup();
        let pieces = query
            .errors()
            .iter()
            .map(|error| pieces(&error.fine.normalised))
            .collect();
        let (action, is_hub) = match &query.call {
            Call::OnError { action, is_hub, .. } => (action.as_ref(), *is_hub),
            Call::PreRun { .. } => (None, false),
        };
        Self {
            query,
            tags,
            action: action.map(FailedAction::of),
            is_hub,
            terms: terms_of(&query.text),
            starts: query.starts(),
            pieces,
        }
    }

    /// How near the lesson's trigger is to the errors that are asked about.
    pub(crate) fn nearness(&self, lesson: &Lesson) -> Nearness {
        let triggers = |level: Level| {
            self.starts
                .iter()
                .any(|(id, own)| *own == level && lesson.triggers.binary_search(id).is_ok())
        };
        if triggers(Level::Fine) {
            Nearness::Fine
        } else if triggers(Level::Coarse) {
            Nearness::Coarse
        } else {
            Nearness::Neighbour
        }
    }

    /// Returns true if a lesson passes the floor. Before a run there is no error to compare with; where the place is
    /// unknown as well, the words have to agree, or a failure of late has to call for the lesson.
    pub(crate) fn fits(
        &self,
        lesson: &Lesson,
        reached: &Reached,
        numbers: &RetrievalNumbers,
    ) -> bool {
        let nearness = self.nearness(lesson);
        if let Some(action) = &self.action {
            let rule = &lesson.rule;
            let is_about = match nearness {
                _ if self.is_hub => action.is_subject_of(rule),
                Nearness::Coarse => action.may_have_the_fault_of(rule),
                _ => true,
            };
            if !is_about || action.follows(rule) {
                return false;
            }
        }
        if nearness < Nearness::Neighbour {
            return true;
        }
        if !self.query.is_on_error() {
            return !self.query.is_anywhere() || reached.path == Path::Text;
        }
        let is_similar = |own: &Vec<String>| {
            let similarity = error_similarity(own, lesson, reached.sibling.as_deref());
            similarity >= numbers.error_similarity_min
        };
        is_same_tool(&self.query.place, &lesson.place) && self.pieces.iter().any(is_similar)
    }

    pub(crate) fn parts(
        &self,
        lesson: &Lesson,
        reached: &Reached,
        numbers: &RetrievalNumbers,
    ) -> ScoreParts {
        let tags: Vec<&str> = lesson
            .tags
            .iter()
            .map(String::as_str)
            .filter(|tag| *tag != UNCATEGORIZED)
            .collect();
        let age = self.query.at.days_since(lesson.evidence_at);
        ScoreParts {
            fingerprint_match: self.fingerprint_match(lesson, reached, numbers),
            tag_overlap: jaccard(&self.tags, &tags),
            text_similarity: jaccard(&self.terms, &terms_of(lesson.rule.as_str())),
            reliability: lesson.reliability.clamp(0.0, 1.0),
            recency: 1.0 / (1.0 + age / numbers.recency_days),
        }
    }

    fn fingerprint_match(
        &self,
        lesson: &Lesson,
        reached: &Reached,
        numbers: &RetrievalNumbers,
    ) -> f64 {
        match self.nearness(lesson) {
            Nearness::Fine => return 1.0,
            Nearness::Coarse => return numbers.coarse_match,
            Nearness::Neighbour => {}
        }
        let theirs = reached.sibling.as_deref().map(pieces).unwrap_or_default();
        let nearest = self
            .pieces
            .iter()
            .map(|own| jaccard(own, &theirs))
            .max_by(f64::total_cmp);
        numbers.neighbour_match * nearest.unwrap_or_default()
    }

    /// The lane of a lesson: strict when it reaches this place. A label that the question leaves out contradicts none.
    /// A lesson learned with one tool may be wrong with another of the same domain, so where both are named they have
    /// to agree.
    pub(crate) fn lane(&self, lesson: &Lesson) -> RetrievalChannel {
        let (here, there) = (&self.query.place, &lesson.place);
        let agrees = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        let is_near = agrees(&here.domain, &there.domain) && agrees(&here.tool, &there.tool);
        let strict = match lesson.reach {
            Reach::Global => true,
            Reach::Domain => is_near,
            Reach::Task => is_near && agrees(&here.task, &there.task),
        };
        if strict {
            RetrievalChannel::Strict
        } else {
            RetrievalChannel::Transfer
        }
    }
}

fn terms_of(text: &str) -> Vec<String> {
    let mut terms = search_terms(text);
    terms.sort_unstable();
    terms.dedup();
    terms
}
