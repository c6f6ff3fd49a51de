//! Entries in the styles that agents write.

use super::*;
use hindlore_primitives::timestamp::Timestamp;

const FILE: &str = "# Errors\n\n## [ERR-20260102-001] dns_lookup\n\n**Logged**: 2026-01-02T08:00:00Z\n**Area**: infra\n\n\
    ### Summary\nThe morning job found no address.\n\n### Error\n```\nENOTFOUND find.example.org\n## not a heading\n```\n\n\
    ### Context\n- ran by cron\n- twice\n\n### Suggested Fix\nAsk the second provider first.\n\n### Metadata\n\
    - Tags: search, dns\n- See Also: ERR-1\n\n---\n## [ERR-20260102-001] shell\n### Summary\nNo here-documents.\n\n\
    ## 2026-01-03 - tool missing\n- Context: new laptop.\n- Workaround: use the container.\n\n## [LRN-20260105-XYZ] empty\n";

fn contents(import: &Import) -> Vec<&str> {
    import
        .records
        .iter()
        .map(|record| match &record.operation {
            Operation::Add(new) => new.content.as_str(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn an_entry_says_what_happened_and_what_helps() {
    assert!(is_learnings(FILE));
    let import = read(FILE).unwrap();
    assert_eq!(
        contents(&import),
        [
            "The morning job found no address.\nError: ENOTFOUND find.example.org\n## not a heading\n\
             Context: - ran by cron\n- twice\nSee Also: ERR-1\nSuggested Fix: Ask the second provider first.",
            "No here-documents.",
            "tool missing\nContext: new laptop.\nWorkaround: use the container.",
        ]
    );
    assert_eq!((import.read, import.left_out.len()), (4, 1));
    let Operation::Add(first) = &import.records[0].operation else {
        panic!("{import:?}");
    };
    assert_eq!(first.tags, ["search", "dns", "infra"]);
    assert_eq!(
        first.created_at.unwrap().to_string(),
        "2026-01-02T08:00:00.000Z"
    );
}

#[test]
fn an_error_with_its_cure_is_an_event_and_a_lesson() {
    let import = read(FILE).unwrap();
    let learned = learned_failures(&import.failures, "run", Timestamp::default());
    assert_eq!((learned.steps.len(), learned.lessons.len()), (1, 1));
    let lesson = &learned.lessons[0];
    assert_eq!(
        lesson.rule.as_str(),
        "ENOTFOUND find.example.org — Ask the second provider first."
    );
    assert!(!lesson.triggers.is_empty());
    let long = Failure {
        cure: Some("word ".repeat(300)),
        ..import.failures[0].clone()
    };
    let learned = learned_failures(&[long], "run", Timestamp::default());
    assert_eq!(learned.lessons.len(), 1);
}
