//! An erase finds nodes that manual edits have cut off or made: all that bear the names or the keys of a learner.

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::lesson_world::{everything, write};
use hindlore_contract::subject::fresh;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::MaintenanceStore;
use serde_json::{Value, json};

use crate::children::engine;
use crate::erasing::delta;
use crate::http::ask;
use crate::server::Server;
use crate::together::text;

/// A tenant with a learner whose names occur nowhere else, and a neighbour who stays.
struct Place {
    server: Server,
    engine: Engine,
    tenant: String,
    learner: String,
    /// The keys of the learner and of its memories, as they were before a hand came.
    keys: Value,
}

impl Place {
    async fn filled(server: &Server) -> Self {
        let engine = engine(server, "eraser").await;
        let (tenant, learner) = (fresh("tenant"), fresh("learner"));
        for learner in [learner.as_str(), "neighbour"] {
            for scope in ["one", "two"] {
                let key = MemoryKey::new(&tenant, learner, scope).unwrap();
                engine.apply_delta(&key, delta("d_1", 12)).await.unwrap();
                let request = RetrieveRequest::new(Query::new(text(3)));
                engine.retrieve(&key, request).await.unwrap();
            }
            let owner = LearnerId::new(&tenant, learner).unwrap();
            write(&**engine.store(), &owner, everything(&owner))
                .await
                .unwrap();
        }
        engine.drain().await;
        let mut place = Self {
            server: server.clone(),
            engine,
            tenant,
            learner,
            keys: json!([]),
        };
        let keys = "MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s)
             WITH l, s ORDER BY s.scope WITH l, collect(s.hindlore_key) AS scopes RETURN [l.hindlore_key] + scopes";
        place.keys = place.hand(keys)[0][0].clone();
        assert_eq!(place.keys.as_array().unwrap().len(), 3);
        place
    }

    fn hand(&self, statement: &str) -> Value {
        let parameters = json!({
            "tenant": self.tenant, "learner": self.learner, "keys": self.keys, "other": fresh("foreign"),
        });
        let answer = ask(&self.server, statement, parameters);
        assert!(answer.get("errors").is_none(), "{answer}");
        answer["data"]["values"].clone()
    }

    /// Number of nodes and relationships with a property that contains the learner's name or one of its keys.
    fn said(&self) -> (u64, u64) {
        let says = |what: &str| {
            format!(
                "any(k IN keys({what}) WHERE any(x IN CASE WHEN valueType({what}[k]) STARTS WITH 'LIST' \
                 THEN {what}[k] ELSE [{what}[k]] END WHERE toStringOrNull(x) CONTAINS $learner \
                 OR any(key IN $keys WHERE toStringOrNull(x) CONTAINS key)))"
            )
        };
        let nodes = format!("MATCH (n) WHERE {} RETURN count(n)", says("n"));
        let ties = format!("MATCH ()-[r]->() WHERE {} RETURN count(r)", says("r"));
        let number = |statement: &str| self.hand(statement)[0][0].as_u64().unwrap();
        (number(&nodes), number(&ties))
    }

    fn key(&self, scope: &str) -> MemoryKey {
        MemoryKey::new(&self.tenant, &self.learner, scope).unwrap()
    }

    /// Erases all of the learner, who then is nowhere, while the neighbour is whole.
    async fn erased(&self) -> hindlore_store::Erasure {
        assert!(self.said().0 > 20 && self.said().1 > 5, "{:?}", self.said());
        let held = self
            .engine
            .held(&self.tenant, &self.learner, None)
            .await
            .unwrap();
        let gone = self
            .engine
            .erase(&self.tenant, &self.learner, None)
            .await
            .unwrap();
        assert_eq!(self.said(), (0, 0), "{gone:?}");
        let erased = gone.erased;
        assert_eq!(
            (
                erased.bullets,
                erased.deltas,
                erased.retrievals,
                erased.lessons,
                erased.runs,
                erased.errors
            ),
            (
                held.bullets,
                held.deltas,
                held.retrievals,
                held.lessons,
                held.runs,
                held.errors
            )
        );
        let kept = self
            .engine
            .held(&self.tenant, "neighbour", None)
            .await
            .unwrap();
        assert_eq!(
            (kept.memories, kept.bullets, kept.lessons, kept.strays),
            (2, 24, 2, 0)
        );
        gone
    }

    async fn findings(&self) -> Vec<String> {
        let store = Neo4jStore::connect(self.server.options()).await.unwrap();
        let found = store.check().await.unwrap().into_iter();
        let own = found.filter(|one| one.subject.contains(&self.learner));
        own.map(|one| format!("{}: {}", one.subject, one.message))
            .collect()
    }
}

