//! The memories of the original programs in a Neo4j: read from the server itself, each user with its own.

use hindlore_contract::subject::fresh;
use serde_json::json;

use crate::http::{ask, run};
use crate::program::on;
use crate::server::Server;
use crate::world::World;

pub(crate) async fn the_memories_of_users_come_in(server: Server) {
    let users = ["u", "v"].map(fresh);
    for user in &users {
        let memory = json!({"bullets": [{"content": format!("{user} checks the seal")}]});
        let statement = "MERGE (u:User {id: $user}) \
             MERGE (u)-[:HAS_ACE_MEMORY]->(m:AceMemoryState) \
             SET m.memory_json = $memory, m.access_clock = 7";
        let parameters = json!({"user": user, "memory": memory.to_string()});
        let answer = ask(&server, statement, parameters);
        assert!(answer["errors"].is_null(), "{answer}");
    }
    // Only the login is taken from the server: the memories go into a file.
    let mut world: World = on(&server, "default");
    let file = world.store();
    world.set("HINDLORE_STORE", &file);
    let refused = world.run(&["import", &server.uri]);
    assert!(
        refused.code == 2 && refused.err.contains("--split"),
        "{refused:?}"
    );
    let imported = world.json(&format!("import --split {}", server.uri));
    assert_eq!(imported["files"][0]["format"], "ace-state");
    for user in &users {
        let listed = world.run(&["bullets", "list", "--learner", user]);
        assert!(
            listed.out.contains(&format!("{user} checks the seal")),
            "{listed:?}"
        );
        let digest = world.json(&format!("digest --learner {user}"));
        assert!(digest["clock"].as_u64().unwrap() >= 7, "{digest}");
    }
    run(&server, "MATCH (m:AceMemoryState) DETACH DELETE m");
}
