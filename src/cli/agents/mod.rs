//! Runtimes of coding agents: the files that lead them to this program, and our entries in those files.
//!
//! ```text
//!   pieces    which files, and what goes into each, for a runtime and a level
//!   calls     how a runtime calls this program, with what a person added
//!   edit      a file's text with our part in it, and without; nothing else of it changes
//!   codex_settings  the same for the settings of Codex, which are TOML
//!   installed what is there now
//!   places    where the runtimes look, by what the environment says
//!   files     files read and written whole, through links
//!   records   what each file was before, for the uninstall
//! ```

pub(crate) mod calls;
mod codex_settings;
pub(crate) mod edit;
pub(crate) mod files;
pub(crate) mod installed;
pub(crate) mod pieces;
pub(crate) mod places;
pub(crate) mod records;

use clap::ValueEnum;

/// A runtime of coding agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Runtime {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Cursor
    Cursor,
    /// OpenCode
    Opencode,
    /// GitHub Copilot
    Copilot,
}

/// The owner of the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Those of the person, for all folders.
    User,
    /// Those of the folder, for everyone who works in it.
    Project,
}

impl Runtime {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
        Self::Opencode,
        Self::Copilot,
    ];

    /// Its name as it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Opencode => "opencode",
            Self::Copilot => "copilot",
        }
    }
}

impl Level {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::User, Self::Project];

    /// Its name as it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}
