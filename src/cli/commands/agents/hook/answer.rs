//! The answer of the memory at each moment of a session. An installed hook implies a store, so the first event creates
//! it.

use std::time::Instant;

use serde_json::json;

use super::before_action::BeforeAction;
use super::corrections;
use super::failures;
use super::kept::Kept;
use super::own_rules;
use super::reply::Said;
use super::run_name::SessionRuns;
use crate::commands::agents::learn::ingest;
use crate::commands::agents::learn::ingest::{Taken, Which};
use crate::commands::agents::learn::owed::{Owed, RunEnd};
use crate::commands::agents::learn::record::Record;
use crate::session::{OpenLessons, Session};
use hindlore_api::catalog;
use hindlore_api::problem::Problem;
use hindlore_api::responses::ended::EndedRunResponse;
use hindlore_api::verbs::lesson_brief::BriefLessons;
use hindlore_api::verbs::lesson_retrieval::{RetrieveLessons, as_prompt};
use hindlore_api::verbs::lessons::StateLessons;
use hindlore_api::verbs::memory_brief::BriefMemory;
use hindlore_api::verbs::retrieval::Retrieve;
use hindlore_domain::correction::stated_lessons;
use hindlore_domain::lesson::lesson::Status;
use hindlore_domain::memory::query::QUERY_MAX_CHARS;
use hindlore_primitives::ids::LessonId;
use hindlore_text::layout::invisible::marked;
use hindlore_trace::{Action, HookEvent, Moment, REFUSAL, ReplyForm};

/// Tokens of lessons, and of bullets, in one reply: a context is dear.
const LESSON_TOKENS: usize = 500;
const BULLET_TOKENS: usize = 700;
/// Most lessons before or after a call, and most bullets for a prompt.
const LESSONS_MAX: usize = 3;
const BULLETS_MAX: usize = 8;
/// Most actions that are refused in a session: a run of refusals must never stop an agent.
const REFUSALS_MAX: usize = 3;
/// The end of a refusal.
const REPEAT: &str = "Repeat the same call to run it anyway.";

/// Answers an event. Waiting calls are taken in until `until`, if there is such a moment.
pub(super) async fn to(
    session: &Session,
    event: &HookEvent,
    kept: Option<Kept>,
    until: Option<Instant>,
) -> Result<Said, Problem> {
    let mut runs = SessionRuns::of_event(event);
    match &event.moment {
        Moment::Begins | Moment::SubagentBegins => begins(session, event, (&mut runs, until)).await,
        Moment::SubagentEnds => {
            let words = event.words.as_deref().unwrap_or_default();
            states(session, Some(runs.current()), words).await?;
            Ok(Said::default())
        }
        Moment::Prompt(prompt) => {
            // An answer for the task is owed in any case; a correction that cannot be kept is only noted.
            if let Err(problem) = corrections::take(session, &mut runs, prompt).await {
                failures::note(Some(&event.name), &problem.to_string());
            }
            for_task(session, &mut runs, prompt).await
        }
        Moment::BeforeTool { tool, action } => {
            let can_refuse = event.reply == ReplyForm::Nested;
            before(session, (&mut runs, can_refuse), (tool, action)).await
        }
        Moment::AfterTool { .. } | Moment::Rests | Moment::Ends => {
            let said = match &kept {
                Some(kept) => added(session, &mut runs, (kept, until)).await,
                None => Ok(Said::default()),
            };
            if event.moment == Moment::Ends {
                SessionRuns::forget_old();
            }
            let run = kept.as_ref().and_then(Kept::ended_run);
            if let Some(words) = &event.words
                && let Err(problem) = states(session, run, words).await
            {
                failures::note(Some(&event.name), &problem.to_string());
            }
            match event.moment {
                Moment::AfterTool { .. } => said,
                _ => Ok(corrections::with_notices(said?, &mut runs)),
            }
        }
        Moment::Other => Ok(Said::default()),
    }
}

