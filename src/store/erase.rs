//! Erasing: the order, the answer, and the receipt that stays.
//!
//! A receipt holds nothing of the erased data, not even names: the owner is a hash. A caller who knows the name finds
//! the receipt, and the receipt does not reveal the name. Erased data is unreadable once the answer is given. A file or
//! a server may still hold its bytes on free pages or in logs; the answer lists those that the store cannot wipe.

use async_trait::async_trait;

use super::error::StoreResult;
use super::lessons::reading::LessonsCopy;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Receipts of one listing.
pub const RECEIPTS_MAX: usize = 1_000;
/// Bytes of a hash that replaces a name.
const NAME_BYTES: usize = 10;

/// Counts of erased rows, or of those that an erase would take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "each field counts what its name says")]
pub struct Erased {
    pub memories: u64,
    pub bullets: u64,
    pub deltas: u64,
    pub retrievals: u64,
    pub lessons: u64,
    pub runs: u64,
    pub errors: u64,
    /// Nodes or rows under the learner's names that this engine did not make, such as those made by hand.
    pub strays: u64,
    pub records: u64,
}

impl Erased {
    /// True when all counts are 0.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The counts with their names, in the order of output and of [`from_counts`](Self::from_counts).
    pub fn counts(&self) -> [(&'static str, u64); 9] {
        [
            ("memories", self.memories),
            ("bullets", self.bullets),
            ("deltas", self.deltas),
            ("retrievals", self.retrievals),
            ("lessons", self.lessons),
            ("runs", self.runs),
            ("errors", self.errors),
            ("strays", self.strays),
            ("records", self.records),
        ]
    }

    /// Reads counts in the order of [`counts`](Self::counts); missing ones are 0.
    pub fn from_counts(counts: &[u64]) -> Self {
        let at = |number: usize| counts.get(number).copied().unwrap_or_default();
        Self {
            memories: at(0),
            bullets: at(1),
            deltas: at(2),
            retrievals: at(3),
            lessons: at(4),
            runs: at(5),
            errors: at(6),
            strays: at(7),
            records: at(8),
        }
    }

    /// The sum, count by count.
    pub fn plus(&self, other: &Self) -> Self {
        let (own, more) = (self.counts(), other.counts());
        let sums: Vec<u64> = own.iter().zip(more).map(|(a, b)| a.1 + b.1).collect();
        Self::from_counts(&sums)
    }
}

/// The author, time and id of an erase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseNote {
    /// Id of the receipt. An order that is sent again with the same id leaves one receipt.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub author: Option<String>,
}

/// The scope of an erase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of a learner.
    Learner,
    /// One memory.
    Memory,
    /// One run.
    Run,
    /// One error.
    Error,
    /// One lesson.
    Lesson,
}

impl Extent {
    const ALL: [Self; 5] = [
        Self::Learner,
        Self::Memory,
        Self::Run,
        Self::Error,
        Self::Lesson,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Learner => "learner",
            Self::Memory => "memory",
            Self::Run => "run",
            Self::Error => "error",
            Self::Lesson => "lesson",
        }
    }

    /// The extent of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

/// An order to erase a learner, or one of its memories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseOrder {
    /// The tenant.
    pub tenant: String,
    /// The learner.
    pub learner: String,
    /// The memory to erase; `None` erases all memories of the learner and all of its lessons.
    pub scope: Option<String>,
    /// Records of others that were removed or rewritten for this order already; the receipt counts them.
    pub elsewhere: u64,
    /// The author of the request.
    pub note: EraseNote,
}

impl EraseOrder {
    /// The receipt of this order.
    pub fn receipt(&self, erased: Erased) -> EraseReceipt {
        let (extent, name) = match &self.scope {
            Some(scope) => (Extent::Memory, scope.as_str()),
            None => (Extent::Learner, ""),
        };
        let subject = Subject {
            tenant: &self.tenant,
            learner: &self.learner,
            extent,
            name,
        };
        EraseReceipt::new(&self.note, subject, erased)
    }
}

/// An order to erase one run, error or lesson of a learner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CascadeOrder {
    /// The owner.
    pub owner: LearnerId,
    /// Whether it is a run, an error or a lesson.
    pub extent: Extent,
    /// Its id.
    pub id: String,
    /// The author of the request.
    pub note: EraseNote,
}

impl CascadeOrder {
    /// The receipt of this order.
    pub fn receipt(&self, erased: Erased) -> EraseReceipt {
        let subject = Subject {
            tenant: self.owner.tenant(),
            learner: self.owner.learner(),
            extent: self.extent,
            name: &self.id,
        };
        EraseReceipt::new(&self.note, subject, erased)
    }
}

/// The receipt of an erase, which outlives the data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseReceipt {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub author: Option<String>,
    /// The scope of the erase.
    pub extent: Extent,
    /// Hash of the tenant.
    pub tenant_hash: String,
    /// Hash of tenant and learner.
    pub learner_hash: String,
    /// Hash of the subject: of the learner, of the key of a memory, or of an id.
    pub subject_hash: String,
    /// Counts of erased rows.
    pub erased: Erased,
    /// False while the store may still hold bytes of the erased data, on free pages or in its log.
    pub is_wiped: bool,
}

