//! Command `hindlore-lab stability`: the protocol over many seeds, with its figures and goals.

use crate::args::LabStabilityArgs;
use crate::report::{markdown, plots};
use crate::stability::{Experiment, Figure, Goal, figures};
use hindlore_api::problem::Problem;
use hindlore_bench::page;
use hindlore_bench::{self, Report, Row};
use hindlore_cli::program::CommandResult;
use hindlore_cli::program::Session;
use hindlore_cli::program::watch;
use hindlore_cli::program::{Outcome, file};

/// Runs the experiment.
pub(super) async fn run(session: &Session, args: LabStabilityArgs) -> CommandResult {
    // Known before the work begins, not after the hours that it may take.
    if let Some(folder) = &args.report {
        file::writable_folder(folder).map_err(|error| {
            let message = format!("`{}` cannot be written to: {error}", folder.display());
            Problem::new("unwritten_output", message)
                .with_hint("name a folder that you may write to")
        })?;
    }
    let own = super::tool(args.tool.as_deref())?;
    let experiment = Experiment::new(args.seed, args.seeds, own)?;
    let work = super::apart(move || {
        let runs = experiment.run(&|what| tracing::info!("{what}"))?;
        Ok((figures(&runs, experiment.seed), runs))
    });
    let (found, runs) = watch("running the protocol", work).await?;
    if let Some(folder) = &args.report {
        file::replace(
            &folder.join("report.md"),
            markdown(&found, &runs).as_bytes(),
        )?;
        for (name, svg) in plots(&runs) {
            file::replace(&folder.join(name), svg.as_bytes())?;
        }
    }
    let mut report = Report::new("lab stability");
    for figure in found {
        report.push(row(figure));
    }
    session
        .output
        .show(&report, |page| page::write(page, &report))?;
    Ok(Outcome::Done)
}

/// A figure as a row of a report.
fn row(figure: Figure) -> Row {
    let mut row = match figure.value {
        Some(value) => Row::measured(figure.name, value, figure.unit),
        None => Row::missing(figure.name, figure.unit, "nothing of the kind happened"),
    };
    row = row.of_size(figure.size);
    if let Some([low, high]) = figure.interval {
        row = row.within(low, high);
    }
    if let Some(note) = figure.note {
        row = row.with_note(note);
    }
    match figure.goal {
        Some(Goal::AtLeast(limit)) => row.with_goal(hindlore_bench::Goal::AtLeast(limit)),
        Some(Goal::AtMost(limit)) => row.with_goal(hindlore_bench::Goal::AtMost(limit)),
        None => row,
    }
}
