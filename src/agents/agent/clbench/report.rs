//! Shares of solved tasks and of kinds of errors, next to the published row.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::labels::{Dimension, Label, dimension};
use super::paired::{Paired, paired};
use super::row::Row;

/// Where the published row is from.
pub const REFERENCE_SOURCE: &str = "GPT-5.1 without memory, error analysis of the CL-bench paper (section 5, table 3), as quoted in the seed documents";

/// The published row, in percent of all tasks; unpublished values are absent.
pub const REFERENCE: [(Label, Option<f64>); 4] = [
    (Label::ContextIgnored, Some(55.3)),
    (Label::ContextMisused, Some(61.5)),
    (Label::FormatError, Some(35.3)),
    (Label::Refusal, None),
];

/// Tasks and those that were solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Solved {
    /// Graded tasks.
    pub tasks: usize,
    /// Solved ones.
    pub solved: usize,
}

/// One kind of error.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ErrorShare {
    /// The kind.
    pub label: Label,
    /// Tasks with at least one such error.
    pub tasks: usize,
    /// Percent of all graded tasks.
    pub percent: f64,
    /// The published percentage.
    pub published: Option<f64>,
}

/// A report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Rows.
    pub rows: usize,
    /// Rows that failed in a pass.
    pub failed: usize,
    /// Graded tasks, and those that were solved.
    pub overall: Solved,
    /// The shares by category of context.
    pub by_category: BTreeMap<String, Solved>,
    /// Kinds of errors; a task may have several.
    pub errors: Vec<ErrorShare>,
    /// Requirements by subject: their number, and how many are met.
    pub by_dimension: BTreeMap<Dimension, Solved>,
    /// Grades in which the judge's own score differs from its list.
    pub disagreements: usize,
    /// This run compared with one without memory, over the tasks that both graded; absent where there is none.
    pub paired: Option<Paired>,
    /// Where the published row is from.
    pub published: &'static str,
}

/// Reports on rows, compared with those of a run without memory.
pub fn report(rows: &[Row], baseline: Option<&[Row]>) -> Report {
    let graded: Vec<&Row> = rows.iter().filter(|row| row.score.is_some()).collect();
    let mut by_category: BTreeMap<String, Solved> = BTreeMap::new();
    let mut by_dimension: BTreeMap<Dimension, Solved> = BTreeMap::new();
    let mut overall = Solved::default();
    for row in &graded {
        let is_solved = row.score == Some(1);
        for count in [
            &mut overall,
            by_category
                .entry(row.metadata.context_category.clone())
                .or_default(),
        ] {
            count.tasks += 1;
            count.solved += usize::from(is_solved);
        }
        for (rubric, met) in row
            .rubrics
            .iter()
            .zip(row.requirement_status.iter().flatten())
        {
            let count = by_dimension.entry(dimension(rubric.text())).or_default();
            count.tasks += 1;
            count.solved += usize::from(*met);
        }
    }
    let labels_of = |row: &Row| {
        row.error_labels
            .values()
            .flatten()
            .copied()
            .collect::<BTreeSet<Label>>()
    };
    let errors = REFERENCE.iter().map(|(label, published)| {
        let tasks = graded
            .iter()
            .filter(|row| labels_of(row).contains(label))
            .count();
        ErrorShare {
            label: *label,
            tasks,
            percent: percent(tasks, graded.len()),
            published: *published,
        }
    });
    Report {
        rows: rows.len(),
        failed: rows.iter().filter(|row| row.error.is_some()).count(),
        overall,
        by_category,
        errors: errors.collect(),
        by_dimension,
        disagreements: graded.iter().filter(|row| disagrees(row)).count(),
        paired: baseline
            .map(|baseline| paired(&pairs(baseline, &graded)))
            .filter(|paired| paired.tasks > 0),
        published: REFERENCE_SOURCE,
    }
}

fn disagrees(row: &Row) -> bool {
    row.judge_score
        .is_some_and(|score| (score >= 0.5) != (row.score == Some(1)))
}

/// Scores of the tasks that both runs graded: without memory, with it.
fn pairs(baseline: &[Row], graded: &[&Row]) -> Vec<(bool, bool)> {
    let key = |row: &Row| {
        (
            row.metadata.context_id.clone(),
            row.metadata.task_id.clone(),
        )
    };
    let first: BTreeMap<_, bool> = baseline
        .iter()
        .filter_map(|row| Some((key(row), row.score? == 1)))
        .collect();
    let pair = |row: &&Row| Some((*first.get(&key(row))?, row.score? == 1));
    graded.iter().filter_map(pair).collect()
}

#[expect(clippy::cast_precision_loss, reason = "tasks are counted in thousands")]
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 * 100.0 / whole as f64
    }
}
