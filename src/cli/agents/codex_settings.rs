//! Our server of tools in the settings of Codex, which are TOML: `[mcp_servers.hindlore]`. All else stays as it is.
//!
//! All of this is about texts; nothing here touches a file.

use std::collections::BTreeMap;

use serde_json::json;
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::pieces::NAME;

const SERVERS: &str = "mcp_servers";

/// The settings with our server in them, once. An existing one keeps a person's changes and calls this program; a new
/// one comes at the end, so that every other byte stays.
pub(super) fn with_server(
    text: &str,
    command: &str,
    arguments: &[String],
) -> Result<String, String> {
    let mut document = parsed(text)?;
    if !has_server(text) {
        let appended = appended(text, command, arguments);
        if parsed(&appended).is_ok() {
            return Ok(appended);
        }
    }
    let mut new_servers = Table::new();
    // Only the tables below it have a heading.
    new_servers.set_implicit(true);
    let servers = document
        .entry(SERVERS)
        .or_insert(Item::Table(new_servers))
        .as_table_like_mut()
        .ok_or_else(|| format!("its `{SERVERS}` is no table"))?;
    let own = servers
        .entry(NAME)
        .or_insert(Item::Table(Table::new()))
        .as_table_like_mut()
        .ok_or_else(|| format!("its `{SERVERS}.{NAME}` is no table"))?;
    let first = |item: &Item| item.get(0).and_then(Item::as_str).map(str::to_owned);
    let is_led = own.get("command").and_then(Item::as_str) == Some(command);
    let has_arguments =
        own.get("args").and_then(first).as_ref() == arguments.first() && !arguments.is_empty();
    if is_led && has_arguments {
        return Ok(text.to_owned());
    }
    if !is_led {
        own.insert("command", value(command));
    }
    if !has_arguments {
        own.insert("args", value(array(arguments)));
    }
    Ok(with_line_ends_of(text, document.to_string()))
}

/// The settings without our server; `None` where there was no original and nothing else is left.
pub(super) fn without_server(text: &str, original: Option<&str>) -> Result<Option<String>, String> {
    let mut document = parsed(text)?;
    if !has_server(text) {
        return Ok(Some(text.to_owned()));
    }
    let had_servers =
        original.is_some_and(|text| parsed(text).is_ok_and(|old| old.contains_key(SERVERS)));
    if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) {
        servers.remove(NAME);
        if servers.is_empty() && !had_servers {
            document.remove(SERVERS);
        }
    }
    let edited = document.to_string();
    // Cut out as text, the rest keeps each byte; the edited document shows whether the cut is right.
    let rest = cut_out(text)
        .filter(|cut| facts(cut).is_some_and(|cut| Some(cut) == facts(&edited)))
        .unwrap_or_else(|| with_line_ends_of(text, edited));
    Ok((original.is_some() || !rest.trim().is_empty()).then_some(rest))
}

/// The settings with our server after all else.
fn appended(text: &str, command: &str, arguments: &[String]) -> String {
    let apart = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let own = format!(
        "{apart}[{SERVERS}.{NAME}]\ncommand = {}\nargs = {}\n",
        value(command).to_string().trim(),
        array(arguments).to_string().trim()
    );
    format!("{text}{}", with_line_ends_of(text, own))
}

/// The text without the lines of our table, and without the blank line before them.
fn cut_out(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let heading = format!("[{SERVERS}.{NAME}");
    let is_own = |line: &str| {
        let rest = line.trim_start().strip_prefix(&heading);
        rest.is_some_and(|rest| rest.starts_with([']', '.']))
    };
    let begin = lines.iter().position(|line| is_own(line))?;
    let inside = lines[begin..]
        .iter()
        .take_while(|line| is_own(line) || !line.trim_start().starts_with('['));
    let mut end = begin + inside.count();
    // Comments before the next heading are about the table after it.
    let is_between = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    while end < lines.len() && end > begin && is_between(lines[end - 1]) {
        end -= 1;
    }
    let has_blank = begin > 0 && lines[begin - 1].trim().is_empty();
    let begin = begin - usize::from(has_blank);
    Some([&lines[..begin], &lines[end..]].concat().concat())
}

/// The contents of settings, without their layout: each value with its path, in alphabetical order.
fn facts(text: &str) -> Option<Vec<String>> {
    let document = parsed(text).ok()?;
    let mut facts = Vec::new();
    for (name, item) in document.as_table() {
        collect_facts(name, item.clone(), &mut facts);
    }
    facts.sort_unstable();
    Some(facts)
}

fn collect_facts(path: &str, item: Item, facts: &mut Vec<String>) {
    let below = |name: &str| format!("{path}\0{name}");
    match item {
        Item::Value(Value::Array(all)) => {
            for (at, one) in all.into_iter().enumerate() {
                collect_facts(&below(&at.to_string()), Item::Value(one), facts);
            }
        }
        Item::ArrayOfTables(all) => {
            for (at, one) in all.into_iter().enumerate() {
                collect_facts(&below(&at.to_string()), Item::Table(one), facts);
            }
        }
        Item::Value(Value::InlineTable(table)) => {
            collect_facts(path, Item::Table(table.into_table()), facts);
        }
        Item::Table(table) => {
            for (name, one) in table {
                collect_facts(&below(&name), one, facts);
            }
        }
        Item::Value(mut plain) => {
            plain.decor_mut().clear();
            facts.push(format!("{path}={plain}"));
        }
        Item::None => {}
    }
    facts.push(path.to_owned());
}

