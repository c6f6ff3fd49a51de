//! `clbench infer`: answers the tasks of one context after another; those of one share a scope, in their order.

use super::pass::{Pass, rows};
use crate::args::clbench::InferArgs;
use crate::commands::CommandResult;
use crate::commands::agents::agent::note_no_model;
use crate::session::Session;
use hindlore_agents::agent::clbench::Row;
use hindlore_agents::agent::clbench::row::by_context;
use hindlore_agents::agent::turn::Known;
use hindlore_agents::agent::{AgentOptions, Turn};
use hindlore_agents::roles::trace::Rubric;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::agent::RunAgent;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};

/// Answers the tasks.
pub(super) async fn run(session: &Session, args: InferArgs) -> CommandResult {
    let all = rows(&args.pass.file).await?;
    let informed = match &args.informed_by {
        Some(file) => rows(file).await?,
        None => Vec::new(),
    };
    let places = by_context(&all, args.contexts);
    let mut pass = Pass::begin(&args.pass.out, places.len()).await?;
    let access = session.access_of::<RunAgent>().await?;
    for place in places {
        let row = &all[place];
        if pass.done(row).is_some() {
            continue;
        }
        let earlier = informed.iter().find(|one| same(one, row));
        let key = scope_of(access.key(), row)?;
        let about = access.about(key);
        let turn = turn_of(row, earlier);
        let without_memory = args.without_memory;
        let work = about.within::<RunAgent, _, _>(about.memory(), |context| async move {
            let options = AgentOptions {
                remembers: !without_memory,
                learns: !without_memory,
                ..context.agents.options()?.clone()
            };
            let agent = context.agent(options)?;
            let mut turn = turn;
            agent.run(&mut turn, |_| Ok::<(), Problem>(())).await?;
            Ok(turn)
        });
        let turn = session.wait("answering", work).await?;
        pass.take(answered(row, &turn))?;
    }
    note_no_model(session);
    pass.end(session)
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
