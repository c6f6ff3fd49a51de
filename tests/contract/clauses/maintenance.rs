//! Listing, checking, moving and erasing.

use std::collections::{BTreeMap, BTreeSet};

use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::{Bullet, Status};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_store::{
    Checkpoint, Commit, CostKind, Erased, ErrorKind, Mark, MemoryCopy, MemorySummary,
};

use crate::lesson_world::everything;
use crate::subject::{
    Subject, born, bullet, commit_of, creation, delta_on, fresh, full_bullet, link, order,
};

async fn listed(subject: &Subject, learner: Option<&str>) -> Vec<MemoryKey> {
    let list = subject.store.memories(&subject.tenant, learner).await;
    list.unwrap().into_iter().map(|one| one.key).collect()
}

async fn made(subject: &Subject, names: &[(&str, &str)]) -> Vec<MemoryKey> {
    let mut keys = Vec::new();
    for (learner, scope) in names {
        let key = subject.key(learner, scope);
        subject
            .store
            .create(creation(&key, &["one"]))
            .await
            .unwrap();
        keys.push(key);
    }
    keys
}

pub(crate) async fn costs_count_what_is_kept_of_one_learner(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "Größe"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let state = subject.loaded(&key).await;
    let digest = fresh("digest");
    let checkpoint = Checkpoint { state, digest };
    subject.store.compact(&key, checkpoint).await.unwrap();
    subject.retrieve(&key, "r_2", &seeded).await;
    let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
    let mut commit = everything(&owner);
    commit.decisions.clear();
    subject.write(&owner, commit.clone()).await.unwrap();
    let other = LearnerId::new(key.tenant(), "another").unwrap();
    subject.write(&other, everything(&other)).await.unwrap();
    let costs = subject.store.costs(key.tenant(), key.learner()).await;
    let costs: BTreeMap<CostKind, (u64, u64)> = costs
        .unwrap()
        .into_iter()
        .map(|cost| (cost.kind, (cost.count, cost.characters)))
        .collect();
    let counts: Vec<u64> = costs.values().map(|cost| cost.0).collect();
    assert_eq!(costs.len(), CostKind::ALL.len());
    assert_eq!(counts, [2, 1, 1, 1, 2, 2, 2, 2, 2, 0, 1]);
    // Characters, not bytes.
    assert_eq!(costs[&CostKind::Bullets].1, 8);
    let texts = |texts: Vec<&str>| texts.iter().map(|text| text.chars().count() as u64).sum();
    let rules: u64 = texts(commit.lessons.iter().map(|one| one.rule.as_str()).collect());
    // The same text is kept once, for any number of steps.
    let said: BTreeSet<&str> = commit.steps.iter().map(|one| one.action.as_str()).collect();
    let said: u64 = texts(said.into_iter().collect());
    assert_eq!(
        (costs[&CostKind::Lessons].1, costs[&CostKind::Steps].1),
        (rules, said)
    );
    for kind in [
        CostKind::Deltas,
        CostKind::Retrievals,
        CostKind::Checkpoints,
    ] {
        assert!(costs[&kind].1 > 0, "{kind}");
    }
    let nobody = subject.store.costs(key.tenant(), "nobody").await.unwrap();
    assert!(nobody.iter().all(|cost| cost.count == 0));
}

pub(crate) async fn a_listing_is_bound_to_its_tenant(subject: &Subject) {
    let keys = made(subject, &[("b", "1"), ("a", "2"), ("a", "1"), ("é", "1")]).await;
    let foreign = MemoryKey::new(&fresh("tenant"), "a", "1").unwrap();
    subject
        .store
        .create(creation(&foreign, &["one"]))
        .await
        .unwrap();
    let mut sorted = keys.clone();
    sorted.sort();
    assert_eq!(listed(subject, None).await, sorted);
    assert_eq!(listed(subject, Some("a")).await, sorted[..2]);
    assert!(listed(subject, Some("nobody")).await.is_empty());
    let tenants = subject.store.tenants().await.unwrap();
    assert!(tenants.is_sorted());
    for tenant in [subject.tenant.as_str(), foreign.tenant()] {
        assert_eq!(tenants.iter().filter(|name| *name == tenant).count(), 1);
    }
}

