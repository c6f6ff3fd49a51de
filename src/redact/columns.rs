//! Passwords in the columns of a table whose heading announces them.

use std::ops::Range;

use hindlore_primitives::steps;

/// Limits of a table after its heading, in bytes and in rows.
const TABLE_MAX: usize = 2 * 1_024;
const ROWS_MAX: usize = 34;

/// The number of the cell of a table whose heading is at `at`.
pub(super) fn column(text: &str, at: usize) -> Option<usize> {
    let from = text.floor_char_boundary(at.saturating_sub(160));
    let before = &text[from..at];
    let line = before.rsplit('\n').next()?.trim_start();
    let is_heading = line.starts_with('|') && line.ends_with(['|', ' ']);
    let cell = line.rsplit('|').next()?.trim();
    (is_heading && cell.is_empty()).then(|| line.matches('|').count())
}

/// The cells of a column that hold a word, below a heading and its line of dashes.
pub(super) fn cells(text: &str, from: usize, column: usize) -> Vec<Range<usize>> {
    let most = text.floor_char_boundary((from + TABLE_MAX).min(text.len()));
    let near = &text[from..most];
    let mut found = Vec::new();
    let mut at = from;
    for (number, line) in near.split_inclusive('\n').take(ROWS_MAX).enumerate() {
        let start = at;
        at += line.len();
        steps::add(line.len());
        let is_row = line.trim_start().starts_with('|');
        match number {
            0 => continue,
            1 if is_row && line.contains("--") => continue,
            1 => break,
            _ if !is_row => break,
            _ => {}
        }
        let Some(cell) = line.split('|').nth(column) else {
            continue;
        };
        let before: usize = line
            .split('|')
            .take(column)
            .map(|cell| cell.len() + 1)
            .sum();
        let inside = cell.trim().trim_matches('`');
        if inside.len() >= 4 && !inside.contains(' ') {
            let begin = start + before + cell.find(inside).unwrap_or(0);
            found.push(begin..begin + inside.len());
        }
    }
    found
}
