//! A report of measurements, for people.

use crate::{Report, Row};
use hindlore_cli::program::{Page, Tone};

/// Writes the rows as a table, then the notes for their reader, then how many goals hold.
pub fn write(page: &mut Page, report: &Report) {
    let machine = &report.machine;
    page.line(Tone::Heading, format_args!("bench {}", report.bench));
    let processor = machine.processor.as_deref().unwrap_or(machine.arch);
    page.line(
        Tone::Faint,
        format_args!("{} cores, {processor}", machine.cores),
    );
    if !machine.optimised {
        page.line(
            Tone::Bad,
            "built without optimisation: times say little, use --release",
        );
    }
    page.gap();
    let headings = [
        "what", "size", "ours", "beside", "theirs", "ratio", "goal", "holds",
    ];
    let rows: Vec<Vec<String>> = report.rows.iter().map(cells).collect();
    page.table(&headings, &rows);
    for row in &report.rows {
        for text in [&row.absent, &row.note].into_iter().flatten() {
            page.line(Tone::Faint, format_args!("{}:", row.name));
            page.prose(Tone::Faint, 2, text);
        }
    }
    let (held, all) = report.goals();
    if all > 0 {
        page.gap();
        let tone = if held == all { Tone::Good } else { Tone::Bad };
        page.line(tone, format_args!("{held} of {all} goals hold"));
    }
}

fn cells(row: &Row) -> Vec<String> {
    let figure =
        |figure: Option<f64>| figure.map_or_else(String::new, |it| with_unit(it, row.unit));
    let ours = match row.interval {
        Some([low, high]) => format!("{} ({low:.3}..{high:.3})", figure(row.ours)),
        None => figure(row.ours),
    };
    let goal = row.goal.zip(row.goal_on);
    vec![
        row.name.clone(),
        row.size.map_or_else(String::new, |size| size.to_string()),
        ours,
        row.beside.clone().unwrap_or_default(),
        match (row.theirs, &row.absent) {
            (None, Some(_)) => "absent".to_owned(),
            (theirs, _) => figure(theirs),
        },
        row.ratio.map_or_else(String::new, three_digits),
        goal.map_or_else(String::new, |(goal, on)| {
            format!("{on} {}", three_digits(goal))
        }),
        row.holds.map_or_else(String::new, |holds| {
            let word = if holds { "yes" } else { "NO" };
            word.to_owned()
        }),
    ]
}

/// A figure in the size of unit that reads best.
fn with_unit(figure: f64, unit: &str) -> String {
    match unit {
        "s" if figure.abs() < 1e-6 => format!("{} ns", three_digits(figure * 1e9)),
        "s" if figure.abs() < 1e-3 => format!("{} µs", three_digits(figure * 1e6)),
        "s" if figure.abs() < 1.0 => format!("{} ms", three_digits(figure * 1e3)),
        "share" => format!("{figure:.3}"),
        "" => three_digits(figure),
        _ => format!("{} {unit}", three_digits(figure)),
    }
}

fn three_digits(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        size if size >= 1.0 || size == 0.0 => format!("{figure:.2}"),
        _ => format!("{figure:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_in_the_unit_that_reads_best() {
        for (figure, unit, text) in [
            (1.4e-6, "s", "1.40 µs"),
            (2.5e-7, "s", "250 ns"),
            (0.0132, "s", "13.2 ms"),
            (4.0, "s", "4.00 s"),
            (0.6137, "share", "0.614"),
            (1234.5, "1/s", "1234 1/s"),
        ] {
            assert_eq!(with_unit(figure, unit), text);
        }
    }
}
