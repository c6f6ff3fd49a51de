//! No call crosses the key that it was given.

use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::NAME_MAX_CHARS;
use hindlore_store::{DeltaPage, MemorySummary};

use crate::subject::{Subject, born, creation, fresh, full_bullet};

/// Makes a memory with one text under each key, and proves that each has its own.
async fn each_has_its_own(subject: &Subject, keys: &[MemoryKey]) {
    for (number, key) in keys.iter().enumerate() {
        let seeded = creation(key, &[&format!("of {number}")]);
        let head = subject.store.create(seeded.clone()).await.unwrap();
        assert_eq!(head, seeded.head, "{key} was taken");
    }
    for (number, key) in keys.iter().enumerate() {
        let loaded = subject.loaded(key).await;
        assert_eq!(loaded.bullets.len(), 1);
        assert_eq!(loaded.bullets[0].content.as_str(), format!("of {number}"));
    }
}

pub(crate) async fn shifted_names_never_meet(subject: &Subject) {
    let key = |learner: &str, scope: &str| subject.key(learner, scope);
    let keys = [
        key("a", "bc"),
        key("ab", "c"),
        key("a/b", "c"),
        key("a", "b/c"),
        key("1:a", "b"),
        key("a", "1:b"),
    ];
    each_has_its_own(subject, &keys).await;
}

pub(crate) async fn names_at_the_limit_are_kept_apart(subject: &Subject) {
    let long = |last: &str| format!("{}{last}", "語".repeat(NAME_MAX_CHARS - 1));
    let keys = [
        subject.key(&long("a"), &long("a")),
        subject.key(&long("a"), &long("b")),
        subject.key(&long("b"), &long("a")),
    ];
    each_has_its_own(subject, &keys).await;
}

pub(crate) async fn names_of_every_script_are_plain_names(subject: &Subject) {
    let names = [
        "%", "_", "*", "a%", "a_", "ab", "AB", "Ab", "'", "\"; --", "é", "e", "ß", "ss", "🦀",
        "$1", "null", "\\",
    ];
    let keys: Vec<MemoryKey> = names.iter().map(|name| subject.key(name, name)).collect();
    each_has_its_own(subject, &keys).await;
    for name in names {
        let listed = subject.store.memories(&subject.tenant, Some(name)).await;
        let keys = |list: Vec<MemorySummary>| -> Vec<MemoryKey> {
            list.into_iter().map(|summary| summary.key).collect()
        };
        assert_eq!(keys(listed.unwrap()), [subject.key(name, name)]);
    }
}

pub(crate) async fn equal_hashes_in_two_memories_never_meet(subject: &Subject) {
    let other_tenant = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let keys = [
        subject.key("learner", "scope"),
        subject.key("learner", "scope 2"),
        subject.key("learner 2", "scope"),
        other_tenant,
    ];
    for key in &keys {
        subject
            .store
            .create(creation(key, &["equal"]))
            .await
            .unwrap();
    }
    let changed = full_bullet(&keys[0], 0, "equal");
    subject
        .apply(&keys[0], "d_1", std::slice::from_ref(&changed))
        .await;
    assert_eq!(subject.loaded(&keys[0]).await.bullets, [changed]);
    for key in &keys[1..] {
        let loaded = subject.loaded(key).await;
        assert_eq!(loaded.bullets, born(key, 0, 0, &["equal"]));
        assert_eq!(loaded.head.position.clock, 0);
    }
}

pub(crate) async fn equal_ids_in_two_memories_never_meet(subject: &Subject) {
    let keys = [subject.key("one", "scope"), subject.key("two", "scope")];
    let bullets = born(&keys[0], 0, 0, &["text"]);
    for key in &keys {
        let mut seeded = creation(key, &[]);
        seeded.bullets = bullets.clone();
        subject.store.create(seeded).await.unwrap();
        subject.apply(key, "d_same", &[]).await;
    }
    assert_eq!(subject.retrieve(&keys[0], "r_same", &bullets).await, 2);
    assert_eq!(subject.loaded(&keys[1]).await.bullets, bullets);
    assert!(subject.store.usage(&keys[1], &[]).await.unwrap().is_empty());
    assert_eq!(subject.retrieve(&keys[1], "r_same", &bullets).await, 2);
    let changed = full_bullet(&keys[0], 0, "other");
    subject.apply(&keys[0], "d_2", &[changed]).await;
    let ids = [bullets[0].id];
    let later = subject.store.later_changes(&keys[1], 0, &ids).await;
    assert!(later.unwrap().is_empty());
}

pub(crate) async fn a_call_with_another_key_sees_nothing(subject: &Subject) {
    let (key, bullets) = subject.seeded(&["secret"]).await;
    subject.retrieve(&key, "r_1", &bullets).await;
    let delta = subject.apply(&key, "d_1", &[]).await;
    let store = &subject.store;
    let near = subject.key(key.learner(), &fresh("scope"));
    store.create(creation(&near, &[])).await.unwrap();
    assert!(subject.loaded(&near).await.bullets.is_empty());
    assert_eq!(store.retrieval(&near, "r_1").await.unwrap(), None);
    assert_eq!(store.delta(&near, &delta.id).await.unwrap(), None);
    assert!(store.events(&near, 0, 9).await.unwrap().is_empty());
    assert!(store.retrievals(&near, None, 9).await.unwrap().is_empty());
    assert!(
        store
            .usage(&near, &[bullets[0].id])
            .await
            .unwrap()
            .is_empty()
    );
    let page = DeltaPage {
        below_revision: None,
        limit: 9,
    };
    assert_eq!(store.deltas(&near, page).await.unwrap().len(), 1);
}