pub(crate) async fn without_the_learner(server: Server) {
    let place = Place::filled(&server).await;
    place.hand("MATCH (l:Learner {tenant: $tenant, id: $learner}) DETACH DELETE l");
    let found = place.findings().await;
    assert!(
        found
            .iter()
            .any(|one| one.contains("name a learner whose node is gone")),
        "{found:?}"
    );
    let gone = place.erased().await;
    assert_eq!((gone.erased.memories, gone.erased.bullets), (2, 24));
    assert!(place.findings().await.is_empty());
    // The answer names the data that the server keeps, and the receipt names nothing of the learner.
    assert!(
        gone.notes[0].contains("db.tx_log.rotation.retention_policy"),
        "{:?}",
        gone.notes
    );
    let receipts = place
        .engine
        .erase_receipts(&place.tenant, Some(&place.learner))
        .await;
    let receipts = receipts.unwrap();
    assert_eq!(receipts, [gone.receipt.unwrap()]);
}

pub(crate) async fn without_the_memory(server: Server) {
    let place = Place::filled(&server).await;
    place.hand(
        "MATCH (s:ContextScope {tenant: $tenant, learner: $learner, scope: 'one'}) DETACH DELETE s",
    );
    let found = place.findings().await;
    assert!(
        found
            .iter()
            .any(|one| one.contains("name a memory whose node is gone")),
        "{found:?}"
    );
    let (tenant, learner) = (place.tenant.as_str(), place.learner.as_str());
    let gone = place
        .engine
        .erase(tenant, learner, Some("one"))
        .await
        .unwrap();
    assert_eq!((gone.erased.bullets, gone.erased.retrievals), (12, 1));
    let left = place.engine.held(tenant, learner, None).await.unwrap();
    assert_eq!(
        (left.memories, left.bullets, left.lessons, left.strays),
        (1, 12, 2, 0)
    );
    assert!(place.findings().await.is_empty());
    // The memory can be written again, by this engine and by another.
    for id in ["d_1", "d_2"] {
        let again = engine(&server, "writer").await;
        let applied = again.apply_delta(&place.key("one"), delta(id, 3)).await;
        assert!(!applied.unwrap().repeated);
    }
    assert!(place.findings().await.is_empty());
    place.erased().await;
}

pub(crate) async fn what_a_hand_has_made(server: Server) {
    let place = Place::filled(&server).await;
    for statement in [
        "MATCH (b:Bullet {tenant: $tenant, learner: $learner}) WITH b LIMIT 3 REMOVE b:Bullet",
        "MATCH (e:Event {tenant: $tenant, learner: $learner}) WITH e LIMIT 2 REMOVE e:Event",
        "CREATE (:Tag {tenant: $tenant, learner: $learner, name: 'by hand'})-[:LIKES]->(:Foreign {name: $other})",
        "CREATE (:Note {hindlore_owner: $keys[0]}), (:Note {hindlore_memory: $keys[1]}), (:Note {hindlore_key: $keys[0] + 'x'})",
        "CREATE (:Foreign {name: $other})-[:SAYS {hindlore_memory: $keys[2], tenant: $tenant, learner: $learner}]->(:Foreign {name: $other})",
        "MATCH (s:ContextScope {tenant: $tenant, learner: $learner, scope: 'two'})<-[h:HAS_SCOPE]-() DELETE h",
        "MATCH (r:Run {tenant: $tenant, learner: $learner}) WITH r LIMIT 1 DETACH DELETE r",
    ] {
        place.hand(statement);
    }
    let gone = place.erased().await;
    assert!(gone.erased.strays >= 6, "{gone:?}");
    let foreign = "MATCH (n:Foreign) WHERE n.name STARTS WITH 'foreign' RETURN count(n) >= 3";
    assert_eq!(place.hand(foreign), json!([[true]]));
}

pub(crate) async fn more_strays_than_a_piece(server: Server) {
    let place = Place::filled(&server).await;
    place.hand(
        "UNWIND range(1, 4300) AS n CREATE (:Bullet {hindlore_key: $keys[1] + 'stray' + n, hindlore_memory: $keys[1],
             tenant: $tenant, learner: $learner, scope: 'one', content: 'a stray'})",
    );
    place.hand("MATCH (l:Learner {tenant: $tenant, id: $learner}) DETACH DELETE l");
    let gone = place.erased().await;
    assert_eq!(gone.erased.bullets, 24 + 4_300);
    // The parts of one erase have one receipt.
    let receipts = place
        .engine
        .erase_receipts(&place.tenant, None)
        .await
        .unwrap();
    assert_eq!((receipts.len(), receipts[0].erased), (1, gone.erased));
}
