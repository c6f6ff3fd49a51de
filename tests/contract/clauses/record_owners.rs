//! Records of one owner never meet those of another; many writers come one after the other; all of an owner can be
//! moved and erased; and any history of writes is that of a plain model.

use std::collections::BTreeMap;

use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::ErrorKind;
use hindlore_store::records::sharing::{GROUP, PRINCIPAL};
use hindlore_store::records::{
    Fields, Kind, Record, RecordCommit, RecordKey, RecordReads, RecordStore, RecordsRead,
};

use crate::record_world::{
    book, book_key, full_book, keys, newest, sorted, version, version_as, version_key,
};
use crate::subject::{Subject, order};

/// Something of every kind, with the same ids for every owner.
fn some() -> Vec<Record> {
    sorted(vec![
        book("t1", 1),
        full_book("t2", 2),
        version("t2", 1),
        version("t2", 2),
    ])
}

pub(crate) async fn an_empty_commit_of_records_leaves_no_trace(subject: &Subject) {
    let owner = subject.owner("l");
    subject
        .commit_records(&owner, RecordCommit::default())
        .await
        .unwrap();
    subject.delete(&owner, &[book_key("t1")]).await.unwrap();
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    let owners = subject.store.record_owners(&subject.tenant, None).await;
    assert!(owners.unwrap().is_empty());
}

pub(crate) async fn records_of_two_owners_never_meet(subject: &Subject) {
    let owner = subject.owner("l");
    let written = some();
    subject.put(&owner, &written).await.unwrap();
    let tenant = &subject.tenant;
    let (short, last) = tenant.split_at(tenant.len() - 1);
    let others = [
        subject.owner("m"),
        LearnerId::new(&format!("{tenant}x"), "l").unwrap(),
        // The same letters, cut elsewhere.
        LearnerId::new(short, &format!("{last}l")).unwrap(),
    ];
    for other in &others {
        let found = subject.store.records(other, &keys(&written)).await.unwrap();
        assert!(found.is_empty());
        let page = subject.store.scan_records(other, newest(9)).await.unwrap();
        assert!(page.is_empty());
        assert_eq!(subject.store.export_records(other).await.unwrap(), None);
        let reads = RecordReads {
            keys: keys(&written),
            scans: vec![newest(9)],
        };
        let read = subject.read_records(other, reads).await;
        assert!(read.records.is_empty() && read.scans == [Vec::new()]);
        // A part of a whole that is only there under another owner.
        let refused = subject.put(other, &[version("t2", 3)]).await;
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    }
    let other = subject.owner("m");
    let theirs = [book("t1", 9)];
    subject.put(&other, &theirs).await.unwrap();
    subject.delete(&other, &[book_key("t2")]).await.unwrap();
    assert_eq!(subject.exported(&owner).await, written);
    assert_eq!(subject.exported(&other).await, theirs);
}

