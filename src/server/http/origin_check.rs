//! Which requests a server takes by the names in their heads: without credentials those of programs on this machine.
//!
//! A page in a browser on the same machine can reach loopback, too. It cannot hide its origin, and a name that was made
//! to resolve to loopback appears in the header `Host`.

use axum::http::{HeaderMap, header};

use hindlore_api::problem::Problem;
use hindlore_api::server::Entry;

/// Refuses a request for another host, or from a page of another origin.
///
/// A server that needs keys and is given no names is called by any: a page that was made to resolve to it has no key.
pub(super) fn check(entry: &Entry, headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let is_named = |host: &str| {
        let name = name_of(host);
        entry.hosts.iter().any(|own| own.eq_ignore_ascii_case(name))
    };
    let takes_all = entry.is_closed() && entry.hosts.is_empty();
    if let Some(host) = text(header::HOST)
        && !takes_all
        && !is_loopback(host)
        && !is_named(host)
    {
        let message = format!("the host `{}` is not this machine", host.escape_debug());
        return Err(Problem::new("foreign_host", message).with_hint(
            "call the server as localhost, 127.0.0.1 or [::1], or start it with --allow-host",
        ));
    }
    if let Some(origin) = text(header::ORIGIN)
        && !entry.origins.iter().any(|own| own == origin)
    {
        let own = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        if !own.is_some_and(is_loopback) {
            let message = format!("the origin `{}` is not this machine", origin.escape_debug());
            return Err(Problem::new("foreign_origin", message)
                .with_hint("call the server from a program, from a page of this machine, or start it with --allow-origin"));
        }
    }
    Ok(())
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Returns true if a host, with or without its port, is loopback.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = name_of(host);
    name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_taken_and_all_else_is_not() {
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7171",
            "127.9.9.9",
            "[::1]:80",
            "[::1]",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org:80",
            "10.0.0.1",
            "[::2]:80",
            "127.0.0.1.nip.io",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
