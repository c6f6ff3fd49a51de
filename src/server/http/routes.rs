//! The routes: one for each verb, and those about the server itself.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::from_fn;
#[cfg(feature = "oidc")]
use axum::middleware::from_fn_with_state;
use axum::routing::MethodFilter;
use axum::routing::{MethodRouter, get, on, post};
use serde_json::{Value, json};

use super::asked::{Asked, let_in, prepared};
use super::description::document;
use super::problem::{answer, json_response, json_text};
use super::resources::{RESOURCES, Resource};
use super::task::answered;
use super::{App, batch, docs, feed, metrics, resources, room, stream};
use hindlore_api::catalog::{Registered, all};
use hindlore_api::problem::Problem;

/// The router of the whole API.
pub(super) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(measured))
        .route("/v1/openapi.json", get(described))
        .merge(docs::routes())
        .route("/v1/batch", post(batch::answered));
    for verb in all() {
        router = router.route(&format!("/v1/{}", verb.path()), route(verb));
    }
    for resource in &RESOURCES {
        router = router.route(resource.path, resource_route(resource));
    }
    #[cfg(feature = "mcp")]
    {
        router = router.route("/mcp", axum::routing::any(super::tools::answered));
    }
    #[cfg(feature = "oidc")]
    {
        router = router
            .merge(super::resource::routes())
            .layer(from_fn_with_state(app.clone(), super::resource::told));
    }
    router
        .fallback(no_route)
        .method_not_allowed_fallback(wrong_method)
        // The outermost, so that a refusal has its id, too.
        .layer(from_fn(super::request_id::given))
        .with_state(app.clone())
}

fn route(verb: &'static Registered) -> MethodRouter<Arc<App>> {
    let filter = match verb.method() {
        "GET" => MethodFilter::GET,
        _ => MethodFilter::POST,
    };
    on(filter, move |State(app), request| {
        called(app, verb, request)
    })
}

fn resource_route(resource: &'static Resource) -> MethodRouter<Arc<App>> {
    let filter = match resource.method {
        "GET" => MethodFilter::GET,
        "PATCH" => MethodFilter::PATCH,
        "DELETE" => MethodFilter::DELETE,
        _ => MethodFilter::POST,
    };
    on(
        filter,
        move |State(app), names: Option<Path<BTreeMap<String, String>>>, request| {
            let names = names.map(|Path(names)| names).unwrap_or_default();
            resources::called(app, resource, names, request)
        },
    )
}

/// Answers a request for a verb, in one piece or, where the client takes it so, step by step.
async fn called(app: Arc<App>, verb: &'static Registered, request: Request) -> Response<Body> {
    let began = Instant::now();
    let at_work = app.metrics.begin();
    let response = responded(app.clone(), verb, request).await;
    drop(at_work);
    app.metrics
        .end(verb.name, response.status().as_u16(), began.elapsed());
    response
}

async fn responded(app: Arc<App>, verb: &'static Registered, request: Request) -> Response<Body> {
    let takes_events = stream::is_wanted(request.headers());
    let is_streamed = request.method() == Method::POST && takes_events;
    let asked = match prepared(&app, verb, request).await {
        Ok(asked) => asked,
        Err(problem) => return answer(&problem),
    };
    if verb.name == feed::VERB && takes_events {
        return feed::begun(app, verb, asked).await;
    }
    if is_streamed {
        return stream::streamed(app, verb, asked);
    }
    match in_one_piece(app, verb, asked).await {
        Ok(text) => json_text(StatusCode::OK, "application/json", text),
        Err(problem) => answer(&problem),
    }
}

async fn in_one_piece(
    app: Arc<App>,
    verb: &'static Registered,
    asked: Asked,
) -> Result<Bytes, Problem> {
    let connection = asked.connection.clone();
    let text = answered(app.clone(), verb, asked).await?;
    room::sent(&app, connection.as_deref(), text, verb.effect).await
}

/// The process lives.
async fn alive() -> Response<Body> {
    ok(&json!({ "status": "ok" }))
}

/// The store answers.
async fn ready(State(app): State<Arc<App>>) -> Response<Body> {
    let Err(problem) = app.readiness.asked(&app).await else {
        return ok(&json!({ "status": "ready" }));
    };
    let mut response = answer(&problem);
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response
}

/// The counters. A server that needs keys shows them to their holders only.
async fn measured(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    if let Err(problem) = let_in(&app, request.headers(), None).await {
        return answer(&problem);
    }
    let mut response = Response::new(Body::from(app.metrics.text()));
    let kind = HeaderValue::from_static(metrics::KIND);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

async fn described() -> Response<Body> {
    // It is the same for as long as the program runs, and large.
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    ok(DOCUMENT.get_or_init(document))
}

fn ok(value: &Value) -> Response<Body> {
    json_response(StatusCode::OK, "application/json", value)
}

async fn no_route(request: Request) -> Response<Body> {
    let path = request.uri().path().escape_debug().to_string();
    let problem = Problem::new("unknown_route", format!("there is no route `{path}`"));
    answer(&problem.with_hint("`/v1/openapi.json` describes all of them"))
}

async fn wrong_method(request: Request) -> Response<Body> {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("`{}` is not called by {method}", path.escape_debug());
    let problem = Problem::new("wrong_method", message);
    answer(&problem.with_hint(
        "verbs that read are called by GET, all others, and those that take long texts, by POST; resources also by PATCH \
            and DELETE",
    ))
}
