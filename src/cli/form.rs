//! Command lines derived from the schemas of verbs.
//!
//! Options, types, choices, defaults, and help come from the request's schema. A form adds the rest: the positional
//! fields, and other option names. The command line becomes a JSON request, so its bounds are checked where they are
//! for every surface.

mod field;
mod request;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value};

use field::Field;
use hindlore_api::catalog::{self, Registered};
use hindlore_api::command_words::words_of;
pub(crate) use request::Request;

/// How a verb's command is typed. The words of the command follow from the verb.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Name of the verb in the catalogue.
    pub(crate) verb: &'static str,
    /// Fields typed in a special way; positional ones in their order.
    pub(crate) fields: &'static [(&'static str, Typed)],
    /// A flag of the command itself, and its help.
    pub(crate) flag: Option<(&'static str, &'static str)>,
    /// Options that depend on or exclude each other.
    rules: &'static [Rule],
    /// Text at the end of the help.
    after_help: Option<&'static str>,
}

/// A rule between options, so that a mistake is explained in terms of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The first requires the second.
    Needs(&'static str, &'static str),
    /// At most one of them.
    OneOf(&'static [&'static str]),
}

/// How a request field is typed, if not as its schema implies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// A positional word.
    Word(&'static str),
    /// All remaining words, joined by spaces.
    Words(&'static str),
    /// Path of a file or `-`, read by the command; with this help.
    File(&'static str, &'static str),
    /// As `File`, but stdin by default.
    FileOrStdin(&'static str, &'static str),
    /// An option with another name.
    Named(&'static str),
    /// An option with this help.
    Told(&'static str),
    /// An option with a second name.
    Also(&'static str),
    /// An option whose value defaults to this if omitted.
    Bare(&'static str),
    /// An option with several values.
    Many(&'static str),
    /// All remaining words, unchanged, read by the command; with this help.
    Texts(&'static str, &'static str),
    /// A flag of another name that turns the field off, and its help.
    Unless(&'static str, &'static str),
    /// An option whose value is JSON; with this help.
    Json(&'static str),
    /// An option whose value is text, for any JSON type of the field; with this help.
    Text(&'static str),
    /// Not on the command line.
    Hidden,
}

impl Form {
    /// A form of a verb.
    pub(crate) const fn new(verb: &'static str, fields: &'static [(&'static str, Typed)]) -> Self {
        Self {
            verb,
            fields,
            flag: None,
            rules: &[],
            after_help: None,
        }
    }

    /// Sets rules between options, which are named by their fields.
    pub(crate) const fn with_rules(self, rules: &'static [Rule]) -> Self {
        Self { rules, ..self }
    }

    /// Sets the text at the end of the help.
    pub(crate) const fn with_after_help(self, text: &'static str) -> Self {
        Self {
            after_help: Some(text),
            ..self
        }
    }

    /// Adds a flag of the command itself.
    pub(crate) const fn with_flag(self, name: &'static str, help: &'static str) -> Self {
        Self {
            flag: Some((name, help)),
            ..self
        }
    }

    /// The words of the command.
    pub(crate) fn words(&self) -> Vec<&'static str> {
        words_of(self.verb)
    }

    /// The command of its last word, with its options.
    pub(crate) fn command(&self) -> Command {
        self.filled(Command::new(self.words().pop().unwrap_or(self.verb)))
    }

    /// A command with its options.
    fn filled(&self, command: Command) -> Command {
        let Ok(verb) = catalog::find(self.verb) else {
            return command;
        };
        let request = verb.request();
        let (short, long) = help(request);
        let mut command = command.about(short);
        if let Some(long) = long {
            command = command.long_about(long);
        }
        let fields = self.fields(request);
        let (positional, options): (Vec<_>, Vec<_>) =
            fields.iter().partition(|field| field.is_positional());
        let by_name = positional.iter().filter_map(|field| field.by_name());
        let by_name: Vec<Arg> = by_name.collect();
        let arguments = options.into_iter().chain(positional);
        let flag = self.flag.map(|(name, help)| {
            Arg::new(name)
                .long(name)
                .help(help)
                .action(ArgAction::SetTrue)
        });
        if let Some(text) = self.after_help {
            command = command.after_help(text);
        }
        let command = command
            .args(arguments.filter_map(Field::argument))
            .args(by_name)
            .args(flag);
        self.rules.iter().fold(command, with_rule)
    }

    /// Turns matched arguments into a request.
    pub(crate) fn request(&self, matches: &ArgMatches) -> Request {
        let schema = catalog::find(self.verb).map(Registered::request);
        let schema = schema.unwrap_or_default();
        let mut request = Map::new();
        for field in self.fields(schema) {
            if let Some(value) = field.value(matches) {
                request.insert(field.name.to_owned(), value);
            }
        }
        if let Some((flag, _)) = self.flag.filter(|(flag, _)| matches.get_flag(flag)) {
            request.insert(flag.to_owned(), Value::Bool(true));
        }
        Request::new(request)
    }

    /// Fields of a request; those of the form first, in its order.
    fn fields<'s>(&self, schema: &'s Value) -> Vec<Field<'s>> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let field = |(name, schema): (&'s String, &'s Value)| Field {
            name,
            schema,
            typed: self.typed(name),
            is_required: required.is_some_and(|all| all.iter().any(|one| one == name)),
        };
        let mut fields: Vec<Field<'s>> = properties.into_iter().flatten().map(field).collect();
        fields.sort_by_key(|field| {
            let place = self.fields.iter().position(|(name, _)| *name == field.name);
            place.unwrap_or(usize::MAX)
        });
        fields
    }

    fn typed(&self, name: &str) -> Option<Typed> {
        let typed = self.fields.iter().find(|(field, _)| *field == name);
        typed.map(|(_, typed)| *typed)
    }
}

fn with_rule(command: Command, rule: &Rule) -> Command {
    match *rule {
        Rule::Needs(option, other) => command.mut_arg(option, |arg| arg.requires(other)),
        Rule::OneOf(options) => options.iter().fold(command, |command, option| {
            let others = options.iter().filter(|other| *other != option);
            command.mut_arg(option, |arg| arg.conflicts_with_all(others))
        }),
    }
}

/// Help for nouns whose commands are all derived from verbs.
const NOUNS: &[(&str, &str)] = &[
    (
        "agent",
        "Answer tasks and chats with the memory, by a model",
    ),
    (
        "bullets",
        "List, show, search, edit, remove, pin and reject bullets, and release proposed ones",
    ),
    (
        "conflicts",
        "List what contradicts each other, and decide about it",
    ),
    ("delta", "Apply, undo and list changes"),
    (
        "embeddings",
        "Compute, show and drop the vectors of texts, to rank by meaning",
    ),
    ("errors", "Write errors down and list them"),
    (
        "lessons",
        "List, show, explain, retrieve and review lessons",
    ),
    (
        "graph",
        "Read and change the memory as entities and relations",
    ),
    (
        "groups",
        "Put subjects into groups, choose their leaders, and show them",
    ),
    ("key", "Create, list, rotate and revoke keys of the server"),
    ("memory", "List, brief, consolidate and clear memories"),
    ("model", "Check the configured model"),
    (
        "playbook",
        "Make, update, curate, show, compare, restore, export and import playbooks",
    ),
    ("policy", "Show and change the policy of a memory"),
    (
        "reflection",
        "Reflect on many trajectories, and list and show reflections",
    ),
    ("runs", "Begin, list, show and end runs"),
    (
        "session",
        "Prepare the prompt of an agent's turn, and record the turn",
    ),
    (
        "share",
        "List rights and their holders, testify for bullets, and promote them",
    ),
    (
        "trajectory",
        "Record the work of an agent: start, log, complete, list and show, and add feedback; a trajectory is a run",
    ),
];

/// Forms whose commands a program lacks.
pub(crate) fn missing_in(program: &Command, forms: &[Form]) -> Vec<Form> {
    let is_missing = |form: &&Form| {
        let words = form.words();
        let found = words
            .iter()
            .try_fold(program, |inner, word| inner.find_subcommand(word));
        found.is_none()
    };
    forms.iter().filter(is_missing).copied().collect()
}

/// Adds the first words of forms to a program. `defer` fills the command of such a word with [`fill`] once the word is
/// typed: the schemas of all verbs take longer than a short command.
pub(crate) fn add_to(program: Command, forms: &[Form], defer: fn(Command) -> Command) -> Command {
    forms.iter().fold(program, |program, form| {
        let words = form.words();
        match program.find_subcommand(words[0]) {
            Some(_) if words.len() > 1 => {
                program.mut_subcommand(words[0], |noun| noun.defer(defer))
            }
            _ if words.len() > 1 => program.subcommand(noun_command(words[0]).defer(defer)),
            _ => program.subcommand(Command::new(words[0]).defer(defer)),
        }
    })
}

/// Fills the command of a first word, once: with the form of this word alone, and with those of two words as subcommands.
pub(crate) fn fill(command: Command, forms: &[Form]) -> Command {
    let name = command.get_name().to_owned();
    let own = forms.iter().filter(|form| form.words()[0] == name);
    own.fold(command, |command, form| match *form.words() {
        [_] if command.get_about().is_none() => form.filled(command),
        [_, word] if command.find_subcommand(word).is_none() => command.subcommand(form.command()),
        _ => command,
    })
}

fn noun_command(noun: &'static str) -> Command {
    let about = NOUNS.iter().find(|(name, _)| *name == noun);
    let about = about.map(|(_, about)| *about).unwrap_or_default();
    let command = Command::new(noun).about(about);
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// The first paragraph of a description without its full stop, and the whole if there is more.
fn help(schema: &Value) -> (String, Option<String>) {
    let about = schema.get("description").and_then(Value::as_str);
    let about = about.unwrap_or_default();
    let first = about.split("\n\n").next().unwrap_or_default();
    let long = about.contains("\n\n").then(|| about.to_owned());
    (first.trim_end_matches('.').to_owned(), long)
}

/// The form of the typed command, and its matches.
pub(crate) fn find<'m>(matches: &'m ArgMatches, forms: &[Form]) -> Option<(Form, &'m ArgMatches)> {
    let mut words = Vec::new();
    let mut inner = matches;
    while let Some((word, below)) = inner.subcommand() {
        words.push(word);
        inner = below;
    }
    let form = forms.iter().find(|form| form.words() == words)?;
    Some((*form, inner))
}
