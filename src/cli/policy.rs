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
    let mut fields = settings.policy();
    known(&fields)?;
    complete_weights(&mut fields, &Policy::default());
    let policy = Policy::default()
        .patched(&fields)
        .map_err(|reason| invalid(reason).with_hint("`mnemograph config show` tells who set it"))?;
    Ok(tables.stamp(policy))
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
