//! Drawn tables and tasks over them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::error::LabResult;
use crate::tool::Task;
use crate::world::table::Language;

const KEYS: &[(&str, &[&str])] = &[
    ("zone", &["Alder", "Birch", "Cedar", "Doum"]),
    ("line", &["red", "blue", "grey"]),
    ("crew", &["Ito", "Kaya", "Lund", "Moss"]),
];
const FIGURES: &[&str] = &["weight", "hours", "yield_kg", "budget", "trips"];

/// Draws the files and the tasks, the latter without their expected results.
pub(super) fn drawn(chance: &mut Chance) -> (BTreeMap<String, String>, Vec<Value>) {
    let mut keys = KEYS.to_vec();
    chance.shuffle(&mut keys);
    let mut figures = FIGURES.to_vec();
    chance.shuffle(&mut figures);
    let ((key, names), (other, others)) = (keys[0], keys[1]);
    let (a, b) = (figures[0], figures[1]);
    let mut table = format!("no,{key},{other},{a},{b}\n");
    for number in 1..=8 + chance.below(8) {
        let (first, second) = (chance.one(names).copied(), chance.one(others).copied());
        let (x, y) = (10 * (1 + chance.below(90)), 1 + chance.below(20));
        let row = format!(
            "{number},{},{},{x},{y}\n",
            first.unwrap_or("-"),
            second.unwrap_or("-")
        );
        table.push_str(&row);
    }
    let mut notes = format!("{key},limit\n");
    for name in names {
        notes.push_str(&format!("{name},{}\n", 50 * (1 + chance.below(8))));
    }
    let main = format!("{key}_list.csv");
    let tasks = tasks(&Names {
        main: &main,
        key,
        other,
        a,
        b,
        value: names[0],
        limit: 100 + 10 * chance.below(30),
    });
    (
        BTreeMap::from([(main, table), ("limits.csv".to_owned(), notes)]),
        tasks,
    )
}

struct Names<'a> {
    main: &'a str,
    key: &'a str,
    other: &'a str,
    a: &'a str,
    b: &'a str,
    value: &'a str,
    limit: usize,
}

fn tasks(names: &Names<'_>) -> Vec<Value> {
    let Names {
        main,
        key,
        other,
        a,
        b,
        value,
        limit,
    } = names;
    let figure = |alias: &str, function: &str, column: &str| json!({"alias": alias, "function": function, "column": column});
    let load = json!({"intent": "load", "path": main});
    let show = json!({"intent": "show", "count": 5});
    let rate = format!("{a} / {b}");
    let gap = format!("{a} - limit");
    vec![
        json!({"name": "aggregate_report", "wanted": format!("total {a} by {key}"), "plan": [
            load, {"intent": "group", "group": [key], "aggregates": [figure("total", "sum", a), figure("n", "count", "no")]},
            {"intent": "sort", "column": "total", "direction": "desc"}, show]}),
        json!({"name": "basic_transform", "wanted": format!("{a} for each {b}"), "plan": [
            load, {"intent": "derive", "name": "rate", "expression": rate},
            {"intent": "select", "columns": ["no", key, "rate"]},
            {"intent": "sort", "column": "rate", "direction": "asc"}, show]}),
        json!({"name": "multi_step_pipeline", "wanted": format!("rows above {limit} without {value}"), "plan": [
            load, {"intent": "filter", "column": a, "operator": "gt", "value": limit},
            {"intent": "exclude", "column": key, "operator": "eq", "value": value},
            {"intent": "sort", "column": a, "direction": "desc"},
            {"intent": "select", "columns": [other, a]}, show]}),
        json!({"name": "performance", "wanted": format!("{a} against the limit by {other}"), "plan": [
            load, {"intent": "join", "path": "limits.csv", "column": key},
            {"intent": "derive", "name": "gap", "expression": gap},
            {"intent": "group", "group": [other], "aggregates": [figure("gap_total", "sum", "gap"), figure("most", "max", a)]},
            {"intent": "sort", "column": "gap_total", "direction": "desc"}, show]}),
    ]
}

/// Writes the output of its reference into a task.
pub(super) fn note_answer(
    task: &mut Value,
    language: &Language,
    data: &BTreeMap<String, String>,
) -> LabResult<()> {
    let read = Task::parse_all(&json!({"tasks": [task]}))?;
    for one in &read {
        let program = one
            .plan
            .iter()
            .map(|step| language.line(step))
            .collect::<LabResult<Vec<_>>>()?;
        task["expected"] = json!(language.printed(&program, data)?);
    }
    Ok(())
}
