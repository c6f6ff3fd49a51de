//! Making a memory and reading it.

use std::sync::{Arc, Mutex};

use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_store::{
    Commit, DeltaPage, ErrorKind, Head, Loaded, LoadedPart, MemoryStoreExt, Outcome, Position,
    TouchOutcome,
};

use crate::subject::{
    Subject, batch, born, commit_of, creation, delta_on, fresh, full_bullet, link, order,
};

pub(crate) async fn create_then_head_gives_the_same_head(subject: &Subject) {
    let creation = creation(&subject.key("learner", "scope"), &["one"]);
    let head = subject.store.create(creation.clone()).await.unwrap();
    assert_eq!(head, creation.head);
    let read = subject.store.head(&creation.key).await.unwrap();
    assert_eq!(read, Some(creation.head));
}

pub(crate) async fn create_twice_keeps_the_first(subject: &Subject) {
    let first = creation(&subject.key("learner", "scope"), &["one"]);
    subject.store.create(first.clone()).await.unwrap();
    let second = creation(&first.key, &["two", "three"]);
    let head = subject.store.create(second).await.unwrap();
    assert_eq!(head, first.head);
    assert_eq!(subject.loaded(&first.key).await.bullets, first.bullets);
}

/// Of our own handle, and of one that another process could have.
pub(crate) async fn a_change_count_tells_of_every_write(subject: &Subject) {
    let other = subject.reopen().await;
    let counts = || [&subject.store, &other].map(|store| store.hints().change_count);
    // A store may begin to count once a caller looks often.
    for _ in 0..8 {
        counts();
    }
    let (mut seen, mut writes) = (counts(), 0);
    let has_counts = seen[0].is_some();
    let mut compare = |is_write: bool| {
        let now = counts();
        writes += usize::from(is_write);
        for (before, after) in seen.into_iter().zip(now) {
            assert_eq!(after.is_some(), has_counts);
            assert!(
                !has_counts || (before != after) == is_write,
                "{before:?} {after:?}"
            );
        }
        seen = now;
    };
    let (key, seeded) = subject.seeded(&["one"]).await;
    compare(true);
    let (other_key, _) = subject.seeded(&["two"]).await;
    compare(true);
    subject.loaded(&key).await;
    other.changes_since(&other_key, 0).await.unwrap();
    compare(false);
    subject
        .apply(&key, "d_1", &born(&key, 1, 1, &["three"]))
        .await;
    compare(true);
    subject.retrieve(&key, "r_1", &seeded).await;
    compare(true);
    let gone = order(&subject.tenant, "learner", None);
    other.erase(gone).await.unwrap();
    compare(true);
    assert_eq!(writes, 5);
}

pub(crate) async fn an_absent_memory_has_nothing(subject: &Subject) {
    let (store, key) = (&subject.store, subject.key("nobody", "nowhere"));
    assert_eq!(store.head(&key).await.unwrap(), None);
    assert_eq!(store.load(&key).await.unwrap(), None);
    assert_eq!(store.changes_since(&key, 0).await.unwrap(), None);
    assert_eq!(store.copy_out(&key).await.unwrap(), None);
    assert_eq!(store.checkpoint(&key, 9).await.unwrap(), None);
    assert_eq!(store.retrieval(&key, "r").await.unwrap(), None);
    assert_eq!(store.delta(&key, &DeltaId::creation()).await.unwrap(), None);
    assert!(store.events(&key, 0, 9).await.unwrap().is_empty());
    assert!(store.usage(&key, &[]).await.unwrap().is_empty());
    let page = DeltaPage {
        below_revision: None,
        limit: 9,
    };
    assert!(store.deltas(&key, page).await.unwrap().is_empty());
    let outcome = subject.commit(&key, Commit::default()).await.unwrap();
    assert_eq!(outcome, Outcome::Missing);
    let known = Position {
        incarnation: fresh("incarnation"),
        clock: 0,
        revision: 0,
    };
    let touched = store.touch(&key, batch(&known, Vec::new())).await.unwrap();
    assert_eq!(touched, TouchOutcome::Missing);
}

pub(crate) async fn load_gives_what_was_planted_bit_for_bit(subject: &Subject) {
    let key = subject.key("learner", "scope");
    let mut seeded = creation(&key, &["one", "two"]);
    seeded.bullets.push(full_bullet(&key, 2, "three"));
    subject.store.create(seeded.clone()).await.unwrap();
    let loaded = subject.loaded(&key).await;
    assert_eq!(loaded.head, seeded.head);
    assert_eq!(loaded.bullets, seeded.bullets);
    assert!(loaded.links.is_empty());
}

