//! What each moment of a session asks of the memory. Whoever installed it wants one, so the first event makes the store.

use std::time::Duration;

use serde_json::json;

use super::reply::Said;
use super::run_name::SessionRuns;
use crate::api::catalog;
use crate::api::problem::Problem;
use crate::api::responses::ended::EndedRunResponse;
use crate::api::verbs::lesson_brief::BriefLessons;
use crate::api::verbs::lesson_retrieval::{RetrieveLessons, as_prompt};
use crate::api::verbs::memory_brief::BriefMemory;
use crate::api::verbs::retrieval::Retrieve;
use crate::api::verbs::runs::EndRun;
use crate::cli::commands::learn::fate::Fate;
use crate::cli::commands::learn::intake;
use crate::cli::commands::learn::into_store::{Patience, into_store};
use crate::cli::commands::learn::record::{Names, Record};
use crate::cli::session::Session;
use crate::domain::identity::content_name;
use crate::domain::memory::query::QUERY_MAX_CHARS;
use crate::domain::text::invisible::marked;
use crate::engine::EngineError;
use crate::engine::clock::{SystemClock, WallClock, random_id};
use crate::trace::{Action, HookEvent, Moment, Outcome, Step};

/// Tokens of lessons, and of bullets, in one reply: a context is dear.
const LESSON_TOKENS: usize = 500;
const BULLET_TOKENS: usize = 700;
/// Most lessons before or after a call, and most bullets for a prompt.
const LESSONS_MAX: usize = 3;
const BULLETS_MAX: usize = 8;

/// What to say to an event, within the time that the caller has.
pub(super) async fn to(
    session: &Session,
    event: HookEvent,
    whole: Duration,
) -> Result<Said, Problem> {
    let mut runs = SessionRuns::of(event.session.as_deref().unwrap_or("agent"));
    match event.moment {
        Moment::Begins => begins(session, &mut runs).await,
        Moment::Prompt(prompt) => for_task(session, &prompt).await,
        Moment::BeforeTool { tool, action } => before(session, &mut runs, tool, &action).await,
        Moment::AfterTool { step, id } => after(session, &mut runs, *step, id, whole).await,
        Moment::Rests => ends(session, &mut runs).await,
        Moment::Ends => {
            let said = ends(session, &mut runs).await;
            SessionRuns::forget_old();
            said
        }
        Moment::Other => Ok(Said::default()),
    }
}

/// The lessons and bullets worth knowing, those of the repository before those that hold everywhere.
async fn begins(session: &Session, runs: &mut SessionRuns) -> Result<Said, Problem> {
    let access = session.access_served()?;
    runs.touch();
    let brief: BriefLessons =
        catalog::read(json!({"run": runs.current(), "budget": LESSON_TOKENS}))?;
    let lessons = access.answer(brief).await?;
    let mut said = Said::default();
    said.context
        .extend(lessons.prompt.map(|prompt| prompt.text));
    let shared = access.about(access.key().shared());
    for memory in [&access, &shared] {
        let bullets = memory
            .answer(BriefMemory {
                budget: BULLET_TOKENS,
            })
            .await?;
        said.context.push(bullets.text);
        if access.key() == shared.key() {
            break;
        }
    }
    Ok(said)
}

/// The bullets for a task.
async fn for_task(session: &Session, prompt: &str) -> Result<Said, Problem> {
    let query: String = prompt.chars().take(QUERY_MAX_CHARS).collect();
    let request: Retrieve = catalog::read(
        json!({"query": query, "top_k": BULLETS_MAX, "budget": BULLET_TOKENS,
        "prompt": "numbered", "include_shared": true}),
    )?;
    let access = session.access_served()?;
    let found = access.answer(request).await?;
    Ok(Said {
        context: found.prompt.into_iter().map(|prompt| prompt.text).collect(),
        notice: None,
    })
}

/// The lessons that know the form of what is about to be done.
async fn before(
    session: &Session,
    runs: &mut SessionRuns,
    tool: Option<String>,
    action: &Action,
) -> Result<Said, Problem> {
    if *action == Action::Unknown {
        return Ok(Said::default());
    }
    runs.touch();
    let request: RetrieveLessons = catalog::read(
        json!({"action": action.to_value(), "tool": tool, "run": runs.current(),
        "max_results": LESSONS_MAX, "prompt": true, "budget": LESSON_TOKENS}),
    )?;
    let access = session.access_served()?;
    let found = access.answer(request).await?;
    Ok(Said {
        context: found.prompt.into_iter().map(|prompt| prompt.text).collect(),
        notice: None,
    })
}

/// Records a call; after a failed one tells the lessons for its error.
async fn after(
    session: &Session,
    runs: &mut SessionRuns,
    step: Step,
    id: Option<String>,
    whole: Duration,
) -> Result<Said, Problem> {
    let is_stopped = matches!(step.outcome, Outcome::Refused | Outcome::Interrupted);
    if is_stopped || (step.action == Action::Unknown && step.error.is_empty()) {
        return Ok(Said::default());
    }
    runs.touch();
    let run = runs.current();
    let failed = step.outcome == Outcome::Failed;
    let names = Names {
        call: match id {
            // Sent twice, it counts once.
            Some(id) => content_name("call-", format!("{run}\n{id}").as_bytes()),
            None => random_id("call").map_err(|_| EngineError::Stopped)?,
        },
        run,
        began: SystemClock.now(),
    };
    let record = Record::of_call(&session.key()?, &names, step);
    let patience = Patience {
        whole,
        lock: whole / 2,
    };
    match into_store(session, record, failed, patience).await {
        Fate::Lost(problem) => Err(problem),
        Fate::Waits => Ok(Said::default()),
        Fate::Learned(learned) => {
            let mut lessons = learned.hint.map(|hint| hint.lessons).unwrap_or_default();
            lessons.truncate(LESSONS_MAX);
            let prompt = as_prompt(&lessons, Some(LESSON_TOKENS), &session.voice());
            Ok(Said {
                context: vec![prompt.text],
                notice: None,
            })
        }
    }
}

/// Ends the run, which learns, and says in one line what it learned.
async fn ends(session: &Session, runs: &mut SessionRuns) -> Result<Said, Problem> {
    let Some(run) = runs.open() else {
        return Ok(Said::default());
    };
    intake::all_waiting(session).await;
    let request: EndRun = catalog::read(json!({"run": run}))?;
    let access = session.access_served()?;
    let ended = match access.answer(request).await {
        // Nothing of it came to the store.
        Err(problem) if problem.code == "no_run" => {
            runs.end();
            return Ok(Said::default());
        }
        ended => ended?,
    };
    runs.end();
    Ok(Said {
        context: Vec::new(),
        notice: learned(&ended),
    })
}

fn learned(ended: &EndedRunResponse) -> Option<String> {
    let new: Vec<&str> = ended
        .learned
        .iter()
        .filter(|one| one.placement == "new")
        .map(|one| one.rule.as_str())
        .collect();
    match new[..] {
        [] => None,
        [only] => Some(format!("mnemograph learned: {}", marked(only))),
        [first, ..] => Some(format!(
            "mnemograph learned {} lessons, such as: {}",
            new.len(),
            marked(first)
        )),
    }
}