pub(crate) async fn owners_of_records_are_listed(subject: &Subject) {
    for learner in ["c", "a", "b"] {
        subject.put(&subject.owner(learner), &some()).await.unwrap();
    }
    let list = |after: Option<&'static str>| subject.store.record_owners(&subject.tenant, after);
    assert_eq!(list(None).await.unwrap(), ["a", "b", "c"]);
    assert_eq!(list(Some("a")).await.unwrap(), ["b", "c"]);
    let lessons = subject.store.lesson_learners(&subject.tenant, None).await;
    assert!(lessons.unwrap().is_empty());
    let other = format!("{}x", subject.tenant);
    assert!(
        subject
            .store
            .record_owners(&other, None)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn an_import_is_equal_to_its_export(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    subject.put(&owner, &some()).await.unwrap();
    let there = [book("old", 1), book("t1", 7)];
    subject.put(&other, &there).await.unwrap();
    let all = subject.exported(&owner).await;
    subject
        .store
        .import_records(&other, all.clone())
        .await
        .unwrap();
    assert_eq!(subject.exported(&other).await, all);
    let pages = [&owner, &other].map(|one| subject.store.scan_records(one, newest(9)));
    let [here, there] = pages;
    assert_eq!(here.await.unwrap(), there.await.unwrap());
    // It works on like the first: a part hangs on its whole.
    let refused = subject.delete(&other, &[book_key("t2")]).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    let torn = [version("t9", 1)];
    let refused = subject.store.import_records(&other, torn.to_vec()).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(subject.exported(&other).await, all);
    subject
        .store
        .import_records(&other, Vec::new())
        .await
        .unwrap();
    assert_eq!(subject.store.export_records(&other).await.unwrap(), None);
    assert_eq!(subject.exported(&owner).await, all);
}

pub(crate) async fn erasing_a_learner_takes_its_records(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    for one in [&owner, &other] {
        subject.put(one, &some()).await.unwrap();
    }
    let held = |scope| subject.store.held(&subject.tenant, "l", scope);
    assert_eq!(held(None).await.unwrap().records, 4);
    assert_eq!(held(Some("default")).await.unwrap().records, 0);
    let erase =
        |scope: Option<&'static str>| subject.store.erase(order(&subject.tenant, "l", scope));
    assert_eq!(erase(Some("default")).await.unwrap().erased.records, 0);
    let erasure = erase(None).await.unwrap();
    assert_eq!(erasure.erased.records, 4);
    assert_eq!(erasure.receipt.unwrap().erased.records, 4);
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    assert_eq!(subject.exported(&other).await, some());
    let owners = subject.store.record_owners(&subject.tenant, None).await;
    assert_eq!(owners.unwrap(), ["m"]);
    assert!(erase(None).await.unwrap().erased.is_nothing());
    let receipts = subject.store.receipts(&subject.tenant, Some("l")).await;
    assert_eq!(receipts.unwrap()[0].erased.records, 4);
}

/// Appends a version to a playbook, whose number is the next one; one that is sent again counts once.
async fn append(store: &dyn RecordStore, owner: &LearnerId, id: String) {
    let reads = RecordReads {
        keys: vec![book_key("t1"), version_key("t1", &id)],
        scans: Vec::new(),
    };
    let decide = Box::new(move |read: RecordsRead| {
        let [whole] = &read.records[..] else {
            return RecordCommit::default();
        };
        let number = whole.fields.read::<u32>("versions").unwrap() + 1;
        let mut whole = whole.clone();
        whole.fields = whole.fields.with("versions", number);
        RecordCommit {
            puts: vec![version_as("t1", &id, number), whole],
            deletes: Vec::new(),
        }
    });
    store.transact_records(owner, reads, decide).await.unwrap();
}

pub(crate) async fn decisions_about_records_come_one_after_the_other(subject: &Subject) {
    let owner = subject.owner("l");
    subject.put(&owner, &[book("t1", 1)]).await.unwrap();
    let handles = [subject.store.clone(), subject.reopen().await];
    let tasks = (0..40_usize).map(|number| {
        let (store, owner) = (handles[number % 2].clone(), owner.clone());
        // Every version is sent by two callers.
        tokio::spawn(async move { append(&*store, &owner, format!("s{}", number / 2)).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let all = subject.exported(&owner).await;
    let numbers = all
        .iter()
        .filter_map(|record| record.fields.read("number").ok());
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<u32>>());
    let whole = all.iter().find(|one| one.key == book_key("t1")).unwrap();
    assert_eq!(whole.fields.read::<u32>("versions").unwrap(), 20);
}

pub(crate) async fn a_panicking_decision_about_records_writes_nothing(subject: &Subject) {
    let owner = subject.owner("l");
    let decide = Box::new(|_| panic!("the decision fails"));
    let reads = RecordReads::default();
    let failed = subject.store.transact_records(&owner, reads, decide).await;
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Unexpected);
    assert_eq!(subject.store.export_records(&owner).await.unwrap(), None);
    subject.put(&owner, &some()).await.unwrap();
}

/// A record that holds another one of a kind that may hold it in turn.
fn member((kind, id): (&'static Kind, &str), name: &'static str, other: RecordKey) -> Record {
    let fields = Fields::new().with("name", id);
    Record::new(RecordKey::new(kind, id), fields).with_edge(name, other, Fields::new())
}

/// A random commit on few names, so that it meets existing ones; groups and principals make circles.
fn random_commit(chance: &mut fastrand::Rng) -> RecordCommit {
    let mut commit = RecordCommit::default();
    let name = |chance: &mut fastrand::Rng| format!("t{}", chance.u8(0..4));
    for _ in 0..chance.usize(1..4) {
        let (id, other) = (name(chance), name(chance));
        let part = format!("s{}", chance.u8(1..4));
        match chance.u8(0..8) {
            0 => commit.puts.push(book(&id, i64::from(chance.u8(0..3)))),
            1 => commit.puts.push(full_book(&id, i64::from(chance.u8(0..3)))),
            2 => commit.puts.push(version(&id, u32::from(chance.u8(1..4)))),
            3 => {
                let group = RecordKey::new(&GROUP, other);
                commit
                    .puts
                    .push(member((&PRINCIPAL, &id), "MEMBER_OF", group));
            }
            4 => {
                let leader = RecordKey::new(&PRINCIPAL, other);
                commit.puts.push(member((&GROUP, &id), "LEADS", leader));
            }
            5 => commit
                .puts
                .push(Record::new(RecordKey::new(&GROUP, id), Fields::new())),
            6 => commit.deletes.push(book_key(&id)),
            _ => commit.deletes.push(version_key(&id, &part)),
        }
    }
    commit
}

/// The contents of a store after a commit; absent when it must be refused.
fn after(
    model: &BTreeMap<RecordKey, Record>,
    commit: &RecordCommit,
) -> Option<BTreeMap<RecordKey, Record>> {
    let mut keys: Vec<&RecordKey> = commit.keys().collect();
    keys.sort();
    keys.dedup();
    if keys.len() != commit.keys().count() {
        return None;
    }
    let mut after = model.clone();
    let puts = commit.puts.iter();
    after.extend(puts.map(|record| (record.key.clone(), record.clone())));
    commit
        .deletes
        .iter()
        .for_each(|key| drop(after.remove(key)));
    let whole = after.values().all(|record| {
        let mut others = record.edges.keys().map(|edge| &edge.other);
        others.all(|other| after.contains_key(other))
    });
    whole.then_some(after)
}

pub(crate) async fn a_history_of_records_is_that_of_a_plain_model(subject: &Subject) {
    let owner = subject.owner("l");
    let mut chance = fastrand::Rng::with_seed(20_261_125);
    let mut model = BTreeMap::new();
    let mut refused = 0;
    for round in 0..120 {
        let commit = random_commit(&mut chance);
        let written = subject.commit_records(&owner, commit.clone()).await;
        match after(&model, &commit) {
            Some(next) => {
                written.unwrap();
                model = next;
            }
            None => {
                assert_eq!(
                    written.unwrap_err().kind(),
                    ErrorKind::Invalid,
                    "{commit:?}"
                );
                refused += 1;
            }
        }
        if round % 10 == 9 {
            let all: Vec<Record> = model.values().cloned().collect();
            assert_eq!(subject.exported(&owner).await, all, "round {round}");
            let page = subject
                .store
                .scan_records(&owner, newest(99))
                .await
                .unwrap();
            let mut listed: Vec<Record> = all
                .into_iter()
                .filter(|record| record.position(newest(1).order).is_some())
                .collect();
            listed.sort_by_key(|record| record.position(newest(1).order));
            assert_eq!(page, listed, "round {round}");
        }
    }
    assert!((10..100).contains(&refused), "{refused} were refused");
}
