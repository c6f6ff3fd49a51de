//! Ids of requests: every answer, every line of the log and every entry of the audit log names its request.

use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response};
use axum::middleware::Next;
use tracing::Instrument;

use hindlore::clock::random_hex;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id that is taken from a caller, in bytes.
const ID_MAX: usize = 128;

/// The id of a request that has come in.
pub(super) fn of(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(HEADER)?.to_str().ok()?;
    Some(id.to_owned())
}

/// Gives a request the id that its caller or a proxy sent, or a new one, and its answer the same.
pub(super) async fn given(mut request: Request, next: Next) -> Response<Body> {
    let headers = request.headers_mut();
    let sent = headers.get(HEADER).filter(|id| is_plain(id)).cloned();
    let Some(id) = sent.or_else(fresh) else {
        // Without chance on this machine a request has no id, and is answered.
        headers.remove(HEADER);
        return next.run(request).await;
    };
    headers.insert(HEADER, id.clone());
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = %request.method(),
        path = request.uri().path(),
    );
    #[cfg(feature = "otel")]
    super::traced::continued(&span, request.headers());
    let mut response = async {
        let began = Instant::now();
        let response = next.run(request).await;
        let (status, ms) = (response.status().as_u16(), began.elapsed().as_millis());
        tracing::info!(status, ms, "answered");
        response
    }
    .instrument(span)
    .await;
    response.headers_mut().insert(HEADER, id);
    response
}

/// An id goes into logs, so it holds only characters that are harmless in all of them.
fn is_plain(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    let is_harmless = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    (1..=ID_MAX).contains(&bytes.len()) && bytes.iter().all(is_harmless)
}

fn fresh() -> Option<HeaderValue> {
    HeaderValue::from_str(&random_hex(8).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_a_log_could_misread_is_not_taken() {
        let plain = |id: &str| is_plain(&HeaderValue::from_str(id).unwrap());
        assert!(plain("4bf92f3577b34da6") && plain("a-b_c.d:e/f+g=") && plain(&"a".repeat(128)));
        for id in ["", "a b", "a\"b", "a,b", "{}", "\u{e9}", &"a".repeat(129)] {
            assert!(!plain(id), "{id}");
        }
    }
}
