//! What each runtime is given, file by file.
//!
//! Sources: the hooks references of Claude Code, Cursor and Copilot CLI, the JSON schemas of Codex, and the types of
//! OpenCode's plugins, in the versions of autumn 2026.

use std::path::{Path, PathBuf};

use super::{Level, Runtime};

/// The name of the program, and of our server and our files.
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
    /// The server for tools, in a JSON object of servers.
    Server {
        /// The field that holds the servers.
        field: &'static str,
        /// The form of the server.
        form: ServerForm,
        /// The program.
        program: String,
    },
    /// The server for tools, in the TOML table `mcp_servers`.
    TomlServer {
        /// The program.
        program: String,
    },
    /// The whole file.
    Whole(String),
}

/// How a runtime writes a server down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ServerForm {
    /// `command` and `args`.
    Command,
    /// The same with `"type": "local"` and all tools, as Copilot wants it.
    Local,
    /// `"type": "local"` and a list as command, as OpenCode wants it.
    List,
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
/// Cursor takes a context at these only; what is known before a call reaches it by the tools.
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

fn claude_code(level: Level, program: &str) -> Vec<PathAndPart> {
    let servers = match level {
        Level::User => ".claude.json",
        Level::Project => ".mcp.json",
    };
    vec![
        (".claude/settings.json", hooks(CLAUDE_EVENTS, true, program)),
        (servers, server("mcpServers", ServerForm::Command, program)),
        (
            ".claude/skills/mnemograph/SKILL.md",
            Part::Whole(SKILL.to_owned()),
        ),
    ]
}

fn codex(program: &str) -> Vec<PathAndPart> {
    let program_name = program.to_owned();
    vec![
        (".codex/hooks.json", hooks(CODEX_EVENTS, true, program)),
        (
            ".codex/config.toml",
            Part::TomlServer {
                program: program_name,
            },
        ),
    ]
}

fn cursor(program: &str) -> Vec<PathAndPart> {
    vec![
        (".cursor/hooks.json", hooks(CURSOR_EVENTS, false, program)),
        (
            ".cursor/mcp.json",
            server("mcpServers", ServerForm::Command, program),
        ),
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
    vec![
        (plugin, Part::Whole(opencode_plugin(program))),
        (settings, server("mcp", ServerForm::List, program)),
    ]
}

fn copilot(level: Level, program: &str) -> Vec<PathAndPart> {
    let hooks = Part::Whole(copilot_hooks(program));
    match level {
        Level::User => vec![
            (".copilot/hooks/mnemograph.json", hooks),
            (
                ".copilot/mcp-config.json",
                server("mcpServers", ServerForm::Local, program),
            ),
        ],
        Level::Project => vec![
            (".github/hooks/mnemograph.json", hooks),
            (
                ".vscode/mcp.json",
                server("servers", ServerForm::Command, program),
            ),
        ],
    }
}

fn server(field: &'static str, form: ServerForm, program: &str) -> Part {
    Part::Server {
        field,
        form,
        program: program.to_owned(),
    }
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
        let entry = serde_json::json!([{"type": "command", "bash": command, "powershell": command, "timeoutSec": 10}]);
        format!("    \"{event}\": {entry}")
    });
    let entries = entries.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"version\": 1,\n  \"hooks\": {{\n{entries}\n  }}\n}}\n")
}

fn opencode_plugin(program: &str) -> String {
    let literal = serde_json::Value::from(program).to_string();
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
