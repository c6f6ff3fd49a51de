//! A database that holds other things: names, indexes and nodes of other programs, which the migration and the doctor
//! must distinguish from ours. These trials have the server alone, and restore it.

use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::{Neo4jStore, ServerReport, Standing};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{ErrorKind, MaintenanceStore};
use serde_json::json;
use tokio::task::JoinSet;

use crate::children::engine;
use crate::http::{ask, run};
use crate::migrations::strip;
use crate::outage::note;
use crate::server::Server;

/// Constraints and indexes of other programs, under names that we might have chosen.
const FOREIGN: [(&str, &str); 5] = [
    (
        "CONSTRAINT",
        "bullet_key_unique FOR (n:Slide) REQUIRE n.key IS UNIQUE",
    ),
    (
        "CONSTRAINT",
        "event_tick_unique FOR (n:Watch) REQUIRE n.tick IS UNIQUE",
    ),
    (
        "CONSTRAINT",
        "learner_key_unique FOR (n:Pupil) REQUIRE n.key IS UNIQUE",
    ),
    (
        "CONSTRAINT",
        "scope_key_unique FOR (n:Lens) REQUIRE n.key IS UNIQUE",
    ),
    ("INDEX", "bullet_changed FOR (n:Gun) ON (n.fired)"),
];

/// Statements that are sent at the end, also when a trial failed.
struct Afterwards(Server, Vec<String>);

impl Drop for Afterwards {
    fn drop(&mut self) {
        for statement in &self.1 {
            ask(&self.0, statement, json!({}));
        }
    }
}

/// The doctor's report on the server.
pub(crate) async fn report(server: &Server) -> ServerReport {
    let now = || Timestamp::from_millis(0);
    Neo4jStore::diagnose(server.options(), &now).await.unwrap()
}

async fn standing(server: &Server, name: &str) -> Standing {
    let items = report(server).await.items.unwrap();
    items
        .into_iter()
        .find(|one| one.name == name)
        .unwrap()
        .standing
}

pub(crate) async fn all_are_there(server: &Server) -> bool {
    let items = report(server).await.items.unwrap();
    items.iter().all(|one| one.is_there())
}

pub(crate) async fn names(server: Server) {
    strip(&server);
    let drops = FOREIGN.map(|(kind, text)| {
        let name = text.split(' ').next().unwrap();
        format!("DROP {kind} {name} IF EXISTS")
    });
    let _afterwards = Afterwards(server.clone(), drops.to_vec());
    for (kind, text) in FOREIGN {
        run(&server, &format!("CREATE {kind} {text}"));
    }
    Neo4jStore::connect(server.options()).await.unwrap();
    assert!(all_are_there(&server).await);
    let bullets = "SHOW CONSTRAINTS YIELD labelsOrTypes, properties
        WHERE labelsOrTypes = ['Bullet'] AND properties = ['hindlore_key'] RETURN count(*)";
    assert_eq!(run(&server, bullets)[0][0], 1, "bullets may be there twice");
    // Six first deltas at once meet on a learner and a memory that are there once.
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let mut first = JoinSet::new();
    for number in 0..6 {
        let (engine, key) = (
            engine(&server, &format!("writer {number}")).await,
            key.clone(),
        );
        let delta = note(
            &format!("d_{number}"),
            &format!("the note of writer {number}"),
        );
        first.spawn(async move { engine.apply_delta(&key, delta).await.map(|_| ()) });
    }
    for applied in first.join_all().await {
        applied.unwrap();
    }
    let view = engine(&server, "reader")
        .await
        .view(&key)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(view.revision, 6);
}

/// An obstacle is named, with the statement that removes it; then the migration continues.
pub(crate) async fn barred(server: Server) {
    const OURS: &str = "hindlore_tag_identity";
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let ours = format!(
        "CREATE CONSTRAINT {OURS} IF NOT EXISTS FOR (n:Tag) REQUIRE n.hindlore_key IS UNIQUE"
    );
    let cases = [
        (
            format!("CREATE CONSTRAINT {OURS} FOR (n:Slide) REQUIRE n.hindlore_key IS UNIQUE"),
            format!("DROP CONSTRAINT {OURS}"),
            "(:Slide {hindlore_key})",
        ),
        (
            "CREATE INDEX of_another FOR (n:Tag) ON (n.hindlore_key)".to_owned(),
            "DROP INDEX of_another".to_owned(),
            "(:Tag {hindlore_key})",
        ),
    ];
    let back = cases
        .iter()
        .map(|(_, remedy, _)| format!("{remedy} IF EXISTS"));
    let _afterwards = Afterwards(server.clone(), back.chain([ours]).collect());
    for (taken, remedy, shown) in &cases {
        run(&server, &format!("DROP CONSTRAINT {OURS}"));
        assert_eq!(standing(&server, OURS).await, Standing::Missing);
        run(&server, taken);
        let Standing::Barred { by, remedy: told } = standing(&server, OURS).await else {
            panic!("`{taken}` stands in the way");
        };
        assert!(by.contains(shown) && told == *remedy, "{by}: {told}");
        let error = store.migrate().await.unwrap_err();
        let message = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Foreign, "{message}");
        assert!(
            message.contains(shown) && message.contains(remedy),
            "{message}"
        );
        run(&server, remedy);
        assert_eq!(store.migrate().await.unwrap(), [OURS]);
        assert!(all_are_there(&server).await);
    }
    // Two nodes of another program, with the same key under our label.
    run(&server, &format!("DROP CONSTRAINT {OURS}"));
    run(
        &server,
        "CREATE (:Tag {hindlore_key: 'red', mine: true}), (:Tag {hindlore_key: 'red', mine: true})",
    );
    let message = store.migrate().await.unwrap_err().to_string();
    run(&server, "MATCH (n:Tag {mine: true}) DELETE n");
    assert!(
        message.contains("`Tag`") && !message.contains("nothing was written"),
        "{message}"
    );
    assert_eq!(store.migrate().await.unwrap(), [OURS]);
    // An equivalent constraint serves, under any name.
    run(&server, &format!("DROP CONSTRAINT {OURS}"));
    run(
        &server,
        "CREATE CONSTRAINT of_another FOR (n:Tag) REQUIRE n.hindlore_key IS UNIQUE",
    );
    assert!(all_are_there(&server).await);
    assert!(store.migrate().await.unwrap().is_empty());
    run(&server, "DROP CONSTRAINT of_another");
    assert_eq!(store.migrate().await.unwrap(), [OURS]);
}
