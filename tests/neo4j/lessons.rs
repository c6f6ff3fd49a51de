//! Lessons on a server: eight processes on the same lessons, and a tag that everything has.

use std::sync::Arc;

use hindlore::Engine;
use hindlore::lessons::{
    ImportedLesson, LessonCall, LessonImport, LessonRequest, OutcomeReport, StepDetail, StepInput,
};
use hindlore_contract::subject::fresh;
use hindlore_domain::lesson::event::{NEXT_STEP, StepReport};
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{Counts, LearnerId, Place, Reach, Status};
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_errors::fingerprint::Evidence;
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{LessonPage, NeighbourhoodAsk};
use hindlore_store::{LessonStore, MaintenanceStore};
use serde_json::{Value, json};

use crate::children::{Process, engine, together};
use crate::files::{File, read};
use crate::http::ask;
use crate::plans::operators;
use crate::server::Server;

const ERROR: &str = "ERROR: column 'price' is not in the table";
const BAD: &str = "gridtool load \"a b.csv\"";
const PROCESSES: usize = 8;
/// Runs of each process; two processes share them.
const RUNS: u64 = 12;
/// Calls of one run at the same time.
const CALLS: usize = 25;
/// Fingerprints and lessons that have one tag in common.
const HUB: usize = 50_000;
/// As many are made in one request.
const PIECE: usize = 2_500;
/// Seven tags more for the first of all, so that as many tags are followed as may be.
const SEVEN_TAGS: &str = "MATCH (o:Learner {tenant: $tenant, id: 'learner'})
        UNWIND range(1, 7) AS k
        CREATE (t:Tag {hindlore_key: o.hindlore_key + 't' + toString(k), hindlore_owner: o.hindlore_key, tenant: $tenant, learner: 'learner',
          name: 't' + toString(k), title: 't', fingerprints: 40})
        WITH o, t
        UNWIND range(1, 40) AS n
        WITH o, t, n, right('00000000000000000000' + toString(n), 20) AS digits
        MATCH (f:Fingerprint {hindlore_key: o.hindlore_key + 'fp_' + digits})
        SET f.tags = f.tags + t.name, f.tag_keys = f.tag_keys + t.hindlore_key
        CREATE (f)-[:TAGGED {hindlore_posting: t.hindlore_key + 'f' + f.id}]->(t)
        WITH o, t, n, digits
        MATCH (l:Lesson {hindlore_key: o.hindlore_key + 'l_' + digits})
        CREATE (l)-[:TAGGED {hindlore_posting: t.hindlore_key + 'l1' + right('00000000000000' + toString(n), 15) + l.id}]->(t)
        RETURN count(*)";

pub(crate) fn place() -> Place {
    Place {
        task: Some("report".to_owned()),
        domain: Some("grid".to_owned()),
        tool: None,
    }
}

pub(crate) fn evidence() -> Evidence {
    Evidence {
        error: Value::from(ERROR),
        action: json!(BAD),
        ..Evidence::default()
    }
}

pub(crate) fn failing(run: &str, step: u32) -> StepInput {
    StepInput {
        report: StepReport {
            run: run.to_owned(),
            step,
            allowed_steps: None,
            evidence: evidence(),
            feedback: Feedback {
                hard_failure: true,
                ..Feedback::default()
            },
            exit_code: Some(1),
            unsafe_action: false,
            place: place(),
            tags: vec!["shared".to_owned()],
            at: Timestamp::from_millis(1_790_000_000_000),
        },
        plan_step: None,
        followed: Vec::new(),
        detail: StepDetail::default(),
        scope: None,
    }
}

fn imported(rule: &str, triggers: &[FingerprintId]) -> ImportedLesson {
    ImportedLesson {
        rule: Rule::parse(rule).unwrap(),
        triggers: triggers.to_vec(),
        tags: vec!["shared".to_owned()],
        reach: Reach::Domain,
        place: place(),
        status: Status::Candidate,
        reliability: 0.5,
        counts: Counts::default(),
        impact: 0.0,
        source_runs: Vec::new(),
        created_at: None,
        evidence_at: None,
    }
}

