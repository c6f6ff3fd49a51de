//! Erasing beyond the rows: counts before it, the receipt that stays, and single records.

use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::{CascadeOrder, DecideCascade, EraseReceipt, Erased, Extent};

use crate::lesson_world::everything;
use crate::lesson_world::fp;
use crate::subject::{Subject, born, creation, note, order};

/// A learner with a memory and lessons.
async fn filled(subject: &Subject, learner: &str) -> MemoryKey {
    let key = subject.key(learner, "one");
    let seeded = creation(&key, &["first", "second"]);
    let bullets = seeded.bullets.clone();
    subject.store.create(seeded).await.unwrap();
    let added = born(&key, 2, 1, &["third"]);
    subject.apply(&key, "d_1", &added).await;
    subject.retrieve(&key, "r_1", &bullets).await;
    let owner = subject.owner(learner);
    subject.write(&owner, everything(&owner)).await.unwrap();
    key
}

pub(crate) async fn held_counts_what_an_erase_takes(subject: &Subject) {
    let key = filled(subject, "a").await;
    filled(subject, "b").await;
    // The runs of `filled` ran in a scope of this name, and belong to their learner all the same.
    let ran_in = "github.com/a/b";
    let other = subject.key("a", ran_in);
    subject
        .store
        .create(creation(&other, &["one"]))
        .await
        .unwrap();
    for scope in [Some(ran_in), None] {
        let held = subject
            .store
            .held(&subject.tenant, "a", scope)
            .await
            .unwrap();
        assert_eq!(held.runs > 0, scope.is_none(), "{held:?}");
        let gone = subject
            .store
            .erase(order(&subject.tenant, "a", scope))
            .await;
        assert_eq!(gone.unwrap().erased, held, "{scope:?}");
        let left = subject
            .store
            .held(&subject.tenant, "a", scope)
            .await
            .unwrap();
        assert!(left.is_nothing(), "{left:?}");
    }
    assert_eq!(subject.store.head(&key).await.unwrap(), None);
    let kept = subject
        .store
        .held(&subject.tenant, "b", None)
        .await
        .unwrap();
    let expected = Erased {
        memories: 1,
        bullets: 3,
        deltas: 2,
        retrievals: 1,
        lessons: 2,
        runs: 2,
        errors: 2,
        strays: 0,
        records: 0,
    };
    assert_eq!(kept, expected);
}

pub(crate) async fn an_erase_leaves_a_receipt_that_names_nobody(subject: &Subject) {
    let tenant = subject.tenant.as_str();
    let store = &subject.store;
    for learner in ["a", "b"] {
        filled(subject, learner).await;
    }
    let first = store.erase(order(tenant, "a", Some("one"))).await.unwrap();
    let rest = store.erase(order(tenant, "a", None)).await.unwrap();
    store.erase(order(tenant, "b", None)).await.unwrap();
    // A missing learner has nothing to report.
    let nobody = store.erase(order(tenant, "c", None)).await.unwrap();
    assert_eq!((nobody.erased, nobody.receipt), (Erased::default(), None));
    let (first, rest) = (first.receipt.unwrap(), rest.receipt.unwrap());
    assert_eq!(
        (first.extent, first.erased.bullets, first.author.as_deref()),
        (Extent::Memory, 3, Some("Zoë"))
    );
    assert_eq!((rest.extent, rest.erased.lessons), (Extent::Learner, 2));
    assert_eq!(
        rest.learner_hash,
        EraseReceipt::hash_of_learner(tenant, "a")
    );
    assert!(![&first.subject_hash, &first.learner_hash].contains(&&rest.tenant_hash));
    assert_ne!(first.subject_hash, rest.subject_hash);
    let mut expected = vec![first, rest];
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    let later = subject.reopen().await;
    let of_a = later.receipts(tenant, Some("a")).await.unwrap();
    assert_eq!(of_a, expected);
    assert_eq!(later.receipts(tenant, None).await.unwrap().len(), 3);
    for other in [subject.tenant.to_uppercase(), "other".to_owned()] {
        assert!(later.receipts(&other, None).await.unwrap().is_empty());
    }
    let told = format!("{of_a:?}");
    assert!(!told.contains(tenant) && !told.contains("\"a\""), "{told}");
    assert_eq!(later.wipe().await.unwrap(), None);
}

