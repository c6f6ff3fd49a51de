//! Committing decisions.

use std::sync::{Arc, mpsc};

use hindlore_domain::memory::bullet::{Bullet, Status};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkKind};
use hindlore_domain::memory::policy::Policy;
use hindlore_store::{
    CatchUp, Commit, DeltaRecord, ErrorKind, EventRecord, Known, Loaded, Outcome, StoredReceipt,
};

use crate::subject::{
    Subject, born, bullet, commit_of, creation, delta_at, delta_on, fresh, full_bullet, link,
    retrieval,
};

pub(crate) async fn load_gives_what_was_committed_bit_for_bit(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let mut changed = full_bullet(&key, 1, "two, changed");
    changed.changed_tick = 1;
    let new = born(&key, 2, 1, &["three"]).remove(0);
    subject
        .apply(&key, "d_1", &[changed.clone(), new.clone()])
        .await;
    let loaded = subject.loaded(&key).await;
    assert_eq!(loaded.bullets, [seeded[0].clone(), changed, new]);
    let position = loaded.head.position;
    assert_eq!((position.clock, position.revision), (1, 1));
}

pub(crate) async fn changes_since_gives_only_later_changes(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let first = born(&key, 1, 1, &["one"]);
    subject.apply(&key, "d_1", &first).await;
    let second = born(&key, 2, 2, &["two"]);
    subject.apply(&key, "d_2", &second).await;
    let since = async |clock| {
        subject
            .store
            .changes_since(&key, clock)
            .await
            .unwrap()
            .unwrap()
    };
    assert_eq!(since(1).await.bullets, second);
    let all = since(0).await;
    assert_eq!(all.bullets, [first, second].concat());
    assert_eq!(all.head, subject.loaded(&key).await.head);
    assert!(all.receipts.is_empty());
}

pub(crate) async fn changes_since_the_present_are_none(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    subject
        .apply(&key, "d_1", &born(&key, 1, 1, &["one"]))
        .await;
    for clock in [1, 2, u64::MAX] {
        let changes = subject
            .store
            .changes_since(&key, clock)
            .await
            .unwrap()
            .unwrap();
        assert!(changes.bullets.is_empty() && changes.links.is_empty());
        assert_eq!(changes.head.position.clock, 1);
    }
}

pub(crate) async fn a_delta_and_its_receipt_are_written_together(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let written = subject
        .apply(&key, "d_1", &born(&key, 1, 1, &["one"]))
        .await;
    let read = subject.store.delta(&key, &written.id).await.unwrap();
    assert_eq!(read, Some(written));
    let unknown = DeltaId::parse("d_2").unwrap();
    assert_eq!(subject.store.delta(&key, &unknown).await.unwrap(), None);
}

/// The input of a decision; nothing is written.
pub(super) async fn shown(
    subject: &Subject,
    key: &MemoryKey,
    clock: u64,
    deltas: &[&str],
) -> CatchUp {
    let (send, receive) = mpsc::channel();
    let decide = Box::new(move |catch_up| {
        send.send(catch_up).unwrap();
        Commit::default()
    });
    let deltas = deltas
        .iter()
        .map(|id| DeltaId::parse(id).unwrap())
        .collect();
    let outcome = subject
        .store
        .transact(key, Known::Clock(clock), deltas, decide)
        .await;
    assert_eq!(outcome.unwrap(), Outcome::Committed);
    receive.recv().unwrap()
}

pub(crate) async fn a_resent_delta_is_seen_inside_the_transaction(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let one = born(&key, 1, 1, &["one"]);
    let delta = subject.apply(&key, "d_1", &one).await;
    let seen = shown(subject, &key, 0, &["d_0", "d_1"]).await;
    let stored = StoredReceipt {
        delta: delta.id,
        body_digest: delta.body_digest,
        receipt: Some(delta.receipt),
    };
    assert_eq!(seen.receipts, [stored]);
    assert_eq!(seen.bullets, one);
    assert_eq!(seen.head, subject.loaded(&key).await.head);
    assert!(shown(subject, &key, 1, &["d_2"]).await.bullets.is_empty());
}

/// A commit is refused as impossible, and the memory is as it was.
async fn refuses(subject: &Subject, key: &MemoryKey, commit: Commit) {
    let before = subject.store.copy_out(key).await.unwrap();
    let head = Box::new(before.as_ref().unwrap().state.head.clone());
    for known in [Known::Clock(0), Known::Head(head)] {
        let refused = subject.commit_knowing(key, known, commit.clone()).await;
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
        assert_eq!(subject.store.copy_out(key).await.unwrap(), before);
    }
}

