//! Recording retrievals that were ranked on a known position.

use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    CatchUp, ErrorKind, EventRecord, Position, TouchBatch, TouchOutcome, Touched,
};

use crate::subject::{Subject, batch, born, creation, moment, order, retrieval};

async fn touch(subject: &Subject, key: &MemoryKey, batch: TouchBatch) -> TouchOutcome {
    subject.store.touch(key, batch).await.unwrap()
}

fn recorded(outcome: TouchOutcome) -> (u64, Vec<Touched>) {
    match outcome {
        TouchOutcome::Recorded { first_tick, others } => (first_tick, others),
        other => panic!("not recorded: {other:?}"),
    }
}

fn moved(outcome: TouchOutcome) -> CatchUp {
    match outcome {
        TouchOutcome::Moved(changes) => *changes,
        other => panic!("not moved: {other:?}"),
    }
}

/// A bullet as a touch at `tick` leaves it.
fn touched(bullet: &Bullet, tick: u64, known: &Position) -> Bullet {
    let at = retrieval("", known, &[]).at;
    Bullet {
        access_index: Some(tick),
        changed_tick: tick,
        last_access: Some(at),
        last_used: Some(at),
        ..bullet.clone()
    }
}

pub(crate) async fn a_touch_gives_ticks_and_touches_what_was_returned(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two", "three"]).await;
    let known = subject.position(&key).await;
    let mut first = retrieval("r_1", &known, &seeded[..1]);
    let mut second = retrieval("r_2", &known, &seeded[1..2]);
    let outcome = touch(
        subject,
        &key,
        batch(&known, vec![first.clone(), second.clone()]),
    )
    .await;
    let (tick, others) = recorded(outcome);
    assert_eq!(tick, 1);
    assert!(others.is_empty());
    let loaded = subject.loaded(&key).await;
    assert_eq!(loaded.head.position.clock, 2);
    assert_eq!(loaded.head.position.revision, 0);
    let expected = [
        touched(&seeded[0], 1, &known),
        touched(&seeded[1], 2, &known),
        seeded[2].clone(),
    ];
    assert_eq!(loaded.bullets, expected);
    (first.tick, second.tick) = (1, 2);
    let events = [
        EventRecord::Retrieval(first),
        EventRecord::Retrieval(second),
    ];
    assert_eq!(subject.store.events(&key, 0, 9).await.unwrap(), events);
}

pub(crate) async fn a_touch_is_refused_after_a_delta(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    let new = born(&key, 1, 1, &["two"]);
    subject.apply(&key, "d_1", &new).await;
    let before = subject.store.copy_out(&key).await.unwrap();
    let retrievals = vec![retrieval("r_1", &known, &seeded)];
    let changes = moved(touch(subject, &key, batch(&known, retrievals)).await);
    assert_eq!(changes.bullets, new);
    assert_eq!(changes.head, subject.loaded(&key).await.head);
    assert_eq!(subject.store.copy_out(&key).await.unwrap(), before);
}

fn strict(known: &Position, id: &str, seeded: &[Bullet]) -> TouchBatch {
    TouchBatch {
        strict: true,
        ..batch(known, vec![retrieval(id, known, seeded)])
    }
}

pub(crate) async fn a_strict_touch_is_refused_after_a_touch(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let changes = moved(touch(subject, &key, strict(&known, "r_2", &seeded)).await);
    assert_eq!(changes.bullets, [touched(&seeded[0], 1, &known)]);
    assert_eq!(changes.head.position.clock, 1);
    assert_eq!(subject.store.retrieval(&key, "r_2").await.unwrap(), None);
}

pub(crate) async fn a_strict_touch_at_the_present_is_recorded(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let known = subject.position(&key).await;
    let outcome = touch(subject, &key, strict(&known, "r_2", &seeded)).await;
    assert_eq!(recorded(outcome).0, 2);
}

pub(crate) async fn a_touch_goes_on_after_a_touch(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let late = batch(&known, vec![retrieval("r_2", &known, &seeded)]);
    assert_eq!(recorded(touch(subject, &key, late).await).0, 2);
    assert_eq!(subject.position(&key).await.clock, 2);
}

pub(crate) async fn a_touch_reports_what_others_did(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two", "three"]).await;
    let known = subject.position(&key).await;
    subject.retrieve(&key, "r_1", &seeded[..1]).await;
    subject.retrieve(&key, "r_2", &seeded[1..2]).await;
    let late = batch(&known, vec![retrieval("r_3", &known, &seeded[1..])]);
    let (tick, others) = recorded(touch(subject, &key, late).await);
    assert_eq!(tick, 3);
    let mut expected: Vec<Touched> = (1..)
        .zip(&seeded[..2])
        .map(|(tick, bullet)| Touched {
            bullet: bullet.id,
            tick,
            at: moment(1_000_000 + i64::try_from(tick - 1).unwrap()),
        })
        .collect();
    expected.sort_by_key(|one| one.bullet);
    assert_eq!(others, expected);
    // A reader that follows them from here has the state of a new reader.
    let loaded = subject.loaded(&key).await;
    assert_eq!(loaded.bullets[0], touched(&seeded[0], 1, &known));
}

pub(crate) async fn a_touch_of_another_incarnation_is_refused(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    subject
        .store
        .erase(order(key.tenant(), key.learner(), Some(key.scope())))
        .await
        .unwrap();
    subject
        .store
        .create(creation(&key, &["one"]))
        .await
        .unwrap();
    let late = batch(&known, vec![retrieval("r_1", &known, &seeded)]);
    let changes = moved(touch(subject, &key, late).await);
    assert_ne!(changes.head.position.incarnation, known.incarnation);
    assert_eq!(subject.position(&key).await.clock, 0);
}

pub(crate) async fn a_bullet_returned_twice_has_the_last_tick(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    let retrievals = ["r_1", "r_2", "r_3"].map(|id| retrieval(id, &known, &seeded));
    touch(subject, &key, batch(&known, retrievals.to_vec())).await;
    let expected = touched(&seeded[0], 3, &known);
    assert_eq!(subject.loaded(&key).await.bullets, [expected]);
}

/// A batch is refused as impossible, and the memory is as it was.
async fn refuses(subject: &Subject, key: &MemoryKey, batch: TouchBatch) {
    let before = subject.store.copy_out(key).await.unwrap();
    let error = subject.store.touch(key, batch).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    assert_eq!(subject.store.copy_out(key).await.unwrap(), before);
}

pub(crate) async fn a_retrieval_id_is_recorded_once(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let known = subject.position(&key).await;
    let again = ["r_2", "r_1"].map(|id| retrieval(id, &known, &seeded));
    refuses(subject, &key, batch(&known, again.to_vec())).await;
}

pub(crate) async fn a_touch_of_an_unknown_bullet_writes_nothing(subject: &Subject) {
    let (key, mut seeded) = subject.seeded(&["one", "two"]).await;
    seeded[1].id = BulletId::derive(&key, "elsewhere", 1);
    let known = subject.position(&key).await;
    let retrievals = vec![retrieval("r_1", &known, &seeded)];
    refuses(subject, &key, batch(&known, retrievals)).await;
}

pub(crate) async fn an_empty_batch_writes_nothing(subject: &Subject) {
    let (key, _) = subject.seeded(&["one"]).await;
    let known = subject.position(&key).await;
    let outcome = touch(subject, &key, batch(&known, Vec::new())).await;
    assert_eq!(recorded(outcome).0, 1);
    assert_eq!(subject.position(&key).await, known);
}
