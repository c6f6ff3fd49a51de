//! Where the runtimes look for their settings on this machine.
//!
//! Each variable has the effect that it has in the runtime itself, found by watching the files that Claude Code 2.1,
//! Codex 0.171, OpenCode 1.18 and Copilot CLI 1.0 open. An empty variable counts as unset, and a relative one begins at
//! the present folder.
//! Cursor has none: `CURSOR_CONFIG_DIR` moves the settings of its command line, not hooks and servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use hindlore_api::problem::Problem;

/// The variables that move settings.
const VARIABLES: [&str; 7] = [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PROJECT_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "XDG_CONFIG_HOME",
];

/// The folders that settings begin at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The person's home.
    home: PathBuf,
    /// The present folder.
    here: PathBuf,
    /// The variables that are set, with absolute paths.
    variables: BTreeMap<&'static str, PathBuf>,
}

impl Places {
    /// Those of this machine and process.
    ///
    /// # Errors
    /// A home or a present folder that is not known.
    pub(crate) fn of_this_machine() -> Result<Self, Problem> {
        let unknown = |what: &str, error: &dyn std::fmt::Display| {
            Problem::new("no_folder", format!("{what} is not known: {error}")).with_hint(
                "set HOME to the folder of the person, or call it from an existing folder",
            )
        };
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let home = home.ok_or_else(|| unknown("the home folder", &"HOME is empty"))?;
        let here = env::current_dir().map_err(|error| unknown("the present folder", &error))?;
        let set = VARIABLES.into_iter().filter_map(|name| {
            let value = env::var_os(name).filter(|value| !value.is_empty())?;
            Some((name, PathBuf::from(value)))
        });
        Ok(Self::new(home, here, set))
    }

    /// Places of a home and a present folder, with variables.
    pub(crate) fn new(
        home: PathBuf,
        here: PathBuf,
        variables: impl IntoIterator<Item = (&'static str, PathBuf)>,
    ) -> Self {
        let absolute = |(name, path): (_, PathBuf)| (name, here.join(path));
        let variables = variables.into_iter().map(absolute).collect();
        Self {
            home,
            here,
            variables,
        }
    }

    /// The folder of a person's settings for Claude Code.
    pub(super) fn claude(&self) -> PathBuf {
        self.moved("CLAUDE_CONFIG_DIR", ".claude")
    }

    /// The file of a person's servers for Claude Code; one of an old version goes before.
    pub(super) fn claude_servers(&self) -> PathBuf {
        let old = self.claude().join(".config.json");
        if fs::metadata(&old).is_ok_and(|about| about.is_file() && about.len() > 0) {
            return old;
        }
        self.moved("CLAUDE_CONFIG_DIR", "").join(".claude.json")
    }

    /// The folder of a project for Claude Code, which passes it to the programs that it calls.
    pub(super) fn claude_project(&self) -> PathBuf {
        let named = self.variables.get("CLAUDE_PROJECT_DIR");
        named.unwrap_or(&self.here).clone()
    }

    /// The folder of a person's settings for Codex.
    pub(super) fn codex(&self) -> PathBuf {
        self.moved("CODEX_HOME", ".codex")
    }

    /// The folder of a person's settings for Cursor.
    pub(super) fn cursor(&self) -> PathBuf {
        self.home.join(".cursor")
    }

    /// The folder of a person's settings for Copilot.
    pub(super) fn copilot(&self) -> PathBuf {
        self.moved("COPILOT_HOME", ".copilot")
    }

    /// The folder of a person's settings for OpenCode.
    pub(super) fn opencode(&self) -> PathBuf {
        match self.variables.get("OPENCODE_CONFIG_DIR") {
            Some(folder) => folder.clone(),
            None => self.moved("XDG_CONFIG_HOME", ".config").join("opencode"),
        }
    }

    /// The file of a person's settings for OpenCode.
    pub(super) fn opencode_settings(&self) -> PathBuf {
        match self.variables.get("OPENCODE_CONFIG") {
            Some(file) => file.clone(),
            None => self.opencode().join("opencode.json"),
        }
    }

    /// The present folder.
    pub(crate) fn here(&self) -> &Path {
        &self.here
    }

    /// The folder that a variable names, else one below the home.
    fn moved(&self, variable: &str, below_home: &str) -> PathBuf {
        match self.variables.get(variable) {
            Some(folder) => folder.clone(),
            None if below_home.is_empty() => self.home.clone(),
            None => self.home.join(below_home),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::pieces::pieces;
    use crate::agents::{Level, Runtime};

    /// Level and runtime, the variables, and the files; the home is `/h`, the present folder `/p`.
    const FILES: &str = "
user claude-code CLAUDE_CONFIG_DIR=/x /x/settings.json /x/.claude.json /x/skills/hindlore/SKILL.md
user claude-code CLAUDE_CONFIG_DIR=x /p/x/settings.json /p/x/.claude.json /p/x/skills/hindlore/SKILL.md
user claude-code XDG_CONFIG_HOME=/x /h/.claude/settings.json /h/.claude.json /h/.claude/skills/hindlore/SKILL.md
project claude-code CLAUDE_PROJECT_DIR=/x /x/.claude/settings.json /x/.mcp.json /x/.claude/skills/hindlore/SKILL.md
project claude-code CLAUDE_CONFIG_DIR=/x /p/.claude/settings.json /p/.mcp.json /p/.claude/skills/hindlore/SKILL.md
user codex CODEX_HOME=/x /x/hooks.json /x/config.toml
project codex CODEX_HOME=/x /p/.codex/hooks.json /p/.codex/config.toml
user cursor CURSOR_CONFIG_DIR=/x /h/.cursor/hooks.json /h/.cursor/mcp.json
user opencode XDG_CONFIG_HOME=/x /x/opencode/plugin/hindlore.js /x/opencode/opencode.json
user opencode OPENCODE_CONFIG_DIR=/x /x/plugin/hindlore.js /x/opencode.json
user opencode OPENCODE_CONFIG=/x/my.json /h/.config/opencode/plugin/hindlore.js /x/my.json
project opencode OPENCODE_CONFIG_DIR=/x /p/.opencode/plugin/hindlore.js /p/opencode.json
user copilot COPILOT_HOME=/x /x/hooks/hindlore.json /x/mcp-config.json
user copilot XDG_CONFIG_HOME=/x /h/.copilot/hooks/hindlore.json /h/.copilot/mcp-config.json
";

    #[test]
    fn variables_move_the_settings_as_they_move_them_in_the_runtimes() {
        for line in FILES.trim().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let level = Level::ALL.into_iter().find(|one| one.word() == words[0]);
            let runtime = Runtime::ALL.into_iter().find(|one| one.word() == words[1]);
            let (name, value) = words[2].split_once('=').unwrap();
            let set = VARIABLES.into_iter().filter(|known| *known == name);
            let places = Places::new(
                "/h".into(),
                "/p".into(),
                set.map(|name| (name, value.into())),
            );
            let all = pieces(runtime.unwrap(), level.unwrap(), &places, "hindlore");
            let files: Vec<_> = all
                .iter()
                .map(|piece| piece.file.to_str().unwrap())
                .collect();
            assert_eq!(files, words[3..], "{line}");
        }
    }
}
