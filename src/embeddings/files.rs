//! Finds the files of a model below a folder, wherever packages put them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use hindlore_primitives::identity::name_of_source;

/// Folders that are looked into below the given one.
const DEPTH_MAX: usize = 6;
/// Entries that are looked at.
const ENTRIES_MAX: usize = 20_000;

/// The files of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFiles {
    /// The model.
    pub model: PathBuf,
    /// Its tokenizer.
    pub tokenizer: PathBuf,
    /// The shared library of ONNX Runtime.
    pub runtime: PathBuf,
    /// A name derived from the bytes of the model.
    pub name: String,
}

impl ModelFiles {
    /// Finds `model.onnx`, `tokenizer.json` and the shared library of ONNX Runtime below a folder.
    ///
    /// # Errors
    /// Which of them is missing.
    pub fn find(folder: &Path) -> Result<Self, String> {
        let files = below(folder);
        let one = |what: &str, is_it: &dyn Fn(&str) -> bool| {
            let is_named = |path: &&PathBuf| {
                let name = path.file_name().and_then(|name| name.to_str());
                name.is_some_and(is_it)
            };
            let found = files.iter().find(is_named);
            let missing = || format!("the folder `{}` has no {what}", folder.display());
            found.cloned().ok_or_else(missing)
        };
        let model = one("`model.onnx`", &|name| name == "model.onnx")?;
        let unreadable = |error| format!("`{}` cannot be read: {error}", model.display());
        let file = File::open(&model).map_err(unreadable)?;
        let (name, _) = name_of_source("onnx-", file).map_err(unreadable)?;
        Ok(Self {
            tokenizer: one("`tokenizer.json`", &|name| name == "tokenizer.json")?,
            runtime: one("shared library of ONNX Runtime", &is_runtime)?,
            model,
            name,
        })
    }
}

fn is_runtime(name: &str) -> bool {
    let names = [
        "libonnxruntime.so",
        "libonnxruntime.dylib",
        "onnxruntime.dll",
    ];
    let is_versioned = name
        .strip_prefix("libonnxruntime.")
        .is_some_and(|rest| rest.starts_with("so.") || rest.ends_with(".dylib"));
    names.contains(&name) || is_versioned
}

/// All files below a folder, in an order that does not depend on the file system.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), ENTRIES_MAX);
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.take(left).map(|entry| entry.path()).collect();
        left -= entries.len();
        entries.sort();
        for path in entries {
            if path.is_dir() && depth < DEPTH_MAX {
                folders.push((path, depth + 1));
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_where_packages_put_them_and_a_missing_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        };
        let find = || ModelFiles::find(folder.path());
        assert!(find().unwrap_err().contains("model.onnx"));
        put("a/model.onnx");
        put("a/other.onnx");
        assert!(find().unwrap_err().contains("tokenizer.json"));
        put("b/c/data/tokenizer.json");
        put("onnxruntime/capi/libonnxruntime_providers_shared.so");
        assert!(find().unwrap_err().contains("ONNX Runtime"));
        put("onnxruntime/capi/libonnxruntime.so.1.32.0");
        let found = find().unwrap();
        assert!(found.runtime.ends_with("capi/libonnxruntime.so.1.32.0"));
        assert!(found.model.ends_with("a/model.onnx") && found.name.starts_with("onnx-"));
    }
}
