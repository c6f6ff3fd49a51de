//! Trajectories as an analyst finds them: their shape in the graph, and records that point at them.

use hindlore_contract::lesson_world::{ended, raising, run, step, write};
use hindlore_contract::subject::{fresh, moment};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::lessons::transaction::LessonCommit;
use hindlore_store::records::trace_archive::ArchivedTrace;
use hindlore_store::records::{RecordCommit, RecordReads};
use hindlore_store::{LessonStore, RecordStore};
use serde_json::{Value, json};

use crate::http::ask;
use crate::server::Server;

/// A learner with two trajectories, one a part of the other, and their steps.
async fn world(server: &Server) -> (Neo4jStore, LearnerId) {
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let owner = LearnerId::new(&fresh("tenant"), "learner").unwrap();
    let mut part = ended(run("r2", 2), 9);
    part.trajectory.parent = Some("r1".to_owned());
    let commit = LessonCommit {
        steps: vec![step("r2", 1, false), step("r2", 2, true)],
        ..raising(&[part, run("r1", 1)], Vec::new())
    };
    write(&store, &owner, commit).await.unwrap();
    (store, owner)
}

fn values(server: &Server, owner: &LearnerId, statement: &str) -> Value {
    let answer = ask(server, statement, json!({"tenant": owner.tenant()}));
    assert!(answer.get("errors").is_none(), "{answer}");
    answer["data"]["values"].clone()
}

const WALK: &str =
    "MATCH (:Learner {tenant: $tenant})-[:HAS_RUN]->(r:Run:Trajectory)-[t:STEP]->(s:Step)
    WHERE EXISTS { (r)-[:CHILD_OF]->(:Trajectory {id: 'r1'}) }
    RETURN t.number, s.kind, EXISTS { (s)-[:SAYS]->(:StepBody) } ORDER BY t.number";

pub(crate) async fn walked(server: Server) {
    let (_, owner) = world(&server).await;
    let expected = json!([[1, "action", true], [2, "action", true]]);
    assert_eq!(values(&server, &owner, WALK), expected);
}

pub(crate) async fn pointed_at(server: Server) {
    let (store, owner) = world(&server).await;
    let archive = |run: &str| {
        let trace = ArchivedTrace {
            run: run.to_owned(),
            steps: 2,
            body: "[]".to_owned(),
            at: moment(5),
        };
        trace.to_record()
    };
    // A record may name a run that is not there: it is kept, and points nowhere.
    let records = vec![archive("r2"), archive("r9")];
    for _ in 0..2 {
        let records = records.clone();
        let decide = Box::new(move |_| RecordCommit {
            puts: records.clone(),
            deletes: Vec::new(),
        });
        let reads = RecordReads::default();
        store.transact_records(&owner, reads, decide).await.unwrap();
    }
    let points = "MATCH (n:TraceArchive {tenant: $tenant})
        RETURN n.id, [(n)-[:ARCHIVE_OF]->(r:Run) | r.id] ORDER BY n.id";
    let expected = json!([["r2", ["r2"]], ["r9", []]]);
    assert_eq!(values(&server, &owner, points), expected);
    let read = store.export_records(&owner).await.unwrap();
    assert_eq!(read.unwrap(), records);
    // After a copy rewrites the runs, the archives point at them again.
    let copy = store.copy_lessons_out(&owner).await.unwrap().unwrap();
    store.copy_lessons_in(copy).await.unwrap();
    assert_eq!(values(&server, &owner, points), expected);
}
