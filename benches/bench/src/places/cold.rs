//! Rows 4 and 5: whole processes. A first answer without a resident process, compared with one that opens a full-text
//! index of SQLite; and the calls of a newcomer, whose memory is small or missing, compared with an empty Python.

use std::path::PathBuf;
use std::process::Command;

use super::child::{self, Memory, Spent};
use super::python::{FTS5, Fts5, NOTHING, Python};
use super::user::{questions, remove_store};
use super::{Run, failed, median, within_limit};
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

/// How many times the full-text index a first answer may take, of up to 10,000 bullets and of more.
const SMALL_MAX: f64 = 2.0;
const LARGE_MAX: f64 = 3.0;
const LARGE_FROM: u64 = 10_001;
/// Bullets of a small memory.
const FEW: u64 = 1_000;
/// How many times an empty Python a small call and the version may take.
const CALL_MAX: f64 = 1.0;
const VERSION_MAX: f64 = 0.3;
const FAULTS_MAX: f64 = 500.0;
/// The exit code of a question without an answer.
const NOTHING_FOUND: i32 = 1;

/// A memory with its index, and the processes that were timed.
struct Both {
    size: u64,
    store: PathBuf,
    index: PathBuf,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

/// Row 4.
pub(super) fn first_answers(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let index = Fts5::find(run);
    let mut all = Vec::new();
    for size in run.sizes(&[10_000, 100_000], &[300]) {
        run.say(&format!("row 4: {size} bullets are written"));
        let both = Both {
            size,
            store: run.user.filled(size)?,
            index: run.user.home.join(format!("fts5-{size}.db")),
            ours: Vec::new(),
            theirs: Vec::new(),
        };
        if let Ok(index) = &index {
            remove_store(&both.index);
            let mut load = index.load(&both.index, &run.user.texts(size)?);
            child::run(&mut load, Memory::Unwatched, &[])?;
        }
        all.push(both);
    }
    run.say("row 4: questions");
    let mut empty = Vec::new();
    for round in 0..run.often(12, 3) {
        for both in &mut all {
            let question = &questions(both.size, round + 1)[round];
            let mut ask = run
                .user
                .command(&both.store, &["retrieve", "--json", "--", question]);
            ask.env("HINDLORE_RESIDENT", "off");
            let codes = [NOTHING_FOUND];
            both.ours
                .push(child::run(&mut ask, Memory::Unwatched, &codes)?.seconds);
            if let Ok(index) = &index {
                let mut ask = index.ask(&both.index, question);
                both.theirs
                    .push(child::run(&mut ask, Memory::Unwatched, &[])?.seconds);
                let mut nothing = index.python.nothing();
                empty.push(child::run(&mut nothing, Memory::Unwatched, &[])?.seconds);
            }
        }
    }
    for both in all {
        report.push(both.row(index.as_ref().err(), median(&empty)));
    }
    Ok(())
}

impl Both {
    fn row(self, absent: Option<&String>, empty: f64) -> Row {
        let ours = median(&self.ours);
        let row = Row::measured("4 `retrieve`, no resident process", ours, "s").of_size(self.size);
        if let Some(why) = absent {
            return row.beside_absent(FTS5, why);
        }
        let goal = if self.size < LARGE_FROM {
            SMALL_MAX
        } else {
            LARGE_MAX
        };
        row.beside(FTS5, median(&self.theirs), Ratio::OursToTheirs)
            .with_note(format!(
                "ours ranks, explains and records; theirs is a Python process, of which Python's own start and end \
                 take {:.1} ms",
                empty * 1e3
            ))
            .with_goal(Goal::RatioAtMost(goal))
    }
}

/// Row 5.
pub(super) fn small_calls(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    run.say("row 5: small calls");
    let few = if run.plan.quick { 100 } else { FEW };
    let (missing, small) = (run.user.home.join("missing.db"), run.user.filled(few)?);
    let ask = [
        "retrieve",
        "--json",
        "--",
        "where is the report of the tests",
    ];
    let calls: [(&str, u64, f64, &dyn Fn() -> Command); 3] = [
        ("`retrieve`, missing memory", 0, CALL_MAX, &|| {
            remove_store(&missing);
            run.user.command(&missing, &ask)
        }),
        ("`retrieve`", few, CALL_MAX, &|| {
            run.user.command(&small, &ask)
        }),
        ("`--version`", 0, VERSION_MAX, &|| {
            run.user.command(&missing, &["--version"])
        }),
    ];
    let python = Python::find();
    let mut ours: [Vec<Spent>; 3] = Default::default();
    let mut theirs = Vec::new();
    for _ in 0..run.often(60, 3) {
        for (spent, (_, _, _, call)) in ours.iter_mut().zip(&calls) {
            let codes = [NOTHING_FOUND];
            spent.push(child::run(&mut call(), Memory::Unwatched, &codes)?);
        }
        if let Ok(python) = &python {
            theirs.push(child::run(&mut python.nothing(), Memory::Unwatched, &[])?);
        }
    }
    run.user.end_residents(&small).map_err(failed_to_end)?;
    for (spent, (name, size, goal, _)) in ours.iter().zip(calls) {
        let row = Row::measured(
            format!("5 {name}"),
            Spent::median(spent, |it| it.seconds),
            "s",
        )
        .of_size(size);
        report.push(match &python {
            Ok(_) => {
                let theirs = Spent::median(&theirs, |it| it.seconds);
                row.beside(NOTHING, theirs, Ratio::OursToTheirs)
                    .with_goal(Goal::RatioAtMost(goal))
            }
            Err(why) => row.beside_absent(NOTHING, why),
        });
        let faults = Spent::median(spent, |it| it.faults);
        let row = Row::measured(format!("5 {name}, page faults"), faults, "").of_size(size);
        report.push(within_limit(row, FAULTS_MAX));
    }
    Ok(())
}

fn failed_to_end(error: EvalError) -> EvalError {
    failed(format!(
        "a resident process does not end: {}",
        error.message
    ))
}
