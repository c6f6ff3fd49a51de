//! Records: written ones come back, lists have their order, and an invalid commit is refused as a whole.

use hindlore::store::ErrorKind;
use hindlore::store::lessons::NAMES_MAX;
use hindlore::store::lessons::rows::OperationReceipt;
use hindlore::store::order_key::{OrderKey, Range};
use hindlore::store::records::receipt::receipt_key;
use hindlore::store::records::record::EDGES_MAX;
use hindlore::store::records::trajectory::{
    BY_AGENT, BY_NUMBER, BY_PARENT, BY_STATUS, FOR_RELEARNING, STEP, TRAJECTORY, TrajectoryRow,
    TrajectoryStep, step_key, steps_of, trajectory_key,
};
use hindlore::store::records::{
    Fields, Record, RecordCommit, RecordKey, RecordReads, RecordsRead, Scan,
};

use crate::record_world::{extreme, full_trajectory, ids, keys, newest, sorted, step, trajectory};
use crate::subject::{Subject, moment};

pub(crate) async fn a_record_comes_back_bit_for_bit(subject: &Subject) {
    let owner = subject.owner("l");
    let parent = full_trajectory("t1", 1, None);
    let child = full_trajectory("t2", 2, Some("t1"));
    let part = step("t2", 1);
    let all = sorted(vec![
        parent.to_record(),
        child.to_record(),
        part.to_record(),
        extreme("t3"),
    ]);
    // Edges to records that come later in the same commit.
    let mut given = all.clone();
    given.reverse();
    subject.put(&owner, &given).await.unwrap();
    let found = subject.store.records(&owner, &keys(&all)).await.unwrap();
    assert_eq!(found, all);
    assert_eq!(subject.exported(&owner).await, all);
    let bits = |record: &Record| {
        record
            .fields
            .read::<f64>("negative_zero")
            .unwrap()
            .to_bits()
    };
    let came = found.iter().find(|record| record.key.id == "t3").unwrap();
    assert_eq!(bits(came), (-0.0_f64).to_bits());
    let row = |id: &str| found.iter().find(|record| record.key.id == id).unwrap();
    assert_eq!(TrajectoryRow::from_record(row("t2")).unwrap(), child);
    assert_eq!(TrajectoryStep::from_record(row("t2/s1")).unwrap(), part);
}

