//! Hand edits of every kind: each is named, and then adopted, repaired, or explained.

use hindlore::{Engine, EngineError, EngineResult, Verified};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::MaintenanceStore;
use serde_json::json;

use crate::analyst::Known;
use crate::children::engine;
use crate::http::ask;
use crate::server::Server;

/// The action that makes the memory sound again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    /// `doctor adopt`.
    Adopt,
    /// `doctor repair`.
    Repair,
    /// `doctor adopt --rebase`.
    Rebase,
    /// `doctor adopt` explains why it cannot.
    Refused,
    /// No action of ours; the message names the remedy.
    Told,
}

use Then::{Adopt, Rebase, Refused, Repair, Told};

/// The bullet that the edits are about, of the learner `$l`.
const BULLET: &str = "MATCH (b:Bullet {tenant: $t, learner: $l}) WHERE b.content STARTS WITH 'Read the schema' AND b.status = 'active' WITH b LIMIT 1";
const ANY: &str = "MATCH (b:Bullet {tenant: $t, learner: $l}) WHERE b.status = 'active' AND size(b.tags) > 0 WITH b ORDER BY b.id LIMIT 1";
const DELTA: &str = "MATCH (b:Delta {tenant: $t, learner: $l, id: 'first'})";
const MEMORY: &str = "MATCH (b:ContextScope {tenant: $t, learner: $l})";
const RETRIEVAL: &str =
    "MATCH (b:Retrieval {tenant: $t, learner: $l}) WITH b ORDER BY b.tick DESC LIMIT 1";

/// An edit: its name, its subject, the change, a word of the message, and its remedy.
type Edit = (&'static str, &'static str, &'static str, &'static str, Then);

