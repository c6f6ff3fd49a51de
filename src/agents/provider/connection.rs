//! The HTTP of providers and tools: one client with the rules of both, and answers that are read up to a bound.

use std::time::Duration;

use reqwest::redirect::Policy;

/// Characters of a failure that are shown.
const SAID_CHARS: usize = 300;

/// A client of an address, which is parsed here.
///
/// # Errors
/// Why the address is none, in words that follow a subject.
pub(super) fn client(url: &str, limit: Duration) -> Result<reqwest::Client, String> {
    // The one TLS library of this program; another part may have chosen it before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let parsed = reqwest::Url::parse(url).map_err(|error| format!("is none: {error}"))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err("begins with neither `https://` nor `http://`".to_owned());
    }
    let mut http = reqwest::Client::builder()
        .timeout(limit)
        .connect_timeout(limit)
        // A redirect would carry prompts and keys elsewhere.
        .redirect(Policy::none());
    if is_loopback(&parsed) {
        http = http.no_proxy();
    }
    http.build()
        .map_err(|error| format!("cannot be used: {}", error.without_url()))
}

/// The body of an answer; `None` if it has more bytes than the bound.
pub(super) async fn body(
    response: &mut reqwest::Response,
    bytes_max: usize,
) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await? {
        if bytes.len() + part.len() > bytes_max {
            return Ok(None);
        }
        bytes.extend_from_slice(&part);
    }
    Ok(Some(bytes))
}

/// A failure on the way, in words without the address, which may hold credentials.
pub(super) fn words_of(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        words = format!("{words}: {inner}");
        source = inner.source();
    }
    words.chars().take(SAID_CHARS).collect()
}

fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_matches(['[', ']']);
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}
