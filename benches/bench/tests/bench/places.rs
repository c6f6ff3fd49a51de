//! The form of a report on the places where the program was slower than its alternatives.

use std::time::Duration;

use hindlore_bench::places::{PlacesPlan, places};
use hindlore_bench::{Peers, Report};
use tempfile::TempDir;

/// Rows that need no long fill: each way of measuring is in one of them.
const ROWS: [u8; 5] = [3, 5, 6, 7, 11];

/// A report on some rows.
async fn quick(rows: &[u8], peers: &str) -> Report {
    let folder = TempDir::new().unwrap();
    let plan = PlacesPlan {
        rows: rows.to_vec(),
        sizes: Vec::new(),
        megabytes: Vec::new(),
        events: Vec::new(),
        quick: true,
        program: None,
        peers: Peers::new(peers, Duration::from_secs(60)),
    };
    places(folder.path(), &plan, &|_| ()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_place_has_rows_with_a_ratio_and_a_goal() {
    let report = quick(&ROWS, concat!(env!("CARGO_MANIFEST_DIR"), "/../peers")).await;
    for place in ROWS {
        let own = |name: &str| name.split(' ').next() == Some(&place.to_string());
        assert!(report.rows.iter().any(|row| own(&row.name)), "{place}");
    }
    for row in &report.rows {
        assert!(row.ours.is_some_and(|ours| ours > 0.0), "{row:?}");
        // Node and Python may be missing on this machine.
        if row.absent.is_none() {
            assert!(row.ratio.is_some() && row.goal.is_some(), "{row:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_peer_is_named_and_has_no_verdict() {
    let report = quick(&[1], "tests/nowhere").await;
    assert_eq!(report.rows.len(), 4);
    for row in &report.rows {
        assert!(row.absent.as_ref().unwrap().contains("tests/nowhere"));
        assert!(row.ours.is_some() && row.holds.is_none());
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_is_refused() {
    let plan = PlacesPlan {
        rows: vec![5],
        sizes: Vec::new(),
        megabytes: Vec::new(),
        events: Vec::new(),
        quick: true,
        program: Some("tests/nowhere".into()),
        peers: Peers::new("tests/nowhere", Duration::from_secs(60)),
    };
    let folder = TempDir::new().unwrap();
    let refused = places(folder.path(), &plan, &|_| ()).await.unwrap_err();
    assert!(refused.message.contains("tests/nowhere"), "{refused}");
}
