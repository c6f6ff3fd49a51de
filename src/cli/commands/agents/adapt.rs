//! Command `adapt`: goes through samples, offline or online, and reports the share of right answers by epoch.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::agent::note_no_model;
use crate::args::adapt::{AdaptArgs, AdaptCommand, SamplesArgs};
use crate::commands::CommandResult;
use crate::input;
use crate::output::{Outcome, Tone, file};
use crate::session::Session;
use hindlore_agents::agent::AgentOptions;
use hindlore_agents::agent::adapt::{
    Adaptation, Environment, Epoch, Evaluation, Exact, Outcome as Judged, Sample, adapt,
};
use hindlore_agents::agent::tools::shell;
use hindlore_agents::model::Spent;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::agent::RunAgent;
use hindlore_config::{Links, read_regular_file};
use hindlore_primitives::identity::hex;

/// Maximum size of the file with the state in bytes.
const STATE_MAX: u64 = 256 << 20;

/// The result.
#[derive(Serialize)]
struct Shown<'a> {
    samples: usize,
    epochs: Vec<Epoch>,
    spent: Spent,
    outcomes: &'a [Judged],
}

/// Goes through samples.
pub(crate) async fn run(session: &Session, args: AdaptArgs) -> CommandResult {
    let (samples_args, epochs, seed) = match args.how {
        AdaptCommand::Offline(args) => (args.samples, args.epochs, args.seed),
        AdaptCommand::Online(args) => (args, 1, 0),
    };
    let text = input::text(&samples_args.file).await?;
    let samples = samples(&text)?;
    let mut adaptation = begun(&samples_args, &text, (epochs, seed))?;
    let environment: Box<dyn Environment> = match &samples_args.judge {
        Some(command) => Box::new(Judge(command.clone())),
        None => Box::new(Exact),
    };
    let access = session.access_of::<RunAgent>().await?;
    let (keeps, without_memory) = (samples_args.state.clone(), samples_args.without_memory);
    let given = samples.clone();
    let work = access.within::<RunAgent, _, _>(access.memory(), |context| async move {
        let options = AgentOptions {
            remembers: !without_memory,
            learns: !without_memory,
            judges: false,
            ..context.agents.options()?.clone()
        };
        let agent = context.agent(options)?;
        let kept =
            |adaptation: &Adaptation| keep(keeps.as_deref(), adaptation).map_err(Failed::from);
        let ended = adapt(&agent, &*environment, &given, (&mut adaptation, kept)).await;
        ended.map_err(|failed| failed.0)?;
        Ok(adaptation)
    });
    let adaptation = session.wait("adapting", work).await?;
    note_no_model(session);
    let shown = Shown {
        samples: samples.len(),
        epochs: adaptation.by_epoch(),
        spent: adaptation.spent(),
        outcomes: &adaptation.outcomes,
    };
    session.output.show(&shown, |page| {
        let row = |one: &Epoch| {
            vec![
                one.epoch.to_string(),
                one.judged.to_string(),
                one.correct.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = shown.epochs.iter().map(row).collect();
        page.table(&["EPOCH", "JUDGED", "RIGHT"], &rows);
        let spent = &shown.spent;
        page.line(
            Tone::Faint,
            format_args!(
                "{} calls of the model, {} tokens",
                spent.calls,
                spent.tokens()
            ),
        );
    })?;
    Ok(Outcome::Done)
}

/// Reads samples, one a line.
fn samples(text: &str) -> Result<Vec<Sample>, Problem> {
    let mut all: Vec<Sample> = Vec::new();
    for (place, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let sample: Sample = serde_json::from_str(line).map_err(|error| {
            Problem::new(
                "invalid_json",
                format!("line {} is no sample: {error}", place + 1),
            )
            .with_hint("a sample is a JSON object with a `question`, one a line")
        })?;
        all.push(sample);
    }
    if all.is_empty() {
        return Err(Problem::new("invalid_json", "there is no sample")
            .with_hint("give one JSON object a line"));
    }
    Ok(all)
}

/// An adaptation that begins, or the one of the state file, if it is of the same samples.
fn begun(
    args: &SamplesArgs,
    text: &str,
    (epochs, seed): (u32, u64),
) -> Result<Adaptation, Problem> {
    let id = format!("{}-{epochs}-{seed}", &hex(&Sha256::digest(text))[..12]);
    let fresh = Adaptation {
        id: id.clone(),
        seed,
        epochs,
        ..Adaptation::default()
    };
    let Some(path) = args.state.as_deref().filter(|path| path.exists()) else {
        return Ok(fresh);
    };
    let unusable = |what: String| {
        Problem::new("invalid_state", format!("{} {what}", path.display()))
            .with_hint("name another file by --state")
    };
    let bytes = read_regular_file(path, STATE_MAX, Links::Follow)
        .map_err(|error| unusable(format!("cannot be read: {error}")))?;
    let known: Adaptation = serde_json::from_slice(&bytes)
        .map_err(|error| unusable(format!("is no state of an adaptation: {error}")))?;
    if known.id == id {
        Ok(known)
    } else {
        Err(unusable("is of other samples, epochs or seed".to_owned()))
    }
}

/// Writes the state down so that it is there whole or not at all.
fn keep(path: Option<&Path>, adaptation: &Adaptation) -> Result<(), Problem> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string(adaptation)
        .map_err(|error| Problem::new("internal_error", error.to_string()))?;
    file::replace(path, text.as_bytes())
}

/// A problem, which an adaptation can fail with in three ways.
struct Failed(Problem);

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<hindlore::EngineError> for Failed {
    fn from(error: hindlore::EngineError) -> Self {
        Self(error.into())
    }
}

impl From<String> for Failed {
    fn from(reason: String) -> Self {
        Self(
            Problem::new("unjudged", reason)
                .with_hint("finished samples are kept; with --state it resumes there"),
        )
    }
}

/// A command that judges.
struct Judge(String);

#[async_trait]
impl Environment for Judge {
    async fn evaluate(&self, sample: &Sample, answer: &str) -> Result<Evaluation, String> {
        let (command, asked) = (
            self.0.clone(),
            json!({"sample": sample, "answer": answer}).to_string(),
        );
        let judged = tokio::task::spawn_blocking(move || judged(&command, &asked));
        judged.await.map_err(|error| error.to_string())?
    }
}

fn judged(command: &str, asked: &str) -> Result<Evaluation, String> {
    let failed = |error: std::io::Error| format!("the judge `{command}` cannot be run: {error}");
    let mut child = shell(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A judge may decide without reading all of it.
        let _ = stdin.write_all(asked.as_bytes());
    }
    let done = child.wait_with_output().map_err(failed)?;
    if !done.status.success() {
        return Err(format!("the judge `{command}` failed: {}", done.status));
    }
    serde_json::from_slice(&done.stdout)
        .map_err(|error| format!("the judge `{command}` printed no evaluation: {error}"))
}
