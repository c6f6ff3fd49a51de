//! Reading events back, and the marks that feedback leaves on them.

use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    Commit, DeltaPage, DeltaRecord, EventRecord, LaterChange, Mark, RetrievalRecord, Returned,
};

use crate::subject::{Subject, commit_of, delta_on, full_bullet, retrieval};

/// A memory with three deltas: each changes the first bullet, the second one the others too.
async fn with_deltas(subject: &Subject) -> (MemoryKey, Vec<Bullet>, Vec<DeltaRecord>) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let mut deltas = Vec::new();
    for number in 1..=3 {
        let mut changed = vec![full_bullet(&key, 0, &format!("one, change {number}"))];
        if number == 2 {
            changed.push(full_bullet(&key, 1, "two, changed"));
        }
        deltas.push(subject.apply(&key, &format!("d_{number}"), &changed).await);
    }
    (key, seeded, deltas)
}

pub(crate) async fn deltas_come_in_pages_newest_first(subject: &Subject) {
    let (key, _, deltas) = with_deltas(subject).await;
    let page = async |below_revision, limit| {
        let page = DeltaPage {
            below_revision,
            limit,
        };
        subject.store.deltas(&key, page).await.unwrap()
    };
    let newest = page(None, 2).await;
    assert_eq!(newest, [deltas[2].clone(), deltas[1].clone()]);
    let rest = page(Some(newest[1].revision), 9).await;
    assert_eq!(rest[0], deltas[0]);
    assert_eq!(rest[1].revision, 0);
    assert_eq!(rest.len(), 2);
    assert!(page(Some(0), 9).await.is_empty());
    assert!(page(None, 0).await.is_empty());
}

pub(crate) async fn a_delta_is_found_by_its_id_with_all_its_fields(subject: &Subject) {
    let (key, _, deltas) = with_deltas(subject).await;
    assert!(deltas[1].changes[0].before.is_some());
    for delta in deltas {
        let read = subject.store.delta(&key, &delta.id).await.unwrap();
        assert_eq!(read, Some(delta));
    }
    let mut bare = delta_on(&subject.loaded(&key).await, "délta 4: x", &[]);
    bare.reasoning = None;
    bare.origin.author = None;
    subject.commit(&key, commit_of(&bare, &[])).await.unwrap();
    let read = subject.store.delta(&key, &bare.id).await.unwrap();
    assert_eq!(read, Some(bare));
}

pub(crate) async fn later_changes_are_those_of_the_named_bullets_above_the_revision(
    subject: &Subject,
) {
    let (key, seeded, deltas) = with_deltas(subject).await;
    let (one, two) = (seeded[0].id, seeded[1].id);
    let later = async |revision, bullets: &[BulletId]| {
        subject
            .store
            .later_changes(&key, revision, bullets)
            .await
            .unwrap()
    };
    let of = |delta: &DeltaRecord, bullet| LaterChange {
        delta: delta.id.clone(),
        revision: delta.revision,
        change: delta
            .changes
            .iter()
            .find(|c| c.bullet == bullet)
            .cloned()
            .unwrap(),
    };
    assert_eq!(
        later(1, &[one]).await,
        [of(&deltas[1], one), of(&deltas[2], one)]
    );
    assert_eq!(later(1, &[two]).await, [of(&deltas[1], two)]);
    let both = later(0, &[two, one, one]).await;
    let revisions: Vec<u64> = both.iter().map(|change| change.revision).collect();
    assert_eq!(revisions, [1, 2, 2, 3]);
    assert!(later(3, &[one, two]).await.is_empty());
    assert!(later(0, &[]).await.is_empty());
}

pub(crate) async fn events_of_both_kinds_come_in_order_and_in_pages(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    for round in 0..3 {
        subject.retrieve(&key, &format!("r_{round}"), &seeded).await;
        subject.apply(&key, &format!("d_{round}"), &[]).await;
    }
    let events = async |tick, limit| subject.store.events(&key, tick, limit).await.unwrap();
    let all = events(0, 100).await;
    assert!(all.iter().map(EventRecord::tick).eq(1..=6));
    for (number, event) in all.iter().enumerate() {
        assert_eq!(matches!(event, EventRecord::Delta(_)), number % 2 == 1);
    }
    assert_eq!(events(0, 4).await, all[..4]);
    assert_eq!(events(4, 4).await, all[4..]);
    assert!(events(6, 4).await.is_empty() && events(u64::MAX, 4).await.is_empty());
}

