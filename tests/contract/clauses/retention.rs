//! Checkpoints, and the counts that stay when records go.

use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_store::{
    CHECKPOINTS_KEPT, CatchUp, Checkpoint, CheckpointPiece, Commit, DeltaPage, DeltaRecord,
    ErrorKind, FoldOrder, Known, Mark, Outcome, PIECE_BYTES, StoredReceipt, Usage,
};

use super::commits::shown;
use crate::subject::{
    Subject, born, commit_of, creation, delta_on, fresh, full_bullet, link, moment, order,
};

/// A memory with retrievals of one and of two bullets, in turn.
async fn retrieved(subject: &Subject, times: u64) -> (MemoryKey, Vec<Bullet>) {
    let (key, seeded) = subject.seeded(&["one", "two", "three"]).await;
    for number in 0..times {
        let some = &seeded[..1 + usize::from(number % 2 == 1)];
        subject.retrieve(&key, &format!("r_{number}"), some).await;
    }
    (key, seeded)
}

async fn helped(subject: &Subject, key: &MemoryKey, retrieval: &str, bullet: BulletId) {
    let mark = Mark {
        retrieval: retrieval.to_owned(),
        bullet,
        injected: true,
        used: true,
        helped: true,
        harmed: false,
        ignored: false,
    };
    let commit = Commit {
        marks: vec![mark],
        ..Commit::default()
    };
    subject.commit(key, commit).await.unwrap();
}

/// A checkpoint of the present.
async fn checkpoint(subject: &Subject, key: &MemoryKey) -> Checkpoint {
    Checkpoint {
        state: subject.loaded(key).await,
        digest: fresh("digest"),
    }
}

async fn usage(subject: &Subject, key: &MemoryKey, bullets: &[BulletId]) -> Vec<(BulletId, Usage)> {
    let mut usage = subject.store.usage(key, bullets).await.unwrap();
    usage.sort_by_key(|(id, _)| *id);
    usage
}

fn counts(retrieved: u64, helped: u64) -> Usage {
    Usage {
        retrieved,
        injected: helped,
        used: helped,
        helped,
        harmed: 0,
        ignored: 0,
    }
}

pub(crate) async fn usage_counts_what_became_of_each_bullet(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 5).await;
    helped(subject, &key, "r_0", seeded[0].id).await;
    helped(subject, &key, "r_1", seeded[0].id).await;
    let mut expected = vec![(seeded[0].id, counts(5, 2)), (seeded[1].id, counts(2, 0))];
    expected.sort_by_key(|(id, _)| *id);
    assert_eq!(usage(subject, &key, &[]).await, expected);
    // Names that were never returned are left out.
    let named = usage(subject, &key, &[seeded[0].id, seeded[2].id]).await;
    assert_eq!(named, [(seeded[0].id, counts(5, 2))]);
}

pub(crate) async fn usage_counts_folded_and_live_records(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 4).await;
    let one = seeded[0].id;
    helped(subject, &key, "r_1", one).await;
    let before = usage(subject, &key, &[]).await;
    let compacted = subject
        .store
        .compact(&key, checkpoint(subject, &key).await)
        .await;
    assert_eq!(compacted.unwrap(), 4);
    assert_eq!(usage(subject, &key, &[]).await, before);
    subject.retrieve(&key, "r_later", &seeded[..1]).await;
    helped(subject, &key, "r_later", one).await;
    assert_eq!(usage(subject, &key, &[one]).await, [(one, counts(5, 2))]);
    let compacted = subject
        .store
        .compact(&key, checkpoint(subject, &key).await)
        .await;
    assert_eq!(compacted.unwrap(), 1);
    assert_eq!(usage(subject, &key, &[one]).await, [(one, counts(5, 2))]);
}

pub(crate) async fn compacting_removes_the_records_up_to_its_clock(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 3).await;
    let early = checkpoint(subject, &key).await;
    subject.apply(&key, "d_1", &[]).await;
    subject.retrieve(&key, "r_later", &seeded).await;
    let state = subject.loaded(&key).await;
    assert_eq!(subject.store.compact(&key, early).await.unwrap(), 3);
    assert_eq!(subject.loaded(&key).await, state);
    assert_eq!(subject.store.retrieval(&key, "r_0").await.unwrap(), None);
    let events = subject.store.events(&key, 0, 9).await.unwrap();
    assert!(events.iter().map(|event| event.tick()).eq(4..=5));
    let left = subject.store.retrievals(&key, None, 9).await.unwrap();
    assert_eq!(left.len(), 1);
    assert!(subject.store.check().await.unwrap().is_empty());
}

