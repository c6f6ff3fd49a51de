//! Requests this server understands: a method, a path, and a local host.
//!
//! A foreign page can resolve its own name to 127.0.0.1 and then read the served files (DNS rebinding).
//! Its requests still carry that name as their host, so any host that is not local is refused.

/// A parsed request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request<'a> {
    /// Method.
    pub(crate) method: Method,
    /// Path without the query string.
    pub(crate) path: &'a str,
}

/// Method of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// The file.
    Get,
    /// Only its headers.
    Head,
    /// The permitted methods.
    Options,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// Not HTTP, or no host or two.
    Malformed,
    /// Meant for another host.
    ForeignHost,
    /// The method is unsafe or unknown.
    Method,
}

/// Parses the lines before the empty one.
pub(crate) fn parse(head: &[u8]) -> Result<Request<'_>, Refusal> {
    let text = std::str::from_utf8(head).map_err(|_| Refusal::Malformed)?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Refusal::Malformed);
    };
    let is_http = version == "HTTP/1.1" || version == "HTTP/1.0";
    if !is_http || !target.starts_with('/') || method.is_empty() {
        return Err(Refusal::Malformed);
    }
    let mut host = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
        if name.eq_ignore_ascii_case("host") && host.replace(value.trim()).is_some() {
            return Err(Refusal::Malformed);
        }
    }
    if !is_local(host.ok_or(Refusal::Malformed)?) {
        return Err(Refusal::ForeignHost);
    }
    let method = match method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "OPTIONS" => Method::Options,
        _ => return Err(Refusal::Method),
    };
    let path = target.split(['?', '#']).next().unwrap_or_default();
    Ok(Request { method, path })
}

/// True for names of this machine, with any port or none.
fn is_local(host: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        let Some((start, rest)) = host.split_at_checked(name.len()) else {
            return false;
        };
        let port = rest.strip_prefix(':').unwrap_or(rest);
        let is_port = rest.is_empty() || (rest != port && port.parse::<u16>().is_ok());
        start.eq_ignore_ascii_case(name) && is_port
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str, host: &str) -> Result<(Method, String), Refusal> {
        let head = format!("{line}\r\nAccept: */*\r\nHost: {host}\r\n\r\n");
        parse(head.as_bytes()).map(|request| (request.method, request.path.to_owned()))
    }

    #[test]
    fn what_is_asked_is_understood() {
        let get = (Method::Get, "/guide.html".to_owned());
        assert_eq!(
            asked("GET /guide.html HTTP/1.1", "localhost:1"),
            Ok(get.clone())
        );
        assert_eq!(asked("GET /guide.html?v=2 HTTP/1.0", "LOCALHOST"), Ok(get));
        let head = (Method::Head, "/".to_owned());
        assert_eq!(asked("HEAD / HTTP/1.1", "[::1]:7480"), Ok(head));
    }

    #[test]
    fn only_this_machine_is_a_host() {
        for host in ["127.0.0.1", "127.0.0.1:80", "[::1]", "localhost:65535"] {
            assert!(asked("GET / HTTP/1.1", host).is_ok(), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "localhost:80:80",
            "localhost:",
            "localhost:x",
            "",
            "é",
            "127.0.0.12",
        ] {
            assert_eq!(
                asked("GET / HTTP/1.1", host),
                Err(Refusal::ForeignHost),
                "{host}"
            );
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for line in [
            "",
            "GET",
            "GET /",
            "GET  / HTTP/1.1",
            "GET / HTTP/2",
            "GET http://localhost/ HTTP/1.1",
            "GET / HTTP/1.1 more",
        ] {
            assert_eq!(asked(line, "localhost"), Err(Refusal::Malformed), "{line}");
        }
        for line in ["POST / HTTP/1.1", "get / HTTP/1.1", "DELETE / HTTP/1.1"] {
            assert_eq!(asked(line, "localhost"), Err(Refusal::Method), "{line}");
        }
        let no_host = parse(b"GET / HTTP/1.1\r\n\r\n");
        assert_eq!(no_host, Err(Refusal::Malformed));
        assert_eq!(
            asked("GET / HTTP/1.1", "localhost\r\nHost: x"),
            Err(Refusal::Malformed)
        );
        assert_eq!(
            parse(b"GET /\xff HTTP/1.1\r\n\r\n"),
            Err(Refusal::Malformed)
        );
    }
}
