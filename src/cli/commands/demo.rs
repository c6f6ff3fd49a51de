//! Command `demo`: the idea, shown on a memory that lives for a second.

use std::sync::Arc;

use super::CommandResult;
use crate::args::demo::DemoArgs;
use crate::demo::{Stage, failures, page, story};
use crate::output::Outcome;
use crate::session::Session;
use crate::temp_store::TempStore;
use hindlore::lessons::LessonRules;
use hindlore::{Engine, EngineOptions};
use hindlore_api::problem::Problem;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::lesson_policy::LessonPolicy;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

/// Learner of the memory in a permanent store.
const LEARNER: &str = "demo";
/// Maximum runs in one store.
const RUNS_MAX: usize = 10_000;

/// Runs the demonstration, in a temporary store unless one is named.
pub(crate) async fn run(session: &Session, args: DemoArgs) -> CommandResult {
    let kept = session.settings.is_flag("store");
    let temp = TempStore::new()?;
    let engine = if kept {
        session.engine_with(options())?
    } else {
        temp.engine("demo.db", options())?
    };
    let tenant = session.settings.text_or_empty("tenant");
    let stage = Stage {
        key: fresh_memory(&engine, tenant).await?,
        store: session.settings.text("store").filter(|_| kept),
        engine,
    };
    let told = story::tell(&stage).await?;
    // Lessons belong to a learner, so each run uses a new one, who still has to fail.
    let learner = format!("{LEARNER}-{}", stage.key.scope());
    let owner = LearnerId::new(tenant, &learner)?;
    let failed = failures::happen(&stage.engine, &owner).await?;
    let shown = told.answer(failed.answer());
    session.output.show(&shown, |page| {
        if args.full {
            page::write(page, &told, &failed);
        } else {
            page::write_short(page, &failed);
        }
    })?;
    Ok(Outcome::Done)
}

/// Equal options on every machine, independent of its settings.
fn options() -> EngineOptions {
    EngineOptions {
        instance: "demo".to_owned(),
        author: Some("demo".to_owned()),
        policy: Policy::default(),
        lessons: Arc::new(LessonRules {
            // The demonstration is a run with lessons, so none is a control run.
            numbers: LessonPolicy {
                control_rate: 0.0,
                ..LessonPolicy::default()
            },
            ..LessonRules::default()
        }),
        ..EngineOptions::default()
    }
}

/// A memory unused by earlier runs.
async fn fresh_memory(engine: &Engine, tenant: &str) -> Result<MemoryKey, Problem> {
    let used = engine.memories(tenant, Some(LEARNER)).await?;
    let is_free = |name: &String| !used.iter().any(|memory| memory.key.scope() == name);
    let mut names = (1..=RUNS_MAX).map(|number| format!("run-{number}"));
    let scope = names.find(is_free).ok_or_else(|| {
        Problem::new(
            "too_many_runs",
            format!("the learner `{LEARNER}` has {RUNS_MAX} memories"),
        )
        .with_hint("clear them with `hindlore erase --learner demo`, or leave --store out")
    })?;
    Ok(MemoryKey::new(tenant, LEARNER, &scope)?)
}
