//! The route for agents: the guard of all routes, the memory and the caller that the head names, then MCP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;

use super::body::Arrived;
use super::connections::Connection;
use super::problem::{answer, crowded};
use super::routes::let_in;
use super::work::stopped;
use super::{App, body};
use crate::api::problem::Problem;

/// Answers an agent.
pub(super) async fn answered(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    ran(app, request)
        .await
        .unwrap_or_else(|problem| answer(&problem))
}

async fn ran(app: Arc<App>, request: Request) -> Result<Response<Body>, Problem> {
    let access = let_in(&app, request.headers()).await?;
    let (mut head, body) = request.into_parts();
    head.extensions.insert(access);
    let connection = head.extensions.get::<Arc<Connection>>().cloned();
    let Arrived { bytes, share } = body::read(&app, connection.as_deref(), body).await?;
    let place = app.room.clone().try_acquire_owned();
    let place = place.map_err(|_| crowded())?;
    let request = Request::from_parts(head, Body::from(bytes));
    let tools = app.tools.clone();
    let work = app.threads.run(async move {
        let _held = (place, share);
        tools.handle(request).await.map(Body::new)
    });
    work.await.map_err(|_| stopped())
}
