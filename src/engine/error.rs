//! Why an engine verb failed.

mod hint;

use super::id_kind::IdKind;
use hindlore_domain::memory::apply::Refusal;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::undo::UndoRefusal;
use hindlore_domain::sharing::relation::Relation;
use hindlore_store::{ErrorKind, StoreError};

/// Ids listed for an ambiguous beginning.
const NAMED_MAX: usize = 10;

/// Result of an engine verb.
pub type EngineResult<T> = Result<T, EngineError>;

/// A failed verb. Nothing was changed, unless the store reports an unknown outcome.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The backend failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The delta cannot be applied.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The delta id was used for another body.
    #[error("the delta id `{0}` was used before, with another body")]
    DeltaReused(DeltaId),
    /// There is no such memory.
    #[error("there is no memory {0}")]
    NoMemory(MemoryKey),
    /// There is no such delta in the memory.
    #[error("there is no delta `{0}` in this memory")]
    NoDelta(DeltaId),
    /// There is no such consolidation in the memory.
    #[error("there is no consolidation `{0}` here")]
    NoConsolidation(String),
    /// There is no such retrieval in the memory.
    #[error("there is no retrieval `{0}` in this memory")]
    NoRetrieval(String),
    /// There is no such bullet in the memory.
    #[error("there is no bullet `{0}` in this memory")]
    NoBullet(String),
    /// No delta id has this form.
    #[error("{0}")]
    InvalidDeltaId(String),
    /// The policy change is invalid.
    #[error("{0}")]
    InvalidPolicy(String),
    /// A retrieval returned fewer bullets than the place names.
    #[error("the retrieval `{retrieval}` returned {returned} bullet{}, so there is no number {place}", plural(*.returned))]
    NoPlace {
        /// The retrieval.
        retrieval: String,
        /// The place asked for, from 1.
        place: usize,
        /// Number of bullets returned.
        returned: usize,
    },
    /// Several ids share the given beginning.
    #[error("`{name}` is the beginning of {} ids of a {what}: {}", .ids.len(), first_of(.ids))]
    Ambiguous {
        /// Kind of id.
        what: &'static str,
        /// The given beginning.
        name: String,
        /// All ids that share it.
        ids: Vec<String>,
    },
    /// The text cannot be an id of this kind.
    #[error("`{}` is no id of a {}: {reason}", .name.escape_debug(), .kind.word())]
    NotAnId {
        /// Kind of id expected.
        kind: IdKind,
        /// The given text.
        name: String,
        /// Why it is no id.
        reason: String,
    },
    /// No id of this kind has the given beginning.
    #[error("no id of a {} begins with `{name}`", .kind.word())]
    NoBeginning {
        /// Kind of id expected.
        kind: IdKind,
        /// The given beginning.
        name: String,
    },
    /// The memory has no such revision.
    #[error("there is no revision {asked}; the newest is {newest}")]
    NoRevision {
        /// The revision asked for.
        asked: u64,
        /// The newest revision.
        newest: u64,
    },
    /// Later deltas depend on the one to be undone.
    #[error("{0}")]
    Undo(UndoRefusal),
    /// The request itself is invalid.
    #[error("{0}")]
    Invalid(String),
    /// The other store has a memory, lessons, or records of its own under this name.
    #[error("{0}")]
    Occupied(String),
    /// The learner has no such run.
    #[error("there is no run `{0}` of this learner")]
    NoRun(String),
    /// The learner has no such lesson.
    #[error("there is no lesson `{0}` of this learner")]
    NoLesson(String),
    /// The learner has no such playbook.
    #[error("there is no playbook `{0}` of this learner")]
    NoPlaybook(String),
    /// The learner has a playbook of this name already.
    #[error("there is a playbook `{0}` already")]
    PlaybookExists(String),
    /// The playbook has no such version, or its strategies are gone.
    #[error("the playbook `{playbook}` has no {asked}{}", other_versions(*.newest))]
    NoVersion {
        /// The playbook.
        playbook: String,
        /// The request, as text.
        asked: String,
        /// The number of its newest version.
        newest: u32,
    },
    /// The learner has no such reflection.
    #[error("there is no reflection `{0}` of this learner")]
    NoReflection(String),
    /// The learner has no such conversation.
    #[error("there is no conversation `{}` of this learner", .0.escape_debug())]
    NoConversation(String),
    /// The conversation is another learner's.
    #[error("the conversation `{}` belongs to another learner", .0.escape_debug())]
    ForeignConversation(String),
    /// No correction with this id waits.
    #[error("there is no proposal `{}`", .0.escape_debug())]
    NoProposal(String),
    /// No model that makes vectors is configured, or it is not part of this program.
    #[error("no model for embeddings is configured")]
    NoEmbedder,
    /// The model that makes vectors failed.
    #[error("the model for embeddings gave no vectors: {0}")]
    Embedder(String),
    /// The vectors of the memory cannot be compared with those of the configured model.
    #[error("the memory has {0}")]
    OtherEmbeddings(String),
    /// No API key of this name is in use.
    #[error("no API key `{}` is in use", .0.escape_debug())]
    NoKey(String),
    /// An API key of this name is in use.
    #[error("an API key `{}` is in use", .0.escape_debug())]
    KeyExists(String),
    /// Others kept changing the playbook.
    #[error("others kept changing the playbook `{0}`")]
    PlaybookContended(String),
    /// The learner has no such error.
    #[error("there is no error `{0}` of this learner")]
    NoError(String),
    /// The learner has no such activation.
    #[error("there is no activation `{0}` of this learner")]
    NoActivation(String),
    /// The run has ended and accepts nothing more.
    #[error("the run `{0}` has ended")]
    RunEnded(String),
    /// The run has another action at this step.
    #[error("step {step} of the run `{run}` is there with another action, `{action}`")]
    StepTaken {
        /// The run.
        run: String,
        /// Number of the step.
        step: u32,
        /// The action recorded there, as text.
        action: String,
    },
    /// Others reported to the run faster than it could be ended.
    #[error("others kept reporting to the run `{0}`")]
    RunContended(String),
    /// The operation id was used before, with other contents.
    #[error("`{0}` was done before, and said something else")]
    OperationReused(String),
    /// The caller lacks the relation that the verb needs. The message does not reveal whether the object exists.
    #[error("`{caller}` is no {needed} of {object}")]
    NotAllowed {
        /// The caller.
        caller: String,
        /// The relation needed.
        needed: Relation,
        /// To what.
        object: String,
    },
    /// The object would lose its last owner, or the group its last leader.
    #[error("{0} would be left without an owner")]
    LastOwner(String),
    /// Others changed the memory faster than this request could follow.
    #[error("others kept changing the memory {0}")]
    Contended(MemoryKey),
    /// The engine is shutting down, or one of its tasks died.
    #[error("the engine stopped before it could answer")]
    Stopped,
}