pub(crate) async fn a_listing_counts_bullets_by_status(subject: &Subject) {
    let key = made(subject, &[("learner", "scope")]).await.remove(0);
    let statuses = [
        Status::Active,
        Status::Archived,
        Status::Archived,
        Status::Rejected,
    ];
    let bullets = (1..).zip(statuses).map(|(ordinal, status)| Bullet {
        status,
        ..bullet(&key, ordinal, &format!("text {ordinal}"))
    });
    let bullets: Vec<Bullet> = bullets.collect();
    subject.apply(&key, "d_1", &bullets).await;
    let empty = subject.key("other", "scope");
    subject.store.create(creation(&empty, &[])).await.unwrap();
    let summary = |key: &MemoryKey, head, counts: [u64; 3]| MemorySummary {
        key: key.clone(),
        head: Ok(head),
        active: counts[0],
        archived: counts[1],
        rejected: counts[2],
    };
    let expected = [
        summary(&key, subject.loaded(&key).await.head, [2, 2, 1]),
        summary(&empty, subject.loaded(&empty).await.head, [0, 0, 0]),
    ];
    let list = subject.store.memories(&subject.tenant, None).await.unwrap();
    assert_eq!(list, expected);
}

pub(crate) async fn erase_takes_one_learner_only(subject: &Subject) {
    let keys = made(subject, &[("a", "1"), ("a", "2"), ("b", "1")]).await;
    let bullets = born(&keys[0], 0, 0, &["one"]);
    subject
        .apply(&keys[0], "d_1", &born(&keys[0], 1, 1, &["two"]))
        .await;
    subject.retrieve(&keys[0], "r_1", &bullets).await;
    let kept = subject.store.copy_out(&keys[2]).await.unwrap();
    let erased = subject
        .store
        .erase(order(&subject.tenant, "a", None))
        .await
        .unwrap()
        .erased;
    let expected = Erased {
        memories: 2,
        bullets: 3,
        deltas: 3,
        retrievals: 1,
        ..Erased::default()
    };
    assert_eq!(erased, expected);
    assert_eq!(listed(subject, None).await, keys[2..]);
    assert_eq!(subject.store.copy_out(&keys[0]).await.unwrap(), None);
    assert_eq!(subject.store.copy_out(&keys[2]).await.unwrap(), kept);
    let again = subject
        .store
        .erase(order(&subject.tenant, "a", None))
        .await
        .unwrap()
        .erased;
    assert_eq!(again, Erased::default());
}

pub(crate) async fn erase_takes_one_scope_only(subject: &Subject) {
    let keys = made(subject, &[("a", "1"), ("a", "2"), ("b", "1")]).await;
    let erased = subject
        .store
        .erase(order(&subject.tenant, "a", Some("1")))
        .await
        .unwrap()
        .erased;
    assert_eq!((erased.memories, erased.bullets), (1, 1));
    assert_eq!(listed(subject, None).await, keys[1..]);
    let foreign = subject
        .store
        .erase(order(&fresh("tenant"), "a", None))
        .await
        .unwrap()
        .erased;
    assert_eq!(foreign, Erased::default());
    assert_eq!(listed(subject, None).await, keys[1..]);
}

pub(crate) async fn an_erased_memory_comes_back_as_another_incarnation(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    subject.apply(&key, "d_1", &[]).await;
    let before = subject.position(&key).await;
    subject
        .store
        .erase(order(key.tenant(), key.learner(), None))
        .await
        .unwrap();
    assert_eq!(subject.store.head(&key).await.unwrap(), None);
    let fresh = creation(&key, &["two"]);
    subject.store.create(fresh.clone()).await.unwrap();
    let loaded = subject.loaded(&key).await;
    assert_eq!((loaded.head, loaded.bullets), (fresh.head, fresh.bullets));
    assert_ne!(subject.position(&key).await.incarnation, before.incarnation);
    assert!(subject.store.events(&key, 0, 9).await.unwrap().is_empty());
    assert!(subject.store.usage(&key, &[]).await.unwrap().is_empty());
    assert_eq!(subject.retrieve(&key, "r_1", &seeded).await, 1);
}

