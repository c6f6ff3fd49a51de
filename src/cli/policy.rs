//! The policy of new memories and the word tables, as the settings say.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::nearest::suggestion;
use crate::api::problem::Problem;
use crate::cli::input;
use crate::config::Settings;
use crate::domain::memory::apply::Tables;
use crate::domain::memory::classify::Rules;
use crate::domain::memory::policy::{Policy, Profile};
use crate::domain::text::guard::MergeGuard;

/// The word tables: the shipped ones, where the settings name no others.
pub(crate) fn tables(settings: &Settings) -> Result<Tables, Problem> {
    let guard = match settings.text("antonyms") {
        Some(path) => MergeGuard::with_antonyms(read_table("antonyms", path)?),
        None => MergeGuard::standard(),
    };
    let rules = match settings.text("rules") {
        Some(path) => read_table("rules", path)?,
        None => Rules::standard(),
    };
    Ok(Tables::new(guard, rules))
}

fn read_table<T: DeserializeOwned>(name: &str, path: &str) -> Result<T, Problem> {
    let bytes = input::file(Path::new(path))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        invalid(format!(
            "the table `{name}` in `{path}` cannot be read: {error}"
        ))
        .with_hint("the table is JSON; leave the setting out to use the shipped one")
    })
}

/// The policy of memories that this program makes.
pub(crate) fn local(settings: &Settings, tables: &Tables) -> Result<Policy, Problem> {
    let (policy, faults) = local_with_faults(settings, tables);
    faults.into_iter().next().map_or(Ok(policy), Err)
}

/// The same without the fields that cannot be used, which are told.
pub(crate) fn local_with_faults(settings: &Settings, tables: &Tables) -> (Policy, Vec<Problem>) {
    let mut fields = settings.policy();
    let mut faults = Vec::new();
    complete_weights(&mut fields, &Policy::default());
    let names: Vec<String> = fields.keys().cloned().collect();
    for name in names {
        let mut alone = fields.clone();
        alone.retain(|field, _| *field == name);
        let said = known(&alone).and_then(|()| Policy::default().patched(&alone).map_err(invalid));
        if let Err(problem) = said {
            fields.remove(&name);
            faults.push(at_its_place(settings, &name, problem));
        }
    }
    let policy = Policy::default().patched(&fields).unwrap_or_else(|reason| {
        let hint = "`mnemograph config show` tells who set it";
        faults.push(invalid(reason).with_hint(hint));
        Policy::default()
    });
    (tables.stamp(policy), faults)
}

/// Adds who set a field, and where.
fn at_its_place(settings: &Settings, field: &str, problem: Problem) -> Problem {
    let path = format!("policy.{field}");
    let below = format!("{path}.");
    let mut names = settings.shown().map(|(name, _)| name);
    let is_set = |name: &str| settings.is_given(name) && (name == path || name.starts_with(&below));
    let Some(name) = names.find(|name| is_set(name)) else {
        return problem;
    };
    Problem {
        message: format!("{}, set by {}", problem.message, settings.place_of(name)),
        hint: problem.hint.or_else(|| Some("correct it there".to_owned())),
        ..problem
    }
}

/// Refuses names that no field of a policy has.
pub(crate) fn known(fields: &Map<String, Value>) -> Result<(), Problem> {
    let names = Policy::field_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match fields.keys().find(|field| !names.contains(&field.as_str())) {
        Some(unknown) => Err(invalid(format!(
            "`{}` is not a policy field",
            unknown.escape_debug()
        ))
        .with_hint(suggestion(unknown, &names))),
        None => Ok(()),
    }
}

/// Fills weights that are named in part up with those that hold otherwise.
pub(crate) fn complete_weights(fields: &mut Map<String, Value>, now: &Policy) {
    let named = fields.get("profile").and_then(Value::as_str);
    let profile = named.and_then(Profile::from_word);
    let others = match profile {
        Some(profile) => now.weights_for(profile),
        None => now.weights_for(now.profile),
    };
    let Some(Value::Object(given)) = fields.get_mut("weights") else {
        return;
    };
    if let Ok(Value::Object(others)) = serde_json::to_value(others) {
        for (name, weight) in others {
            given.entry(name).or_insert(weight);
        }
    }
}

fn invalid(message: String) -> Problem {
    Problem::new("invalid_policy", message)
}