const EDITS: &[Edit] = &[
    (
        "bullet deleted",
        BULLET,
        "DETACH DELETE b",
        "missing",
        Adopt,
    ),
    ("label removed", BULLET, "REMOVE b:Bullet", "missing", Adopt),
    (
        "content",
        BULLET,
        "SET b.content = 'what a hand wrote'",
        "content",
        Adopt,
    ),
    (
        "content of another",
        BULLET,
        "MATCH (o:Bullet {tenant: $t, learner: $l}) WHERE o.content STARTS WITH 'Retry' SET b.content = o.content",
        "content",
        Refused,
    ),
    (
        "archived",
        BULLET,
        "SET b.status = 'archived'",
        "status",
        Adopt,
    ),
    (
        "rejected",
        BULLET,
        "SET b.status = 'rejected'",
        "status",
        Adopt,
    ),
    ("tags", ANY, "SET b.tags = ['by hand']", "tags", Adopt),
    ("topic", BULLET, "SET b.topic = 'by hand'", "topic", Adopt),
    (
        "strength",
        BULLET,
        "SET b.strength = 3.5",
        "strength",
        Adopt,
    ),
    ("counts", BULLET, "SET b.helpful = 17", "counts", Adopt),
    ("pinned", BULLET, "SET b.pinned = true", "pinned", Adopt),
    (
        "importance",
        BULLET,
        "SET b.importance = 0.9",
        "importance",
        Adopt,
    ),
    (
        "changed tick",
        BULLET,
        "SET b.changed_tick = 1",
        "changed_tick",
        Adopt,
    ),
    (
        "policy",
        MEMORY,
        "SET b.policy = replace(b.policy, '\"max_bullets\":', '\"max_bullets\":7,\"was\":')",
        "policy",
        Told,
    ),
    (
        "learner copied",
        "MATCH (b:Learner {tenant: $t, id: $l})",
        "CREATE (:Learner {tenant: b.tenant, learner: b.learner, id: b.id, title: 'copy'})",
        "a second node bears the names of the learner",
        Repair,
    ),
    (
        "node of the policy",
        "MATCH (b:Policy {tenant: $t, learner: $l})",
        "SET b.floor = 0.9, b.mine = true REMOVE b.guard",
        "says 0.9 as `floor`",
        Repair,
    ),
    (
        "node of the policy deleted",
        "MATCH (b:Policy {tenant: $t, learner: $l})",
        "DETACH DELETE b",
        "the node of its policy is gone",
        Repair,
    ),
    (
        "node of the policy cut",
        "MATCH (b:Policy {tenant: $t, learner: $l})<-[r:HAS_POLICY]-()",
        "DELETE r",
        "the node of its policy is gone",
        Repair,
    ),
    (
        "link deleted",
        "MATCH (:Bullet {tenant: $t, learner: $l})-[b:CONFLICTS_WITH|SIMILAR_TO]->() WITH b LIMIT 1",
        "DELETE b",
        "link",
        Repair,
    ),
    (
        "all links deleted",
        "MATCH (:Bullet {tenant: $t, learner: $l})-[b:CONFLICTS_WITH|SIMILAR_TO|FOLLOWS|MERGED_INTO]->()",
        "DELETE b",
        "is gone",
        Repair,
    ),
    (
        "link drawn",
        BULLET,
        "MATCH (o:Bullet {tenant: $t, learner: $l}) WHERE o <> b WITH b, o LIMIT 1 CREATE (b)-[:FOLLOWS]->(o)",
        "drawn by hand",
        Repair,
    ),
    (
        "link changed",
        "MATCH (:Bullet {tenant: $t, learner: $l})-[b:CONFLICTS_WITH|SIMILAR_TO]->() WITH b LIMIT 1",
        "SET b.similarity = 0.01, b.reason = 'a hand'",
        "was changed",
        Repair,
    ),
    (
        "held no more",
        BULLET,
        "MATCH (b)<-[h:HOLDS]-() DELETE h",
        "HOLDS",
        Repair,
    ),
    (
        "tag taken away",
        ANY,
        "MATCH (b)-[r:TAGGED]->() DELETE r",
        "tags",
        Repair,
    ),
    (
        "tag drawn",
        BULLET,
        "CREATE (b)-[:TAGGED]->(:Tag {tenant: $t, learner: $l, name: 'by hand'})",
        "tags",
        Repair,
    ),
    (
        "tag renamed",
        ANY,
        "MATCH (b)-[:TAGGED]->(g:Tag) WITH g LIMIT 1 SET g.name = g.name + ' by hand'",
        "tags",
        Repair,
    ),
    (
        "tag deleted",
        ANY,
        "MATCH (b)-[:TAGGED]->(g:Tag) WITH DISTINCT g DETACH DELETE g",
        "tags",
        Repair,
    ),
    (
        "bullet by hand",
        MEMORY,
        "CREATE (b)-[:HOLDS]->(:Bullet {content: 'made by hand', tenant: $t, learner: $l, scope: b.scope})",
        "hindlore add",
        Told,
    ),
    (
        "bullet copied",
        BULLET,
        "WITH properties(b) AS p CREATE (n:Bullet) SET n = p {.*, hindlore_key: null, hindlore_hash_key: null}",
        "copy",
        Repair,
    ),
    (
        "memory copied",
        MEMORY,
        "CREATE (n:ContextScope {tenant: b.tenant, learner: b.learner, scope: b.scope, title: 'copy'})",
        "a second node",
        Repair,
    ),
    (
        "key changed",
        BULLET,
        "SET b.hindlore_key = b.hindlore_key + 'x'",
        "key",
        Repair,
    ),
    (
        "key removed",
        BULLET,
        "REMOVE b.hindlore_key",
        "key",
        Repair,
    ),
    (
        "tenant changed",
        BULLET,
        "SET b.tenant = 'another'",
        "another",
        Repair,
    ),
    (
        "scope changed",
        BULLET,
        "SET b.scope = 'another'",
        "another",
        Repair,
    ),
    (
        "body of a delta",
        DELTA,
        "SET b.body = replace(b.body, 'Retry', 'Never retry')",
        "body",
        Rebase,
    ),
    (
        "author of a delta",
        DELTA,
        "SET b.author = 'somebody else'",
        "the author, the time or the engine",
        Rebase,
    ),
    (
        "time of a delta",
        DELTA,
        "SET b.at = b.at - duration('P1D')",
        "the author, the time or the engine",
        Rebase,
    ),
    (
        "reasoning of a delta",
        DELTA,
        "SET b.reasoning = 'nobody said so'",
        "reasoning",
        Rebase,
    ),
    (
        "change deleted",
        DELTA,
        "MATCH (b)-[c:ADDED]->() WITH c LIMIT 1 DELETE c",
        "changes",
        Adopt,
    ),
    (
        "chain cut",
        "MATCH (:Delta {tenant: $t, learner: $l})-[b:NEXT]->() WITH b LIMIT 1",
        "DELETE b",
        "delta",
        Repair,
    ),
    (
        "first delta cut",
        "MATCH (:ContextScope {tenant: $t, learner: $l})-[b:HISTORY]->()",
        "DELETE b",
        "delta",
        Repair,
    ),
    (
        "retrieval cut",
        RETRIEVAL,
        "MATCH (b)<-[h:HAS_RETRIEVAL]-() DELETE h",
        "retrieval",
        Repair,
    ),
    (
        "returned deleted",
        RETRIEVAL,
        "MATCH (b)-[x:RETURNED {rank: 0}]->() DELETE x",
        "returned",
        Rebase,
    ),
    (
        "used by hand",
        "MATCH (:Retrieval {tenant: $t, learner: $l})-[b:RETURNED]->() WHERE b.told IS NULL WITH b LIMIT 1",
        "SET b.used = true",
        "is not what feedback said",
        Repair,
    ),
    (
        "helped taken away",
        "MATCH (:Retrieval {tenant: $t, learner: $l})-[b:RETURNED {helped: true}]->() WITH b LIMIT 1",
        "REMOVE b.helped",
        "is not what feedback said",
        Repair,
    ),
    (
        "injected by hand",
        "MATCH (:Retrieval {tenant: $t, learner: $l})-[b:RETURNED {rank: 1}]->() WITH b LIMIT 1",
        "SET b.injected = true",
        "went into a prompt",
        Told,
    ),
    (
        "revision",
        MEMORY,
        "SET b.revision = b.revision + 1",
        "revision",
        Adopt,
    ),
    (
        "clock",
        MEMORY,
        "SET b.access_clock = b.access_clock + 5",
        "clock",
        Rebase,
    ),
    ("delta deleted", DELTA, "DETACH DELETE b", "", Rebase),
    (
        "retrieval deleted",
        RETRIEVAL,
        "DETACH DELETE b",
        "",
        Rebase,
    ),
    (
        "status of no meaning",
        BULLET,
        "SET b.status = 'inactive'",
        "b_",
        Told,
    ),
    ("content removed", BULLET, "REMOVE b.content", "b_", Told),
];

