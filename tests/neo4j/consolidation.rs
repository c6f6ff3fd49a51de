//! A consolidation on both backends: the same groups, the same digests, and the same way back.

use std::sync::Arc;

use hindlore::clock::SetClock;
use hindlore::{ConsolidateRequest, Consolidated, Engine, EngineOptions, MemoryView, RolledBack};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::consolidation::Choice;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;

use crate::server::Server;

const ENDS: &[&str] = &[
    "Push to the `main` branch.",
    "Tag it `v2` on Monday.",
    "Wait 30 s for the mirror.",
];

fn engine(store: Arc<dyn Store>) -> Engine {
    let clock = Arc::new(SetClock::at(Timestamp::from_millis(1_790_000_000_000)));
    Engine::new(store, clock, EngineOptions::default())
}

fn texts() -> Vec<String> {
    let subjects = ["deploy", "backup", "billing", "search"];
    let text = |subject: &&str, end: &&str| {
        format!(
            "Run the whole test suite of the {subject} service before each commit, and read what it says. \
             Ask Maria for the key of the {subject} service. Write one line about every change into the log \
             of the {subject} team. {end}"
        )
    };
    let texts = subjects
        .iter()
        .flat_map(|subject| ENDS.iter().map(move |end| text(subject, end)));
    texts.collect()
}

async fn lived(engine: &Engine, key: &MemoryKey) -> (Consolidated, MemoryView, RolledBack) {
    let add = |content: String| {
        Operation::Add(Box::new(NewBullet {
            content,
            helpful: 1,
            harmful: 1,
            ..NewBullet::default()
        }))
    };
    let delta = Delta::new(
        DeltaId::parse("d_all").unwrap(),
        texts().into_iter().map(add).collect(),
    );
    engine.apply_delta(key, delta).await.unwrap();
    let before = engine.view(key).await.unwrap().unwrap();
    let request = ConsolidateRequest {
        run: Some("c".to_owned()),
        choice: Choice::default(),
        dry_run: false,
        batch: 5,
        texts: Vec::new(),
        author: None,
    };
    let done = engine.consolidate(key, request).await.unwrap();
    let after = engine.view(key).await.unwrap().unwrap();
    let verified = engine.verify(key).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.differences);
    let back = engine.roll_back(key, "c", None, false).await.unwrap();
    assert_eq!(back.content_digest, before.content_digest);
    (done, after, back)
}

/// Both backends make the same of the same bullets; another engine on the server sees it, links included.
pub(crate) async fn agree(server: Server) {
    let key = MemoryKey::new(&fresh("consolidation"), "ann", "desk").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("memory.db");
    let here = EmbeddedStore::open(&file, EmbeddedOptions::default()).unwrap();
    let there = Neo4jStore::connect(server.options()).await.unwrap();
    let (here, there) = (engine(Arc::new(here)), engine(Arc::new(there)));
    let ours = lived(&here, &key).await;
    let theirs = lived(&there, &key).await;
    assert_eq!(ours.0.merged, 12, "{:?}", ours.0);
    assert_eq!(ours.0, theirs.0);
    assert_eq!(
        (&ours.1.digest, &ours.1.links),
        (&theirs.1.digest, &theirs.1.links)
    );
    assert_eq!(ours.2, theirs.2);
    let links = ours.1.links.iter();
    let lineage = links.filter(|link| link.id.kind == LinkKind::ConsolidatedFrom);
    assert_eq!(lineage.count(), 12);
    let fresh = Neo4jStore::connect(server.options()).await.unwrap();
    let seen = engine(Arc::new(fresh)).view(&key).await.unwrap();
    assert_eq!(seen, there.view(&key).await.unwrap());
    let [ours, theirs] =
        [here.view(&key).await, there.view(&key).await].map(|it| it.unwrap().unwrap());
    assert_eq!(
        (ours.digest, ours.content_digest),
        (theirs.digest, theirs.content_digest)
    );
}
