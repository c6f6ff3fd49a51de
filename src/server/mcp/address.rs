//! Address: the URIs of resources.
//!
//! A playbook may have any letters in its name, a URI only some: all others are written as bytes, `%C3%A9`.

use std::fmt::Write;

/// The texts worth knowing at the start of a session.
pub(super) const SESSION_START: &str = "hindlore://session-start";
/// The template of playbooks.
pub(super) const PLAYBOOKS: &str = "hindlore://playbook/{name}";
const PLAYBOOK: &str = "hindlore://playbook/";

/// The URI of a playbook.
pub(super) fn of_playbook(name: &str) -> String {
    let mut uri = PLAYBOOK.to_owned();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// The name of the playbook that a URI means.
pub(super) fn playbook(uri: &str) -> Option<String> {
    let mut bytes = uri.strip_prefix(PLAYBOOK)?.bytes();
    let mut name = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            name.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(bytes.next()?)?, digit(bytes.next()?)?);
        name.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(name).ok().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_from_its_address() {
        for name in [
            "reports",
            "a b/c",
            "100%",
            "\u{e9}t\u{e9} \u{1f980}",
            "~._-",
        ] {
            let uri = of_playbook(name);
            assert!(uri.is_ascii() && !uri.contains(' '), "{uri}");
            assert_eq!(playbook(&uri).as_deref(), Some(name), "{uri}");
        }
        assert_eq!(of_playbook("a b"), "hindlore://playbook/a%20b");
    }

    #[test]
    fn what_is_no_address_of_a_playbook_has_no_name() {
        for uri in [
            SESSION_START,
            "hindlore://playbook/",
            "hindlore://playbook/%",
            "hindlore://playbook/%4",
            "hindlore://playbook/%zz",
            "hindlore://playbook/%FF",
            "file:///reports",
        ] {
            assert_eq!(playbook(uri), None, "{uri}");
        }
    }
}
