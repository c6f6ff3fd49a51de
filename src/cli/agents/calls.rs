//! The calls of this program in the settings of a runtime: those of its hooks, and that of its server of tools.
//!
//! Variables and options in such a call lead it to another memory than the one of the command line, and a runtime shows
//! none of this. So they are read back from the settings as they are written.

use std::collections::HashSet;
use std::env;

use serde_json::Value;

use super::edit::command_line::{Variables, call_of};
use super::edit::{json, split_mark};
use super::pieces::{NAME, Part, Piece};
use super::{codex_settings, edit};

/// The fields of a server that hold its variables: the usual one, and that of OpenCode.
const VARIABLE_FIELDS: [&str; 2] = ["env", "environment"];

/// A way by which a runtime reaches the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Hooks at events.
    Hooks,
    /// The server of tools.
    Tools,
}

/// A call of this program, with the settings that it brings along.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    /// The way that it serves.
    pub(crate) way: Way,
    /// Variables that the file sets for all of its calls.
    pub(crate) of_file: Variables,
    /// Variables that are set for this call.
    pub(crate) variables: Variables,
    /// Its words after the program.
    pub(crate) words: Vec<String>,
}

/// Returns the different calls in the text of a file, in order.
pub(crate) fn calls_in(piece: &Piece, text: &str) -> Vec<Call> {
    let (_, text) = split_mark(text);
    let mut calls = match &piece.part {
        Part::Hooks { .. } => json::value_of(text).map_or_else(Vec::new, |all| hooks(&all)),
        Part::Server { servers, .. } => json::value_of(text)
            .and_then(|all| server(&all[*servers][NAME]))
            .into_iter()
            .collect(),
        Part::ServerInToml { .. } => codex_settings::server_of(text)
            .and_then(|own| server(&own))
            .into_iter()
            .collect(),
        // A plugin calls hooks; the skill calls nothing, an agent types its commands.
        Part::Whole(own) if own.contains("\"hook\"") => vec![Call {
            way: Way::Hooks,
            of_file: Vec::new(),
            variables: Vec::new(),
            words: vec!["hook".to_owned()],
        }],
        Part::Whole(_) => Vec::new(),
    };
    // The lines of a file differ in the event, which leads to no other memory.
    let mut seen = HashSet::new();
    calls.retain(|call| {
        let options = call
            .words
            .iter()
            .skip(if call.way == Way::Hooks { 2 } else { 1 });
        seen.insert((call.variables.clone(), options.cloned().collect::<Vec<_>>()))
    });
    calls
}

/// The calls of hooks: Claude Code sets the variables of the whole file for each.
fn hooks(settings: &Value) -> Vec<Call> {
    let of_file = variables(&settings["env"]).into_iter().map(expanded);
    let of_file: Vec<_> = of_file.collect();
    let mut lines = Vec::new();
    collect_lines(&settings["hooks"], &mut lines);
    let call = |line: &str| {
        let (variables, words) = call_of(line)?;
        Some(Call {
            way: Way::Hooks,
            of_file: of_file.clone(),
            variables: variables.into_iter().map(expanded).collect(),
            words: words.into_iter().map(|word| with_home(&word)).collect(),
        })
    };
    lines.into_iter().filter_map(call).collect()
}

/// Collects the command lines of hooks, in groups or plain lists.
fn collect_lines<'v>(value: &'v Value, lines: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            let line = edit::json::COMMAND_FIELDS
                .iter()
                .find_map(|field| fields.get(*field)?.as_str());
            match line {
                Some(line) => lines.push(line),
                None => fields.values().for_each(|one| collect_lines(one, lines)),
            }
        }
        Value::Array(all) => all.iter().for_each(|one| collect_lines(one, lines)),
        _ => {}
    }
}

/// The call of a server: its words follow the program in one list, or are a list of their own.
fn server(own: &Value) -> Option<Call> {
    let words = match &own["command"] {
        Value::Array(all) => all.get(1..)?,
        Value::String(_) => own["args"].as_array().map_or(&[][..], Vec::as_slice),
        _ => return None,
    };
    let words = words.iter().filter_map(Value::as_str);
    let variables = VARIABLE_FIELDS
        .iter()
        .flat_map(|field| variables(&own[field]));
    Some(Call {
        way: Way::Tools,
        of_file: Vec::new(),
        variables: variables.map(expanded).collect(),
        words: words.map(with_home).collect(),
    })
}

