//! Arguments of the commands about errors, lessons and runs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::domain::lesson::lesson::{Place, Status};

/// Rows of a listing unless it says otherwise.
const ROWS: usize = 100;

/// Task, domain and tool.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PlaceOptions {
    /// The task that this belongs to
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// The domain that it belongs to
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) domain: Option<String>,
    /// The tool that is used
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
}

impl PlaceOptions {
    /// The place that was named.
    pub(crate) fn place(&self) -> Place {
        Place {
            task: self.task.clone(),
            domain: self.domain.clone(),
            tool: self.tool.clone(),
        }
    }
}

/// What to do with errors.
#[derive(Debug, Subcommand)]
pub(crate) enum ErrorsCommand {
    /// Write steps of runs down, the failed ones as errors
    Capture(CaptureArgs),
    /// List errors, newest first
    List(ErrorListArgs),
}

/// Arguments of `errors capture`.
#[derive(Debug, Args)]
#[command(
    after_help = "FILE is JSON: one step, a list of steps, or one step a line. A step has any of run, step, error, \
    action, state, state_after, reason, exit_code, hard_failure, failed_constraints, progress, \
    no_progress, efficiency, wasteful, unsafe_action, allowed_steps, task, domain, tool, tags, \
    plan_step, followed and at. A step without `step` gets the next number of its run; one with the number \
    of another action is refused."
)]
pub(crate) struct CaptureArgs {
    /// File to read; `-` reads stdin
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Run of steps that name none
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Id of this call: sent again with the same id, it counts once
    #[arg(long, value_name = "ID")]
    pub(crate) call: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceOptions,
}

/// Arguments of `errors list`.
#[derive(Debug, Args)]
pub(crate) struct ErrorListArgs {
    /// Only those of a run
    #[arg(long, value_name = "ID", group = "which")]
    pub(crate) run: Option<String>,
    /// Only those that match a fingerprint
    #[arg(long, value_name = "FP", group = "which")]
    pub(crate) fingerprint: Option<String>,
    /// Only those of a task
    #[arg(long, value_name = "TASK", group = "which")]
    pub(crate) task: Option<String>,
    /// Only those of a domain
    #[arg(long, value_name = "DOMAIN", group = "which")]
    pub(crate) domain: Option<String>,
    /// Only those with this tool of the domain
    #[arg(long, value_name = "TOOL", requires = "domain")]
    pub(crate) tool: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = ROWS)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// What to do with lessons.
#[derive(Debug, Subcommand)]
pub(crate) enum LessonsCommand {
    /// List lessons, newest first
    List(LessonListArgs),
    /// Show everything that is known about a lesson
    Show(LessonIdArgs),
    /// Explain why a lesson was returned, and what came of it
    Explain(ExplainArgs),
    /// Retrieve the lessons that help before a run, or after an error
    Retrieve(Box<LessonRetrieveArgs>),
    /// List lessons that contradict each other, and their clusters
    Conflicts(ConflictArgs),
    /// Give a lesson a status as a person
    Review(ReviewArgs),
    /// Say what came of a lesson that was returned
    Outcome(OutcomeArgs),
}

/// Arguments of `lessons list`.
#[derive(Debug, Args)]
pub(crate) struct LessonListArgs {
    /// Only of this status
    #[arg(long, value_enum, value_name = "S")]
    pub(crate) status: Option<StatusWord>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = ROWS)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// Where a lesson stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatusWord {
    /// In use, not yet proved
    Candidate,
    /// In use and proved
    Promoted,
    /// Out of use, since it does not help
    Suppressed,
    /// Put away
    Archived,
}

impl From<StatusWord> for Status {
    fn from(word: StatusWord) -> Self {
        match word {
            StatusWord::Candidate => Self::Candidate,
            StatusWord::Promoted => Self::Promoted,
            StatusWord::Suppressed => Self::Suppressed,
            StatusWord::Archived => Self::Archived,
        }
    }
}

