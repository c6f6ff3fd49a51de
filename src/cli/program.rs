//! The frame of a program: parses arguments and settings, runs one command in its own task, and returns an
//! exit code.
//!
//! `hindlore` and its companion programs (`hindlore-bench`, `hindlore-lab`) differ only in their
//! commands; options, output, exit codes, and interrupts work alike.

use std::ffi::OsString;
use std::fmt::Debug;
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, Mutex, PoisonError};

use clap::Subcommand;
use clap::error::ErrorKind;

use super::args::Arguments;
#[cfg(unix)]
use super::output::Kept;
#[cfg(unix)]
use super::resident::{Ran, Warm};
use super::session::{idle_settings, unknown_names};
#[cfg(feature = "otel")]
use super::spans;
use super::{args, logging, output, repository, shell, temp_store};
use hindlore_api::problem::Problem;
use hindlore_config::{ConfigError, Settings};

pub use super::args::{CommonOptions, Program, whole};
pub use super::output::file;
pub use super::output::{CommandResult, Outcome, Output, Page, Tone};
pub use super::progress::watch;
pub use super::session::Session;
pub use super::shell::quoted;
pub use super::temp_store::TempStore;

/// A running command. Boxed, because a future of all commands by value is too deep for the compiler.
pub type Running<'a> = Pin<Box<dyn Future<Output = CommandResult> + Send + 'a>>;

/// The commands of a program.
pub trait Commands: Subcommand + Debug + Send + 'static {
    /// True if the command reports faults in the settings, and so is not stopped by them.
    fn tells_faults(&self) -> bool {
        false
    }

    /// True if it works on the memory of the repository that it is called in, unless a scope is given.
    fn is_of_repository(&self) -> bool {
        false
    }

    /// True if it writes nothing to a store.
    fn only_looks(&self) -> bool {
        false
    }

    /// True if an interrupt is its normal end.
    fn ends_by_interrupt(&self) -> bool {
        false
    }

    /// The threads for its tasks; more than one for each processor keep a long computation from stopping the other tasks.
    fn threads(&self) -> usize {
        2
    }

    /// Runs the command.
    fn run(self, session: &Session) -> Running<'_>;
}

const DONE: u8 = 0;
const NOTHING_FOUND: u8 = 1;
const ERROR: u8 = 2;
/// Done, but follow-up work remains.
const UNFINISHED: u8 = 3;
/// Stack for a command's deepest call chain, even in a debug build.
pub(super) const STACK_BYTES: usize = 8 << 20;
/// The exit code shells expect of an interrupted program.
const INTERRUPTED: u8 = 130;

/// Runs the command given by the arguments; returns the exit code of the process.
pub fn run<C: Commands>(
    program: Program,
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    let raw: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(unix)]
    if hindlore_child::is_relay(&raw) {
        return hindlore_child::run_relay();
    }
    let code = match args::parse::<C>(program, &raw) {
        Ok(arguments) => start(program, arguments, environment),
        Err(error) => usage(&error, &raw),
    };
    ExitCode::from(code)
}

