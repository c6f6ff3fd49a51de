//! The commands, one file each, and the table that leads to them.

mod add;
pub(super) mod agents;
mod any_verb;
mod bullets;
mod completions;
mod config_set;
mod config_show;
mod conflicts;
mod delta;
mod demo;
mod embeddings;
mod errors;
mod feedback;
mod graph_change;
mod groups;
mod health;
mod lessons;
mod memory;
mod notes;
mod playbook;
mod policy;
#[cfg(test)]
mod printed;
mod reflection;
mod retrieve;
mod runs;
mod service;
mod status;
mod stores;
mod trajectory;
mod typed;

use super::args::memory::ConfigCommand;
use clap::{ArgMatches, FromArgMatches, Subcommand};
use serde_json::Value;

use super::args::{PROGRAM, Written, command_of, with_negative_numbers};
use super::external_commands;
use super::form::{self, Form, Request};
use super::session::Session;
pub(super) use typed::forms;

pub(crate) use super::output::CommandResult;
use super::program::{Commands, Running};
use hindlore_api::catalog::{self, Registered};
use hindlore_api::verb::{Effect, Subject};

/// A command to run.
#[derive(Debug)]
pub(crate) enum Command {
    /// A command with hand-written arguments.
    Written(Box<Written>),
    /// A command derived from a verb's schema.
    Verb(VerbCommand),
}

/// The typed command of a verb.
#[derive(Clone, Debug)]
pub(crate) struct VerbCommand {
    /// Its form.
    pub(crate) form: Form,
    /// Its request.
    pub(crate) request: Request,
}

impl VerbCommand {
    fn only_looks(&self) -> bool {
        let verb = catalog::find(self.form.verb);
        let is_peek = self.request.get("peek") == Some(&Value::Bool(true));
        is_peek || verb.is_ok_and(|verb| verb.effect == Effect::Reads)
    }
}

impl Commands for Command {
    fn tells_faults(&self) -> bool {
        matches!(self, Self::Written(command) if command.tells_faults())
    }

    fn only_looks(&self) -> bool {
        match self {
            Self::Written(command) => command.only_looks(),
            Self::Verb(command) => command.only_looks(),
        }
    }

    fn is_of_repository(&self) -> bool {
        !matches!(self, Self::Written(command) if command.has_no_place())
    }

    fn ends_by_interrupt(&self) -> bool {
        matches!(self, Self::Written(command) if command.ends_by_interrupt())
    }

    fn threads(&self) -> usize {
        let serves =
            matches!(self, Self::Written(command) if matches!(**command, Written::Serve(_)));
        if serves { 16 } else { 2 }
    }

    fn run(self, session: &Session) -> Running<'_> {
        run(session, self)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let written = Written::augment_subcommands(clap::Command::new(""));
        let forms = form::missing_in(&written, &forms());
        match form::find(matches, &forms) {
            Some((form, typed)) => Ok(Self::Verb(VerbCommand {
                form,
                request: form.request(typed),
            })),
            None => Written::from_arg_matches(matches).map(|one| Self::Written(Box::new(one))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Command {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        let program = Written::augment_subcommands(program);
        let forms = form::missing_in(&program, &forms());
        let program = form::add_to(program, &forms, filled);
        let names: Vec<&str> = program
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let listing = groups::listing(&names);
        program.help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listing}\n{{options}}{{after-help}}"
        ))
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        let is_form = |form: &Form| form.words().first() == Some(&name);
        Written::has_subcommand(name) || forms().iter().any(is_form)
    }
}

/// The whole program, for those who list it: a typed command fills its own words alone.
fn whole() -> clap::Command {
    command_of::<Command>(PROGRAM).mut_subcommands(filled)
}

/// Fills the command of a first word with its forms; those written by hand are there already.
fn filled(command: clap::Command) -> clap::Command {
    with_negative_numbers(form::fill(command, &forms()))
}

fn run(session: &Session, command: Command) -> Running<'_> {
    match command {
        Command::Written(command) => Box::pin(written(session, *command)),
        Command::Verb(command) => Box::pin(verb(session, command)),
    }
}

async fn verb(session: &Session, command: VerbCommand) -> CommandResult {
    intake_for(session, catalog::find(command.form.verb)?).await;
    let own = typed::VERBS
        .iter()
        .find(|(form, _)| form.verb == command.form.verb);
    match own {
        Some((_, run)) => run(session, command.request).await,
        None => any_verb::run(session, command.form, command.request).await,
    }
}

async fn written(session: &Session, command: Written) -> CommandResult {
    match command {
        Written::Bench(args) => external_commands::run(session, "hindlore-bench", &args.arguments),
        Written::Lab(args) => external_commands::run(session, "hindlore-lab", &args.arguments),
        Written::Demo(args) => demo::run(session, args).await,
        Written::Learn(args) => agents::learn::run(session, args).await,
        Written::Import(args) => Box::pin(stores::import::run(session, args)).await,
        Written::Export(args) => Box::pin(stores::export::run(session, args)).await,
        Written::Erase(args) => stores::erase::run(session, args).await,
        Written::Analyze(args) => stores::analyze::run(session, args).await,
        Written::Compare(args) => agents::compare::run(session, args).await,
        Written::Backup(args) => stores::backup::write(session, args).await,
        Written::Restore(args) => stores::backup::restore(session, args).await,
        Written::Migrate(args) => stores::migrate::run(session, args).await,
        Written::Doctor(args) => stores::doctor::run(session, args).await,
        Written::Browser(args) => stores::browser::run(session, args).await,
        Written::Config(ConfigCommand::Show) => config_show::run(session).await,
        Written::Config(ConfigCommand::Set { name, value }) => {
            config_set::run(session, &name, &value)
        }
        Written::Config(ConfigCommand::LessonRules) => config_show::lesson_rules(session),
        Written::Config(ConfigCommand::TypeRules) => config_show::type_rules(session),
        Written::Completions(args) => completions::run(session, &args),
        Written::Man => completions::manual(session),
        Written::Call(args) => service::call::run(session, args).await,
        Written::Adapt(args) => Box::pin(agents::adapt::run(session, args)).await,
        Written::Clbench(args) => Box::pin(agents::clbench::run(session, args)).await,
        Written::Serve(args) => service::serve::run(session, args).await,
        Written::Mcp(args) => service::mcp::run(session, args).await,
        Written::Install(args) => agents::install::run(session, &args),
        Written::Uninstall(args) => agents::install::undo(session, &args),
        Written::Hook(args) => agents::hook::run(session, args).await,
        #[cfg(unix)]
        Written::Resident(args) => service::resident::run(session, args).await,
    }
}

/// Takes in waiting calls before a verb reads lessons, errors, or runs.
async fn intake_for(session: &Session, verb: &Registered) {
    if verb.subject == Subject::Learner {
        agents::learn::ingest::before(session).await;
    }
}
