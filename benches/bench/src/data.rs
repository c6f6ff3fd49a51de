//! Data files: JSON, one object a line, plain or compressed with gzip.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::EvalError;

/// The most that is read of one file, in bytes, after decompression.
const BYTES_MAX: u64 = 1 << 30;

/// Maximum bytes that are read to identify a file.
const FIRST_BYTES_MAX: u64 = 1 << 24;

/// Folders below the one named that are looked into.
const DEPTH: usize = 2;

/// Reads `name.jsonl.gz`, or else `name.jsonl`, from a folder.
pub(super) fn rows<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>, EvalError> {
    let packed = folder.join(format!("{name}.jsonl.gz"));
    if packed.is_file() {
        return of_file(&packed);
    }
    of_file(&folder.join(format!("{name}.jsonl")))
}

/// Returns true if a folder has such a file.
pub(super) fn has(folder: &Path, name: &str) -> bool {
    ["jsonl.gz", "jsonl"]
        .iter()
        .any(|end| folder.join(format!("{name}.{end}")).is_file())
}

/// The files in a folder and in the folders in it, or the single file, sorted.
pub(super) fn files(place: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let mut files = Vec::new();
    list(place, DEPTH, &mut files)?;
    files.sort();
    Ok(files)
}

fn list(place: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), EvalError> {
    if place.is_file() {
        files.push(place.to_path_buf());
        return Ok(());
    }
    let entries = fs::read_dir(place).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", place.display());
        EvalError::new(message, "name a folder with --data")
    })?;
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let is_folder = path.is_dir();
        if is_folder && depth > 0 {
            list(&path, depth - 1, files)?;
        } else if !is_folder {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads a file of JSON Lines; by its name it is compressed or not.
pub(super) fn of_file<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, EvalError> {
    parse(open(path)?, path)
}

/// The first object of a file of JSON Lines; absent for other files, by their name or their beginning.
pub(super) fn first_of_file(path: &Path) -> Result<Option<Map<String, Value>>, EvalError> {
    if stem(path).is_none() {
        return Ok(None);
    }
    let mut first = String::new();
    let mut reader = BufReader::new(open(path)?.take(FIRST_BYTES_MAX));
    // A file that is no text is none of these either.
    let is_text = reader.read_line(&mut first).is_ok();
    Ok(is_text.then(|| serde_json::from_str(&first).ok()).flatten())
}

/// The name of a file of JSON Lines without its endings; absent for other files.
pub(super) fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    plain.strip_suffix(".jsonl")
}

fn open(path: &Path) -> Result<Box<dyn Read>, EvalError> {
    let file = File::open(path).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", path.display());
        EvalError::new(message, "give a folder of the form that --help describes")
    })?;
    Ok(if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    })
}

/// Reads a file that is one JSON document.
pub(super) fn json<T: DeserializeOwned>(path: &Path) -> Result<T, EvalError> {
    let source = BufReader::new(open(path)?.take(BYTES_MAX));
    serde_json::from_reader(source).map_err(|error| {
        let message = format!("`{}`: {error}", path.display());
        EvalError::new(message, "give a file of the form that --help describes")
    })
}

/// Reads JSON Lines that are in process already; `name` is their name in errors.
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