/// Takes in waiting calls; lost ones go into the log of failures.
async fn take_waiting(session: &Session, which: Which<'_>) -> Taken {
    let mut taken = ingest::waiting(session, which).await;
    for lost in taken.lost.drain(..) {
        failures::note(None, &lost);
    }
    taken
}

/// Takes in the additions of the event, after waiting calls: a run learns from the order of its calls.
async fn added(
    session: &Session,
    runs: &mut SessionRuns,
    (kept, until): (&Kept, Option<Instant>),
) -> Result<Said, Problem> {
    let which = Which {
        before: kept.file.as_deref(),
        until,
        ..Which::default()
    };
    let earlier = take_waiting(session, which).await;
    if let Some(problem) = earlier.refused {
        return waits(session, kept, problem);
    }
    if !earlier.is_all {
        // The earlier ones need more time than there is; this one waits with them.
        return Ok(Said::default());
    }
    let (tenant, learner) = kept.owed.owner();
    let opened = match session.lessons_of(tenant, learner) {
        Ok(opened) => opened,
        Err(problem) => return waits(session, kept, problem),
    };
    let said = match &kept.owed {
        Owed::Call(record) => after(runs, &opened, record).await,
        Owed::End(end) => ends(&opened, end).await,
    };
    match said {
        Err(problem) if ingest::is_of_store(&problem) => waits(session, kept, problem),
        said => {
            kept.done();
            said
        }
    }
}

/// Leaves the kept call where it is; a store that is only busy is no fault.
fn waits(session: &Session, kept: &Kept, problem: Problem) -> Result<Said, Problem> {
    if kept.file.is_some() && ingest::may_pass(session, &problem) {
        return Ok(Said::default());
    }
    Err(problem)
}

/// The lessons and bullets worth knowing.
async fn begins(
    session: &Session,
    event: &HookEvent,
    (runs, until): (&mut SessionRuns, Option<Instant>),
) -> Result<Said, Problem> {
    let which = Which {
        until,
        ..Which::default()
    };
    take_waiting(session, which).await;
    // A sub-agent reads for itself: its agent has neither forgotten nor read what it is shown.
    let is_agent = event.moment == Moment::Begins;
    if is_agent {
        runs.forget_noted();
    }
    let access = session.access_served()?;
    let brief: BriefLessons =
        catalog::read(json!({"run": runs.current(), "budget": LESSON_TOKENS}))?;
    let lessons = access.answer(brief).await?;
    if is_agent {
        runs.show(lessons.lessons.iter().map(|hit| hit.lesson.id));
    }
    let mut said = Said::default();
    said.context
        .extend(lessons.prompt.map(|prompt| prompt.text));
    let bullets = access.everywhere(recalls(session));
    let bullets = bullets.answer(BriefMemory {
        budget: BULLET_TOKENS,
        known: own_rules::text(event),
    });
    let bullets = bullets.await?;
    if is_agent {
        runs.note(bullets.ids);
    }
    said.context.push(bullets.text);
    Ok(said)
}

/// True if an agent is also reminded of the scopes that hold everywhere, even where the person named the scope.
fn recalls(session: &Session) -> bool {
    session.settings.switch("recall_everywhere")
}

/// The bullets for a task that the agent has not seen in this session.
async fn for_task(
    session: &Session,
    runs: &mut SessionRuns,
    prompt: &str,
) -> Result<Said, Problem> {
    let query: String = prompt.chars().take(QUERY_MAX_CHARS).collect();
    let request: Retrieve = catalog::read(
        json!({"query": query, "top_k": BULLETS_MAX, "budget": BULLET_TOKENS,
        "prompt": "numbered", "include_shared": recalls(session), "seen": runs.noted()}),
    )?;
    let access = session.access_served()?;
    let found = access.answer(request).await?;
    runs.note(found.results.iter().map(|one| one.id));
    Ok(Said {
        context: found.prompt.into_iter().map(|prompt| prompt.text).collect(),
        ..Said::default()
    })
}

