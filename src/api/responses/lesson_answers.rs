//! Answers to queries for lessons: returned ones with reasons, omitted ones, and outcomes of uses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::decisions::{ChangedLessonResponse, DecidedResponse, StatusChangeResponse};
use super::lessons::LessonResponse;
use crate::prompt::Prompt;
use crate::schema::{Id, Word};
use hindlore::lessons::{LessonsRetrieved, OutcomeTaken, RetrievedLesson};
use hindlore_domain::lesson::activation::RetrievalChannel;
use hindlore_domain::lesson::retrieval::choose::LeftOut;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};

/// The answer to a retrieval of lessons.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RetrievedLessonsResponse {
    /// The asking run; empty where nothing was written down.
    pub run: Option<String>,
    /// True for a control run, from which lessons are withheld.
    pub control: bool,
    /// Number of lessons withheld.
    pub withheld: usize,
    /// Lessons of this very error that were suppressed since; each is reported once, to one run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub put_away: Vec<ChangedLessonResponse>,
    /// Fine fingerprint of the error.
    #[schemars(with = "Option<Id>")]
    pub fingerprint: Option<FingerprintId>,
    /// Coarse fingerprint of the error.
    #[schemars(with = "Option<Id>")]
    pub coarse_fingerprint: Option<FingerprintId>,
    /// Normalised parts of the error.
    pub normalised: Option<String>,
    /// Tags of the query.
    pub asked_tags: Vec<String>,
    /// Lessons, best first.
    pub lessons: Vec<LessonHitResponse>,
    /// Number of lessons that the budget had no room for.
    pub beyond_budget: usize,
    /// Lessons found but not returned, with reasons.
    pub left_out: BTreeMap<String, String>,
    /// Tags followed, with their weights.
    pub followed_tags: Vec<(String, f64)>,
    /// Rows read by the walk.
    pub rows: usize,
    /// True if the work limit ended the walk.
    pub cut: bool,
    /// Notes on parts of the query that were cut.
    pub notes: Vec<String>,
    /// The lessons as text for a prompt, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<LessonPromptResponse>,
    /// Secrets redacted from the query; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// Lessons as text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonPromptResponse {
    /// The fenced text.
    pub text: String,
    /// Number of lessons in it.
    pub lessons: usize,
    /// Estimated tokens.
    pub tokens: usize,
}

impl From<Prompt> for LessonPromptResponse {
    fn from(prompt: Prompt) -> Self {
        Self {
            text: prompt.text,
            lessons: prompt.kept.len(),
            tokens: prompt.tokens,
        }
    }
}

/// A returned lesson and the reasons.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonHitResponse {
    /// Rank in the answer, from 1.
    pub rank: usize,
    /// Score used for ranking.
    pub score: f64,
    /// The parts of the score.
    pub parts: ScorePartsResponse,
    /// Channel that found it.
    #[schemars(with = "Word<RetrievalChannel>")]
    pub lane: RetrievalChannel,
    /// How it was reached from the question.
    pub path: String,
    /// Contradicting lessons that lost to it.
    #[schemars(with = "Vec<Id>")]
    pub beat: Vec<LessonId>,
    /// Id of this use for a later outcome; null if nothing was recorded.
    #[schemars(with = "Option<Id>")]
    pub activation: Option<ActivationId>,
    /// True if a hook may refuse the action once with this advice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_refuse: bool,
    /// The change of its status since it was last returned; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<StatusChangeResponse>,
    /// The lesson itself.
    #[serde(flatten)]
    pub lesson: LessonResponse,
}

/// Parts of a score before weighting, each in 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ScorePartsResponse {
    /// Agreement of the fingerprints.
    pub fingerprint_match: f64,
    /// Common tags as a share of all tags.
    pub tag_overlap: f64,
    /// Common search terms as a share of all.
    pub text_similarity: f64,
    /// Reliability of the lesson.
    pub reliability: f64,
    /// 1 for evidence of now, less for older evidence.
    pub recency: f64,
}

impl LessonHitResponse {
    /// A hit; before a run, no error was given, and the failures that lead to it are recent ones.
    fn new(rank: usize, hit: RetrievedLesson, is_about_error: bool) -> Self {
        let path = hit.path.to_string();
        let recent = path.strip_prefix("error →").filter(|_| !is_about_error);
        let path = recent
            .map(|rest| format!("recent failure →{rest}"))
            .unwrap_or(path);
        Self {
            rank,
            score: hit.score,
            parts: ScorePartsResponse {
                fingerprint_match: hit.parts.fingerprint_match,
                tag_overlap: hit.parts.tag_overlap,
                text_similarity: hit.parts.text_similarity,
                reliability: hit.parts.reliability,
                recency: hit.parts.recency,
            },
            lane: hit.lane,
            path,
            beat: hit.beat,
            activation: hit.activation,
            may_refuse: hit.may_refuse,
            change: hit.change.map(Into::into),
            lesson: LessonResponse::from(&hit.lesson),
        }
    }
}

impl From<LessonsRetrieved> for RetrievedLessonsResponse {
    fn from(answer: LessonsRetrieved) -> Self {
        let prints = answer.fingerprints.as_ref();
        let hits = (1..).zip(answer.lessons);
        let left_out = answer.left_out.iter();
        Self {
            run: answer.run,
            control: answer.control,
            withheld: answer.withheld,
            put_away: answer.put_away.iter().map(Into::into).collect(),
            fingerprint: prints.map(|prints| prints.fine.id),
            coarse_fingerprint: prints.map(|prints| prints.coarse.id),
            normalised: prints.map(|prints| prints.fine.normalised.clone()),
            asked_tags: answer.asked_tags,
            lessons: hits
                .map(|(rank, hit)| LessonHitResponse::new(rank, hit, prints.is_some()))
                .collect(),
            beyond_budget: answer.beyond_budget,
            left_out: left_out
                .map(|(id, reason)| (id.to_string(), left_out_because(*reason)))
                .collect(),
            followed_tags: answer.tags,
            rows: answer.rows,
            cut: answer.cut,
            notes: answer.notes,
            prompt: None,
            redacted: RedactedResponse::from_redactions(&answer.redacted),
        }
    }
}

fn left_out_because(reason: LeftOut) -> String {
    let words = match reason {
        LeftOut::NotLive => "it is out of use",
        LeftOut::NoAnchor => "nothing in fingerprint, tag or text speaks for it",
        LeftOut::NoFit => "it is about another error",
        LeftOut::OtherDomain => "it belongs to another domain, and enough is known about this one",
        LeftOut::Contradicted(winner) => {
            return format!("it contradicts {winner}, which is better");
        }
        LeftOut::SourceRun => "its source run has its share",
        LeftOut::TagBucket => "its leading tag has its share",
        LeftOut::Idle => "it was offered often and never followed",
        LeftOut::Enough => "there are enough",
    };
    words.to_owned()
}

/// A recorded outcome.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OutcomeResponse {
    /// The use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// Utility of the use; below 0: harm.
    pub utility: f64,
    /// Reliability of the lesson afterwards, in 0..=1.
    pub reliability: f64,
    /// True if it was known and nothing changed.
    pub repeated: bool,
    /// Resulting changes of status.
    pub decisions: Vec<DecidedResponse>,
}

impl From<OutcomeTaken> for OutcomeResponse {
    fn from(taken: OutcomeTaken) -> Self {
        Self {
            activation: taken.activation,
            lesson: taken.lesson,
            utility: taken.utility,
            reliability: taken.reliability,
            repeated: taken.repeated,
            decisions: taken.decisions.into_iter().map(Into::into).collect(),
        }
    }
}