/// Two lessons that contradict each other, and one more.
pub(crate) async fn teach(
    engine: &Engine,
    owner: &LearnerId,
    triggers: &[FingerprintId],
    source: &str,
) -> u64 {
    let rules = [
        "Always quote the file name in LOAD",
        "Never quote the file name in LOAD",
        "Use lowercase sum() in every report",
    ];
    let import = LessonImport {
        source: source.to_owned(),
        lessons: rules.map(|rule| imported(rule, triggers)).to_vec(),
        fingerprints: Vec::new(),
    };
    let done = engine.import_lessons(owner, import).await.unwrap();
    u64::from(done.repeated == 0)
}

/// In its own process: sends errors that another process sends, too, their remedies, and the outcomes. Gives the number
/// of imports, errors and outcomes that were new.
pub(crate) async fn learn(engine: &Engine, key: &MemoryKey, name: &str) -> Vec<u64> {
    let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
    // Two processes have the same name but for its last character, and send the same errors.
    let pair = &name[..name.len() - 1];
    let first = engine.capture_error(&owner, failing("first", 1)).await;
    let prints = first.unwrap().error.unwrap().fingerprints;
    let mut triggers = vec![prints.fine.id, prints.coarse.id];
    triggers.dedup();
    let mut did = vec![teach(engine, &owner, &triggers, name).await, 0, 0];
    for number in 0..RUNS {
        let run = format!("{pair}-{number}");
        for step in 1..=2 {
            let captured = engine.capture_error(&owner, failing(&run, step)).await;
            did[1] += u64::from(!captured.unwrap().repeated);
        }
        let request = LessonRequest {
            run: Some(run.clone()),
            call: LessonCall::OnError {
                step: 2,
                evidence: evidence(),
                exit_code: Some(1),
            },
            text: String::new(),
            tags: Vec::new(),
            place: place(),
            max_results: None,
            mode: RankingMode::Direct,
            exact_only: false,
            fit: None,
            scope: None,
        };
        let found = engine.retrieve_lessons(&owner, request).await.unwrap();
        for lesson in found.lessons {
            let report = OutcomeReport {
                activation: lesson.activation.unwrap(),
                error_reduction: 0.5,
                step_efficiency_gain: 0.0,
                referee_score_gain: None,
            };
            let taken = engine.report_outcome(&owner, report).await.unwrap();
            did[2] += u64::from(!taken.repeated);
        }
    }
    did
}

pub(crate) async fn counted_once(server: Server) {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "hot").unwrap();
    let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
    let names: Vec<String> = (0..PROCESSES)
        .map(|n| format!("p{}{}", n / 2, n % 2))
        .collect();
    let mut processes = Process::several(&server, &names, &key);
    let did = together(&mut processes, "learn");
    drop(processes);
    let sum = |at: usize| did.iter().map(|one| one[at]).sum::<u64>();
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let totals = store.lesson_totals(&owner).await.unwrap();
    let runs = PROCESSES as u64 / 2 * RUNS;
    // Each error counted once, by one of the two who sent it; the first one comes from nobody's run.
    assert_eq!((totals.errors, sum(1)), (2 * runs + 1, 2 * runs));
    assert_eq!(sum(0), 1, "one import of eight was the first");
    let settled = totals.helped + totals.neutral + totals.harmed;
    assert_eq!((totals.activations, settled), (settled, sum(2)));
    assert!(totals.activations >= runs, "{totals:?}");
    let page = LessonPage {
        limit: 9,
        ..LessonPage::default()
    };
    let lessons = store.lessons(&owner, page).await.unwrap();
    assert_eq!((lessons.len(), totals.conflicts), (3, 1));
    let of_lessons = lessons.iter().map(|lesson| &lesson.counts);
    let (mut used, mut judged) = (0, 0);
    for counts in of_lessons {
        used += counts.retrieved;
        judged += counts.helpful + counts.harmful;
    }
    assert_eq!((used, judged), (totals.activations, settled));
    let prints = store
        .fingerprints(&owner, &lessons[0].triggers)
        .await
        .unwrap();
    for print in &prints {
        assert_eq!((print.events, print.runs), (2 * runs + 1, runs + 1));
    }
    assert!(!prints.is_empty());
    let links = "MATCH ()-[c:CONFLICTS_WITH]->() WHERE c.tenant = $tenant RETURN count(c)";
    let answer = ask(&server, links, json!({"tenant": owner.tenant()}));
    assert_eq!(answer["data"]["values"], json!([[1]]));
    let findings = store.check().await.unwrap();
    let own = findings
        .iter()
        .filter(|finding| finding.subject.contains(owner.tenant()));
    assert_eq!(own.count(), 0, "{findings:?}");
}

