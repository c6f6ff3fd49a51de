//! The address of a remote as a name: equal for every form of the same address, without credentials and queries.

use std::path::{Path, PathBuf};

/// Schemes of git, each with the port that it has anyway.
const PORTS: &[(&str, &str)] = &[
    ("ssh", "22"),
    ("git+ssh", "22"),
    ("ssh+git", "22"),
    ("https", "443"),
    ("http", "80"),
    ("git", "9418"),
    ("ftp", "21"),
    ("ftps", "990"),
];
/// Hosts that their owners also serve under a second name: for SSH through the port of HTTPS, and with `www`.
const HOSTS: &[(&str, &[&str])] = &[
    ("github.com", &["ssh.github.com", "www.github.com"]),
    ("gitlab.com", &["altssh.gitlab.com", "www.gitlab.com"]),
    (
        "bitbucket.org",
        &["altssh.bitbucket.org", "www.bitbucket.org"],
    ),
];
/// The port under which those hosts take SSH.
const PORT_OF_SECOND_HOSTS: &str = "443";

/// Returns the name of a remote. A relative path is one from `base`.
pub(super) fn name(url: &str, base: &Path) -> Option<String> {
    let url = without_helper(url.trim());
    let name = match url.split_once("://") {
        Some((scheme, path)) if scheme.eq_ignore_ascii_case("file") => local(Path::new(path), base),
        Some((scheme, rest)) => of_url(&scheme.to_ascii_lowercase(), rest),
        None => match short_form(url) {
            Some((host, path)) => joined(&host_name("ssh", host), path),
            None => local(Path::new(url), base),
        },
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Removes the name of a transport helper, as in `helper::https://host/path`.
fn without_helper(url: &str) -> &str {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|sign| sign.is_ascii_alphanumeric() || sign == '-')
    };
    match url.split_once("::") {
        Some((helper, rest)) if is_name(helper) => rest,
        _ => url,
    }
}

fn of_url(scheme: &str, rest: &str) -> String {
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    joined(&host_name(scheme, authority), path)
}

/// The short form of SSH: host, colon, path. A colon after a slash belongs to a path, and one letter before it is a drive.
fn short_form(url: &str) -> Option<(&str, &str)> {
    let end_of_host = match url.split_once('@') {
        Some((user, rest)) if rest.starts_with('[') && !user.contains('/') => {
            user.len() + 1 + rest.find(']')? + 1
        }
        _ if url.starts_with('[') => url.find(']')? + 1,
        _ => url.find(':')?,
    };
    let (host, rest) = url.split_at(end_of_host);
    let path = rest.strip_prefix(':')?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    (!host.contains('/') && host.len() > 1).then_some((host, path))
}

/// A host without credentials, case and the port that the scheme has anyway.
fn host_name(scheme: &str, authority: &str) -> String {
    let authority = unbracketed(authority);
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host)
        .to_lowercase();
    let host = unbracketed(&host);
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => (host, port),
        _ => (host, ""),
    };
    let host = host.trim_end_matches('.');
    let usual = PORTS.iter().find(|(name, _)| *name == scheme);
    let is_usual = port.is_empty() || usual.is_some_and(|(_, usual)| *usual == port);
    let known = HOSTS.iter().find(|(_, second)| second.contains(&host));
    match known {
        Some((first, _)) if is_usual || port == PORT_OF_SECOND_HOSTS => (*first).to_owned(),
        _ if is_usual => host.to_owned(),
        _ => format!("{host}:{port}"),
    }
}

/// In the short form, brackets hold a host with its port; in others an address of IPv6, which keeps them.
fn unbracketed(host: &str) -> &str {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    match inner {
        Some(inner) if inner.contains('@') || inner.matches(':').count() < 2 => inner,
        _ => host,
    }
}

fn joined(host: &str, path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let path = without_ending(&parts.collect::<Vec<_>>().join("/")).to_owned();
    match (host, path.as_str()) {
        (_, "") => host.to_owned(),
        ("", path) => path.to_owned(),
        _ => format!("{host}/{path}"),
    }
}

/// A folder of this machine; a clone of one has the name that the folder itself has.
fn local(path: &Path, base: &Path) -> String {
    let path = base.join(path);
    let path: PathBuf = path.canonicalize().unwrap_or(path);
    let text = path.to_string_lossy();
    let text = text.trim_end_matches('/');
    without_ending(text).to_owned()
}

/// Removes `.git`, and the slash before it where it is a folder of its own.
fn without_ending(path: &str) -> &str {
    let path = path.strip_suffix(".git").unwrap_or(path);
    path.trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_address_has_one_name() {
        for url in [
            "https://github.com/a/b.git",
            "https://user:secret@GitHub.com/a/b",
            "https://user:p@ss@github.com/a/b/",
            "https://token@github.com:443/a/b.git/",
            "https://github.com/a//b?private_token=secret#part",
            "http://github.com:80/a/b",
            "git@github.com:a/b.git",
            "git@github.com:/a/b.git",
            "github.com:a/b",
            "[git@github.com:22]:a/b",
            "git@[github.com:22]:a/b",
            "ssh://git@github.com/a/b/",
            "ssh://git@github.com:22/a/b",
            "SSH://git@github.com./a/b",
            "git+ssh://git@github.com:22/a/b",
            "git://github.com:9418/a/b",
            "ssh://git@ssh.github.com:443/a/b",
            "https://www.github.com/a/b",
            "cache::https://github.com/a/b",
        ] {
            let name = name(url, Path::new("/base"));
            assert_eq!(name.as_deref(), Some("github.com/a/b"), "{url}");
        }
    }

    #[test]
    fn another_host_port_or_path_is_another_name() {
        for (url, expected) in [
            ("ssh://git@host.example:2222/a/b", "host.example:2222/a/b"),
            ("https://host.example:22/a", "host.example:22/a"),
            ("https://www.host.example/a", "www.host.example/a"),
            ("ssh://git@[::1]:22/a", "[::1]/a"),
            ("https://host.example/A/b", "host.example/A/b"),
            ("/srv/none/a.git", "/srv/none/a"),
            ("/srv/none/a/.git", "/srv/none/a"),
            ("file:///srv/none/a.git", "/srv/none/a"),
            ("none/other", "/base/none/other"),
            ("./a:b", "/base/./a:b"),
        ] {
            let name = name(url, Path::new("/base"));
            assert_eq!(name.as_deref(), Some(expected), "{url}");
        }
        assert_eq!(name("https://", Path::new("/base")), None);
    }
}
