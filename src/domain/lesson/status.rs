//! The status of a lesson, and the causes of its changes.

use serde::{Deserialize, Serialize};

use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

word_enum! {
    /// The status of a lesson in its life.
    Status {
        /// Seen in one run and not confirmed; stored, never retrieved.
        Observed = "observed",
        /// Confirmed by the tool's own words, by a second run or by a person, and tried out.
        Candidate = "candidate",
        /// Shown to help.
        Promoted = "promoted",
        /// Its wrong form works; kept for audit, never retrieved.
        Refuted = "refuted",
        /// Shown not to help; kept for audit, never retrieved.
        Suppressed = "suppressed",
        /// Out of use; kept for audit, never retrieved.
        Archived = "archived",
    }
}

word_enum! {
    /// The cause of a change of status.
    Cause {
        /// The outcomes of its activations.
        Evidence = "evidence",
        /// A person who looked at it.
        Review = "review",
        /// A scheduled second chance.
        Retrial = "retrial",
        /// It repeats a suppressed lesson.
        Restatement = "restatement",
    }
}

impl Status {
    /// Returns true if lessons of this status are retrieved.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Candidate | Self::Promoted)
    }

    /// The statuses of lessons that are live or may become so, the surest first.
    pub const WATCHED: [Self; 3] = [Self::Promoted, Self::Candidate, Self::Observed];

    /// Returns true if a success of its wrong form is looked for.
    pub fn is_watched(self) -> bool {
        Self::WATCHED.contains(&self)
    }

    /// Returns true if a cause may turn this status into another.
    pub fn may_become(self, to: Self, cause: Cause) -> bool {
        match (self, to) {
            (from, to) if from == to => false,
            (_, Self::Archived) => true,
            (Self::Observed, Self::Candidate)
            | (Self::Candidate, Self::Promoted)
            | (Self::Observed | Self::Candidate, Self::Refuted) => {
                matches!(cause, Cause::Evidence | Cause::Review)
            }
            (Self::Observed | Self::Refuted, Self::Promoted)
            | (Self::Promoted, Self::Candidate | Self::Refuted) => cause == Cause::Review,
            (Self::Observed | Self::Candidate | Self::Promoted, Self::Suppressed) => {
                cause != Cause::Retrial
            }
            (Self::Suppressed | Self::Refuted, Self::Candidate) => {
                matches!(cause, Cause::Review | Cause::Retrial)
            }
            (Self::Archived, Self::Candidate) => cause == Cause::Review,
            _ => false,
        }
    }
}

word_enum! {
    /// Why a status changed.
    Reason {
        /// Its advice was followed and worked.
        DirectProof = "direct_proof",
        /// Its error came less often where it was offered in time.
        ComparativeProof = "comparative_proof",
        /// Its advice was followed and failed.
        DirectHarm = "direct_harm",
        /// Its error came more often where it was offered in time.
        ComparativeHarm = "comparative_harm",
        /// It lost to lessons that contradict it.
        LostContests = "lost_contests",
        /// Major regressions happened where it was followed.
        Regressions = "regressions",
        /// It is unreliable and was not needed.
        Unused = "unused",
        /// Its second chance is due.
        Retrial = "retrial",
        /// Later runs taught it again after it was put out of use.
        Relearned = "relearned",
        /// A second run showed the same contrast.
        Recurred = "recurred",
        /// Its wrong form works.
        WrongFormWorks = "wrong_form_works",
    }
}

/// A change of status that the rules decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StatusChange {
    /// From this
    pub from: Status,
    /// to that.
    pub to: Status,
    /// Why.
    pub reason: Reason,
    /// When.
    pub at: Timestamp,
}