pub(crate) async fn a_delta_id_is_written_once(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    subject.apply(&key, "d_1", &[]).await;
    let again = delta_on(&subject.loaded(&key).await, "d_1", &[]);
    refuses(
        subject,
        &key,
        commit_of(&again, &born(&key, 1, 2, &["one"])),
    )
    .await;
}

pub(crate) async fn a_commit_with_a_gap_is_refused_and_writes_nothing(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    subject.apply(&key, "d_1", &[]).await;
    let before = subject.loaded(&key).await;
    for numbers in [(1, 2), (3, 2), (2, 1), (2, 3), (0, 0), (u64::MAX, 2)] {
        let delta = delta_at_numbers(&before, numbers);
        let bullets = born(&key, 1, 2, &["one"]);
        refuses(subject, &key, commit_of(&delta, &bullets)).await;
    }
    let second = |tick| {
        let mut commit = commit_of(&delta_at_numbers(&before, (2, 2)), &[]);
        let mut retrieval = retrieval("r_1", &before.head.position, &[]);
        retrieval.tick = tick;
        commit.events.push(EventRecord::Retrieval(retrieval));
        commit
    };
    refuses(subject, &key, second(4)).await;
    subject.commit(&key, second(3)).await.unwrap();
}

fn delta_at_numbers(before: &Loaded, (tick, revision): (u64, u64)) -> DeltaRecord {
    let mut delta = delta_at(before, (1, 1), "d_next", &[]);
    (delta.tick, delta.revision) = (tick, revision);
    delta
}

pub(crate) async fn an_empty_commit_writes_nothing(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let before = subject.store.copy_out(&key).await.unwrap();
    let outcome = subject.commit(&key, Commit::default()).await.unwrap();
    assert_eq!(outcome, Outcome::Committed);
    assert_eq!(subject.store.copy_out(&key).await.unwrap(), before);
}

pub(crate) async fn changes_without_an_event_are_refused(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let with = |commit| refuses(subject, &key, commit);
    with(Commit {
        bullets: born(&key, 1, 0, &["one"])
            .into_iter()
            .map(Arc::new)
            .collect(),
        ..Commit::default()
    })
    .await;
    with(Commit {
        policy: Some(Policy::classic()),
        ..Commit::default()
    })
    .await;
    with(Commit {
        origin_clock: Some(7),
        ..Commit::default()
    })
    .await;
}

pub(crate) async fn a_text_is_held_by_one_bullet(subject: &Subject) {
    let (key, _) = subject.seeded(&["same text"]).await;
    let twin = born(&key, 1, 1, &["Same  TEXT"]);
    let delta = delta_on(&subject.loaded(&key).await, "d_1", &twin);
    refuses(subject, &key, commit_of(&delta, &twin)).await;
}

pub(crate) async fn two_bullets_can_swap_their_texts(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let swapped: Vec<Bullet> = [(0, "two"), (1, "one")]
        .map(|(ordinal, text)| Bullet {
            changed_tick: 1,
            ..bullet(&key, ordinal, text)
        })
        .to_vec();
    subject.apply(&key, "d_1", &swapped).await;
    assert_eq!(subject.loaded(&key).await.bullets, swapped);
    subject.apply(&key, "d_2", &seeded).await;
    assert_eq!(subject.loaded(&key).await.bullets, seeded);
}

pub(crate) async fn an_archived_bullet_gives_its_text_away(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let archived = Bullet {
        status: Status::Archived,
        holds_hash: false,
        changed_tick: 1,
        ..seeded[0].clone()
    };
    let heir = born(&key, 1, 1, &["one"]).remove(0);
    subject
        .apply(&key, "d_1", &[archived.clone(), heir.clone()])
        .await;
    assert_eq!(subject.loaded(&key).await.bullets, [archived, heir]);
}

pub(crate) async fn links_come_in_order_and_removed_ones_stay(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two", "three"]).await;
    let mut links: Vec<Link> = Vec::new();
    for kind in LinkKind::ALL {
        links.push(link(*kind, &seeded[0], &seeded[1], 1));
        links.push(link(*kind, &seeded[2], &seeded[1], 1));
    }
    links.sort_by_key(|link| link.id);
    let with_links = |delta, links: &[Link]| Commit {
        links: links.to_vec(),
        ..commit_of(delta, &[])
    };
    let delta = delta_on(&subject.loaded(&key).await, "d_1", &[]);
    subject
        .commit(&key, with_links(&delta, &links))
        .await
        .unwrap();
    assert_eq!(subject.loaded(&key).await.links, links);
    links[3] = Link {
        removed: true,
        reason: None,
        similarity: None,
        changed_tick: 2,
        ..links[3].clone()
    };
    let delta = delta_on(&subject.loaded(&key).await, "d_2", &[]);
    subject
        .commit(&key, with_links(&delta, &links[3..4]))
        .await
        .unwrap();
    assert_eq!(subject.loaded(&key).await.links, links);
    let changes = subject.store.changes_since(&key, 1).await.unwrap().unwrap();
    assert_eq!(changes.links, links[3..4]);
}

