//! The expected answer of each question of the pack on the memory that the tests made. A missing, extra or misplaced
//! row fails; so does a number that differs from the domain's.

use std::time::{SystemTime, UNIX_EPOCH};

use hindlore_domain::memory::decay::{decayed_score, half_life_ticks, retention};
use hindlore_domain::memory::policy::Policy;
use serde_json::{Map, Value, json};

use crate::analyst::{
    CRATES, FOLDER, Known, NO_BACKOFF, OTHER_PORT, PORT, RETRY, SCHEMA, SCHEMA_AGAIN, SHORT,
    SHORTER, WRONG,
};

type Row = Map<String, Value>;
pub(crate) type Check = fn(&Known);

/// Every question of the pack with its expectation.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("analyst/start/learners", learners),
    ("analyst/start/overview", overview),
    ("analyst/start/policies", policies),
    ("analyst/strength/strongest", strongest),
    ("analyst/strength/fading", fading),
    ("analyst/strength/hot", hot),
    ("analyst/strength/expiring", expiring),
    ("analyst/use/hit_rates", hit_rates),
    ("analyst/use/never_helped", never_helped),
    ("analyst/use/never_returned", never_returned),
    ("analyst/use/retrievals", retrievals),
    ("analyst/review/duplicates", duplicates),
    ("analyst/review/conflicts", conflicts),
    ("analyst/review/archived", archived),
    ("analyst/review/rejected", rejected),
    ("analyst/review/families", families),
    ("analyst/review/superseded", superseded),
    ("analyst/review/common_texts", common_texts),
    ("analyst/review/consolidated", consolidated),
    ("analyst/review/consolidations", consolidations),
    ("analyst/history/sources", sources),
    ("analyst/history/by_day", by_day),
    ("analyst/history/by_revision", by_revision),
    ("analyst/history/delta", delta),
    ("analyst/history/life", life),
    ("analyst/labels/tags", tags),
    ("analyst/labels/topics", topics),
    ("analyst/picture/neighbours", neighbours),
    ("analyst/picture/links", links),
    ("analyst/picture/delta", picture_of_delta),
    ("analyst/picture/dialogues", dialogues),
];

/// Some columns of each row, in order.
pub(crate) fn columns(rows: &[Row], names: &str) -> Value {
    let names: Vec<&str> = names.split(' ').collect();
    let cells = |row: &Row| {
        names
            .iter()
            .map(|name| row[*name].clone())
            .collect::<Value>()
    };
    rows.iter().map(cells).collect()
}

fn number(row: &Row, name: &str) -> f64 {
    row[name]
        .as_f64()
        .unwrap_or_else(|| panic!("{name} in {row:?}"))
}

fn is_near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

/// The type of the only relationship of each path.
fn relationships(rows: &[Row], column: &str) -> Vec<String> {
    let kind = |row: &Row| row[column][1]["type"].as_str().unwrap().to_owned();
    let mut kinds: Vec<String> = rows.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds
}

fn learners(known: &Known) {
    let rows = known.rows("analyst/start/learners", json!({}));
    let found = columns(
        &rows,
        "learner scope active archived rejected revision clock retrievals",
    );
    let expected = json!([
        ["ann", "desk", 9, 2, 1, 5, 7, 2],
        ["ann", "talk", 6, 0, 0, 3, 3, 0],
        ["bob", "desk", 4, 0, 0, 1, 1, 0],
        ["cal", "desk", 4, 2, 0, 2, 2, 0],
    ]);
    assert_eq!(found, expected);
    assert!(
        rows[0]["since"]
            .as_str()
            .unwrap()
            .starts_with("2026-09-21T14:13:20")
    );
}

