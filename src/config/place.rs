//! Classifies the place of a store by its name: a file, a server, or neither.

/// Schemes of servers.
pub const SERVER_SCHEMES: [&str; 6] = [
    "neo4j://",
    "neo4j+s://",
    "neo4j+ssc://",
    "bolt://",
    "bolt+s://",
    "bolt+ssc://",
];

/// Kind of place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind<'p> {
    /// The path of a file.
    File,
    /// The address of a server.
    Server,
    /// An address with a scheme that no store has; holds the scheme.
    Unknown(&'p str),
}

/// Classifies a place.
///
/// Two or more letters before the first colon, without a slash, are a scheme; drive letters, times of day,
/// and later colons are part of file names.
pub fn kind_of_place(place: &str) -> PlaceKind<'_> {
    let is_server = |text: &str| {
        SERVER_SCHEMES.iter().any(|scheme| {
            let start = text.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        })
    };
    if is_server(place) {
        return PlaceKind::Server;
    }
    let text = place.trim_start();
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) => PlaceKind::Unknown(scheme),
        _ => PlaceKind::File,
    }
}

/// True if a text is a possible scheme. Text with a dot counts as a file name.
fn is_scheme(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-');
    text.len() > 1
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_or_a_server_or_neither() {
        for server in [
            "bolt://host",
            "NEO4J+S://ann:pass@host:7687",
            "bolt+ssc://[::1]:7687",
        ] {
            assert_eq!(kind_of_place(server), PlaceKind::Server, "{server}");
        }
        for (place, scheme) in [
            ("boltt://x", "boltt"),
            ("http://x", "http"),
            ("bolt:/host", "bolt"),
            ("bolt:host", "bolt"),
            ("sqlite:x", "sqlite"),
            ("file:///x.db", "file"),
            ("localhost:7687", "localhost"),
            (" bolt://host", "bolt"),
            ("\tneo4j+s://host", "neo4j+s"),
        ] {
            assert_eq!(kind_of_place(place), PlaceKind::Unknown(scheme), "{place}");
        }
        for file in [
            "memory.db",
            "./sqlite:x",
            "/data/a:b.db",
            "notes/10:30",
            "10:30.db",
            "C:\\data\\m.db",
            "c:/m.db",
            "memory.db:old",
            "my notes: new.db",
            " memory.db",
            ":memory:",
            "über:x",
            "",
        ] {
            assert_eq!(kind_of_place(file), PlaceKind::File, "{file}");
        }
    }
}
