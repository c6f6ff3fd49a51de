//! What each runtime is given, file by file.
//!
//! Sources: the hooks references of Claude Code, Cursor and Copilot CLI, the JSON schemas of Codex, and the types of
//! OpenCode's plugins, in the versions of autumn 2026.

use std::path::{Path, PathBuf};

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
        Runtime::ClaudeCode => claude_code(program),
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

fn claude_code(program: &str) -> Vec<PathAndPart> {
    vec![
        (".claude/settings.json", hooks(CLAUDE_EVENTS, true, program)),
        (
            ".claude/skills/mnemograph/SKILL.md",
            Part::Whole(SKILL.to_owned()),
        ),
    ]
}

fn codex(program: &str) -> Vec<PathAndPart> {
    vec![(".codex/hooks.json", hooks(CODEX_EVENTS, true, program))]
}

fn cursor(program: &str) -> Vec<PathAndPart> {
    vec![(".cursor/hooks.json", hooks(CURSOR_EVENTS, false, program))]
}

fn opencode(level: Level, program: &str) -> Vec<PathAndPart> {
    let plugin = match level {
        Level::User => ".config/opencode/plugin/mnemograph.js",
        Level::Project => ".opencode/plugin/mnemograph.js",
    };
    vec![(plugin, Part::Whole(opencode_plugin(program)))]
}

fn copilot(level: Level, program: &str) -> Vec<PathAndPart> {
    let hooks = match level {
        Level::User => ".copilot/hooks/mnemograph.json",
        Level::Project => ".github/hooks/mnemograph.json",
    };
    vec![(hooks, Part::Whole(copilot_hooks(program)))]
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
