//! The form of a report on retrievals over HTTP.

use hindlore_bench::http::http;
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_retrieval_over_http_is_timed_beside_the_library_and_a_bare_handler() {
    let folder = TempDir::new().unwrap();
    let report = http(folder.path(), 50, 5, &|_| ()).await.unwrap();
    for name in [
        "durable, p50",
        "grouped, p99",
        "durable, p50, beside a bare handler",
    ] {
        let row = report.rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!(row.size, Some(50));
        assert!(
            row.ours.unwrap() > 0.0 && row.theirs.unwrap() > 0.0,
            "{name}"
        );
    }
}
