//! Command `hindlore-lab run`: the protocol once, every run of every arm.

use serde_json::{Value, json};

use crate::args::LabRunArgs;
use crate::protocol::{Arm, ArmRuns, RunMetrics};
use crate::stability::{Experiment, PairRuns};
use hindlore_cli::program::CommandResult;
use hindlore_cli::program::Session;
use hindlore_cli::program::{Outcome, Tone};

/// Runs the protocol with one seed.
pub(super) async fn run(session: &Session, args: LabRunArgs) -> CommandResult {
    let own = super::tool(args.tool.as_deref())?;
    let experiment = Experiment::new(args.seed, 1, own)?;
    let pairs = super::apart(move || Ok(experiment.run(&|_| {})?)).await?;
    let shown: Vec<Value> = pairs
        .iter()
        .flat_map(|pair| arms(pair).map(|(level, arm)| shape(pair, level, arm)))
        .collect();
    let document = json!({"lab": "run", "seed": args.seed, "arms": shown});
    session.output.show(&document, |page| {
        for pair in &pairs {
            page.line(Tone::Heading, &pair.name);
            let headings = [
                "run",
                "phase",
                "tool",
                "task",
                "arm",
                "passed",
                "errors",
                "steps",
                "recurring",
                "activations",
            ];
            let rows: Vec<Vec<String>> = arms(pair)
                .flat_map(|(_, arm)| arm.runs.iter().map(|run| cells(arm.arm, run)))
                .collect();
            page.table(&headings, &rows);
            page.gap();
        }
    })?;
    Ok(Outcome::Done)
}

fn arms(pair: &PairRuns) -> impl Iterator<Item = (&'static str, &ArmRuns)> {
    pair.seeds
        .iter()
        .flat_map(|seed| seed.arms.iter().map(|arm| (seed.level.name(), arm)))
}

fn cells(arm: Arm, run: &RunMetrics) -> Vec<String> {
    vec![
        run.number.to_string(),
        run.phase.letter().to_owned(),
        run.tool.clone(),
        run.task.clone(),
        arm.name().to_owned(),
        if run.passed { "yes" } else { "no" }.to_owned(),
        run.errors.to_string(),
        run.steps.to_string(),
        run.recurring.to_string(),
        run.account.activations.to_string(),
    ]
}

fn shape(pair: &PairRuns, level: &str, arm: &ArmRuns) -> Value {
    let runs = arm.runs.iter().map(|run| {
        let account = run.account;
        json!({
            "run": run.number, "phase": run.phase.letter(), "tool": run.tool, "task": run.task,
            "passed": run.passed, "score": run.score, "steps": run.steps, "tool_errors": run.errors,
            "lesson_activations": account.activations, "fingerprint_recurrence": run.recurring,
            "promoted": account.promoted, "suppressed": account.suppressed,
            "retrieval_precision": match account.activations {
                0 => Value::Null,
                all => json!(account.helped as f64 / all as f64),
            },
        })
    });
    json!({"pair": pair.name, "level": level, "arm": arm.arm.name(), "runs": runs.collect::<Vec<_>>()})
}
