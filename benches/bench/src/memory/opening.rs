//! Rows of opening: how long a memory takes to come into process, and how much room it needs there.
//!
//! A process of its own opens the file, so that remains of an earlier measurement cannot hide room.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};
use hindlore::RetrieveRequest;
use hindlore_domain::memory::query::Query;

use super::fill::{Filled, engine, failed, key};

const BYTES_MAX: f64 = 300.0;
const GOAL_SIZE: usize = 1_000_000;
/// Name of the row that growth is drawn from.
pub(super) const ROOM: &str = "room in process per bullet beyond its text";
/// The allocator returns unused memory after a second.
const SETTLING: Duration = Duration::from_secs(2);

/// Opens the file of a filled memory in a process of its own and writes the rows.
pub(super) fn rows(filled: &Filled, report: &mut Report) {
    let size = filled.texts.len();
    let text: usize = filled.texts.iter().map(String::len).sum();
    let read = read_file(&filled.path);
    let opened = match in_own_process(&filled.path) {
        Ok(opened) => opened,
        Err(why) => {
            report.push(Row::missing("open", "s", why.clone()).of_size(size as u64));
            let row = Row::missing(ROOM, "bytes", why).of_size(size as u64);
            report.push(with_goal(row, size));
            return;
        }
    };
    let figure = |name: &str| opened.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let row = Row::measured("open", figure("seconds"), "s").of_size(size as u64);
    report.push(match read {
        Some(read) => row
            .beside("reading the file", read, Ratio::OursToTheirs)
            .with_note("until the first answer; both from the page cache"),
        None => row,
    });
    let beyond = |when: &str| (figure(when) - figure("before") - text as f64) / size as f64;
    let note = "resident set of a fresh process two seconds after the first answer, when the allocator has \
                given back what opening took, less that before, less the texts";
    let row = Row::measured(ROOM, beyond("settled"), "bytes")
        .of_size(size as u64)
        .with_note(note);
    report.push(with_goal(row, size));
    let row = Row::measured(format!("{ROOM}, at once"), beyond("after"), "bytes");
    let note = "right after the first answer, with what opening took and the allocator still holds";
    report.push(row.of_size(size as u64).with_note(note));
}

fn with_goal(row: Row, size: usize) -> Row {
    if size >= GOAL_SIZE {
        row.with_goal(Goal::AtMost(BYTES_MAX))
    } else {
        row
    }
}

fn read_file(path: &Path) -> Option<f64> {
    let started = Instant::now();
    let read = fs::read(path).ok()?;
    std::hint::black_box(read);
    Some(started.elapsed().as_secs_f64())
}

fn in_own_process(path: &Path) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(["--json", "opening"])
        .arg(path)
        .output()
        .map_err(|error| format!("no process could be started: {error}"))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| "the process that opens the file gave no figures".to_owned())
}

/// Opens a file that was filled for this, answers one question, and reports seconds and resident bytes.
pub async fn opening(path: &Path) -> Result<Value, EvalError> {
    let before = resident();
    let started = Instant::now();
    let engine = engine(path, false)?;
    let request = RetrieveRequest::peek(Query::new("where was the file of the first question"));
    let key = key()?;
    engine
        .retrieve(&key, request.clone())
        .await
        .map_err(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let after = resident();
    tokio::time::sleep(SETTLING).await;
    engine.retrieve(&key, request).await.map_err(failed)?;
    match (before, after, resident()) {
        (Some(before), Some(after), Some(settled)) => Ok(json!({
            "seconds": seconds, "before": before, "after": after, "settled": settled})),
        _ => Err(failed("this system does not tell the resident set")),
    }
}

/// Bytes of this process that are in main memory.
fn resident() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