fn variables(fields: &Value) -> Variables {
    let fields = fields.as_object().into_iter().flatten();
    let texts = fields.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    texts.collect()
}

fn expanded((name, value): (String, String)) -> (String, String) {
    (name, with_home(&value))
}

/// A word with the home of the person in the place of its short forms, as a shell reads them.
fn with_home(word: &str) -> String {
    let home = env::home_dir().unwrap_or_default();
    let home = home.to_string_lossy();
    match word.strip_prefix("~/") {
        Some(rest) => format!("{home}/{rest}"),
        None => word.replace("${HOME}", &home).replace("$HOME", &home),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::pieces::pieces;
    use crate::agents::places::Places;
    use crate::agents::{Level, Runtime};

    /// The calls that the settings of a runtime hold, as one line for each file.
    fn calls(runtime: Runtime, edit: impl Fn(&str) -> String) -> Vec<String> {
        let places = Places::new("/h".into(), "/p".into(), []);
        let all = pieces(runtime, Level::User, &places, "hindlore");
        let shown = |piece: &Piece| {
            let text = edit(&piece.part.put_into(None).unwrap());
            let of_file = calls_in(piece, &text).into_iter().map(|call| {
                let variables = call.of_file.iter().chain(&call.variables);
                let variables = variables.map(|(a, b)| format!("{a}={b}"));
                let variables: Vec<String> = variables.collect();
                format!("{:?} {variables:?} {:?}", call.way, call.words)
            });
            of_file.collect::<Vec<_>>()
        };
        all.iter().flat_map(shown).collect()
    }

    #[test]
    fn each_runtime_calls_by_hooks_and_by_tools() {
        for runtime in Runtime::ALL {
            let found = calls(runtime, str::to_owned);
            let hooks = found.iter().filter(|call| call.starts_with("Hooks []"));
            assert!(hooks.count() > 0, "{runtime:?} {found:?}");
            assert!(
                found.contains(&"Tools [] [\"mcp\"]".to_owned()),
                "{runtime:?} {found:?}"
            );
        }
    }

    #[test]
    fn additions_of_a_person_are_found_in_each_form() {
        let led = |text: &str| {
            text.replace("hindlore hook", "HINDLORE_STORE='/a b/m.db' hindlore hook")
                .replace("SessionStart", "SessionStart --learner ann")
        };
        let found = calls(Runtime::ClaudeCode, led);
        let at_start = found.iter().find(|call| call.contains("\"SessionStart\""));
        assert_eq!(
            at_start.unwrap(),
            "Hooks [\"HINDLORE_STORE=/a b/m.db\"] [\"hook\", \"SessionStart\", \"--learner\", \"ann\", \"--timeout-ms\", \
             \"2000\"]"
        );
        let of_toml = |text: &str| {
            let is_toml = text.contains("mcp_servers");
            let env = "env = { HINDLORE_LEARNER = \"ann\" }\n";
            format!("{text}{}", if is_toml { env } else { "" })
        };
        let found = calls(Runtime::Codex, of_toml);
        assert_eq!(
            found.last().unwrap(),
            "Tools [\"HINDLORE_LEARNER=ann\"] [\"mcp\"]"
        );
        let of_server = |text: &str| {
            text.replace(
                "\"enabled\"",
                "\"environment\": {\"HINDLORE_SCOPE\": \"x\"}, \"enabled\"",
            )
        };
        let found = calls(Runtime::Opencode, of_server);
        assert_eq!(
            found.last().unwrap(),
            "Tools [\"HINDLORE_SCOPE=x\"] [\"mcp\"]"
        );
        let of_file = |text: &str| text.replacen('{', "{\"env\": {\"HINDLORE_TENANT\": \"t\"},", 1);
        let found = calls(Runtime::ClaudeCode, of_file);
        assert!(
            found[0].starts_with("Hooks [\"HINDLORE_TENANT=t\"]"),
            "{found:?}"
        );
    }
}
