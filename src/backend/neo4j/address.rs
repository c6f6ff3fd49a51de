//! Addresses of servers: one, or several of a cluster's members; and how messages and logs show them.

use mnemograph_store::{ErrorKind, StoreError, StoreResult};

/// An address without user and password, which a URI may contain.
pub(super) fn shown(uri: &str) -> String {
    let parts = uri.split(',').map(|part| {
        let (scheme, rest) = match part.split_once("://") {
            Some((scheme, rest)) => (format!("{scheme}://"), rest),
            None => (String::new(), part),
        };
        let host = rest.rsplit('@').next().unwrap_or_default();
        format!("{scheme}{host}")
    });
    parts.collect::<Vec<_>>().join(",")
}

/// One address, or several of the same scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Addresses {
    scheme: String,
    /// What stands after the scheme, of each.
    authorities: Vec<String>,
}

impl Addresses {
    /// Reads addresses with commas between them; all but the first may leave the scheme out.
    ///
    /// # Errors
    /// `Invalid` for one without a host, for different schemes, and for several addresses without routing.
    pub(super) fn parse(uri: &str) -> StoreResult<Self> {
        let invalid = |what: &str| {
            let shown = shown(uri);
            let example =
                "write one like bolt://localhost:7687, or several like neo4j://one:7687,two:7687";
            let context = format!("`{shown}` {what}; {example}");
            StoreError::new(ErrorKind::Invalid, "connect", context)
        };
        let mut all: Option<Self> = None;
        for part in uri.split(',').map(str::trim) {
            let (scheme, authority) = match part.split_once("://") {
                Some((scheme, authority)) => (Some(scheme.to_ascii_lowercase()), authority),
                None => (None, part),
            };
            if authority.is_empty() {
                return Err(invalid("lacks the name of a server"));
            }
            match (&mut all, scheme) {
                (None, None) => return Err(invalid("is no address of a Neo4j")),
                (None, Some(scheme)) => {
                    all = Some(Self {
                        scheme,
                        authorities: vec![authority.to_owned()],
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

    /// Each as a URI.
    pub(super) fn uris(&self) -> Vec<String> {
        let one = |authority| format!("{}://{authority}", self.scheme);
        self.authorities.iter().map(one).collect()
    }

    /// The URI of a member, given its host and port: encrypted as the others, and without routing of its own, so that a
    /// member that no longer leads says so.
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
        let three = "NEO4J+s://ann@a:1, neo4j+s://b:2,c:3";
        let three = Addresses::parse(three).unwrap();
        assert!(three.are_routed());
        let uris = ["neo4j+s://ann@a:1", "neo4j+s://b:2", "neo4j+s://c:3"];
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
        ] {
            let error = Addresses::parse(uri).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{uri}");
            let error = error.to_string();
            assert!(error.contains(said) && !error.contains("secret"), "{error}");
        }
        let logins = "neo4j://u:p@a:1,v:q@b:2,neo4j://c";
        assert_eq!(shown(logins), "neo4j://a:1,b:2,neo4j://c");
    }
}
