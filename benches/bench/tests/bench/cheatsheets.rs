//! Rewritten notes compared with the same notes grown and refined.

use std::fs;
use std::path::Path;

use hindlore_bench::Report;
use hindlore_bench::cheatsheets::{cheatsheets, read_runs};
use tempfile::TempDir;

const FIRST: &str =
    "Burnside: count the colourings that each symmetry leaves unchanged and take their mean.";
const SECOND: &str =
    "Telescoping sums: write every term as a difference so that neighbours cancel out.";
const THIRD: &str =
    "Parity: colour the board like chess and compare how many squares each move takes.";

fn sheet(entries: &[&str], step: usize) -> String {
    let items: String = entries
        .iter()
        .map(|entry| {
            format!("<memory_item>\n<description>\n{entry} (Reference: Q{step})\n</description>\n** Count: {step}\n\n")
        })
        .collect();
    format!("Version: {step}\n\n{items}")
}

/// A run whose sheets hold two entries each; the first is lost in the third sheet.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let sheets = [vec![FIRST], vec![FIRST, SECOND], vec![SECOND, THIRD]];
    let lines: String = sheets
        .iter()
        .enumerate()
        // The order of the lines is not that of the steps.
        .rev()
        .map(|(step, entries)| {
            let line = serde_json::json!({"run": "maths/notes", "step": step, "cheatsheet": sheet(entries, step)});
            format!("{line}\n")
        })
        .collect();
    fs::write(folder.path().join("sheets.jsonl"), lines).unwrap();
    folder
}

fn report() -> Report {
    cheatsheets(folder().path(), &|_| ()).unwrap()
}

fn figures(report: &Report, name: &str) -> (f64, Option<f64>) {
    let row = report
        .rows
        .iter()
        .find(|row| row.name == format!("maths/notes {name}"));
    let row = row.unwrap_or_else(|| panic!("no row {name:?}"));
    (row.ours.unwrap(), row.theirs)
}

#[test]
fn what_rewriting_dropped_is_still_known() {
    let report = report();
    assert_eq!(
        figures(&report, "entries kept, grow and refine"),
        (1.0, Some(2.0 / 3.0))
    );
    assert_eq!(
        figures(&report, "entries at the end, grow and refine"),
        (3.0, Some(2.0))
    );
    assert_eq!(
        figures(&report, "near-duplicates at the end, grow and refine"),
        (0.0, Some(0.0))
    );
    assert_eq!(
        figures(&report, "entries lost a step, rewriting"),
        (0.5, None)
    );
    let (words, beside) = figures(&report, "words kept, grow and refine");
    assert!(words == 1.0 && (0.67..1.0).contains(&beside.unwrap()));
    // Kept notes cost room, and the report lists it.
    let (size, beside) = figures(&report, "size at the end, grow and refine");
    assert!(size > beside.unwrap());
}

#[test]
fn the_curve_falls_where_a_sheet_forgot() {
    let report = report();
    let line = |name: &str| {
        report.curves[0]
            .lines
            .iter()
            .find(|line| line.name == name)
            .unwrap()
    };
    assert_eq!(
        line("rewriting").points,
        [[0.0, 1.0], [1.0, 1.0], [2.0, 2.0 / 3.0]]
    );
    assert_eq!(
        line("grow and refine").points,
        [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    );
}

#[test]
fn sheets_stand_in_the_order_of_their_steps() {
    let runs = read_runs(folder().path()).unwrap();
    assert_eq!(runs.len(), 1);
    let sizes: Vec<usize> = runs[0].sheets.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 2, 2]);
    assert_eq!(runs[0].sheets[0][0].text, FIRST);
}

#[test]
fn a_folder_without_entries_is_refused_with_what_it_should_hold() {
    let error = read_runs(Path::new("../../tests/engine"))
        .map(|runs| runs.len())
        .unwrap_err();
    assert!(error.hint.contains("<memory_item>"), "{error:?}");
}
