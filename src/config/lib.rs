//! The program's settings, and the source of each value.
//!
//! One table of keys serves the file, the environment, and the flags; later ones win, in that order. An
//! unknown name is an error, because a misspelt setting that is ignored looks like one without effect. Values
//! stay plain here and are interpreted where they are used.
//!
//! # Example
//!
//! ```
//! use hindlore_config::{Origin, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = tempfile::NamedTempFile::new()?;
//! std::fs::write(&file, "learner = 'from-file'\ntenant = 'shop'\n")?;
//! let variables = [("HINDLORE_CONFIG", file.path().as_os_str()), ("HINDLORE_LEARNER", "agent-7".as_ref())];
//! let settings = Settings::read(variables.map(|(name, value)| (name.into(), value.into())))?;
//!
//! assert_eq!(settings.text("learner"), Some("agent-7"));
//! assert_eq!(settings.origin("learner"), Origin::Environment("HINDLORE_LEARNER"));
//! assert_eq!(settings.origin("tenant"), Origin::File);
//! # Ok(())
//! # }
//! ```

mod environment;
mod file;
mod keys;
mod machine;
mod place;
mod regular_file;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use keys::{KEYS, Kind, POLICY, REDACTION_RULES, TOOLS};

pub use environment::names_a_place;
pub use machine::{config_file, data_folder};
pub use place::{PlaceKind, SERVER_SCHEMES, kind_of_place};
pub use regular_file::{Links, open_regular_file, read_regular_file};

/// Source of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The default.
    Default,
    /// The configuration file.
    File,
    /// This environment variable.
    Environment(&'static str),
    /// This command line flag.
    Flag(&'static str),
    /// The repository of the current folder.
    Repository,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File => f.write_str("file"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Repository => f.write_str("repository"),
        }
    }
}

/// A value and its source.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The value; null if there is none.
    pub value: Value,
    /// Its source.
    pub origin: Origin,
    /// Line of the file, from 1, if the file set it.
    pub line: Option<usize>,
}

/// Why the settings are invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} ({hint})")]
pub struct ConfigError {
    /// The fault and its place.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

/// All settings of this run.
#[derive(Clone, PartialEq)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
    file: Option<PathBuf>,
    without_effect: Vec<(&'static str, &'static str)>,
}

// By hand, so that no debug output puts a secret into a log.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.shown()).finish()
    }
}

impl Settings {
    /// Reads the file, then the environment over it.
    ///
    /// # Errors
    ///
    /// A file that is unreadable or not TOML, an unknown name, or a value of the wrong type.
    pub fn read(
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let (settings, faults) = Self::read_with_faults(environment);
        faults.into_iter().next().map_or(Ok(settings), Err)
    }

    /// Reads all valid settings and returns the faults, for commands that show the settings.
    pub fn read_with_faults(
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> (Self, Vec<ConfigError>) {
        let mut faults = Vec::new();
        let (variables, without_effect) = environment::known(environment, &mut faults);
        let mut settings = Self {
            values: BTreeMap::new(),
            file: None,
            without_effect,
        };
        for key in KEYS {
            settings.put(key.name, machine::default_of(key.name), Origin::Default);
        }
        if let Some(path) = file::path(variables.get(environment::CONFIG)) {
            for one in file::read(&path, &mut faults) {
                settings.put(&one.name, one.value, Origin::File);
                if let Some(setting) = settings.values.get_mut(&one.name) {
                    setting.line = one.line;
                }
            }
            settings.file = Some(path);
        }
        for (key, variable, value) in environment::values(&variables, &mut faults) {
            settings.put(key, value, Origin::Environment(variable));
        }
        (settings, faults)
    }

    /// Sets a value from a flag.
    pub fn set_flag(&mut self, name: &str, flag: &'static str, value: Value) {
        self.put(name, value, Origin::Flag(flag));
    }

    /// Sets the scope of the repository, unless one is given.
    pub fn infer_scope(&mut self, scope: String) {
        if !self.is_given("scope") {
            self.put("scope", Value::from(scope), Origin::Repository);
        }
    }

    fn put(&mut self, name: &str, value: Value, origin: Origin) {
        let setting = Setting {
            value,
            origin,
            line: None,
        };
        self.values.insert(name.to_owned(), setting);
    }

    /// Where `name` was set: the variable, the flag, or the file with the line.
    pub fn place_of(&self, name: &str) -> String {
        let line = self.values.get(name).and_then(|setting| setting.line);
        match (self.origin(name), &self.file) {
            (Origin::File, Some(file)) => {
                let line = line.map(|line| format!(", line {line}"));
                format!("`{}`{}", file.display(), line.unwrap_or_default())
            }
            (Origin::Environment(variable), _) => format!("the environment variable `{variable}`"),
            (origin, _) => origin.to_string(),
        }
    }

    /// The file that was read, if any.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Lists the settings by name for people, with secrets hidden.
    pub fn shown(&self) -> impl Iterator<Item = (&str, Setting)> {
        self.values.iter().map(|(name, setting)| {
            let kind = keys::kind_of(name);
            let value = match (&setting.value, kind) {
                (Value::String(_), Some(Kind::Secret)) => Value::from("(hidden)"),
                (Value::String(text), Some(Kind::Address)) => Value::from(without_login(text)),
                (value, _) => value.clone(),
            };
            let setting = Setting {
                value,
                ..setting.clone()
            };
            (name.as_str(), setting)
        })
    }

    /// True if `name` was set explicitly.
    pub fn is_given(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_some_and(|setting| !matches!(setting.origin, Origin::Default | Origin::Repository))
    }

    /// The source of `name`.
    pub fn origin(&self, name: &str) -> Origin {
        let setting = self.values.get(name);
        setting.map_or(Origin::Default, |setting| setting.origin.clone())
    }

    /// True if a flag set `name`.
    pub fn is_flag(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_some_and(|setting| matches!(setting.origin, Origin::Flag(_)))
    }

    /// Variables of the original programs that are set and not read, each with its substitute.
    pub fn without_effect(&self) -> &[(&'static str, &'static str)] {
        &self.without_effect
    }

    /// The value of a setting, if it has one.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let value = &self.values.get(name)?.value;
        Some(value).filter(|value| !value.is_null())
    }

