//! What each runtime is given, file by file.
//!
//! Sources: the hooks references of Claude Code, Cursor and Copilot CLI, the JSON schemas of Codex, and the types of
//! OpenCode's plugins, in the versions of autumn 2026.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Level, Runtime};

/// The name of the program, and of our files.
pub(super) const NAME: &str = "mnemograph";

/// One file of a runtime, and our part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    /// The file.
    pub(crate) file: PathBuf,
    /// Our part.
    pub(crate) part: Part,
}

/// Our part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Commands for events, in the JSON object `hooks`.
    Hooks {
        /// Whether commands stand in groups with matchers, as those of Claude Code, or in plain lists.
        grouped: bool,
        /// Event and command, in order.
        commands: Vec<(String, String)>,
    },
    /// Our server of tools, in a JSON object of servers.
    Server {
        /// The name of that object.
        servers: &'static str,
        /// What is said of ours.
        entry: Value,
    },
    /// The same in TOML, for Codex.
    ServerInToml {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The whole file.
    Whole(String),
}

/// Folders that levels begin at.
#[derive(Clone, Debug)]
pub(crate) struct Roots {
    /// The person's home.
    pub(crate) home: PathBuf,
    /// The folder of the project.
    pub(crate) project: PathBuf,
}

/// Milliseconds for events at which an agent waits anyway; the others have the default of `hook`.
const PATIENT_MS: &[(&str, u32)] = &[
    ("sessionstart", 2_000),
    ("stop", 3_000),
    ("agentstop", 3_000),
    ("precompact", 3_000),
    ("sessionend", 3_000),
];

const CLAUDE_EVENTS: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "Stop",
    "SessionEnd",
];
/// A failure has no event of its own in Codex, and a session no end.
const CODEX_EVENTS: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "Stop",
];
/// Cursor takes a context at these only; what is known before a call it learns after the first failure.
const CURSOR_EVENTS: &[&str] = &[
    "sessionStart",
    "postToolUse",
    "postToolUseFailure",
    "stop",
    "sessionEnd",
];
const COPILOT_EVENTS: &[&str] = &[
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "sessionEnd",
];

const SKILL: &str = include_str!("../../../scripts/agents/claude-code/skills/mnemograph/SKILL.md");
const OPENCODE_PLUGIN: &str = include_str!("../../../scripts/agents/opencode/mnemograph.js");

/// What a runtime is given at a level, with `program` as it is called from there.
pub(crate) fn pieces(runtime: Runtime, level: Level, roots: &Roots, program: &str) -> Vec<Piece> {
    let root = match level {
        Level::User => &roots.home,
        Level::Project => &roots.project,
    };
    let parts = match runtime {
        Runtime::ClaudeCode => claude_code(level, program),
        Runtime::Codex => codex(program),
        Runtime::Cursor => cursor(program),
        Runtime::Opencode => opencode(level, program),
        Runtime::Copilot => copilot(level, program),
    };
    let piece = |(path, part)| Piece {
        file: root.join(path),
        part,
    };
    parts.into_iter().map(piece).collect()
}

