//! The files that an import reads: named files, and in a folder those with known names.

use std::fs;
use std::path::{Path, PathBuf};

use hindlore_api::problem::Problem;

/// Folders below a folder.
const DEPTH_MAX: usize = 12;

/// Files taken from a folder.
const FILES_MAX: usize = 2_000;

/// Names of files that hold rules or memories.
const NAMES: [&str; 20] = [
    "claude.md",
    "claude.local.md",
    "agents.md",
    "agent.md",
    "gemini.md",
    "copilot-instructions.md",
    "memory.md",
    "lessons.md",
    "lessons_learned.md",
    "learnings.md",
    "errors.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".goosehints",
    "memory.json",
    "memory.jsonl",
    "playbook.json",
    "skillbook.json",
    "ace_memory.json",
];

/// Endings of such names.
const ENDINGS: [&str; 4] = [".mdc", ".instructions.md", ".af", ".playbook"];

/// Folders whose Markdown files are all rules or notes.
const FOLDERS: [&str; 6] = [
    "memory-bank",
    ".learnings",
    "rules",
    ".clinerules",
    "instructions",
    "cheatsheets",
];

/// Hidden folders that agents keep rules in.
const HIDDEN: [&str; 8] = [
    ".claude",
    ".cursor",
    ".github",
    ".learnings",
    ".clinerules",
    ".windsurf",
    ".ace",
    ".memory",
];

/// Folders of code and packages that others wrote.
const FOREIGN: [&str; 8] = [
    "node_modules",
    "target",
    "vendor",
    "dist",
    "build",
    "venv",
    "site-packages",
    "__pycache__",
];

/// Files to read, and files that were not taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sources {
    /// In order.
    pub(super) files: Vec<PathBuf>,
    /// Not taken, with the reason.
    pub(super) skipped: Vec<(PathBuf, String)>,
    /// True if a folder was named: then a file that cannot be read costs only itself.
    pub(super) is_folder: bool,
}

/// Finds the files that were named, in folders too.
///
/// # Errors
///
/// `nothing_to_import` for a folder without any such file.
pub(super) fn find(named: &[PathBuf]) -> Result<Sources, Problem> {
    let mut found = Sources::default();
    for path in named {
        if path.as_os_str() != "-" && path.is_dir() {
            found.is_folder = true;
            of_folder(path, &mut found)?;
        } else {
            found.files.push(path.clone());
        }
    }
    Ok(found)
}

fn of_folder(folder: &Path, found: &mut Sources) -> Result<(), Problem> {
    let before = found.files.len();
    let mut others = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) => {
                found
                    .skipped
                    .push((path, format!("cannot be read: {error}")));
                continue;
            }
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        let mut folders = Vec::new();
        for path in paths {
            // A link may lead out of the folder, or round in it.
            let Ok(about) = fs::symlink_metadata(&path) else {
                continue;
            };
            if about.is_dir() && depth < DEPTH_MAX && is_own(&path) {
                folders.push((path, depth + 1));
            } else if about.is_file() && is_rule(&path) {
                found.files.push(path);
            } else if about.is_file() && is_markdown(&path) {
                others.push(path);
            }
        }
        open.extend(folders.into_iter().rev());
    }
    // A folder without such names is a folder of notes.
    if found.files.len() == before {
        found.files.append(&mut others);
    }
    let reason = "its name is not one that rules are kept under; name the file to import it";
    found
        .skipped
        .extend(others.into_iter().map(|path| (path, reason.to_owned())));
    if found.files.len() == before {
        let message = format!("there is nothing to import in `{}`", folder.display());
        return Err(Problem::new("nothing_to_import", message).with_hint(
            "name the files themselves; `import --formats` shows which files are read",
        ));
    }
    if found.files.len() - before > FILES_MAX {
        let message = format!("`{}` has more than {FILES_MAX} files", folder.display());
        return Err(Problem::new("too_many_files", message).with_hint("name a folder in it"));
    }
    Ok(())
}

/// The name of a path in lower case.
fn name_of(path: &Path) -> String {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_lowercase());
    name.unwrap_or_default()
}

/// True for a folder that may hold rules of this project.
fn is_own(folder: &Path) -> bool {
    let name = name_of(folder);
    let is_hidden = name.starts_with('.') && !HIDDEN.contains(&name.as_str());
    !is_hidden && !FOREIGN.contains(&name.as_str())
}

fn is_markdown(path: &Path) -> bool {
    name_of(path).ends_with(".md")
}

fn is_rule(path: &Path) -> bool {
    let name = name_of(path);
    let is_named =
        NAMES.contains(&name.as_str()) || ENDINGS.iter().any(|ending| name.ends_with(ending));
    let folder = path.parent().map(name_of).unwrap_or_default();
    is_named || (is_markdown(path) && FOLDERS.contains(&folder.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, names: &[&str]) {
        for name in names {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "- x\n").unwrap();
        }
    }

    fn names(root: &Path, paths: impl Iterator<Item = PathBuf>) -> Vec<String> {
        let inner = paths.map(|path| {
            path.strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .into_owned()
        });
        inner.collect()
    }

    #[test]
    fn a_folder_gives_its_rules_and_tells_of_other_markdown() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(
            root,
            &[
                "CLAUDE.md",
                "README.md",
                "src/main.rs",
                ".cursor/rules/a.mdc",
                ".git/AGENTS.md",
                "node_modules/x/AGENTS.md",
                "memory-bank/notes.md",
                "docs/AGENTS.md",
            ],
        );
        let found = find(&[root.to_owned()]).unwrap();
        assert_eq!(
            names(root, found.files.into_iter()),
            [
                "CLAUDE.md",
                ".cursor/rules/a.mdc",
                "docs/AGENTS.md",
                "memory-bank/notes.md"
            ]
        );
        let skipped = found.skipped.into_iter().map(|(path, _)| path);
        assert_eq!(names(root, skipped), ["README.md"]);
    }

    #[test]
    fn a_folder_of_notes_gives_all_of_them_and_an_empty_one_is_refused() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &["a.md", "b/c.md"]);
        assert_eq!(find(&[root.path().to_owned()]).unwrap().files.len(), 2);
        let empty = tempfile::tempdir().unwrap();
        let problem = find(&[empty.path().to_owned()]).unwrap_err();
        assert_eq!(problem.code, "nothing_to_import");
        let file = PathBuf::from("not/there.md");
        let named = [file];
        assert_eq!(find(&named).unwrap().files, named);
    }
}
