//! Requests whose sender was let in, before anything is computed for them.

use std::sync::Arc;

use axum::extract::{Query, Request};
use axum::http::{HeaderMap, Method};
use serde_json::Value;

use super::body::{self, Arrived};
use super::connections::Connection;
use super::problem::stopped;
use super::subject::access;
use super::{App, fields};
use hindlore_api::access::Access;
use hindlore_api::catalog::Registered;
use hindlore_api::problem::Problem;

/// A request for a verb whose sender was let in.
pub(super) struct Asked {
    pub(super) access: Access,
    pub(super) fields: Fields,
    pub(super) headers: HeaderMap,
    pub(super) connection: Option<Arc<Connection>>,
}

/// The fields of a request, as they came.
pub(super) enum Fields {
    Read(Value),
    Body(Arrived),
}

impl Asked {
    /// The fields of the request.
    pub(super) fn value(&self, verb: &Registered) -> Result<Value, Problem> {
        let fields = match &self.fields {
            Fields::Read(fields) => fields.clone(),
            Fields::Body(body) => body.fields()?,
        };
        fields::with_idempotency_key(verb, &self.headers, fields)
    }
}

/// Admits the sender of a request, and reads its input for a verb.
pub(super) async fn prepared(
    app: &Arc<App>,
    verb: &'static Registered,
    request: Request,
) -> Result<Asked, Problem> {
    // A body is read only for who may call the verb.
    let access = let_in(app, request.headers(), Some(verb)).await?;
    let headers = request.headers().clone();
    let connection = request.extensions().get::<Arc<Connection>>().cloned();
    let fields = if matches!(*request.method(), Method::POST | Method::PATCH) {
        Fields::Body(body::json(app, request).await?)
    } else {
        Fields::Read(fields_of_query(verb, &request)?)
    };
    Ok(Asked {
        access,
        fields,
        headers,
        connection,
    })
}

fn fields_of_query(verb: &Registered, request: &Request) -> Result<Value, Problem> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
    let Query(pairs) = pairs.map_err(|error| Problem::new("invalid_query", error.to_string()))?;
    let fields = fields::of_query(verb.request(), pairs);
    fields.map_err(|fault| Problem::new("invalid_query", fault))
}

/// Lets the sender of a request in, or refuses it; with a verb, if it may call that. The store is asked where the engine lives.
pub(super) async fn let_in(
    app: &Arc<App>,
    headers: &HeaderMap,
    verb: Option<&'static Registered>,
) -> Result<Access, Problem> {
    let (asked, headers) = (app.clone(), headers.clone());
    let admitted = app.threads.spawn(async move {
        let access = access(&asked, &headers).await?;
        if let Some(verb) = verb {
            access.may_call(&verb.needs).await?;
        }
        Ok(access)
    });
    admitted.await.unwrap_or_else(|_| Err(stopped()))
}
