//! Records for the clauses: playbooks and their versions, which every store keeps without knowing their meaning.
//!
//! Values and positions are chosen for the clauses, not as the nouns have them.

use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::StoreResult;
use hindlore_store::order_key::{OrderKey, Range};
use hindlore_store::records::playbook::{BY_NAME, BY_NUMBER, PLAYBOOK, PLAYBOOK_VERSION};
use hindlore_store::records::{
    DecideRecords, Fields, Record, RecordCommit, RecordKey, RecordReads, RecordsRead, Scan, Value,
};

use crate::subject::{Subject, moment};

impl Subject {
    /// Puts records.
    pub(crate) async fn put(&self, owner: &LearnerId, records: &[Record]) -> StoreResult<()> {
        let commit = RecordCommit {
            puts: records.to_vec(),
            deletes: Vec::new(),
        };
        self.commit_records(owner, commit).await
    }

    /// Deletes records.
    pub(crate) async fn delete(&self, owner: &LearnerId, keys: &[RecordKey]) -> StoreResult<()> {
        let commit = RecordCommit {
            puts: Vec::new(),
            deletes: keys.to_vec(),
        };
        self.commit_records(owner, commit).await
    }

    /// Writes a commit unconditionally.
    pub(crate) async fn commit_records(
        &self,
        owner: &LearnerId,
        commit: RecordCommit,
    ) -> StoreResult<()> {
        let decide: DecideRecords = Box::new(move |_| commit.clone());
        let reads = RecordReads::default();
        self.store.transact_records(owner, reads, decide).await
    }

    /// Reads under the lock, and writes nothing.
    pub(crate) async fn read_records(&self, owner: &LearnerId, reads: RecordReads) -> RecordsRead {
        let (give, take) = std::sync::mpsc::channel();
        let decide: DecideRecords = Box::new(move |read| {
            give.send(read).unwrap();
            RecordCommit::default()
        });
        self.store
            .transact_records(owner, reads, decide)
            .await
            .unwrap();
        take.recv().unwrap()
    }

    /// All records of an owner.
    pub(crate) async fn exported(&self, owner: &LearnerId) -> Vec<Record> {
        let all = self.store.export_records(owner).await.unwrap();
        all.unwrap_or_default()
    }
}

pub(crate) fn book_key(id: &str) -> RecordKey {
    RecordKey::new(&PLAYBOOK, id)
}

/// A playbook that began at a time.
pub(crate) fn book(id: &str, began: i64) -> Record {
    let fields = Fields::new()
        .with("name", format!("what {id} is about"))
        .with("versions", 0_u32);
    Record::new(book_key(id), fields).in_order(BY_NAME, OrderKey::new().newest(moment(began)))
}

/// A playbook with more values, of every script.
pub(crate) fn full_book(id: &str, began: i64) -> Record {
    let mut record = book(id, began);
    record.fields = record
        .fields
        .with("scope", "späte Ernte, \"x\"")
        .with("agent", "agent 文件")
        .with("score", 0.1 + 0.2)
        .with("error", "a\nb\u{1F600}")
        .with("metrics", r#"{"tokens":1}"#)
        .with("ended_at", moment(began + 5));
    record
}

pub(crate) fn version_key(book: &str, id: &str) -> RecordKey {
    RecordKey::new(&PLAYBOOK_VERSION, format!("{book}/{id}"))
}

/// A version under an id of its own.
pub(crate) fn version_as(book: &str, id: &str, number: u32) -> Record {
    let fields = Fields::new()
        .with("name", format!("version {number}"))
        .with("number", number);
    let order = OrderKey::new().exact(book).smallest(u64::from(number));
    Record::new(version_key(book, id), fields)
        .in_order(BY_NUMBER, order)
        .with_edge(
            "HAS_VERSION",
            book_key(book),
            Fields::new().with("number", number),
        )
}

/// A version, which hangs on its playbook.
pub(crate) fn version(book: &str, number: u32) -> Record {
    version_as(book, &format!("s{number}"), number)
}

/// A record with a value of every kind, at the ends of their ranges.
pub(crate) fn extreme(id: &str) -> Record {
    let fields = Fields::new()
        .with("description", "")
        .with("text", "\u{10FFFF}\"\\\r\n\u{0301}")
        .with("least", i64::MIN)
        .with("most", i64::MAX)
        .with("small", f64::MIN_POSITIVE)
        .with("negative_zero", -0.0)
        .with("whole_number", 3.0)
        .with("sum", 0.1 + 0.7)
        .with("yes", true)
        .with("no", false)
        .with(
            "first",
            hindlore_primitives::timestamp::Timestamp::from_millis(i64::MIN),
        )
        .with(
            "last",
            hindlore_primitives::timestamp::Timestamp::from_millis(i64::MAX),
        )
        .with("texts", vec![String::new(), "b".to_owned(), "a".to_owned()])
        .with("no_texts", Value::Texts(Vec::new()));
    Record::new(book_key(id), fields).in_order(BY_NAME, OrderKey::new().newest(moment(0)))
}

/// A page of all playbooks, newest first.
pub(crate) fn newest(limit: usize) -> Scan {
    Scan {
        kind: &PLAYBOOK,
        order: BY_NAME,
        range: Range::starting_with(&OrderKey::new()),
        limit,
    }
}

pub(crate) fn keys(records: &[Record]) -> Vec<RecordKey> {
    records.iter().map(|record| record.key.clone()).collect()
}

pub(crate) fn ids(records: &[Record]) -> Vec<&str> {
    records
        .iter()
        .map(|record| record.key.id.as_str())
        .collect()
}

pub(crate) fn sorted(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_by(|a, b| a.key.cmp(&b.key));
    records
}
