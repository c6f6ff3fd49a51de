//! The reader of every format that is a row of the table: walks from records to runs to entries.
//!
//! A record is a run, holds several runs, or is one entry of a longer run. Entries are read one at a time; only a
//! format that is written out of order holds some of them back.

use std::collections::HashSet;

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::path::{first, select};
use super::row::{Order, Row};
use super::rows;
use super::shape::{Joiner, Place, time_of};
use crate::collector::Out;
use crate::json::{At, Values, line_of};
use crate::step::Run;
use crate::verdict::Call;

/// Entries that are held back to be put in the order of their times.
const SORTED_MAX: usize = 4_096;
/// Depth of entries within entries.
const DEPTH_MAX: usize = 16;
/// The reward of a run that reached its goal; rewards lie between 0 and 1.
const PASSED: f64 = 1.0 - 1e-6;

/// The table of formats.
pub(crate) const fn rows() -> &'static [Row] {
    rows::ROWS
}

/// Reads a format by its row.
pub(crate) struct Described {
    row: &'static Row,
    joiner: Joiner,
    run: Run,
    parts: usize,
    /// The first entry of the last list.
    opening: Option<Value>,
    /// Entries of the present list so far.
    entries: usize,
    held: Vec<Held>,
}

/// An entry that is held back.
struct Held {
    at: Option<Timestamp>,
    value: Value,
    begun: Call,
}

impl Described {
    pub(crate) fn new(row: &'static Row) -> Self {
        Self {
            row,
            joiner: Joiner::default(),
            run: Run::default(),
            parts: 0,
            opening: None,
            entries: 0,
            held: Vec::new(),
        }
    }

    /// Begins the run of an object, or continues the present one: an object without a name and without a list of
    /// entries is part of it, and a list that begins like the last one is that list again.
    fn begin(&mut self, run: &Value, record: &Value, opening: Option<&Value>, out: &mut Out<'_>) {
        // The plain `id` of an entry names the entry.
        let is_named = |name: &&&str| opening.is_some() || **name != "id";
        let paths: Vec<&str> = self.row.name.iter().filter(is_named).copied().collect();
        let names = [record, run].map(|value| name_in(value, &paths));
        let is_inner = !std::ptr::eq(run, record);
        let name = match names {
            [Some(outer), Some(inner)] if is_inner => Some(format!("{outer}-{inner}")),
            [outer, inner] => inner.or(outer),
        };
        let is_new = opening.is_some() && self.opening.as_ref() != opening;
        self.opening = opening.cloned().or_else(|| self.opening.take());
        let begun = match name {
            Some(name) => Run::Named(name),
            None if is_new => {
                self.parts += 1;
                Run::Part(self.parts)
            }
            None => return,
        };
        // Ids of calls are unique within a run only.
        if opening.is_some() && self.run != begun {
            self.finish(out);
        }
        self.run = begun;
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.release(out);
        self.joiner.finish(out);
    }

    fn entry(&mut self, entry: &Value, mut begun: Call, depth: usize, out: &mut Out<'_>) {
        if let Some(name) = name_in(entry, self.row.name_of_entry) {
            begun.run = Run::Named(name);
        }
        if self.row.order == Order::ByTime {
            if self.held.len() >= SORTED_MAX {
                self.release(out);
            }
            self.held.push(Held {
                at: time_of(entry),
                value: without(entry, self.row.nested),
                begun: begun.clone(),
            });
        } else {
            self.read(entry, begun.clone(), out);
        }
        if !self.row.nested.is_empty() && depth < DEPTH_MAX {
            for inner in select(entry, self.row.nested) {
                self.entry(inner, begun.clone(), depth + 1, out);
            }
        }
    }

    fn read(&mut self, entry: &Value, begun: Call, out: &mut Out<'_>) {
        let is_repeated = self.row.order == Order::Repeated;
        let position = is_repeated.then_some(self.entries);
        self.entries += 1;
        let place = Place { begun, position };
        self.joiner.entry(entry, self.row.shapes, &place, out);
    }

    /// Reads the entries that were held back, the earliest first.
    fn release(&mut self, out: &mut Out<'_>) {
        let mut held = std::mem::take(&mut self.held);
        held.sort_by_key(|held| held.at);
        let parents = held
            .iter()
            .filter_map(|held| name_in(&held.value, self.row.parent));
        let parents: HashSet<String> = parents.collect();
        let is_outer =
            |entry: &Value| name_in(entry, &["id"]).is_some_and(|id| parents.contains(&id));
        held.retain(|held| !is_outer(&held.value) || self.row.is_tool(&held.value));
        for Held { value, begun, .. } in held {
            self.read(&value, begun, out);
        }
    }
}

impl Values for Described {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let (path, runs) = self.row.runs_of(record);
        let lines_of_runs = at.elements(field_of(path));
        for (index, run) in runs.into_iter().enumerate() {
            let list = self.row.list(run);
            // An update of one node is no run of its own.
            let lists = list.iter().filter(|(path, _)| !path.starts_with('{'));
            let opening = lists
                .filter_map(|(_, entries)| entries.first().copied())
                .next();
            self.begin(run, record, opening, out);
            let begun = Call {
                run: self.run.clone(),
                line: line_of(&lines_of_runs, index, at),
                task: name_in(run, self.row.task),
                ..Call::default()
            };
            let Some((path, entries)) = list else {
                self.entry(run, begun, 0, out);
                continue;
            };
            // Lists of one name in several runs cannot be distinguished in the text.
            let is_only = std::ptr::eq(run, record);
            let field = if is_only { field_of(path) } else { "" };
            let lines = at.elements(field);
            out.count(entries.len());
            if opening.is_some() {
                self.entries = 0;
            }
            for (index, entry) in entries.into_iter().enumerate() {
                let line = lines.get(index).copied().unwrap_or(begun.line);
                let begun = Call {
                    line,
                    ..begun.clone()
                };
                self.entry(entry, begun, 0, out);
            }
            if let Some(reward) = first(run, self.row.reward).and_then(Value::as_f64) {
                self.finish(out);
                out.ended(begun.run, reward >= PASSED);
            }
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.finish(out);
    }
}

/// The name of the list at the end of a path.
fn field_of(path: &str) -> &str {
    let field = path.rsplit('.').next().unwrap_or(path);
    field.strip_suffix("[]").unwrap_or_default()
}

/// An entry without the entries within it, which are held on their own.
fn without(entry: &Value, nested: &str) -> Value {
    let mut entry = entry.clone();
    if let (Some(object), Some(name)) = (entry.as_object_mut(), nested.strip_suffix("[]")) {
        object.remove(name);
    }
    entry
}

/// A name at the first of some paths; `a+b` joins two by a dash.
fn name_in(value: &Value, names: &[&str]) -> Option<String> {
    let plain = |path: &str| match first(value, &[path])? {
        Value::Number(number) => Some(number.to_string()),
        other => other
            .as_str()
            .filter(|name| !name.is_empty())
            .map(str::to_owned),
    };
    names.iter().find_map(|name| {
        let parts: Option<Vec<String>> = name.split('+').map(plain).collect();
        Some(parts?.join("-"))
    })
}
