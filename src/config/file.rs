//! The configuration file: TOML, its tables flattened into dotted names.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::keys::{KEYS, Kind, POLICY, fits, kind_of, unknown, words_of};
use super::{ConfigError, PlaceKind, kind_of_place, machine};

/// The largest file that is read, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// The file to read: the one that was named, else the user's, where there is one.
pub(super) fn path(named: Option<&String>) -> Result<Option<PathBuf>, ConfigError> {
    if let Some(named) = named {
        return Ok(Some(PathBuf::from(named)));
    }
    Ok(machine::config_file().filter(|path| path.exists()))
}

/// What the file says, name by name.
pub(super) fn read(path: &Path) -> Result<Vec<(String, Value)>, ConfigError> {
    let refused = |reason: String, hint: &str| ConfigError {
        message: format!("the configuration file `{}` {reason}", path.display()),
        hint: hint.to_owned(),
    };
    let size = fs::metadata(path).map_or(0, |file| file.len());
    if size > FILE_MAX {
        return Err(refused(
            format!("has {size} bytes; the limit is {FILE_MAX}"),
            "check that it is the right file",
        ));
    }
    let text = fs::read_to_string(path).map_err(|error| {
        refused(
            format!("cannot be read: {error}"),
            "check MNEMOGRAPH_CONFIG, and that it is a text file that you may read",
        )
    })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        refused(
            format!("is not TOML: {}", one_line(&error.to_string())),
            "correct it at that place",
        )
    })?;
    let value = serde_json::to_value(table)
        .map_err(|error| refused(format!("cannot be used: {error}"), "simplify it"))?;
    let mut found = Vec::new();
    flatten(String::new(), value, &mut found);
    let folder = path.parent().unwrap_or(Path::new(""));
    found
        .into_iter()
        .map(|(name, value)| checked(path, folder, name, value))
        .collect()
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

fn checked(
    path: &Path,
    folder: &Path,
    name: String,
    value: Value,
) -> Result<(String, Value), ConfigError> {
    let Some(kind) = kind_of(&name) else {
        // The policy knows its own fields, and is asked when it is put together.
        if name.starts_with(POLICY) {
            return Ok((name, value));
        }
        let what = format!("the key of `{}`", path.display());
        return Err(unknown(&what, &name, KEYS.iter().map(|key| key.name)));
    };
    if !fits(kind, &value) {
        return Err(ConfigError {
            message: format!(
                "`{name}` in `{}` is {value}, not {}",
                path.display(),
                words_of(kind)
            ),
            hint: "correct it".to_owned(),
        });
    }
    let is_path = |text: &str| match kind {
        Kind::Path => true,
        Kind::Address => kind_of_place(text) == PlaceKind::File,
        Kind::Text | Kind::Secret | Kind::Switch | Kind::Whole | Kind::Number => false,
    };
    let value = match &value {
        Value::String(text) if is_path(text) => {
            Value::from(folder.join(text).to_string_lossy().into_owned())
        }
        _ => value,
    };
    Ok((name, value))
}
