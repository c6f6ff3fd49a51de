//! The answers of questions about words, an author, another learner, and requests without a helpful answer.

use serde_json::{Map, Value, json};

use crate::analyst::{FOLDER, Known, NO_BACKOFF, PORT, RETRY, SCHEMA, SHORTER, WRONG};
use crate::answers::{Check, columns};

/// Each question with its expectation.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("analyst/start/find", find),
    ("analyst/start/compared", compared),
    ("analyst/history/author", author),
    ("analyst/use/unanswered", unanswered),
];

fn find(known: &Known) {
    let rows = known.rows("analyst/start/find", json!({"words": " BACKOFF  upload"}));
    let found = columns(&rows, "content status helpful harmful tags");
    let expected = json!([
        [RETRY, "active", 4, 0, ["network", "retry"]],
        [NO_BACKOFF, "active", 0, 1, []]
    ]);
    assert_eq!(found, expected);
    assert!(
        known
            .rows("analyst/start/find", json!({"words": "backoff moon"}))
            .is_empty()
    );
}

fn compared(known: &Known) {
    let rows = known.rows("analyst/start/compared", json!({"other": "bob"}));
    let has = |learner: &str, content: &str| {
        let is_it =
            |row: &Map<String, Value>| row["learner"] == learner && row["content"] == content;
        rows.iter().any(is_it)
    };
    assert!(has("ann", SHORTER) && has("ann", PORT));
    // Both know this one.
    assert!(!has("ann", RETRY) && !has("bob", RETRY));
    let swapped = json!({"learner": "bob", "other": "ann"});
    assert_eq!(
        known.rows("analyst/start/compared", swapped).len(),
        rows.len()
    );
}

fn author(known: &Known) {
    let rows = known.rows("analyst/history/author", json!({"author": "eve"}));
    let found = columns(&rows, "delta content status");
    let expected = json!([
        ["first", RETRY, "active"],
        ["first", SCHEMA, "active"],
        ["first", SHORTER, "active"],
        ["first", PORT, "active"],
        ["first", FOLDER, "archived"],
        ["first", WRONG, "rejected"],
    ]);
    assert_eq!(found, expected);
}

fn unanswered(known: &Known) {
    assert!(known.rows("analyst/use/unanswered", json!({})).is_empty());
    let rows = known.rows("analyst/use/unanswered", json!({"scope": "talk"}));
    assert!(rows.is_empty(), "nothing was asked there");
}
