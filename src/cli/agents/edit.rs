//! Our part of a settings file: put in, taken out, looked for. Order, comments and layout of the rest stay as they are.
//!
//! All of this is about texts; nothing here touches a file.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

use serde_json::Value;

use super::codex_settings;
use super::pieces::{NAME, Part};

/// Seconds after which a runtime gives a hook up; our own limit comes before.
const HOOK_SECONDS: u32 = 10;

impl Part {
    /// The file with this part in it, once, whatever of ours was there; `text` is `None` where there is no file.
    ///
    /// # Errors
    /// A sentence for people where the file is not what it should be.
    pub(crate) fn put_into(&self, text: Option<&str>) -> Result<String, String> {
        match self {
            Self::Whole(own) => Ok(own.clone()),
            Self::ServerInToml { command, arguments } => {
                codex_settings::with_server(text.unwrap_or_default(), command, arguments)
            }
            Self::Hooks { .. } | Self::Server { .. } => {
                let root = parsed(text.unwrap_or_default())?;
                self.remove_from(&root);
                self.append_to(&object_of(&root)?)?;
                // Taken out and put in again it may be laid out otherwise; a file that says the same stays as it is.
                match text.filter(|text| says_the_same(text, &root)) {
                    Some(text) => Ok(text.to_owned()),
                    None => Ok(ending_in_a_line(root.to_string())),
                }
            }
        }
    }

    /// The file without this part; `None` where nothing else is left of it.
    ///
    /// # Errors
    /// A sentence for people where the file is not what it should be.
    pub(crate) fn taken_out_of(&self, text: &str) -> Result<Option<String>, String> {
        match self {
            Self::Whole(_) if self.is_in(text) => Ok(None),
            Self::Whole(_) => Ok(Some(text.to_owned())),
            Self::ServerInToml { .. } => codex_settings::without_server(text),
            Self::Hooks { .. } | Self::Server { .. } => {
                let root = parsed(text)?;
                if !self.remove_from(&root) {
                    return Ok(Some(text.to_owned()));
                }
                let is_empty = root
                    .object_value()
                    .is_some_and(|object| object.properties().iter().all(is_version));
                Ok((!is_empty).then(|| root.to_string()))
            }
        }
    }

    /// Whether a file has this part or another version of it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Whole(_) => text.contains(NAME),
            Self::ServerInToml { .. } => codex_settings::has_server(text),
            Self::Hooks { .. } | Self::Server { .. } => {
                parsed(text).is_ok_and(|root| self.remove_from(&root))
            }
        }
    }

    /// Removes what is ours, and what it leaves empty; tells whether there was any.
    fn remove_from(&self, root: &CstRootNode) -> bool {
        let Some(object) = root.object_value() else {
            return false;
        };
        match self {
            Self::Hooks { .. } => object.get("hooks").is_some_and(remove_hooks),
            Self::Server { servers, .. } => object.get(servers).is_some_and(remove_server),
            Self::ServerInToml { .. } | Self::Whole(_) => false,
        }
    }

    /// Appends what is ours to the object of a file that has none of it.
    fn append_to(&self, object: &CstObject) -> Result<(), String> {
        match self {
            Self::Hooks { grouped, commands } => put_hooks(object, *grouped, commands),
            Self::Server { servers, entry } => {
                let all = object.object_value_or_create(servers);
                let all = all.ok_or_else(|| format!("its `{servers}` is no object"))?;
                all.append(NAME, input(entry));
                Ok(())
            }
            Self::ServerInToml { .. } | Self::Whole(_) => Ok(()),
        }
    }
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| format!("it is no JSON: {error}"))
}

/// The object of a file; an empty file becomes one.
fn object_of(root: &CstRootNode) -> Result<CstObject, String> {
    root.object_value_or_create()
        .ok_or_else(|| "it holds no JSON object".to_owned())
}

fn says_the_same(text: &str, root: &CstRootNode) -> bool {
    parsed(text).is_ok_and(|before| before.to_serde_value() == root.to_serde_value())
}

fn ending_in_a_line(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn put_hooks(
    object: &CstObject,
    grouped: bool,
    commands: &[(String, String)],
) -> Result<(), String> {
    if !grouped && object.get("version").is_none() {
        object.append("version", CstInputValue::from(1_u32));
    }
    let hooks = object
        .object_value_or_create("hooks")
        .ok_or("its `hooks` is no object")?;
    for (event, command) in commands {
        let list = hooks.array_value_or_create(event);
        let list = list.ok_or_else(|| format!("its `hooks.{event}` is no list"))?;
        list.append(entry(grouped, command));
    }
    Ok(())
}

fn entry(grouped: bool, command: &str) -> CstInputValue {
    let command = ("command".to_owned(), CstInputValue::from(command));
    if !grouped {
        return CstInputValue::Object(vec![command]);
    }
    let handler = CstInputValue::Object(vec![
        ("type".to_owned(), "command".into()),
        command,
        ("timeout".to_owned(), HOOK_SECONDS.into()),
    ]);
    CstInputValue::Object(vec![(
        "hooks".to_owned(),
        CstInputValue::Array(vec![handler]),
    )])
}

/// Removes our commands from all events, and events, groups and the whole that are left empty.
fn remove_hooks(hooks: CstObjectProp) -> bool {
    let Some(events) = hooks.object_value() else {
        return false;
    };
    let mut found = false;
    for event in events.properties() {
        let Some(list) = event.array_value() else {
            continue;
        };
        if remove_commands(&list) {
            found = true;
            if list.elements().is_empty() {
                event.remove();
            }
        }
    }
    if found {
        remove_if_empty(hooks);
    }
    found
}

fn remove_commands(list: &CstArray) -> bool {
    let mut found = false;
    for element in list.elements() {
        let Some(object) = element.as_object() else {
            continue;
        };
        let inner = object.array_value("hooks");
        let removed = match &inner {
            Some(inner) => remove_commands(inner),
            None => is_own(&object),
        };
        if removed && inner.is_none_or(|inner| inner.elements().is_empty()) {
            element.remove();
        }
        found |= removed;
    }
    found
}

/// A command line of ours, however the program is called in it.
fn is_own(handler: &CstObject) -> bool {
    let command = handler.get("command").and_then(|command| command.value());
    let command = command
        .as_ref()
        .and_then(CstNode::as_string_lit)
        .and_then(|text| text.decoded_value().ok());
    command.is_some_and(|line| line.contains(NAME) && line.contains(" hook "))
}

/// Removes our server, and the object of servers if it is left empty.
fn remove_server(servers: CstObjectProp) -> bool {
    let own = servers.object_value().and_then(|all| all.get(NAME));
    let found = own.is_some();
    if let Some(own) = own {
        own.remove();
        remove_if_empty(servers);
    }
    found
}

/// A value as the editor takes it.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(is) => (*is).into(),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => text.as_str().into(),
        Value::Array(all) => CstInputValue::Array(all.iter().map(input).collect()),
        Value::Object(all) => {
            let fields = all.iter().map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(fields.collect())
        }
    }
}

fn remove_if_empty(property: CstObjectProp) {
    if property
        .object_value()
        .is_some_and(|object| object.properties().is_empty())
    {
        property.remove();
    }
}

/// The number of the format alone is nothing that a person has set.
fn is_version(property: &CstObjectProp) -> bool {
    property.decoded_name().as_deref() == Some("version")
}

#[cfg(test)]
mod tests;
