//! Our hooks and our server of tools in settings that are JSON with comments.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::command_line;
use crate::agents::pieces::{HookForm, NAME, SESSION_END};

const HOOKS: &str = "hooks";
const VERSION: &str = "version";
/// The fields of a hook that hold a command line.
pub(in crate::agents) const COMMAND_FIELDS: [&str; 3] = ["command", "bash", "powershell"];

/// Settings with our hooks in them, once.
pub(super) fn with_hooks(
    text: &str,
    form: HookForm,
    commands: &[(String, String)],
) -> Result<String, String> {
    let root = parsed(text, HOOKS)?;
    let object = object_of(&root)?;
    if form != HookForm::Grouped && object.get(VERSION).is_none() {
        object.append(VERSION, CstInputValue::from(1_u32));
    }
    let hooks = object
        .object_value_or_create(HOOKS)
        .ok_or("its `hooks` is no object")?;
    for (event, command) in commands {
        let list = hooks.array_value_or_create(event);
        let list = list.ok_or_else(|| format!("its `hooks.{event}` is no list"))?;
        let mut own = own_hooks(&list).into_iter();
        match own.next() {
            Some(first) => lead(&first.hook, command),
            None => {
                list.append(form.entry(event, command));
            }
        }
        own.for_each(OwnHook::remove);
    }
    for event in hooks.properties() {
        let is_wanted = event
            .decoded_name()
            .is_some_and(|name| commands.iter().any(|(event, _)| *event == name));
        let list = event.array_value().filter(|_| !is_wanted);
        if list.is_some_and(|list| remove_own(&list) && list.elements().is_empty()) {
            event.remove();
        }
    }
    Ok(unless_unchanged(text, &root))
}

/// Settings without our hooks; `None` where there was no original and nothing else is left.
pub(super) fn without_hooks(text: &str, original: Option<&str>) -> Result<Option<String>, String> {
    let root = parsed(text, HOOKS)?;
    let before = original.and_then(value_of);
    let had = |path: &str| {
        before
            .as_ref()
            .is_some_and(|old| old.pointer(path).is_some())
    };
    let hooks = root.object_value().and_then(|object| object.get(HOOKS));
    let Some((property, hooks)) = hooks.and_then(|one| Some((one.clone(), one.object_value()?)))
    else {
        return Ok(Some(text.to_owned()));
    };
    let mut found = false;
    for event in hooks.properties() {
        let Some(list) = event.array_value().filter(remove_own) else {
            continue;
        };
        found = true;
        let name = event.decoded_name().unwrap_or_default();
        if list.elements().is_empty() && !had(&format!("/{HOOKS}/{name}")) {
            event.remove();
        }
    }
    if !found {
        return Ok(Some(text.to_owned()));
    }
    if hooks.properties().is_empty() && !had("/hooks") {
        property.remove();
    }
    let version = root.object_value().and_then(|object| object.get(VERSION));
    if let Some(version) = version.filter(|_| before.is_some() && !had("/version")) {
        version.remove();
    }
    Ok(rest_of(&root, original.is_some()))
}

/// Whether settings have our hooks.
pub(super) fn has_hooks(text: &str) -> bool {
    let hooks = CstRootNode::parse(text, &options()).ok();
    let hooks = hooks.and_then(|root| root.object_value()?.object_value(HOOKS));
    let lists = hooks.into_iter().flat_map(|hooks| hooks.properties());
    let mut lists = lists.filter_map(|event| event.array_value());
    lists.any(|list| !own_hooks(&list).is_empty())
}

/// Settings with our server in an object of servers, once.
pub(super) fn with_server(text: &str, servers: &str, entry: &Value) -> Result<String, String> {
    let root = parsed(text, servers)?;
    let all = object_of(&root)?.object_value_or_create(servers);
    let all = all.ok_or_else(|| format!("its `{servers}` is no object"))?;
    match all.get(NAME) {
        None => {
            all.append(NAME, input(entry));
        }
        Some(own) => {
            let known = own.value().and_then(|own| own.to_serde_value());
            let merged = merged_server(known.unwrap_or_default(), entry);
            match (own.object_value(), merged) {
                (Some(fields), Some(changed)) => {
                    for (name, value) in changed {
                        fields.get(&name).map_or_else(
                            || drop(fields.append(&name, input(&value))),
                            |field| field.set_value(input(&value)),
                        );
                    }
                }
                _ => own.set_value(input(entry)),
            }
        }
    }
    Ok(unless_unchanged(text, &root))
}

