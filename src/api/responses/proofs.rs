//! The evidence of verdicts on lessons: its rows, and the result of both proofs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::{Time, Word};
use hindlore_domain::lesson::evidence::evidence_row::{EvidenceRow, RowKind, Witness};
use hindlore_domain::lesson::evidence::proof_state::{ProofState, Support};
use hindlore_domain::lesson::evidence::summary::Proof;
use hindlore_primitives::timestamp::Timestamp;

/// The actions after advice, as a row of evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct EvidenceRowResponse {
    /// The outcome of the advice.
    #[schemars(with = "Word<RowKind>")]
    pub kind: RowKind,
    /// The observer.
    #[schemars(with = "Word<Witness>")]
    pub witness: Witness,
    /// The first step that was taken on the advice.
    pub followed_step: Option<u32>,
    /// Something else than the advised form failed in the lesson's way.
    pub needed: bool,
}

impl From<EvidenceRow> for EvidenceRowResponse {
    fn from(row: EvidenceRow) -> Self {
        Self {
            kind: row.kind,
            witness: row.witness,
            followed_step: row.followed_step,
            needed: row.needed,
        }
    }
}

/// The result of both proofs of a lesson.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ProofResponse {
    /// Runs in which the advice was followed and worked.
    pub successes: usize,
    /// Runs in which it was followed and failed, or in which an action that it only forbids worked.
    pub failures: usize,
    /// Of a refuted rule that only forbids: runs in which the forbidden action failed in its way.
    pub held: usize,
    /// Runs that show that the lesson is needed.
    pub needs: usize,
    /// Comparable runs with the lesson offered in time.
    pub with_runs: usize,
    /// Comparable runs without it.
    pub without_runs: usize,
    /// Control runs among those without it.
    pub control_runs: usize,
    /// Lower bound of the fall of the recurrence, -1 to 1; null where there are too few runs.
    pub fall_lower: Option<f64>,
    /// Upper bound of it by control runs alone, -1 to 1; null where there are too few.
    pub fall_upper: Option<f64>,
    /// Utility of the lesson, -1 to 1.
    pub utility: f64,
    /// Share of runs that passed with the lesson.
    pub passes_with: Option<f64>,
    /// Share of runs that passed without it.
    pub passes_without: Option<f64>,
}

impl From<Proof> for ProofResponse {
    fn from(proof: Proof) -> Self {
        Self {
            successes: proof.successes,
            failures: proof.failures,
            held: proof.held,
            needs: proof.needs,
            with_runs: proof.with_runs,
            without_runs: proof.without_runs,
            control_runs: proof.control_runs,
            fall_lower: proof.fall_lower,
            fall_upper: proof.fall_upper,
            utility: proof.utility,
            passes_with: proof.passes_with,
            passes_without: proof.passes_without,
        }
    }
}

/// A run that taught a lesson again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SupportResponse {
    /// The run.
    pub run: String,
    /// When it ended.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Support> for SupportResponse {
    fn from(support: Support) -> Self {
        Self {
            run: support.run,
            at: support.at,
        }
    }
}

/// The state of a lesson's proof between decisions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ProofStateResponse {
    /// Rows up to here no longer count; null where all count.
    #[schemars(with = "Option<Time>")]
    pub since: Option<Timestamp>,
    /// When its status last changed.
    #[schemars(with = "Option<Time>")]
    pub status_at: Option<Timestamp>,
    /// A person set its status.
    pub by_person: bool,
    /// Runs that taught it again, oldest first.
    pub supports: Vec<SupportResponse>,
    /// Times in a row that it was offered and another form was taken.
    pub unfollowed: u32,
    /// Its direct proof holds.
    pub direct: bool,
    /// Comparable runs without it that are known.
    pub compared: u32,
}

impl From<ProofState> for ProofStateResponse {
    fn from(state: ProofState) -> Self {
        Self {
            since: state.since,
            status_at: state.status_at,
            by_person: state.by_person,
            supports: state.supports.into_iter().map(Into::into).collect(),
            unfollowed: state.unfollowed,
            direct: state.direct,
            compared: state.compared,
        }
    }
}
