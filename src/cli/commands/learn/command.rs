//! `learn -- COMMAND`: runs it, and writes down how it went.
//!
//! The command comes first: whatever befalls the memory is told on stderr and changes neither its output nor its
//! exit code. A call without `--run` is a run of its own that ends with it. What helps is then looked up without
//! being recorded as a use, because a run that is over cannot show whether the advice was good; within `--run` it
//! is a use like any other.

use std::ffi::OsString;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::child::{self, Ended};
use super::{hint, line};
use crate::api::problem::Problem;
use crate::api::shapes::lesson_answers::RetrievedLessonsShown;
use crate::api::shapes::lessons::CapturedStepShown;
use crate::cli::args::lessons::LearnArgs;
use crate::cli::commands::CommandResult;
use crate::cli::output::Outcome;
use crate::cli::session::{OpenLessons, Session};
use crate::domain::lesson::event::StepReport;
use crate::domain::lesson::feedback::Feedback;
use crate::domain::lesson::fingerprint::Evidence;
use crate::domain::lesson::lesson::Place;
use crate::domain::lesson::numbers::RetrievalNumbers;
use crate::domain::lesson::retrieval::query::RankingMode;
use crate::engine::clock::{SystemClock, WallClock};
use crate::engine::lessons::{EndRun, EndedRun, LessonCall, LessonRequest, StartRun, StepInput};

/// Domain of commands that belong to no other.
const DOMAIN: &str = "shell";

/// What a call left behind.
#[derive(Serialize)]
pub(super) struct Learned {
    pub(super) run: String,
    pub(super) exit_code: u8,
    pub(super) step: CapturedStepShown,
    /// What helps; absent unless it was asked for and the command failed.
    pub(super) hint: Option<RetrievedLessonsShown>,
    /// Absent while the run goes on.
    pub(super) ended: Option<EndedRun>,
    /// What the scores of the hint were made with.
    #[serde(skip)]
    pub(super) weights: RetrievalNumbers,
}

/// Runs a command and learns from it.
pub(super) async fn run(session: &Session, args: &LearnArgs) -> CommandResult {
    let ended = child::run(&args.command).await;
    let code = ended.exit_code();
    if let Some(why) = &ended.not_started {
        hint::say(&format!("learn: {why}"));
    }
    match learn(session, args, &ended).await {
        Ok(learned) => hint::show(session, args.hint, &learned),
        Err(problem) => hint::say(&format!("learn: nothing was learned: {problem}")),
    }
    Ok(Outcome::Exit(code))
}

async fn learn(session: &Session, args: &LearnArgs, ended: &Ended) -> Result<Learned, Problem> {
    let opened = session.open_lessons()?;
    let place = place(args);
    let (run, step) = place_in_run(&opened, args, &place).await?;
    let input = StepInput {
        report: report(args, ended, &run, step, place.clone()),
        plan_step: None,
        followed: Vec::new(),
    };
    let evidence = input.report.evidence.clone();
    let captured = opened.engine.capture_error(&opened.owner, input).await?;
    let hint = match args.hint && ended.failed() {
        true => {
            let request = LessonRequest {
                run: args.run.is_some().then(|| run.clone()),
                call: LessonCall::OnError {
                    step,
                    evidence,
                    exit_code: Some(i32::from(ended.exit_code())),
                },
                text: String::new(),
                tags: Vec::new(),
                place,
                max_results: None,
                mode: RankingMode::Direct,
                exact_only: false,
            };
            let work = opened.engine.retrieve_lessons(&opened.owner, request);
            Some(RetrievedLessonsShown::from(work.await?))
        }
        false => None,
    };
    let is_over = args.run.is_none();
    let end = match is_over {
        true => {
            let request = EndRun {
                run: run.clone(),
                passed: Some(!ended.failed()),
                ..EndRun::default()
            };
            Some(opened.engine.end_run(&opened.owner, request).await?)
        }
        false => None,
    };
    Ok(Learned {
        run,
        exit_code: ended.exit_code(),
        step: CapturedStepShown::from(captured),
        hint,
        ended: end,
        weights: opened.engine.options().lessons.numbers.retrieval.clone(),
    })
}

/// The run, begun where there is none yet, and the number of this call in it.
async fn place_in_run(
    opened: &OpenLessons,
    args: &LearnArgs,
    place: &Place,
) -> Result<(String, u32), Problem> {
    // A session uses many tools.
    let tool = place
        .tool
        .clone()
        .filter(|_| args.run.is_none() || args.place.tool.is_some());
    let request = StartRun {
        id: args.run.clone(),
        place: Place {
            tool,
            ..place.clone()
        },
        intent: String::new(),
        allowed_steps: None,
    };
    let started = opened.engine.start_run(&opened.owner, request).await?;
    Ok((started.run.id, started.run.steps.saturating_add(1)))
}

fn place(args: &LearnArgs) -> Place {
    let named = args.place.place();
    Place {
        domain: named.domain.or_else(|| Some(DOMAIN.to_owned())),
        tool: named.tool.or_else(|| program(&args.command)),
        task: named.task,
    }
}

/// The name of the program, without its folder.
fn program(command: &[OsString]) -> Option<String> {
    let name = Path::new(command.first()?).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

fn report(args: &LearnArgs, ended: &Ended, run: &str, step: u32, place: Place) -> StepReport {
    let (failed, error) = (ended.failed(), ended.error());
    StepReport {
        run: run.to_owned(),
        step,
        allowed_steps: None,
        evidence: Evidence {
            error: match failed && !error.is_empty() {
                true => Value::from(error),
                false => Value::Null,
            },
            action: Value::from(line::written(&args.command)),
            reason: ended.reason(),
            ..Evidence::default()
        },
        feedback: Feedback {
            hard_failure: failed,
            ..Feedback::default()
        },
        exit_code: Some(i32::from(ended.exit_code())),
        unsafe_action: false,
        place,
        tags: Vec::new(),
        at: SystemClock.now(),
    }
}