pub(crate) async fn the_parts_of_a_memory_are_the_whole(subject: &Subject) {
    let texts: Vec<String> = (0..1_300).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, seeded) = subject.seeded(&texts).await;
    let joined = link(LinkKind::Follows, &seeded[0], &seeded[1], 1);
    let before = subject.loaded(&key).await;
    let delta = delta_on(&before, "d_1", &[]);
    let commit = Commit {
        links: vec![joined],
        ..commit_of(&delta, &[])
    };
    subject.commit(&key, commit).await.unwrap();
    let taken = Arc::new(Mutex::new(Vec::new()));
    let take = |taken: &Arc<Mutex<Vec<LoadedPart>>>| {
        let taken = taken.clone();
        Box::new(move |part| taken.lock().unwrap().push(part))
    };
    assert!(subject.store.load_parts(&key, take(&taken)).await.unwrap());
    let parts = std::mem::take(&mut *taken.lock().unwrap());
    let Some((LoadedPart::Head(head), parts)) = parts.split_first() else {
        panic!("the head does not come first");
    };
    let Some((LoadedPart::Links(links), parts)) = parts.split_last() else {
        panic!("the links do not come last");
    };
    let mut whole = Loaded {
        head: Head::clone(head),
        bullets: Vec::new(),
        links: links.clone(),
    };
    for part in parts {
        let LoadedPart::Bullets(bullets) = part else {
            panic!("not bullets: {part:?}");
        };
        whole.bullets.extend_from_slice(bullets);
    }
    assert_eq!((whole.bullets.len(), whole.links.len()), (1_300, 1));
    assert_eq!(whole, subject.loaded(&key).await);
    let nobody = subject.key("nobody", "nowhere");
    assert!(
        !subject
            .store
            .load_parts(&nobody, take(&taken))
            .await
            .unwrap()
    );
    assert!(taken.lock().unwrap().is_empty());
}

pub(crate) async fn a_creation_that_has_moved_is_refused(subject: &Subject) {
    let key = subject.key("learner", "scope");
    let mut moved = creation(&key, &["one"]);
    moved.head.position.clock = 1;
    let error = subject.store.create(moved).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    assert_eq!(subject.store.head(&key).await.unwrap(), None);
}

pub(crate) async fn racing_creations_agree_on_one_memory(subject: &Subject) {
    let key = subject.key("learner", "scope");
    let race = (0..8).map(|_| {
        let (store, creation) = (subject.store.clone(), creation(&key, &["one"]));
        tokio::spawn(async move { store.create(creation).await })
    });
    let race: Vec<_> = race.collect();
    let agreed = subject.store.create(creation(&key, &[])).await.unwrap();
    for racer in race {
        assert_eq!(racer.await.unwrap().unwrap(), agreed);
    }
    assert_eq!(subject.loaded(&key).await.head, agreed);
}

pub(crate) async fn a_creation_stands_in_history_but_not_among_the_events(subject: &Subject) {
    let creation = creation(&subject.key("learner", "scope"), &["one"]);
    let (store, key) = (&subject.store, &creation.key);
    store.create(creation.clone()).await.unwrap();
    let page = DeltaPage {
        below_revision: None,
        limit: 9,
    };
    let listed = store.deltas(key, page).await.unwrap();
    assert_eq!(listed, std::slice::from_ref(&creation.record));
    let found = store.delta(key, &DeltaId::creation()).await.unwrap();
    assert_eq!(found, Some(creation.record));
    assert!(store.events(key, 0, 9).await.unwrap().is_empty());
}

pub(crate) async fn a_policy_comes_back_as_it_was(subject: &Subject) {
    let policies = [
        Policy::classic(),
        Policy {
            weights: Some(Profile::Original.weights()),
            merge_threshold: 0.1 + 0.2,
            max_bullets: None,
            retrieval_records: 1 << 53,
            ..Policy::default()
        },
    ];
    for policy in policies {
        let key: MemoryKey = subject.key("learner", &fresh("scope"));
        let mut creation = creation(&key, &[]);
        creation.head.policy = policy.clone();
        subject.store.create(creation).await.unwrap();
        assert_eq!(subject.loaded(&key).await.head.policy, policy);
    }
}
