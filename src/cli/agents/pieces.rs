//! The pieces for each runtime, file by file.
//!
//! Sources: the hooks references of Claude Code, Cursor and Copilot CLI, the JSON schemas of Codex, and the types of
//! OpenCode's plugins, in the versions of autumn 2026.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::places::Places;
use super::{Level, Runtime};

/// The name of the program, and of our files.
pub(super) const NAME: &str = "hindlore";

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
        /// How a command is written.
        form: HookForm,
        /// Event and command, in order.
        commands: Vec<(String, String)>,
    },
    /// Our server of tools, in a JSON object of servers.
    Server {
        /// The name of that object.
        servers: &'static str,
        /// Our entry.
        entry: Value,
    },
    /// The entry in TOML, for Codex.
    ServerInToml {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The whole file.
    Whole(String),
}

/// How a runtime writes the command of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HookForm {
    /// In groups with matchers, as Claude Code and Codex.
    Grouped,
    /// In plain lists, as Cursor.
    Plain,
    /// In plain lists, with a line for each shell, as Copilot.
    Shells,
}

/// The end of a session, in lower case: Codex gives it three seconds, and warns where more are asked for.
pub(super) const SESSION_END: &str = "sessionend";

/// Milliseconds for events at which an agent waits anyway; the others have the default of `hook`.
const PATIENT_MS: &[(&str, u32)] = &[
    ("sessionstart", 2_000),
    ("subagentstart", 2_000),
    ("subagentstop", 2_000),
    ("stop", 3_000),
    ("agentstop", 3_000),
    ("precompact", 3_000),
    (SESSION_END, 2_500),
];

const CLAUDE_EVENTS: &[&str] = &[
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
];
/// A failure has no event of its own in Codex.
const CODEX_EVENTS: &[&str] = &[
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
];
/// Cursor takes a context at these only, and none for a sub-agent; known advice about a call arrives after the first
/// failure.
const CURSOR_EVENTS: &[&str] = &[
    "sessionStart",
    "postToolUse",
    "postToolUseFailure",
    "stop",
    "sessionEnd",
];
/// The end of a sub-agent names no words of it in Copilot, so that there is nothing to keep.
const COPILOT_EVENTS: &[&str] = &[
    "sessionStart",
    "subagentStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "sessionEnd",
];

const SKILL: &str = include_str!("../../../scripts/agents/claude-code/skills/hindlore/SKILL.md");
const OPENCODE_PLUGIN: &str = include_str!("../../../scripts/agents/opencode/hindlore.js");

/// The pieces for a runtime at a level, with `program` as it is called from there.
pub(crate) fn pieces(runtime: Runtime, level: Level, places: &Places, program: &str) -> Vec<Piece> {
    let parts = match runtime {
        Runtime::ClaudeCode => claude_code(level, places, program),
        Runtime::Codex => codex(level, places, program),
        Runtime::Cursor => cursor(level, places, program),
        Runtime::Opencode => opencode(level, places, program),
        Runtime::Copilot => copilot(level, places, program),
    };
    let piece = |(file, part)| Piece { file, part };
    parts.into_iter().map(piece).collect()
}

/// The folder that no file of a project may lead out of; absent at the level of a person.
pub(crate) fn bounds(runtime: Runtime, level: Level, places: &Places) -> Option<PathBuf> {
    let folder = match runtime {
        Runtime::ClaudeCode => places.claude_project(),
        _ => places.here().to_owned(),
    };
    (level == Level::Project).then_some(folder)
}

/// A file, and our part of it.
type FileAndPart = (PathBuf, Part);

/// How the server of tools is started: about the memory of the repository that the agent works in.
const SERVER: [&str; 1] = ["mcp"];

fn server(servers: &'static str, entry: Value) -> Part {
    Part::Server { servers, entry }
}

