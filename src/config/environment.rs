//! The environment: our own variables, and those of the programs this one continues.
//!
//! Every `HINDLORE_…` and `ACE_MEMORY_…` variable must be known; others are matched by name only. An empty
//! variable counts as unset.

use std::collections::BTreeMap;
use std::ffi::OsString;

use serde_json::Value;

use super::ConfigError;
use super::keys::{KEYS, Key, Kind, parse, unknown, words_of};

/// Names the configuration file.
pub(super) const CONFIG: &str = "HINDLORE_CONFIG";

/// Prefixes of names meant for this program.
const PREFIXES: [&str; 2] = ["HINDLORE_", "ACE_MEMORY_"];

/// Known names that are no settings: the file, the log filter, and variables of the tests.
const OTHERS: &[&str] = &[
    CONFIG,
    "HINDLORE_LOG",
    "HINDLORE_LOG_FORMAT",
    "HINDLORE_CRASH_ROUNDS",
    "HINDLORE_CROWD_REQUESTS",
    "HINDLORE_LOAD_SECONDS",
    "HINDLORE_LOST_DELTAS",
    "HINDLORE_CANCEL_TRIALS",
    "HINDLORE_KILL_ROUNDS",
];

/// Variables of the original programs that this program does not read, and the substitutes.
const WITHOUT_EFFECT: &[(&str, &str)] = &[
    (
        "CONSOLIDATION_BATCH_SIZE",
        "`memory consolidate --batch N` sets the size of a batch",
    ),
    (
        "RUN_CONSOLIDATION_ASYNC",
        "above `consolidate_above` bullets, memories consolidate in the background",
    ),
];

/// True for a variable that names a place, which may be relative to the folder that a program runs in.
pub fn names_a_place(variable: &str) -> bool {
    let of_place = |key: &Key| {
        matches!(key.kind, Kind::Path | Kind::Address) && key.variables.contains(&variable)
    };
    variable == CONFIG || KEYS.iter().any(of_place)
}

/// A variable without effect, and its substitute.
pub(super) type WithoutEffect = (&'static str, &'static str);

/// The variables this program reads, without empty ones, and those without effect; adds errors to `faults`.
pub(super) fn known(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    faults: &mut Vec<ConfigError>,
) -> (BTreeMap<&'static str, String>, Vec<WithoutEffect>) {
    let names = || {
        let settings = KEYS.iter().flat_map(|key| key.variables.iter().copied());
        settings.chain(OTHERS.iter().copied())
    };
    let (mut found, mut without_effect) = (BTreeMap::new(), Vec::new());
    for (name, value) in environment {
        let Some(name) = name.to_str() else { continue };
        let others = WITHOUT_EFFECT.iter().filter(|(other, _)| *other == name);
        without_effect.extend(others.filter(|_| !value.is_empty()));
        let Some(known) = names().find(|known| *known == name) else {
            if let Some(prefix) = PREFIXES.iter().find(|prefix| name.starts_with(**prefix)) {
                let alike = names().filter(|known| known.starts_with(prefix));
                faults.push(unknown("the environment variable", name, prefix, alike));
            }
            continue;
        };
        match value.into_string() {
            Ok(value) if value.is_empty() => {}
            Ok(value) => drop(found.insert(known, value)),
            Err(_) => faults.push(ConfigError {
                message: format!("the environment variable `{known}` is not UTF-8 text"),
                hint: "set it to plain text".to_owned(),
            }),
        }
    }
    (found, without_effect)
}

/// The settings made by variables: key, variable, value.
pub(super) fn values(
    variables: &BTreeMap<&'static str, String>,
    faults: &mut Vec<ConfigError>,
) -> Vec<(&'static str, &'static str, Value)> {
    let mut values = Vec::new();
    for key in KEYS {
        for variable in key.variables {
            let Some(text) = variables.get(variable) else {
                continue;
            };
            match parse(key.kind, text) {
                Some(value) => values.push((key.name, *variable, value)),
                None => faults.push(ConfigError {
                    message: format!(
                        "the environment variable `{variable}` is `{}`, not {}",
                        text.escape_debug(),
                        words_of(key.kind)
                    ),
                    hint: "correct it, or unset it".to_owned(),
                }),
            }
        }
    }
    values
}