pub(crate) async fn unknown_records_are_left_out(subject: &Subject) {
    let owner = subject.owner("l");
    let asked = [
        trajectory_key("t2"),
        trajectory_key("t1"),
        step_key("t1", "s1"),
    ];
    assert!(
        subject
            .store
            .records(&owner, &asked)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    let one = trajectory("t1", 1).to_record();
    subject
        .put(&owner, std::slice::from_ref(&one))
        .await
        .unwrap();
    let twice = [asked[1].clone(), asked[0].clone(), asked[1].clone()];
    let found = subject.store.records(&owner, &twice).await.unwrap();
    assert_eq!(found, std::slice::from_ref(&one));
    let reads = RecordReads {
        keys: twice.to_vec(),
        scans: vec![newest(9)],
    };
    let read = subject.read_records(&owner, reads).await;
    let expected = RecordsRead {
        records: vec![one.clone()],
        scans: vec![vec![one]],
    };
    assert_eq!(read, expected);
}

pub(crate) async fn a_put_takes_the_place_of_what_is_there(subject: &Subject) {
    let owner = subject.owner("l");
    let parents = ["p1", "p2"].map(|id| trajectory(id, 1).to_record());
    let first = full_trajectory("t1", 2, Some("p1"));
    subject.put(&owner, &parents).await.unwrap();
    subject.put(&owner, &[first.to_record()]).await.unwrap();
    let second = TrajectoryRow {
        status: "success".to_owned(),
        parent: Some("p2".to_owned()),
        agent: None,
        relearning: None,
        ..first.clone()
    };
    subject.put(&owner, &[second.to_record()]).await.unwrap();
    let found = subject.store.records(&owner, &[trajectory_key("t1")]).await;
    assert_eq!(found.unwrap(), [second.to_record()]);
    let scan = |order, key: OrderKey| Scan {
        kind: &TRAJECTORY,
        order,
        range: Range::starting_with(&key),
        limit: 9,
    };
    let exact = |name: &str| OrderKey::new().exact(name);
    for (order, key, expected) in [
        (BY_STATUS, exact("failure"), &[][..]),
        (BY_STATUS, exact("success"), &["t1"]),
        (BY_PARENT, exact("p1"), &[]),
        (BY_PARENT, exact("p2"), &["t1"]),
        (BY_AGENT, exact("agent 文件"), &[]),
        (FOR_RELEARNING, OrderKey::new(), &[]),
    ] {
        let page = subject.store.scan_records(&owner, scan(order, key)).await;
        assert_eq!(ids(&page.unwrap()), expected, "{order}");
    }
    // Its first parent has no edge any more, and may go; the second may not.
    subject
        .delete(&owner, &[trajectory_key("p1")])
        .await
        .unwrap();
    let refused = subject.delete(&owner, &[trajectory_key("p2")]).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
}

pub(crate) async fn records_come_in_order_and_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    // Two begin at the same moment: the id decides.
    let started = [("a", 5), ("b", 7), ("c", 5), ("d", 1), ("ä", 5), ("文", 9)];
    let rows = started.map(|(id, at)| TrajectoryRow {
        agent: Some(if at == 5 { "five" } else { "other" }.to_owned()),
        ..trajectory(id, at)
    });
    let all = rows.map(|row| row.to_record());
    subject.put(&owner, &all).await.unwrap();
    let mut scan = newest(2);
    let mut seen = Vec::new();
    loop {
        let page = subject
            .store
            .scan_records(&owner, scan.clone())
            .await
            .unwrap();
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        scan.range = scan.range.after(&last.position(scan.order).unwrap());
        seen.extend(page.into_iter().map(|record| record.key.id));
    }
    assert_eq!(seen, ["文", "b", "a", "c", "ä", "d"]);
    let between = |last, first| Scan {
        range: Range::between(
            &OrderKey::new().newest(moment(last)),
            &OrderKey::new().newest(moment(first)),
        ),
        ..newest(9)
    };
    let page = subject
        .store
        .scan_records(&owner, between(7, 5))
        .await
        .unwrap();
    assert_eq!(ids(&page), ["b", "a", "c", "ä"]);
    let of_five = Scan {
        order: BY_AGENT,
        range: Range::starting_with(&OrderKey::new().exact("five")),
        ..newest(9)
    };
    let page = subject.store.scan_records(&owner, of_five).await.unwrap();
    assert_eq!(ids(&page), ["a", "c", "ä"]);
    assert_eq!(page[0], all[0]);
}

pub(crate) async fn steps_come_in_the_order_of_their_numbers(subject: &Subject) {
    let owner = subject.owner("l");
    let other = trajectory("t1/s", 1).to_record();
    subject
        .put(&owner, &[trajectory("t1", 1).to_record(), other])
        .await
        .unwrap();
    let steps: Vec<Record> = (1..=12)
        .rev()
        .map(|number| step("t1", number).to_record())
        .collect();
    subject.put(&owner, &steps).await.unwrap();
    subject
        .put(&owner, &[step("t1/s", 1).to_record()])
        .await
        .unwrap();
    let scan = Scan {
        kind: &STEP,
        order: BY_NUMBER,
        range: steps_of("t1"),
        limit: 10,
    };
    let page = subject.store.scan_records(&owner, scan).await.unwrap();
    let numbers = page
        .iter()
        .map(|one| TrajectoryStep::from_record(one).unwrap().number);
    assert_eq!(numbers.collect::<Vec<_>>(), (1..=10).collect::<Vec<u32>>());
}

pub(crate) async fn a_deleted_record_is_found_in_no_way(subject: &Subject) {
    let owner = subject.owner("l");
    let whole = trajectory("t1", 1).to_record();
    let part = step("t1", 1).to_record();
    subject
        .put(&owner, &[whole.clone(), part.clone()])
        .await
        .unwrap();
    let refused = subject
        .delete(&owner, std::slice::from_ref(&whole.key))
        .await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(
        subject.exported(&owner).await,
        [part.clone(), whole.clone()]
    );
    // Both at once may go, in any order, and one that is not there is left out.
    let unknown = trajectory_key("t9");
    let gone = [whole.key.clone(), unknown, part.key.clone()];
    subject.delete(&owner, &gone).await.unwrap();
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    let page = subject.store.scan_records(&owner, newest(9)).await.unwrap();
    assert!(page.is_empty());
    subject
        .put(&owner, &[whole.clone(), part.clone()])
        .await
        .unwrap();
    assert_eq!(subject.exported(&owner).await, [part, whole]);
}