fn claude_code(level: Level, places: &Places, program: &str) -> Vec<FileAndPart> {
    let (folder, servers) = match level {
        Level::User => (places.claude(), places.claude_servers()),
        Level::Project => {
            let project = places.claude_project();
            (project.join(".claude"), project.join(".mcp.json"))
        }
    };
    let entry = json!({"type": "stdio", "command": program, "args": SERVER});
    let hooks = hooks(CLAUDE_EVENTS, HookForm::Grouped, program);
    vec![
        (folder.join("settings.json"), hooks),
        (servers, server("mcpServers", entry)),
        (
            folder.join("skills/hindlore/SKILL.md"),
            Part::Whole(SKILL.to_owned()),
        ),
    ]
}

fn codex(level: Level, places: &Places, program: &str) -> Vec<FileAndPart> {
    let folder = match level {
        Level::User => places.codex(),
        Level::Project => places.here().join(".codex"),
    };
    let tools = Part::ServerInToml {
        command: program.to_owned(),
        arguments: SERVER.map(str::to_owned).to_vec(),
    };
    let hooks = hooks(CODEX_EVENTS, HookForm::Grouped, program);
    vec![
        (folder.join("hooks.json"), hooks),
        (folder.join("config.toml"), tools),
    ]
}

fn cursor(level: Level, places: &Places, program: &str) -> Vec<FileAndPart> {
    let folder = match level {
        Level::User => places.cursor(),
        Level::Project => places.here().join(".cursor"),
    };
    let entry = json!({"command": program, "args": SERVER});
    let hooks = hooks(CURSOR_EVENTS, HookForm::Plain, program);
    vec![
        (folder.join("hooks.json"), hooks),
        (folder.join("mcp.json"), server("mcpServers", entry)),
    ]
}

fn opencode(level: Level, places: &Places, program: &str) -> Vec<FileAndPart> {
    let (folder, settings) = match level {
        Level::User => (places.opencode(), places.opencode_settings()),
        Level::Project => {
            let project = places.here();
            (project.join(".opencode"), project.join("opencode.json"))
        }
    };
    let [mcp] = SERVER;
    let entry = json!({"type": "local", "command": [program, mcp], "enabled": true});
    let plugin = Part::Whole(opencode_plugin(program));
    vec![
        (folder.join("plugin/hindlore.js"), plugin),
        (settings, server("mcp", entry)),
    ]
}

fn copilot(level: Level, places: &Places, program: &str) -> Vec<FileAndPart> {
    let (folder, servers) = match level {
        Level::User => (places.copilot(), "mcp-config.json"),
        Level::Project => (places.here().join(".github"), "mcp.json"),
    };
    let entry = json!({"type": "local", "command": program, "args": SERVER, "tools": ["*"]});
    let hooks = hooks(COPILOT_EVENTS, HookForm::Shells, program);
    vec![
        (folder.join("hooks/hindlore.json"), hooks),
        (folder.join(servers), server("mcpServers", entry)),
    ]
}

fn hooks(events: &[&str], form: HookForm, program: &str) -> Part {
    let commands = events
        .iter()
        .map(|event| ((*event).to_owned(), hook_command(program, event)));
    Part::Hooks {
        form,
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
    format!("{} hook {event}{limit}", crate::shell::quoted(program))
}

fn opencode_plugin(program: &str) -> String {
    let literal = Value::from(program).to_string();
    OPENCODE_PLUGIN.replace("\"hindlore\"", &literal)
}

/// The program as a runtime shall call it. In the settings of a project, which others share, it has its name. In those of
/// a person it has an absolute path: a runtime that a desktop starts has not the search path of a shell. A folder of the
/// search path goes before the file's own, since a link there outlives an update.
pub(crate) fn program_name(level: Level, this: Option<&Path>, search_path: &str) -> String {
    let Some(this) = this.filter(|_| level == Level::User) else {
        return NAME.to_owned();
    };
    let is_this = |found: &PathBuf| {
        found.is_absolute()
            && found
                .canonicalize()
                .is_ok_and(|found| this.canonicalize().is_ok_and(|this| this == found))
    };
    let path = program_in(search_path).filter(is_this);
    path.as_deref()
        .unwrap_or(this)
        .to_string_lossy()
        .into_owned()
}

/// The program that a search path leads to.
pub(crate) fn program_in(search_path: &str) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .map(|folder| folder.join(NAME))
        .find(|found| found.is_file())
}
