//! The answers about lessons that were asked for: what was returned and why, what was left out, and what
//! came of a use.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::decisions::DecidedResponse;
use super::lessons::LessonResponse;
use crate::api::prompt::Prompt;
use crate::api::schema::{Id, Word};
use crate::domain::lesson::activation::RetrievalChannel;
use crate::domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use crate::domain::lesson::retrieval::choose::LeftOut;
use crate::engine::lessons::{LessonsRetrieved, OutcomeTaken, RetrievedLesson};

/// The answer to a retrieval of lessons.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RetrievedLessonsResponse {
    /// The run that asked.
    pub run: Option<String>,
    /// Whether it is a control run, from which lessons are withheld.
    pub control: bool,
    /// How many were withheld.
    pub withheld: usize,
    /// The fine fingerprint of the error.
    #[schemars(with = "Option<Id>")]
    pub fingerprint: Option<FingerprintId>,
    /// The coarse one.
    #[schemars(with = "Option<Id>")]
    pub coarse_fingerprint: Option<FingerprintId>,
    /// The pieces of the error.
    pub normalised: Option<String>,
    /// The tags of the question.
    pub asked_tags: Vec<String>,
    /// The best first.
    pub lessons: Vec<LessonHitResponse>,
    /// Lessons that were reached and not returned, with the reason.
    pub left_out: BTreeMap<String, String>,
    /// The tags that were followed, with their weights.
    pub followed_tags: Vec<(String, f64)>,
    /// Rows that the walk read.
    pub rows: usize,
    /// The work limit ended the walk.
    pub cut: bool,
    /// What of the question was cut.
    pub notes: Vec<String>,
    /// The lessons as text for a prompt, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<LessonPromptResponse>,
    /// Secrets that were taken out of the question; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// Lessons as text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonPromptResponse {
    /// The fenced text.
    pub text: String,
    /// How many lessons, from the first on, are in it.
    pub lessons: usize,
    /// How many tokens it is, estimated.
    pub tokens: usize,
}

impl From<Prompt> for LessonPromptResponse {
    fn from(prompt: Prompt) -> Self {
        Self {
            text: prompt.text,
            lessons: prompt.bullets,
            tokens: prompt.tokens,
        }
    }
}

/// A returned lesson with why.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonHitResponse {
    /// Place in the answer, from 1.
    pub rank: usize,
    /// Score that it was ranked by.
    pub score: f64,
    /// The parts of the score.
    pub parts: ScorePartsResponse,
    /// Channel that found it.
    #[schemars(with = "Word<RetrievalChannel>")]
    pub lane: RetrievalChannel,
    /// How it was reached from the question.
    pub path: String,
    /// Lessons that lost to it for contradicting it.
    #[schemars(with = "Vec<Id>")]
    pub beat: Vec<LessonId>,
    /// Names this use in a later outcome; null when nothing was recorded.
    #[schemars(with = "Option<Id>")]
    pub activation: Option<ActivationId>,
    /// The lesson itself.
    #[serde(flatten)]
    pub lesson: LessonResponse,
}

/// The parts of a score, each 0..=1, before they are weighted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ScorePartsResponse {
    /// How far the fingerprints agree.
    pub fingerprint_match: f64,
    /// Common tags over all tags.
    pub tag_overlap: f64,
    /// Common search terms over all.
    pub text_similarity: f64,
    /// Reliability of the lesson.
    pub reliability: f64,
    /// 1 for evidence of now; less, the older it is.
    pub recency: f64,
}

impl LessonHitResponse {
    fn of(rank: usize, hit: RetrievedLesson) -> Self {
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
            path: hit.path.to_string(),
            beat: hit.beat,
            activation: hit.activation,
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
            fingerprint: prints.map(|prints| prints.fine.id),
            coarse_fingerprint: prints.map(|prints| prints.coarse.id),
            normalised: prints.map(|prints| prints.fine.normalised.clone()),
            asked_tags: answer.asked_tags,
            lessons: hits
                .map(|(rank, hit)| LessonHitResponse::of(rank, hit))
                .collect(),
            left_out: left_out
                .map(|(id, reason)| (id.to_string(), left_out_because(*reason)))
                .collect(),
            followed_tags: answer.tags,
            rows: answer.rows,
            cut: answer.cut,
            notes: answer.notes,
            prompt: None,
            redacted: RedactedResponse::of(&answer.redacted),
        }
    }
}

fn left_out_because(reason: LeftOut) -> String {
    let words = match reason {
        LeftOut::NotLive => "it is out of use",
        LeftOut::NoAnchor => "nothing in fingerprint, tag or text speaks for it",
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

/// An outcome that is kept.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OutcomeResponse {
    /// The use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// What the use was worth; below 0: harm.
    pub utility: f64,
    /// Reliability of the lesson after it, in 0..=1.
    pub reliability: f64,
    /// True when this was known, and nothing was changed.
    pub repeated: bool,
    /// Changes of status that followed.
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
