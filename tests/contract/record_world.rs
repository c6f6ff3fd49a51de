//! Records for the clauses: trajectories and their steps, which every store keeps without knowing their meaning.

use hindlore::domain::lesson::lesson::Owner;
use hindlore::store::StoreResult;
use hindlore::store::order_key::{OrderKey, Range};
use hindlore::store::records::trajectory::{
    BY_START, TRAJECTORY, TrajectoryRow, TrajectoryStep, trajectory_key,
};
use hindlore::store::records::{
    DecideRecords, Fields, Record, RecordCommit, RecordKey, RecordReads, RecordsRead, Scan, Value,
};

use crate::subject::{Subject, moment};

impl Subject {
    /// Puts records.
    pub(crate) async fn put(&self, owner: &Owner, records: &[Record]) -> StoreResult<()> {
        let commit = RecordCommit {
            puts: records.to_vec(),
            deletes: Vec::new(),
        };
        self.commit_records(owner, commit).await
    }

    /// Deletes records.
    pub(crate) async fn delete(&self, owner: &Owner, keys: &[RecordKey]) -> StoreResult<()> {
        let commit = RecordCommit {
            puts: Vec::new(),
            deletes: keys.to_vec(),
        };
        self.commit_records(owner, commit).await
    }

    /// Writes a commit unconditionally.
    pub(crate) async fn commit_records(
        &self,
        owner: &Owner,
        commit: RecordCommit,
    ) -> StoreResult<()> {
        let decide: DecideRecords = Box::new(move |_| commit.clone());
        let reads = RecordReads::default();
        self.store.transact_records(owner, reads, decide).await
    }

    /// Reads under the lock, and writes nothing.
    pub(crate) async fn read_records(&self, owner: &Owner, reads: RecordReads) -> RecordsRead {
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
    pub(crate) async fn exported(&self, owner: &Owner) -> Vec<Record> {
        let all = self.store.export_records(owner).await.unwrap();
        all.unwrap_or_default()
    }
}

/// A plain trajectory.
pub(crate) fn trajectory(id: &str, started: i64) -> TrajectoryRow {
    TrajectoryRow {
        id: id.to_owned(),
        description: format!("what {id} is about"),
        task_type: None,
        agent: None,
        user: None,
        parent: None,
        status: "running".to_owned(),
        success_score: None,
        error: None,
        steps: 0,
        started_at: moment(started),
        ended_at: None,
        relearning: None,
        metrics: None,
    }
}

/// A trajectory with something in every field.
pub(crate) fn full_trajectory(id: &str, started: i64, parent: Option<&str>) -> TrajectoryRow {
    TrajectoryRow {
        task_type: Some("späte Ernte, \"x\"".to_owned()),
        agent: Some("agent 文件".to_owned()),
        user: Some("Zoë".to_owned()),
        parent: parent.map(str::to_owned),
        status: "failure".to_owned(),
        success_score: Some(0.1 + 0.2),
        error: Some("a\nb\u{1F600}".to_owned()),
        steps: 3,
        ended_at: Some(moment(started + 5)),
        relearning: Some(7),
        metrics: Some(r#"{"tokens":1}"#.to_owned()),
        ..trajectory(id, started)
    }
}

pub(crate) fn step(trajectory: &str, number: u32) -> TrajectoryStep {
    TrajectoryStep {
        trajectory: trajectory.to_owned(),
        id: format!("s{number}"),
        number,
        step_kind: "action".to_owned(),
        description: format!("step {number}"),
        metadata: None,
        at: moment(i64::from(number)),
    }
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
            hindlore::domain::timestamp::Timestamp::from_millis(i64::MIN),
        )
        .with(
            "last",
            hindlore::domain::timestamp::Timestamp::from_millis(i64::MAX),
        )
        .with("texts", vec![String::new(), "b".to_owned(), "a".to_owned()])
        .with("no_texts", Value::Texts(Vec::new()));
    Record::new(trajectory_key(id), fields).in_order(BY_START, OrderKey::new().newest(moment(0)))
}

/// A page of all trajectories, newest first.
pub(crate) fn newest(limit: usize) -> Scan {
    Scan {
        kind: &TRAJECTORY,
        order: BY_START,
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
