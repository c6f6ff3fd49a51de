//! Records: written ones come back, lists have their order, and an invalid commit is refused as a whole.

use hindlore_store::ErrorKind;
use hindlore_store::lessons::NAMES_MAX;
use hindlore_store::lessons::rows::OperationReceipt;
use hindlore_store::order_key::{OrderKey, Range};
use hindlore_store::records::playbook::{BY_NUMBER, PLAYBOOK_VERSION};
use hindlore_store::records::receipt::receipt_key;
use hindlore_store::records::record::EDGES_MAX;
use hindlore_store::records::sharing::{OF_LEARNER, OF_SUBJECT, SHARE_NOTE};
use hindlore_store::records::{
    Fields, Record, RecordCommit, RecordKey, RecordReads, RecordsRead, Scan,
};

use crate::record_world::{
    book, book_key, extreme, full_book, ids, keys, newest, sorted, version, version_key,
};
use crate::subject::{Subject, moment};

pub(crate) async fn a_record_comes_back_bit_for_bit(subject: &Subject) {
    let owner = subject.owner("l");
    let all = sorted(vec![
        full_book("t1", 1),
        full_book("t2", 2),
        version("t2", 1),
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
}

pub(crate) async fn unknown_records_are_left_out(subject: &Subject) {
    let owner = subject.owner("l");
    let asked = [book_key("t2"), book_key("t1"), version_key("t1", "s1")];
    assert!(
        subject
            .store
            .records(&owner, &asked)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    let one = book("t1", 1);
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
    subject
        .put(&owner, &[book("p1", 1), book("p2", 1)])
        .await
        .unwrap();
    let first = version("p1", 1);
    let key = first.key.clone();
    let hangs_on = |number: u32, book: &str| {
        let fields = Fields::new().with("number", number);
        Record::new(key.clone(), fields.clone()).with_edge("HAS_VERSION", book_key(book), fields)
    };
    let order = OrderKey::new().exact("p2");
    let second = hangs_on(2, "p2").in_order(BY_NUMBER, order.smallest(2));
    let third = hangs_on(3, "p2");
    for (record, expected) in [
        (first, [&["p1/s1"][..], &[]]),
        (second, [&[], &["p1/s1"]]),
        (third, [&[], &[]]),
    ] {
        subject
            .put(&owner, std::slice::from_ref(&record))
            .await
            .unwrap();
        let found = subject.store.records(&owner, std::slice::from_ref(&key));
        assert_eq!(found.await.unwrap(), [record]);
        for (book, expected) in ["p1", "p2"].into_iter().zip(expected) {
            let page = subject.store.scan_records(&owner, versions_of(book)).await;
            assert_eq!(ids(&page.unwrap()), expected, "{book}");
        }
    }
    // Its first playbook has no edge any more, and may go; the second may not.
    subject.delete(&owner, &[book_key("p1")]).await.unwrap();
    let refused = subject.delete(&owner, &[book_key("p2")]).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
}

/// A page of the versions of a playbook.
fn versions_of(book: &str) -> Scan {
    Scan {
        kind: &PLAYBOOK_VERSION,
        order: BY_NUMBER,
        range: Range::starting_with(&OrderKey::new().exact(book)),
        limit: 10,
    }
}

/// A page of all notes, newest first.
fn newest_notes(limit: usize) -> Scan {
    Scan {
        kind: &SHARE_NOTE,
        order: OF_LEARNER,
        range: Range::starting_with(&OrderKey::new()),
        limit,
    }
}

pub(crate) async fn records_come_in_order_and_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    // Two begin at the same moment: the id decides.
    let began = [("a", 5), ("b", 7), ("c", 5), ("d", 1), ("ä", 5), ("文", 9)];
    let all = began.map(|(id, at)| {
        let name = if at == 5 { "five" } else { "other" };
        let newest = OrderKey::new().newest(moment(at));
        Record::new(RecordKey::new(&SHARE_NOTE, id), Fields::new())
            .in_order(OF_LEARNER, newest)
            .in_order(OF_SUBJECT, OrderKey::new().exact(name).newest(moment(at)))
    });
    subject.put(&owner, &all).await.unwrap();
    let mut scan = newest_notes(2);
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
        ..newest_notes(9)
    };
    let page = subject
        .store
        .scan_records(&owner, between(7, 5))
        .await
        .unwrap();
    assert_eq!(ids(&page), ["b", "a", "c", "ä"]);
    let of_five = Scan {
        order: OF_SUBJECT,
        range: Range::starting_with(&OrderKey::new().exact("five")),
        ..newest_notes(9)
    };
    let page = subject.store.scan_records(&owner, of_five).await.unwrap();
    assert_eq!(ids(&page), ["a", "c", "ä"]);
    assert_eq!(page[0], all[0]);
}

pub(crate) async fn parts_come_in_the_order_of_their_numbers(subject: &Subject) {
    let owner = subject.owner("l");
    subject
        .put(&owner, &[book("t1", 1), book("t1/s", 1)])
        .await
        .unwrap();
    let versions: Vec<Record> = (1..=12).rev().map(|number| version("t1", number)).collect();
    subject.put(&owner, &versions).await.unwrap();
    subject.put(&owner, &[version("t1/s", 1)]).await.unwrap();
    let page = subject.store.scan_records(&owner, versions_of("t1")).await;
    let page = page.unwrap();
    let numbers = page.iter().map(|one| one.fields.read("number").unwrap());
    assert_eq!(numbers.collect::<Vec<u32>>(), (1..=10).collect::<Vec<_>>());
}

pub(crate) async fn a_deleted_record_is_found_in_no_way(subject: &Subject) {
    let owner = subject.owner("l");
    let whole = book("t1", 1);
    let part = version("t1", 1);
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
        [whole.clone(), part.clone()]
    );
    // Both at once may go, in any order, and one that is not there is left out.
    let unknown = book_key("t9");
    let gone = [whole.key.clone(), unknown, part.key.clone()];
    subject.delete(&owner, &gone).await.unwrap();
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    let page = subject.store.scan_records(&owner, newest(9)).await.unwrap();
    assert!(page.is_empty());
    subject
        .put(&owner, &[whole.clone(), part.clone()])
        .await
        .unwrap();
    assert_eq!(subject.exported(&owner).await, [whole, part]);
}