/// The lessons that know the form of the next action: as a refusal where one may refuse it, else as context, which the
/// model reads together with the result of the action.
async fn before(
    session: &Session,
    (runs, can_refuse): (&mut SessionRuns, bool),
    (tool, action): (&Option<String>, &Action),
) -> Result<Said, Problem> {
    let answers = BeforeAction::read(&session.settings)?;
    if *action == Action::Unknown || !answers.speaks_of(action) {
        return Ok(Said::default());
    }
    let can_refuse = can_refuse && answers.may_refuse() && runs.refused().len() < REFUSALS_MAX;
    // A lesson that cannot refuse is shown once, like one that has refused.
    let refused = if can_refuse {
        runs.refused()
    } else {
        runs.shown()
    };
    let question = |run: Option<String>| -> Result<RetrieveLessons, Problem> {
        catalog::read(
            json!({"action": action.to_value(), "tool": tool, "run": run, "shown": runs.shown(),
            "refused": refused, "max_results": LESSONS_MAX, "prompt": true, "budget": LESSON_TOKENS}),
        )
    };
    let access = session.access_served()?;
    let found = match access.answer(question(Some(runs.current()))?).await {
        // The agent rests meanwhile: the action is of no run yet.
        Err(problem) if problem.code == ingest::ENDED => access.answer(question(None)?).await?,
        found => found?,
    };
    runs.show(found.lessons.iter().map(|hit| hit.lesson.id));
    if let Some(refusing) = found
        .lessons
        .iter()
        .find(|hit| can_refuse && hit.may_refuse)
    {
        runs.refuse(refusing.lesson.id);
        let advice = marked(&refusing.lesson.advice);
        return Ok(Said {
            refusal: Some(format!("{REFUSAL} {advice} {REPEAT}")),
            ..Said::default()
        });
    }
    Ok(Said {
        context: found.prompt.into_iter().map(|prompt| prompt.text).collect(),
        ..Said::default()
    })
}

/// Records a call; a failed one is answered with the lessons for its error.
async fn after(
    runs: &mut SessionRuns,
    opened: &OpenLessons,
    record: &Record,
) -> Result<Said, Problem> {
    let learned = match ingest::take(opened, record, record.failed()).await {
        // Another process took the call in, as one of the part of the session that was open then.
        Err(problem) if problem.code == ingest::TAKEN => return Ok(Said::default()),
        learned => learned?,
    };
    let mut lessons = learned.hint.map(|hint| hint.lessons).unwrap_or_default();
    lessons.truncate(LESSONS_MAX);
    runs.show(lessons.iter().map(|hit| hit.lesson.id));
    let prompt = as_prompt(&lessons, Some(LESSON_TOKENS));
    Ok(Said {
        context: vec![prompt.text],
        ..Said::default()
    })
}

/// Takes in the lessons that the agent states in its last words.
async fn states(session: &Session, run: Option<String>, words: &str) -> Result<(), Problem> {
    if stated_lessons(words).is_empty() {
        return Ok(());
    }
    let request = StateLessons {
        text: words.to_owned(),
        run,
    };
    session.access_served()?.answer(request).await?;
    Ok(())
}

/// Ends the run, which learns, and reports the lessons in one line.
async fn ends(opened: &OpenLessons, end: &RunEnd) -> Result<Said, Problem> {
    let ended = end.take(opened).await?;
    Ok(Said {
        notice: ended.as_ref().and_then(learned),
        ..Said::default()
    })
}

fn learned(ended: &EndedRunResponse) -> Option<String> {
    let is_confirmed = |lesson: LessonId| {
        let mut changes = ended.decisions.iter();
        changes.any(|one| one.lesson == lesson && one.from == Status::Observed)
    };
    let new: Vec<&str> = ended
        .learned
        .iter()
        .filter(|one| one.status.is_live())
        .filter(|one| one.placement == "new" || is_confirmed(one.lesson))
        .map(|one| one.rule.as_str())
        .collect();
    match new[..] {
        [] => None,
        [only] => Some(format!("hindlore learned: {}", marked(only))),
        [first, ..] => Some(format!(
            "hindlore learned {} lessons, such as: {}",
            new.len(),
            marked(first)
        )),
    }
}
