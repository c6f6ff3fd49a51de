//! Settings of git, as far as they decide the name of a repository: remotes, rewritten addresses, trusted folders.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hindlore_config::{Links, read_regular_file};

/// Maximum size of a file of settings in bytes.
const FILE_MAX: u64 = 1 << 20;
/// Maximum number of files that one file includes, directly or not.
const INCLUDES_MAX: usize = 10;

/// The entries of one or more files, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct GitConfig {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    section: String,
    subsection: Option<String>,
    key: String,
    value: String,
}

impl GitConfig {
    /// The settings of the machine and of the user.
    pub(super) fn of_user() -> Self {
        let home = env::var_os("HOME").map(PathBuf::from);
        let mut config = Self::default();
        for file in user_files(|name| env::var_os(name).filter(|value| !value.is_empty())) {
            config.read_with_includes(file, home.as_deref());
        }
        config
    }

    /// The settings in a folder of git, which may name no other files.
    pub(super) fn of_repository(common: &Path) -> Self {
        let text = text_of(&common.join("config"), Links::Refuse).unwrap_or_default();
        Self::parse(&text)
    }

    fn read_with_includes(&mut self, first: PathBuf, home: Option<&Path>) {
        let mut files = vec![first];
        let mut at = 0;
        while let Some(file) = files.get(at).cloned() {
            let text = text_of(&file, Links::Follow).unwrap_or_default();
            let read = Self::parse(&text);
            for path in read.values("include", None, "path") {
                let path = match (path.strip_prefix("~/"), home) {
                    (Some(rest), Some(home)) => home.join(rest),
                    _ => file.parent().unwrap_or(Path::new("/")).join(path),
                };
                if files.len() <= INCLUDES_MAX && !files.contains(&path) {
                    files.push(path);
                }
            }
            self.entries.extend(read.entries);
            at += 1;
        }
    }

    #[cfg(test)]
    pub(super) fn of_text(text: &str) -> Self {
        Self::parse(text)
    }

    fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let mut heading = (String::new(), None);
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        while let Some(line) = lines.next() {
            let mut line = line.trim();
            if let Some((found, rest)) = heading_of(line) {
                heading = found;
                line = rest.trim_start();
            }
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            let mut value = value.to_owned();
            while goes_on(&value) {
                value.pop();
                value.push_str(lines.next().unwrap_or_default());
            }
            entries.push(Entry {
                section: heading.0.clone(),
                subsection: heading.1.clone(),
                key: key.trim().to_ascii_lowercase(),
                value: unquoted(&value),
            });
        }
        Self { entries }
    }

    fn values<'c>(
        &'c self,
        section: &str,
        subsection: Option<&str>,
        key: &str,
    ) -> impl Iterator<Item = &'c str> {
        let is_meant = move |entry: &&Entry| {
            entry.section == section
                && entry.subsection.as_deref() == subsection
                && entry.key == key
        };
        self.entries
            .iter()
            .filter(is_meant)
            .map(|entry| entry.value.as_str())
    }

    /// The address of the remote `origin`, or of the only remote.
    pub(super) fn remote_url(&self) -> Option<&str> {
        let mut urls = self
            .entries
            .iter()
            .filter(|entry| entry.section == "remote" && entry.key == "url");
        let first = urls.next()?;
        let origin = self.values("remote", Some("origin"), "url").next();
        let is_only = urls.all(|other| other.subsection == first.subsection);
        origin.or(is_only.then_some(first.value.as_str()))
    }

    /// The folder that the settings name as the one with the files.
    pub(super) fn worktree(&self) -> Option<&str> {
        self.values("core", None, "worktree").last()
    }

    /// Rules that rewrite the beginning of an address: the new beginning and the old one.
    pub(super) fn instead_of(&self) -> impl Iterator<Item = (&str, &str)> {
        let rules = self
            .entries
            .iter()
            .filter(|entry| entry.section == "url" && entry.key == "insteadof");
        rules.filter_map(|entry| Some((entry.subsection.as_deref()?, entry.value.as_str())))
    }

    /// True if the user trusts a folder that belongs to another user.
    pub(super) fn trusts(&self, folder: &Path) -> bool {
        let mut is_trusted = false;
        for named in self.values("safe", None, "directory") {
            is_trusted = match named.strip_suffix("/*") {
                _ if named.is_empty() => false,
                _ if named == "*" => true,
                Some(above) => is_trusted || folder.starts_with(above),
                None => is_trusted || folder == Path::new(named),
            };
        }
        is_trusted
    }
}

/// Rewrites an address by the rule with the longest beginning, as git does.
pub(super) fn rewritten<'r>(url: &str, rules: impl Iterator<Item = (&'r str, &'r str)>) -> String {
    let fitting = rules.filter(|(_, old)| !old.is_empty() && url.starts_with(old));
    match fitting.max_by_key(|(_, old)| old.len()) {
        Some((new, old)) => format!("{new}{}", &url[old.len()..]),
        None => url.to_owned(),
    }
}

/// The files in which git looks, in its order.
fn user_files(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let path = |name: &str| variable(name).map(PathBuf::from);
    let mut files = Vec::new();
    if variable("GIT_CONFIG_NOSYSTEM").is_none() {
        files.push(path("GIT_CONFIG_SYSTEM").unwrap_or_else(|| PathBuf::from("/etc/gitconfig")));
    }
    if let Some(file) = path("GIT_CONFIG_GLOBAL") {
        files.push(file);
        return files;
    }
    let home = path("HOME");
    let folder = path("XDG_CONFIG_HOME").or(home.as_ref().map(|home| home.join(".config")));
    files.extend(folder.map(|folder| folder.join("git/config")));
    files.extend(home.map(|home| home.join(".gitconfig")));
    files
}

