//! The commands: one file each, and the one place where a command finds its file.

mod analyze;
mod bench;
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
mod export;
mod feedback;
mod import;
mod lab;
mod memory_clear;
mod memory_list;
mod migrate;
mod policy_set;
mod policy_show;
mod replay;
mod retrieve;

use super::args::Command;
use super::args::bullets::BulletsCommand;
use super::args::delta::DeltaCommand;
use super::args::memory::{ConfigCommand, MemoryCommand, PolicyCommand};
use super::output::Outcome;
use super::session::Session;
use crate::api::problem::Problem;

/// How a command ended, or why it could not be carried out.
pub(crate) type CommandResult = Result<Outcome, Problem>;

/// Carries a command out.
pub(super) async fn run(session: &Session, command: Command) -> CommandResult {
    match command {
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
        Command::Memory(MemoryCommand::List) => memory_list::run(session).await,
        Command::Memory(MemoryCommand::Clear(args)) => memory_clear::run(session, args).await,
        Command::Policy(PolicyCommand::Show) => policy_show::run(session).await,
        Command::Policy(PolicyCommand::Set(args)) => policy_set::run(session, args).await,
        Command::Import(args) => import::run(session, args).await,
        Command::Export(args) => export::run(session, args).await,
        Command::Erase(args) => erase::run(session, args).await,
        Command::Digest => digest::run(session).await,
        Command::Replay => replay::run(session).await,
        Command::Analyze(args) => analyze::run(session, args).await,
        Command::Bench(command) => bench::run(session, command).await,
        Command::Lab(command) => lab::run(session, command).await,
        Command::Compare(args) => compare::run(session, args).await,
        Command::Migrate(args) => migrate::run(session, args).await,
        Command::Doctor(args) => doctor::run(session, args).await,
        Command::Browser(args) => browser::run(session, args).await,
        Command::Config(ConfigCommand::Show) => config_show::run(session).await,
        Command::Completions(args) => completions::run(session, &args),
    }
}
