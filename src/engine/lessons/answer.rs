//! The answer of the end of a run. It is kept with the receipt, so that a repeated end returns the same answer.

use serde::{Deserialize, Serialize};

use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::Status;
use hindlore_domain::lesson::metrics::RunMetrics;
use hindlore_domain::lesson::promotion::{Decision, Reason};
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::lesson::status::StatusChange;
use hindlore_primitives::ids::{ActivationId, DecisionId, LessonId};
use hindlore_redact::Redactions;

/// The result of ending a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndedRun {
    /// The run.
    pub run: String,
    /// It was ended because nothing was reported of it any more.
    pub idle: bool,
    /// It had ended before; this is the answer of that end.
    pub repeated: bool,
    /// Its metrics.
    pub metrics: RunMetrics,
    /// The lessons that it leaves.
    pub learned: Vec<Learned>,
    /// The rejected proposals.
    pub rejected: Vec<RejectedCandidate>,
    /// The outcomes of the lessons that were returned in it.
    pub settled: Vec<Settled>,
    /// Lessons whose status changed.
    pub decisions: Vec<Decided>,
    /// Pairs of lessons that were found to contradict each other.
    pub conflicts: Vec<(LessonId, LessonId)>,
    /// Work that its end had to leave out, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The secrets removed from the proposals; those of reported steps are counted there.
    #[serde(default, skip_serializing_if = "Redactions::is_empty")]
    pub redacted: Redactions,
}

/// A lesson that a run left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The lesson under which it is kept.
    pub lesson: LessonId,
    /// `new`, `merged`, `confirmed` or `inherits`.
    pub placement: String,
    /// The rule as text.
    pub rule: String,
    /// Its status.
    pub status: Status,
    /// The author of the proposal.
    pub origin: Origin,
    /// The steps that show it.
    pub evidence_steps: Vec<u32>,
}

/// A proposal that was turned away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RejectedCandidate {
    /// The rule as text.
    pub rule: String,
    /// Why.
    pub reason: String,
}

/// The outcome of a returned lesson.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settled {
    /// Which use of it.
    pub activation: ActivationId,
    /// The lesson.
    pub lesson: LessonId,
    /// The error came again, or the advice failed in another way.
    pub recurred: bool,
    /// Its utility, −1..=1.
    pub utility: f64,
    /// It was followed and worked.
    pub helped: bool,
    /// The actions that followed it.
    pub row: RowKind,
}

/// A change of status.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decided {
    /// The decision, kept with its evidence rows.
    pub decision: DecisionId,
    /// The lesson whose status changed.
    pub lesson: LessonId,
    /// From this
    pub from: Status,
    /// to that.
    pub to: Status,
    /// Why.
    pub reason: Reason,
}

/// A lesson that this error would have called for, and that the rules have put out of use since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PutAway {
    /// The lesson.
    pub lesson: LessonId,
    /// The rule as text.
    pub rule: Rule,
    /// Why it is out of use.
    pub change: StatusChange,
}

impl From<&Decision> for Decided {
    fn from(decision: &Decision) -> Self {
        Self {
            decision: decision.id,
            lesson: decision.lesson,
            from: decision.from,
            to: decision.to,
            reason: decision.reason,
        }
    }
}
