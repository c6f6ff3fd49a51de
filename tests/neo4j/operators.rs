//! The questions of operators: they find nothing in sound data, and name every kind of damage.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::request::serving;
use serde_json::{Map, Value, json};

use crate::analyst::{Known, RETRY};
use crate::children::engine as engine_on;
use crate::http::{Open, ask};
use crate::outage::note;
use crate::server::Server;

/// The rows of an answer that are about one tenant; the server has others.
fn of_tenant(known: &Known, name: &str) -> Vec<Map<String, Value>> {
    let mut rows = known.rows(name, json!({"limit": 100_000}));
    rows.retain(|row| row["tenant"] == known.key.tenant());
    rows
}

fn change(known: &Known, statement: &str) {
    let answer = ask(
        &known.server,
        statement,
        json!({"tenant": known.key.tenant()}),
    );
    assert!(answer.get("errors").is_none(), "{answer}");
}

/// Damages the data by hand, in eight ways.
fn break_it(known: &Known) {
    let retry = known.bullet(RETRY).id;
    change(
        known,
        "MATCH (l:Learner {tenant: $tenant, id: 'ann'})-[:HAS_SCOPE]->({scope: 'desk'})-[:HAS_RETRIEVAL]->(r {tick: 3}) DETACH DELETE r",
    );
    change(
        known,
        &format!(
            "MATCH (b:Bullet {{id: '{retry}', tenant: $tenant, learner: 'ann'}}) REMOVE b.hindlore_hash_key"
        ),
    );
    change(
        known,
        "CREATE (:Bullet {tenant: $tenant, learner: 'ann', scope: 'desk', id: 'b_hand', hindlore_memory: 'none', hindlore_key: $tenant + 'b'})",
    );
    change(
        known,
        "CREATE (:Tag {tenant: $tenant, learner: 'ann', name: 'network', hindlore_key: $tenant + 't'})",
    );
    change(
        known,
        "CREATE (:Lesson {tenant: $tenant, learner: 'ann', id: 'l_hand', hindlore_key: $tenant + 'l'})",
    );
    change(
        known,
        "CREATE (:ErrorEvent {tenant: $tenant, learner: 'ann', id: 'e_hand', hindlore_key: $tenant + 'e'})",
    );
    change(
        known,
        "MATCH (r:Run {tenant: $tenant, learner: 'ann'}) WITH r LIMIT 1 CREATE (r)-[:MET {hindlore_key: $tenant + 'm'}]->(:Fingerprint {tenant: $tenant, learner: 'bob', id: 'f_hand', hindlore_key: $tenant + 'f'})",
    );
    change(
        known,
        "MATCH (l:Learner {tenant: $tenant, id: 'ann'})-[:HAS_SCOPE]->(s {scope: 'talk'})-[:HOLDS]->(b:Bullet)-[x:FOLLOWS]->() WITH b LIMIT 1 SET b.merged_into = 'b_nobody'",
    );
}

pub(crate) async fn damage(server: Server) {
    let known = Known::make(server).await;
    for name in ["ops/gaps", "ops/holders", "ops/dangling", "ops/twins"] {
        let damage = of_tenant(&known, name);
        assert!(damage.is_empty(), "{name} of what is sound: {damage:?}");
    }
    let sizes = of_tenant(&known, "ops/sizes");
    let expected = json!({"tenant": known.key.tenant(), "learners": 3, "memories": 4, "bullets": 28, "active": 23,
        "deltas": 15, "retrievals": 2, "checkpoints": 0, "largest": 9,
        "lessons": 4, "runs": 4, "errors": 7});
    assert_eq!(json!(sizes), json!([expected]));
    let behind: Vec<u64> = of_tenant(&known, "ops/checkpoints")
        .iter()
        .map(|row| row["behind"].as_u64().unwrap())
        .collect();
    assert_eq!(behind, [7, 3, 2, 1]);

    let retry = known.bullet(RETRY).id;
    break_it(&known);
    let gaps = of_tenant(&known, "ops/gaps");
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    assert_eq!(
        (&gaps[0]["scope"], &gaps[0]["clock"], &gaps[0]["events"]),
        (&json!("desk"), &json!(7), &json!(6))
    );
    let holders = of_tenant(&known, "ops/holders");
    assert_eq!(
        (
            holders.len(),
            &holders[0]["bullets"],
            &holders[0]["holding"]
        ),
        (1, &json!([retry]), &json!(0))
    );
    let dangling = of_tenant(&known, "ops/dangling");
    let what: Vec<&Value> = dangling.iter().map(|row| &row["what"]).collect();
    assert_eq!(
        what,
        [
            "bullet without its memory",
            "error without its run or its fingerprint",
            "learned by nobody",
            "learned by nobody",
            "merged into what is not there",
            "tied to what another learner learned"
        ]
    );
    assert_eq!(dangling[0]["id"], "b_hand");
    let twins = of_tenant(&known, "ops/twins");
    assert_eq!(
        (twins.len(), &twins[0]["name"], &twins[0]["nodes"]),
        (1, &json!("network"), &json!(2))
    );
    // Other tests of the server must not find this.
    change(&known, "MATCH (n) WHERE n.tenant = $tenant DETACH DELETE n");
}