pub(crate) async fn the_newest_checkpoint_at_or_below_a_clock_is_found(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 2).await;
    let first = checkpoint(subject, &key).await;
    subject.store.compact(&key, first.clone()).await.unwrap();
    subject.retrieve(&key, "r_later", &seeded).await;
    let second = checkpoint(subject, &key).await;
    subject.store.compact(&key, second.clone()).await.unwrap();
    let found = async |clock| subject.store.checkpoint(&key, clock).await.unwrap();
    assert_eq!(found(1).await, None);
    assert_eq!(found(2).await, Some(first));
    assert_eq!(found(3).await, Some(second.clone()));
    assert_eq!(found(u64::MAX).await, Some(second));
}

pub(crate) async fn only_the_newest_checkpoints_stay(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 1).await;
    let more = u64::from(CHECKPOINTS_KEPT);
    subject
        .store
        .compact(&key, checkpoint(subject, &key).await)
        .await
        .unwrap();
    for n in 0..more {
        subject.retrieve(&key, &format!("r_more{n}"), &seeded).await;
        subject
            .store
            .compact(&key, checkpoint(subject, &key).await)
            .await
            .unwrap();
    }
    assert_eq!(subject.store.checkpoint(&key, 1).await.unwrap(), None);
    let oldest = subject.store.checkpoint(&key, 2).await.unwrap();
    assert_eq!(oldest.unwrap().state.head.position.clock, 2);
}

pub(crate) async fn a_checkpoint_comes_back_bit_for_bit(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let full = Bullet {
        strength: f64::from_bits(1),
        ..full_bullet(&key, 2, "three\n\"quoted\" 🦀")
    };
    let delta = delta_on(
        &subject.loaded(&key).await,
        "d_1",
        std::slice::from_ref(&full),
    );
    let commit = Commit {
        links: vec![link(LinkKind::Follows, &seeded[1], &seeded[0], 1)],
        ..commit_of(&delta, &[full])
    };
    subject.commit(&key, commit).await.unwrap();
    let written = checkpoint(subject, &key).await;
    subject.store.compact(&key, written.clone()).await.unwrap();
    let read = subject.store.checkpoint(&key, 1).await.unwrap();
    assert_eq!(read, Some(written));
}

pub(crate) async fn a_checkpoint_of_many_pieces_comes_back_and_goes(subject: &Subject) {
    let (key, _) = subject.seeded(&["one", "two"]).await;
    let bullets: Vec<Bullet> = (2..7)
        .map(|at| {
            let text = format!("{at} {}", "\"é\" ".repeat(PIECE_BYTES / 16));
            full_bullet(&key, at, &text)
        })
        .collect();
    let delta = delta_on(&subject.loaded(&key).await, "d_1", &bullets);
    subject
        .commit(&key, commit_of(&delta, &bullets))
        .await
        .unwrap();
    let large = checkpoint(subject, &key).await;
    let pieces = CheckpointPiece::all(&large, PIECE_BYTES).count();
    assert!(pieces > 2, "{pieces}");
    let store = &subject.store;
    // The second time in place of the first.
    for _ in 0..2 {
        store.compact(&key, large.clone()).await.unwrap();
        let read = store.checkpoint(&key, 1).await.unwrap();
        assert_eq!(read.as_ref(), Some(&large));
    }
    let copy = store.copy_out(&key).await.unwrap().unwrap();
    assert_eq!(copy.checkpoints, [large]);
    store
        .erase(order(key.tenant(), key.learner(), None))
        .await
        .unwrap();
    store.copy_in(copy.clone(), None).await.unwrap();
    assert_eq!(store.copy_out(&key).await.unwrap().unwrap(), copy);
}

pub(crate) async fn a_checkpoint_of_another_memory_is_refused(subject: &Subject) {
    let (key, seeded) = retrieved(subject, 2).await;
    let mut future = checkpoint(subject, &key).await;
    future.state.head.position.clock += 1;
    let store = &subject.store;
    let error = store.compact(&key, future).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let old = checkpoint(subject, &key).await;
    store
        .erase(order(key.tenant(), key.learner(), None))
        .await
        .unwrap();
    store
        .create(creation(&key, &["one", "two", "three"]))
        .await
        .unwrap();
    for number in 0..3 {
        subject
            .retrieve(&key, &format!("r_{number}"), &seeded)
            .await;
    }
    let error = store.compact(&key, old).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(store.retrievals(&key, None, 9).await.unwrap().len(), 3);
}

/// Folds the deltas up to a revision that were applied before a tick.
async fn fold(subject: &Subject, key: &MemoryKey, of: &str, (revision, tick): (u64, i64)) -> u64 {
    let order = FoldOrder {
        revision,
        before: moment(tick),
        limit: 2,
    };
    let folded = subject.store.fold_deltas(key, of, order).await;
    folded.unwrap()
}

