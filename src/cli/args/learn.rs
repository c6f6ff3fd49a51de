//! Arguments of `learn`, which runs a command or reads a file.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use hindlore_domain::lesson::lesson::Place;

/// Task, domain and tool.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PlaceOptions {
    /// Task of the run
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Domain of the run
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,
    /// Tool in use
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
}

impl PlaceOptions {
    /// The typed place.
    pub(crate) fn place(&self) -> Place {
        Place {
            task: self.task.clone(),
            domain: self.domain.clone(),
            tool: self.tool.clone(),
        }
    }
}

/// Arguments of `learn`.
#[derive(Debug, Args)]
#[command(
    override_usage = "hindlore learn [OPTIONS] -- COMMAND...\n       hindlore learn [OPTIONS] FILE",
    after_help = "`learn --run ID -- COMMAND` runs a command and learns from how it fails. It is the --run that makes \
    it useful: what failed and what then worked in one run becomes `WRONG … → CORRECT …`; a call without it is a run \
    of its own and can only say what went wrong.\n\n\
    The command is as it would be without learn: its streams (a terminal stays a terminal), its signals, its \
    exit code; killed by a signal, learn ends by the same one; 127 when it is not found, 126 when it cannot be \
    started otherwise. Its stderr is what is learned from, and the end of its stdout where stderr says nothing; \
    both together where they go to one place. Programs that take the whole terminal, such as editors, have it for \
    themselves. What learn itself has to say is on stderr, and its JSON document goes to --report, so that the \
    streams stay the command's. A store that is busy holds nothing up: what was learned waits beside it, and the \
    next call takes it in.\n\n\
    `learn FILE` reads the steps of runs as `errors capture` does (sessions of agents, logs of builds, steps as \
    JSON), and ends the runs. Traces in lines may have any size; other documents, and stdin, up to 256 MB."
)]
pub(crate) struct LearnArgs {
    /// Run shared by several calls; it ends with `runs end ID`, or after 30 idle minutes
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Before the command runs, print known advice; if it fails, print advice and the new lessons
    #[arg(long)]
    pub(crate) hint: bool,
    /// Write the lessons of the command to FILE as one JSON document; `-` appends it to the command's stdout
    #[arg(long, value_name = "FILE", requires = "command")]
    pub(crate) report: Option<PathBuf>,
    /// Leave the command's streams alone, and learn only from how it ends
    #[arg(long, requires = "command")]
    pub(crate) as_is: bool,
    /// Reflect on the run, and curate this playbook with the insights
    #[arg(long, value_name = "PLAYBOOK")]
    pub(crate) playbook: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceOptions,
    /// File of traces; `-` reads stdin
    #[arg(value_name = "FILE", conflicts_with = "command")]
    pub(crate) files: Vec<PathBuf>,
    /// Command to run, after two dashes
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
