//! Refuses files that cannot be read completely.

use super::BadLine;
use crate::problem::Problem;

/// Maximum records named.
const NAMED_MAX: usize = 10;

/// Refuses a file with unreadable records, as `bad_records`, naming the first ones by line, and by file if it has a name.
pub(crate) fn refuse_unreadable(
    bad: &[BadLine],
    read: u64,
    file: Option<&str>,
) -> Result<(), Problem> {
    let mut bad: Vec<&BadLine> = bad.iter().collect();
    bad.sort_by_key(|bad| bad.line);
    let Some(first) = bad.first() else {
        return Ok(());
    };
    let place = |line: u64| match file {
        Some(file) => format!("{file}:{line}"),
        None => format!("line {line}"),
    };
    let named = bad.iter().take(NAMED_MAX);
    let mut list: Vec<String> = named
        .map(|bad| format!("{}: {}", place(bad.line), bad.reason))
        .collect();
    let beyond = bad.len().saturating_sub(NAMED_MAX);
    if beyond > 0 {
        list.push(format!("and {beyond} more"));
    }
    let message = format!(
        "{} of {} records cannot be read, nothing was imported: {}",
        bad.len(),
        read,
        list.join("; ")
    );
    Err(Problem::new("bad_records", message)
        .with_hint("correct them, or leave them out with <field:skip_bad>")
        .at_line(first.line))
}
