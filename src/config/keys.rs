//! The keys: every setting's name, type, and variables.

use serde_json::Value;

use super::ConfigError;

/// Prefix of fields in the policy of new memories.
pub(super) const POLICY: &str = "policy.";

/// Prefix of redaction rules added by the user; each is a pattern.
pub(super) const REDACTION_RULES: &str = "redaction.rules";

/// Prefix of the tools of the agent: a name, then a field.
pub(super) const TOOLS: &str = "agent.tools.";

/// Fields of a tool.
pub(super) const TOOL_FIELDS: &[(&str, Kind)] = &[
    ("about", Kind::Text),
    ("command", Kind::Text),
    ("url", Kind::Text),
    ("mcp", Kind::Text),
    ("timeout_ms", Kind::Whole),
];

/// The type of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Any text.
    Text,
    /// A path; one in the file is relative to the file.
    Path,
    /// A path, or the address of a server.
    Address,
    /// A text that is never shown.
    Secret,
    /// True or false.
    Switch,
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// A whole number, or an object with `keep_latest` and `keep_days`, as the original programs have it.
    Retention,
}

/// A setting.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Variables that set it; the last one wins.
    pub(super) variables: &'static [&'static str],
}

const fn key(name: &'static str, kind: Kind, variables: &'static [&'static str]) -> Key {
    Key {
        name,
        kind,
        variables,
    }
}

/// All keys. Below `policy.` the policy knows its own names.
pub(super) const KEYS: &[Key] = &[
    key("store", Kind::Address, &["HINDLORE_STORE"]),
    key("tenant", Kind::Text, &["HINDLORE_TENANT"]),
    key("learner", Kind::Text, &["HINDLORE_LEARNER"]),
    key("scope", Kind::Text, &["HINDLORE_SCOPE"]),
    key("author", Kind::Text, &["HINDLORE_AUTHOR"]),
    key("as", Kind::Text, &["HINDLORE_AS"]),
    key("instance", Kind::Text, &["HINDLORE_INSTANCE"]),
    key("log_contents", Kind::Switch, &["HINDLORE_LOG_CONTENTS"]),
    key(
        "busy_timeout_ms",
        Kind::Whole,
        &["HINDLORE_BUSY_TIMEOUT_MS"],
    ),
    key("durability", Kind::Text, &["HINDLORE_DURABILITY"]),
    key(
        "grouped_window_ms",
        Kind::Whole,
        &["HINDLORE_GROUPED_WINDOW_MS"],
    ),
    key(
        "consolidate_above",
        Kind::Whole,
        &["AUTO_CONSOLIDATE_THRESHOLD", "HINDLORE_CONSOLIDATE_ABOVE"],
    ),
    key(
        "reread_after_minutes",
        Kind::Whole,
        &["HINDLORE_REREAD_AFTER_MINUTES"],
    ),
    key("resident", Kind::Switch, &["HINDLORE_RESIDENT"]),
    key(
        "resident.above_bytes",
        Kind::Whole,
        &["HINDLORE_RESIDENT_ABOVE_BYTES"],
    ),
    key(
        "resident.idle_seconds",
        Kind::Whole,
        &["HINDLORE_RESIDENT_IDLE_SECONDS"],
    ),
    key("redaction", Kind::Text, &["HINDLORE_REDACTION"]),
    key("redaction.mode", Kind::Text, &[]),
    key("seeds", Kind::Switch, &["ACE_SEED_META_STRATEGIES"]),
    key("advice", Kind::Switch, &["HINDLORE_ADVICE"]),
    key(
        "recall_everywhere",
        Kind::Switch,
        &["HINDLORE_RECALL_EVERYWHERE"],
    ),
    key("rules", Kind::Path, &[]),
    key("antonyms", Kind::Path, &[]),
    key("lesson_rules", Kind::Path, &["HINDLORE_LESSON_RULES"]),
    key("control_rate", Kind::Number, &["HINDLORE_CONTROL_RATE"]),
    key("hooks.before", Kind::Text, &["HINDLORE_HOOKS_BEFORE"]),
    key("hooks.allow", Kind::Text, &["HINDLORE_HOOKS_ALLOW"]),
    key(
        "learn.from_user",
        Kind::Switch,
        &["HINDLORE_LEARN_FROM_USER"],
    ),
    key("classic_file", Kind::Path, &["ACE_MEMORY_FILE"]),
    key(
        "trajectory.sample_rate",
        Kind::Number,
        &["TRAJECTORY_SAMPLE_RATE"],
    ),
    key(
        "trajectory.keep_failures",
        Kind::Switch,
        &["TRAJECTORY_ALWAYS_STORE_FAILURES"],
    ),
    key(
        "trajectory.summary_minutes",
        Kind::Whole,
        &["TRAJECTORY_SUMMARY_AFTER_MINUTES"],
    ),
    key(
        "trajectory.retention_days",
        Kind::Whole,
        &["TRAJECTORY_RETENTION_DAYS"],
    ),
    key(
        "trajectory.after_retention",
        Kind::Text,
        &["TRAJECTORY_AFTER_RETENTION"],
    ),
    key(
        "trajectory.receipt_days",
        Kind::Whole,
        &["HINDLORE_RECEIPT_DAYS"],
    ),
    key(
        "playbook.version_retention",
        Kind::Retention,
        &["PLAYBOOK_VERSION_RETENTION"],
    ),
    key("model.vendor", Kind::Text, &["HINDLORE_MODEL_VENDOR"]),
    key("model.name", Kind::Text, &["HINDLORE_MODEL"]),
    key("model.url", Kind::Text, &["HINDLORE_MODEL_URL"]),
    key("model.key", Kind::Secret, &["HINDLORE_MODEL_KEY"]),
    key("model.temperature", Kind::Number, &["ACE_LLM_TEMPERATURE"]),
    key(
        "model.timeout_ms",
        Kind::Whole,
        &["HINDLORE_MODEL_TIMEOUT_MS"],
    ),
    key(
        "model.max_tokens",
        Kind::Whole,
        &["HINDLORE_MODEL_MAX_TOKENS"],
    ),
    key("model.retries", Kind::Whole, &["HINDLORE_MODEL_RETRIES"]),
    key("model.budget.calls", Kind::Whole, &[]),
    key("model.budget.tokens", Kind::Whole, &[]),
    key("model.budget.dollars", Kind::Number, &[]),
    key("model.budget.millis", Kind::Whole, &[]),
    key("model.price.input", Kind::Number, &[]),
    key("model.price.output", Kind::Number, &[]),
    key("model.openai.key", Kind::Secret, &["OPENAI_API_KEY"]),
    key("model.openai.url", Kind::Text, &["OPENAI_BASE_URL"]),
    key("model.openai.name", Kind::Text, &["OPENAI_MODEL"]),
    key("model.anthropic.key", Kind::Secret, &["ANTHROPIC_API_KEY"]),
    key("model.anthropic.url", Kind::Text, &["ANTHROPIC_BASE_URL"]),
    key("model.anthropic.name", Kind::Text, &["ANTHROPIC_MODEL"]),
    key("model.gemini.key", Kind::Secret, &["GEMINI_API_KEY"]),
    key("model.gemini.url", Kind::Text, &["GEMINI_BASE_URL"]),
    key("model.gemini.name", Kind::Text, &["GEMINI_MODEL"]),
    key("model.ollama.key", Kind::Secret, &["OLLAMA_API_KEY"]),
    key("model.ollama.url", Kind::Text, &["OLLAMA_HOST"]),
    key("model.ollama.name", Kind::Text, &["OLLAMA_MODEL"]),
    key(
        "embeddings.folder",
        Kind::Path,
        &["HINDLORE_EMBEDDINGS_FOLDER"],
    ),
    key("embeddings.url", Kind::Text, &["HINDLORE_EMBEDDINGS_URL"]),
    key(
        "embeddings.model",
        Kind::Text,
        &["HINDLORE_EMBEDDINGS_MODEL"],
    ),
    key("embeddings.key", Kind::Secret, &["HINDLORE_EMBEDDINGS_KEY"]),
    key("embeddings.question_prefix", Kind::Text, &[]),
    key("embeddings.passage_prefix", Kind::Text, &[]),
    key("embeddings.zero", Kind::Number, &[]),
    key("embeddings.floor", Kind::Number, &[]),
    key(
        "embeddings.cold",
        Kind::Switch,
        &["HINDLORE_EMBEDDINGS_COLD"],
    ),
    key("agent.injection", Kind::Text, &["ACE_INJECTION_MODE"]),
    key("agent.judge", Kind::Switch, &[]),
    key("agent.system", Kind::Text, &["HINDLORE_AGENT_SYSTEM"]),
    key("agent.analyst", Kind::Switch, &[]),
    key("agent.drafts", Kind::Whole, &[]),
    key("agent.breadth", Kind::Whole, &[]),
    key("agent.depth", Kind::Whole, &[]),
    key("agent.max_turns", Kind::Whole, &[]),
    key("agent.temperature", Kind::Number, &[]),
    key("curator.use_model", Kind::Switch, &["ACE_CURATOR_USE_LLM"]),
    key(
        "curator.similarity",
        Kind::Number,
        &["ACE_CURATOR_SIMILARITY"],
    ),
    key("curator.gate", Kind::Switch, &[]),
    key("lessons.use_model", Kind::Switch, &[]),
    key("reflection.use_model", Kind::Switch, &[]),
    key("neo4j.uri", Kind::Address, &["NEO4J_URI"]),
    key("neo4j.username", Kind::Text, &["NEO4J_USERNAME"]),
    key("neo4j.password", Kind::Secret, &["NEO4J_PASSWORD"]),
    key("neo4j.database", Kind::Text, &["NEO4J_DATABASE"]),
    key("neo4j.ca_file", Kind::Path, &["NEO4J_CA_FILE"]),
    key("neo4j.connections", Kind::Whole, &[]),
    key("neo4j.waiting_connections", Kind::Whole, &[]),
    key("neo4j.connect_timeout_ms", Kind::Whole, &[]),
    key("neo4j.statement_timeout_ms", Kind::Whole, &[]),
    key("neo4j.work_timeout_ms", Kind::Whole, &[]),
    key("neo4j.patience_ms", Kind::Whole, &[]),
    key(
        "policy.base_strength",
        Kind::Number,
        &["ACE_MEMORY_BASE_STRENGTH"],
    ),
    key(
        "policy.merge_threshold",
        Kind::Number,
        &["ACE_MEMORY_SIMILARITY_MERGE"],
    ),
    key(
        "policy.max_bullets",
        Kind::Whole,
        &["ACE_MEMORY_MAX_BULLETS"],
    ),
    key(
        "policy.weights.relevance",
        Kind::Number,
        &["ACE_WEIGHT_RELEVANCE"],
    ),
    key(
        "policy.weights.strength",
        Kind::Number,
        &["ACE_WEIGHT_STRENGTH"],
    ),
    key("policy.weights.type", Kind::Number, &["ACE_WEIGHT_TYPE"]),
];

/// The type of a key.
pub(super) fn kind_of(name: &str) -> Option<Kind> {
    if let Some((_, field)) = name
        .strip_prefix(TOOLS)
        .and_then(|rest| rest.split_once('.'))
    {
        let known = TOOL_FIELDS.iter().find(|(known, _)| *known == field);
        return known.map(|(_, kind)| *kind);
    }
    KEYS.iter().find(|key| key.name == name).map(|key| key.kind)
}

/// Parses a variable's text.
pub(super) fn parse(kind: Kind, text: &str) -> Option<Value> {
    match kind {
        Kind::Text | Kind::Path | Kind::Address | Kind::Secret => Some(Value::from(text)),
        Kind::Switch => match text.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Some(Value::from(true)),
            "0" | "false" | "no" | "off" => Some(Value::from(false)),
            _ => None,
        },
        Kind::Whole => text.trim().parse::<u64>().ok().map(Value::from),
        Kind::Retention => parse(Kind::Whole, text).or_else(|| retention(text)),
        Kind::Number => {
            let number: f64 = text.trim().parse().ok()?;
            number.is_finite().then(|| Value::from(number))
        }
    }
}

