//! The form of a report on finding lessons, on a file.

use hindlore_bench::lessons::{LessonsPlan, lessons};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn lessons_are_found_beside_a_bare_read() {
    let folder = TempDir::new().unwrap();
    let plan = LessonsPlan {
        lessons: 2_500,
        fingerprints: 500,
        // Fewer than a block, which also holds the calls that warm up.
        calls: 3,
        block: 10,
    };
    let report = lessons(folder.path(), &plan, &|_| ()).await.unwrap();
    let row = |name: &str| report.rows.iter().find(|row| row.name == name).unwrap();
    assert!(row("embedded fill").ours.unwrap() > 0.0);
    for name in ["embedded exact", "embedded neighbourhood"] {
        let row = row(name);
        assert_eq!(row.size, Some(2_500));
        assert!(
            row.ours.unwrap() > 0.0 && row.theirs.unwrap() > 0.0,
            "{name}"
        );
    }
    assert!(
        row("embedded exact")
            .note
            .as_ref()
            .unwrap()
            .contains("p50 of 3 "),
        "every call that was asked for is timed: {:?}",
        row("embedded exact").note
    );
    // Every fingerprint of the rare kind is reached through tags that it shares.
    assert!(
        row("embedded neighbourhood")
            .note
            .as_ref()
            .unwrap()
            .contains("p99")
    );
}