/// Calls of two engines into one run: every step gets a number of its own, also when it is sent again.
pub(crate) async fn no_step_is_lost(server: Server) {
    let owner = LearnerId::new(&fresh("tenant"), "learner").unwrap();
    let engines = [engine(&server, "one").await, engine(&server, "two").await];
    let call = |n: usize| {
        let (engine, owner) = (engines[n % 2].clone(), owner.clone());
        let mut step = failing("r", NEXT_STEP);
        step.report.evidence.action = json!(format!("{BAD} {n}"));
        tokio::spawn(async move {
            let id = format!("call {n}");
            engine.capture_call(&owner, Some(&id), vec![step]).await
        })
    };
    let mut rounds = Vec::new();
    for _ in 0..2 {
        let calls: Vec<_> = (0..CALLS).map(call).collect();
        let mut numbers = Vec::new();
        for call in calls {
            let captured = call.await.unwrap().unwrap().steps.remove(0);
            assert_eq!(captured.repeated, !rounds.is_empty());
            numbers.push(captured.step);
        }
        rounds.push(numbers);
    }
    assert_eq!(rounds[0], rounds[1]);
    let mut numbers = rounds.remove(0);
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(1..=CALLS as u32), "{numbers:?}");
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let run = store.run(&owner, "r").await.unwrap().unwrap();
    assert_eq!((run.steps.len(), run.errors.len()), (CALLS, CALLS));
    let taken = engines[0].capture_error(&owner, failing("r", 1)).await;
    assert_eq!(taken.unwrap_err().code(), "step_taken");
}

/// The hits of a profiled plan.
fn hits(plan: &Value) -> u64 {
    let own = plan["arguments"]["DbHits"].as_u64();
    let own = own.or_else(|| plan["dbHits"].as_u64()).unwrap_or_default();
    let children = plan["children"].as_array().into_iter().flatten();
    own + children.map(hits).sum::<u64>()
}

fn profiled(server: &Server, name: &str, parameters: &Value) -> (u64, Value) {
    let file = format!("queries/lessons/{name}.cypher");
    let found: Option<File> = read("queries").into_iter().find(|one| one.name == file);
    let text = format!("PROFILE {}", found.unwrap().body.trim());
    let answer = ask(server, &text, parameters.clone());
    let plan = &answer["profiledQueryPlan"];
    assert!(plan.is_object(), "{answer}");
    let mut names = Vec::new();
    operators(plan, &mut names);
    assert!(names.len() > 3);
    (hits(plan), answer["data"].clone())
}

