//! The command line as typed: commands and options, before they are interpreted.

pub(crate) mod adapt;
pub(crate) mod analyze;
pub(crate) mod backup;
pub(crate) mod browser;
pub(crate) mod call;
pub(crate) mod clbench;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod external_commands;
pub(crate) mod files;
pub(crate) mod hook;
pub(crate) mod install;
pub(crate) mod learn;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod migrate;
mod originals;
#[cfg(unix)]
pub(crate) mod resident;
pub(crate) mod serve;
pub(crate) mod usage;

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use serde_json::Value;

use hindlore_api::server::Surfaces;
use hindlore_config::Settings;

/// A program: its name, and its purpose as shown in its help.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name it is run by.
    pub name: &'static str,
    /// One sentence without a full stop.
    pub about: &'static str,
    /// Serves over HTTP, in a program that has a server.
    pub surfaces: Surfaces,
}

/// `hindlore` itself.
pub(super) const PROGRAM: Program = Program {
    name: "hindlore",
    about: "A memory engine for AI agents: exact, explainable, shared",
    surfaces: Surfaces {
        http: None,
        mcp: None,
    },
};

/// A parsed command line: the common options, and the command.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
#[command(arg_required_else_help = false)]
pub(crate) struct Arguments<C: Subcommand> {
    #[command(flatten)]
    pub(crate) common: CommonOptions,
    #[command(subcommand)]
    pub(crate) command: C,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct CommonOptions {
    /// Store to use: the path of a file, or the address of a server (bolt://…, neo4j://…)
    #[arg(long, global = true, value_name = "S")]
    pub(crate) store: Option<String>,
    /// Tenant of the memory
    #[arg(long, global = true, value_name = "T")]
    pub(crate) tenant: Option<String>,
    /// Learner of the memory
    #[arg(long, global = true, value_name = "L")]
    pub(crate) learner: Option<String>,
    /// Scope of the memory
    #[arg(long, global = true, value_name = "C")]
    pub(crate) scope: Option<String>,
    /// Scope of the repository that a call comes from, for a process that answers calls of others
    #[arg(long, global = true, value_name = "C", hide = true)]
    repository_scope: Option<String>,
    /// Print the answer as one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Author of the change, for the history
    #[arg(long, global = true, value_name = "NAME")]
    author: Option<String>,
    /// Call as this principal (agent:NAME or user:NAME), with the rights granted to it
    #[arg(long = "as", global = true, value_name = "PRINCIPAL")]
    caller: Option<String>,
    /// Show ids in full; a terminal shows short ones, and every command accepts a unique beginning
    #[arg(long, global = true)]
    pub(crate) full_ids: bool,
    /// When to use colours: auto, always or never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) color: Color,
    /// Log to stderr; twice for more detail
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Let the log show the beginnings of contents and queries
    #[arg(long, global = true)]
    log_contents: bool,
}

/// The option by which a process passes the scope of its repository on.
pub(super) const REPOSITORY_SCOPE: &str = "--repository-scope";
/// Options of every command that are followed by a value.
pub(super) const VALUED: [&str; 8] = [
    "--store",
    "--tenant",
    "--learner",
    "--scope",
    REPOSITORY_SCOPE,
    "--author",
    "--as",
    "--color",
];
/// Those that are not.
pub(super) const SWITCHES: [&str; 5] =
    ["--json", "--full-ids", "--verbose", "--log-contents", "-v"];

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl CommonOptions {
    /// Overrides file and environment with the typed options.
    pub(crate) fn put_into(&self, settings: &mut Settings) {
        for (name, flag, text) in [
            ("store", "--store", &self.store),
            ("tenant", "--tenant", &self.tenant),
            ("learner", "--learner", &self.learner),
            ("scope", "--scope", &self.scope),
            ("author", "--author", &self.author),
            ("as", "--as", &self.caller),
        ] {
            if let Some(text) = text {
                settings.set_flag(name, flag, Value::from(text.as_str()));
            }
        }
        if let Some(scope) = &self.repository_scope {
            settings.infer_scope(scope.clone());
        }
        if self.log_contents {
            settings.set_flag("log_contents", "--log-contents", Value::from(true));
        }
    }
}

/// The commands with arguments of their own.
#[derive(Debug, Subcommand)]
pub(crate) enum Written {
    /// Show the idea: a task fails, the failure becomes a lesson, the next run avoids it
    Demo(demo::DemoArgs),
    /// Call any verb by name, with its request in JSON
    Call(call::CallArgs),
    /// Run a command and learn from its failure, or learn from a file of traces
    Learn(learn::LearnArgs),
    /// Import a file into a memory
    Import(files::ImportArgs),
    /// Export a memory to a file
    Export(files::ExportArgs),
    /// Destroy memories or lessons of a learner, with their history
    Erase(memory::EraseArgs),
    /// Summarise, search, export, and explore a memory
    Analyze(analyze::AnalyzeArgs),
    /// Run benchmarks (`hindlore-bench`)
    #[command(disable_help_flag = true)]
    Bench(external_commands::BesideArgs),
    /// Run the learning protocol, which tests without a model whether a memory helps (`hindlore-lab`)
    #[command(disable_help_flag = true)]
    Lab(external_commands::BesideArgs),
    /// Compare memories on one trace
    Compare(compare::CompareArgs),
    /// Write everything of a store to one file
    Backup(backup::BackupArgs),
    /// Bring a backup back
    Restore(backup::RestoreArgs),
    /// Show or update the schema of a store, or copy memories to another store
    Migrate(migrate::MigrateArgs),
    /// Check a store, verify its memories, and adopt manual edits
    Doctor(doctor::DoctorArgs),
    /// Go through samples: answer, judge, learn
    Adapt(adapt::AdaptArgs),
    /// Run CL-bench: answer, grade, label errors, report
    Clbench(clbench::ClbenchArgs),
    /// Serve the memory over HTTP, to programs on this machine
    Serve(serve::ServeArgs),
    /// Offer the memory as tools to an agent, over MCP on standard input and output
    Mcp(mcp::McpArgs),
    /// Give a coding agent this memory
    Install(install::InstallArgs),
    /// Take the memory out of a coding agent's settings again
    Uninstall(install::InstallArgs),
    /// Answer an event of a coding agent (`install` adds it to the agent's settings)
    Hook(hook::HookArgs),
    /// Show or stop the processes that keep large memories loaded between calls
    #[cfg(unix)]
    Resident(resident::ResidentArgs),
    /// Serve a style sheet, a guide, and queries to the Neo4j Browser
    Browser(browser::BrowserArgs),
    /// Show the settings
    #[command(subcommand)]
    Config(memory::ConfigCommand),
    /// Print a completion script for a shell
    Completions(files::CompletionsArgs),
    /// Print the manual page
    Man,
}

impl Written {
    /// True if the command reports faults in the settings, and so is not stopped by them.
    pub(super) fn tells_faults(&self) -> bool {
        match self {
            Self::Config(_) => true,
            Self::Doctor(args) => !matches!(
                args.what,
                Some(doctor::DoctorCommand::Adopt(_) | doctor::DoctorCommand::Repair(_))
            ),
            _ => false,
        }
    }