/// The retention of versions as JSON; `keep_all_major` is always true.
fn retention(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let is_known = |(name, value): (&String, &Value)| match name.as_str() {
        "keep_latest" | "keep_days" => value.is_u64(),
        "keep_all_major" => *value == Value::Bool(true),
        _ => false,
    };
    value.as_object()?.iter().all(is_known).then_some(value)
}

/// True if a value of the file has the type.
pub(super) fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Text | Kind::Path | Kind::Address | Kind::Secret => value.is_string(),
        Kind::Switch => value.is_boolean(),
        Kind::Whole | Kind::Retention => value.is_u64(),
        Kind::Number => value.is_number(),
    }
}

/// The type in words.
pub(super) fn words_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Secret => "a text",
        Kind::Path => "a path",
        Kind::Address => "a path or an address",
        Kind::Switch => "true or false",
        Kind::Whole => "a whole number",
        Kind::Number => "a number",
        Kind::Retention => "a whole number or {\"keep_latest\": N, \"keep_days\": N}",
    }
}

/// The error for an unknown name. `alike` are the known names below `prefix`, to be compared without it.
pub(super) fn unknown<'k>(
    what: &str,
    name: &str,
    prefix: &str,
    alike: impl Iterator<Item = &'k str>,
) -> ConfigError {
    let own = |name: &str| name.strip_prefix(prefix).unwrap_or(name).to_lowercase();
    let known: Vec<&str> = alike.collect();
    let near = known
        .iter()
        .map(|one| (strsim::jaro_winkler(&own(name), &own(one)), *one))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match near {
        Some((similarity, one)) if similarity > 0.75 => format!("did you mean `{one}`"),
        _ if !prefix.is_empty() && known.len() <= 8 => {
            let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("known are {}", names.join(", "))
        }
        _ => "`hindlore config show` lists the settings".to_owned(),
    };
    ConfigError {
        message: format!("{what} `{}` is not known", name.escape_debug()),
        hint,
    }
}
