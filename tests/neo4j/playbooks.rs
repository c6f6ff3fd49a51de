//! Playbooks on both backends: one story with equal answers to the last digest, and versions without a gap under eight
//! curators at once.

use std::sync::Arc;

use hindlore::clock::SetClock;
use hindlore::playbooks::{Curation, Which};
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::standing::Standing;
use hindlore_contract::subject::fresh;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::playbook::{Category, Evidence, Proposal};
use hindlore_domain::sharing::caller::Caller;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;
use serde_json::{Value, json};

use crate::http::ask;
use crate::playbook_steps::{check, steps};
use crate::server::Server;

fn engine(store: Arc<dyn Store>) -> Engine {
    let clock = Arc::new(SetClock::at(Timestamp::from_millis(1_790_000_000_000)));
    Engine::new(store, clock, EngineOptions::default())
}

async fn told(engine: &Engine, tenant: &str) -> Vec<(&'static str, Value)> {
    let key = MemoryKey::new(tenant, "first", "default").unwrap();
    let access = Access::new(engine.clone(), key, Arc::new(Plain));
    let mut answers = Vec::new();
    for said in steps() {
        let caller = said
            .caller
            .map(|caller| Caller::new(tenant, caller.parse().unwrap()));
        let verb = catalog::find(said.verb).unwrap();
        let answer = verb
            .call(
                access.clone().of(Standing::operator(caller)),
                said.request.clone(),
            )
            .await;
        let answer = match (answer, said.refused) {
            (Ok(answer), None) => answer.value(),
            (Err(problem), Some(code)) => {
                assert_eq!(problem.code, code, "{problem}");
                json!({"refused": code})
            }
            (other, _) => panic!("{} {}: {other:?}", said.verb, said.request),
        };
        answers.push((said.verb, answer));
    }
    answers
}

pub(crate) async fn told_on_both(server: Server) {
    let folder = tempfile::tempdir().unwrap();
    let file = EmbeddedStore::open(folder.path().join("m.db"), EmbeddedOptions::default()).unwrap();
    let file: Arc<dyn Store> = Arc::new(file);
    let graph: Arc<dyn Store> = Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
    let tenant = fresh("tenant");
    let on_file = told(&engine(file.clone()), &tenant).await;
    let on_graph = told(&engine(graph.clone()), &tenant).await;
    check(&on_graph);
    for ((verb, one), (_, other)) in on_file.iter().zip(&on_graph) {
        assert_eq!(without_fresh_ids(one), without_fresh_ids(other), "{verb}");
    }
    let owner = LearnerId::new(&tenant, "first").unwrap();
    let (one, other) = (
        file.export_records(&owner).await.unwrap(),
        graph.export_records(&owner).await.unwrap(),
    );
    assert_eq!(one, other, "every record of the learner, bit for bit");
    let walk = "MATCH (:Learner {tenant: $tenant})-[:HAS_PLAYBOOK]->(:Playbook {name: 'ops'})-[:HAS_VERSION]->(v:PlaybookVersion)
        -[:CONTAINS]->(s:Strategy)-[:SUPPORTED_BY]->(r:Run:Trajectory) WHERE v.number = 6 RETURN count(DISTINCT r) AS runs";
    let answer = ask(&server, walk, json!({"tenant": tenant}));
    assert_eq!(answer["data"]["values"], json!([[40]]), "{answer}");
}

/// Ids of deltas and decisions are random unless the caller gives them.
fn without_fresh_ids(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| {
                ![
                    "delta", "decision", "batches", "digest", "results", "groups",
                ]
                .contains(&name.as_str())
            });
            Value::Object(
                kept.map(|(name, value)| (name.clone(), without_fresh_ids(value)))
                    .collect(),
            )
        }
        Value::Array(list) => list.iter().map(without_fresh_ids).collect(),
        other => other.clone(),
    }
}

fn curation(curator: usize, round: usize) -> Curation {
    let evidence = Evidence {
        trajectory: format!("t-{curator}-{round}"),
        worked: true,
        at: Timestamp::from_millis(1_000),
    };
    Curation {
        proposals: vec![Proposal {
            category: Category::Helpful,
            pattern: format!(
                "Do the thing number {} of the list.",
                (curator * 7 + round) % 5
            ),
            context: String::new(),
            evidence: vec![evidence],
            stated: None,
        }],
        analysed: 1,
        source: "test".to_owned(),
        author: None,
    }
}

/// Curators of one playbook, on engines of their own.
const CURATORS: usize = 8;
/// Curations of each.
const ROUNDS: usize = 5;

pub(crate) async fn curated_at_once(server: Server) {
    let owner = LearnerId::new(&fresh("tenant"), "first").unwrap();
    let mut working = Vec::new();
    for curator in 0..CURATORS {
        let graph = Neo4jStore::connect(server.options()).await.unwrap();
        let (engine, owner) = (engine(Arc::new(graph)), owner.clone());
        working.push(tokio::spawn(async move {
            for round in 0..ROUNDS {
                engine
                    .curate_playbook(&owner, "p", curation(curator, round))
                    .await
                    .unwrap();
            }
        }));
    }
    for one in working {
        one.await.unwrap();
    }
    let graph = Neo4jStore::connect(server.options()).await.unwrap();
    let engine = engine(Arc::new(graph));
    let versions = engine.playbook_versions(&owner, "p").await.unwrap();
    let numbers: Vec<u32> = versions
        .iter()
        .rev()
        .map(|version| version.number)
        .collect();
    let all = u32::try_from(CURATORS * ROUNDS).unwrap();
    assert_eq!(
        numbers,
        (1..=all).collect::<Vec<u32>>(),
        "each curation made one version, without a gap"
    );
    let view = engine.playbook(&owner, "p", Which::Newest).await.unwrap();
    let evidence: usize = view.strategies.iter().map(|one| one.evidence.len()).sum();
    assert_eq!(
        evidence,
        CURATORS * ROUNDS,
        "no evidence is lost or counted twice"
    );
}
