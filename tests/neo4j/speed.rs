//! How long everyday calls take; printed, not judged: run it alone with `--ignored speed --nocapture`.

use std::time::{Duration, Instant};

use mnemograph::store::{Known, TouchOutcome};
use neo4rs::{BoltList, BoltMap, BoltType, ConfigBuilder, Graph, Query, query};

use crate::OnServer;
use crate::server::Server;
use crate::subject::{
    Subject, batch, born, commit_of, creation, delta_on, fresh, order, retrieval,
};

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

pub(crate) async fn everyday(server: Server) {
    let filter = tracing_subscriber::EnvFilter::from_default_env();
    let _ = tracing_subscriber::fmt().with_env_filter(filter).try_init();
    let bare = bare(&server);
    println!("plain counter, p50: {:?}", counter(&bare).await);
    println!("bare UNWIND: {:?} each", unwind(&bare).await);
    let subject = Subject::of(OnServer(server)).await;
    touches_and_adds(&subject).await;
    ingest(&subject).await;
}

async fn touches_and_adds(subject: &Subject) {
    let texts: Vec<String> = (0..1_000)
        .map(|n| format!("text number {n} about files"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, planted) = subject.planted(&texts).await;
    let mut known = subject.position(&key).await;
    let mut times = Vec::new();
    for number in 0..1_200 {
        let some = &planted[number % 900..][..10];
        let record = retrieval(&format!("r_{number}"), &known, some);
        let started = Instant::now();
        let outcome = subject
            .store
            .touch(&key, batch(&known, vec![record]))
            .await
            .unwrap();
        times.push(started.elapsed());
        let TouchOutcome::Recorded { first_tick, .. } = outcome else {
            panic!("{outcome:?}");
        };
        known.clock = first_tick;
    }
    println!(
        "touch of 10 bullets, p50: {:?}",
        median(times.split_off(600))
    );
    let mut times = Vec::new();
    let mut state = subject.loaded(&key).await;
    for number in 0..600_u64 {
        let clock = state.head.position.clock;
        let new = born(
            &key,
            2_000 + number,
            clock + 1,
            &[&format!("new text {number}")],
        );
        let delta = delta_on(&state, &format!("d_{number}"), &new);
        let mut commit = Some(commit_of(&delta, &new));
        let decide = Box::new(move |_| commit.take().unwrap());
        let started = Instant::now();
        subject
            .store
            .transact(&key, Known::Clock(clock), vec![delta.id.clone()], decide)
            .await
            .unwrap();
        times.push(started.elapsed());
        state.head.position.clock += 1;
        state.head.position.revision += 1;
    }
    println!(
        "transact with one ADD, p50: {:?}",
        median(times.split_off(300))
    );
}

async fn ingest(subject: &Subject) {
    for round in 0..3 {
        let key = subject.key("learner", &fresh("scope"));
        subject.store.create(creation(&key, &[])).await.unwrap();
        let texts: Vec<String> = (0..20_000)
            .map(|n| format!("text {n} of {round}"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let new = born(&key, 0, 1, &texts);
        let delta = delta_on(&subject.loaded(&key).await, "d_1", &new);
        let commit = commit_of(&delta, &new);
        let started = Instant::now();
        subject.commit(&key, commit).await.unwrap();
        let per_bullet = started.elapsed() / 20_000;
        println!("ingest of 20,000 bullets in one delta: {per_bullet:?} each");
        let started = Instant::now();
        assert_eq!(subject.loaded(&key).await.bullets.len(), 20_000);
        println!("load of 20,000 bullets: {:?}", started.elapsed());
        let (tenant, learner) = (key.tenant(), key.learner());
        subject
            .store
            .erase(order(tenant, learner, Some(key.scope())))
            .await
            .unwrap();
    }
}

/// The driver itself, for comparison.
fn bare(server: &Server) -> Graph {
    let config = ConfigBuilder::new()
        .uri(server.uri.as_str())
        .user(server.user.as_str());
    let config = config
        .password(server.password.as_str())
        .db(server.database.as_str());
    Graph::connect(config.build().unwrap()).unwrap()
}

async fn drain(graph: &Graph, query: Query) {
    let mut rows = graph.execute(query).await.unwrap();
    while rows.next().await.unwrap().is_some() {}
}

/// A statement that counts on one node.
async fn counter(graph: &Graph) -> Duration {
    let name = fresh("tenant");
    let make = "CREATE (:ContextScope {key: $name, tenant: $name, access_clock: 0})";
    drain(graph, query(make).param("name", name.as_str())).await;
    let count = "MATCH (s:ContextScope {key: $name}) SET s.access_clock = s.access_clock + 1 RETURN s.access_clock AS clock";
    let mut times = Vec::new();
    for _ in 0..1_200 {
        let started = Instant::now();
        drain(graph, query(count).param("name", name.as_str())).await;
        times.push(started.elapsed());
    }
    drain(
        graph,
        query("MATCH (s:ContextScope {key: $name}) DELETE s").param("name", name),
    )
    .await;
    median(times.split_off(600))
}

/// Nodes with the same properties and relationships as an ingest makes, without anything around it.
async fn unwind(graph: &Graph) -> Duration {
    let name = fresh("tenant");
    let made = "CREATE (s:ContextScope {key: $name, tenant: $name})
        CREATE (d:Delta {key: $name, tenant: $name})
        WITH s, d UNWIND $rows AS row
        CREATE (s)-[:HOLDS]->(b:Bullet)<-[:ADDED {helpful: 0, harmful: 0, neutral: 0, fields: true}]-(d)
        SET b = row";
    let row = |n: i64| {
        let mut row = BoltMap::default();
        let mut put = |key: &str, value: BoltType| row.put(key.into(), value);
        for key in ["key", "hash_key"] {
            put(key, format!("{name}-{key}-{n:030}").into());
        }
        for key in ["memory", "tenant", "learner", "scope"] {
            put(key, name.as_str().into());
        }
        for key in ["title", "id", "content", "content_hash"] {
            put(key, format!("text {n} of the bare statement").into());
        }
        for key in ["memory_type", "kind", "status", "source"] {
            put(key, "procedural".into());
        }
        for key in [
            "helpful",
            "harmful",
            "neutral",
            "created_tick",
            "changed_tick",
            "position",
            "created_at",
        ] {
            put(key, n.into());
        }
        put("strength", 100.0.into());
        put("importance", 0.5.into());
        put("pinned", false.into());
        put("tags", BoltType::List(BoltList::new()));
        BoltType::Map(row)
    };
    let rows: Vec<BoltType> = (0..20_000).map(row).collect();
    let started = Instant::now();
    let rows = BoltType::List(BoltList::from(rows));
    drain(
        graph,
        query(made).param("name", name.as_str()).param("rows", rows),
    )
    .await;
    let each = started.elapsed() / 20_000;
    let gone = "MATCH (b:Bullet) WHERE b.memory = $name AND b.changed_tick >= 0 DETACH DELETE b";
    drain(graph, query(gone).param("name", name.as_str())).await;
    drain(
        graph,
        query("MATCH (s:ContextScope {key: $name}) DELETE s").param("name", name.as_str()),
    )
    .await;
    drain(
        graph,
        query("MATCH (d:Delta {key: $name}) DELETE d").param("name", name),
    )
    .await;
    each
}