/// A memory that has everything a memory can have.
async fn rich(subject: &Subject) -> MemoryCopy {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    subject.retrieve(&key, "r_1", &seeded).await;
    let state = subject.loaded(&key).await;
    let checkpoint = Checkpoint {
        digest: fresh("digest"),
        state,
    };
    subject.store.compact(&key, checkpoint).await.unwrap();
    let full = full_bullet(&key, 2, "three");
    let delta = delta_on(
        &subject.loaded(&key).await,
        "d_1",
        std::slice::from_ref(&full),
    );
    let commit = Commit {
        links: vec![link(LinkKind::SimilarTo, &seeded[0], &seeded[1], 2)],
        ..commit_of(&delta, &[full])
    };
    subject.commit(&key, commit).await.unwrap();
    subject.retrieve(&key, "r_2", &seeded[..1]).await;
    let mark = Mark {
        retrieval: "r_2".to_owned(),
        bullet: seeded[0].id,
        injected: true,
        used: false,
        helped: true,
        harmed: false,
        ignored: false,
    };
    let marked = Commit {
        marks: vec![mark],
        ..Commit::default()
    };
    subject.commit(&key, marked).await.unwrap();
    let copy = subject.store.copy_out(&key).await.unwrap().unwrap();
    let lengths = [
        copy.events.len(),
        copy.checkpoints.len(),
        copy.compacted.len(),
    ];
    assert_eq!(lengths, [3, 1, 2]);
    assert_eq!(copy.state, subject.loaded(&key).await);
    copy
}

pub(crate) async fn a_copy_of_a_copy_is_equal(subject: &Subject) {
    let mut copy = rich(subject).await;
    copy.key = subject.key("elsewhere", "scope");
    let store = &subject.store;
    store.copy_in(copy.clone(), None).await.unwrap();
    assert_eq!(store.copy_out(&copy.key).await.unwrap(), Some(copy.clone()));
    assert!(store.check().await.unwrap().is_empty());
    // It continues from its last position.
    subject
        .retrieve(&copy.key, "r_3", &copy.state.bullets)
        .await;
    let usage = store
        .usage(&copy.key, &[copy.state.bullets[0].id])
        .await
        .unwrap();
    assert_eq!((usage[0].1.retrieved, usage[0].1.helped), (3, 1));
}

pub(crate) async fn a_copy_takes_the_place_of_what_is_there(subject: &Subject) {
    let mut copy = rich(subject).await;
    copy.key = made(subject, &[("elsewhere", "scope")]).await.remove(0);
    subject.apply(&copy.key, "d_gone", &[]).await;
    let standing = subject.loaded(&copy.key).await.head.position;
    for over in [standing, copy.state.head.position.clone()] {
        subject
            .store
            .copy_in(copy.clone(), Some(over))
            .await
            .unwrap();
        let there = subject.store.copy_out(&copy.key).await.unwrap();
        assert_eq!(there.as_ref(), Some(&copy));
    }
    assert_eq!(listed(subject, Some("elsewhere")).await, [copy.key]);
}

pub(crate) async fn a_copy_over_another_state_is_refused(subject: &Subject) {
    let mut copy = rich(subject).await;
    copy.key = made(subject, &[("elsewhere", "scope")]).await.remove(0);
    let looked_at = subject.loaded(&copy.key).await.head.position;
    subject.apply(&copy.key, "d_news", &[]).await;
    let there = subject.store.copy_out(&copy.key).await.unwrap();
    for over in [None, Some(looked_at)] {
        let error = subject.store.copy_in(copy.clone(), over).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
        assert!(error.to_string().contains("look again"), "{error}");
    }
    assert_eq!(subject.store.copy_out(&copy.key).await.unwrap(), there);
}

pub(crate) async fn a_copy_without_its_creation_is_refused(subject: &Subject) {
    let whole = rich(subject).await;
    let mut copies = [whole.clone(), whole.clone(), whole.clone()];
    copies[0].events.remove(0);
    copies[1].events.reverse();
    copies[2].state.head.position.clock = 1;
    let over = Some(whole.state.head.position.clone());
    for copy in copies {
        let error = subject.store.copy_in(copy, over.clone()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    }
    let there = subject.store.copy_out(&whole.key).await.unwrap();
    assert_eq!(there, Some(whole));
}

pub(crate) async fn a_sound_store_has_no_findings(subject: &Subject) {
    rich(subject).await;
    made(subject, &[("a", "1"), ("b", "2")]).await;
    assert_eq!(subject.store.check().await.unwrap(), []);
}

pub(crate) async fn nothing_is_pending_after_opening(subject: &Subject) {
    let schema = subject.store.schema().await.unwrap();
    assert_eq!(schema.stored, schema.engine);
    assert_eq!(schema.applied.len() as u64, schema.engine);
    assert!(schema.pending.is_empty());
    assert!(subject.store.migrate().await.unwrap().is_empty());
    assert_eq!(subject.store.schema().await.unwrap(), schema);
}
