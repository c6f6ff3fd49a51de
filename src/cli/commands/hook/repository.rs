//! The repository that an agent works in, as the name of a scope: what is learned there is recalled there.
//!
//! The name is the address of the remote `origin` without credentials, so that clones on all machines share it; a
//! folder without one goes by its path. Git itself is not run: a hook has milliseconds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::domain::identity::{content_name, parse_name};

/// Largest file of git read, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// The scope for a folder.
pub(crate) fn scope_of(folder: &str) -> String {
    let folder = Path::new(folder);
    let found = folder.ancestors().find(|one| one.join(".git").exists());
    let name = match found {
        Some(root) => remote_of(root).unwrap_or_else(|| root.to_string_lossy().into_owned()),
        None => folder.to_string_lossy().into_owned(),
    };
    parse_name("scope", &name).unwrap_or_else(|_| content_name("folder-", name.as_bytes()))
}

fn remote_of(root: &Path) -> Option<String> {
    let config = read(&git_folder(root)?.join("config"))?;
    let mut in_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            in_origin = line == "[remote \"origin\"]";
        } else if in_origin
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "url"
        {
            return Some(plain(value.trim())).filter(|name| !name.is_empty());
        }
    }
    None
}

/// The folder of git that holds `config`: of a worktree or a submodule `.git` is a file that names it.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let named = read(&git)?;
    let named = root.join(named.trim().strip_prefix("gitdir:")?.trim());
    let common = read(&named.join("commondir"));
    Some(common.map_or_else(|| named.clone(), |common| named.join(common.trim())))
}

fn read(file: &Path) -> Option<String> {
    let small = fs::metadata(file)
        .ok()
        .filter(|about| about.len() <= FILE_MAX);
    small.and_then(|_| fs::read_to_string(file).ok())
}

/// `https://user:secret@Host.example/a/b.git` and `git@host.example:a/b` are both `host.example/a/b`.
fn plain(url: &str) -> String {
    let (rest, has_scheme) = url
        .split_once("://")
        .map_or((url, false), |(_, rest)| (rest, true));
    // What is asked of an address may hold a token.
    let rest = if has_scheme {
        rest.split(['?', '#']).next().unwrap_or(rest)
    } else {
        rest
    };
    let (host, path) = match (has_scheme, rest.split_once(':')) {
        // The short form of ssh: host, colon, path.
        (false, Some((host, path))) if !host.contains('/') => (host, path),
        _ => rest.split_once('/').unwrap_or((rest, "")),
    };
    let host = host
        .rsplit_once('@')
        .map_or(host, |(_, host)| host)
        .to_lowercase();
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    if path.is_empty() {
        host
    } else {
        format!("{host}/{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_name_and_no_credentials() {
        for (url, name) in [
            ("https://github.com/a/b.git", "github.com/a/b"),
            ("https://user:secret@GitHub.com/a/b", "github.com/a/b"),
            (
                "https://github.com/a/b.git?private_token=x1#y",
                "github.com/a/b",
            ),
            ("git@github.com:a/b.git", "github.com/a/b"),
            ("ssh://git@github.com/a/b/", "github.com/a/b"),
            ("ssh://git@host.example:2222/a/b", "host.example:2222/a/b"),
            ("/srv/git/a.git", "/srv/git/a"),
        ] {
            assert_eq!(
                plain(url).trim_start_matches('/'),
                name.trim_start_matches('/'),
                "{url}"
            );
        }
    }

    #[test]
    fn folders_below_the_root_and_worktrees_are_the_same_scope() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("repo");
        fs::create_dir_all(root.join(".git/worktrees/w")).unwrap();
        fs::create_dir_all(root.join("src/deep")).unwrap();
        let config =
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@host.example:a/b.git\n";
        fs::write(root.join(".git/config"), config).unwrap();
        let tree = place.path().join("tree");
        fs::create_dir_all(&tree).unwrap();
        fs::write(root.join(".git/worktrees/w/commondir"), "../..\n").unwrap();
        fs::write(
            tree.join(".git"),
            format!("gitdir: {}\n", root.join(".git/worktrees/w").display()),
        )
        .unwrap();
        for folder in [root.clone(), root.join("src/deep"), tree] {
            assert_eq!(
                scope_of(folder.to_str().unwrap()),
                "host.example/a/b",
                "{folder:?}"
            );
        }
        let apart = place.path().join("apart");
        assert_eq!(scope_of(apart.to_str().unwrap()), apart.to_str().unwrap());
    }
}
