//! The doors to the memory: the command line in this folder, and the hooks and the tools of each installed runtime.
//!
//! Each door has settings of its own: those of this process, with the variables and options that the files of a runtime add.
//! A runtime is taken to have the environment of this process; the one it really has is known only inside it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agents::calls::{Call, Way, calls_in};
use crate::agents::files;
use crate::agents::installed::located;
use crate::agents::pieces::Piece;
use crate::agents::{Level, Runtime};
use crate::args::{self, PROGRAM};
use crate::commands::Command;
use crate::{place, repository};
use hindlore_config::{Origin, PlaceKind, Settings, kind_of_place};
use hindlore_domain::memory::key::{DEFAULT_NAME, MemoryKey};

/// The settings that decide which memories are read, in the order in which a difference is named.
const DECISIVE: [&str; 6] = [
    "store",
    "tenant",
    "learner",
    "scope",
    "as",
    "recall_everywhere",
];

/// A door, and the memories that it reads here.
#[derive(Debug, Serialize)]
pub(super) struct Door {
    /// The runtime; null for the command line.
    runtime: Option<&'static str>,
    /// Whose settings lead to it.
    level: Option<&'static str>,
    /// `command line`, `hooks`, `tools`.
    ways: Vec<&'static str>,
    /// The store, without a login.
    pub(super) store: String,
    tenant: String,
    learner: String,
    /// The scopes that a question is answered from, the own one first.
    scopes: Vec<String>,
    /// Why it reads nothing at all.
    problem: Option<String>,
    #[serde(skip)]
    settings: Settings,
    /// The file of the runtime with the call.
    #[serde(skip)]
    file: PathBuf,
    #[serde(skip)]
    call: Option<Call>,
}

impl Door {
    /// The command line in this folder, with the options of this call.
    pub(super) fn of_command_line(settings: &Settings) -> Self {
        Self::with(settings.clone(), None)
    }

    /// The doors of a runtime at a level, from its files; hooks and tools that read the same are one.
    pub(super) fn of_runtime(
        (runtime, level): (Runtime, Level),
        pieces: &[Piece],
        bounds: Option<&Path>,
    ) -> Vec<Self> {
        let mut doors: Vec<Self> = Vec::new();
        for piece in pieces {
            let Ok(file) = located(&piece.file, bounds) else {
                continue;
            };
            let text = files::read(&file).ok().flatten();
            let text = text.filter(|text| piece.part.is_in(text));
            for call in text.map_or_else(Vec::new, |text| calls_in(piece, &text)) {
                let mut door = Self::of_call(call);
                (door.runtime, door.level) = (Some(runtime.word()), Some(level.word()));
                door.file.clone_from(&file);
                match doors.iter_mut().find(|one| one.is_like(&door)) {
                    Some(one) => one.ways.extend(door.ways),
                    None => doors.push(door),
                }
            }
        }
        doors.iter_mut().for_each(|door| door.ways.dedup());
        doors
    }

    fn of_call(call: Call) -> Self {
        let of_call = call.of_file.iter().chain(&call.variables);
        let of_call = of_call.map(|(name, value)| (name.into(), value.into()));
        let read = Settings::read(env::vars_os().chain(of_call));
        let mut problem = read.as_ref().err().map(ToString::to_string);
        let mut settings = read.unwrap_or_else(|_| Settings::read_with_faults([]).0);
        let words = call.words.iter().map(OsString::from);
        let words: Vec<OsString> = [PROGRAM.name.into()].into_iter().chain(words).collect();
        match args::parse::<Command>(PROGRAM, &words) {
            Ok(arguments) => arguments.common.put_into(&mut settings),
            Err(error) => {
                problem.get_or_insert(args::complaint(&error.render().to_string()).0);
            }
        }
        repository::infer_scope(&mut settings);
        let store = settings.text_or_empty("store");
        let is_relative = kind_of_place(store) == PlaceKind::File && Path::new(store).is_relative();
        if call.way == Way::Hooks && is_relative {
            let fault = format!("a hook refuses the store `{store}`, which is a relative path");
            problem.get_or_insert(fault);
        }
        let mut door = Self::with(settings, problem);
        door.ways = vec![match call.way {
            Way::Hooks => "hooks",
            Way::Tools => "tools",
        }];
        door.call = Some(call);
        door
    }