    /// True if it writes nothing to a store.
    pub(super) fn only_looks(&self) -> bool {
        match self {
            Self::Call(args) => args.list || args.schema,
            Self::Export(_)
            | Self::Analyze(_)
            | Self::Bench(_)
            | Self::Lab(_)
            | Self::Compare(_)
            | Self::Config(_)
            | Self::Completions(_)
            | Self::Man => true,
            other => other.tells_faults(),
        }
    }

    /// True if the folder that it is called in does not choose its memory.
    pub(super) fn has_no_place(&self) -> bool {
        match self {
            Self::Demo(_) | Self::Bench(_) | Self::Lab(_) | Self::Compare(_) | Self::Clbench(_) => {
                true
            }
            Self::Serve(_) | Self::Hook(_) => true,
            #[cfg(unix)]
            Self::Resident(_) => true,
            _ => false,
        }
    }

    /// True if an interrupt is its normal end.
    pub(super) fn ends_by_interrupt(&self) -> bool {
        match self {
            Self::Browser(_) | Self::Mcp(_) | Self::Serve(_) => true,
            #[cfg(unix)]
            Self::Resident(args) => args.serve.is_some(),
            // The interrupt is meant for the wrapped command.
            Self::Learn(args) => !args.command.is_empty(),
            _ => false,
        }
    }
}

/// The command line parser of a program.
pub(super) fn command_of<C: Subcommand>(program: Program) -> clap::Command {
    Arguments::<C>::command()
        .name(program.name)
        .about(program.about)
}

/// Parses a command line.
pub(super) fn parse<C: Subcommand>(
    program: Program,
    raw: &[OsString],
) -> Result<Arguments<C>, clap::Error> {
    let mut command = with_negative_numbers(command_of::<C>(program));
    let mut raw = raw.to_vec();
    // `lessons` of another program is its own command, not our group.
    if program.name == PROGRAM.name {
        raw = originals::with_own_names(raw);
    }
    let matches = command.try_get_matches_from_mut(usage::with_prompt_form(&raw))?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Lets option values begin with a minus sign, so that the option's own check can explain the fault.
pub(super) fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let is_option = !argument.is_positional() && argument.get_action().takes_values();
        if is_option {
            argument.allow_negative_numbers(true)
        } else {
            argument
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// A parser for whole numbers in a range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let typed = text.parse::<i128>();
        let number = typed.map_err(|_| "it is not a whole number".to_owned())?;
        let number = u64::try_from(number).ok().filter(|it| range.contains(it));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match range.end() {
            &u64::MAX => format!("{text} is not a whole number from {}", range.start()),
            end => format!("{text} is not in {}..={end}", range.start()),
        })
    }
}

/// Offers words for shell completion but accepts any text; the consumer explains its faults.
#[derive(Clone, Debug)]
struct Offering(&'static [&'static str]);

impl TypedValueParser for Offering {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            self.0.iter().map(|word| PossibleValue::new(*word)),
        ))
    }
}

/// True if arguments that failed to parse ask for JSON.
pub(super) fn wants_json(raw: &[OsString]) -> bool {
    raw.iter()
        .skip(1)
        .take_while(|argument| *argument != "--")
        .any(|argument| argument == "--json")
}

/// Splits the text of a usage error into message and hint.
pub(super) fn complaint(text: &str) -> (String, String) {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (message, rest) = text.trim().split_once("\n\n").unwrap_or((text, ""));
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let mut parts = rest.split("\n\n").map(str::trim);
    let hint = parts
        .clone()
        .find_map(|part| part.strip_prefix("tip: "))
        .or_else(|| parts.find(|part| part.starts_with("Usage:")))
        .unwrap_or("try `hindlore --help`");
    (one_line(message), one_line(hint))
}