fn overview(known: &Known) {
    let rows = known.rows("analyst/start/overview", json!({}));
    assert_eq!(rows.len(), 15);
    for row in &rows {
        let labels: Vec<&Value> = [0, 2, 4]
            .iter()
            .map(|at| &row["way"][*at]["labels"][0])
            .collect();
        assert_eq!(labels, ["Learner", "ContextScope", "Bullet"]);
        assert_eq!(row["way"][4]["properties"]["status"], "active");
    }
    let last = &rows[14]["way"][4]["properties"]["content"];
    assert_eq!(last, NO_BACKOFF, "the one with a harmful vote comes last");
    assert_eq!(
        known
            .rows("analyst/start/overview", json!({"learner": "bob"}))
            .len(),
        4
    );
}

fn policies(known: &Known) {
    let rows = known.rows("analyst/start/policies", json!({}));
    let policy = Policy::default();
    let names = "scope mode profile semantic_rate episodic_rate procedural_rate base_strength \
                 merge_threshold floor max_bullets guard expiry";
    let of = |scope: &str| {
        json!([
            scope,
            "engine",
            "engine",
            policy.rates.semantic,
            policy.rates.episodic,
            policy.rates.procedural,
            policy.base_strength,
            policy.merge_threshold,
            policy.floor,
            policy.max_bullets,
            true,
            true
        ])
    };
    assert_eq!(
        columns(
            &rows,
            &names.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
        json!([of("desk"), of("talk")])
    );
}

fn strongest(known: &Known) {
    let rows = known.rows("analyst/strength/strongest", json!({}));
    let (rates, clock) = (Policy::default().rates, known.view.as_ref().unwrap().clock);
    assert_eq!(rows.len(), 9);
    for row in &rows {
        let bullet = known.bullet(row["content"].as_str().unwrap());
        assert!(
            is_near(number(row, "decayed"), decayed_score(bullet, &rates, clock)),
            "{row:?}"
        );
        assert!(
            is_near(number(row, "retention"), retention(bullet, &rates, clock)),
            "{row:?}"
        );
        assert_eq!(row["bullet"], json!(bullet.id));
    }
    assert!(rows.is_sorted_by(|a, b| number(a, "decayed") >= number(b, "decayed")));
    // Touched by its feedback at tick 5 of 7; the seeded ones have a vote more, and were never touched.
    let retry = columns(
        &rows[..1],
        "content memory_type strength idle helpful harmful",
    );
    assert_eq!(retry, json!([[RETRY, "procedural", 104.0, 2, 4, 0]]));
    assert_eq!(
        known
            .rows("analyst/strength/strongest", json!({"limit": 2}))
            .len(),
        2
    );
}

fn fading(known: &Known) {
    let rows = known.rows("analyst/strength/fading", json!({}));
    let (rates, clock) = (Policy::default().rates, known.view.as_ref().unwrap().clock);
    assert_eq!(rows.len(), 6, "the seeded ones are left out");
    for row in &rows {
        let bullet = known.bullet(row["content"].as_str().unwrap());
        assert!(
            is_near(number(row, "retention"), retention(bullet, &rates, clock)),
            "{row:?}"
        );
    }
    assert!(rows.is_sorted_by(|a, b| number(a, "retention") <= number(b, "retention")));
    // A fact that was touched last at tick 1 of 7, with a half-life of 69 ticks.
    assert_eq!(
        columns(&rows[..1], "content idle half_life to_half"),
        json!([[PORT, 6, 69.0, 63]])
    );
    assert!((half_life_ticks(rates.semantic) - 69.0).abs() < 0.05);
}

fn hot(known: &Known) {
    let rows = known.rows("analyst/strength/hot", json!({}));
    assert_eq!(
        columns(&rows, "returned last_tick"),
        json!([[2, 4], [2, 4]])
    );
    let mut ranks: Vec<&Value> = rows.iter().map(|row| &row["best_rank"]).collect();
    ranks.sort_by_key(|rank| rank.as_u64());
    assert_eq!(ranks, [&json!(1), &json!(2)]);
    let last = known.rows("analyst/strength/hot", json!({"window": 4}));
    assert_eq!(columns(&last, "returned"), json!([[1], [1]]));
    assert!(
        known
            .rows("analyst/strength/hot", json!({"window": 3}))
            .is_empty()
    );
}

fn expiring(known: &Known) {
    let rows = known.rows("analyst/strength/expiring", json!({}));
    assert_eq!(
        columns(&rows, "content ttl_days obeyed"),
        json!([[SHORTER, 10, true]])
    );
    let expires = rows[0]["expires_at"].as_str().unwrap();
    assert!(expires.starts_with("2026-10-01T14:13:20"), "{expires}");
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs_f64();
    let days_left = (1_790_000_000.0 - now) / 86_400.0 + 10.0;
    assert!((number(&rows[0], "days_left") - days_left).abs() < 0.2);
}

fn hit_rates(known: &Known) {
    let rows = known.rows("analyst/use/hit_rates", json!({}));
    let found = columns(
        &rows,
        "content returned used helped harmed ignored hit_rate",
    );
    assert_eq!(
        found,
        json!([
            [RETRY, 2, 1, 1, 0, 0, 0.5],
            [NO_BACKOFF, 2, 0, 0, 1, 0, 0.0]
        ])
    );
}

fn never_helped(known: &Known) {
    let rows = known.rows("analyst/use/never_helped", json!({}));
    assert_eq!(
        columns(&rows, "content returned helped harmed"),
        json!([[NO_BACKOFF, 2, 0, 1]])
    );
    assert!(number(&rows[0], "mean_score") > 0.1);
    assert!(
        known
            .rows("analyst/use/never_helped", json!({"least": 3}))
            .is_empty()
    );
}

fn never_returned(known: &Known) {
    let rows = known.rows("analyst/use/never_returned", json!({}));
    let found = columns(&rows, "content source age");
    let expected = json!([
        [SCHEMA, "agent", 6],
        [SHORTER, "agent", 6],
        [PORT, "agent", 6],
        [OTHER_PORT, "agent", 5]
    ]);
    assert_eq!(found, expected);
}

fn retrievals(known: &Known) {
    let rows = known.rows("analyst/use/retrievals", json!({}));
    let found = columns(&rows, "tick query profile returned used helped harmed");
    let asked = "retry an upload with backoff";
    assert_eq!(
        found,
        json!([
            [4, asked, "engine", 2, 0, 0, 0],
            [3, asked, "engine", 2, 1, 1, 1]
        ])
    );
    assert!(rows[0]["retrieval"].as_str().unwrap().starts_with("r_"));
    let best = rows[0]["best"].as_str().unwrap();
    assert!([RETRY, NO_BACKOFF].contains(&best) && number(&rows[0], "best_score") > 0.3);
}

fn duplicates(known: &Known) {
    let rows = known.rows("analyst/review/duplicates", json!({}));
    let found = columns(&rows, "content other_content similarity tick");
    assert_eq!(found, json!([[OTHER_PORT, PORT, 0.882, 2]]));
}

fn conflicts(known: &Known) {
    let rows = known.rows("analyst/review/conflicts", json!({}));
    let found = columns(
        &rows,
        "content votes other_content other_votes similarity tick",
    );
    assert_eq!(found, json!([[NO_BACKOFF, -1, RETRY, 4, 0.867, 2]]));
    assert!(
        rows[0]["reason"].as_str().unwrap().contains("without"),
        "{rows:?}"
    );
}

/// The known memory gives its two ports as advice, not as statements, so neither is out of date.
fn superseded(known: &Known) {
    let rows = known.rows("analyst/review/superseded", json!({}));
    assert_eq!(columns(&rows, "content older_content"), json!([]));
}

fn consolidated(known: &Known) {
    let of = |learner: &str| known.rows("analyst/review/consolidated", json!({"learner": learner}));
    let found = columns(&of("cal"), "content status source_content missing tick");
    let whole = format!("{CRATES} Stack them by colour. Count them on Friday.");
    let source = |end: &str| json!([whole, "active", format!("{CRATES} {end}"), [], 2]);
    let mut rows = found.as_array().unwrap().clone();
    rows.sort_by_key(|row| row[2].as_str().unwrap().to_owned());
    let expected = [
        source("Count them on Friday."),
        source("Stack them by colour."),
    ];
    assert_eq!(rows, expected);
    assert!(of("ann").is_empty());
}

fn consolidations(known: &Known) {
    let rows = known.rows("analyst/review/consolidations", json!({"learner": "cal"}));
    let found = columns(
        &rows,
        "consolidation author made sources characters_before characters_after refused",
    );
    let (each, more) = (CRATES.len(), " Stack them by colour.".len());
    let both = 2 * (each + more);
    let expected = json!([[
        "consolidation c-known, batch 1",
        "eve",
        1,
        2,
        both,
        each + 2 * more,
        []
    ]]);
    assert_eq!(found, expected);
}

fn archived(known: &Known) {
    let rows = known.rows("analyst/review/archived", json!({}));
    let survivor = json!(known.bullet(SCHEMA).id);
    let found = columns(&rows, "content why into reason delta revision");
    let expected = json!([
        [FOLDER, "removed", null, "said \"enough\"", "tidy", 4],
        [SCHEMA_AGAIN, "merged", survivor, null, "second", 2],
    ]);
    assert_eq!(found, expected);
}

fn rejected(known: &Known) {
    let rows = known.rows("analyst/review/rejected", json!({}));
    let found = columns(&rows, "content reason author attempts");
    assert_eq!(found, json!([[WRONG, "it is not", "eve", 1]]));
}

fn families(known: &Known) {
    let rows = known.rows("analyst/review/families", json!({}));
    let found = columns(&rows, "content status members texts helpful harmful");
    assert_eq!(found, json!([[SCHEMA, "active", 1, [SCHEMA_AGAIN], 3, 0]]));
}

fn common_texts(known: &Known) {
    let rows = known.rows("analyst/review/common_texts", json!({}));
    let found = columns(&rows, "content memories where helpful harmful");
    assert_eq!(
        found,
        json!([[RETRY, 2, ["ann / desk", "bob / desk"], 5, 0]])
    );
}

fn sources(known: &Known) {
    let rows = known.rows("analyst/history/sources", json!({}));
    let found = columns(&rows, "source author deltas bullets active helpful harmful");
    let expected = json!([
        ["agent", "eve", 1, 5, 4, 7, 0],
        ["seed", null, 1, 3, 3, 15, 0],
        ["agent", "bob", 1, 2, 2, 0, 1],
        ["trajectory", "eve", 1, 1, 0, 0, 0],
    ]);
    assert_eq!(found, expected);
}

fn by_day(known: &Known) {
    let rows = known.rows("analyst/history/by_day", json!({}));
    let found = columns(
        &rows,
        "day deltas added merged archived rejected retrievals",
    );
    let expected = json!([
        ["2026-09-22", 4, 2, 1, 1, 1, 2],
        ["2026-09-21", 2, 9, 0, 0, 0, 0]
    ]);
    assert_eq!(found, expected);
}

fn by_revision(known: &Known) {
    let rows = known.rows("analyst/history/by_revision", json!({}));
    let found = columns(
        &rows,
        "revision tick delta author added merged archived rejected reasoning",
    );
    let feedback = &rows[2];
    assert_eq!(feedback["changed"], 2);
    let expected = json!([
        [5, 7, "again", "bob", 0, 0, 0, 0, "because of again"],
        [4, 6, "tidy", "eve", 0, 0, 1, 1, "because of tidy"],
        [
            3,
            5,
            feedback["delta"],
            "eve",
            0,
            0,
            0,
            0,
            feedback["reasoning"]
        ],
        [2, 2, "second", "bob", 2, 1, 0, 0, "because of second"],
        [1, 1, "first", "eve", 6, 0, 0, 0, "because of first"],
        [0, 0, "d_creation", null, 3, 0, 0, 0, null],
    ]);
    assert_eq!(found, expected);
}

fn delta(known: &Known) {
    let rows = known.rows("analyst/history/delta", json!({"revision": 4}));
    let found = columns(&rows, "change content content_before delta reasoning");
    let why = "because of tidy";
    let expected = json!([
        ["ARCHIVED", FOLDER, null, "tidy", why],
        ["CHANGED", SHORTER, SHORT, "tidy", why],
        ["REJECTED", WRONG, null, "tidy", why],
    ]);
    assert_eq!(found, expected);
    let votes = known.rows("analyst/history/delta", json!({"revision": 3}));
    assert_eq!(
        columns(&votes, "content helpful harmful"),
        json!([[RETRY, 1, 0], [NO_BACKOFF, 0, 1]])
    );
}

fn life(known: &Known) {
    let of = |content: &str| json!({"bullet": known.bullet(content).id});
    let rows = known.rows("analyst/history/life", of(RETRY));
    let found = columns(&rows, "tick event revision author helpful harmful");
    let expected = json!([
        [1, "ADDED", 1, "eve", 3, 0],
        [3, "RETURNED", null, null, null, null],
        [4, "RETURNED", null, null, null, null],
        [5, "CHANGED", 3, "eve", 1, 0],
    ]);
    assert_eq!(found, expected);
    assert!([1, 2].contains(&rows[1]["rank"].as_u64().unwrap()));
    let merged = known.rows("analyst/history/life", of(SCHEMA_AGAIN));
    assert_eq!(
        columns(&merged, "tick event by"),
        json!([[2, "MERGED", "second"]])
    );
    let changed = known.rows("analyst/history/life", of(SHORTER));
    assert_eq!(
        columns(&changed, "tick event"),
        json!([[1, "ADDED"], [6, "CHANGED"]])
    );
}

fn tags(known: &Known) {
    let rows = known.rows("analyst/labels/tags", json!({}));
    let found = columns(&rows, "tag bullets memories helpful harmful");
    let expected = json!([
        ["meta_strategy", 6, 2, 30, 0],
        ["network", 5, 2, 7, 0],
        ["retry", 1, 1, 4, 0]
    ]);
    assert_eq!(found, expected);
    assert_eq!(
        rows[0]["last_used"],
        Value::Null,
        "what was seeded was never touched"
    );
    assert!(
        rows[1]["last_used"]
            .as_str()
            .unwrap()
            .starts_with("2026-09-22")
    );
}

fn topics(known: &Known) {
    let rows = known.rows("analyst/labels/topics", json!({}));
    let found = columns(&rows, "sort name bullets memories helpful harmful");
    assert_eq!(
        found,
        json!([
            ["Topic", "uploads", 2, 1, 4, 1],
            ["Concept", "schemas", 1, 1, 3, 0]
        ])
    );
}

fn neighbours(known: &Known) {
    let of = json!({"bullet": known.bullet(RETRY).id});
    let rows = known.rows("analyst/picture/neighbours", of);
    let expected = [
        "ABOUT",
        "ADDED",
        "CHANGED",
        "CONFLICTS_WITH",
        "RETURNED",
        "RETURNED",
        "TAGGED",
        "TAGGED",
    ];
    assert_eq!(relationships(&rows, "way"), expected);
}

fn links(known: &Known) {
    let rows = known.rows("analyst/picture/links", json!({}));
    assert_eq!(
        relationships(&rows, "way"),
        ["CONFLICTS_WITH", "MERGED_INTO", "SIMILAR_TO"]
    );
}

fn picture_of_delta(known: &Known) {
    let rows = known.rows("analyst/picture/delta", json!({"revision": 2}));
    assert_eq!(
        relationships(&rows, "way"),
        ["ADDED", "ADDED", "CHANGED", "MERGED"]
    );
}

fn dialogues(known: &Known) {
    let rows = known.rows("analyst/picture/dialogues", json!({"scope": "talk"}));
    let found = columns(&rows, "length first last");
    assert_eq!(found, json!([[3, "Where is the log?", "Thanks a lot."]]));
    assert_eq!(rows[0]["chain"].as_array().unwrap().len(), 5);
    assert!(
        known
            .rows("analyst/picture/dialogues", json!({}))
            .is_empty()
    );
}