/// The fields to change in a server so that it calls this program; `None` if it calls no program at all. A person's
/// additions to the arguments stay, and so do all other fields.
fn merged_server(known: Value, entry: &Value) -> Option<Vec<(String, Value)>> {
    let known_command = known.get("command")?;
    let mut changed = Vec::new();
    match (&entry["command"], known_command) {
        (Value::Array(wanted), Value::Array(there)) => {
            let mut command = wanted.clone();
            if there.get(1) == wanted.get(1) {
                command.splice(1.., there.iter().skip(1).cloned());
            }
            changed.push(("command".to_owned(), Value::Array(command)));
        }
        (wanted, _) => {
            changed.push(("command".to_owned(), wanted.clone()));
            if known["args"].get(0) != entry["args"].get(0) {
                changed.push(("args".to_owned(), entry["args"].clone()));
            }
        }
    }
    changed.retain(|(name, value)| known.get(name) != Some(value));
    Some(changed)
}

/// Settings without our server; `None` where there was no original and nothing else is left.
pub(super) fn without_server(
    text: &str,
    servers: &str,
    original: Option<&str>,
) -> Result<Option<String>, String> {
    let root = parsed(text, servers)?;
    let property = root.object_value().and_then(|object| object.get(servers));
    let all = property
        .as_ref()
        .and_then(|property| property.object_value());
    let (Some(property), Some(own)) = (property, all.as_ref().and_then(|all| all.get(NAME))) else {
        return Ok(Some(text.to_owned()));
    };
    own.remove();
    let had = original
        .and_then(value_of)
        .is_some_and(|old| old.get(servers).is_some());
    if !had && all.is_some_and(|all| all.properties().is_empty()) {
        property.remove();
    }
    Ok(rest_of(&root, original.is_some()))
}

/// Whether settings have our server.
pub(super) fn has_server(text: &str, servers: &str) -> bool {
    let root = CstRootNode::parse(text, &options()).ok();
    let all = root.and_then(|root| root.object_value()?.object_value(servers));
    all.is_some_and(|all| all.get(NAME).is_some())
}

/// JSON with comments and last commas, as the runtimes read it, and nothing looser.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// A text as a tree, where the object that holds our part, and each name in it, is there once.
fn parsed(text: &str, holder: &str) -> Result<CstRootNode, String> {
    let no_json = |error: &dyn std::fmt::Display| format!("it is no JSON: {error}");
    let read = parse_to_ast(text, &CollectOptions::default(), &options());
    let read = read.map_err(|error| no_json(&error))?;
    if let Some(ast::Value::Object(object)) = &read.value {
        refuse_twice(text, object, Some(holder))?;
        if let Some(ast::Value::Object(inner)) = object.get(holder).map(|held| &held.value) {
            refuse_twice(text, inner, None)?;
        }
    }
    CstRootNode::parse(text, &options()).map_err(|error| no_json(&error))
}

/// Refuses an object that names something twice: runtimes take the last one, and an edit of the other has no effect.
fn refuse_twice(text: &str, object: &ast::Object<'_>, only: Option<&str>) -> Result<(), String> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let mut seen = std::collections::HashMap::new();
    for property in &object.properties {
        let name = property.name.as_str();
        if only.is_some_and(|only| only != name) {
            continue;
        }
        if let Some(first) = seen.insert(name, property.start()) {
            return Err(format!(
                "it names `{name}` twice, in lines {} and {}; leave one of them",
                line(first),
                line(property.start())
            ));
        }
    }
    Ok(())
}

/// The object of a file; an empty file becomes one.
fn object_of(root: &CstRootNode) -> Result<CstObject, String> {
    root.object_value_or_create()
        .ok_or_else(|| "it holds no JSON object".to_owned())
}

/// The content of a text; absent if it is no JSON.
pub(in crate::agents) fn value_of(text: &str) -> Option<Value> {
    CstRootNode::parse(text, &options()).ok()?.to_serde_value()
}

