//! Arguments of the `import`, `export` and `completions` commands.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use hindlore_api::export::ExportFormat;

/// Arguments of `import`.
#[derive(Debug, Args)]
#[command(
    after_help = "The format is told from the text and named in the answer. Every entry is accounted for: it is added, \
    merged into a bullet that says the same, brought back, or skipped with the reason. One text comes in by `add`."
)]
pub(crate) struct ImportArgs {
    /// Format, if the text does not show it; --formats lists them all
    #[arg(long, value_name = "F", hide_possible_values = true)]
    #[arg(value_parser = super::Offering(&[
        "markdown",
        "learnings",
        "ace-playbook",
        "kayba",
        "session-playbook",
        "list",
        "classic",
        "ace-state",
        "mcp-memory",
        "letta",
        "cheatsheet",
        "basic-memory",
        "mem0",
        "langgraph",
        "hindlore",
        "classic-lessons",
    ]))]
    pub(crate) format: Option<String>,
    /// Files to read, or folders with such files; `-` reads stdin, bolt://HOST the AceMemoryState nodes of a Neo4j; the
    /// default is ACE_MEMORY_FILE
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) files: Vec<PathBuf>,
    /// Archive bullets of an earlier import of the file that the file no longer holds
    #[arg(long)]
    pub(crate) sync: bool,
    /// List the formats with an example of each, and the format of a delta
    #[arg(long)]
    pub(crate) formats: bool,
    /// Skip unreadable records, and report them
    #[arg(long)]
    pub(crate) skip_bad: bool,
    /// Apply the valid records, and report the rest
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Import a file again; votes for texts already present count once
    #[arg(long)]
    pub(crate) again: bool,
    /// Import only the memory of an export, without its lessons, errors, and runs
    #[arg(long)]
    pub(crate) bullets: bool,
    /// Put each bullet of a classic file into the memory of its own learner and scope
    #[arg(long, conflicts_with = "together")]
    pub(crate) split: bool,
    /// Put the bullets of all learners and scopes of a classic file into one memory
    #[arg(long)]
    pub(crate) together: bool,
    /// Show the result without writing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without FILE the export itself is the answer: stdout gets it in its own format (JSON Lines, for \
    `hindlore`), with --json and without. With FILE, --json answers one document about what was written."
)]
pub(crate) struct ExportArgs {
    /// Format
    #[arg(long, value_enum, default_value_t = FormatToWrite::Hindlore, value_name = "F")]
    pub(crate) format: FormatToWrite,
    /// Export only the memory of the scope, without the learner's lessons, errors, and runs
    #[arg(long)]
    pub(crate) bullets: bool,
    /// Export the memory as it was: a revision (12), a clock (clock:40), or a time
    #[arg(long, value_name = "MOMENT")]
    pub(crate) as_of: Option<String>,
    /// File to write, completely or not at all; stdout by default
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Formats that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatToWrite {
    /// Everything of the learner: the memory of the scope, lessons, errors, and runs, as JSON Lines
    Hindlore,
    /// The active bullets as `ace_memory.json`
    Classic,
    /// The active bullets as a text playbook
    AcePlaybook,
    /// The active bullets as a kayba playbook, JSON
    Kayba,
    /// The active bullets as a SessionPlaybook, JSON
    SessionPlaybook,
    /// Strong bullets and promoted lessons as a Markdown document
    Markdown,
    /// Markdown as a block between marks; the rest of an existing FILE, such as AGENTS.md, stays
    AgentsMd,
    /// Markdown as folders below FILE, each with a SKILL.md
    Skill,
}

impl From<FormatToWrite> for ExportFormat {
    fn from(format: FormatToWrite) -> Self {
        match format {
            FormatToWrite::Hindlore => Self::Hindlore,
            FormatToWrite::Classic => Self::Classic,
            FormatToWrite::AcePlaybook => Self::AcePlaybook,
            FormatToWrite::Kayba => Self::Kayba,
            FormatToWrite::SessionPlaybook => Self::SessionPlaybook,
            FormatToWrite::Markdown => Self::Markdown,
            FormatToWrite::AgentsMd => Self::AgentsMd,
            FormatToWrite::Skill => Self::Skill,
        }
    }
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to print the script for
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}
