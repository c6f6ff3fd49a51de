//! Conversations on a server: any instance continues them, one of two at once is refused, and no other owner's is read.

use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;
use serde_json::{Value, json};

use crate::http::ask;
use crate::server::Server;

/// Instances that continue one conversation at once.
const INSTANCES: usize = 4;

async fn access(server: &Server, tenant: &str, learner: &str) -> Access {
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let key = MemoryKey::new(tenant, learner, "default").unwrap();
    Access::new(engine, key, Arc::new(Plain)).of(Standing::operator(None))
}

async fn chat(access: &Access, request: Value) -> Result<Value, Problem> {
    let verb = catalog::find("agent.chat").unwrap();
    verb.call(access.clone(), request)
        .await
        .map(|answer| answer.value())
}

pub(crate) async fn shared(server: Server) {
    let tenant = fresh("tenant");
    let first = access(&server, &tenant, "alice").await;
    let begun = chat(&first, json!({"message": "Help me multiply 12 by 5."}))
        .await
        .unwrap();
    assert_eq!(begun["answer"], "60");
    let id = begun["conversation_id"].as_str().unwrap().to_owned();
    let stranger = access(&server, &tenant, "bob").await;
    let foreign = json!({"message": "What was said?", "conversation_id": id});
    let refused = chat(&stranger, foreign.clone()).await.unwrap_err();
    assert_eq!(refused.code, "foreign_conversation");
    let mut said = Vec::new();
    for _ in 0..INSTANCES {
        let other = access(&server, &tenant, "alice").await;
        let request = foreign.clone();
        said.push(tokio::spawn(async move { chat(&other, request).await }));
    }
    let mut answered = 0;
    for one in said {
        match one.await.unwrap() {
            Ok(_) => answered += 1,
            Err(problem) => assert_eq!(problem.code, "contended", "{problem}"),
        }
    }
    assert!(answered >= 1);
    let last = chat(&first, foreign).await.unwrap();
    let messages = last["metadata"]["scratch"]["state"]["messages"].as_array();
    let expected = 2 * (1 + answered) + 1;
    assert_eq!(
        messages.map(Vec::len),
        Some(expected),
        "what was answered is kept, once"
    );
    let walk = "MATCH (:Learner {tenant: $tenant, id: 'alice'})-[:HAS_CONVERSATION]->(c:Conversation) \
                RETURN c.first_question, c.revision";
    let answer = ask(&server, walk, json!({"tenant": tenant}));
    let revision = answered + 2;
    assert_eq!(
        answer["data"]["values"],
        json!([["Help me multiply 12 by 5.", revision]]),
        "{answer}"
    );
}