    /// The text of a setting.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.value.as_str()
    }

    /// The text of a setting that always has one.
    pub fn text_or_empty(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    /// The whole number of a setting.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.values.get(name)?.value.as_u64()
    }

    /// The number of a setting.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.values.get(name)?.value.as_f64()
    }

    /// The switch of a setting.
    pub fn switch(&self, name: &str) -> bool {
        let value = self.values.get(name).map(|setting| &setting.value);
        value.and_then(Value::as_bool).unwrap_or_default()
    }

    /// The redaction mode, `on` or `off`, or any other text that was set. `mode` in the file's table is an alias for it
    /// there; the last source wins.
    pub fn redaction(&self) -> &str {
        let mode = self.text("redaction.mode");
        match mode.filter(|_| !self.is_given("redaction")) {
            Some(mode) => mode,
            None => self.text_or_empty("redaction"),
        }
    }

    /// Redaction rules added by the user, as name and pattern.
    pub fn redaction_rules(&self) -> Vec<(String, String)> {
        let mut rules = Vec::new();
        for (name, setting) in &self.values {
            let Some(rest) = name.strip_prefix(REDACTION_RULES) else {
                continue;
            };
            match &setting.value {
                Value::String(pattern) => {
                    rules.push((rest.trim_start_matches('.').to_owned(), pattern.clone()));
                }
                Value::Array(list) => rules.extend(list.iter().filter_map(|rule| {
                    let text = |field: &str| rule[field].as_str().map(str::to_owned);
                    Some((text("name")?, text("pattern")?))
                })),
                _ => {}
            }
        }
        rules
    }

    /// Policy fields that were set, nested as in the policy.
    pub fn policy(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        for (name, setting) in &self.values {
            let Some(path) = name.strip_prefix(POLICY) else {
                continue;
            };
            if setting.origin == Origin::Default {
                continue;
            }
            match path.split_once('.') {
                None => drop(fields.insert(path.to_owned(), setting.value.clone())),
                Some((field, part)) => {
                    let nested = fields
                        .entry(field)
                        .or_insert_with(|| Value::Object(Map::new()));
                    if let Value::Object(parts) = nested {
                        parts.insert(part.to_owned(), setting.value.clone());
                    }
                }
            }
        }
        fields
    }

    /// The tools of the agent by name, each with its fields.
    pub fn tools(&self) -> BTreeMap<&str, Map<String, Value>> {
        let mut tools: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for (name, setting) in &self.values {
            let path = name.strip_prefix(TOOLS);
            if let Some((tool, field)) = path.and_then(|path| path.split_once('.')) {
                let fields = tools.entry(tool).or_default();
                fields.insert(field.to_owned(), setting.value.clone());
            }
        }
        tools
    }

    /// The source of the policy field with this path.
    pub fn policy_origin(&self, path: &str) -> Origin {
        self.origin(&format!("{POLICY}{path}"))
    }
}

/// Removes name and password from an address.
fn without_login(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://(hidden)@{host}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests;
