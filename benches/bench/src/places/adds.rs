//! Row 3: the first text that a process adds after it has answered a question, compared with the next ones.

use serde_json::json;

use super::mcp::Mcp;
use super::user::questions;
use super::{Run, failed, median};
use crate::error::EvalError;
use crate::memory::Texts;
use crate::report::{Goal, Ratio, Report, Row};

/// Adds after the first one.
const ADDS: usize = 150;
/// How many times the median the first add and the slowest of the others may take.
const FIRST_MAX: f64 = 15.0;
const SLOWEST_MAX: f64 = 50.0;

/// Measures each size in a process of its own.
pub(super) fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    for size in run.sizes(&[100_000], &[300]) {
        run.say(&format!("row 3: adds to {size} bullets"));
        let seconds = adds(run, size, run.often(ADDS, 10))?;
        let (first, others) = (seconds[0], &seconds[1..]);
        let slowest = others.iter().copied().fold(0.0, f64::max);
        for (name, ours, goal) in [
            ("first add after a query", first, FIRST_MAX),
            ("slowest of the next adds", slowest, SLOWEST_MAX),
        ] {
            let row = Row::measured(format!("3 over MCP, {name}"), ours, "s").of_size(size);
            let peer = format!("the median of the next {}", others.len());
            let row = row.beside(peer, median(others), Ratio::OursToTheirs);
            report.push(row.with_goal(Goal::RatioAtMost(goal)));
        }
    }
    Ok(())
}

/// Seconds of one add and the ones after it.
fn adds(run: &Run<'_>, size: u64, others: usize) -> Result<Vec<f64>, EvalError> {
    let store = run.user.copied(size, "adds")?;
    let mut command = run.user.command(&store, &["mcp"]);
    let limit = run.plan.peers.limit();
    let mut mcp = Mcp::start("hindlore", &mut command, limit).map_err(failed)?;
    for question in questions(size, 3) {
        let asked = json!({"question": question});
        mcp.tool("recall", &asked).map_err(failed)?;
    }
    let mut source = Texts::new(size + 1);
    let mut add = |number: usize| {
        // Statements of values take another way, which compares them with the values that are known.
        let text = if number % 3 == 2 {
            let question = source.question();
            let name = question.split(' ').next().unwrap_or_default();
            format!("The port of the {name} server is {}.", 4_000 + number)
        } else {
            source.text()
        };
        mcp.tool("remember", &json!({"text": text})).map_err(failed)
    };
    (0..=others).map(&mut add).collect()
}
