//! Our server of tools in the settings of Codex, which are TOML: `[mcp_servers.mnemograph]`. All else stays as it is.
//!
//! All of this is about texts; nothing here touches a file.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::pieces::NAME;

const SERVERS: &str = "mcp_servers";

/// The settings with our server in them, once, whatever of ours was there.
pub(super) fn with_server(
    text: &str,
    command: &str,
    arguments: &[String],
) -> Result<String, String> {
    let mut document = parsed(text)?;
    let mut new_servers = Table::new();
    // Only what is below it has a heading.
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
    let arguments: Array = arguments.iter().map(String::as_str).collect();
    for (name, wanted) in [("command", value(command)), ("args", value(arguments))] {
        let is_so = own
            .get(name)
            .is_some_and(|item| said(item) == said(&wanted));
        if !is_so {
            own.insert(name, wanted);
        }
    }
    Ok(document.to_string())
}

/// The settings without our server; `None` where nothing else is left of them.
pub(super) fn without_server(text: &str) -> Result<Option<String>, String> {
    let mut document = parsed(text)?;
    let servers = document.get_mut(SERVERS).and_then(Item::as_table_like_mut);
    let Some(servers) = servers.filter(|servers| servers.contains_key(NAME)) else {
        return Ok(Some(text.to_owned()));
    };
    servers.remove(NAME);
    if servers.is_empty() {
        document.remove(SERVERS);
    }
    let rest = document.to_string();
    Ok((!rest.trim().is_empty()).then_some(rest))
}

/// Whether settings have our server.
pub(super) fn has_server(text: &str) -> bool {
    parsed(text).is_ok_and(|document| {
        let servers = document.get(SERVERS).and_then(Item::as_table_like);
        servers.is_some_and(|servers| servers.contains_key(NAME))
    })
}

fn said(item: &Item) -> String {
    item.to_string().trim().to_owned()
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| format!("it is no TOML: {}", error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "# mine\nmodel = \"gpt-5\"   # fast\n\n[mcp_servers.docs]\ncommand = \"docs\"\n\n[tui]\ntheme = \"dark\"\n";

    fn put(text: &str) -> String {
        let arguments = ["mcp".to_owned(), "--repository".to_owned()];
        with_server(text, "/opt/mnemograph", &arguments).unwrap()
    }

    #[test]
    fn put_in_and_taken_out_leaves_the_settings_as_they_were() {
        for text in [
            OWN,
            "model = \"x\"\n",
            "[mcp_servers]\ndocs = { command = \"docs\" }\n",
        ] {
            let once = put(text);
            assert!(has_server(&once) && !has_server(text), "{once}");
            assert_eq!(put(&once), once, "installed twice is installed once");
            let out = without_server(&once).unwrap().unwrap();
            assert_eq!(out.trim_end(), text.trim_end());
            assert_eq!(without_server(text).unwrap().as_deref(), Some(text));
        }
        let made = put("");
        assert_eq!(
            made,
            "[mcp_servers.mnemograph]\ncommand = \"/opt/mnemograph\"\nargs = [\"mcp\", \"--repository\"]\n"
        );
        assert_eq!(without_server(&made).unwrap(), None);
    }

    #[test]
    fn what_a_person_added_to_our_server_stays_when_it_is_installed_anew() {
        let own = put(OWN).replace(
            "command = \"/opt/mnemograph\"",
            "command = \"/old/mnemograph\"\nstartup_timeout_sec = 20 # slow disk",
        );
        let anew = put(&own);
        assert!(
            anew.contains("/opt/mnemograph")
                && anew.contains("startup_timeout_sec = 20 # slow disk"),
            "{anew}"
        );
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in ["x", "mcp_servers = 5", "mcp_servers.mnemograph = \"no\""] {
            assert!(with_server(text, "m", &[]).is_err(), "{text}");
        }
    }
}
