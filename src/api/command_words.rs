//! The words that call a verb on the command line: its name with a space for the dot, but for the verbs in one table.
//!
//! The parser, helps, and the hints of every surface read them here, so that no text names a command that does not exist.

/// Verbs whose commands have other words.
const OTHERS: &[(&str, &str)] = &[
    ("bullets.add", "add"),
    ("learner.erase", "erase --all-scopes"),
    ("lessons.import", "import --format classic-lessons"),
    ("memory.erase", "erase"),
    ("memory.export", "export"),
    ("memory.import", "import"),
    ("reflection.reflect", "reflect"),
    ("runs.learn", "learn"),
    ("share.check", "check"),
    ("share.grant", "grant"),
    ("share.revoke", "revoke"),
    ("store.health", "health"),
];

/// Fields whose options have other names, since each takes one of several values.
const OPTIONS: &[(&str, &str)] = &[
    ("memory_types", "type"),
    ("reflections", "reflection"),
    ("tags", "tag"),
    ("trajectories", "trajectory"),
];

/// Returns the option by which commands take a field.
pub fn option_of(field: &str) -> String {
    let other = OPTIONS.iter().find(|(name, _)| *name == field);
    let option = other.map_or(field, |(_, option)| option);
    format!("--{}", option.replace('_', "-"))
}

/// Returns the words of a verb's command.
pub fn words_of(verb: &str) -> Vec<&str> {
    let other = OTHERS.iter().find(|(name, _)| *name == verb);
    match other {
        Some((_, words)) => words.split(' ').collect(),
        None => verb.split('.').collect(),
    }
}