pub(crate) async fn server(server: Server) {
    let known = Known::make(server.clone()).await;
    let names = |name: &str, column: &str| -> Vec<String> {
        let rows = known.rows(name, json!({"limit": 1000}));
        rows.iter()
            .map(|row| row[column].as_str().unwrap().to_owned())
            .collect()
    };
    let constraints = names("ops/constraints", "name");
    for expected in [
        "ace_bullet_hash_unique",
        "hindlore_event_tick_identity",
        "hindlore_migration_unique",
    ] {
        assert!(
            constraints.iter().any(|name| name == expected),
            "{expected} in {constraints:?}"
        );
    }
    assert!(names("ops/indexes", "name").contains(&"hindlore_index_bullet_changed".to_owned()));
    assert!(
        names("ops/indexes", "state")
            .iter()
            .all(|state| state == "ONLINE")
    );
    assert!(names("ops/migrations", "source").contains(&"V001__schema".to_owned()));
    let running = names("ops/transactions", "query");
    assert!(
        running
            .iter()
            .any(|query| query.contains("SHOW TRANSACTIONS")),
        "{running:?}"
    );
    assert!(
        known
            .rows("ops/transactions", json!({"slow_ms": 3_600_000}))
            .is_empty()
    );

    // A transaction that holds the lock of a learner for a while.
    let tenant = known.key.tenant().to_owned();
    let busy = thread::spawn(move || {
        let statement = "MATCH (l:Learner {tenant: $tenant, id: 'ann'}) SET l.lock = l.hindlore_key WITH l \
             UNWIND range(1, 30000000) AS held_for_a_while WITH l, held_for_a_while \
             WHERE held_for_a_while % 2 = 3 RETURN count(l)";
        ask(&server, statement, json!({"tenant": tenant}));
    });
    let is_seen = || {
        let rows = known.rows("ops/locks", json!({"limit": 1000}));
        rows.iter().any(|row| {
            let query = row["query"].as_str().unwrap_or_default();
            query.contains("held_for_a_while") && row["locks"].as_u64() > Some(0)
        })
    };
    let mut seen = false;
    while !seen && !busy.is_finished() {
        seen = is_seen();
        thread::sleep(Duration::from_millis(20));
    }
    busy.join().unwrap();
    assert!(seen, "the holder of a lock was not listed");
}

/// A waiting transaction names the requests that it serves.
pub(crate) async fn requests(server: Server) {
    let engine = engine_on(&server, "asked").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    engine
        .apply_delta(&key, note("d_1", "a memory to wait for"))
        .await
        .unwrap();
    let hold = "MATCH (s:ContextScope {tenant: $tenant}) SET s.lock = s.hindlore_key";
    let held = Open::begin(&server, hold, json!({"tenant": key.tenant()}));
    let id = fresh("request");
    let requests = Some([Arc::from(id.as_str())].into());
    let asked = (engine.clone(), key.clone());
    let waiting = tokio::spawn(serving(requests, async move {
        let (engine, key) = asked;
        engine
            .apply_delta(&key, note("d_2", "this one waits"))
            .await
    }));
    let shown = "SHOW TRANSACTIONS YIELD metaData RETURN metaData.requests AS requests";
    let began = Instant::now();
    loop {
        let told = ask(&server, shown, json!({})).to_string();
        if told.contains(&id) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(8), "{told}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    held.commit();
    waiting.await.unwrap().unwrap();
    // Work without a request id is not named.
    engine
        .apply_delta(&key, note("d_3", "no request"))
        .await
        .unwrap();
    assert!(!ask(&server, shown, json!({})).to_string().contains(&id));
}
