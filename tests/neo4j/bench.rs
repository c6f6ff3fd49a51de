//! The benchmark on a real server, with sizes too small for meaningful figures. It checks the report: its rows, the
//! limits that judge them, and that no data is left on the server.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use hindlore_bench::lessons::{LessonsPlan, lessons_on};
use hindlore_bench::neo4j::{Plan, run};
use hindlore_bench::{Peers, Report, Row};
use hindlore_neo4j::Neo4jStore;
use hindlore_store::MaintenanceStore;

use crate::server::Server;

const PEERS: [&str; 3] = ["graphiti-core", "mcp-neo4j-memory", "neo4j-agent-memory"];

fn tiny() -> Plan {
    Plan {
        items: vec![60, 20],
        ingest: 50,
        rounds: 1,
        calls: 10,
        block: 5,
        peer_calls: 4,
        clients: 4,
        raced: 10,
    }
}

/// A folder whose `run` answers as a peer does: one of the three is not installed, one can be asked nothing.
fn folder(at: &Path) {
    let script = "#!/usr/bin/env bash
if [[ \"$1\" == graphiti-core ]]; then echo '{\"absent\": \"'\"$1\"' is not installed\"}'; exit; fi
echo 'a word to people'
while read -r line; do
    case \"$1 $line\" in
    neo4j*'\"do\":\"search\"'*'\"way\":\"\"'*) echo '{\"seconds\": [7.0], \"found\": [10]}' ;;
    neo4j*'\"do\":\"search\"'*) echo '{\"seconds\": [3.0], \"found\": [0]}' ;;
    *'\"do\":\"race\"'*) echo '{\"left\": {\"one by one\": 15}}' ;;
    *'\"do\":\"ingest\"'*) echo '{\"seconds\": 1000.0}' ;;
    *'\"do\":\"add\"'*) echo '{\"seconds\": [500.0, 700.0]}' ;;
    *'\"do\":\"search\"'*) echo '{\"absent\": \"its index is broken\"}' ;;
    *) echo '{\"peer\": \"'\"$1\"'\"}' ;;
    esac
done
";
    let run = at.join("run");
    fs::write(&run, script).unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
}

fn rows<'r>(report: &'r Report, name: &str) -> Vec<&'r Row> {
    let found: Vec<&Row> = report.rows.iter().filter(|row| row.name == name).collect();
    assert!(!found.is_empty(), "no row `{name}`");
    found
}

async fn tenants(server: &Server) -> BTreeSet<String> {
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let all = store.tenants().await.unwrap();
    all.into_iter()
        .filter(|name| name.starts_with("bench-"))
        .collect()
}

pub(crate) async fn report(server: Server) {
    let peers = tempfile::tempdir().unwrap();
    folder(peers.path());
    let peers = Peers::new(peers.path(), Duration::from_secs(20));
    let before = tenants(&server).await;
    let options = server.options();
    // Asking a peer may keep a thread, so this runs as a task, as the commands do.
    let task = tokio::spawn(async move { run(options, tiny(), &peers, &|_| ()).await });
    let report = task.await.unwrap().unwrap();
    assert_eq!(tenants(&server).await, before);
    one_request_and_one_commit(&report);
    beside_the_floor(&report);
    the_race_is_exact(&report);
    peers_are_rows(&report);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["bench"], "neo4j");
    assert!(json["machine"]["cores"].as_u64() >= Some(1));
}

pub(crate) async fn lessons(server: Server) {
    let before = tenants(&server).await;
    let plan = LessonsPlan {
        lessons: 200,
        fingerprints: 40,
        calls: 10,
        block: 5,
    };
    let report = lessons_on(server.options(), &plan, &|_| ()).await.unwrap();
    assert_eq!(tenants(&server).await, before);
    let exact = rows(&report, "neo4j exact")[0];
    assert_eq!((exact.goal, exact.goal_on), (Some(1.5), Some("ratio <=")));
    assert!(exact.ratio > Some(0.0) && exact.holds.is_some());
    assert!(rows(&report, "neo4j neighbourhood")[0].ratio > Some(0.0));
}