/// Makes a learner of whom everything has one tag; gives the keys of the learner and of the tag, and the
/// fingerprints of the error that it began with.
async fn hub(server: &Server, owner: &LearnerId) -> (String, String, Vec<FingerprintId>) {
    let engine = engine(server, "hub").await;
    let first = engine.capture_error(owner, failing("first", 1)).await;
    let prints = first.unwrap().error.unwrap().fingerprints;
    let mut starts = vec![prints.fine.id, prints.coarse.id];
    starts.dedup();
    teach(&engine, owner, &starts, "hub").await;
    let named = json!({"tenant": owner.tenant(), "count": HUB, "many": 20});
    // The same shapes as the store writes, copied from a lesson that it wrote.
    let grow = "MATCH (o:Learner {tenant: $tenant, id: 'learner'})-[:HAS_LESSON]->(first:Lesson)
        WITH o, first ORDER BY first.id LIMIT 1
        MATCH (t:Tag {hindlore_owner: o.hindlore_key, name: 'shared'})
        MATCH (first)-[a:APPLIES_TO]->(d:Domain)
        WITH o, first, t, d, left(a.hindlore_posting, size(a.hindlore_posting) - 38) AS at
        UNWIND range($from, $to) AS n
        CALL (o, first, t, d, at, n) {
          WITH o, first, t, d, at, right('00000000000000000000' + toString(n), 20) AS digits, n
          CREATE (o)-[:HAS_FINGERPRINT]->(f:Fingerprint {hindlore_key: o.hindlore_key + 'fp_' + digits, id: 'fp_' + digits,
            tenant: $tenant, learner: 'learner', title: digits, normalised: 'error ' + digits,
            tags: ['shared'], tag_keys: [t.hindlore_key], events: 0, runs: 0})
          CREATE (f)-[:TAGGED {hindlore_posting: t.hindlore_key + 'f' + f.id}]->(t)
          CREATE (o)-[:HAS_LESSON]->(l:Lesson)
          SET l = first {.*, hindlore_key: o.hindlore_key + 'l_' + digits, id: 'l_' + digits, hindlore_by_birth: o.hindlore_key + 'z' + digits}
          WITH *, '1' + right('00000000000000' + toString(n), 15) + l.id AS posting
          CREATE (l)-[:TRIGGERED_BY {hindlore_posting: f.hindlore_key + posting}]->(f)
          CREATE (l)-[:TAGGED {hindlore_posting: t.hindlore_key + 'l' + posting}]->(t)
          CREATE (l)-[:APPLIES_TO {hindlore_posting: at + posting}]->(d)
        }
        RETURN count(*)";
    for from in (1..=HUB).step_by(PIECE) {
        let piece = json!({"tenant": owner.tenant(), "from": from, "to": from + PIECE - 1});
        let answer = ask(server, grow, piece);
        assert!(answer["errors"].is_null(), "{answer}");
    }
    // Twenty lessons more for each of the first siblings, and for the start: lists that have to be cut.
    let thicken = "MATCH (o:Learner {tenant: $tenant, id: 'learner'})
        MATCH (t:Tag {hindlore_owner: o.hindlore_key, name: 'shared'})
        SET o.fingerprints = o.fingerprints + $count, t.fingerprints = t.fingerprints + $count
        WITH o
        UNWIND range(1, 40) AS n
        MATCH (f:Fingerprint {hindlore_key: o.hindlore_key + 'fp_' + right('00000000000000000000' + toString(n), 20)})
        WITH o, f, n
        UNWIND range(100, 100 + $many) AS more
        MATCH (l:Lesson {hindlore_key: o.hindlore_key + 'l_' + right('00000000000000000000' + toString(more * 40 + n), 20)})
        CREATE (l)-[:TRIGGERED_BY {hindlore_posting: f.hindlore_key + '1' + right('00000000000000' + toString(more), 15) + l.id}]->(f)
        RETURN o.hindlore_key, count(*)";
    for statement in [thicken, SEVEN_TAGS] {
        let answer = ask(server, statement, named.clone());
        assert!(answer["errors"].is_null(), "{answer}");
    }
    let keys =
        "MATCH (t:Tag {name: 'shared', tenant: $tenant}) RETURN t.hindlore_owner, t.hindlore_key";
    let answer = ask(server, keys, named);
    let row = &answer["data"]["values"][0];
    let text = |at: usize| row[at].as_str().unwrap().to_owned();
    (text(0), text(1), starts)
}

