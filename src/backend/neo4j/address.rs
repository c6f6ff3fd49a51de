//! Addresses of servers, fit to be shown.

/// An address without the password that somebody may have put into it.
pub(super) fn shown(uri: &str) -> String {
    match (uri.find("://"), uri.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}{}", &uri[..scheme + 3], &uri[at + 1..])
        }
        _ => uri.to_owned(),
    }
}
