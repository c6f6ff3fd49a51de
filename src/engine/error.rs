//! Why an engine verb failed.

mod hint;

use std::fmt;

use super::id_kind::IdKind;
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::undo::UndoRefusal;
use crate::domain::sharing::relation::Relation;
use crate::store::{ErrorKind, StoreError};

/// Ids listed for an ambiguous beginning.
const NAMED_MAX: usize = 10;

/// Result of an engine verb.
pub type EngineResult<T> = Result<T, EngineError>;

/// A failed verb. Nothing was changed, unless the store says that the outcome is unknown.
#[derive(Debug)]
pub enum EngineError {
    /// The backend failed.
    Store(StoreError),
    /// The delta cannot be applied.
    Refused(Refusal),
    /// The delta id was used for another body.
    DeltaReused(DeltaId),
    /// There is no such memory.
    NoMemory(MemoryKey),
    /// There is no such delta in the memory.
    NoDelta(DeltaId),
    /// There is no such consolidation in the memory.
    NoConsolidation(String),
    /// There is no such retrieval in the memory.
    NoRetrieval(String),
    /// There is no such bullet in the memory.
    NoBullet(String),
    /// No delta id has this form.
    InvalidDeltaId(String),
    /// The policy change is invalid.
    InvalidPolicy(String),
    /// A retrieval returned fewer bullets than the place names.
    NoPlace {
        /// The retrieval.
        retrieval: String,
        /// The place asked for, from 1.
        place: usize,
        /// Number of bullets returned.
        returned: usize,
    },
    /// Several ids share the given beginning.
    Ambiguous {
        /// Kind of id.
        what: &'static str,
        /// The given beginning.
        name: String,
        /// All ids that share it.
        ids: Vec<String>,
    },
    /// The text cannot be an id of this kind.
    NotAnId {
        /// Kind of id expected.
        kind: IdKind,
        /// The given text.
        name: String,
        /// Why it is no id.
        reason: String,
    },
    /// No id of this kind has the given beginning.
    NoBeginning {
        /// Kind of id expected.
        kind: IdKind,
        /// The given beginning.
        name: String,
    },
    /// The memory has no such revision.
    NoRevision {
        /// The revision asked for.
        asked: u64,
        /// The newest revision.
        newest: u64,
    },
    /// Later deltas depend on the one to be undone.
    Undo(UndoRefusal),
    /// The request itself is invalid.
    Invalid(String),
    /// The learner has no such run.
    NoRun(String),
    /// The learner has no such lesson.
    NoLesson(String),
    /// The learner has no such playbook.
    NoPlaybook(String),
    /// The learner has a playbook of this name already.
    PlaybookExists(String),
    /// The playbook has no such version, or its strategies are gone.
    NoVersion {
        /// The playbook.
        playbook: String,
        /// What was asked for, as text.
        asked: String,
        /// The number of its newest version.
        newest: u32,
    },
    /// The learner has no such reflection.
    NoReflection(String),
    /// The learner has no such conversation.
    NoConversation(String),
    /// The conversation is another learner's.
    ForeignConversation(String),
    /// No API key of this name is in use.
    NoKey(String),
    /// An API key of this name is in use.
    KeyExists(String),
    /// Others kept changing the playbook.
    PlaybookContended(String),
    /// The learner has no such error.
    NoError(String),
    /// The learner has no such activation.
    NoActivation(String),
    /// The run has ended and accepts nothing more.
    RunEnded(String),
    /// The run has another action at this step.
    StepTaken {
        /// The run.
        run: String,
        /// Number of the step.
        step: u32,
        /// The action recorded there, as text.
        action: String,
    },
    /// Others reported to the run faster than it could be ended.
    RunContended(String),
    /// The operation id was used before, with other contents.
    OperationReused(String),
    /// The caller lacks the relation that the verb needs. Says nothing of whether the object exists.
    NotAllowed {
        /// The caller.
        caller: String,
        /// The relation needed.
        needed: Relation,
        /// To what.
        object: String,
    },
    /// The object would lose its last owner, or the group its last leader.
    LastOwner(String),
    /// Others changed the memory faster than this request could follow.
    Contended(MemoryKey),
    /// The engine is shutting down, or one of its tasks died.
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