impl EngineError {
    /// True if nothing was written and a later attempt may succeed.
    pub(super) fn may_pass(&self) -> bool {
        let Self::Store(error) = self else {
            return false;
        };
        let kind = error.kind();
        matches!(
            kind,
            ErrorKind::Busy | ErrorKind::Unavailable | ErrorKind::Full
        )
    }

    /// Copies the failure for another request of the group.
    pub(super) fn repeat(&self) -> Self {
        match self {
            Self::Store(error) => Self::Store(error.repeat()),
            Self::Contended(key) => Self::Contended(key.clone()),
            Self::NoMemory(key) => Self::NoMemory(key.clone()),
            Self::Invalid(reason) => Self::Invalid(reason.clone()),
            Self::Refused(Refusal::Tables) => Self::Refused(Refusal::Tables),
            // No other failure concerns a whole group.
            _ => Self::Stopped,
        }
    }

    /// A short stable code that programs may act on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => store_code(error),
            Self::Refused(Refusal::Revision { .. }) => "wrong_revision",
            Self::Refused(Refusal::Overflow { .. }) => "memory_full",
            Self::Refused(Refusal::Tables) => "other_word_tables",
            Self::Refused(_) => "delta_refused",
            Self::DeltaReused(_) => "delta_id_reused",
            Self::NoMemory(_) => "no_memory",
            Self::NoDelta(_) => "no_delta",
            Self::NoConsolidation(_) => "no_consolidation",
            Self::NoRetrieval(_) => "no_retrieval",
            Self::NoBullet(_) => "no_bullet",
            Self::Ambiguous { .. } => "ambiguous_id",
            Self::InvalidDeltaId(_) => "invalid_delta_id",
            Self::InvalidPolicy(_) => "invalid_policy",
            Self::NoPlace { .. } => "no_bullet",
            Self::NoRevision { .. } => "no_revision",
            Self::Undo(_) => "undo_refused",
            Self::Invalid(_) => "invalid_request",
            Self::Occupied(_) => "exists_there",
            Self::NotAnId { .. } => "invalid_id",
            Self::NoBeginning { kind, .. } => match kind {
                IdKind::Lesson => "no_lesson",
                IdKind::Use => "no_activation",
                IdKind::Run => "no_run",
                IdKind::Fingerprint => "invalid_id",
            },
            Self::NoRun(_) => "no_run",
            Self::NoLesson(_) => "no_lesson",
            Self::NoPlaybook(_) => "no_playbook",
            Self::PlaybookExists(_) => "playbook_exists",
            Self::NoVersion { .. } => "no_version",
            Self::NoReflection(_) => "no_reflection",
            Self::NoConversation(_) => "no_conversation",
            Self::ForeignConversation(_) => "foreign_conversation",
            Self::NoProposal(_) => "no_proposal",
            Self::NoEmbedder => "no_embedder",
            Self::Embedder(_) => "embedder_failed",
            Self::OtherEmbeddings(_) => "other_embeddings",
            Self::NoKey(_) => "no_key",
            Self::KeyExists(_) => "key_exists",
            Self::NoError(_) => "no_error",
            Self::NoActivation(_) => "no_activation",
            Self::RunEnded(_) => "run_ended",
            Self::StepTaken { .. } => "step_taken",
            Self::OperationReused(_) => "operation_reused",
            Self::NotAllowed { .. } => "not_allowed",
            Self::LastOwner(_) => "last_owner",
            Self::Contended(_) | Self::RunContended(_) | Self::PlaybookContended(_) => "contended",
            Self::Stopped => "stopped",
        }
    }
}

