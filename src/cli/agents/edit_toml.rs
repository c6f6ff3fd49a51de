//! Our server in the TOML settings of Codex.

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::pieces::NAME;

const TABLE: &str = "mcp_servers";

/// The file with our server in it, once.
pub(super) fn put_server(text: &str, program: &str) -> Result<String, String> {
    let mut file = parsed(text)?;
    let servers = file.entry(TABLE).or_insert_with(|| {
        let mut servers = Table::new();
        // Only the tables below it are written.
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = servers
        .as_table_like_mut()
        .ok_or_else(|| format!("its `{TABLE}` is no table"))?;
    let mut server = Table::new();
    server["command"] = value(program);
    server["args"] = value(Array::from_iter(["mcp"]));
    servers.insert(NAME, Item::Table(server));
    Ok(file.to_string())
}

/// The file without our server; `None` where nothing else is left of it.
pub(super) fn without_server(text: &str) -> Result<Option<String>, String> {
    let mut file = parsed(text)?;
    let Some(servers) = file.get_mut(TABLE).and_then(Item::as_table_like_mut) else {
        return Ok(Some(text.to_owned()));
    };
    if servers.remove(NAME).is_none() {
        return Ok(Some(text.to_owned()));
    }
    if servers.is_empty() {
        file.remove(TABLE);
    }
    let rest = file.to_string();
    Ok((!rest.trim().is_empty()).then_some(rest))
}

/// Whether the file has our server.
pub(super) fn has_server(text: &str) -> bool {
    let file = parsed(text).ok();
    file.is_some_and(|file| {
        file.get(TABLE)
            .and_then(Item::as_table_like)
            .is_some_and(|servers| servers.contains_key(NAME))
    })
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>()
        .map_err(|error| format!("it is no TOML: {}", error.message()))
}