/// A text with the line ends of another: the editor writes plain ones.
fn with_line_ends_of(like: &str, text: String) -> String {
    if like.contains("\r\n") {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text
    }
}

fn array(words: &[String]) -> Array {
    words.iter().map(String::as_str).collect()
}

/// Whether settings have our server.
pub(super) fn has_server(text: &str) -> bool {
    parsed(text).is_ok_and(|document| {
        let servers = document.get(SERVERS).and_then(Item::as_table_like);
        servers.is_some_and(|servers| servers.contains_key(NAME))
    })
}

/// The fields of our server; absent where there is none.
pub(super) fn server_of(text: &str) -> Option<serde_json::Value> {
    let document = parsed(text).ok()?;
    let own = document.get(SERVERS)?.get(NAME)?;
    let arguments = own.get("args").and_then(Item::as_array).into_iter();
    let arguments: Vec<&str> = arguments.flatten().filter_map(Value::as_str).collect();
    let variables = own.get("env").and_then(Item::as_table_like).into_iter();
    let variables = variables.flat_map(|table| table.iter());
    let variables: BTreeMap<&str, &str> = variables
        .filter_map(|(name, value)| Some((name, value.as_str()?)))
        .collect();
    let command = own.get("command").and_then(Item::as_str);
    Some(json!({"command": command, "args": arguments, "env": variables}))
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().map(|span| &text[..span.start.min(text.len())]);
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        format!("it is no TOML: {} in line {line}", error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "# mine\nmodel = \"gpt-5\"   # fast\n\n[mcp_servers.docs]\ncommand = \"docs\"\n\n[tui]\ntheme = \"dark\"\n";

    fn put(text: &str) -> String {
        let arguments = ["mcp".to_owned()];
        with_server(text, "/opt/hindlore", &arguments).unwrap()
    }

    #[test]
    fn put_in_and_taken_out_leaves_each_byte_of_the_settings() {
        for text in [
            OWN,
            "model = \"x\"\n",
            "model = \"x\"",
            "model = \"x\"\r\n[tui]\r\na = 1\r\n",
            "a = 1\r\nb = 2\n",
            "# only a comment\n",
            "\n\n",
            "[mcp_servers]\n",
            "[mcp_servers]\ndocs = { command = \"docs\" }\n",
            "[mcp_servers.docs]\ncommand = \"docs\"\n\n\n",
        ] {
            let once = put(text);
            assert!(has_server(&once) && !has_server(text), "{once}");
            assert!(once.starts_with(text), "{once}");
            assert_eq!(put(&once), once, "installed twice is installed once");
            let out = without_server(&once, Some(text)).unwrap().unwrap();
            // A line without an end gets one, which only the copy of the original takes back.
            let expected = match text {
                "model = \"x\"" => "model = \"x\"\n",
                whole => whole,
            };
            assert_eq!(out, expected);
            assert_eq!(without_server(text, None).unwrap().as_deref(), Some(text));
        }
        let made = put("");
        assert_eq!(
            made,
            "[mcp_servers.hindlore]\ncommand = \"/opt/hindlore\"\nargs = [\"mcp\"]\n"
        );
        assert_eq!(without_server(&made, None).unwrap(), None);
    }

    #[test]
    fn servers_in_other_forms_take_ours_and_give_it_back() {
        for text in [
            "mcp_servers = { docs = { command = \"docs\" } }\n",
            "mcp_servers.docs.command = \"docs\"\n",
        ] {
            let once = put(text);
            assert!(has_server(&once), "{once}");
            let out = without_server(&once, Some(text)).unwrap().unwrap();
            assert_eq!(facts(&out), facts(text));
        }
    }

    #[test]
    fn what_others_wrote_around_our_server_stays() {
        let put = put("a = 1\n");
        let changed = format!("# top\n{put}env = {{ X = \"1\" }}\n\n# next\n[tui]\nb = 2\n");
        let out = without_server(&changed, Some("a = 1\n")).unwrap().unwrap();
        assert_eq!(out, "# top\na = 1\n\n# next\n[tui]\nb = 2\n");
    }

    #[test]
    fn what_a_person_added_to_our_server_stays_when_it_is_installed_anew() {
        let own = put(OWN).replace(
            "command = \"/opt/hindlore\"",
            "command = \"/old/hindlore\"\nstartup_timeout_sec = 20 # slow disk",
        );
        let anew = put(&own);
        assert!(
            anew.contains("/opt/hindlore") && anew.contains("startup_timeout_sec = 20 # slow disk"),
            "{anew}"
        );
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["x", "mcp_servers = 5", "mcp_servers.hindlore = \"no\""] {
            assert!(with_server(text, "m", &[]).is_err(), "{text}");
        }
    }
}
