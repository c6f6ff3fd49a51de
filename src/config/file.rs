//! The configuration file: TOML, its tables flattened into dotted names.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::keys::{
    KEYS, Kind, POLICY, REDACTION_RULES, TOOL_FIELDS, TOOLS, fits, kind_of, unknown, words_of,
};
use super::regular_file::{Links, read_regular_file};
use super::{ConfigError, PlaceKind, kind_of_place, machine};

/// Maximum size of the file in bytes.
const FILE_MAX: u64 = 1 << 20;

/// One entry of the file.
pub(super) struct Said {
    /// Dotted name.
    pub(super) name: String,
    /// The value.
    pub(super) value: Value,
    /// Line from 1, if known.
    pub(super) line: Option<usize>,
}

/// Path of the file: the named one, else the user's, if it exists.
pub(super) fn path(named: Option<&String>) -> Option<PathBuf> {
    match named {
        Some(named) => Some(PathBuf::from(named)),
        None => machine::config_file().filter(|path| path.exists()),
    }
}

/// Reads the entries of the file; adds errors to `faults`.
pub(super) fn read(path: &Path, faults: &mut Vec<ConfigError>) -> Vec<Said> {
    let (text, value) = match parsed(path) {
        Ok(parsed) => parsed,
        Err(fault) => {
            faults.push(fault);
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    flatten(String::new(), value, &mut found);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut said = Vec::new();
    for (name, value) in found {
        let line = line_of(&text, &name);
        let place = match line {
            Some(line) => format!("`{}`, line {line}", path.display()),
            None => format!("`{}`", path.display()),
        };
        match checked(&place, folder, &name, value) {
            Ok(value) => said.push(Said { name, value, line }),
            Err(fault) => faults.push(fault),
        }
    }
    said
}

fn parsed(path: &Path) -> Result<(String, Value), ConfigError> {
    let refused = |reason: String, hint: &str| ConfigError {
        message: format!("the configuration file `{}` {reason}", path.display()),
        hint: hint.to_owned(),
    };
    let unreadable = |error: &dyn Display| {
        refused(
            format!("cannot be read: {error}"),
            "check HINDLORE_CONFIG, and that it is a text file that you may read",
        )
    };
    let bytes = read_regular_file(path, FILE_MAX, Links::Follow).map_err(|error| {
        if error.kind() == ErrorKind::FileTooLarge {
            return refused(
                format!("has more than {FILE_MAX} bytes"),
                "check that it is the right file",
            );
        }
        unreadable(&error)
    })?;
    let text =
        String::from_utf8(bytes).map_err(|_| unreadable(&"stream did not contain valid UTF-8"))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| format!(", line {}", before.matches('\n').count() + 1));
        let reason = format!(
            "is not TOML{}: {}",
            line.unwrap_or_default(),
            error.message()
        );
        refused(one_line(&reason), "correct it at that place")
    })?;
    if let Some(name) = no_number(&table) {
        let line = line_of(&text, &name).map(|line| format!(", line {line}"));
        let line = line.unwrap_or_default();
        return Err(refused(
            format!("cannot be used: `{name}`{line} is not a finite number"),
            "correct it",
        ));
    }
    let value = serde_json::to_value(table)
        .map_err(|error| refused(format!("cannot be used: {error}"), "simplify it"))?;
    Ok((text, value))
}

/// The name of a value that is not a finite number, which JSON, the form of all values, lacks.
fn no_number(table: &toml::Table) -> Option<String> {
    table.iter().find_map(|(name, value)| match value {
        toml::Value::Float(number) if !number.is_finite() => Some(name.clone()),
        toml::Value::Table(inner) => Some(format!("{name}.{}", no_number(inner)?)),
        _ => None,
    })
}

/// The line that sets a name. Entries of a table come after its heading; those of an inline table have the
/// line of its name.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let plain = |text: &str| {
        let parts = text
            .split('.')
            .map(|part| part.trim().trim_matches(['"', '\'']));
        parts.collect::<Vec<_>>().join(".")
    };
    let mut heading = String::new();
    let mut outer = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(inner) = line.strip_prefix('[') {
            heading = plain(inner.split(']').next().unwrap_or_default());
            continue;
        }
        let Some((key, _)) = line.split_once('=') else {
            continue;
        };
        let own = match heading.as_str() {
            "" => plain(key),
            above => format!("{above}.{}", plain(key)),
        };
        if own == name {
            return Some(number);
        }
        if name
            .strip_prefix(&own)
            .is_some_and(|rest| rest.starts_with('.'))
        {
            outer = Some(number);
        }
    }
    outer
}

fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}

fn flatten(name: String, value: Value, found: &mut Vec<(String, Value)>) {
    let Value::Object(fields) = value else {
        found.push((name, value));
        return;
    };
    for (field, value) in fields {
        let name = match name.as_str() {
            "" => field,
            above => format!("{above}.{field}"),
        };
        flatten(name, value, found);
    }
}

fn checked(place: &str, folder: &Path, name: &str, value: Value) -> Result<Value, ConfigError> {
    let Some(kind) = kind_of(name) else {
        // The policy knows its own fields and checks them when it is built.
        if name.starts_with(POLICY) {
            return Ok(value);
        }
        if name.starts_with(REDACTION_RULES) {
            return redaction_rule(place, name, value);
        }
        let what = format!("in {place} the key");
        if name.starts_with(TOOLS) {
            let fields = TOOL_FIELDS.iter().map(|(field, _)| *field);
            return Err(unknown(&what, name, TOOLS, fields));
        }
        return Err(unknown(&what, name, "", KEYS.iter().map(|key| key.name)));
    };
    if !fits(kind, &value) {
        return Err(ConfigError {
            message: format!("`{name}` in {place} is {value}, not {}", words_of(kind)),
            hint: "correct it".to_owned(),
        });
    }
    let is_path = |text: &str| match kind {
        Kind::Path => true,
        Kind::Address => kind_of_place(text) == PlaceKind::File,
        Kind::Text | Kind::Secret | Kind::Switch | Kind::Whole | Kind::Number | Kind::Retention => {
            false
        }
    };
    Ok(match &value {
        Value::String(text) if is_path(text) => {
            Value::from(folder.join(text).to_string_lossy().into_owned())
        }
        _ => value,
    })
}

/// Parses a rule `name = "pattern"`, or a list of rules with `name` and `pattern`. Patterns are checked where
/// they are used.
fn redaction_rule(place: &str, name: &str, value: Value) -> Result<Value, ConfigError> {
    let is_rule = |rule: &Value| {
        rule["name"].is_string()
            && rule["pattern"].is_string()
            && rule.as_object().is_some_and(|rule| rule.len() == 2)
    };
    let is_right = match &value {
        Value::Array(rules) => name == REDACTION_RULES && rules.iter().all(is_rule),
        value => value.is_string() && name.len() > REDACTION_RULES.len() + 1,
    };
    if is_right {
        return Ok(value);
    }
    Err(ConfigError {
        message: format!("in {place} `{name}` is no rule: {value}"),
        hint: "under [redaction.rules] write name = \"pattern\", or [[redaction.rules]] with `name` and `pattern`"
            .to_owned(),
    })
}
