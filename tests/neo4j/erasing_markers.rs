//! The erase of a learner, held against the catalogue: no property of a node or a relationship holds a marker afterwards.

use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use serde_json::{Value, json};

use crate::children::engine;
use crate::http::ask;
use crate::markers::{MARK, tell, victim};
use crate::server::Server;

/// Nodes and relationships with a marker in a property, each with its labels or type.
fn found(server: &Server, tenant: &str) -> Vec<Value> {
    let statement = "
        CALL () {
          MATCH (n) WHERE n.tenant = $tenant
          RETURN labels(n) AS what, properties(n) AS held
          UNION ALL
          MATCH (a)-[e]->() WHERE a.tenant = $tenant
          RETURN [type(e)] AS what, properties(e) AS held
        }
        WITH what, held, [name IN keys(held) WHERE toStringOrNull(held[name]) CONTAINS $mark
          OR (held[name] IS :: LIST<STRING> AND any(one IN held[name] WHERE one CONTAINS $mark))] AS named
        WHERE size(named) > 0
        RETURN what, named";
    let answer = ask(server, statement, json!({"tenant": tenant, "mark": MARK}));
    answer["data"]["values"].as_array().cloned().unwrap()
}

pub(crate) async fn none_left(server: Server) {
    let engine = engine(&server, "eraser").await;
    let tenant = fresh("tenant");
    tell(&engine, &tenant).await;
    engine.drain().await;
    let before = found(&server, &tenant).len();
    assert!(before > 500, "only {before} nodes have a marker");
    let erased = engine.erase(&tenant, &victim(), None).await.unwrap();
    assert!(erased.receipt.is_some());
    let left = found(&server, &tenant);
    assert!(
        left.is_empty(),
        "{} are left: {:?}",
        left.len(),
        &left[..left.len().min(20)]
    );
    let keeper = MemoryKey::new(&tenant, "keeper", "default").unwrap();
    assert!(engine.verify(&keeper).await.unwrap().is_sound);
}