/// A memory with five deltas before a checkpoint, the first three of them folded.
async fn folded(subject: &Subject) -> (MemoryKey, Vec<DeltaRecord>) {
    let (key, _) = subject.seeded(&["one"]).await;
    let mut deltas = Vec::new();
    for at in 1..=5 {
        let made = born(&key, at, at, &[&format!("text {at}")]);
        deltas.push(subject.apply(&key, &format!("d_{at}"), &made).await);
    }
    let before = checkpoint(subject, &key).await;
    let of = before.state.head.position.incarnation.clone();
    subject.store.compact(&key, before).await.unwrap();
    assert_eq!(fold(subject, &key, "another", (4, 9)).await, 0);
    for expected in [2, 1, 0] {
        assert_eq!(fold(subject, &key, &of, (4, 4)).await, expected);
    }
    (key, deltas)
}

/// The receipts of three folded deltas, of one that is kept, and of one that was never applied.
async fn receipts(subject: &Subject, key: &MemoryKey) -> Vec<StoredReceipt> {
    let seen = shown(subject, key, 0, &["d_1", "d_2", "d_3", "d_4", "d_9"]).await;
    let mut receipts = seen.receipts;
    receipts.sort_by(|one, other| one.delta.cmp(&other.delta));
    receipts
}

fn stored(deltas: &[DeltaRecord]) -> Vec<StoredReceipt> {
    let receipt = |delta: &DeltaRecord| {
        let is_folded = delta.revision < 4;
        StoredReceipt {
            delta: delta.id.clone(),
            body_digest: delta.body_digest[..if is_folded { 8 } else { 64 }].to_owned(),
            receipt: (!is_folded).then(|| delta.receipt.clone()),
        }
    };
    deltas[..4].iter().map(receipt).collect()
}

pub(crate) async fn folding_takes_the_oldest_deltas_and_keeps_their_marks(subject: &Subject) {
    let (key, deltas) = folded(subject).await;
    let store = &subject.store;
    let page = DeltaPage {
        below_revision: None,
        limit: 9,
    };
    let left = store.deltas(&key, page).await.unwrap();
    let revisions: Vec<u64> = left.iter().map(|delta| delta.revision).collect();
    assert_eq!(revisions, [5, 4, 0]);
    assert_eq!(left[..2], [deltas[4].clone(), deltas[3].clone()]);
    assert_eq!(subject.loaded(&key).await.bullets.len(), 6);
    assert_eq!(receipts(subject, &key).await, stored(&deltas));
    // The next delta continues the numbers.
    subject.apply(&key, "d_6", &[]).await;
    assert_eq!(store.shape(&key).await.unwrap(), []);
    assert!(store.check().await.unwrap().is_empty());
}

pub(crate) async fn a_folded_delta_is_not_written_again(subject: &Subject) {
    let (key, _) = folded(subject).await;
    let before = subject.loaded(&key).await;
    for (id, written) in [("d_1", false), ("d_3", false), ("d_9", true)] {
        let now = subject.loaded(&key).await;
        let commit = commit_of(&delta_on(&now, id, &[]), &[]);
        let decide = Box::new(move |seen: CatchUp| match seen.receipts[..] {
            [] => commit.clone(),
            _ => Commit::default(),
        });
        let known = Known::Head(Box::new(now.head));
        let deltas = vec![DeltaId::parse(id).unwrap()];
        let outcome = subject.store.transact(&key, known, deltas, decide).await;
        assert_eq!(outcome.unwrap(), Outcome::Committed);
        let now = subject.position(&key).await;
        let more = now.revision - before.head.position.revision;
        assert_eq!(more, u64::from(written), "{id}");
    }
}

pub(crate) async fn the_marks_of_folded_deltas_move_and_go_with_their_memory(subject: &Subject) {
    let (key, deltas) = folded(subject).await;
    let store = &subject.store;
    let copy = store.copy_out(&key).await.unwrap().unwrap();
    assert!(!copy.folded.is_empty());
    let erase = || store.erase(order(key.tenant(), key.learner(), Some(key.scope())));
    let erased = erase().await.unwrap().erased;
    assert_eq!((erased.deltas, erased.strays), (3, 0));
    store.copy_in(copy.clone(), None).await.unwrap();
    assert_eq!(store.copy_out(&key).await.unwrap().unwrap(), copy);
    assert_eq!(receipts(subject, &key).await, stored(&deltas));
    assert_eq!(store.shape(&key).await.unwrap(), []);
    erase().await.unwrap();
    store.create(creation(&key, &["one"])).await.unwrap();
    assert_eq!(receipts(subject, &key).await, []);
}
