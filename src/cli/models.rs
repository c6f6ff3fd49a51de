//! The model, and how agents work, from the settings.

#[cfg(feature = "neo4j")]
pub(crate) mod analyst;
#[cfg(feature = "models")]
mod endpoint;
mod tools;
mod vectors;

use std::sync::Arc;

#[cfg(feature = "models")]
use endpoint::model;
use hindlore::proposer::Proposer;
use hindlore_agents::agent::tools::Source;
use hindlore_agents::agent::{AgentOptions, Numbers};
use hindlore_agents::model::inject::InjectionMode;
use hindlore_agents::model::{Budget, Prices};
use hindlore_agents::roles::Options;
use hindlore_agents::roles::run_proposer::RunProposer;
use hindlore_agents::roles::shown::AdviceUse;
use hindlore_api::agents::Agents;
#[cfg(not(feature = "models"))]
use hindlore_api::agents::Configured;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::agent::{BREADTH_MAX, DEPTH_MAX, DRAFTS_MAX, TURNS_MAX};
use hindlore_config::Settings;
pub(crate) use vectors::embeddings;

/// The agents' part of the context of verbs, made at its first use.
///
/// `analyst` is the tool of the analysts' queries, where the settings ask for it.
pub(crate) fn agents(settings: &Settings, analyst: Option<Result<Source, Problem>>) -> Agents {
    let [of_options, of_model, of_tools] = [(); 3].map(|()| settings.clone());
    let sources = move || {
        let mut sources = tools::tools(&of_tools)?;
        sources.extend(analyst.transpose()?);
        Ok(sources)
    };
    Agents::made_by(
        move || options(&of_options),
        move || model(&of_model),
        sources,
    )
}

/// Asks the configured model for proposals about runs. A setting of the model that cannot be is reported where a verb asks
/// the model by name.
pub(crate) fn proposer(settings: &Settings) -> Arc<dyn Proposer> {
    let settings = settings.clone();
    Arc::new(RunProposer::made_by(move || {
        let found = model(&settings);
        let found = found.inspect_err(|error| tracing::warn!(%error, "no model can be asked"));
        found.ok().flatten().map(|configured| configured.model)
    }))
}

fn options(settings: &Settings) -> Result<AgentOptions, Problem> {
    let default = AgentOptions::default();
    let injection = match settings.text_or_empty("agent.injection") {
        "system" => InjectionMode::System,
        "post_context" => InjectionMode::PostContext,
        other => {
            return Err(wrong(
                "agent.injection",
                other,
                "`system` or `post_context`",
            ));
        }
    };
    let share = |name: &str, default: f64| match settings.number(name) {
        None => Ok(default),
        Some(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Some(value) => Err(wrong(name, &value.to_string(), "a number in 0..=1")),
    };
    let price = |name: &str| match settings.number(name).unwrap_or_default() {
        value if value >= 0.0 => Ok(value),
        value => Err(wrong(
            name,
            &value.to_string(),
            "dollars for a million tokens",
        )),
    };
    let limit = |name: &str| settings.whole(name).filter(|limit| *limit > 0);
    Ok(AgentOptions {
        injection,
        judges: settings.switch("agent.judge"),
        include_shared: crate::repository::recalls_everywhere(settings),
        budget: Budget {
            calls: limit("model.budget.calls"),
            tokens: limit("model.budget.tokens"),
            dollars: settings
                .number("model.budget.dollars")
                .filter(|limit| *limit > 0.0),
            millis: limit("model.budget.millis"),
        },
        prices: Prices {
            input: price("model.price.input")?,
            output: price("model.price.output")?,
        },
        learning: Options {
            curates_by_model: settings.switch("curator.use_model"),
            similarity: share("curator.similarity", default.learning.similarity)?,
            gate: settings.switch("curator.gate"),
            ..default.learning
        },
        advice: match settings.is_given("advice") {
            false => AdviceUse::WhileNew,
            true if settings.switch("advice") => AdviceUse::Always,
            true => AdviceUse::Never,
        },
        numbers: numbers(settings)?,
        system: settings.text("agent.system").map(str::to_owned),
        ..default
    })
}

/// The numbers of plans.
fn numbers(settings: &Settings) -> Result<Numbers, Problem> {
    let default = Numbers::default();
    let number = |name: &str, default: u32, most: u32| match settings.whole(name) {
        None => Ok(default),
        Some(value) => u32::try_from(value)
            .ok()
            .filter(|value| (1..=most).contains(value))
            .ok_or_else(|| wrong(name, &value.to_string(), &format!("a number in 1..={most}"))),
    };
    let temperature = settings.number("agent.temperature");
    if let Some(value) = temperature.filter(|value| !(0.0..=2.0).contains(value)) {
        let value = value.to_string();
        return Err(wrong("agent.temperature", &value, "a number in 0..=2"));
    }
    Ok(Numbers {
        drafts: number("agent.drafts", default.drafts, DRAFTS_MAX)?,
        breadth: number("agent.breadth", default.breadth, BREADTH_MAX)?,
        depth: number("agent.depth", default.depth, DEPTH_MAX)?,
        max_turns: number("agent.max_turns", default.max_turns, TURNS_MAX)?,
        temperature,
        ..default
    })
}

fn wrong(name: &str, value: &str, allowed: &str) -> Problem {
    Problem::new(
        "invalid_config",
        format!("`{name}` is `{}`", value.escape_debug()),
    )
    .with_hint(format!("give {allowed}"))
}

/// This build has no client.
#[cfg(not(feature = "models"))]
fn model(settings: &Settings) -> Result<Option<Configured>, Problem> {
    match settings.text("model.vendor") {
        Some(_) => Err(
            Problem::new("no_model", "this program was built without models")
                .with_hint("build it with `--features full`"),
        ),
        None => Ok(None),
    }
}
