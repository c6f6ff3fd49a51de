//! Reading a folder of definitions: bounded, and with the file named in every refusal.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::{LabError, LabResult};

/// Texts by their names inside the folder.
pub type Files = BTreeMap<String, String>;

/// Largest file of a tool, in bytes.
const FILE_MAX: u64 = 4 << 20;
/// Files of a tool.
const FILES_MAX: usize = 200;

/// Reads the definitions and the files under `data/`.
pub(super) fn read(folder: &Path) -> LabResult<Files> {
    let mut files = Files::new();
    for name in ["tool.json", "messages.json", "habits.json", "tasks.json"] {
        files.insert(name.to_owned(), text(&folder.join(name))?);
    }
    let data = folder.join("data");
    if !data.is_dir() {
        return Ok(files);
    }
    let entries = fs::read_dir(&data).map_err(|error| unreadable(&data, error))?;
    for entry in entries.take(FILES_MAX) {
        let path = entry.map_err(|error| unreadable(&data, error))?.path();
        if let Some(name) = path
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|_| path.is_file())
        {
            files.insert(format!("data/{name}"), text(&path)?);
        }
    }
    Ok(files)
}

/// Reads one of the files as JSON.
pub(super) fn json(files: &Files, name: &str) -> LabResult<Value> {
    let text = files.get(name).map_or("", String::as_str);
    serde_json::from_str(text)
        .map_err(|error| LabError::definition(name, format!("is not JSON: {error}")))
}

fn text(path: &Path) -> LabResult<String> {
    let size = fs::metadata(path)
        .map_err(|error| unreadable(path, error))?
        .len();
    if size > FILE_MAX {
        return Err(unreadable(
            path,
            format!("{size} bytes, {FILE_MAX} are allowed"),
        ));
    }
    fs::read_to_string(path).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, why: impl std::fmt::Display) -> LabError {
    LabError::new(
        format!("`{}` cannot be read: {why}", path.display()),
        "a tool is a folder with tool.json, messages.json, habits.json, tasks.json and data/",
    )
}