fn store_code(error: &StoreError) -> &'static str {
    match error.kind() {
        ErrorKind::Unavailable => "store_unavailable",
        ErrorKind::Busy => "store_busy",
        ErrorKind::HalfCopied => "store_half_copied",
        ErrorKind::ReadOnly => "store_read_only",
        ErrorKind::Full => "store_full",
        ErrorKind::Damaged => "store_damaged",
        ErrorKind::Foreign => "store_foreign",
        ErrorKind::NewerSchema => "store_newer_schema",
        ErrorKind::OldSchema => "store_old_schema",
        ErrorKind::Invalid => "store_invalid",
        ErrorKind::UnknownOutcome => "store_unknown_outcome",
        ErrorKind::Unexpected => "store_unexpected",
    }
}

impl EngineError {
    /// A row that a newer or damaged store holds and this engine cannot read.
    pub(super) fn damaged(operation: &'static str, reason: String) -> Self {
        Self::Store(StoreError::new(ErrorKind::Damaged, operation, reason))
    }
}

/// Lists the first ids, and how many more there are.
fn first_of(ids: &[String]) -> String {
    let first = ids.iter().take(NAMED_MAX).map(|id| format!("`{id}`"));
    let first = first.collect::<Vec<_>>().join(", ");
    match ids.len().saturating_sub(NAMED_MAX) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Names the newest version of a playbook that has not the one asked for; 0 if it has none.
fn other_versions(newest: u32) -> String {
    match newest {
        0 => ", nor any other version".to_owned(),
        newest => format!(" with strategies; its newest version is {newest}"),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