fn one_request_and_one_commit(report: &Report) {
    for (name, limit) in [
        ("retrieval-requests", 1.0),
        ("retrieval-commits", 1.0),
        ("retrieval-turns", 2.0),
    ] {
        let found = rows(report, name);
        assert_eq!(found.len(), 2, "one row for each size");
        for row in found {
            assert_eq!(row.goal, Some(limit));
            assert_eq!(
                (row.holds, row.ours >= Some(1.0)),
                (Some(true), true),
                "{row:?}"
            );
        }
    }
}

fn beside_the_floor(report: &Report) {
    let sizes: Vec<_> = rows(report, "retrieval-turns")
        .iter()
        .map(|row| row.size)
        .collect();
    assert_eq!(sizes, [Some(20), Some(60)], "sizes ascend");
    let beside = |row: &&Row, who: &str| row.beside.as_deref() == Some(who);
    let all = rows(report, "retrieval");
    let same = all
        .iter()
        .filter(|row| beside(row, "bare statement, same writes"));
    let same: Vec<_> = same.collect();
    assert_eq!(same.len(), 2);
    assert!(
        same.iter()
            .all(|row| row.goal == Some(1.2) && row.ratio > Some(0.0))
    );
    let counters = all
        .iter()
        .filter(|row| beside(row, "plain counter statement"));
    assert_eq!(counters.filter(|row| row.goal.is_none()).count(), 2);
    let ingest = rows(report, "batch-ingest");
    assert_eq!((ingest[0].size, ingest[0].goal), (Some(50), Some(0.8)));
    assert!(ingest[0].theirs > Some(0.0) && ingest[0].ratio > Some(0.0));
}

fn the_race_is_exact(report: &Report) {
    for (name, right) in [
        ("race one by one", 10.0),
        ("race one by one, helpful votes", 40.0),
        ("race in bulk", 10.0),
        ("race in bulk, helpful votes", 40.0),
    ] {
        let row = rows(report, name)[0];
        assert_eq!((row.ours, row.theirs), (Some(right), Some(right)));
        assert_eq!(row.holds, Some(true), "{row:?}");
    }
}

fn peers_are_rows(report: &Report) {
    for name in ["batch-ingest-per-item", "add", "retrieval"] {
        for peer in PEERS {
            let found = rows(report, name);
            let of_peer = found
                .iter()
                .filter(|row| row.beside.as_deref() == Some(peer));
            let of_peer: Vec<_> = of_peer.collect();
            assert_eq!(of_peer.len(), 2, "{name} beside {peer}");
            for row in of_peer {
                let is_broken = peer == "mcp-neo4j-memory" && name == "retrieval";
                let is_there = peer != "graphiti-core" && !is_broken;
                assert_eq!(row.ratio.is_some(), is_there, "{row:?}");
                assert_eq!(row.absent.is_none(), is_there, "{row:?}");
                assert_eq!(row.goal, None, "goals are set at 10,000");
            }
        }
    }
    let broken = rows(report, "retrieval")
        .into_iter()
        .find(|row| row.absent.as_deref() == Some("its index is broken") && row.ours > Some(0.0));
    assert!(broken.is_some(), "a peer's reason is in its row");
    for (way, seconds, found) in [
        ("neo4j-agent-memory", 7.0, "10.0 items by it"),
        (
            "neo4j-agent-memory, its own threshold",
            3.0,
            "0.0 items by it",
        ),
    ] {
        let asked = rows(report, "retrieval").into_iter();
        let asked = asked.filter(|row| row.beside.as_deref() == Some(way));
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked.len(), 2, "{way}");
        for row in asked {
            assert_eq!((row.theirs, row.goal), (Some(seconds), None));
            let note = row.note.as_deref().unwrap_or_default();
            assert!(
                note.ends_with(found),
                "a search that finds nothing shows it: {note}"
            );
        }
    }
    let race = rows(report, "race, left per item")[0];
    assert_eq!((race.ours, race.theirs), (Some(1.0), Some(1.5)));
}