/// Arguments of `lessons show`.
#[derive(Debug, Args)]
pub(crate) struct LessonIdArgs {
    /// Id of the lesson
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

/// Arguments of `lessons explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Id of one use of a lesson, or of a lesson: then its last uses and the decisions about it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

/// Arguments of `lessons retrieve`.
#[derive(Debug, Args)]
pub(crate) struct LessonRetrieveArgs {
    /// The run that asks; without one nothing is written down
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// The error, after a failed step; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    pub(crate) error: Option<String>,
    /// What was tried when it failed
    #[arg(long, value_name = "TEXT", requires = "error")]
    pub(crate) action: Option<String>,
    /// The exit code of a process that failed
    #[arg(long, value_name = "N", requires = "error")]
    pub(crate) exit_code: Option<i32>,
    /// Number of the failed step, from 1
    #[arg(long, value_name = "N", requires = "error", default_value_t = 1)]
    pub(crate) step: u32,
    #[command(flatten)]
    pub(crate) place: PlaceOptions,
    /// A tag of the question
    #[arg(long = "tag", value_name = "T")]
    pub(crate) tags: Vec<String>,
    /// At most this many lessons
    #[arg(long, value_name = "N")]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) max: Option<usize>,
    /// Only lessons that the fingerprint itself triggers
    #[arg(long, requires = "error")]
    pub(crate) exact: bool,
    /// Order by personalised PageRank over the neighbourhood
    #[arg(long)]
    pub(crate) page_rank: bool,
    /// As text for a prompt, fenced as data
    #[arg(long)]
    pub(crate) prompt: bool,
    /// At most this many tokens in the prompt; whole lessons are cut from the end
    #[arg(long, value_name = "TOKENS", requires = "prompt")]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) budget: Option<usize>,
    /// What is to be done
    #[arg(value_name = "INTENT")]
    pub(crate) intent: Vec<String>,
}

/// Arguments of `lessons conflicts`.
#[derive(Debug, Args)]
pub(crate) struct ConflictArgs {
    /// Only those of a lesson
    #[arg(long, value_name = "ID")]
    pub(crate) lesson: Option<String>,
    /// At most this many pairs
    #[arg(long, value_name = "N", default_value_t = ROWS)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// Arguments of `lessons review`.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    /// Id of the lesson
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// What it becomes; `candidate` restores it
    #[arg(long, value_enum, value_name = "S")]
    pub(crate) to: StatusWord,
    /// Why, for the history
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// Arguments of `lessons outcome`. Every term is a difference against what happens without the lesson, -1 to 1.
#[derive(Debug, Args)]
pub(crate) struct OutcomeArgs {
    /// Id of the use that `lessons retrieve` printed
    #[arg(value_name = "ACTIVATION")]
    pub(crate) activation: String,
    /// By how much the errors became fewer
    #[arg(long, value_name = "X")]
    pub(crate) error_reduction: f64,
    /// By how much the steps became fewer
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(crate) step_gain: f64,
    /// By how much a referee's score rose
    #[arg(long, value_name = "X")]
    pub(crate) score_gain: Option<f64>,
}

/// What to do with runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List runs, newest first
    List(RunListArgs),
    /// Show a run with its steps, errors and lessons
    Show(RunIdArgs),
    /// End a run: it leaves lessons, and those that it used are judged
    End(RunEndArgs),
}

/// Arguments of `runs list`.
#[derive(Debug, Args)]
pub(crate) struct RunListArgs {
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = ROWS)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// Arguments of `runs show`.
#[derive(Debug, Args)]
pub(crate) struct RunIdArgs {
    /// Name of the run
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

/// Arguments of `runs end`.
#[derive(Debug, Args)]
pub(crate) struct RunEndArgs {
    /// Name of the run
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// An evaluator says that it passed
    #[arg(long, conflicts_with = "failed")]
    pub(crate) passed: bool,
    /// An evaluator says that it failed
    #[arg(long)]
    pub(crate) failed: bool,
    /// Score of an evaluator or a referee, 0 to 1
    #[arg(long, value_name = "X")]
    pub(crate) score: Option<f64>,
    /// Steps that it took; the highest reported one without it
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u32>,
}

/// Arguments of `learn`.
#[derive(Debug, Args)]
#[command(
    override_usage = "mnemograph learn [OPTIONS] -- COMMAND...\n       mnemograph learn [OPTIONS] FILE",
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
    `learn FILE` reads the steps of runs as `errors capture` does, and ends the runs."
)]
pub(crate) struct LearnArgs {
    /// Run that several calls belong to; it ends with `runs end ID`, or after 30 idle minutes
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// Say what helps when the command fails, and what was learned
    #[arg(long)]
    pub(crate) hint: bool,
    /// Write what was learned from a command to FILE, as one JSON document; `-` puts it behind the command's stdout
    #[arg(long, value_name = "FILE", requires = "command")]
    pub(crate) report: Option<PathBuf>,
    /// Leave the command's streams alone; only how it ends is learned
    #[arg(long, requires = "command")]
    pub(crate) as_is: bool,
    #[command(flatten)]
    pub(crate) place: PlaceOptions,
    /// File of traces; `-` reads stdin
    #[arg(value_name = "FILE", conflicts_with = "command")]
    pub(crate) files: Vec<PathBuf>,
    /// Command to run, behind two dashes
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