fn start<C: Commands>(
    program: Program,
    arguments: Arguments<C>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> u8 {
    let output = Output::new(&arguments.common);
    let typed = arguments.common.clone();
    let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
    let log = logging::start(arguments.common.verbose, &environment);
    let ended = prepare(&arguments, environment, log.err()).and_then(|mut prepared| {
        if arguments.command.is_of_repository() {
            repository::infer_scope(&mut prepared.settings);
        }
        let session = Session::new(prepared.settings, output.clone()).serving(program.surfaces);
        let session = match prepared.faults {
            Some(faults) => session.telling(faults),
            None => session,
        };
        carry_out(arguments.command, session)
    });
    conclude::<C>(program, ended, &output, &typed)
}

/// Runs a command line for another process: its output and its exit code. Absent if that process has to report a fault
/// of the line or of the settings.
#[cfg(unix)]
pub(super) async fn kept<C: Commands>(
    words: Vec<String>,
    stdin: Option<String>,
    warm: Arc<Warm>,
) -> Ran {
    let program = args::PROGRAM;
    let raw: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let arguments = args::parse::<C>(program, &raw).ok()?;
    let prepared = prepare(&arguments, std::env::vars_os().collect(), None).ok()?;
    let kept = Arc::<Mutex<Kept>>::default();
    let output = Output::new(&arguments.common).keeping(kept.clone());
    let typed = arguments.common.clone();
    let session = Session::new(prepared.settings, output.clone())
        .with_stdin(stdin.map(Into::into))
        .warmed(warm);
    let command = tokio::spawn(to_its_end(arguments.command, session));
    let ended = command.await.unwrap_or_else(|_| Err(died()));
    let code = conclude::<C>(program, ended, &output, &typed);
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    Some((code, take(&mut kept.out), take(&mut kept.err)))
}

/// Prints a problem; returns the exit code.
fn conclude<C: Commands>(
    program: Program,
    ended: CommandResult,
    output: &Output,
    typed: &CommonOptions,
) -> u8 {
    match ended {
        Ok(Outcome::Done) => DONE,
        Ok(Outcome::NothingFound) => NOTHING_FOUND,
        Ok(Outcome::Unfinished) => UNFINISHED,
        Ok(Outcome::Exit(code)) => code,
        Ok(Outcome::Killed(signal)) => hindlore_child::end_by(signal),
        Err(problem) if problem.code == output::CLOSED => DONE,
        Err(problem) => {
            let problem = shell::complete(problem, typed, &args::command_of::<C>(program));
            match problem.code {
                // A person declined, which is no error.
                "declined" => output.note(&problem.message),
                _ => output.problem(&problem),
            }
            match problem.code {
                "interrupted" => INTERRUPTED,
                "declined" => NOTHING_FOUND,
                _ => ERROR,
            }
        }
    }
}

/// The settings, and their faults if the command reports them.
struct Prepared {
    settings: Settings,
    faults: Option<Vec<Problem>>,
}

fn prepare<C: Commands>(
    arguments: &Arguments<C>,
    environment: Vec<(OsString, OsString)>,
    fault_of_log: Option<Problem>,
) -> Result<Prepared, Problem> {
    let (mut settings, faults) = Settings::read_with_faults(environment);
    arguments.common.put_into(&mut settings);
    let said =
        |error: ConfigError| Problem::new("invalid_config", error.message).with_hint(error.hint);
    let mut faults: Vec<Problem> = fault_of_log
        .into_iter()
        .chain(faults.into_iter().map(said))
        .collect();
    if arguments.command.tells_faults() {
        return Ok(Prepared {
            settings,
            faults: Some(faults),
        });
    }
    let others = faults.len().saturating_sub(1);
    if faults.is_empty() {
        Ok(Prepared {
            settings,
            faults: None,
        })
    } else {
        Err(with_others(faults.remove(0), others))
    }
}

/// Adds that there are more faults than the first.
fn with_others(first: Problem, others: usize) -> Problem {
    match (others, &first.hint) {
        (0, _) | (_, None) => first,
        (_, Some(hint)) => {
            let hint = format!("{hint}; `config show` names {others} more");
            first.with_hint(hint)
        }
    }
}

fn carry_out<C: Commands>(command: C, session: Session) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(command.threads())
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()
        .map_err(|error| {
            Problem::new("no_threads", format!("no thread could be started: {error}"))
                .with_hint("close other programs, then try again")
        })?;
    let ends_by_interrupt = command.ends_by_interrupt();
    let only_looks = command.only_looks();
    let ended = runtime.block_on(async {
        let command = tokio::spawn(to_its_end(command, session));
        tokio::select! {
            ended = command => ended.unwrap_or_else(|_| Err(died())),
            _ = tokio::signal::ctrl_c(), if !ends_by_interrupt => Err(interrupted(only_looks)),
        }
    });
    // A thread blocked on stdin must not keep the process alive.
    runtime.shutdown_background();
    temp_store::clear();
    #[cfg(feature = "otel")]
    spans::end();
    ended
}

/// Runs a command to its end, with its notes and the deferred work of its engines.
async fn to_its_end<C: Commands>(command: C, session: Session) -> CommandResult {
    let ended = command.run(&session).await;
    let ended = unknown_names::explained(&session, ended).await;
    if ended.is_ok() {
        session.note_scope();
        idle_settings::note(&session).await;
        session.give_notes();
    }
    session.settle().await;
    ended
}

fn died() -> Problem {
    Problem::new(
        "internal_error",
        "the command ended before it had an answer",
    )
    .with_hint("this is a fault of the program; report it with your call")
}

fn interrupted(only_looks: bool) -> Problem {
    let hint = if only_looks {
        "the command only looks; nothing was changed"
    } else {
        "a change that had begun is there as a whole or not at all; the same command again finds out"
    };
    Problem::new("interrupted", "interrupted before the command was done").with_hint(hint)
}

/// Reports a usage error, or shows the requested help.
fn usage(error: &clap::Error, raw: &[OsString]) -> u8 {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    if let Some(problem) = args::usage::meant(error, raw) {
        Output::of_raw(args::wants_json(raw)).problem(&problem);
        return ERROR;
    }
    if error.kind() == ErrorKind::DisplayHelp {
        let help = error.render().ansi().to_string();
        anstream::print!("{}", args::usage::without_common_options(&help, raw));
        return DONE;
    }
    if is_help || !args::wants_json(raw) {
        // Nothing can be done about a terminal that refuses the help.
        let _ = error.print();
        return if is_help { DONE } else { ERROR };
    }
    let text = error.render().to_string();
    let (message, hint) = args::complaint(&text);
    Output::of_raw(true).problem(&Problem::new("invalid_usage", message).with_hint(hint));
    ERROR
}
