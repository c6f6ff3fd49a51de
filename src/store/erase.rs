//! Destroying: what is asked for, what is told about it, and the receipt that stays.
//!
//! A receipt holds nothing of what was destroyed, names included: whose it was stands there as a hash, so
//! that whoever knows the name finds the receipt, and nobody learns the name from it. What is destroyed is
//! gone for every reader once the answer is given. A file or a server may still hold its bytes where nobody
//! reads them; what a store cannot wipe it says in the answer.

use async_trait::async_trait;

use super::error::StoreResult;
use super::lessons::reading::LessonsCopy;
use mnemograph_domain::identity::{derived_hash, hex};
use mnemograph_domain::lesson::lesson::Owner;
use mnemograph_domain::timestamp::Timestamp;

/// Receipts of one listing.
pub const RECEIPTS_MAX: usize = 1_000;
/// Bytes of a hash that stand for a name.
const NAME_BYTES: usize = 10;

/// What an erase took away, or would.
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
    /// Records that bear the learner's names and belong to nothing that is known, such as what a hand has made.
    pub strays: u64,
    pub records: u64,
}

impl Erased {
    /// True when there was nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The counts with their names, in the order in which they are told.
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

    /// The counts in that order, read back; what is missing is 0.
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

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        let (own, more) = (self.counts(), other.counts());
        let sums: Vec<u64> = own.iter().zip(more).map(|(a, b)| a.1 + b.1).collect();
        Self::from_counts(&sums)
    }
}

/// Who destroys, when, and under which id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseNote {
    /// Id of the receipt: sent again with it, an order is not written down twice.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub author: Option<String>,
}

/// How much of a learner an erase was about.
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

/// What is to be destroyed of a learner: all, or one memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseOrder {
    /// Whose.
    pub tenant: String,
    /// Whose.
    pub learner: String,
    /// One memory; absent: all of them, and all that the learner's lessons are.
    pub scope: Option<String>,
    /// Who asks.
    pub note: EraseNote,
}

impl EraseOrder {
    /// The receipt of this order.
    pub fn receipt(&self, erased: Erased) -> EraseReceipt {
        let (extent, name) = match &self.scope {
            Some(scope) => (Extent::Memory, scope.as_str()),
            None => (Extent::Learner, ""),
        };
        let whose = [self.tenant.as_str(), self.learner.as_str()];
        EraseReceipt::new(&self.note, whose, (extent, name), erased)
    }
}

/// A record of a learner's lessons that is to be destroyed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrikeOrder {
    /// Whose.
    pub owner: Owner,
    /// What it is.
    pub extent: Extent,
    /// Its id.
    pub id: String,
    /// Who asks.
    pub note: EraseNote,
}

impl StrikeOrder {
    /// The receipt of this order.
    pub fn receipt(&self, erased: Erased) -> EraseReceipt {
        let whose = [self.owner.tenant(), self.owner.learner()];
        EraseReceipt::new(&self.note, whose, (self.extent, &self.id), erased)
    }
}

/// What is known of an erase afterwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EraseReceipt {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub author: Option<String>,
    /// How much it was about.
    pub extent: Extent,
    /// Hash of the tenant.
    pub tenant_hash: String,
    /// Hash of tenant and learner.
    pub learner_hash: String,
    /// Hash of what was destroyed: of the learner, of the key of a memory, of an id.
    pub subject_hash: String,
    /// What was destroyed.
    pub erased: Erased,
    /// False while the store may still hold bytes of it where nobody reads them.
    pub is_wiped: bool,
}

impl EraseReceipt {
    fn new(
        note: &EraseNote,
        [tenant, learner]: [&str; 2],
        (extent, name): (Extent, &str),
        erased: Erased,
    ) -> Self {
        Self {
            id: note.id.clone(),
            at: note.at,
            author: note.author.clone(),
            extent,
            tenant_hash: Self::hash_of_tenant(tenant),
            learner_hash: Self::hash_of_learner(tenant, learner),
            subject_hash: match extent {
                Extent::Learner => Self::hash_of_learner(tenant, learner),
                other => hash(&[other.word(), tenant, learner, name]),
            },
            erased,
            is_wiped: false,
        }
    }

    /// What stands for a tenant.
    pub fn hash_of_tenant(tenant: &str) -> String {
        hash(&["tenant", tenant])
    }

    /// What stands for a learner.
    pub fn hash_of_learner(tenant: &str, learner: &str) -> String {
        hash(&["learner", tenant, learner])
    }
}

fn hash(parts: &[&str]) -> String {
    let mut named = vec!["erased"];
    named.extend(parts);
    hex(&derived_hash(&named)[..NAME_BYTES])
}

/// Why bytes of what was destroyed may still be there, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotWiped {
    /// Why.
    pub reason: String,
    /// What to do.
    pub advice: String,
}

/// What came of an erase.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Erasure {
    /// What is gone.
    pub erased: Erased,
    /// Its receipt; absent when there was nothing.
    pub receipt: Option<EraseReceipt>,
    /// Present when bytes of it, or of an earlier erase, could not be wiped.
    pub not_wiped: Option<NotWiped>,
    /// What lies beyond the reach of the store, such as logs of a server.
    pub notes: Vec<String>,
}

/// Decides what stays of a learner's lessons, and what is thereby gone; nothing is written when it gives none.
pub type DecideStrike = Box<dyn FnMut(LessonsCopy) -> Option<(LessonsCopy, Erased)> + Send>;

/// Destroys, and tells what was destroyed.
#[async_trait]
pub trait EraseStore: Send + Sync {
    /// Counts what [`erase`](Self::erase) would take away, by the names that records bear.
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased>;

    /// Destroys a learner's memories, or one scope of them, with all history; without a scope also all that its
    /// lessons are. A fingerprint, a tag or a lesson belongs to the learner, not to a scope, so an erase of one
    /// scope leaves them. Found is what bears the names, whether or not the records are there that it should hang
    /// on. The receipt is written with the last of it. Nothing of it is found afterwards, in no table, node,
    /// relationship or file of the store; where that cannot be, the erase stands and the answer says so.
    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure>;

    /// Destroys records of a learner's lessons: `decide` gets all that there is under the lock of the learner, and
    /// what it gives back takes its place, in one transaction with the receipt. What is gone is wiped as by an erase.
    async fn strike(&self, order: StrikeOrder, decide: DecideStrike) -> StoreResult<Erasure>;

    /// Wipes what earlier erases could not; gives why it still cannot.
    async fn wipe(&self) -> StoreResult<Option<NotWiped>>;

    /// Lists the receipts of a tenant, or of one learner of it, newest first, at most [`RECEIPTS_MAX`].
    async fn receipts(&self, tenant: &str, learner: Option<&str>)
    -> StoreResult<Vec<EraseReceipt>>;
}
