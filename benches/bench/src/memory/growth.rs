//! How times and room grow with a memory, read off the rows of a report.

use crate::curve::Curve;
use crate::report::Report;

use super::opening::ROOM;

/// Names of rows and of their lines.
const TIMES: [(&str, &str); 4] = [
    ("top10 engine", "query, engine"),
    ("top10 original", "query, original"),
    ("add one, near-duplicate check", "add one"),
    ("open", "open the file"),
];

/// Adds the curves of growth to a report.
pub(super) fn curves(report: &mut Report) {
    let mut times = Curve::new(
        "growth-time",
        "Time by number of bullets",
        "bullets",
        "seconds",
    )
    .in_factors();
    let mut room = Curve::new(
        "growth-room",
        "Room in process by number of bullets",
        "bullets",
        "bytes per bullet beyond its text",
    )
    .in_factors();
    for row in &report.rows {
        let (Some(size), Some(ours)) = (row.size, row.ours) else {
            continue;
        };
        if let Some((_, line)) = TIMES.iter().find(|(name, _)| *name == row.name) {
            times.add(line, size as f64, ours);
        }
        // With fewer bullets the program itself dominates the figure.
        if row.name == ROOM && size >= 1_000 {
            room.add("bytes", size as f64, ours);
        }
    }
    report.curves.extend(
        [times, room]
            .into_iter()
            .filter(|curve| !curve.lines.is_empty()),
    );
}
