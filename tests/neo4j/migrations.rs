//! Migrations: instances that start at once, and databases that another engine has changed.
//!
//! All tests of the server share the ledger, so these trials restore every change to it before another test may look:
//! they have the server alone.

use hindlore_neo4j::{Migration, Neo4jOptions, Neo4jStore};
use hindlore_store::{ErrorKind, MaintenanceStore};
use serde_json::json;

use crate::files::migration_statements;
use crate::http::{ask, run};
use crate::server::Server;
use crate::taken::all_are_there;

/// Takes the schema away, as on an unused server.
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

/// Connects with the migrations of this engine.
async fn connect(server: &Server, migrate: bool) -> Result<Neo4jStore, ErrorKind> {
    let options = Neo4jOptions {
        migrate,
        ..server.options()
    };
    connect_with(options).await
}

async fn connect_with(options: Neo4jOptions) -> Result<Neo4jStore, ErrorKind> {
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

    // A migration that only adds refuses no engine: engines of two versions run side by side.
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

    // The ledger of another build: its first migration has another text, and more follow.
    let first = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'})";
    ask(
        &server,
        &format!("{first} SET m.was = m.checksum, m.checksum = 'changed'"),
        json!({}),
    );
    ask(&server, &newer.replace("999", "005"), json!({}));
    let refused = Neo4jStore::connect(server.options()).await;
    ask(
        &server,
        &format!("{first} SET m.checksum = m.was REMOVE m.was"),
        json!({}),
    );
    ask(
        &server,
        "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '005'}) DETACH DELETE m",
        json!({}),
    );
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Damaged);
    assert!(
        refused
            .to_string()
            .contains("export the memories with that build"),
        "{refused}"
    );
    connect(&server, false).await.unwrap();
}

pub(crate) async fn half_finished(server: Server) {
    connect(&server, true).await.unwrap();
    // An instance made some of it, and died before it recorded the migration.
    ask(
        &server,
        "DROP INDEX hindlore_record_order_8 IF EXISTS",
        json!({}),
    );
    let last = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'})";
    ask(&server, &format!("{last} DETACH DELETE m"), json!({}));
    let lock =
        "MATCH (l:__Neo4jMigrationsLock) SET l.holder = 'dead', l.expires_at = timestamp() + 1500";
    ask(&server, lock, json!({}));
    let refused = connect(&server, false).await.map(|_| ());
    let store = connect(&server, true).await.unwrap();
    assert_eq!(refused, Err(ErrorKind::Unavailable));
    assert!(store.schema().await.unwrap().pending.is_empty());
    assert!(all_are_there(&server).await);
}

/// Migrations of a later engine: an index, and a change of data.
const LATER: [Migration; 2] = [
    Migration {
        name: "V003__later_order",
        text: "// An index.\n\nCREATE INDEX hindlore_later_order IF NOT EXISTS\nFOR (n:Later) ON (n.hindlore_later);\n",
    },
    Migration {
        name: "V004__later_data",
        text: "// Data.\n\nMERGE (n:Later {number: 1});\n\nMATCH (n:Later)\nSET n.hindlore_later = 'b';\n",
    },
];

/// Removes the changes of a later engine.
struct Later(Server);

impl Drop for Later {
    fn drop(&mut self) {
        for statement in [
            "DROP INDEX hindlore_later_order IF EXISTS",
            "MATCH (n:Later) DELETE n",
            "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore'}) WHERE m.version > '002' DETACH DELETE m",
        ] {
            ask(&self.0, statement, json!({}));
        }
    }
}

/// A later engine applies its migrations to a database in use. After the one that expands, this engine continues; after
/// the one that changes data, it is refused.
pub(crate) async fn later(server: Server) {
    let older = connect(&server, true).await.unwrap();
    let _later = Later(server.clone());
    let own = older.schema().await.unwrap().applied;
    let with = |number: usize, migrate: bool| {
        let options = server.options();
        let all = [options.migrations, &LATER[..number]].concat();
        Neo4jOptions {
            migrate,
            migrations: all.leak(),
            ..options
        }
    };
    assert_eq!(
        connect_with(with(1, false)).await.map(|_| ()),
        Err(ErrorKind::Unavailable)
    );
    let second = connect_with(with(1, true)).await.unwrap();
    let schema = second.schema().await.unwrap();
    assert_eq!(
        schema.applied,
        [&own[..], &["V003__later_order".to_owned()]].concat()
    );
    assert_eq!(second.migrate().await.unwrap(), Vec::<String>::new());
    ask(&server, "DROP INDEX hindlore_later_order", json!({}));
    assert_eq!(second.migrate().await.unwrap(), ["hindlore_later_order"]);
    connect(&server, false).await.unwrap();

    let third = connect_with(with(2, true)).await.unwrap();
    let schema = third.schema().await.unwrap();
    assert_eq!((schema.stored, schema.engine), (4, 4));
    let data = run(&server, "MATCH (n:Later) RETURN n.hindlore_later");
    assert_eq!(data, json!([["b"]]));
    let linked = "MATCH (:__Neo4jMigration {version: '003'})-[:MIGRATED_TO]->(m:__Neo4jMigration {version: '004'})
        RETURN m.source, m.expands";
    assert_eq!(run(&server, linked), json!([["V004__later_data", false]]));
    for refused in [server.options(), with(1, true)] {
        assert_eq!(
            connect_with(refused).await.map(|_| ()),
            Err(ErrorKind::NewerSchema)
        );
    }
}
