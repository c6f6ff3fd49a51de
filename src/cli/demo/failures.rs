//! The second act: a task fails, the failures become lessons, and the next task avoids them.
//!
//! The agent has habits and does not know the tool: for each step it tries one form after the other until the
//! tool accepts it. Before a try it applies the returned lessons to its habit, by the general rule that what
//! a lesson calls wrong is replaced by the form that it calls correct. The tool's messages, the lessons, and the
//! matches are real results of tool and engine; none of them is written down here.

use serde_json::Value;

use super::grid;
use hindlore::Engine;
use hindlore::clock::{SystemClock, WallClock};
use hindlore::lessons::{
    EndRun, EndedRun, LessonCall, LessonRequest, LessonsRetrieved, StartRun, StepDetail, StepInput,
};
use hindlore_api::problem::Problem;
use hindlore_api::responses::demo::{DemoFailures, DemoRun, DemoTry};
use hindlore_api::responses::lesson_answers::RetrievedLessonsResponse;
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::learning::pattern::rewritten;
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::ids::LessonId;

/// Forms of a step, in the order of trying; the first is the habit.
type Forms = &'static [&'static str];

/// A task, and the agent's plan for it.
struct Task {
    intent: &'static str,
    plan: [Forms; 4],
}

/// The task that fails at first.
const FIRST: Task = Task {
    intent: "report the sales of every region, the largest first",
    plan: [
        &["LOAD \"sales.csv\""],
        &[
            "TALLY region -> total=SUM(amount)",
            "TALLY region -> total=sum(amount)",
        ],
        &["RANK total descending", "RANK total desc"],
        &["SHOW"],
    ],
};

/// Another task with the same tool.
const SECOND: Task = Task {
    intent: "report the pieces of every product, the largest first",
    plan: [
        &["LOAD \"stock.csv\""],
        &[
            "TALLY product -> pieces=SUM(count)",
            "TALLY product -> pieces=sum(count)",
        ],
        &["RANK pieces descending", "RANK pieces desc"],
        &["SHOW"],
    ],
};

/// Both runs.
pub(crate) struct Failures {
    pub(super) first: Run,
    /// The lessons returned before the second run.
    pub(super) found: RetrievedLessonsResponse,
    pub(super) second: Run,
}

/// A run.
pub(super) struct Run {
    pub(super) intent: &'static str,
    pub(super) tries: Vec<Try>,
    pub(super) ended: EndedRun,
}

/// A tried line.
pub(super) struct Try {
    pub(super) line: String,
    /// The tool's error.
    pub(super) error: Option<String>,
    /// The habit that a lesson replaced.
    pub(super) instead_of: Option<&'static str>,
}

/// Runs the act.
pub(crate) async fn happen(engine: &Engine, owner: &LearnerId) -> Result<Failures, Problem> {
    let first = run(engine, owner, "first", &FIRST, None).await?;
    let asked = ask(engine, owner, "second", &SECOND).await?;
    let second = run(engine, owner, "second", &SECOND, Some(&asked)).await?;
    Ok(Failures {
        first,
        found: RetrievedLessonsResponse::from(asked),
        second,
    })
}

async fn ask(
    engine: &Engine,
    owner: &LearnerId,
    run: &str,
    task: &Task,
) -> Result<LessonsRetrieved, Problem> {
    start(engine, owner, run, task).await?;
    let request = LessonRequest {
        run: Some(run.to_owned()),
        call: LessonCall::PreRun,
        text: task.intent.to_owned(),
        tags: Vec::new(),
        place: place(),
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    };
    Ok(engine.retrieve_lessons(owner, request).await?)
}

async fn start(engine: &Engine, owner: &LearnerId, run: &str, task: &Task) -> Result<(), Problem> {
    let request = StartRun {
        id: Some(run.to_owned()),
        place: place(),
        intent: task.intent.to_owned(),
        allowed_steps: None,
        ..StartRun::default()
    };
    engine.start_run(owner, request).await?;
    Ok(())
}

async fn run(
    engine: &Engine,
    owner: &LearnerId,
    name: &str,
    task: &Task,
    known: Option<&LessonsRetrieved>,
) -> Result<Run, Problem> {
    start(engine, owner, name, task).await?;
    let mut tries: Vec<Try> = Vec::new();
    for (at, forms) in task.plan.iter().enumerate() {
        for habit in *forms {
            let advice = known.and_then(|known| advised(known, habit));
            let line = advice
                .as_ref()
                .map_or_else(|| (*habit).to_owned(), |it| it.1.clone());
            let error = grid::check(at + 1, &line).err();
            let number = u32::try_from(tries.len() + 1).unwrap_or(u32::MAX);
            let step = StepInput {
                report: report(name, number, &line, error.as_deref()),
                plan_step: None,
                followed: advice.iter().map(|it| it.0).collect(),
                detail: StepDetail::default(),
                scope: None,
            };
            engine.capture_error(owner, step).await?;
            let is_taken = error.is_none();
            tries.push(Try {
                line,
                error,
                instead_of: advice.map(|_| *habit),
            });
            if is_taken {
                break;
            }
        }
    }
    let request = EndRun {
        run: name.to_owned(),
        passed: Some(tries.last().is_some_and(|last| last.error.is_none())),
        ..EndRun::default()
    };
    let ended = engine.end_run(owner, request).await?;
    Ok(Run {
        intent: task.intent,
        tries,
        ended,
    })
}

/// Applies the first lesson that corrects a habit.
fn advised(known: &LessonsRetrieved, habit: &str) -> Option<(LessonId, String)> {
    known.lessons.iter().find_map(|hit| {
        let rule = &hit.lesson.rule;
        let better = rewritten(rule.wrong()?, rule.correct()?, habit)?;
        (better != habit).then_some((hit.lesson.id, better))
    })
}

fn place() -> Place {
    Place {
        task: None,
        domain: Some("tables".to_owned()),
        tool: Some("grid".to_owned()),
    }
}

fn report(run: &str, step: u32, line: &str, error: Option<&str>) -> StepReport {
    StepReport {
        run: run.to_owned(),
        step,
        allowed_steps: None,
        evidence: Evidence {
            error: error.map_or(Value::Null, Value::from),
            action: Value::from(line),
            ..Evidence::default()
        },
        feedback: Feedback {
            hard_failure: error.is_some(),
            ..Feedback::default()
        },
        exit_code: None,
        unsafe_action: false,
        place: place(),
        tags: Vec::new(),
        at: SystemClock.now(),
    }
}

impl Run {
    /// Number of lines the tool refused.
    pub(super) fn errors(&self) -> usize {
        self.tries.iter().filter(|one| one.error.is_some()).count()
    }

    fn answer(&self) -> DemoRun {
        let tries = self.tries.iter().map(|one| DemoTry {
            line: one.line.clone(),
            error: one.error.clone(),
            instead_of: one.instead_of,
        });
        DemoRun {
            intent: self.intent,
            tries: tries.collect(),
            errors: self.errors(),
            ended: self.ended.clone().into(),
        }
    }
}

impl Failures {
    /// The act as an answer.
    pub(crate) fn answer(&self) -> DemoFailures {
        DemoFailures {
            first_run: self.first.answer(),
            found: self.found.clone(),
            second_run: self.second.answer(),
        }
    }
}