/// The text of a tree, or the earlier text if both are equal in content: an edit may have changed its layout.
fn unless_unchanged(text: &str, root: &CstRootNode) -> String {
    if root.to_serde_value().is_some() && value_of(text) == root.to_serde_value() {
        return text.to_owned();
    }
    let mut now = root.to_string();
    if text.trim().is_empty() && !now.ends_with('\n') {
        now.push('\n');
    }
    now
}

/// The rest of a file. The number of the format alone is no setting of a person.
fn rest_of(root: &CstRootNode, had_file: bool) -> Option<String> {
    let object = root.object_value();
    let is_empty = object.is_some_and(|object| {
        let mut properties = object.properties().into_iter();
        properties.all(|property| property.decoded_name().as_deref() == Some(VERSION))
    });
    (had_file || !is_empty).then(|| root.to_string())
}

/// A hook of ours, and the group that it is in.
struct OwnHook {
    hook: CstObject,
    group: Option<CstNode>,
}

impl OwnHook {
    /// Removes the hook, and its group if that is left empty.
    fn remove(self) {
        self.hook.remove();
        let Some(group) = self.group else { return };
        let inner = group.as_object().and_then(|group| group.array_value(HOOKS));
        if inner.is_none_or(|inner| inner.elements().is_empty()) {
            group.remove();
        }
    }
}

fn own_hooks(list: &CstArray) -> Vec<OwnHook> {
    let mut own = Vec::new();
    for element in list.elements() {
        let Some(object) = element.as_object() else {
            continue;
        };
        let Some(inner) = object.array_value(HOOKS) else {
            own.extend(is_own(&object).then_some(OwnHook {
                hook: object,
                group: None,
            }));
            continue;
        };
        let hooks = inner.elements().into_iter();
        let hooks = hooks.filter_map(|hook| hook.as_object().filter(is_own));
        own.extend(hooks.map(|hook| OwnHook {
            hook,
            group: Some(element.clone()),
        }));
    }
    own
}

/// Removes our hooks from a list; reports whether there was any.
fn remove_own(list: &CstArray) -> bool {
    let own = own_hooks(list);
    let found = !own.is_empty();
    own.into_iter().for_each(OwnHook::remove);
    found
}

fn is_own(hook: &CstObject) -> bool {
    let mut lines = COMMAND_FIELDS.iter();
    lines.any(|field| text_in(hook, field).is_some_and(|line| command_line::is_own(&line)))
}

/// Leads a hook of ours to this program.
fn lead(hook: &CstObject, command: &str) {
    for field in COMMAND_FIELDS {
        let Some(line) = text_in(hook, field).filter(|line| command_line::is_own(line)) else {
            continue;
        };
        let led = command_line::led_to(&line, command);
        if let Some(property) = hook.get(field).filter(|_| led != line) {
            property.set_value(led.as_str().into());
        }
    }
}

fn text_in(object: &CstObject, field: &str) -> Option<String> {
    let value = object.get(field)?.value()?;
    value.as_string_lit()?.decoded_value().ok()
}

/// A value as the editor takes it.
pub(super) fn input(value: &Value) -> CstInputValue {
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

impl HookForm {
    /// The entry of a command in the list of an event.
    fn entry(self, event: &str, command: &str) -> CstInputValue {
        let object = |fields: Vec<(&str, CstInputValue)>| {
            let fields = fields.into_iter();
            CstInputValue::Object(
                fields
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            )
        };
        let seconds = if event.eq_ignore_ascii_case(SESSION_END) {
            SESSION_END_SECONDS.into()
        } else {
            HOOK_SECONDS.into()
        };
        match self {
            Self::Plain => object(vec![("command", command.into())]),
            Self::Shells => object(vec![
                ("type", "command".into()),
                ("bash", command.into()),
                ("powershell", command.into()),
                ("timeoutSec", seconds),
            ]),
            Self::Grouped => {
                let hook = object(vec![
                    ("type", "command".into()),
                    ("command", command.into()),
                    ("timeout", seconds),
                ]);
                object(vec![(HOOKS, CstInputValue::Array(vec![hook]))])
            }
        }
    }
}

/// Seconds after which a runtime gives a hook up; our own limit comes before.
const HOOK_SECONDS: u32 = 10;
const SESSION_END_SECONDS: u32 = 3;
