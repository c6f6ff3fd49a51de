//! Carrying lines out: the present table of a session, and the effect of each operation on it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Fault;
use super::cells::{Cell, Table};
use super::language::{Language, lines};
use super::read::{Aggregate, Arguments, read};
use crate::error::{LabError, LabResult};
use crate::tool::Task;

impl Language {
    /// Checks that the reference of a task gives the expected result.
    pub(crate) fn check(&self, task: &Task, data: &BTreeMap<String, String>) -> LabResult<()> {
        let program = if task.program.is_empty() {
            task.plan
                .iter()
                .map(|step| self.line(step))
                .collect::<LabResult<_>>()?
        } else {
            task.program.clone()
        };
        let printed = self.printed(&program, data)?;
        if printed != lines(&task.expected) {
            return Err(LabError::definition(
                "tasks.json",
                format!(
                    "the program of `{}` prints `{}`, which is not what it expects",
                    task.name,
                    printed.join("\\n")
                ),
            ));
        }
        Ok(())
    }

    /// Runs a program and returns its last output.
    pub(crate) fn printed(
        &self,
        program: &[String],
        data: &BTreeMap<String, String>,
    ) -> LabResult<Vec<String>> {
        let mut session = Session::default();
        for line in program {
            session.line(self, data, line).map_err(|fault| {
                LabError::definition(
                    "tasks.json",
                    format!("`{line}` is refused: {} {:?}", fault.kind, fault.values),
                )
            })?;
        }
        Ok(session.printed().to_vec())
    }
}

/// A program in progress.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Session {
    table: Option<Table>,
    printed: Vec<String>,
    lines: usize,
}

type Files = BTreeMap<String, String>;

impl Session {
    /// The number of lines that were accepted.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// The last output.
    pub(super) fn printed(&self) -> &[String] {
        &self.printed
    }

    /// The visible part of the table.
    pub(super) fn state(&self) -> String {
        match &self.table {
            None => "no table".to_owned(),
            Some(table) => format!(
                "table with columns {}, {} rows",
                table.columns.join(", "),
                table.rows.len()
            ),
        }
    }

    /// Carries out one line and returns its output.
    pub(super) fn line(
        &mut self,
        language: &Language,
        files: &Files,
        line: &str,
    ) -> Result<String, Fault> {
        let (operation, arguments) = read(language, line)?;
        let mut shown = String::new();
        match (operation, self.table.take()) {
            ("load", _) => self.table = Some(open(files, arguments.text("path"))?),
            (_, None) => {
                let word = line.split_whitespace().next().unwrap_or_default();
                return Err(Fault::new("no_table", &[("command", word)]));
            }
            ("show", Some(table)) => {
                let limit = arguments.text("count").parse().unwrap_or(usize::MAX);
                self.printed = table.lines(limit);
                shown = self.printed.join("\n");
                self.table = Some(table);
            }
            (operation, Some(table)) => {
                self.table = Some(changed(table, operation, &arguments, files)?)
            }
        }
        self.lines += 1;
        Ok(shown)
    }
}

fn changed(
    table: Table,
    operation: &str,
    arguments: &Arguments,
    files: &Files,
) -> Result<Table, Fault> {
    match operation {
        "filter" => kept(table, arguments, true),
        "exclude" => kept(table, arguments, false),
        "group" => grouped(&table, arguments),
        "sort" => sorted(table, arguments),
        "select" => selected(&table, arguments.list("columns")),
        "derive" => derived(table, arguments),
        _ => joined(
            &table,
            &open(files, arguments.text("path"))?,
            arguments.text("column"),
        ),
    }
}

fn open(files: &Files, path: &str) -> Result<Table, Fault> {
    files
        .get(path)
        .and_then(|csv| Table::read(csv))
        .ok_or_else(|| {
            let names: Vec<&str> = files.keys().map(String::as_str).collect();
            Fault::new(
                "file_not_found",
                &[("found", path), ("files", &names.join(", "))],
            )
        })
}

fn place(table: &Table, column: &str) -> Result<usize, Fault> {
    table.column(column).ok_or_else(|| {
        let columns = table.columns.join(", ");
        Fault::new(
            "unknown_column",
            &[("found", column), ("columns", &columns)],
        )
    })
}

