//! Command `config set`: one value in the configuration file, whose other lines and comments stay.

use std::{env, fs, io};

use toml_edit::{DocumentMut, Item, Table, Value};

use super::CommandResult;
use crate::output::file::{replace, writable_folder};
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_config::{Settings, config_file};
use serde_json::json;

/// Sets a value; one that the program would refuse leaves the file as it was.
pub(super) fn run(session: &Session, name: &str, value: &str) -> CommandResult {
    let file = session
        .settings
        .file()
        .map(ToOwned::to_owned)
        .or_else(config_file);
    let file = file.ok_or_else(|| {
        Problem::new("no_config_file", "this user has no folder for settings")
            .with_hint("name a file with HINDLORE_CONFIG")
    })?;
    let unusable = |error: io::Error| {
        Problem::new("unusable_file", format!("{}: {error}", file.display()))
            .with_hint("make the file readable and writable")
    };
    let before = match fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unusable(error)),
    };
    let text = with_value(before.as_deref().unwrap_or_default(), name, value)?;
    if let Some(folder) = file.parent() {
        writable_folder(folder).map_err(unusable)?;
    }
    replace(&file, text.as_bytes())?;
    if let Err(fault) = Settings::read(env::vars_os()) {
        match before {
            Some(before) => replace(&file, before.as_bytes())?,
            None => fs::remove_file(&file).map_err(unusable)?,
        }
        return Err(Problem::new("invalid_config", fault.message).with_hint(fault.hint));
    }
    let shown = json!({"file": file, "name": name, "value": value});
    session.output.show(&shown, |page| {
        page.line(
            Tone::Good,
            format_args!("{name} = {value}, in {}", file.display()),
        );
    })?;
    Ok(Outcome::Done)
}

/// The text of the file with a value; tables that it lacks are made.
fn with_value(text: &str, name: &str, value: &str) -> Result<String, Problem> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        Problem::new(
            "invalid_config",
            format!("the file is not TOML: {}", error.message()),
        )
        .with_hint("`config show` names the line")
    })?;
    let value = value
        .parse::<Value>()
        .unwrap_or_else(|_| Value::from(value));
    let refused = || {
        Problem::new(
            "invalid_config",
            format!("`{name}` cannot be set: a part of it has a value"),
        )
        .with_hint("`config show` lists the names")
    };
    let (tables, last) = name.rsplit_once('.').unwrap_or(("", name));
    let mut table: &mut Table = document.as_table_mut();
    for part in tables.split('.').filter(|part| !part.is_empty()) {
        let inner = table.entry(part).or_insert_with(|| {
            let mut made = Table::new();
            made.set_implicit(true);
            Item::Table(made)
        });
        table = inner.as_table_mut().ok_or_else(refused)?;
    }
    table.insert(last, Item::Value(value));
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_in_and_the_rest_stays() {
        let text = "# mine\nstore = \"a.db\"\n\n[hooks]\nbefore = \"off\" # quiet\n";
        let set = with_value(text, "hooks.before", "context").unwrap();
        assert!(
            set.starts_with("# mine\nstore = \"a.db\"") && set.contains("before = \"context\""),
            "{set}"
        );
        let set = with_value("", "trajectory.sample_rate", "0.5").unwrap();
        assert_eq!(set, "[trajectory]\nsample_rate = 0.5\n");
        assert_eq!(
            with_value("", "resident", "false").unwrap(),
            "resident = false\n"
        );
        assert!(with_value("store = 1\n", "store.x", "1").is_err());
    }
}