/// Asserts that a commit is refused together with a good record that comes along.
async fn is_refused(subject: &Subject, records: Vec<Record>, reason: &str) {
    let owner = subject.owner("l");
    let mut all = vec![book("good", 1)];
    all.extend(records);
    let error = subject.put(&owner, &all).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    assert!(error.to_string().contains(reason), "{error}");
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
}

pub(crate) async fn what_no_kind_declares_is_refused_as_a_whole(subject: &Subject) {
    let plain = |id: &str| Record::new(book_key(id), Fields::new());
    let with =
        |name: &str, number: f64| Record::new(book_key("t1"), Fields::new().with(name, number));
    let part = || Record::new(version_key("t1", "s1"), Fields::new());
    let edge = |name, other: RecordKey| part().with_edge(name, other, Fields::new());
    let texts = (0..2_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>();
    let many = (0..=EDGES_MAX).map(|number| book_key(&format!("t{number}")));
    let many = many.fold(part(), |record, other| {
        record.with_edge("HAS_VERSION", other, Fields::new())
    });
    for (record, reason) in [
        (
            edge("HAS_VERSION", book_key("nobody")),
            "which is not there",
        ),
        (edge("KNOWS", book_key("good")), "declares no edge"),
        (
            edge("HAS_VERSION", version_key("t1", "s1")),
            "declares no edge",
        ),
        (
            plain("t1").in_order("by_moon", OrderKey::new()),
            "declares no order",
        ),
        (with("score", f64::NAN), "which is no number"),
        (with("Score", 1.0), "cannot be called"),
        (with("title", 1.0), "cannot be called"),
        (with("hindlore_key", 1.0), "cannot be called"),
        (
            Record::new(book_key("t1"), Fields::new().with("texts", texts)),
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
        .map(|number| book_key(&number.to_string()))
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
            keys: vec![receipt_key(&receipt.operation), book_key("t1")],
            scans: Vec::new(),
        };
        let decide = Box::new(move |read: RecordsRead| {
            let key = receipt_key(&receipt.operation);
            let known = read.records.iter().find(|one| one.key == key);
            if let Some(known) = known.map(OperationReceipt::from_record) {
                assert_eq!((round > 0, known.unwrap()), (true, receipt.clone()));
                return RecordCommit::default();
            }
            RecordCommit {
                puts: vec![receipt.to_record(), book("t1", round)],
                deletes: Vec::new(),
            }
        });
        subject
            .store
            .transact_records(&owner, reads, decide)
            .await
            .unwrap();
    }
    let expected = sorted(vec![receipt.to_record(), book("t1", 0)]);
    assert_eq!(subject.exported(&owner).await, expected);
}