/// The names in an order; only their hashes go into the receipt.
struct Subject<'a> {
    tenant: &'a str,
    learner: &'a str,
    extent: Extent,
    /// The scope of a memory, or the id of a run, an error or a lesson.
    name: &'a str,
}

impl EraseReceipt {
    fn new(note: &EraseNote, subject: Subject<'_>, erased: Erased) -> Self {
        let Subject {
            tenant,
            learner,
            extent,
            name,
        } = subject;
        Self {
            id: note.id.clone(),
            at: note.at,
            author: note.author.clone(),
            extent,
            tenant_hash: Self::hash_of_tenant(tenant),
            learner_hash: Self::hash_of_learner(tenant, learner),
            subject_hash: match extent {
                Extent::Learner => Self::hash_of_learner(tenant, learner),
                // The extent is part of the hash, so a run and a lesson of the same name never share one.
                other => hash(&[other.word(), tenant, learner, name]),
            },
            erased,
            is_wiped: false,
        }
    }

    /// The hash of a tenant in receipts.
    pub fn hash_of_tenant(tenant: &str) -> String {
        hash(&["tenant", tenant])
    }

    /// The hash of a learner in receipts.
    pub fn hash_of_learner(tenant: &str, learner: &str) -> String {
        hash(&["learner", tenant, learner])
    }
}

fn hash(parts: &[&str]) -> String {
    // A prefix of its own, so that no other derived value of the store equals a hash in a receipt.
    let mut named = vec!["erased"];
    named.extend(parts);
    hex(&derived_hash(&named)[..NAME_BYTES])
}

/// Why bytes of erased data may still exist, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotWiped {
    /// Why.
    pub reason: String,
    /// The remedy.
    pub advice: String,
}

/// Rows that stay after an erase although they hold the name of the learner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Their kind, in the plural.
    pub kind: &'static str,
    /// Their number.
    pub count: u64,
}

impl Mention {
    /// The kinds that a store counts, in the order of its answer.
    pub const KINDS: [&'static str; 4] = [
        "receipts of erases, with hashes in place of names",
        "bullets of others whose text holds the name",
        "deltas of others that hold the name",
        "records of others that hold the name",
    ];

    /// The kinds with their counts, without those of which there are none.
    pub fn of_counts(counts: [u64; 4]) -> Vec<Self> {
        let all = Self::KINDS.into_iter().zip(counts);
        let some = all.filter(|(_, count)| *count > 0);
        some.map(|(kind, count)| Self { kind, count }).collect()
    }
}

/// The answer to an erase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Erasure {
    /// Counts of erased rows.
    pub erased: Erased,
    /// Its receipt; `None` when there was nothing to erase.
    pub receipt: Option<EraseReceipt>,
    /// Set when bytes of this erase, or of an earlier one, could not be wiped.
    pub not_wiped: Option<NotWiped>,
    /// Copies beyond the reach of the store, such as the logs of a server.
    pub notes: Vec<String>,
    /// Texts that stay on purpose and hold the name of the learner; empty unless a whole learner was erased.
    pub kept: Vec<Mention>,
}

/// Decides which lessons of a learner stay, and counts those that go. `None`: nothing is written.
pub type DecideCascade = Box<dyn FnMut(LessonsCopy) -> Option<(LessonsCopy, Erased)> + Send>;

/// Erases data and keeps the receipts.
#[async_trait]
pub trait EraseStore: Send + Sync {
    /// Counts the rows that [`erase`](Self::erase) would delete.
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased>;

    /// Erases one memory of a learner with its history, or all memories and lessons of the learner when the order
    /// names no scope. Fingerprints, tags and lessons belong to the learner, so an erase of one scope leaves them.
    ///
    /// Rows are found by the names they bear, so that orphans go, too. The receipt is written in the last transaction.
    /// Afterwards no table, node, relationship or file of the store holds any of it; where that is impossible, the
    /// erase is still valid and the answer lists the remains.
    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure>;

    /// Erases some rows of a learner's lessons: `decide` gets all of them under the lock of the learner, and its result
    /// replaces them, in one transaction with the receipt. Erased rows are wiped as by [`erase`](Self::erase).
    async fn strike(&self, order: CascadeOrder, decide: DecideCascade) -> StoreResult<Erasure>;

    /// Counts the texts of the tenant that stay on purpose after the erase of a learner: receipts, and texts of others
    /// with its name. A name may also be a common word, so these are counts of texts, not of people. Reads all of the
    /// tenant.
    async fn mentions(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Mention>>;

    /// Wipes the bytes that earlier erases could not; returns the reason when it still cannot.
    async fn wipe(&self) -> StoreResult<Option<NotWiped>>;

    /// Names the copies of erased data that no wipe of this store reaches; empty where there are none.
    async fn beyond_reach(&self) -> StoreResult<Vec<String>>;

    /// Lists the receipts of a tenant, or of one learner of it, newest first, at most [`RECEIPTS_MAX`].
    async fn receipts(&self, tenant: &str, learner: Option<&str>)
    -> StoreResult<Vec<EraseReceipt>>;
}