    /// The same failure, for another request of the group.
    pub(super) fn repeat(&self) -> Self {
        match self {
            Self::Store(error) => Self::Store(error.repeat()),
            Self::Contended(key) => Self::Contended(key.clone()),
            Self::NoMemory(key) => Self::NoMemory(key.clone()),
            Self::Invalid(reason) => Self::Invalid(reason.clone()),
            Self::Refused(Refusal::Tables) => Self::Refused(Refusal::Tables),
            Self::Refused(Refusal::OlderRules) => Self::Refused(Refusal::OlderRules),
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
            Self::Refused(Refusal::OlderRules) => "older_rules",
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

    /// Writes what is wrong with what belongs to a learner beside its memories, or why sharing forbids it.
    fn write_of_learner(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRun(id) => write!(f, "there is no run `{id}` of this learner"),
            Self::NoLesson(id) => write!(f, "there is no lesson `{id}` of this learner"),
            Self::NoError(id) => write!(f, "there is no error `{id}` of this learner"),
            Self::NoActivation(id) => write!(f, "there is no activation `{id}` of this learner"),
            Self::RunEnded(id) => write!(f, "the run `{id}` has ended"),
            Self::StepTaken { run, step, action } => write!(
                f,
                "step {step} of the run `{run}` is there with another action, `{action}`"
            ),
            Self::RunContended(id) => write!(f, "others kept reporting to the run `{id}`"),
            Self::NoPlaybook(name) => write!(f, "there is no playbook `{name}` of this learner"),
            Self::PlaybookExists(name) => write!(f, "there is a playbook `{name}` already"),
            Self::NoVersion {
                playbook,
                asked,
                newest: 0,
            } => {
                write!(
                    f,
                    "the playbook `{playbook}` has no {asked}, nor any other version"
                )
            }
            Self::NoVersion {
                playbook,
                asked,
                newest,
            } => {
                write!(
                    f,
                    "the playbook `{playbook}` has no {asked} with strategies; its newest version is {newest}"
                )
            }
            Self::NoReflection(id) => write!(f, "there is no reflection `{id}` of this learner"),
            Self::NoConversation(id) => {
                write!(
                    f,
                    "there is no conversation `{}` of this learner",
                    id.escape_debug()
                )
            }
            Self::NoKey(name) => write!(f, "no API key `{}` is in use", name.escape_debug()),
            Self::KeyExists(name) => {
                write!(f, "an API key `{}` is in use", name.escape_debug())
            }
            Self::ForeignConversation(id) => {
                write!(
                    f,
                    "the conversation `{}` belongs to another learner",
                    id.escape_debug()
                )
            }
            Self::PlaybookContended(name) => {
                write!(f, "others kept changing the playbook `{name}`")
            }
            Self::NotAllowed {
                caller,
                needed,
                object,
            } => write!(f, "`{caller}` is no {needed} of {object}"),
            Self::LastOwner(what) => write!(f, "{what} would be left without an owner"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::DeltaReused(id) => {
                write!(f, "the delta id `{id}` was used before, with another body")
            }
            Self::NoMemory(key) => write!(f, "there is no memory {key}"),
            Self::NoConsolidation(run) => write!(f, "there is no consolidation `{run}` here"),
            Self::NoDelta(id) => write!(f, "there is no delta `{id}` in this memory"),
            Self::NoRetrieval(id) => write!(f, "there is no retrieval `{id}` in this memory"),
            Self::NoBullet(id) => write!(f, "there is no bullet `{id}` in this memory"),
            Self::Ambiguous { what, name, ids } => {
                let first = ids.iter().take(NAMED_MAX).map(|id| format!("`{id}`"));
                let first = first.collect::<Vec<_>>().join(", ");
                write!(
                    f,
                    "`{name}` is the beginning of {} ids of a {what}: {first}",
                    ids.len()
                )?;
                match ids.len().saturating_sub(NAMED_MAX) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::NotAnId { kind, name, reason } => write!(
                f,
                "`{}` is no id of a {}: {reason}",
                name.escape_debug(),
                kind.word()
            ),
            Self::NoBeginning { kind, name } => {
                write!(f, "no id of a {} begins with `{name}`", kind.word())
            }
            Self::NoRevision { asked, newest } => {
                write!(f, "there is no revision {asked}; the newest is {newest}")
            }
            Self::Undo(refusal) => refusal.fmt(f),
            Self::NoPlace {
                retrieval,
                place,
                returned,
            } => {
                let word = if *returned == 1 { "bullet" } else { "bullets" };
                write!(
                    f,
                    "the retrieval `{retrieval}` returned {returned} {word}, so there is no number {place}"
                )
            }
            Self::Invalid(reason) | Self::InvalidDeltaId(reason) | Self::InvalidPolicy(reason) => {
                f.write_str(reason)
            }
            Self::OperationReused(id) => {
                write!(f, "`{id}` was done before, and said something else")
            }
            Self::Contended(key) => write!(f, "others kept changing the memory {key}"),
            Self::Stopped => write!(f, "the engine stopped before it could answer"),
            _ => self.write_of_learner(f),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Refusal> for EngineError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
