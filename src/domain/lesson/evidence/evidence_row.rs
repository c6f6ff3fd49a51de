//! A row of evidence: the result of one use of a lesson.
//!
//! It is kept with the outcome of the use and is all that a verdict takes from it, so that a verdict can be derived
//! again from its rows alone.

use serde::{Deserialize, Serialize};

use hindlore_primitives::word_enum;

word_enum! {
    /// The outcome of the advice.
    RowKind {
        /// After the error, the next attempt took the advised form and worked.
        Cured = "cured",
        /// The attempt that took the advised form failed, in the same way or another.
        Failed = "failed",
        /// Offered before the action: it was done in the advised form at once, without the error.
        Averted = "averted",
        /// Offered before the run and followed, and the error came all the same.
        CameAnyway = "came_anyway",
        /// Of a rule that only forbids: the form that it calls wrong worked after it was offered.
        Refuted = "refuted",
        /// The form that it calls wrong worked, or an action without the preparation that it asks for.
        Worked = "worked",
        /// The next attempt took another form.
        NotFollowed = "not_followed",
        /// There was no further attempt.
        Unknown = "unknown",
    }
}

impl RowKind {
    /// 1 where it supports the advice, −1 against, 0 where it is no evidence.
    pub fn sign(self) -> i8 {
        match self {
            Self::Cured | Self::Averted => 1,
            Self::Failed | Self::CameAnyway | Self::Refuted | Self::Worked => -1,
            Self::NotFollowed | Self::Unknown => 0,
        }
    }
}

word_enum! {
    /// The source of the observation whether the advice was followed.
    Witness {
        /// The actions of the run, compared with the rule.
        Steps = "steps",
        /// The adapter, which named the steps that were taken on the advice.
        Adapter = "adapter",
        /// The caller, who measured the outcome.
        Caller = "caller",
    }
}

/// One row of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EvidenceRow {
    /// The outcome of the advice.
    pub kind: RowKind,
    /// The observer.
    pub witness: Witness,
    /// The first step that was taken on the advice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followed_step: Option<u32>,
    /// Something else than the advised form raised one of the lesson's fingerprints in this run: it is needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needed: bool,
}
