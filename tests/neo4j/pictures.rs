//! The picture of each group of questions, compared with the tables of its group.

use serde_json::{Map, Value, json};

use crate::analyst::Known;
use crate::answers::Check;

/// The picture of each group with its expectation.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("analyst/strength/picture", strength),
    ("analyst/use/picture", uses),
    ("analyst/review/picture", review),
    ("analyst/history/picture", history),
    ("analyst/labels/picture", labels),
    ("analyst/trajectories/picture", trajectories),
    ("analyst/playbooks/picture", playbooks),
];

/// The ways of a picture, each as its labels and types one after the other.
fn ways(known: &Known, group: &str) -> Vec<Vec<String>> {
    let rows = known.rows(&format!("analyst/{group}/picture"), json!({"limit": 500}));
    let word = |part: &Value| {
        let kind = part["type"].as_str();
        let label = || part["labels"][0].as_str().unwrap();
        kind.unwrap_or_else(label).to_owned()
    };
    let way = |row: &Map<String, Value>| row["way"].as_array().unwrap().iter().map(word).collect();
    rows.iter().map(way).collect()
}

fn table(known: &Known, name: &str) -> Vec<Map<String, Value>> {
    known.rows(
        &format!("analyst/{name}"),
        json!({"limit": 500, "least": 0}),
    )
}

fn count(ways: &[Vec<String>], word: &str) -> usize {
    ways.iter()
        .filter(|way| way.iter().any(|one| one == word))
        .count()
}

fn strength(known: &Known) {
    let ways = ways(known, "strength");
    assert_eq!(ways[0], ["ContextScope", "HAS_POLICY", "Policy"]);
    assert_eq!(
        count(&ways, "HOLDS"),
        table(known, "strength/strongest").len()
    );
    assert_eq!(ways.len(), 1 + count(&ways, "HOLDS"));
}

fn uses(known: &Known) {
    let ways = ways(known, "use");
    let returned = table(known, "use/retrievals");
    let returned: u64 = returned
        .iter()
        .map(|row| row["returned"].as_u64().unwrap())
        .sum();
    assert!(returned > 2);
    assert_eq!(ways.len() as u64, returned);
    assert_eq!(count(&ways, "RETURNED"), ways.len());
}

fn review(known: &Known) {
    let ways = ways(known, "review");
    let archived = count(&ways, "ARCHIVED") + count(&ways, "MERGED");
    for (drawn, name) in [
        (count(&ways, "CONFLICTS_WITH"), "review/conflicts"),
        (archived, "review/archived"),
        (count(&ways, "REJECTED"), "review/rejected"),
    ] {
        assert!(drawn > 0, "{name}");
        assert_eq!(drawn, table(known, name).len(), "{name}");
    }
}

fn history(known: &Known) {
    let ways = ways(known, "history");
    let deltas = table(known, "history/by_revision").len();
    assert_eq!(count(&ways, "HISTORY"), 1);
    assert_eq!(count(&ways, "NEXT"), deltas - 1);
    assert!(count(&ways, "CHANGED") > 0 && count(&ways, "ADDED") == 0);
}

fn labels(known: &Known) {
    let ways = ways(known, "labels");
    for (word, label) in [("TAGGED", "Tag"), ("ABOUT", "Topic")] {
        assert!(count(&ways, word) > 0);
        assert_eq!(count(&ways, word), count(&ways, label));
    }
    assert!(ways.iter().all(|way| way.len() == 5), "{ways:?}");
}

fn trajectories(known: &Known) {
    let ways = ways(known, "trajectories");
    assert_eq!(
        count(&ways, "STEP"),
        table(known, "trajectories/steps").len()
    );
    let errors = table(known, "lessons/runs");
    let errors: u64 = errors
        .iter()
        .map(|row| row["errors"].as_u64().unwrap())
        .sum();
    assert_eq!(count(&ways, "RAISED") as u64, errors);
}

fn playbooks(known: &Known) {
    let ways = ways(known, "playbooks");
    let spoken = table(known, "playbooks/evidence").len();
    let strategies = table(known, "playbooks/strategies").len();
    assert_eq!(
        count(&ways, "SUPPORTED_BY") + count(&ways, "OPPOSED_BY"),
        spoken
    );
    assert_eq!(ways.len(), strategies + spoken);
}
