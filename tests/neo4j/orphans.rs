//! Nodes left after the node of a learner or of a memory was deleted by hand: found, and attached to that node again.

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::lesson_world::{everything, write};
use hindlore_contract::subject::{fresh, order};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::Head;

use crate::children::engine;
use crate::erasing::{by_hand, delta};
use crate::server::Server;

/// A memory with bullets, a policy of its own, a retrieval and lessons.
async fn lived(engine: &Engine) -> MemoryKey {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    // The delta changes the policy, too.
    engine.apply_delta(&key, delta("d_1", 4)).await.unwrap();
    let asked = RetrieveRequest::new(Query::new("note"));
    engine.retrieve(&key, asked).await.unwrap();
    let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
    write(&**engine.store(), &owner, everything(&owner))
        .await
        .unwrap();
    key
}

/// The findings of the check about one tenant.
async fn found(engine: &Engine, key: &MemoryKey) -> Vec<String> {
    let all = engine.check().await.unwrap().into_iter();
    let own = all.filter(|one| one.subject.contains(key.tenant()));
    own.map(|one| format!("{}: {}", one.subject, one.message))
        .collect()
}

/// Each node, alone and both.
pub(crate) async fn hung_again(server: Server) {
    const LEARNER: &str = "MATCH (n:Learner {tenant: $tenant}) DETACH DELETE n";
    const MEMORY: &str = "MATCH (n:ContextScope {tenant: $tenant}) DETACH DELETE n";
    for (deleted, told) in [
        (vec![LEARNER], 1),
        (vec![MEMORY], 1),
        (vec![LEARNER, MEMORY], 2),
    ] {
        let writer = engine(&server, "writer").await;
        let key = lived(&writer).await;
        let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
        let before = writer.view(&key).await.unwrap().unwrap();
        let head = writer.head(&key).await.unwrap();
        let lessons = writer.store().lesson_totals(&owner).await.unwrap();
        assert_eq!(found(&writer, &key).await, Vec::<String>::new());
        for statement in &deleted {
            by_hand(&server, &key, statement);
        }
        let mender = engine(&server, "mender").await;
        let orphans = found(&mender, &key).await;
        assert!(
            orphans.iter().any(|one| one.contains("doctor repair")),
            "{orphans:?}"
        );
        let dry = mender.repair(&key, true).await.unwrap();
        assert_eq!((dry.repairable.len(), dry.left.len()), (told, 0), "{dry:?}");
        assert_eq!(
            found(&mender, &key).await,
            orphans,
            "a dry run changes nothing"
        );
        let repaired = mender.repair(&key, false).await.unwrap();
        assert_eq!(repaired.repairable[..told], dry.repairable[..]);
        assert_eq!(repaired.left, Vec::<String>::new());
        // The node of the learner held the number of lessons; adopting counts them.
        if deleted.contains(&LEARNER) {
            mender.store().adopt_lessons(&owner).await.unwrap();
        }
        assert_eq!(
            found(&mender, &key).await,
            Vec::<String>::new(),
            "{deleted:?}"
        );
        let reader = engine(&server, "reader").await;
        let verified = reader.verify(&key).await.unwrap();
        assert!(verified.is_sound, "{verified:?}");
        let after = reader.view(&key).await.unwrap().unwrap();
        assert_eq!(
            (after.digest, after.bullets),
            (before.digest, before.bullets)
        );
        let created = |head: Option<Head>| head.map(|head| (head.created_at, head.policy));
        assert_eq!(
            created(reader.head(&key).await.unwrap()),
            created(head.clone())
        );
        assert_eq!(reader.store().lesson_totals(&owner).await.unwrap(), lessons);
        reader.apply_delta(&key, delta("d_3", 2)).await.unwrap();
        let erased = order(key.tenant(), key.learner(), None);
        reader.store().erase(erased).await.unwrap();
        assert_eq!(found(&reader, &key).await, Vec::<String>::new());
    }
}
