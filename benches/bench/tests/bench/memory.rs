//! The form of a report on memories, and its row for a missing peer.

use std::time::Duration;

use hindlore_bench::memory::{MemoryOptions, memory};
use hindlore_bench::{Peers, Report, svg};
use tempfile::TempDir;

async fn quick(peers: &str) -> Report {
    let folder = TempDir::new().unwrap();
    let options = MemoryOptions {
        sizes: vec![40, 120],
        quick: true,
        full: false,
        peers: Peers::new(peers, Duration::from_secs(60)),
    };
    memory(folder.path(), &options, &|_| ()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_peer_is_a_row_that_says_so_and_holds_nothing() {
    let report = quick("tests/nowhere").await;
    for name in [
        "rank-bm25",
        "bm25s-retriever",
        "mem0-qdrant",
        "langgraph-store",
        "tantivy",
    ] {
        for verb in ["query", "add"] {
            let name = format!("{verb} beside {name}");
            let row = report.rows.iter().find(|row| row.name == name).unwrap();
            assert!(row.absent.is_some() && row.theirs.is_none(), "{name}");
        }
    }
    let python = report
        .rows
        .iter()
        .find(|row| row.name == "top10 original")
        .unwrap();
    assert!(python.absent.as_ref().unwrap().contains("tests/nowhere"));
    // The program that tests run in has no command to open a file in a process of its own.
    let open = report.rows.iter().find(|row| row.name == "open").unwrap();
    assert!(open.ours.is_none() && open.absent.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_size_and_limit_has_its_rows() {
    let report = quick("benches/peers").await;
    let has = |name: &str, size: u64| {
        let row = report
            .rows
            .iter()
            .find(|row| row.name == name && row.size == Some(size));
        row.and_then(|row| row.ours).is_some_and(|ours| ours > 0.0)
    };
    for size in [40, 120] {
        for name in [
            "top10 original",
            "top10 engine",
            "top10 core alone engine",
            "top10 engine, p99 of p50",
            "top10 engine, ordinary words",
            "top10 engine, strength dominates",
            "top10 engine, strength dominates, first 20 questions",
            "add one, near-duplicate check",
        ] {
            assert!(has(name, size), "{name} at {size}");
        }
    }
    assert!(has("ingest, one delta", 120));
    assert!(has("recorded retrieval, durable", 500) && has("recorded retrievals, 16 clients", 500));
    assert!(
        report
            .rows
            .iter()
            .all(|row| row.ours.is_some() || row.absent.is_some())
    );
    let growth = report
        .curves
        .iter()
        .find(|curve| curve.name == "growth-time")
        .unwrap();
    assert!(growth.lines.iter().all(|line| line.points.len() == 2));
    assert!(svg(growth).contains("query, engine"));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["bench"], "memory");
    assert!(json["machine"]["cores"].is_u64() && json["rows"][0]["unit"].is_string());
}
