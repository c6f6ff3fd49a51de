//! The route for agents: the guard of all routes, the memory and the caller that the head names, then MCP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;

use super::App;
use super::problem::{answer, crowded};
use super::subject::access;
use crate::api::problem::Problem;

/// Answers an agent.
pub(super) async fn answered(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    match admitted(&app, request).await {
        Ok(request) => {
            let Ok(_place) = app.room.try_acquire() else {
                return answer(&crowded());
            };
            app.tools.handle(request).await.map(Body::new)
        }
        Err(problem) => answer(&problem),
    }
}

/// The request with whose memory it is about and who asks.
async fn admitted(app: &App, mut request: Request) -> Result<Request, Problem> {
    let access = access(app, request.headers()).await?;
    request.extensions_mut().insert(access);
    Ok(request)
}
