//! Folders as git makes them, and folders as an archive may hold them.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_config::GitConfig;
use super::scope_with;

const ORIGIN: &str = "[remote \"origin\"]\n\turl = git@host.example:a/b.git\n";
const NAME: &str = "host.example/a/b";

/// A folder that is removed at the end, and its path without links.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    Place {
        _folder: folder,
        path,
    }
}

impl Place {
    fn at(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A folder of git.
    fn git(&self, path: &str, config: &str) {
        self.write(&format!("{path}/HEAD"), "ref: refs/heads/main\n");
        self.write(&format!("{path}/config"), config);
        fs::create_dir_all(self.at(path).join("objects")).unwrap();
        fs::create_dir_all(self.at(path).join("refs/heads")).unwrap();
    }

    /// A worktree `tree` of the repository `main`.
    fn worktree(&self, main: &str, tree: &str) {
        let own = format!("{main}/.git/worktrees/w");
        self.write(&format!("{own}/HEAD"), "ref: refs/heads/w\n");
        self.write(&format!("{own}/commondir"), "../..\n");
        let (file, named) = (self.at(tree).join(".git"), self.at(&own));
        self.write(&format!("{own}/gitdir"), &format!("{}\n", file.display()));
        let named = format!("gitdir: {}\n", named.display());
        self.write(&format!("{tree}/.git"), &named);
    }

    fn scope(&self, path: &str) -> String {
        self.scope_of(&self.at(path))
    }

    fn scope_of(&self, path: &Path) -> String {
        scope_with(path, &GitConfig::default()).unwrap_or_default()
    }

    fn path_of(&self, path: &str) -> String {
        self.at(path).to_string_lossy().into_owned()
    }
}

#[test]
fn folders_below_the_root_and_worktrees_have_the_scope_of_the_repository() {
    let place = place();
    place.git("repo/.git", ORIGIN);
    fs::create_dir_all(place.at("repo/src/deep")).unwrap();
    place.worktree("repo", "tree");
    for folder in ["repo", "repo/src/deep", "tree", "repo/../tree"] {
        assert_eq!(place.scope(folder), NAME, "{folder}");
    }
    place.git("alone/.git", "[core]\n\tbare = false\n");
    place.worktree("alone", "alone-tree");
    for folder in ["alone", "alone-tree"] {
        assert_eq!(place.scope(folder), place.path_of("alone"), "{folder}");
    }
    assert_eq!(place.scope("none"), "");
}

#[test]
fn submodules_and_separate_folders_of_git_are_accepted_where_they_are_known() {
    let place = place();
    place.git("repo/.git", ORIGIN);
    let module = "[core]\n\tworktree = ../../../lib\n[remote \"origin\"]\n\turl = https://host.example/lib\n";
    place.git("repo/.git/modules/lib", module);
    place.write("repo/lib/.git", "gitdir: ../.git/modules/lib\n");
    assert_eq!(place.scope("repo/lib"), "host.example/lib");
    let config = format!("[core]\n\tworktree = {}\n{ORIGIN}", place.path_of("files"));
    place.git("elsewhere.git", &config);
    let named = format!("gitdir: {}\n", place.path_of("elsewhere.git"));
    place.write("files/.git", &named);
    assert_eq!(place.scope("files"), NAME);
    // The same folder of git, named by a folder that it does not name.
    place.write("thief/.git", &named);
    assert_eq!(place.scope("thief"), place.path_of("thief"));
}

#[test]
fn an_archive_cannot_claim_a_repository_by_a_file() {
    let place = place();
    // A folder of git next to the file, with and without a path back.
    place.git("one/meta", ORIGIN);
    place.write("one/.git", "gitdir: meta\n");
    let back = format!("[core]\n\tworktree = ..\n{ORIGIN}");
    place.git("two/meta", &back);
    place.write("two/.git", "gitdir: meta\n");
    place.git("three/meta", &back.replace("..", "../files"));
    place.write("three/files/.git", "gitdir: ../meta\n");
    // A worktree whose repository lies inside it.
    place.git("four/meta", ORIGIN);
    place.write("four/meta/worktrees/w/HEAD", "ref: refs/heads/w\n");
    place.write("four/meta/worktrees/w/commondir", "../..\n");
    place.write("four/meta/worktrees/w/gitdir", "../../../.git\n");
    place.write("four/.git", "gitdir: meta/worktrees/w\n");
    // A repository of the user's that knows nothing of it.
    place.git("repo/.git", ORIGIN);
    place.write("five/.git", "gitdir: ../repo/.git\n");
    place.worktree("repo", "tree");
    let taken = fs::read_to_string(place.at("tree/.git")).unwrap();
    place.write("six/.git", &taken);
    place.write("seven/.git", "no address");
    // Not all that git requires.
    place.write("eight/.git/config", ORIGIN);
    place.git("nine/.git", ORIGIN);
    place.write("nine/.git/commondir", "../../repo/.git\n");
    for folder in [
        "one",
        "two",
        "three/files",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
    ] {
        assert_eq!(place.scope(folder), place.path_of(folder), "{folder}");
    }
    // Git looks further up where a folder is none of its own.
    place.write("repo/unpacked/.git/config", ORIGIN);
    assert_eq!(place.scope("repo/unpacked"), NAME);
}

#[cfg(unix)]
#[test]
fn special_files_and_links_are_not_read() {
    use std::os::unix::fs::symlink;
    let place = place();
    let pipe = |path: &str| {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let fifo = rustix::fs::FileType::Fifo;
        let _ = fs::remove_file(place.at(path));
        rustix::fs::mknodat(rustix::fs::CWD, place.at(path), fifo, mode, 0).unwrap();
    };
    for (folder, file) in [("a", "config"), ("b", "HEAD")] {
        place.git(&format!("{folder}/.git"), ORIGIN);
        pipe(&format!("{folder}/.git/{file}"));
    }
    fs::create_dir_all(place.at("c")).unwrap();
    pipe("c/.git");
    place.git("d/.git", ORIGIN);
    fs::remove_file(place.at("d/.git/config")).unwrap();
    symlink("/dev/zero", place.at("d/.git/config")).unwrap();
    place.git("repo/.git", ORIGIN);
    fs::create_dir_all(place.at("e")).unwrap();
    symlink(place.at("repo/.git"), place.at("e/.git")).unwrap();
    place.git("f/.git", ORIGIN);
    fs::remove_file(place.at("f/.git/config")).unwrap();
    symlink(place.at("repo/.git/config"), place.at("f/.git/config")).unwrap();
    for folder in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(place.scope(folder), place.path_of(folder), "{folder}");
    }
    // A link to the folder itself is that folder.
    place.git("alone/.git", "");
    symlink(place.at("alone"), place.at("link")).unwrap();
    assert_eq!(place.scope("link"), place.path_of("alone"));
}

#[test]
fn rewritten_and_local_addresses_have_one_scope() {
    let place = place();
    let remote = |url: &str| format!("[remote \"origin\"]\n\turl = {url}\n");
    let rule = "[url \"git@host.example:\"]\n\tinsteadOf = gh:\n";
    place.git("own/.git", &format!("{}{rule}", remote("gh:a/b")));
    assert_eq!(place.scope("own"), NAME);
    place.git("other/.git", &remote("gh:a/b"));
    let user = GitConfig::of_text(rule);
    assert_eq!(scope_with(&place.at("other"), &user).as_deref(), Some(NAME));
    place.git("source/.git", "");
    place.git("clone/.git", &remote("../source"));
    place.git(
        "clone2/.git",
        &remote(&format!("file://{}/.git", place.path_of("source"))),
    );
    for folder in ["source", "clone", "clone2"] {
        assert_eq!(place.scope(folder), place.path_of("source"), "{folder}");
    }
}
