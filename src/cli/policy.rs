//! The policy of new memories and the word tables, from the settings.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::input;
use hindlore::complete_weights;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::policy::refuse_unknown;
use hindlore_config::Settings;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::bullet::classify::Rules;
use hindlore_domain::memory::policy::Policy;
use hindlore_text::guard::MergeGuard;

/// Reads the word tables; the defaults if the settings name none.
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

/// The policy of memories made by this program.
pub(crate) fn local(settings: &Settings, tables: &Tables) -> Result<Policy, Problem> {
    let (policy, faults) = local_with_faults(settings, tables);
    faults.into_iter().next().map_or(Ok(policy), Err)
}

/// As `local`, but without the invalid fields, which are returned as faults.
pub(crate) fn local_with_faults(settings: &Settings, tables: &Tables) -> (Policy, Vec<Problem>) {
    let mut fields = settings.policy();
    let mut faults = Vec::new();
    complete_weights(&mut fields, &Policy::default());
    let names: Vec<String> = fields.keys().cloned().collect();
    for name in names {
        let mut alone = fields.clone();
        alone.retain(|field, _| *field == name);
        let said = refuse_unknown(&alone)
            .and_then(|()| Policy::default().patched(&alone).map_err(invalid));
        if let Err(problem) = said {
            fields.remove(&name);
            faults.push(at_its_place(settings, &name, problem));
        }
    }
    let policy = Policy::default().patched(&fields).unwrap_or_else(|reason| {
        let hint = "`hindlore config show` tells who set it";
        faults.push(invalid(reason).with_hint(hint));
        Policy::default()
    });
    (tables.stamp(policy), faults)
}

/// Adds the source of a field to its problem.
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

fn invalid(message: String) -> Problem {
    Problem::new("invalid_policy", message)
}