fn kept(mut table: Table, arguments: &Arguments, is_kept: bool) -> Result<Table, Fault> {
    let column = place(&table, arguments.text("column"))?;
    let value = Cell::read(arguments.text("value"));
    let operator = arguments.text("operator");
    table
        .rows
        .retain(|row| holds(operator, order(&row[column], &value)) == is_kept);
    Ok(table)
}

fn holds(operator: &str, order: Ordering) -> bool {
    match operator {
        "eq" => order.is_eq(),
        "neq" => order.is_ne(),
        "gt" => order.is_gt(),
        "lt" => order.is_lt(),
        "gte" => order.is_ge(),
        _ => order.is_le(),
    }
}

/// Numbers by value, all else by text.
fn order(a: &Cell, b: &Cell) -> Ordering {
    match (a.number, b.number) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.text.cmp(&b.text),
    }
}

fn grouped(table: &Table, arguments: &Arguments) -> Result<Table, Fault> {
    let by: Vec<usize> = arguments
        .list("group")
        .iter()
        .map(|name| place(table, name))
        .collect::<Result<_, _>>()?;
    let mut columns = arguments.list("group").to_vec();
    columns.extend(arguments.aggregates.iter().map(|one| one.alias.clone()));
    let mut rows = Vec::new();
    for (mut row, members) in table.groups(&by) {
        for aggregate in &arguments.aggregates {
            row.push(aggregated(table, &members, aggregate)?);
        }
        rows.push(row);
    }
    Ok(Table { columns, rows })
}

fn aggregated(table: &Table, members: &[usize], aggregate: &Aggregate) -> Result<Cell, Fault> {
    let column = place(table, &aggregate.column)?;
    if aggregate.function == "count" {
        return Ok(Cell::count(members.len()));
    }
    let mut numbers = Vec::with_capacity(members.len());
    for member in members {
        let cell = &table.rows[*member][column];
        numbers.push(cell.number.ok_or_else(|| {
            Fault::new(
                "not_a_number",
                &[("found", &cell.text), ("column", &aggregate.column)],
            )
        })?);
    }
    let sum: f64 = numbers.iter().sum();
    Ok(Cell::of(match aggregate.function.as_str() {
        "sum" => sum,
        "avg" => sum / numbers.len() as f64,
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        _ => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }))
}

fn sorted(mut table: Table, arguments: &Arguments) -> Result<Table, Fault> {
    let column = place(&table, arguments.text("column"))?;
    let is_down = arguments.text("direction") == "desc";
    table.rows.sort_by(|a, b| {
        let order = order(&a[column], &b[column]);
        if is_down { order.reverse() } else { order }
    });
    Ok(table)
}

fn selected(table: &Table, names: &[String]) -> Result<Table, Fault> {
    let places: Vec<usize> = names
        .iter()
        .map(|name| place(table, name))
        .collect::<Result<_, _>>()?;
    let rows = table
        .rows
        .iter()
        .map(|row| places.iter().map(|at| row[*at].clone()).collect());
    Ok(Table {
        rows: rows.collect(),
        columns: names.to_vec(),
    })
}

fn derived(mut table: Table, arguments: &Arguments) -> Result<Table, Fault> {
    let Some(expression) = &arguments.expression else {
        return Ok(table);
    };
    let values: Vec<f64> = (0..table.rows.len())
        .map(|row| expression.value(&table, row))
        .collect::<Result<_, _>>()?;
    table.columns.push(arguments.text("name").to_owned());
    for (row, value) in table.rows.iter_mut().zip(values) {
        row.push(Cell::of(value));
    }
    Ok(table)
}

/// Each row with the first row of the other table that has the same value; rows without one are dropped.
fn joined(table: &Table, other: &Table, column: &str) -> Result<Table, Fault> {
    let (left, right) = (place(table, column)?, place(other, column)?);
    let others: Vec<usize> = (0..other.columns.len()).filter(|at| *at != right).collect();
    let mut columns = table.columns.clone();
    columns.extend(others.iter().map(|at| other.columns[*at].clone()));
    let mut rows = Vec::new();
    for row in &table.rows {
        let partner = other
            .rows
            .iter()
            .find(|candidate| candidate[right].text == row[left].text);
        if let Some(partner) = partner {
            let added = others.iter().map(|at| partner[*at].clone());
            rows.push(row.iter().cloned().chain(added).collect());
        }
    }
    Ok(Table { columns, rows })
}
