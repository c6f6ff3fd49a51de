//! `clbench infer`: answers the tasks of one context after another; those of one share a scope, in their order.

use super::pass::{Pass, rows};
use crate::args::clbench::InferArgs;
use crate::commands::CommandResult;
use crate::commands::agents::agent::note_no_model;
use crate::session::Session;
use hindlore_agents::agent::clbench::Row;
use hindlore_agents::agent::clbench::row::by_context;
use hindlore_agents::agent::turn::Known;
use hindlore_agents::agent::{AgentOptions, AnswerForm, Mode, Numbers, Turn};
use hindlore_agents::model::inject::InjectionMode;
use hindlore_agents::roles::trace::Rubric;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::agent::RunAgent;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};
use serde_json::{Value, json};

/// The settings of the published method, for the memories that it makes.
fn published() -> [(&'static str, Value); 3] {
    [
        ("seeds", json!(true)),
        ("policy.profile", json!("cl-bench")),
        ("policy.max_bullets", json!(100)),
    ]
}

/// Answers the tasks.
pub(super) async fn run(session: &Session, args: InferArgs) -> CommandResult {
    let all = rows(&args.pass.file).await?;
    let informed = match &args.informed_by {
        Some(file) => rows(file).await?,
        None => Vec::new(),
    };
    let mode = mode(&args)?;
    let mut own = session.again();
    for (name, value) in published().into_iter().filter(|_| args.published) {
        own.settings.set_flag(name, "--published", value);
    }
    let places = by_context(&all, args.contexts);
    let mut pass = Pass::begin(&args.pass.out, places.len()).await?;
    let access = own.access_of::<RunAgent>().await?;
    for place in places {
        let row = &all[place];
        if pass.done(row).is_some() {
            continue;
        }
        let earlier = informed.iter().find(|one| same(one, row));
        let key = scope_of(access.key(), row)?;
        let about = access.about(key);
        let mut turn = turn_of(row, earlier);
        turn.preset = mode;
        let args = &args;
        let work = about.within::<RunAgent, _, _>(about.memory(), |context| async move {
            let options = options(context.agents.options()?, args);
            let agent = context.agent(options)?;
            agent.run(&mut turn, |_| Ok::<(), Problem>(())).await?;
            Ok(turn)
        });
        let turn = own.wait("answering", work).await?;
        pass.take(answered(row, &turn))?;
    }
    own.settle().await;
    note_no_model(session);
    pass.end(session)
}

/// The wanted way of working. The control takes one line of thought, so that its prompt is the task and nothing else.
fn mode(args: &InferArgs) -> Result<Option<Mode>, Problem> {
    let Some(word) = &args.mode else {
        return Ok(args.without_memory.then_some(Mode::Cot));
    };
    let mode = Mode::from_word(word).ok_or_else(|| {
        let message = format!("`--mode` is `{}`", word.escape_debug());
        Problem::new("invalid_request", message).with_hint("give cot, tot or react")
    })?;
    Ok(Some(mode))
}

/// How the agent works on a task. Requirements are about the whole answer, so it is not cut down to a last line.
fn options(configured: &AgentOptions, args: &InferArgs) -> AgentOptions {
    let options = configured.clone();
    let injection = if args.published {
        InjectionMode::PostContext
    } else {
        options.injection
    };
    AgentOptions {
        remembers: !args.without_memory,
        // Contexts are isolated.
        include_shared: false,
        learns: !args.without_memory,
        // A verdict serves the learning alone.
        judges: options.judges && !args.without_memory,
        numbers: Numbers {
            form: AnswerForm::Whole,
            ..options.numbers
        },
        injection,
        ..options
    }
}

/// The scope of a context: one for each, within the one that was named.
fn scope_of(key: &MemoryKey, row: &Row) -> Result<MemoryKey, Problem> {
    let context = &hex(&derived_hash(&["clbench", &row.metadata.context_id]))[..12];
    Ok(MemoryKey::new(
        key.tenant(),
        key.learner(),
        &format!("{}/{context}", key.scope()),
    )?)
}

fn same(a: &Row, b: &Row) -> bool {
    (&a.metadata.context_id, &a.metadata.task_id) == (&b.metadata.context_id, &b.metadata.task_id)
}

fn turn_of(row: &Row, earlier: Option<&Row>) -> Turn {
    let status = |earlier: &Row| -> Vec<Rubric> {
        let status = earlier.requirement_status.iter().flatten();
        let rubrics = earlier.rubrics.iter().zip(status);
        rubrics
            .map(|(rubric, passed)| Rubric {
                text: rubric.text().to_owned(),
                passed: *passed,
            })
            .collect()
    };
    let id = format!(
        "clbench:{}:{}",
        row.metadata.context_id, row.metadata.task_id
    );
    Turn {
        known: Known {
            rubrics: earlier.map(status).unwrap_or_default(),
            ..Known::default()
        },
        ..Turn::new(id, row.prompt())
    }
}

/// The row with its answer. A failure of the model is a failed row, which is tried again; the answer of the rules in
/// its place is no answer of the model.
fn answered(row: &Row, turn: &Turn) -> Row {
    let failed = turn
        .notes
        .iter()
        .find(|note| note.contains("did not answer"));
    Row {
        model_output: failed.is_none().then(|| turn.answer.clone()),
        error: failed.cloned(),
        ..row.clone()
    }
}