/// A memory with three retrievals.
async fn with_retrievals(subject: &Subject) -> (MemoryKey, Vec<Bullet>, Vec<RetrievalRecord>) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let mut records = Vec::new();
    for id in ["r_1", "r_2", "r_3"] {
        let known = subject.position(&key).await;
        let tick = subject.retrieve(&key, id, &seeded).await;
        records.push(RetrievalRecord {
            tick,
            ..retrieval(id, &known, &seeded)
        });
    }
    (key, seeded, records)
}

pub(crate) async fn retrievals_come_in_pages_newest_first(subject: &Subject) {
    let (key, _, mut records) = with_retrievals(subject).await;
    records.reverse();
    let page = async |below, limit| subject.store.retrievals(&key, below, limit).await.unwrap();
    assert_eq!(page(None, 2).await, records[..2]);
    assert_eq!(page(Some(2), 2).await, records[2..]);
    assert!(page(Some(1), 2).await.is_empty());
}

pub(crate) async fn a_retrieval_is_found_by_its_id_with_all_its_fields(subject: &Subject) {
    let (key, _, records) = with_retrievals(subject).await;
    let read = subject.store.retrieval(&key, "r_2").await.unwrap();
    assert_eq!(read.as_ref(), Some(&records[1]));
    assert_eq!(subject.store.retrieval(&key, "r_%").await.unwrap(), None);
}

fn mark(retrieval: &str, bullet: BulletId) -> Mark {
    Mark {
        retrieval: retrieval.to_owned(),
        bullet,
        injected: false,
        used: false,
        helped: false,
        harmed: false,
        ignored: false,
    }
}

fn with_marks(marks: Vec<Mark>) -> Commit {
    Commit {
        marks,
        ..Commit::default()
    }
}

pub(crate) async fn marks_are_only_ever_set(subject: &Subject) {
    let (key, seeded, mut records) = with_retrievals(subject).await;
    let position = subject.position(&key).await;
    let plain = mark("r_2", seeded[1].id);
    let marks = [
        Mark {
            used: true,
            ..plain.clone()
        },
        Mark {
            helped: true,
            injected: true,
            ..plain.clone()
        },
        Mark {
            harmed: true,
            ..plain.clone()
        },
        Mark {
            ignored: true,
            ..mark("r_3", seeded[0].id)
        },
        plain,
    ];
    for mark in marks {
        subject.commit(&key, with_marks(vec![mark])).await.unwrap();
    }
    records[1].returned[1] = Returned {
        injected: true,
        used: true,
        helped: true,
        harmed: true,
        ..records[1].returned[1].clone()
    };
    records[2].returned[0].ignored = true;
    records.reverse();
    let read = subject.store.retrievals(&key, None, 9).await.unwrap();
    assert_eq!(read, records);
    assert_eq!(subject.position(&key).await, position);
}

pub(crate) async fn a_mark_on_an_unknown_retrieval_changes_nothing(subject: &Subject) {
    let (key, seeded, _) = with_retrievals(subject).await;
    let before = subject.store.copy_out(&key).await.unwrap();
    let elsewhere = BulletId::derive(&key, "elsewhere", 0);
    let marks = [mark("r_9", seeded[0].id), mark("r_1", elsewhere)].map(|mark| Mark {
        helped: true,
        ..mark
    });
    subject
        .commit(&key, with_marks(marks.to_vec()))
        .await
        .unwrap();
    assert_eq!(subject.store.copy_out(&key).await.unwrap(), before);
}

pub(crate) async fn marks_and_events_are_written_together(subject: &Subject) {
    let (key, seeded, _) = with_retrievals(subject).await;
    let helped = Mark {
        helped: true,
        ..mark("r_1", seeded[0].id)
    };
    let mut delta = delta_on(&subject.loaded(&key).await, "d_1", &[]);
    delta.tick += 1;
    let commit = |delta: &DeltaRecord| Commit {
        marks: vec![helped.clone()],
        ..commit_of(delta, &[])
    };
    subject.commit(&key, commit(&delta)).await.unwrap_err();
    let marked = async || {
        let record = subject.store.retrieval(&key, "r_1").await.unwrap().unwrap();
        record.returned[0].helped
    };
    assert!(!marked().await);
    delta.tick -= 1;
    subject.commit(&key, commit(&delta)).await.unwrap();
    assert!(marked().await);
}
