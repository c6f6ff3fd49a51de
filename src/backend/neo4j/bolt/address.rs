//! Addresses of servers: one, or several of a cluster's members; and how messages and logs show them.

use std::fmt;

use hindlore_store::{ErrorKind, StoreError, StoreResult};

/// An address without user and password, which a URI may contain, and without anything after the host.
pub(crate) fn shown(uri: &str) -> String {
    let parts = uri.split(',').map(|part| {
        let (scheme, rest) = match part.split_once("://") {
            Some((scheme, rest)) => (format!("{scheme}://"), rest),
            None => (String::new(), part),
        };
        // The last `@`, because a password may hold one that is not encoded.
        let host = rest.rsplit('@').next().unwrap_or_default();
        let host = host.split(BEHIND).next().unwrap_or_default();
        // A comma in a password cuts it, and this may be its beginning.
        let port = host.rsplit_once(':').map_or("", |(_, port)| port);
        let is_host = host.ends_with(']') || port.bytes().all(|digit| digit.is_ascii_digit());
        format!("{scheme}{}", if is_host { host } else { "…" })
    });
    parts.collect::<Vec<_>>().join(",")
}

/// The signs after which a URI continues beyond the host.
const BEHIND: [char; 3] = ['/', '?', '#'];

/// The user and the password that an address names.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: String,
    /// `None` for an address that names the user alone.
    pub(crate) password: Option<String>,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login")
    }
}

impl Login {
    /// Reads `user:password`, percent-encoded; `None` if it is malformed.
    fn parse(text: &str) -> Option<Self> {
        let (user, password) = match text.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (text, None),
        };
        if text.contains(BEHIND) || user.is_empty() {
            return None;
        }
        Some(Self {
            user: decoded(user)?,
            password: match password {
                Some(password) => Some(decoded(password)?),
                None => None,
            },
        })
    }
}

/// A percent-encoded text; `None` for one that is no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// The user and the password of an address cannot be read.
const UNREADABLE_LOGIN: &str = "names a user in a form that cannot be read; percent-encode the signs `/ ? # % @ : ,` in \
     user and password, or set NEO4J_USERNAME and NEO4J_PASSWORD";

/// One address, or several of the same scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Addresses {
    scheme: String,
    /// Host and port of each.
    authorities: Vec<String>,
    /// The user that the addresses name.
    pub(crate) login: Option<Login>,
}

impl Addresses {
    /// Reads addresses with commas between them; all but the first may leave the scheme out.
    ///
    /// # Errors
    /// `Invalid` for one without a host, for different schemes or users, for several addresses without routing, and for
    /// anything after the host.
    pub(crate) fn parse(uri: &str) -> StoreResult<Self> {
        let invalid = |what: &str| {
            let shown = shown(uri);
            let example =
                "write one like bolt://localhost:7687, or several like neo4j://one:7687,two:7687";
            let context = format!("`{shown}` {what}; {example}");
            StoreError::new(ErrorKind::Invalid, "connect", context)
        };
        let mut all: Option<Self> = None;
        for part in uri.split(',').map(str::trim) {
            let (scheme, rest) = match part.split_once("://") {
                Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
                None => (None, part),
            };
            let (login, authority) = match rest.rsplit_once('@') {
                Some((login, authority)) => match Login::parse(login) {
                    Some(login) => (Some(login), authority),
                    None => return Err(invalid(UNREADABLE_LOGIN)),
                },
                None => (None, rest),
            };
            let authority = authority.strip_suffix('/').unwrap_or(authority);
            if authority.is_empty() {
                return Err(invalid("lacks the name of a server"));
            }
            if authority.contains(BEHIND) {
                return Err(invalid(
                    "has something after the host, which this program does not know; leave it out (settings such as \
                     `neo4j.database` have names of their own)",
                ));
            }
            let port = authority.rsplit_once(':').map(|(_, port)| port);
            if port.is_some_and(|port| !port.ends_with(']') && port.parse::<u16>().is_err()) {
                return Err(invalid(
                    "has a port that is no number; a `,` in a password is written as %2C",
                ));
            }
            if let Some(all) = &mut all {
                match (&all.login, login.clone()) {
                    (Some(one), Some(other)) if *one != other => {
                        return Err(invalid("names different users"));
                    }
                    (None, other) => all.login = other,
                    _ => {}
                }
            }
            match (&mut all, scheme) {
                (None, None) => return Err(invalid("is no address of a Neo4j")),
                (None, Some(scheme)) => {
                    all = Some(Self {
                        scheme,
                        authorities: vec![authority.to_owned()],
                        login,
                    });
                }
                (Some(all), Some(scheme)) if scheme != all.scheme => {
                    return Err(invalid("has different schemes"));
                }
                (Some(all), _) => all.authorities.push(authority.to_owned()),
            }
        }
        let all = all.ok_or_else(|| invalid("is no address of a Neo4j"))?;
        if all.authorities.len() > 1 && !all.are_routed() {
            return Err(invalid(
                "has several addresses, which only neo4j:// routes between",
            ));
        }
        Ok(all)
    }

