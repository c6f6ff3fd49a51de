//! The commands: one file each, and the one place where a command finds its file.

mod analyze;
mod browser;
mod bullets_list;
mod bullets_pin;
mod bullets_reject;
mod bullets_search;
mod bullets_show;
mod compare;
mod completions;
mod config_show;
mod delta_apply;
mod delta_log;
mod delta_undo;
mod demo;
mod digest;
mod doctor;
mod erase;
mod errors_capture;
mod errors_list;
mod export;
mod feedback;
mod health;
mod import;
mod import_lessons;
mod learn;
mod lessons_conflicts;
mod lessons_explain;
mod lessons_list;
mod lessons_outcome;
mod lessons_retrieve;
mod lessons_review;
mod lessons_show;
mod memory_clear;
mod memory_list;
mod migrate;
mod policy_set;
mod policy_show;
mod replay;
mod retrieve;
mod runs_end;
mod runs_list;
mod runs_show;

use super::args::Command;
use super::args::bullets::BulletsCommand;
use super::args::delta::DeltaCommand;
use super::args::doctor::DoctorCommand;
use super::args::lessons::{ErrorsCommand, LessonsCommand, RunsCommand};
use super::args::memory::{ConfigCommand, MemoryCommand, PolicyCommand};
use super::beside;
use super::program::{Commands, Running};
use super::session::Session;

pub(crate) use super::output::CommandResult;

impl Commands for Command {
    fn tells_faults(&self) -> bool {
        match self {
            Self::Config(_) => true,
            Self::Doctor(args) => !matches!(args.what, Some(DoctorCommand::Adopt(_))),
            _ => false,
        }
    }

    fn only_looks(&self) -> bool {
        match self {
            Self::Bullets(command) => {
                !matches!(command, BulletsCommand::Pin(_) | BulletsCommand::Reject(_))
            }
            Self::Delta(command) => matches!(command, DeltaCommand::Log(_)),
            Self::Errors(command) => matches!(command, ErrorsCommand::List(_)),
            Self::Runs(command) => !matches!(command, RunsCommand::End(_)),
            Self::Memory(command) => matches!(command, MemoryCommand::List),
            Self::Policy(command) => matches!(command, PolicyCommand::Show),
            Self::Retrieve(args) => args.peek,
            Self::Export(_)
            | Self::Digest
            | Self::Replay
            | Self::Health
            | Self::Analyze(_)
            | Self::Bench(_)
            | Self::Lab(_)
            | Self::Compare(_)
            | Self::Config(_)
            | Self::Completions(_) => true,
            other => other.tells_faults(),
        }
    }

    fn ends_by_interrupt(&self) -> bool {
        match self {
            Self::Browser(_) => true,
            // The interrupt is for the command that it runs.
            Self::Learn(args) => !args.command.is_empty(),
            _ => false,
        }
    }

    fn run(self, session: &Session) -> Running<'_> {
        Box::pin(run(session, self))
    }
}

/// Carries a command out.
async fn run(session: &Session, command: Command) -> CommandResult {
    match command {
        Command::Bench(args) => beside::run(session, "mnemograph-bench", &args.arguments),
        Command::Lab(args) => beside::run(session, "mnemograph-lab", &args.arguments),
        Command::Demo(args) => demo::run(session, args).await,
        Command::Retrieve(args) => retrieve::run(session, *args).await,
        Command::Feedback(args) => feedback::run(session, args).await,
        Command::Delta(DeltaCommand::Apply(args)) => delta_apply::run(session, args).await,
        Command::Delta(DeltaCommand::Undo(args)) => delta_undo::run(session, args).await,
        Command::Delta(DeltaCommand::Log(args)) => delta_log::run(session, args).await,
        Command::Bullets(BulletsCommand::List(args)) => bullets_list::run(session, args).await,
        Command::Bullets(BulletsCommand::Show(args)) => bullets_show::run(session, args).await,
        Command::Bullets(BulletsCommand::Search(args)) => bullets_search::run(session, args).await,
        Command::Bullets(BulletsCommand::Pin(args)) => bullets_pin::run(session, args).await,
        Command::Bullets(BulletsCommand::Reject(args)) => bullets_reject::run(session, args).await,
        Command::Learn(args) => learn::run(session, args).await,
        Command::Errors(command) => errors(session, command).await,
        Command::Lessons(command) => lessons(session, command).await,
        Command::Runs(command) => runs(session, command).await,
        Command::Health => health::run(session).await,
        Command::Memory(MemoryCommand::List) => memory_list::run(session).await,
        Command::Memory(MemoryCommand::Clear(args)) => memory_clear::run(session, args).await,
        Command::Policy(PolicyCommand::Show) => policy_show::run(session).await,
        Command::Policy(PolicyCommand::Set(args)) => policy_set::run(session, args).await,
        Command::Import(args) => Box::pin(import::run(session, args)).await,
        Command::Export(args) => Box::pin(export::run(session, args)).await,
        Command::Erase(args) => erase::run(session, args).await,
        Command::Digest => digest::run(session).await,
        Command::Replay => replay::run(session).await,
        Command::Analyze(args) => analyze::run(session, args).await,
        Command::Compare(args) => compare::run(session, args).await,
        Command::Migrate(args) => migrate::run(session, args).await,
        Command::Doctor(args) => doctor::run(session, args).await,
        Command::Browser(args) => browser::run(session, args).await,
        Command::Config(ConfigCommand::Show) => config_show::run(session).await,
        Command::Completions(args) => completions::run(session, &args),
    }
}

async fn errors(session: &Session, command: ErrorsCommand) -> CommandResult {
    learn::intake::before(session).await;
    match command {
        ErrorsCommand::Capture(args) => errors_capture::run(session, args).await,
        ErrorsCommand::List(args) => errors_list::run(session, args).await,
    }
}

async fn lessons(session: &Session, command: LessonsCommand) -> CommandResult {
    learn::intake::before(session).await;
    match command {
        LessonsCommand::List(args) => lessons_list::run(session, args).await,
        LessonsCommand::Show(args) => lessons_show::run(session, args).await,
        LessonsCommand::Explain(args) => lessons_explain::run(session, args).await,
        LessonsCommand::Retrieve(args) => lessons_retrieve::run(session, *args).await,
        LessonsCommand::Conflicts(args) => lessons_conflicts::run(session, args).await,
        LessonsCommand::Review(args) => lessons_review::run(session, args).await,
        LessonsCommand::Outcome(args) => lessons_outcome::run(session, args).await,
    }
}

async fn runs(session: &Session, command: RunsCommand) -> CommandResult {
    learn::intake::before(session).await;
    match command {
        RunsCommand::List(args) => runs_list::run(session, args).await,
        RunsCommand::Show(args) => runs_show::run(session, args).await,
        RunsCommand::End(args) => runs_end::run(session, args).await,
    }
}