/// Asserts that a commit is refused together with a good record that comes along.
async fn is_refused(subject: &Subject, records: Vec<Record>, reason: &str) {
    let owner = subject.owner("l");
    let mut all = vec![trajectory("good", 1).to_record()];
    all.extend(records);
    let error = subject.put(&owner, &all).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    assert!(error.to_string().contains(reason), "{error}");
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
}

pub(crate) async fn what_no_kind_declares_is_refused_as_a_whole(subject: &Subject) {
    let plain = |id: &str| Record::new(trajectory_key(id), Fields::new());
    let with = |name: &str, number: f64| {
        Record::new(trajectory_key("t1"), Fields::new().with(name, number))
    };
    let edge = |name, other: RecordKey| plain("t1").with_edge(name, other, Fields::new());
    let texts = (0..2_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>();
    let many = (0..=EDGES_MAX).map(|number| trajectory_key(&format!("t{number}")));
    let many = many.fold(plain("t1"), |record, other| {
        record.with_edge("CHILD_OF", other, Fields::new())
    });
    for (record, reason) in [
        (
            edge("CHILD_OF", trajectory_key("nobody")),
            "which is not there",
        ),
        (edge("KNOWS", trajectory_key("good")), "declares no edge"),
        (edge("CHILD_OF", step_key("t1", "s1")), "declares no edge"),
        (
            plain("t1").in_order("by_moon", OrderKey::new()),
            "declares no order",
        ),
        (with("score", f64::NAN), "which is no number"),
        (with("Score", 1.0), "cannot be called"),
        (with("title", 1.0), "cannot be called"),
        (with("hindlore_key", 1.0), "cannot be called"),
        (
            Record::new(trajectory_key("t1"), Fields::new().with("texts", texts)),
            "1000 at most",
        ),
        (many, "1000 at most"),
        (plain(""), "is no id"),
        (plain("a\u{7}"), "is no id"),
        (plain(&"x".repeat(300)), "is no id"),
        (plain("good"), "stands twice"),
    ] {
        is_refused(subject, vec![record], reason).await;
    }
}

pub(crate) async fn too_many_records_by_name_are_refused(subject: &Subject) {
    let owner = subject.owner("l");
    let many: Vec<RecordKey> = (0..=NAMES_MAX)
        .map(|number| trajectory_key(&number.to_string()))
        .collect();
    let refused = subject.store.records(&owner, &many).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid);
    let unordered = Scan {
        order: "by_moon",
        ..newest(1)
    };
    let refused = subject.store.scan_records(&owner, unordered.clone()).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    for reads in [
        RecordReads {
            keys: many,
            scans: Vec::new(),
        },
        RecordReads {
            keys: Vec::new(),
            scans: vec![unordered],
        },
        RecordReads {
            keys: Vec::new(),
            scans: vec![newest(1); 17],
        },
    ] {
        let decide = Box::new(|_| RecordCommit::default());
        let refused = subject.store.transact_records(&owner, reads, decide).await;
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    }
}

pub(crate) async fn an_operation_on_records_counts_once(subject: &Subject) {
    let owner = subject.owner("l");
    let receipt = OperationReceipt {
        operation: "start:t1 文件".to_owned(),
        body_digest: "00".to_owned(),
        answer: "{}".to_owned(),
        at: moment(3),
    };
    for round in 0..3 {
        let receipt = receipt.clone();
        let reads = RecordReads {
            keys: vec![receipt_key(&receipt.operation), trajectory_key("t1")],
            scans: Vec::new(),
        };
        let decide = Box::new(move |read: RecordsRead| {
            let known = read.records.first().map(OperationReceipt::from_record);
            if let Some(known) = known {
                assert_eq!((round > 0, known.unwrap()), (true, receipt.clone()));
                return RecordCommit::default();
            }
            RecordCommit {
                puts: vec![receipt.to_record(), trajectory("t1", round).to_record()],
                deletes: Vec::new(),
            }
        });
        subject
            .store
            .transact_records(&owner, reads, decide)
            .await
            .unwrap();
    }
    let expected = sorted(vec![receipt.to_record(), trajectory("t1", 0).to_record()]);
    assert_eq!(subject.exported(&owner).await, expected);
}
