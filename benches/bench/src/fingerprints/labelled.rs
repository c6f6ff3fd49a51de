//! Labelled lines: JSON Lines with a `text` and its `event` or `class`, or the CSV tables of LogHub.
//!
//! A file is identified by its first row, so that a folder may hold other files too. `event` means that the text is a
//! line of a log, `class` that it is an error of a tool; `set` is the system or the tool, and without it the name of
//! the file.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::data;
use crate::error::EvalError;

const FORM: &str = "each line is {\"set\", \"text\", \"event\" or \"class\"}; LogHub is at \
                    github.com/logpai/loghub, its *_structured.csv files can be read as they are";

/// The lines of one system or tool, with their labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledSet {
    /// The system or the tool.
    pub name: String,
    /// Whether these are lines of a log.
    pub is_log: bool,
    /// The lines, in order.
    pub texts: Vec<String>,
    /// Their labels, numbered in order of arrival.
    pub labels: Vec<usize>,
}

/// A row of a labelled file.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    set: Option<String>,
    #[serde(default)]
    event: Option<String>,
    #[serde(default)]
    class: Option<String>,
    text: String,
}

/// Sets by name, with the numbers of their labels.
#[derive(Default)]
struct Sets(BTreeMap<(bool, String), (LabelledSet, HashMap<String, usize>)>);

/// Reads all labelled files in a folder and the folders in it, or a single file.
pub fn read_sets(folder: &Path) -> Result<Vec<LabelledSet>, EvalError> {
    let mut sets = Sets::default();
    for file in data::files(folder)? {
        read(&file, &mut sets)?;
    }
    if sets.0.is_empty() {
        let message = format!("`{}` holds no labelled lines", folder.display());
        return Err(EvalError::new(message, FORM));
    }
    // Logs first.
    let mut sets: Vec<LabelledSet> = sets.0.into_values().map(|(set, _)| set).collect();
    sets.sort_by_key(|set| !set.is_log);
    Ok(sets)
}

fn read(file: &Path, sets: &mut Sets) -> Result<(), EvalError> {
    let name = file.file_name().and_then(|name| name.to_str());
    let Some(name) = name else { return Ok(()) };
    if name.ends_with(".log_structured.csv") {
        let system = name.split('_').next().unwrap_or(name);
        return read_table(file, system, sets);
    }
    let stem = data::stem(file).unwrap_or(name);
    let is_labelled = data::first_of_file(file)?.is_some_and(|first| {
        let has = |key: &str| first.get(key).is_some_and(serde_json::Value::is_string);
        has("text") && (has("event") || has("class"))
    });
    if !is_labelled {
        return Ok(());
    }
    for line in data::of_file::<Line>(file)? {
        let is_log = line.event.is_some();
        let Some(label) = line.event.or(line.class) else {
            let message = format!("`{}` has a line without a label", file.display());
            return Err(EvalError::new(message, FORM));
        };
        let set = line.set.unwrap_or_else(|| stem.to_owned());
        sets.add(is_log, &set, label, line.text);
    }
    Ok(())
}

/// Reads a table whose head names the columns `Content` and `EventId`.
fn read_table(file: &Path, system: &str, sets: &mut Sets) -> Result<(), EvalError> {
    let wrong = |why: &str| EvalError::new(format!("`{}` {why}", file.display()), FORM);
    let text =
        fs::read_to_string(file).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let mut rows = Rows(text.trim_start_matches('\u{FEFF}'));
    let head = rows.next().unwrap_or_default();
    let column = |name: &str| head.iter().position(|cell| cell == name);
    let (Some(content), Some(event)) = (column("Content"), column("EventId")) else {
        return Err(wrong("has no columns `Content` and `EventId`"));
    };
    for row in rows.filter(|row| row.iter().any(|cell| !cell.is_empty())) {
        let (Some(text), Some(label)) = (row.get(content), row.get(event)) else {
            return Err(wrong("has a row with too few cells"));
        };
        sets.add(true, system, label.clone(), text.clone());
    }
    Ok(())
}

impl Sets {
    fn add(&mut self, is_log: bool, set: &str, label: String, text: String) {
        let entry = self.0.entry((is_log, set.to_owned()));
        let (set, numbers) = entry.or_insert_with(|| {
            let set = LabelledSet {
                name: set.to_owned(),
                is_log,
                texts: Vec::new(),
                labels: Vec::new(),
            };
            (set, HashMap::new())
        });
        let next = numbers.len();
        set.labels.push(*numbers.entry(label).or_insert(next));
        set.texts.push(text);
    }
}

/// The rows of a table of comma-separated values (RFC 4180): quoted cells may hold commas and line ends.
struct Rows<'t>(&'t str);

impl Iterator for Rows<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        if self.0.is_empty() {
            return None;
        }
        let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        let mut chars = self.0.char_indices().peekable();
        let mut end = self.0.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if quoted && chars.next_if(|next| next.1 == '"').is_some() => cell.push('"'),
                '"' if quoted || cell.is_empty() => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\n' if !quoted => {
                    end = at + 1;
                    break;
                }
                '\r' if !quoted => {}
                c => cell.push(c),
            }
        }
        row.push(cell);
        self.0 = &self.0[end..];
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_hold_commas_quotes_and_line_ends() {
        let rows: Vec<Vec<String>> = Rows("a,b\r\n1,\"x, \"\"y\"\"\nz\"\n\n,2").collect();
        assert_eq!(
            rows,
            [
                vec!["a", "b"],
                vec!["1", "x, \"y\"\nz"],
                vec![""],
                vec!["", "2"]
            ]
        );
    }
}
