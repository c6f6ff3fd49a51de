//! Migrations: instances that start at once, and databases that another engine has changed.
//!
//! The ledger is shared by all tests of the server, so what is made strange here is made whole again
//! before anybody else may look: these trials have the server alone.

use hindlore::backend::neo4j::Neo4jStore;
use hindlore::store::{ErrorKind, MaintenanceStore};
use serde_json::json;

use crate::files::migration_statements;
use crate::http::ask;
use crate::server::Server;

/// Takes the schema away, as on a server that nobody has used yet.
pub(crate) fn strip(server: &Server) {
    let statements = migration_statements();
    let names = |kind: &str| -> Vec<&str> {
        let created = format!("CREATE {kind} ");
        let all = statements.iter();
        let rests = all.filter_map(|(_, text)| text.split_once(&created));
        rests
            .map(|(_, rest)| rest.split_whitespace().next().unwrap())
            .collect()
    };
    let (constraints, indexes) = (names("CONSTRAINT"), names("INDEX"));
    assert!(constraints.len() > 20 && indexes.len() > 20);
    for (kind, names) in [("CONSTRAINT", constraints), ("INDEX", indexes)] {
        for name in names {
            ask(server, &format!("DROP {kind} {name} IF EXISTS"), json!({}));
        }
    }
    let ledger = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore'}) DETACH DELETE m";
    ask(server, ledger, json!({}));
}

pub(crate) async fn racing(server: Server) {
    strip(&server);
    let left = ask(
        &server,
        "SHOW CONSTRAINTS YIELD name WHERE name = 'hindlore_bullet_identity' RETURN name",
        json!({}),
    );
    assert_eq!(left["data"]["values"], json!([]));
    let race = (0..8).map(|_| tokio::spawn(Neo4jStore::connect(server.options())));
    let race: Vec<_> = race.collect();
    for racer in race {
        let store = racer.await.unwrap().unwrap();
        let schema = store.schema().await.unwrap();
        assert_eq!(schema.stored, schema.engine);
        assert!(schema.pending.is_empty());
    }
    let ledger = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore'}) RETURN count(m), count(DISTINCT m.version)";
    let answer = ask(&server, ledger, json!({}));
    let counts = &answer["data"]["values"][0];
    assert_eq!(
        counts[0], counts[1],
        "a migration was recorded twice: {answer}"
    );
    let named = "SHOW CONSTRAINTS YIELD name WHERE name = 'ace_bullet_hash_unique' RETURN name";
    assert_eq!(
        ask(&server, named, json!({}))["data"]["values"][0][0],
        "ace_bullet_hash_unique"
    );
}

/// A ledger of another target, so that other tests do not meet it.
async fn connect(server: &Server, migrate: bool) -> Result<Neo4jStore, ErrorKind> {
    let mut options = server.options();
    options.migrate = migrate;
    let connected = Neo4jStore::connect(options).await;
    connected.map_err(|error| {
        let message = error.to_string();
        assert!(
            message.starts_with(char::is_lowercase) && !message.ends_with('.'),
            "{message}"
        );
        error.kind()
    })
}

pub(crate) async fn strange(server: Server) {
    connect(&server, true).await.unwrap();
    let newer = "CREATE (:__Neo4jMigration {migrationTarget: 'hindlore', version: '999', source: 'V999__later', checksum: 'x'})";
    ask(&server, newer, json!({}));
    let refused = connect(&server, true).await.map(|_| ());
    ask(
        &server,
        "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '999'}) DETACH DELETE m",
        json!({}),
    );
    assert_eq!(refused, Err(ErrorKind::NewerSchema));

    // One that only added something stops nobody: engines of two versions run side by side.
    ask(
        &server,
        &newer.replace("checksum: 'x'", "checksum: 'x', expands: true"),
        json!({}),
    );
    let beside = connect(&server, true).await.map(|_| ());
    ask(
        &server,
        "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '999'}) DETACH DELETE m",
        json!({}),
    );
    assert_eq!(beside, Ok(()));

    let first = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'})";
    ask(
        &server,
        &format!("{first} SET m.was = m.checksum, m.checksum = 'changed'"),
        json!({}),
    );
    let refused = connect(&server, true).await.map(|_| ());
    ask(
        &server,
        &format!("{first} SET m.checksum = m.was REMOVE m.was"),
        json!({}),
    );
    assert_eq!(refused, Err(ErrorKind::Damaged));
    connect(&server, false).await.unwrap();
}

pub(crate) async fn half_finished(server: Server) {
    connect(&server, true).await.unwrap();
    // Its statements were carried out and its record was not, by an instance that then died.
    let last = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '002'})";
    ask(&server, &format!("{last} DETACH DELETE m"), json!({}));
    let lock =
        "MATCH (l:__Neo4jMigrationsLock) SET l.holder = 'dead', l.expires_at = timestamp() + 1500";
    ask(&server, lock, json!({}));
    let refused = connect(&server, false).await.map(|_| ());
    let store = connect(&server, true).await.unwrap();
    assert_eq!(refused, Err(ErrorKind::Unavailable));
    assert!(store.schema().await.unwrap().pending.is_empty());
}
