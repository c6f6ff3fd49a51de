//! Defaults taken from the machine: folders, and the name of this instance.

use std::path::PathBuf;
use std::{env, fs, process};

use serde_json::Value;

/// Name of this program's folder inside the user's folders.
const FOLDER: &str = "hindlore";

/// Default of a key; null if it has none.
pub(super) fn default_of(name: &str) -> Value {
    match name {
        "store" => store().map_or(Value::Null, |path| {
            Value::from(path.to_string_lossy().into_owned())
        }),
        "tenant" | "learner" | "scope" => Value::from("default"),
        "instance" => Value::from(format!("{}-{}", host(), process::id())),
        "agent.analyst"
        | "log_contents"
        | "lessons.use_model"
        | "reflection.use_model"
        | "embeddings.cold" => Value::from(false),
        "seeds" | "resident" | "recall_everywhere" | "learn.from_user" | "agent.judge"
        | "curator.gate" => Value::from(true),
        "curator.use_model" => Value::from(false),
        "curator.similarity" => Value::from(0.9),
        "agent.injection" => Value::from("post_context"),
        "model.temperature" => Value::from(0.2),
        "model.max_tokens" => Value::from(2_048),
        "model.timeout_ms" => Value::from(60_000),
        "model.retries" => Value::from(2),
        "resident.above_bytes" => Value::from(4_000_000),
        "resident.idle_seconds" => Value::from(600),
        "neo4j.username" | "neo4j.database" => Value::from("neo4j"),
        "neo4j.connections" => Value::from(16),
        "neo4j.waiting_connections" => Value::from(48),
        "neo4j.connect_timeout_ms" => Value::from(15_000),
        "neo4j.statement_timeout_ms" => Value::from(30_000),
        "neo4j.work_timeout_ms" => Value::from(60_000),
        "neo4j.patience_ms" => Value::from(2_000),
        "busy_timeout_ms" => Value::from(30_000),
        "agent.drafts" => Value::from(1),
        "agent.breadth" => Value::from(3),
        "agent.depth" => Value::from(2),
        "agent.max_turns" => Value::from(8),
        "durability" => Value::from("durable"),
        "control_rate" => Value::from(0.0),
        "hooks.before" => Value::from("refuse_once"),
        "redaction" => Value::from("on"),
        "grouped_window_ms" => Value::from(20),
        "consolidate_above" => Value::from(10_000),
        "reread_after_minutes" => Value::from(10),
        "trajectory.sample_rate" => Value::from(0.1),
        "trajectory.keep_failures" => Value::from(true),
        "trajectory.summary_minutes" => Value::from(60),
        "trajectory.retention_days" | "trajectory.receipt_days" => Value::from(30),
        "playbook.version_retention" => Value::from(5),
        "trajectory.after_retention" => Value::from("archive"),
        _ => Value::Null,
    }
}

/// Path of the user's configuration file, which need not exist.
pub fn config_file() -> Option<PathBuf> {
    Some(dirs::config_dir()?.join(FOLDER).join("config.toml"))
}

/// Path of the user's data folder, which need not exist.
pub fn data_folder() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join(FOLDER))
}

fn store() -> Option<PathBuf> {
    Some(data_folder()?.join("memory.db"))
}

fn host() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"]
        .into_iter()
        .find_map(|name| env::var(name).ok());
    let read = || fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = named.or_else(read).unwrap_or_default();
    let host: String = host
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(64)
        .collect();
    if host.is_empty() {
        "host".to_owned()
    } else {
        host
    }
}