/// A file below the root of a level, and our part of it.
type PathAndPart = (&'static str, Part);

/// How the server of tools is started: about the memory of the repository that the agent works in.
const SERVER: [&str; 2] = ["mcp", "--repository"];

fn server(servers: &'static str, entry: Value) -> Part {
    Part::Server { servers, entry }
}

fn claude_code(level: Level, program: &str) -> Vec<PathAndPart> {
    let servers = match level {
        Level::User => ".claude.json",
        Level::Project => ".mcp.json",
    };
    let entry = json!({"type": "stdio", "command": program, "args": SERVER});
    vec![
        (".claude/settings.json", hooks(CLAUDE_EVENTS, true, program)),
        (servers, server("mcpServers", entry)),
        (
            ".claude/skills/mnemograph/SKILL.md",
            Part::Whole(SKILL.to_owned()),
        ),
    ]
}

fn codex(program: &str) -> Vec<PathAndPart> {
    let tools = Part::ServerInToml {
        command: program.to_owned(),
        arguments: SERVER.map(str::to_owned).to_vec(),
    };
    vec![
        (".codex/hooks.json", hooks(CODEX_EVENTS, true, program)),
        (".codex/config.toml", tools),
    ]
}

fn cursor(program: &str) -> Vec<PathAndPart> {
    let entry = json!({"command": program, "args": SERVER});
    vec![
        (".cursor/hooks.json", hooks(CURSOR_EVENTS, false, program)),
        (".cursor/mcp.json", server("mcpServers", entry)),
    ]
}

fn opencode(level: Level, program: &str) -> Vec<PathAndPart> {
    let (plugin, settings) = match level {
        Level::User => (
            ".config/opencode/plugin/mnemograph.js",
            ".config/opencode/opencode.json",
        ),
        Level::Project => (".opencode/plugin/mnemograph.js", "opencode.json"),
    };
    let [mcp, repository] = SERVER;
    let entry = json!({"type": "local", "command": [program, mcp, repository], "enabled": true});
    vec![
        (plugin, Part::Whole(opencode_plugin(program))),
        (settings, server("mcp", entry)),
    ]
}

fn copilot(level: Level, program: &str) -> Vec<PathAndPart> {
    let (hooks, servers) = match level {
        Level::User => (".copilot/hooks/mnemograph.json", ".copilot/mcp-config.json"),
        Level::Project => (".github/hooks/mnemograph.json", ".github/mcp.json"),
    };
    let entry = json!({"type": "local", "command": program, "args": SERVER, "tools": ["*"]});
    vec![
        (hooks, Part::Whole(copilot_hooks(program))),
        (servers, server("mcpServers", entry)),
    ]
}

fn hooks(events: &[&str], grouped: bool, program: &str) -> Part {
    let commands = events
        .iter()
        .map(|event| ((*event).to_owned(), hook_command(program, event)));
    Part::Hooks {
        grouped,
        commands: commands.collect(),
    }
}

/// The command line for an event.
fn hook_command(program: &str, event: &str) -> String {
    let plain = event.to_lowercase();
    let patient = PATIENT_MS.iter().find(|(name, _)| *name == plain);
    let limit = patient
        .map(|(_, ms)| format!(" --timeout-ms {ms}"))
        .unwrap_or_default();
    format!("{} hook {event}{limit}", crate::cli::shell::quoted(program))
}

fn copilot_hooks(program: &str) -> String {
    let entries = COPILOT_EVENTS.iter().map(|event| {
        let command = hook_command(program, event);
        let entry =
            json!([{"type": "command", "bash": command, "powershell": command, "timeoutSec": 10}]);
        format!("    \"{event}\": {entry}")
    });
    let entries = entries.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"version\": 1,\n  \"hooks\": {{\n{entries}\n  }}\n}}\n")
}

fn opencode_plugin(program: &str) -> String {
    let literal = Value::from(program).to_string();
    OPENCODE_PLUGIN.replace("\"mnemograph\"", &literal)
}

/// The program as a runtime shall call it: by its name in the settings of a project, which others share, and where the
/// name leads to this very file; else by its path.
pub(crate) fn program_name(level: Level, this: Option<&Path>, search_path: &str) -> String {
    let Some(this) = this.filter(|_| level == Level::User) else {
        return NAME.to_owned();
    };
    let same = |folder: &Path| {
        folder
            .join(NAME)
            .canonicalize()
            .is_ok_and(|found| this.canonicalize().is_ok_and(|this| this == found))
    };
    let first = std::env::split_paths(search_path).find(|folder| folder.join(NAME).is_file());
    if first.is_some_and(|folder| same(&folder)) {
        return NAME.to_owned();
    }
    this.to_string_lossy().into_owned()
}
