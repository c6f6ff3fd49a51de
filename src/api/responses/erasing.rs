//! Answers of an erase: the destroyed rows, the remains, bytes that could not be wiped, and the receipts.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::Id;
use hindlore_primitives::ids::LessonId;
use hindlore_store::{EraseReceipt, Erased, Erasure, Extent, Mention, NotWiped};

/// Counts by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CountsResponse {
    /// Memories.
    pub memories: u64,
    /// Bullets in any status.
    pub bullets: u64,
    /// Deltas in their history.
    pub deltas: u64,
    /// Recorded retrievals.
    pub retrievals: u64,
    /// Lessons in any status.
    pub lessons: u64,
    /// Runs.
    pub runs: u64,
    /// Error events.
    pub errors: u64,
    /// Records with the learner's names that belong to no known row.
    pub strays: u64,
    /// Records of nouns such as trajectories.
    #[serde(skip_serializing_if = "is_none")]
    pub records: u64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl CountsResponse {
    /// The non-zero counts for a sentence: `2 memories, 1 bullet`.
    pub fn told(&self) -> String {
        let counts = Erased::from(*self).counts();
        let named = counts.into_iter().filter(|(_, count)| *count > 0);
        let told: Vec<String> = named
            .map(|(name, count)| format!("{count} {}", singular(name, count)))
            .collect();
        if told.is_empty() {
            "nothing".to_owned()
        } else {
            told.join(", ")
        }
    }
}

fn singular(name: &'static str, count: u64) -> &'static str {
    match (name, count) {
        ("memories", 1) => "memory",
        (name, 1) => name.strip_suffix('s').unwrap_or(name),
        (name, _) => name,
    }
}

impl From<Erased> for CountsResponse {
    fn from(erased: Erased) -> Self {
        Self {
            memories: erased.memories,
            bullets: erased.bullets,
            deltas: erased.deltas,
            retrievals: erased.retrievals,
            lessons: erased.lessons,
            runs: erased.runs,
            errors: erased.errors,
            strays: erased.strays,
            records: erased.records,
        }
    }
}

impl From<CountsResponse> for Erased {
    fn from(shown: CountsResponse) -> Self {
        Self {
            memories: shown.memories,
            bullets: shown.bullets,
            deltas: shown.deltas,
            retrievals: shown.retrievals,
            lessons: shown.lessons,
            runs: shown.runs,
            errors: shown.errors,
            strays: shown.strays,
            records: shown.records,
        }
    }
}

/// A receipt. Hashes replace names, so that it holds nothing of the erased data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct EraseReceiptResponse {
    /// Its id.
    pub id: String,
    /// When.
    pub at: String,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// `learner`, `memory`, `run`, `error` or `lesson`.
    pub extent: &'static str,
    /// Hash of tenant and learner.
    pub learner_hash: String,
    /// Hash of the destroyed subject.
    pub subject_hash: String,
    /// Destroyed records.
    pub erased: CountsResponse,
    /// False while the store may still hold bytes of them.
    pub wiped: bool,
}

impl From<EraseReceipt> for EraseReceiptResponse {
    fn from(receipt: EraseReceipt) -> Self {
        Self {
            id: receipt.id,
            at: receipt.at.to_string(),
            author: receipt.author,
            extent: receipt.extent.word(),
            learner_hash: receipt.learner_hash,
            subject_hash: receipt.subject_hash,
            erased: receipt.erased.into(),
            wiped: receipt.is_wiped,
        }
    }
}

/// Receipts, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct EraseReceiptsResponse {
    /// The receipts.
    pub receipts: Vec<EraseReceiptResponse>,
}

/// Why bytes of destroyed records may still exist.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NotWipedResponse {
    /// Why.
    pub reason: String,
    /// The remedy.
    pub advice: String,
}

impl From<NotWiped> for NotWipedResponse {
    fn from(told: NotWiped) -> Self {
        Self {
            reason: told.reason,
            advice: told.advice,
        }
    }
}

/// The remains of a learner after an erase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RemainsResponse {
    /// Remaining records.
    #[serde(flatten)]
    pub counts: CountsResponse,
    /// The command that erases them, too.
    pub command: String,
}

impl RemainsResponse {
    /// The remaining records of a learner; absent if there are none.
    pub fn from_erased(left: Erased, tenant: &str, learner: &str) -> Option<Self> {
        let words = ["--tenant", tenant, "--learner", learner];
        let words: Vec<String> = words.iter().map(|word| for_shell(word)).collect();
        (!left.is_nothing()).then(|| Self {
            counts: left.into(),
            command: format!("hindlore erase {} --all-scopes", words.join(" ")),
        })
    }
}

/// A word quoted for a shell.
fn for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Rows that stay on purpose although they hold the name of the erased learner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "KeptRowsResponse")]
pub struct KeptResponse {
    /// Their kind.
    pub kind: &'static str,
    /// Their number.
    pub count: u64,
}

impl From<Mention> for KeptResponse {
    fn from(mention: Mention) -> Self {
        Self {
            kind: mention.kind,
            count: mention.count,
        }
    }
}

/// Copies outside of the store that no erase reaches.
const OUTSIDE: &str =
    "the audit log of a server, exports and backups are outside of the store and stay as they are";

/// The result of an erase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ErasedResponse {
    /// Destroyed records.
    #[serde(flatten)]
    pub counts: CountsResponse,
    /// The receipt; absent if there was nothing to erase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<EraseReceiptResponse>,
    /// The remains of the learner, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remains: Option<RemainsResponse>,
    /// Lessons learned from the destroyed records; they stay, and may quote them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Id>")]
    pub resting: Vec<LessonId>,
    /// Present if some bytes could not be wiped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_wiped: Option<NotWipedResponse>,
    /// Texts that stay on purpose, by kind: receipts, and texts of others with the learner's name in them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptResponse>,
    /// Copies beyond the reach of the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl From<Erasure> for ErasedResponse {
    fn from(erasure: Erasure) -> Self {
        let mut notes = erasure.notes;
        let whole_learner = |receipt: &EraseReceipt| receipt.extent == Extent::Learner;
        if erasure.receipt.as_ref().is_some_and(whole_learner) {
            notes.push(OUTSIDE.to_owned());
        }
        Self {
            counts: erasure.erased.into(),
            receipt: erasure.receipt.map(Into::into),
            remains: None,
            resting: Vec::new(),
            not_wiped: erasure.not_wiped.map(Into::into),
            kept: erasure.kept.into_iter().map(Into::into).collect(),
            notes,
        }
    }
}

/// The result of a wipe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct WipedResponse {
    /// True if neither the file nor its log holds bytes of erased records; a server is not wiped, see `notes`.
    pub wiped: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_wiped: Option<NotWipedResponse>,
    /// Copies beyond the reach of the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