fn strike(owner: &LearnerId) -> CascadeOrder {
    CascadeOrder {
        owner: owner.clone(),
        extent: Extent::Run,
        id: "r1".to_owned(),
        note: note(),
    }
}

/// All of the run `r1` goes, the lesson that was used in it stays.
fn without_run(mut all: LessonsCopy) -> LessonsCopy {
    all.runs.retain(|run| run.id != "r1");
    all.steps.retain(|step| step.run != "r1");
    all.errors.retain(|error| error.run != "r1");
    all.activations.retain(|row| row.activation.run != "r1");
    all.sources.retain(|source| source.run != "r1");
    all.receipts.clear();
    all
}

pub(crate) async fn a_struck_record_takes_its_rows_and_counts_along(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    for owner in [&owner, &other] {
        subject.write(owner, everything(owner)).await.unwrap();
    }
    let kept = subject.store.copy_lessons_out(&other).await.unwrap();
    let before = subject.store.copy_lessons_out(&owner).await.unwrap();
    let gone = Erased {
        runs: 1,
        errors: 1,
        ..Erased::default()
    };
    let decide: DecideCascade = Box::new(move |all| Some((without_run(all), gone)));
    let struck = subject.store.strike(strike(&owner), decide).await.unwrap();
    assert_eq!((struck.erased, struck.not_wiped), (gone, None));
    assert_eq!(struck.receipt.unwrap().extent, Extent::Run);
    let after = subject
        .store
        .copy_lessons_out(&owner)
        .await
        .unwrap()
        .unwrap();
    let mut expected = without_run(before.unwrap());
    // Counts follow from the rows that are left.
    for row in &mut expected.fingerprints {
        let raised = row.events.min(1);
        (row.events, row.runs) = (raised, raised);
        let own = after.fingerprints.iter();
        let own = own.filter(|own| own.fingerprint.id == row.fingerprint.id);
        for own in own {
            (row.first_at, row.last_at) = (own.first_at, own.last_at);
        }
    }
    assert_eq!(after, expected);
    let totals = subject.store.lesson_totals(&owner).await.unwrap();
    assert_eq!(
        (totals.errors, totals.open_runs, totals.ended_runs),
        (1, 1, 0)
    );
    let found = subject
        .store
        .lessons_triggered_by(&owner, &[fp(1)], 9)
        .await;
    assert_eq!(found.unwrap().lessons.len(), 2);
    assert_eq!(subject.store.copy_lessons_out(&other).await.unwrap(), kept);
    let found = subject.store.check().await.unwrap();
    let own = found
        .iter()
        .find(|one| one.subject.contains(&subject.tenant));
    assert_eq!(own, None);
}

pub(crate) async fn a_strike_of_everything_leaves_no_learner(subject: &Subject) {
    let owner = subject.owner("l");
    subject.write(&owner, everything(&owner)).await.unwrap();
    let decide: DecideCascade = Box::new(|mut all| {
        all.fingerprints.clear();
        all.lessons.clear();
        all.conflicts.clear();
        all.decisions.clear();
        all.reviews.clear();
        all.errors.clear();
        all = without_run(all);
        all.runs.clear();
        all.steps.clear();
        all.activations.clear();
        let gone = Erased {
            runs: 2,
            ..Erased::default()
        };
        Some((all, gone))
    });
    subject.store.strike(strike(&owner), decide).await.unwrap();
    assert_eq!(subject.store.copy_lessons_out(&owner).await.unwrap(), None);
    let learners = subject.store.lesson_learners(&subject.tenant, None).await;
    assert!(learners.unwrap().is_empty());
}

pub(crate) async fn a_strike_that_decides_nothing_writes_nothing(subject: &Subject) {
    let owner = subject.owner("l");
    let none = || -> DecideCascade { Box::new(|_| None) };
    let unknown = subject.store.strike(strike(&owner), none()).await.unwrap();
    assert_eq!((unknown.erased, unknown.receipt), (Erased::default(), None));
    subject.write(&owner, everything(&owner)).await.unwrap();
    let before = subject.store.copy_lessons_out(&owner).await.unwrap();
    let struck = subject.store.strike(strike(&owner), none()).await.unwrap();
    assert_eq!((struck.erased, struck.receipt), (Erased::default(), None));
    assert_eq!(
        subject.store.copy_lessons_out(&owner).await.unwrap(),
        before
    );
    let receipts = subject.store.receipts(&subject.tenant, None).await;
    assert!(receipts.unwrap().is_empty());
}