pub(super) fn text_of(file: &Path, links: Links) -> Option<String> {
    let bytes = read_regular_file(file, FILE_MAX, links).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The heading of a section at the beginning of a line, and the rest of the line.
fn heading_of(line: &str) -> Option<((String, Option<String>), &str)> {
    let inner = line.strip_prefix('[')?;
    let Some((section, quoted)) = inner.split_once('"') else {
        let (section, rest) = inner.split_once(']')?;
        // The older form: the part after the point.
        let (section, subsection) = match section.split_once('.') {
            Some((section, subsection)) => (section, Some(subsection.to_ascii_lowercase())),
            None => (section, None),
        };
        return Some(((section.trim().to_ascii_lowercase(), subsection), rest));
    };
    if let Some((section, rest)) = section.split_once(']') {
        // The quote belongs to a value in the same line.
        let rest = &line[line.len() - quoted.len() - 1 - rest.len()..];
        return Some(((section.trim().to_ascii_lowercase(), None), rest));
    }
    let mut subsection = String::new();
    let mut signs = quoted.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => {
                let rest = quoted[at + 1..].trim_start().strip_prefix(']')?;
                let section = section.trim().to_ascii_lowercase();
                return Some(((section, Some(subsection)), rest));
            }
            '\\' => subsection.push(signs.next()?.1),
            sign => subsection.push(sign),
        }
    }
    None
}

/// True for a value that the next line continues.
fn goes_on(value: &str) -> bool {
    let slashes = value.len() - value.trim_end_matches('\\').len();
    slashes % 2 == 1
}

/// A value without quotes, escapes and the comment after it.
fn unquoted(raw: &str) -> String {
    let mut value = String::new();
    let mut is_quoted = false;
    // Blanks at the end belong to the value only inside quotes.
    let mut kept = 0;
    let mut signs = raw.trim_start().chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => is_quoted = !is_quoted,
            '#' | ';' if !is_quoted => break,
            '\\' => match signs.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(other) => value.push(other),
                None => {}
            },
            sign => value.push(sign),
        }
        if is_quoted || !sign.is_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_writes_them() {
        let text = "\u{feff}; a comment\n[core]\n\tbare = false\n[remote \"up\\\"x\"] url = \"a # b\" ; c\n[Remote \"origin\"]\n\
             \tfetch = +refs/*\n  URL = ssh://host/\\\n  long/path # where it is\n[url \"git@host:\"]\n\tinsteadOf = gh:\n[old.Sub]\nk = v\n[x] y = \"z\"\n";
        let config = GitConfig::parse(text);
        assert_eq!(config.remote_url(), Some("ssh://host/  long/path"));
        assert_eq!(
            config.values("remote", Some("up\"x"), "url").next(),
            Some("a # b")
        );
        assert_eq!(
            config.instead_of().collect::<Vec<_>>(),
            [("git@host:", "gh:")]
        );
        assert_eq!(config.values("old", Some("sub"), "k").next(), Some("v"));
        assert_eq!(config.values("x", None, "y").next(), Some("z"));
        let several = GitConfig::parse("[remote \"a\"]\nurl=1\n[remote \"b\"]\nurl=2\n");
        assert_eq!(several.remote_url(), None);
        let only = GitConfig::parse("[remote \"a\"]\nurl=1\nurl=2\n");
        assert_eq!(only.remote_url(), Some("1"));
    }

    #[test]
    fn the_longest_rule_rewrites() {
        let rules = [("https://x/", "gh:"), ("https://y/", "gh:team/"), ("z", "")];
        let with = |url| rewritten(url, rules.into_iter());
        assert_eq!(with("gh:a/b"), "https://x/a/b");
        assert_eq!(with("gh:team/b"), "https://y/b");
        assert_eq!(with("other:a"), "other:a");
    }

    #[test]
    fn the_users_files_are_those_of_git() {
        let with = |given: &[(&str, &str)]| {
            let files = user_files(|name| {
                let found = given.iter().find(|(given, _)| *given == name);
                found.map(|(_, value)| OsString::from(value))
            });
            files
                .iter()
                .map(|file| file.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            with(&[("HOME", "/h")]),
            ["/etc/gitconfig", "/h/.config/git/config", "/h/.gitconfig"]
        );
        let moved = [
            ("HOME", "/h"),
            ("XDG_CONFIG_HOME", "/x"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ];
        assert_eq!(with(&moved), ["/x/git/config", "/h/.gitconfig"]);
        let one = [
            ("HOME", "/h"),
            ("GIT_CONFIG_GLOBAL", "/g"),
            ("GIT_CONFIG_SYSTEM", "/s"),
        ];
        assert_eq!(with(&one), ["/s", "/g"]);
    }

    #[test]
    fn trust_is_for_named_folders() {
        let config = GitConfig::parse("[safe]\ndirectory = /a\ndirectory = /b/*\n");
        let trusts = |folder| config.trusts(Path::new(folder));
        assert!(trusts("/a") && trusts("/b/c") && !trusts("/c") && !trusts("/a/b"));
        assert!(!GitConfig::parse("[safe]\ndirectory = *\ndirectory =\n").trusts(Path::new("/a")));
    }
}
