//! The page `/docs`: the API as its document describes it, and a form for each operation.
//!
//! The page is three small files and makes no request to another host. Its policy forbids everything else, so that a text
//! of a memory that an answer shows can run nothing.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::routing::get;

use super::App;

/// The address of the page.
const PAGE: &str = "/docs";
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The files of the page: address, type, text.
const FILES: [(&str, &str, &str); 3] = [
    (
        PAGE,
        "text/html; charset=utf-8",
        include_str!("docs/page.html"),
    ),
    (
        "/docs/page.css",
        "text/css; charset=utf-8",
        include_str!("docs/page.css"),
    ),
    (
        "/docs/page.js",
        "text/javascript; charset=utf-8",
        include_str!("docs/page.js"),
    ),
];

/// The routes of the page, and that of `/`, which leads to it.
pub(super) fn routes() -> Router<Arc<App>> {
    let mut router = Router::new().route("/", get(async || moved()));
    for (address, kind, text) in FILES {
        router = router.route(address, get(async move || file(kind, text)));
    }
    router
}

fn file(kind: &'static str, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// For now: another page may take the place.
fn moved() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, HeaderValue::from_static(PAGE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
