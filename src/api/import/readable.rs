//! Refuses files that cannot be read completely.

use super::BadLine;
use crate::problem::Problem;

/// Maximum records named.
const NAMED_MAX: usize = 10;

/// Refuses a file with unreadable records, as `bad_records`, naming the first ones by line.
pub(crate) fn refuse_unreadable(bad: &[BadLine], read: u64) -> Result<(), Problem> {
    if bad.is_empty() {
        return Ok(());
    }
    let named = bad.iter().take(NAMED_MAX);
    let mut list: Vec<String> = named
        .map(|bad| format!("line {}: {}", bad.line, bad.reason))
        .collect();
    let beyond = bad.len().saturating_sub(NAMED_MAX);
    if beyond > 0 {
        list.push(format!("and {beyond} more"));
    }
    Err(Problem::new(
        "bad_records",
        format!(
            "{} of {} records cannot be read, nothing was imported: {}",
            bad.len(),
            read,
            list.join("; ")
        ),
    )
    .with_hint("correct them, or leave them out with <field:skip_bad>"))
}
