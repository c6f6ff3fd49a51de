//! The model, and how agents work, from the settings.

#[cfg(feature = "models")]
mod endpoint;

use std::sync::Arc;

#[cfg(feature = "models")]
use endpoint::model;
use hindlore::proposer::Proposer;
use hindlore_agents::agent::AgentOptions;
use hindlore_agents::model::inject::InjectionMode;
use hindlore_agents::model::{Budget, Prices};
use hindlore_agents::roles::Options;
use hindlore_agents::roles::run_proposer::RunProposer;
use hindlore_agents::roles::shown::AdviceUse;
use hindlore_api::agents::Agents;
#[cfg(not(feature = "models"))]
use hindlore_api::agents::Configured;
use hindlore_api::problem::Problem;
use hindlore_config::Settings;

/// The agents' part of the context of verbs, made at its first use.
pub(crate) fn agents(settings: &Settings) -> Agents {
    let (of_options, of_model) = (settings.clone(), settings.clone());
    Agents::made_by(move || options(&of_options), move || model(&of_model))
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
    let injection = match settings.text("agent.injection").unwrap_or("post_context") {
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
        judges: !settings.is_given("agent.judge") || settings.switch("agent.judge"),
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
            gate: !settings.is_given("curator.gate") || settings.switch("curator.gate"),
            ..default.learning
        },
        advice: match settings.is_given("advice") {
            false => AdviceUse::WhileNew,
            true if settings.switch("advice") => AdviceUse::Always,
            true => AdviceUse::Never,
        },
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
