//! Data files: JSON, one object a line, plain or compressed with gzip.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::error::EvalError;

/// The most that is read of one file, in bytes, after decompression.
const BYTES_MAX: u64 = 1 << 30;

/// Reads `name.jsonl.gz`, or else `name.jsonl`, from a folder.
pub(super) fn rows<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>, EvalError> {
    let packed = folder.join(format!("{name}.jsonl.gz"));
    if packed.is_file() {
        return of_file(&packed);
    }
    of_file(&folder.join(format!("{name}.jsonl")))
}

/// Tells whether a folder has such a file.
pub(super) fn has(folder: &Path, name: &str) -> bool {
    ["jsonl.gz", "jsonl"]
        .iter()
        .any(|end| folder.join(format!("{name}.{end}")).is_file())
}

/// Reads a file of JSON Lines; by its name it is compressed or not.
pub(super) fn of_file<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, EvalError> {
    let file = File::open(path).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", path.display());
        EvalError::new(message, "give a folder of the form that --help describes")
    })?;
    if path.extension().is_some_and(|end| end == "gz") {
        return parse(MultiGzDecoder::new(file), path);
    }
    parse(file, path)
}

/// Reads JSON Lines that are in process already; `name` is what errors call them.
pub(super) fn of_text<T: DeserializeOwned>(text: &str, name: &str) -> Result<Vec<T>, EvalError> {
    parse(text.as_bytes(), Path::new(name))
}

fn parse<T: DeserializeOwned>(source: impl Read, path: &Path) -> Result<Vec<T>, EvalError> {
    let wrong = |line: usize, error: &dyn std::fmt::Display| {
        let message = format!("`{}` line {line}: {error}", path.display());
        EvalError::new(
            message,
            "each line must be one JSON object of the known form",
        )
    };
    let mut rows = Vec::new();
    let lines = BufReader::new(source.take(BYTES_MAX)).lines();
    for (number, line) in (1..).zip(lines) {
        let line = line.map_err(|error| wrong(number, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        rows.push(serde_json::from_str(&line).map_err(|error| wrong(number, &error))?);
    }
    Ok(rows)
}
