//! Which repository a folder belongs to, by the rules with which git accepts one.
//!
//! | `.git` | accepted |
//! | --- | --- |
//! | a folder | with `HEAD`, `objects` and `refs`; otherwise git looks in the folders above |
//! | a file, worktree | the folder it names is listed in `worktrees` of a repository and names this file |
//! | a file, submodule | the folder it names is in `modules` of the repository above and names this folder |
//! | a file, separate folder of git | that folder lies elsewhere and names this folder by an absolute path |
//! | anything else | never |
//!
//! So a `.git` file in an archive cannot claim another repository: the repository that it names must name it as well.
//! As for git, all of it belongs to the user, unless `safe.directory` names the folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_config::{GitConfig, text_of};
use hindlore_config::Links;

/// A repository that git would accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Repository {
    /// The folder of git that all worktrees share.
    pub(super) common: PathBuf,
    /// The folder of git of this worktree.
    own: PathBuf,
}

/// The repository of a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A repository.
    Repository(Repository),
    /// Something that looks like a repository in this folder, and that git would not accept.
    Refused(PathBuf),
    /// No repository.
    Nothing,
}

/// The kind of `.git` in one folder.
enum Look {
    Nothing,
    /// No folder of git; git continues above.
    NoRepository,
    /// Git stops here with an error.
    Refused,
    Repository(Repository),
}

impl Repository {
    /// The folder with the files of the main worktree; of a bare repository the folder of git.
    pub(super) fn main_folder(&self) -> &Path {
        match (self.common.file_name(), self.common.parent()) {
            (Some(name), Some(parent)) if name == ".git" => parent,
            _ => &self.common,
        }
    }
}

/// Finds the repository of a folder.
pub(super) fn find(folder: &Path, user: &GitConfig) -> Found {
    let folder = canonical(folder).unwrap_or_else(|| folder.to_owned());
    let mut refused = None;
    for root in folder.ancestors() {
        match look(root, user) {
            Look::Nothing => {}
            Look::NoRepository => {
                refused.get_or_insert(root);
            }
            Look::Refused => return Found::Refused(root.to_owned()),
            Look::Repository(repository) => return Found::Repository(repository),
        }
    }
    match refused {
        Some(root) => Found::Refused(root.to_owned()),
        None => Found::Nothing,
    }
}

fn look(root: &Path, user: &GitConfig) -> Look {
    let git = root.join(".git");
    let Ok(about) = fs::symlink_metadata(&git) else {
        return Look::Nothing;
    };
    let repository = if about.is_dir() {
        if !is_git_folder(&git) || exists(&git.join("commondir")) {
            return Look::NoRepository;
        }
        Some(Repository {
            common: git.clone(),
            own: git.clone(),
        })
    } else if about.is_file() {
        named_by(root, &git, user)
    } else {
        None
    };
    match repository {
        Some(found) if is_trusted(&[root, &git, &found.own, &found.common], user) => {
            Look::Repository(found)
        }
        _ => Look::Refused,
    }
}

/// The repository that a `.git` file names.
fn named_by(root: &Path, file: &Path, user: &GitConfig) -> Option<Repository> {
    let text = read(file)?;
    let named = text.strip_prefix("gitdir:")?.trim();
    let own = canonical(&root.join(named))?;
    let common = if exists(&own.join("commondir")) {
        worktree_of(root, file, &own)?
    } else {
        let names_root =
            is_git_folder(&own) && worktree_named_by(&own).is_some_and(|it| it.0 == root);
        let is_accepted = names_root && (is_module(root, &own, user) || is_separate(root, &own));
        is_accepted.then(|| own.clone())?
    };
    Some(Repository { common, own })
}

/// The shared folder of git of a worktree that it knows.
fn worktree_of(root: &Path, file: &Path, own: &Path) -> Option<PathBuf> {
    let common = canonical(&own.join(read(&own.join("commondir"))?.trim()))?;
    let back = canonical(&own.join(read(&own.join("gitdir"))?.trim()))?;
    let is_listed = own.parent() == Some(&common.join("worktrees"));
    let is_known = is_listed && has_head(own) && canonical(file) == Some(back);
    // Git keeps no repository inside its own worktree; an archive could.
    (is_known && is_git_folder(&common) && !common.starts_with(root)).then_some(common)
}

/// The folder that `core.worktree` names, and whether its path is absolute.
fn worktree_named_by(own: &Path) -> Option<(PathBuf, bool)> {
    let config = GitConfig::of_repository(own);
    let named = Path::new(config.worktree()?);
    Some((canonical(&own.join(named))?, named.is_absolute()))
}

/// True for a folder of git that the repository above keeps for its submodule.
fn is_module(root: &Path, own: &Path, user: &GitConfig) -> bool {
    let above = root.ancestors().skip(1);
    let found = above
        .map(|folder| look(folder, user))
        .find(|look| !matches!(look, Look::Nothing));
    match found {
        Some(Look::Repository(above)) => own.starts_with(above.own.join("modules")),
        _ => false,
    }
}

/// True for a folder of git elsewhere. An archive does not know the absolute path to which it is unpacked.
fn is_separate(root: &Path, own: &Path) -> bool {
    !own.starts_with(root) && worktree_named_by(own).is_some_and(|(_, is_absolute)| is_absolute)
}

fn is_git_folder(git: &Path) -> bool {
    let is_folder = |name| fs::symlink_metadata(git.join(name)).is_ok_and(|about| about.is_dir());
    has_head(git) && is_folder("objects") && is_folder("refs")
}

fn has_head(git: &Path) -> bool {
    let Some(head) = read(&git.join("HEAD")) else {
        return false;
    };
    let head = head.trim_end();
    match head.strip_prefix("ref:") {
        Some(branch) => branch.trim_start().starts_with("refs/"),
        None => head.len() >= 40 && head.bytes().all(|digit| digit.is_ascii_hexdigit()),
    }
}

fn read(file: &Path) -> Option<String> {
    text_of(file, Links::Refuse)
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn canonical(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// True if all of it belongs to the user, or the user trusts the folder.
#[cfg(unix)]
fn is_trusted(paths: &[&Path], user: &GitConfig) -> bool {
    use std::os::unix::fs::MetadataExt;

    let own = rustix::process::geteuid().as_raw();
    // As for git: root by `sudo` works in the folders of the user who called it.
    let caller: Option<u32> = std::env::var("SUDO_UID")
        .ok()
        .filter(|_| own == 0)
        .and_then(|id| id.parse().ok());
    let is_own = |path: &&Path| {
        let owner = fs::symlink_metadata(path).map(|about| about.uid());
        owner.is_ok_and(|owner| owner == own || Some(owner) == caller)
    };
    paths.iter().all(is_own) || paths.first().is_some_and(|root| user.trusts(root))
}

#[cfg(not(unix))]
fn is_trusted(_: &[&Path], _: &GitConfig) -> bool {
    true
}
