//! The repository of a folder, as the name of a scope: lessons learned there are recalled there.
//!
//! The name is the address of the remote without credentials, so that clones on all machines share it; a repository
//! without one has the path of its main folder, which all its worktrees share. A name opens a memory, so a folder has
//! one only where git itself would accept the repository (`layout`). Git is not run: a hook has milliseconds. All files
//! are untrusted: they are read as regular files of a bounded size, and no link leads out of the repository.
//!
//! An archive that contains a complete `.git` folder cannot be distinguished from a clone, for git neither.

mod address;
mod git_config;
mod layout;

use std::path::{Path, PathBuf};

use hindlore_config::{Origin, Settings};
use hindlore_primitives::identity::{content_name, parse_name};

use git_config::GitConfig;
use layout::{Found, Repository};

/// Variables in which a runtime names the folder of the project. It stays the same when the agent moves to another
/// folder; several runtimes also set the first one.
const PROJECT_VARIABLES: [&str; 7] = [
    "CLAUDE_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "QODER_PROJECT_DIR",
    "WINDSURF_PROJECT_DIR",
    "KIRO_PROJECT_DIR",
    "TRAE_PROJECT_DIR",
];

/// Sets the scope of the project of the current folder, unless one is given.
pub(crate) fn infer_scope(settings: &mut Settings) {
    if settings.is_given("scope") {
        return;
    }
    let folders = Vec::from_iter(std::env::current_dir());
    if let Some(scope) = scope_of_project(&folders) {
        settings.infer_scope(scope);
    }
}

/// True if questions are also answered from the scopes that hold everywhere. A scope that is named is searched alone.
pub(crate) fn recalls_everywhere(settings: &Settings) -> bool {
    settings.switch("recall_everywhere") && settings.origin("scope") == Origin::Repository
}

/// Returns the scope of the project that a runtime works on: of the folder in its variables, else of the first of
/// `folders` that is in a repository. Absent outside any repository.
pub(crate) fn scope_of_project(folders: &[PathBuf]) -> Option<String> {
    let user = GitConfig::of_user();
    let named = PROJECT_VARIABLES.iter().find_map(|variable| {
        let folder = PathBuf::from(std::env::var_os(variable)?);
        folder.is_absolute().then_some(folder)
    });
    match named {
        Some(folder) => scope_with(&folder, &user),
        None => folders.iter().find_map(|folder| scope_with(folder, &user)),
    }
}

/// The scope of a folder. Files in the form of a repository that git would refuse are of no trust, so that they get a
/// memory of their own.
fn scope_with(folder: &Path, user: &GitConfig) -> Option<String> {
    let name = match layout::find(folder, user) {
        Found::Repository(repository) => name_of(&repository, user),
        Found::Refused(root) => root.to_string_lossy().into_owned(),
        Found::Nothing => return None,
    };
    let parsed = parse_name("scope", &name);
    Some(parsed.unwrap_or_else(|_| content_name("folder-", name.as_bytes())))
}

fn name_of(repository: &Repository, user: &GitConfig) -> String {
    let main = repository.main_folder();
    let config = GitConfig::of_repository(&repository.common);
    let url = config.remote_url().map(|url| {
        let rules = user.instead_of().chain(config.instead_of());
        git_config::rewritten(url, rules)
    });
    url.and_then(|url| address::name(&url, main))
        .unwrap_or_else(|| main.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests;
