//! `learn FILE`: the steps of runs are captured, then the runs end and leave their lessons.
//!
//! Steps that name no run belong to one that is named after the file's content, so that the same file is the
//! same run. With `--run` they join that run, which stays open.

use std::path::Path;

use crate::args::learn::LearnArgs;
use crate::commands::CommandResult;
use crate::input;
use crate::output::{Outcome, Tone, lessons, redacted};
use crate::session::Session;
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::traces::name_of;
use hindlore_api::traces::read_trace;
use hindlore_api::verbs::runs::{LearnTrace, learn};
use hindlore_domain::sharing::object::Object;

/// Learns from a file.
pub(super) async fn run(session: &Session, file: &Path, args: &LearnArgs) -> CommandResult {
    let bytes = input::bytes(file).await.map_err(|problem| {
        let hint = format!(
            "to run a command, write `hindlore learn -- {}`",
            file.display()
        );
        if file.exists() || file.as_os_str() == "-" {
            problem
        } else {
            problem.with_hint(hint)
        }
    })?;
    let name = name_of(&bytes);
    let request = request(args);
    let defaults = request.defaults(&name, SystemClock.now())?;
    let trace = request.trace(&name, read_trace(&bytes, &defaults)?);
    let access = session.access_of::<LearnTrace>().await?;
    let work = access.within::<LearnTrace, _, _>(Object::Learner, |context| async move {
        learn(&context, trace).await
    });
    let shown = session
        .wait_counting("learning", || access.progress(), work)
        .await?;
    session.output.show(&shown, |page| {
        page.line(
            Tone::Good,
            format_args!("{} steps, {} new errors", shown.steps, shown.captured),
        );
        if shown.repeated > 0 {
            page.field("known already", shown.repeated);
        }
        lessons::reading(page, &shown.reading);
        redacted::redacted(page, shown.redacted.as_ref());
        for run in &shown.runs {
            page.gap();
            lessons::ended(page, run);
        }
        lessons::notes(page, &shown.notes);
    })?;
    Ok(Outcome::from_verb::<LearnTrace>(&shown))
}

fn request(args: &LearnArgs) -> LearnTrace {
    let place = args.place.place();
    LearnTrace {
        run: args.run.clone(),
        stay_open: args.run.is_some(),
        task: place.task,
        domain: place.domain,
        tool: place.tool,
        playbook: args.playbook.clone(),
        ..LearnTrace::default()
    }
}
