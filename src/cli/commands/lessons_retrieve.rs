//! Command `lessons retrieve`: the lessons that help before a run, or after an error, with the reasons.

use std::path::Path;

use serde_json::Value;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::prompt::{PromptLesson, as_lessons};
use crate::api::responses::lesson_answers::RetrievedLessonsResponse;
use crate::cli::args::lessons::LessonRetrieveArgs;
use crate::cli::input;
use crate::cli::output::{Outcome, lessons};
use crate::cli::session::Session;
use crate::domain::lesson::fingerprint::Evidence;
use crate::domain::lesson::retrieval::query::RankingMode;
use crate::engine::lessons::{LessonCall, LessonRequest};

/// Retrieves.
pub(crate) async fn run(session: &Session, args: LessonRetrieveArgs) -> CommandResult {
    let (prompt, budget) = (args.prompt, args.budget);
    let request = LessonRequest {
        call: call(&args).await?,
        run: args.run,
        text: args.intent.join(" "),
        tags: args.tags,
        place: args.place.place(),
        max_results: args.max,
        mode: if args.page_rank {
            RankingMode::PageRank
        } else {
            RankingMode::Direct
        },
        exact_only: args.exact,
    };
    let opened = session.open_lessons_there()?;
    let work = opened.engine.retrieve_lessons(&opened.owner, request);
    let mut shown = RetrievedLessonsResponse::from(session.wait("retrieving", work).await?);
    if prompt {
        let rules = shown.lessons.iter().map(|hit| PromptLesson {
            rule: &hit.lesson.rule,
            about: None,
        });
        let text = as_lessons(&rules.collect::<Vec<_>>(), budget);
        if !session.output.is_json() {
            session.output.raw(text.text.as_bytes())?;
            return Ok(Outcome::found(!shown.lessons.is_empty()));
        }
        shown.prompt = Some(text.into());
    }
    let weights = &opened.engine.options().lessons.numbers.retrieval;
    session
        .output
        .show(&shown, |page| lessons::found(page, &shown, weights))?;
    Ok(Outcome::found(!shown.lessons.is_empty()))
}

async fn call(args: &LessonRetrieveArgs) -> Result<LessonCall, Problem> {
    let Some(error) = &args.error else {
        return Ok(LessonCall::PreRun);
    };
    let error = match error.as_str() {
        // What a broken program printed need not be text.
        "-" => String::from_utf8_lossy(&input::bytes(Path::new("-")).await?).into_owned(),
        error => error.to_owned(),
    };
    let evidence = Evidence {
        error: Value::from(error),
        action: args.action.clone().map_or(Value::Null, Value::from),
        ..Evidence::default()
    };
    Ok(LessonCall::OnError {
        step: args.step,
        evidence,
        exit_code: args.exit_code,
    })
}
