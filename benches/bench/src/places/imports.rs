//! Rows 2 and 7: `import`. The work of an import beyond the line of consolidation, compared with one that may not
//! consolidate; and the room and work of a large one, compared with its input and with a full-text index of SQLite.

use std::path::Path;

use super::child::{self, Memory, Spent};
use super::python::{FTS5, Fts5};
use super::user::remove_store;
use super::{Run, failed, median};
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

/// Texts of an import that brings a memory above the 10,000 bullets from which memories are consolidated.
const CROSSING: u64 = 12_000;
const CROSSING_MAX: f64 = 1.2;
const CONSOLIDATE_MAX: f64 = 1.0;
/// Peak memory of an import: as many times its input, and megabytes of the program.
const INPUT_TIMES: f64 = 3.0;
const PROGRAM_MB: f64 = 60.0;
/// How many times the CPU of the full-text index a text may take.
const TEXT_MAX: f64 = 5.0;
/// From this many texts on one round has to do.
const ONE_ROUND_FROM: u64 = 200_000;

/// Row 2.
pub(super) fn consolidation(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let size = if run.plan.quick { 300 } else { CROSSING };
    let texts = run.user.texts(size)?;
    let (mut delivered, mut forbidden, mut asked) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..run.often(3, 1) {
        run.say(&format!(
            "row 2: import of {size} texts, round {}",
            round + 1
        ));
        let store = run.user.new_store("forbidden")?;
        forbidden.push(import(run, &store, &texts, Some("0"))?.cpu);
        let store = run.user.new_store("delivered")?;
        delivered.push(import(run, &store, &texts, None)?.cpu);
        let mut consolidate = run.user.command(&store, &["memory", "consolidate"]);
        asked.push(child::run(&mut consolidate, Memory::Unwatched, &[1])?.cpu);
    }
    let delivered = median(&delivered);
    let row = Row::measured("2 CPU of `import`, as delivered", delivered, "s").of_size(size);
    let peer = "HINDLORE_CONSOLIDATE_ABOVE=0";
    report.push(
        row.beside(peer, median(&forbidden), Ratio::OursToTheirs)
            .with_goal(Goal::RatioAtMost(CROSSING_MAX)),
    );
    let row = Row::measured("2 CPU of `memory consolidate`", median(&asked), "s").of_size(size);
    report.push(
        row.beside("the import", delivered, Ratio::OursToTheirs)
            .with_goal(Goal::RatioAtMost(CONSOLIDATE_MAX)),
    );
    Ok(())
}

/// Row 7.
pub(super) fn room(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let index = Fts5::find(run);
    for size in run.sizes(&[100_000], &[500]) {
        let texts = run.user.texts(size)?;
        let input = std::fs::metadata(&texts).map_err(failed)?.len() as f64 / 1e6;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let rounds = if size < ONE_ROUND_FROM {
            run.often(3, 1)
        } else {
            1
        };
        for round in 0..rounds {
            run.say(&format!(
                "row 7: import of {size} texts, round {}",
                round + 1
            ));
            let store = run.user.new_store("imported")?;
            ours.push(import(run, &store, &texts, None)?);
            if let Ok(index) = &index {
                let file = run.user.home.join("loaded.db");
                remove_store(&file);
                let mut load = index.load(&file, &texts);
                theirs.push(child::run(&mut load, Memory::Watched, &[])?);
                remove_store(&file);
            }
            remove_store(&store);
        }
        let row = Row::measured(
            "7 peak memory of `import`",
            Spent::median(&ours, |it| it.peak),
            "MB",
        );
        let allowed = INPUT_TIMES * input + PROGRAM_MB;
        let peer = format!("{INPUT_TIMES} times its input and {PROGRAM_MB} MB");
        let row = row.of_size(size).beside(peer, allowed, Ratio::OursToTheirs);
        let row = row.with_note(match &index {
            Ok(_) => format!(
                "an input of {input:.1} MB; {FTS5} takes {:.0} MB with its texts and Python",
                Spent::median(&theirs, |it| it.peak)
            ),
            Err(_) => format!("an input of {input:.1} MB"),
        });
        report.push(row.with_goal(Goal::RatioAtMost(1.0)));
        let each = |spent: &[Spent]| Spent::median(spent, |it| it.cpu) / size as f64;
        let row = Row::measured("7 CPU of `import`, each text", each(&ours), "s").of_size(size);
        report.push(match &index {
            Ok(_) => row
                .beside(FTS5, each(&theirs), Ratio::OursToTheirs)
                .with_goal(Goal::RatioAtMost(TEXT_MAX)),
            Err(why) => row.beside_absent(FTS5, why),
        });
    }
    Ok(())
}

/// An import into a new store; the line of consolidation is the usual one unless it is given.
fn import(
    run: &Run<'_>,
    store: &Path,
    texts: &Path,
    consolidate_above: Option<&str>,
) -> Result<Spent, EvalError> {
    let mut command = run.user.command(store, &["import"]);
    command.arg(texts);
    if let Some(above) = consolidate_above {
        command.env("HINDLORE_CONSOLIDATE_ABOVE", above);
    }
    child::run(&mut command, Memory::Watched, &[])
}