    fn with(settings: Settings, problem: Option<String>) -> Self {
        let text = |name| settings.text_or_empty(name).to_owned();
        let shown = settings.shown().find(|(name, _)| *name == "store");
        let store = shown.and_then(|(_, one)| one.value.as_str().map(str::to_owned));
        let key = MemoryKey::new(&text("tenant"), &text("learner"), &text("scope"));
        let is_everywhere =
            repository::recalls_everywhere(&settings) && settings.text("as").is_none();
        let scopes = key.as_ref().map_or_else(
            |_| vec![text("scope")],
            |key| {
                let keys = if is_everywhere {
                    key.recalled()
                } else {
                    vec![key.clone()]
                };
                keys.iter().map(|one| one.scope().to_owned()).collect()
            },
        );
        Self {
            runtime: None,
            level: None,
            ways: vec!["command line"],
            store: store.unwrap_or_default(),
            tenant: text("tenant"),
            learner: text("learner"),
            scopes,
            problem: problem.or_else(|| key.err().map(|error| error.to_string())),
            settings,
            file: PathBuf::new(),
            call: None,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.is_at(&other.place())
            && (&self.tenant, &self.learner, &self.scopes, &self.problem)
                == (&other.tenant, &other.learner, &other.scopes, &other.problem)
    }

    /// Its name for people.
    pub(super) fn name(&self) -> String {
        let ways = self.ways.join(" and ");
        match (self.runtime, self.level) {
            (Some(runtime), Some(level)) => format!("the {ways} of {runtime} ({level})"),
            _ => format!("the {ways}"),
        }
    }

    /// The memories that it reads, in words.
    pub(super) fn said(&self) -> String {
        if let Some(problem) = &self.problem {
            return format!("nothing: {problem}");
        }
        let tenant = match self.tenant.as_str() {
            DEFAULT_NAME => String::new(),
            named => format!(" of tenant {named}"),
        };
        format!(
            "learner {}{tenant}, scopes {}, in {}",
            self.learner,
            self.scopes.join(", "),
            self.store
        )
    }

    /// The store as it is opened.
    pub(super) fn place(&self) -> String {
        self.settings.text_or_empty("store").to_owned()
    }

    /// Whether its store is at a place.
    pub(super) fn is_at(&self, place: &str) -> bool {
        place::is_same(&self.place(), place)
    }

    /// The tenant.
    pub(super) fn tenant(&self) -> &str {
        &self.tenant
    }

    /// Whether a memory is of its tenant and learner.
    pub(super) fn is_of(&self, key: &MemoryKey) -> bool {
        (key.tenant(), key.learner()) == (&*self.tenant, &*self.learner)
    }

    /// Whether it reads a memory of the store at a place.
    pub(super) fn reads(&self, place: &str, key: &MemoryKey) -> bool {
        let is_recalled = self.scopes.iter().any(|scope| scope == key.scope());
        self.problem.is_none() && is_recalled && self.is_of(key) && self.is_at(place)
    }

    /// The scope that it writes to.
    pub(super) fn scope(&self) -> &str {
        self.settings.text_or_empty("scope")
    }

    /// Whether it is shut off from the scopes that hold everywhere by a setting.
    pub(super) fn is_kept_from_everywhere(&self) -> bool {
        !self.settings.switch("recall_everywhere")
    }

    /// How to lead it to the memories of another door.
    pub(super) fn mend(&self, reader: &Self) -> String {
        if let Some(problem) = &self.problem {
            return format!("mend this first: {problem}");
        }
        let differs = |name: &&str| match *name {
            "store" => !self.is_at(&reader.place()),
            name => self.settings.value(name) != reader.settings.value(name),
        };
        let Some(name) = DECISIVE.into_iter().find(|name| differs(name)) else {
            return "name the scope with `--scope`".to_owned();
        };
        let both = [self, reader];
        if let Some(addition) = both.iter().find_map(|door| door.addition(name)) {
            return addition;
        }
        let set = both.iter().find(|door| door.settings.is_given(name));
        let settings = &set.unwrap_or(&reader).settings;
        let value = settings.value(name).cloned().unwrap_or_default();
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!(
            "{} sets the {name} of one alone; leave it out, or `hindlore config set {name} {}` sets it for all",
            settings.place_of(name),
            crate::shell::quoted(&value)
        )
    }

    /// The addition in a file of the runtime that makes a setting, and how it is taken out.
    fn addition(&self, name: &str) -> Option<String> {
        let call = self.call.as_ref()?;
        let origin = self.settings.origin(name);
        let has =
            |all: &[(String, String)], variable: &str| all.iter().any(|(one, _)| one == variable);
        let (file, runtime) = (self.file.display(), self.runtime.unwrap_or_default());
        let level = match self.level {
            Some("project") => " --project",
            _ => "",
        };
        let added = match origin {
            Origin::Environment(variable) if has(&call.variables, variable) => variable,
            Origin::Environment(variable) if has(&call.of_file, variable) => {
                return Some(format!("take {variable} out of `env` in {file}"));
            }
            Origin::Flag(flag) => flag,
            _ => return None,
        };
        Some(format!(
            "{added} in {file} sets it apart; `hindlore uninstall {runtime}{level}`, then \
             `hindlore install {runtime}{level}`, takes it out"
        ))
    }
}