    /// True when a server at these addresses is asked who leads.
    pub(super) fn are_routed(&self) -> bool {
        self.scheme.starts_with("neo4j")
    }

    /// All of them as one text, without the user.
    pub(crate) fn text(&self) -> String {
        self.uris().join(",")
    }

    /// Each as a URI, without the user.
    pub(super) fn uris(&self) -> Vec<String> {
        let one = |authority| format!("{}://{authority}", self.scheme);
        self.authorities.iter().map(one).collect()
    }

    /// The URI of a member, given its host and port: encrypted as the others, and without routing of its own, so that a
    /// member that no longer leads reports it.
    pub(super) fn member(&self, address: &str) -> String {
        let encryption = self.scheme.strip_prefix("neo4j").unwrap_or_default();
        format!("bolt{encryption}://{address}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_addresses_share_a_scheme_and_are_routed() {
        let one = Addresses::parse("bolt://a.example:7687").unwrap();
        assert!(!one.are_routed());
        assert_eq!(one.uris(), ["bolt://a.example:7687"]);
        let three = "NEO4J+s://ann@a:1, neo4j+s://b:2/,c:3";
        let three = Addresses::parse(three).unwrap();
        assert!(three.are_routed());
        let uris = ["neo4j+s://a:1", "neo4j+s://b:2", "neo4j+s://c:3"];
        assert_eq!(three.uris(), uris);
        assert_eq!(three.member("d:4"), "bolt+s://d:4");
        assert_eq!(
            Addresses::parse("neo4j://a").unwrap().member("b:1"),
            "bolt://b:1"
        );
    }

    #[test]
    fn addresses_that_cannot_be_meant_are_told_without_a_password() {
        for (uri, said) in [
            ("a.example:7687", "no address"),
            ("bolt://", "lacks the name"),
            ("neo4j://u:secret@a,,b", "lacks the name"),
            ("neo4j://u:secret@a,neo4j+s://b", "different schemes"),
            ("bolt://u:secret@a,bolt://b", "several addresses"),
            ("bolt://u:secret@a?x=secret", "after the host"),
            ("bolt://u:secret@a/secret", "after the host"),
            ("bolt://a#secret", "after the host"),
            ("bolt://u:sec/ret@a", "percent-encode"),
            ("bolt://u:%zzsecret@a", "percent-encode"),
            ("bolt://:secret@a", "percent-encode"),
            ("bolt://u:secret,more@a", "no number"),
            ("neo4j://u:secret,more@a", "no number"),
            ("neo4j://u:secret@a,u:secret2@b", "different users"),
        ] {
            let error = Addresses::parse(uri).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{uri}");
            let error = error.to_string();
            assert!(error.contains(said) && !error.contains("secret"), "{error}");
        }
        let logins = "neo4j://u:p@a:1,v:q@b:2,neo4j://c";
        assert_eq!(shown(logins), "neo4j://a:1,b:2,neo4j://c");
    }

    #[test]
    fn the_user_of_an_address_is_read_and_taken_out_of_it() {
        for (uri, user, password) in [
            ("bolt://u:p@a:1", "u", Some("p")),
            ("bolt://u@a:1", "u", None),
            ("bolt://u:@a:1", "u", Some("")),
            ("bolt://a%40b:p%3A%2F%C3%A9:q@a:1", "a@b", Some("p:/é:q")),
            ("bolt://u:p@q@a:1", "u", Some("p@q")),
        ] {
            let addresses = Addresses::parse(uri).unwrap();
            assert_eq!(addresses.text(), "bolt://a:1");
            let login = addresses.login.unwrap();
            assert_eq!(
                (login.user.as_str(), login.password.as_deref()),
                (user, password)
            );
        }
    }
}