/// Gives all messages about a memory.
fn said(verified: &EngineResult<Verified>) -> (bool, String) {
    let found = match verified {
        Err(error) => return (false, error.to_string()),
        Ok(found) => found,
    };
    let mut text = Vec::new();
    for one in &found.differences {
        let what = if one.stored.is_none() {
            "missing"
        } else {
            "there"
        };
        text.push(format!("{} {what} {:?}", one.bullet, one.fields));
    }
    text.extend(found.links.iter().map(ToString::to_string));
    text.extend(found.shape.iter().map(|one| one.message.clone()));
    text.extend(found.mismatches.iter().map(|one| one.reason.clone()));
    text.extend(found.policy.keys().map(|name| format!("policy {name}")));
    text.extend(found.unreplayable());
    if !found.is_complete {
        text.push("clock or revision".to_owned());
    }
    (found.is_sound, text.join("; "))
}

async fn mend(engine: &Engine, key: &MemoryKey, then: Then) -> Result<(), EngineError> {
    match then {
        Told => {}
        Refused => {
            let refused = Box::pin(engine.adopt(key, None)).await.unwrap_err();
            assert!(refused.to_string().contains("now belongs to"), "{refused}");
        }
        Adopt => drop(Box::pin(engine.adopt(key, Some("ann".to_owned()))).await?),
        Rebase => {
            Box::pin(engine.rebase(key, None, "a hand did it")).await?;
            Box::pin(engine.repair(key, false)).await?;
        }
        Repair => {
            let dry = Box::pin(engine.repair(key, true)).await?;
            assert!(!dry.repairable.is_empty());
            assert!(
                !Box::pin(engine.verify(key)).await?.is_sound,
                "a dry run changed something"
            );
            let done = Box::pin(engine.repair(key, false)).await?;
            assert_eq!(done.repairable, dry.repairable);
        }
    }
    Ok(())
}

pub(crate) async fn every_kind(server: Server) {
    let known = Box::pin(Known::make(server.clone())).await;
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let copy = store.copy_out(&known.key).await.unwrap().unwrap();
    let doctor = engine(&server, "doctor").await;
    let mut wrong = Vec::new();
    for (name, of, change, word, then) in EDITS {
        // Ids follow from the names of a memory, so each edit is made on the same one, as it was.
        let (key, learner) = (known.key.clone(), known.key.learner());
        doctor.erase(key.tenant(), learner, None).await.unwrap();
        store.copy_in(copy.clone(), None).await.unwrap();
        let (sound, text) = said(&Box::pin(doctor.verify(&key)).await);
        assert!(sound, "{name}: not sound before: {text}");
        let statement = format!("{of} {change} RETURN 1");
        let answer = ask(
            &server,
            &statement,
            json!({"t": key.tenant(), "l": learner}),
        );
        assert!(answer["errors"].is_null(), "{name}: {answer}");
        let (sound, text) = said(&Box::pin(doctor.verify(&key)).await);
        if sound || !text.contains(word) {
            wrong.push(format!("{name}: sound {sound}, said: {text}"));
        }
        if let Err(error) = Box::pin(mend(&engine(&server, "mender").await, &key, *then)).await {
            wrong.push(format!("{name}: {then:?} failed: {error}"));
            continue;
        }
        let (sound, text) = said(&Box::pin(doctor.verify(&key)).await);
        if sound == matches!(then, Told | Refused) {
            wrong.push(format!("{name}: after {then:?} sound {sound}: {text}"));
        }
    }
    // Other trials check the whole store.
    let (tenant, learner) = (known.key.tenant(), known.key.learner());
    doctor.erase(tenant, learner, None).await.unwrap();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        EDITS.len(),
        wrong.join("\n")
    );
}
