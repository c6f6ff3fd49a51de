//! OAuth protected-resource metadata: how a client without a token gets one (RFC 9728).

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::middleware::Next;
use axum::routing::get;
use serde_json::json;

use super::App;
use super::oidc;
use super::origin_check;
use super::problem::{answer, json_response};

const PLACE: &str = "/.well-known/oauth-protected-resource";

/// The routes of the metadata, with and without the path of the resource.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(PLACE, get(described))
        .route(&format!("{PLACE}/mcp"), get(described))
}

async fn described(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    if let Err(problem) = origin_check::check(&app.entry, request.headers()) {
        return answer(&problem);
    }
    let issuer = app.entry.issuer.as_ref();
    let own = own_url(&app, request.headers());
    let value = json!({
        "resource": format!("{own}/mcp"),
        "resource_name": "hindlore",
        // API keys are no affair of a provider: without one there is none to name.
        "authorization_servers": issuer.map(|issuer| vec![&issuer.url]).unwrap_or_default(),
        "scopes_supported": oidc::scopes(),
        "bearer_methods_supported": ["header"],
    });
    json_response(StatusCode::OK, "application/json", &value)
}

/// Points a caller without a credential to the metadata.
pub(super) async fn told(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    if app.entry.issuer.is_none() {
        return next.run(request).await;
    }
    let own = own_url(&app, request.headers());
    let mut response = next.run(request).await;
    if response.status() == StatusCode::UNAUTHORIZED
        && let Ok(value) =
            HeaderValue::from_str(&format!("Bearer resource_metadata=\"{own}{PLACE}/mcp\""))
    {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

/// The address of this server: as its operator gives it, else as the caller did.
fn own_url(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST);
    let host = host
        .and_then(|host| host.to_str().ok())
        .unwrap_or("localhost");
    let given = app.entry.public_url.as_deref();
    given.map_or_else(
        || format!("http://{host}"),
        |url| url.trim_end_matches('/').to_owned(),
    )
}