pub(crate) async fn a_hub_costs_no_more(server: Server) {
    let owner = LearnerId::new(&fresh("tenant"), "learner").unwrap();
    let (key, tag, own) = hub(&server, &owner).await;
    let limits = WalkLimits::default();
    let digits = |n: usize| format!("fp_{n:020}").parse::<FingerprintId>().unwrap();
    let starts: Vec<FingerprintId> = (1..=limits.starts).map(digits).collect();
    let place_start = "MATCH (:Lesson {tenant: $tenant})-[a:APPLIES_TO]->(d)
        RETURN DISTINCT left(a.hindlore_posting, size(a.hindlore_posting) - 37)";
    let answer = ask(&server, place_start, json!({"tenant": owner.tenant()}));
    let places: Vec<&Value> = answer["data"]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row[0])
        .collect();
    let start_keys: Vec<String> = starts.iter().map(|id| format!("{key}{id}")).collect();
    let parameters = json!({"owner": key, "starts": start_keys, "tags": [tag], "without": [],
        "places": places, "live": "1", "of_lesson": "l1", "of_sibling": "f", "id_length": 23,
        "tags_limit": limits.tags, "per_start": limits.lessons_per_start,
        "siblings": limits.siblings_per_tag, "per_sibling": limits.lessons_per_sibling,
        "per_tag": limits.lessons_per_tag, "per_place": limits.lessons_per_place});
    let (walked, data) = profiled(&server, "neighbourhood", &parameters);
    let ids: Vec<LessonId> = (1..=limits.lessons)
        .map(|n| format!("l_{n:020}").parse().unwrap())
        .collect();
    let lesson_keys: Vec<String> = ids.iter().map(|id| format!("{key}{id}")).collect();
    let named = json!({"owner": key, "lessons": lesson_keys, "id_length": 22});
    let (read, _) = profiled(&server, "by_id", &named);
    println!(
        "hub of {HUB}: neighbourhood {walked} hits, {} lessons {read} hits",
        ids.len()
    );
    // Each property of a lesson is a hit: they are its one truth.
    let of_lessons = 32 * ids.len() as u64;
    assert!(
        walked > 300 && walked <= 1_500 && read <= of_lessons,
        "{walked} and {read} hits"
    );
    // The store sends the measured request.
    let store: Arc<dyn LessonStore> =
        Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
    let asked = NeighbourhoodAsk {
        starts: starts.clone(),
        tags: vec!["shared".to_owned()],
        without: Vec::new(),
        place: place(),
        limits,
    };
    let found = store.neighbourhood(&owner, asked).await.unwrap();
    assert_eq!(found.fingerprints, HUB as u64 + own.len() as u64);
    assert_eq!(found.tags.len(), limits.tags);
    assert_eq!(
        (found.starts.len(), found.places.len()),
        (limits.starts, limits.lessons_per_place)
    );
    let shared = found
        .tags
        .iter()
        .find(|tag| tag.count.tag == "shared")
        .unwrap();
    assert_eq!(shared.siblings.len(), limits.siblings_per_tag);
    assert_eq!(shared.lessons.len(), limits.lessons_per_tag);
    let row = &data["values"][0];
    assert_eq!(row[1].as_array().unwrap().len(), found.starts.len());
    assert_eq!(row[2].as_array().unwrap().len(), found.tags.len());
    exact_hit(&server, &key, starts[2]);
    let read = store.lessons_by_id(&owner, &ids).await.unwrap();
    assert_eq!(read.lessons.len(), ids.len());
    take_away(&server, &owner);
}

/// An error whose fingerprint has more lessons than are asked for.
fn exact_hit(server: &Server, key: &str, start: FingerprintId) {
    let exact = json!({"owner": key, "triggers": [format!("{key}{}1", start)], "limit": 16, "id_length": 22});
    let (hit, _) = profiled(server, "triggered_by", &exact);
    println!("exact hit with 16 lessons: {hit} hits");
    // Each property of a lesson is a hit.
    assert!(hit <= 16 * 32, "{hit} hits");
}

/// Removes the hub: the server's statistics about its size decide the plans of others.
fn take_away(server: &Server, owner: &LearnerId) {
    for label in ["Lesson", "Fingerprint"] {
        let some = format!(
            "MATCH (o:Learner {{tenant: $tenant, id: 'learner'}})
             MATCH (n:{label}) WHERE n.hindlore_key STARTS WITH o.hindlore_key
             WITH n LIMIT $many DETACH DELETE n RETURN count(*)"
        );
        let piece = json!({"tenant": owner.tenant(), "many": PIECE});
        for _ in 0..=HUB / PIECE {
            let answer = ask(server, &some, piece.clone());
            assert!(answer["errors"].is_null(), "{answer}");
        }
    }
    let rest = "MATCH (o:Learner {tenant: $tenant, id: 'learner'}) REMOVE o.fingerprints
        WITH o MATCH (t:Tag) WHERE t.hindlore_owner = o.hindlore_key REMOVE t.fingerprints";
    let answer = ask(server, rest, json!({"tenant": owner.tenant()}));
    assert!(answer["errors"].is_null(), "{answer}");
}
