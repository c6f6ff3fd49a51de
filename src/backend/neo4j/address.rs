//! Addresses of servers as shown in messages and logs.

/// An address without user and password, which a URI may contain.
pub(super) fn shown(uri: &str) -> String {
    match (uri.find("://"), uri.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}{}", &uri[..scheme + 3], &uri[at + 1..])
        }
        _ => uri.to_owned(),
    }
}
