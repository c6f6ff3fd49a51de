//! The form of a report on whole processes, and that a resident process ranks as one of its own.

use hindlore_bench::processes::{ProcessesPlan, processes};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn processes_are_timed_beside_an_empty_one() {
    let folder = TempDir::new().unwrap();
    let plan = ProcessesPlan {
        sizes: vec![200],
        lessons: 500,
        calls: 8,
    };
    let report = processes(folder.path(), &plan, &|_| ()).await.unwrap();
    let row = |name: &str| report.rows.iter().find(|row| row.name == name).unwrap();
    for name in [
        "retrieve, p50",
        "hook, before a tool, p99",
        "hook, a prompt, p50",
    ] {
        let row = row(name);
        assert!(
            row.ours.unwrap() > 0.0 && row.theirs.unwrap() > 0.0,
            "{name}"
        );
    }
    let equal = row("rankings equal to those of a process on its own");
    assert_eq!(equal.holds, Some(true));
}
