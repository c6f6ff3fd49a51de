//! The rules of the projection, each on a small commit.

use hindlore_errors::fingerprint::Fingerprint;

use super::*;
use crate::lessons::rows::{NewFingerprint, StepRow};
use hindlore_domain::trajectory::StepKind;

fn owner() -> LearnerId {
    LearnerId::new("t", "l").unwrap()
}

fn fingerprint(byte: u8, text: &str) -> Fingerprint {
    Fingerprint {
        id: FingerprintId([byte; 10]),
        normalised: text.to_owned(),
    }
}

fn tags(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("tag{number:03}")).collect()
}

fn known(byte: u8, tags: &[String]) -> ExistingRows {
    let row = FingerprintRow {
        fingerprint: fingerprint(byte, "text"),
        tags: tags.to_vec(),
        events: 2,
        runs: 1,
        first_at: None,
        last_at: None,
    };
    let existing = ExistingFingerprint { row, is_live: true };
    ExistingRows {
        fingerprints: [(FingerprintId([byte; 10]), existing)].into(),
        ..ExistingRows::default()
    }
}

fn learning(fingerprints: Vec<(Fingerprint, Vec<String>)>) -> LessonCommit {
    let new = |(fingerprint, tags)| NewFingerprint { fingerprint, tags };
    LessonCommit {
        fingerprints: fingerprints.into_iter().map(new).collect(),
        ..LessonCommit::default()
    }
}

#[test]
fn a_fingerprint_takes_tags_up_to_the_limit_and_the_first_by_name() {
    let commit = learning(vec![(fingerprint(1, "text"), tags(0..TAGS_MAX + 9))]);
    let changes = project(&owner(), &commit, known(1, &tags(2..TAGS_MAX))).unwrap();
    let [change] = &changes.fingerprints[..] else {
        panic!("{changes:?}");
    };
    assert_eq!(change.new_tags, tags(0..2));
    assert_eq!(change.row.tags, tags(0..TAGS_MAX));
    assert!(!change.is_new && change.is_live);
    let again = project(&owner(), &commit, known(1, &change.row.tags)).unwrap();
    assert_eq!(again, RowChanges::default());
}

#[test]
fn a_text_is_taken_only_where_there_is_none() {
    let commit = learning(vec![
        (fingerprint(1, ""), Vec::new()),
        (fingerprint(1, "first"), Vec::new()),
        (fingerprint(1, "second"), Vec::new()),
    ]);
    let changes = project(&owner(), &commit, ExistingRows::default()).unwrap();
    assert_eq!(changes.fingerprints[0].row.fingerprint.normalised, "first");
    let changes = project(&owner(), &commit, known(1, &[])).unwrap();
    assert!(changes.fingerprints.is_empty());
}

#[test]
fn a_tag_counts_each_fingerprint_that_gets_it() {
    let two = |byte| (fingerprint(byte, "x"), tags(0..2));
    let commit = learning(vec![two(1), two(2), two(2)]);
    let changes = project(&owner(), &commit, known(1, &tags(0..1))).unwrap();
    let by_tag = by_new_tag(&changes.fingerprints);
    let counts: Vec<(&str, usize)> = by_tag.iter().map(|(tag, all)| (*tag, all.len())).collect();
    assert_eq!(counts, [("tag000", 1), ("tag001", 2)]);
}

#[test]
fn a_step_of_an_unknown_run_is_refused() {
    let step = StepRow {
        run: "r".to_owned(),
        step: 1,
        action: "{}".to_owned(),
        plan_step: None,
        failed: false,
        followed: Vec::new(),
        at: Timestamp::default(),
        id: None,
        kind: StepKind::Action,
        description: String::new(),
        metadata: None,
    };
    let commit = LessonCommit {
        steps: vec![step],
        ..LessonCommit::default()
    };
    let refused = project(&owner(), &commit, ExistingRows::default()).unwrap_err();
    assert!(refused.contains("run `r` is not there"), "{refused}");
    let existing = ExistingRows {
        runs: [("r".to_owned(), None)].into(),
        ..ExistingRows::default()
    };
    assert!(project(&owner(), &commit, existing).is_ok());
}