pub(crate) async fn a_policy_change_is_kept_with_the_policy_before_it(subject: &Subject) {
    let (key, _) = subject.seeded(&["one"]).await;
    let mut delta = delta_on(&subject.loaded(&key).await, "d_1", &[]);
    delta.policy_before = Some(Policy::default());
    let commit = Commit {
        policy: Some(Policy::classic()),
        ..commit_of(&delta, &[])
    };
    subject.commit(&key, commit).await.unwrap();
    assert_eq!(subject.loaded(&key).await.head.policy, Policy::classic());
    let read = subject.store.delta(&key, &delta.id).await.unwrap();
    assert_eq!(read, Some(delta));
    subject.apply(&key, "d_2", &[]).await;
    assert_eq!(subject.loaded(&key).await.head.policy, Policy::classic());
}

pub(crate) async fn an_origin_clock_moves_an_unused_memory(subject: &Subject) {
    let (key, _) = subject.seeded(&["one"]).await;
    let origin = 1 << 53;
    let delta = delta_at(&subject.loaded(&key).await, (origin + 1, 1), "d_1", &[]);
    let commit = Commit {
        origin_clock: Some(origin),
        ..commit_of(&delta, &[])
    };
    subject.commit(&key, commit).await.unwrap();
    let head = subject.loaded(&key).await.head;
    assert_eq!(
        (head.origin_clock, head.position.clock),
        (origin, origin + 1)
    );
    subject.apply(&key, "d_2", &[]).await;
    assert_eq!(subject.position(&key).await.clock, origin + 2);
    assert_eq!(subject.loaded(&key).await.head.origin_clock, origin);
}

pub(crate) async fn an_origin_clock_is_refused_on_a_used_memory(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let delta = delta_at(&subject.loaded(&key).await, (8, 1), "d_1", &[]);
    let commit = Commit {
        origin_clock: Some(7),
        ..commit_of(&delta, &[])
    };
    refuses(subject, &key, commit).await;
}

pub(crate) async fn several_events_are_written_in_one_commit(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let before = subject.loaded(&key).await;
    let mut retrieval = retrieval("r_1", &before.head.position, &seeded);
    retrieval.tick = 2;
    let events = vec![
        EventRecord::Delta(Box::new(delta_at(&before, (1, 1), "d_1", &[]))),
        EventRecord::Retrieval(retrieval),
        EventRecord::Delta(Box::new(delta_at(&before, (3, 2), "d_2", &[]))),
    ];
    let commit = Commit {
        events: events.clone(),
        ..Commit::default()
    };
    subject.commit(&key, commit).await.unwrap();
    assert_eq!(subject.store.events(&key, 0, 9).await.unwrap(), events);
    let position = subject.position(&key).await;
    assert_eq!((position.clock, position.revision), (3, 2));
}

pub(crate) async fn what_was_committed_is_there_for_another_handle(subject: &Subject) {
    let (key, _) = subject.seeded(&["one"]).await;
    let written = subject
        .apply(&key, "d_1", &born(&key, 1, 1, &["two"]))
        .await;
    let other = subject.reopen().await;
    let here = subject.store.copy_out(&key).await.unwrap();
    assert_eq!(other.copy_out(&key).await.unwrap(), here);
    assert_eq!(other.delta(&key, &written.id).await.unwrap(), Some(written));
}

pub(crate) async fn thousands_of_bullets_are_one_commit(subject: &Subject) {
    let key = subject.key("learner", &fresh("scope"));
    subject.store.create(creation(&key, &[])).await.unwrap();
    let texts: Vec<String> = (0..5000).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let bullets = born(&key, 0, 1, &texts);
    let delta = subject.apply(&key, "d_1", &bullets).await;
    assert_eq!(subject.loaded(&key).await.bullets, bullets);
    let read = subject.store.delta(&key, &delta.id).await.unwrap();
    assert_eq!(read, Some(delta));
}
