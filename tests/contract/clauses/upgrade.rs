//! Memories that older rules decided: what they look like, and how they come to the rules of today.

use hindlore::domain::memory::bullet::{Bullet, Status};
use hindlore::domain::memory::content::Identity;
use hindlore::domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore::domain::memory::key::MemoryKey;
use hindlore::domain::memory::policy::{Policy, RULES_VERSION};
use hindlore::engine::{Durability, Engine, EngineError};
use hindlore::store::EventRecord;
use hindlore::testkit::TemporaryStore;

use super::grouped::{engine, note};
use crate::subject::{Subject, fresh};

/// The digest of the word tables that the first rules were shipped with.
const FIRST_TABLES: &str = "008b4478133eb79918df1cf36d0951725e7417612e81d87e59e7c06b62a35e3d";

const TEXTS: [&str; 4] = [
    "Remove a merged branch with git branch -D topic",
    "Copy the file with scp -P 2222",
    "Read the log first",
    "Keep the class UserId small",
];

fn older(policy: Policy, tables: &str) -> Policy {
    Policy {
        rules: 1,
        guard_tables: tables.to_owned(),
        ..policy
    }
}

/// A memory as the first rules left it: case says nothing, and the second text is rejected.
async fn first_rules(subject: &Subject, tables: &str) -> (Engine, MemoryKey) {
    let folder = TemporaryStore::new().unwrap();
    let elsewhere = engine(folder.store().unwrap(), Durability::Durable);
    let key = subject.key("learner", &fresh("scope"));
    for text in TEXTS {
        note(&elsewhere, &key, text).await;
    }
    let mut copy = elsewhere.store().copy_out(&key).await.unwrap().unwrap();
    let policy = older(copy.state.head.policy.clone(), tables);
    copy.state.head.policy = policy.clone();
    for bullet in &mut copy.state.bullets {
        *bullet = bullet.clone().with_identity(Identity::Folded);
        if bullet.content.as_str() == TEXTS[1] {
            bullet.status = Status::Rejected;
        }
    }
    for event in &mut copy.events {
        if let EventRecord::Delta(delta) = event {
            delta.policy_before = delta.policy_before.as_ref().map(|_| policy.clone());
        }
    }
    subject.store.copy_in(copy, None).await.unwrap();
    (engine(subject.store.clone(), Durability::Durable), key)
}

async fn bullets(subject: &Subject, key: &MemoryKey) -> Vec<Bullet> {
    let mut all = subject.loaded(key).await.bullets;
    all.sort_by_key(|bullet| bullet.position);
    all
}

pub(crate) async fn an_upgrade_makes_hashes_anew_and_nothing_else(subject: &Subject) {
    let (engine, key) = first_rules(subject, FIRST_TABLES).await;
    let before = bullets(subject, &key).await;
    let report = engine.survey_upgrade(&key).await.unwrap().unwrap();
    assert_eq!((report.from, report.to), (1, RULES_VERSION));
    assert_eq!((report.rehashed, report.rejected.len()), (3, 1));
    assert!(engine.replay(&key).await.is_err());

    let upgraded = engine.upgrade(&key).await.unwrap().unwrap();
    assert_eq!(upgraded.report, report);
    let receipt = &upgraded.applied.receipt;
    assert!(receipt.merged.is_empty() && receipt.added.is_empty() && receipt.archived.is_empty());
    let after = bullets(subject, &key).await;
    assert_eq!(after.len(), before.len());
    for (old, new) in before.iter().zip(&after) {
        assert_eq!((&old.content, old.status), (&new.content, new.status));
        assert_eq!((old.counts, old.holds_hash), (new.counts, new.holds_hash));
        assert_eq!(new.content_hash(), new.content.hash());
    }
    assert_eq!(engine.upgrade(&key).await.unwrap(), None);
    assert!(engine.verify(&key).await.unwrap().is_sound);
    assert!(engine.replay(&key).await.unwrap().mismatches.is_empty());
    let undone = engine.undo_delta(&key, &receipt.delta, None, true).await;
    assert!(matches!(undone, Err(EngineError::Invalid(_))));
}

pub(crate) async fn the_first_delta_upgrades_a_memory_with_the_shipped_tables(subject: &Subject) {
    let (engine, key) = first_rules(subject, FIRST_TABLES).await;
    // Under the first rules these were the branch that is there and the text that was rejected.
    note(
        &engine,
        &key,
        "Remove a merged branch with git branch -d topic",
    )
    .await;
    note(&engine, &key, "Copy the file with scp -p 2222").await;
    let told = engine.take_upgrades();
    assert_eq!(told.iter().map(|one| &one.key).collect::<Vec<_>>(), [&key]);
    assert!(engine.take_upgrades().is_empty());
    let active = bullets(subject, &key).await;
    let active = active.iter().filter(|bullet| bullet.is_active()).count();
    assert_eq!(active, 5);
    assert!(engine.verify(&key).await.unwrap().is_sound);
    // What was decided before is told as history still.
    let past = engine.as_of(&key, 2).await.unwrap();
    assert_eq!((past.bullets.len(), past.exact), (2, false));
    let again = subject.reopen().await;
    let other = super::grouped::engine(again, Durability::Durable);
    assert!(other.replay(&key).await.unwrap().mismatches.is_empty());
}

pub(crate) async fn a_memory_with_tables_of_its_own_is_upgraded_when_asked(subject: &Subject) {
    let (engine, key) = first_rules(subject, "tables of somebody").await;
    let bullet = NewBullet {
        content: "Read the log first".to_owned(),
        ..NewBullet::default()
    };
    let id = DeltaId::parse(&fresh("d")).unwrap();
    let delta = Delta::new(id, vec![Operation::Add(Box::new(bullet))]);
    let refused = engine.apply_delta(&key, delta.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "older_rules");
    assert!(refused.hint().unwrap().contains("migrate apply"));
    assert!(engine.upgrade(&key).await.unwrap().is_some());
    engine.apply_delta(&key, delta).await.unwrap();
    assert!(engine.verify(&key).await.unwrap().is_sound);
}
