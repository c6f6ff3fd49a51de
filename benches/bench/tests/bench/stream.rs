//! Streams of solved cases: the files that are read, and the learning of the engine.

use std::fs;
use std::path::Path;

use hindlore_bench::stream::{read_sets, stream};
use hindlore_bench::{Report, svg};
use tempfile::TempDir;

/// Two sentences with two labels each: the right one depends on the neighbours of the value.
fn folder(sets: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("rents");
    fs::create_dir(&place).unwrap();
    let mut lines = String::new();
    for at in 0..sets {
        let (rent, share, towns) = (100 + at, 1 + at % 9, ["Ulm", "Bonn", "Trier"][at % 3]);
        let sentence = format!(
            "In {towns} the tenants paid a rent of $ {rent} each month , which was {share} % more than before ."
        );
        let line = serde_json::json!({
            "cases": [{"entity": rent.to_string(), "tag": "MonthlyRent"}, {"entity": share.to_string(), "tag": "Increase"}],
            "sentences": [sentence, sentence],
        });
        lines.push_str(&format!("{line}\n"));
    }
    fs::write(place.join("val.jsonl"), lines).unwrap();
    fs::write(place.join("notes.jsonl"), "{\"cases\": 1}\n").unwrap();
    folder
}

fn ours(report: &Report, name: &str) -> f64 {
    let row = report.rows.iter().find(|row| row.name == name);
    row.unwrap_or_else(|| panic!("no row {name:?}"))
        .ours
        .unwrap()
}

#[test]
fn what_stands_beside_a_value_tells_two_values_of_one_sentence_apart() {
    let folder = folder(40);
    let report = stream(folder.path(), &|_| ()).unwrap();
    // Nothing is known of the first set; all others repeat its form.
    assert_eq!(ours(&report, "rents accuracy, engine"), 78.0 / 80.0);
    assert_eq!(ours(&report, "rents accuracy, quarter 4, engine"), 1.0);
    // Words alone cannot decide: both cases of a set have one sentence.
    let plain = ours(&report, "rents accuracy, nearest case, bm25");
    assert!((0.2..0.8).contains(&plain), "{plain}");
    let gain = ours(&report, "rents accuracy, engine - bm25");
    assert!((gain - (78.0 / 80.0 - plain)).abs() < 1e-12);
}

#[test]
fn nothing_is_right_before_anything_was_learned() {
    let folder = folder(1);
    let report = stream(folder.path(), &|_| ()).unwrap();
    assert_eq!(ours(&report, "rents accuracy, engine"), 0.0);
    let missed = report
        .rows
        .iter()
        .find(|row| row.name == "rents accuracy, beside bm25 on the full set");
    assert_eq!(missed.unwrap().holds, Some(false));
}

#[test]
fn the_learning_curve_has_both_lines() {
    let folder = folder(12);
    let report = stream(folder.path(), &|_| ()).unwrap();
    let curve = &report.curves[0];
    assert_eq!(
        (curve.name.as_str(), curve.lines.len()),
        ("stream-rents", 2)
    );
    let engine = &curve.lines[0].points;
    assert_eq!((engine[0], engine.last().unwrap()[1]), ([0.0, 0.0], 1.0));
    assert!(svg(curve).contains("nearest case"));
}

#[test]
fn files_of_another_form_are_passed_over_and_broken_ones_named() {
    let folder = folder(2);
    assert_eq!(read_sets(folder.path()).unwrap().len(), 1);
    let broken = folder.path().join("broken.jsonl");
    fs::write(
        &broken,
        "{\"cases\": [{\"entity\": \"1\", \"tag\": \"a\"}], \"sentences\": []}\n",
    )
    .unwrap();
    let error = read_sets(folder.path()).unwrap_err();
    assert!(
        error.message.contains("line 1 has 1 cases and 0 sentences"),
        "{error}"
    );
    let error = read_sets(Path::new("../../tests/engine")).unwrap_err();
    assert!(error.hint.contains("FiNER"), "{error:?}");
}
