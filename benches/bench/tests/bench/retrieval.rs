//! Reading sets of dialogues, and the rows that are measured on them.

use std::collections::BTreeSet;
use std::path::Path;

use hindlore_bench::Report;
use hindlore_bench::retrieval::{DataSet, RetrievalOptions, read_sets, retrieval};

fn folder() -> &'static Path {
    Path::new("../../tests/data/dialogues")
}

fn set(name: &str) -> DataSet {
    let sets = read_sets(folder()).unwrap();
    sets.into_iter().find(|set| set.name == name).unwrap()
}

fn report(choices: bool) -> Report {
    let options = RetrievalOptions {
        choices,
        ..RetrievalOptions::default()
    };
    retrieval(folder(), options, &|_| ()).unwrap()
}

#[test]
fn turns_stand_in_the_order_of_their_sessions_and_follow_within_one() {
    let talk = &set("locomo").collections[0];
    assert_eq!(
        talk.texts,
        [
            "Ann: I adopted a grey parrot called Kiko.",
            "Bob: Can it talk already? [image: a parrot on a perch]",
            "Bob: My violin lessons begin on Tuesday.",
            "Ann: The ferry to the island leaves at noon.",
        ]
    );
    assert_eq!(talk.follows, [false, true, false, false]);
}

#[test]
fn evidence_is_found_also_where_its_form_is_loose() {
    let locomo = set("locomo");
    let talk = &locomo.collections[0];
    let evidence: Vec<&BTreeSet<usize>> = talk.questions.iter().map(|one| &one.evidence).collect();
    assert_eq!(evidence, [&BTreeSet::from([0]), &BTreeSet::from([2, 3])]);
    assert_eq!((locomo.left_out, talk.unanswerable.len()), (1, 1));
}

#[test]
fn quoted_sources_are_found_with_their_gaps_and_in_other_quotes() {
    let bfcl = set("bfcl");
    let names: Vec<&str> = bfcl
        .collections
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["kitchen", "garden"]);
    let evidence = |at: usize, question: usize| &bfcl.collections[at].questions[question].evidence;
    assert_eq!(evidence(0, 0), &BTreeSet::from([0]));
    assert_eq!(evidence(0, 1), &BTreeSet::from([1]));
    assert_eq!(evidence(1, 0), &BTreeSet::from([0]));
    assert_eq!((bfcl.questions(), bfcl.left_out), (3, 1));
}

#[test]
fn a_folder_without_a_known_set_is_refused_with_what_it_should_hold() {
    let error = read_sets(Path::new("../../tests/data")).map(|sets| sets.len());
    // The sets lie one folder deeper than is looked for.
    assert!(error.unwrap_err().hint.contains("locomo.jsonl.gz"));
    assert!(read_sets(Path::new("tests/nowhere")).is_err());
}

#[test]
fn every_method_has_its_rows_and_goals_stand_on_the_engine_alone() {
    let report = report(false);
    for set in ["locomo", "bfcl", "rules behind 70 words"] {
        for figure in ["recall@5", "one of 3", "recall@10", "nDCG@10", "P@1"] {
            for method in ["original", "cl-bench", "engine", "jaccard", "bm25"] {
                let name = format!("{set} {figure} {method}");
                let row = report.rows.iter().find(|row| row.name == name).unwrap();
                let ours = row.ours.unwrap();
                let [low, high] = row.interval.unwrap();
                assert!(
                    low <= ours && ours <= high && (0.0..=1.0).contains(&ours),
                    "{name}"
                );
            }
        }
    }
    let goals: Vec<&str> = report
        .rows
        .iter()
        .filter(|row| row.goal.is_some())
        .map(|row| &*row.name)
        .collect();
    assert!(goals.contains(&"locomo recall@5 engine") && goals.contains(&"bfcl P@1 engine"));
    // Two of abstention, four of rule files, and how far each of six sets may fall below plain BM25.
    assert_eq!(goals.len(), 14, "{goals:?}");
}

#[test]
fn easy_questions_are_answered_and_floors_refuse_more_and_more() {
    let report = report(true);
    let ours = |name: &str| {
        report
            .rows
            .iter()
            .find(|row| row.name == name)
            .unwrap()
            .ours
    };
    assert_eq!(ours("bfcl P@1 engine"), Some(1.0));
    assert_eq!(ours("locomo recall@5 engine"), Some(1.0));
    let floors = report
        .curves
        .iter()
        .find(|curve| curve.name == "floor-locomo")
        .unwrap();
    for line in &floors.lines {
        let rises = line.name != "recall@5";
        for pair in line.points.windows(2) {
            assert!(if rises {
                pair[0][1] <= pair[1][1]
            } else {
                pair[0][1] >= pair[1][1]
            });
        }
    }
    for name in ["neighbours-locomo", "weights-bfcl", "weights-locomo"] {
        assert!(
            report.curves.iter().any(|curve| curve.name == name),
            "{name}"
        );
    }
}
