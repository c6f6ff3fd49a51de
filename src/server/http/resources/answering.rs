//! Answers a request for a resource: fills the fields of its verb, calls it, and shows the changed record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

use super::Resource;
use crate::http::asked::{Asked, Fields, prepared};
use crate::http::description::SUBJECT;
use crate::http::problem::{answer, json_text};
use crate::http::subject::{access_again, text};
use crate::http::task::answered;
use crate::http::{App, room};
use hindlore_api::catalog::find;
use hindlore_api::problem::Problem;

/// The places of a changed record in the answer of a change, the likeliest first; the first one is a new record.
const RECORDS: [&str; 5] = [
    "/added/0",
    "/revived/0",
    "/merged/0/into",
    "/updated/0",
    "/linked/0/from",
];

/// Answers a request for a resource; `names` are the parts of its address.
pub(in crate::http) async fn called(
    app: Arc<App>,
    resource: &'static Resource,
    names: BTreeMap<String, String>,
    request: Request,
) -> Response<Body> {
    let began = Instant::now();
    let at_work = app.metrics.begin();
    let done = ran(&app, resource, names, request).await;
    let response = done.unwrap_or_else(|problem| answer(&problem));
    drop(at_work);
    let status = response.status().as_u16();
    app.metrics.end(resource.verb, status, began.elapsed());
    response
}

async fn ran(
    app: &Arc<App>,
    resource: &'static Resource,
    names: BTreeMap<String, String>,
    request: Request,
) -> Result<Response<Body>, Problem> {
    let verb = find(resource.verb)?;
    let mut asked = prepared(app, verb, request).await?;
    let mut fields = match asked.value(verb)? {
        Value::Object(fields) => fields,
        _ => return Err(Problem::new("invalid_request", "the body is no object")),
    };
    if let Some(learner) = resource.learner {
        about(app, &mut asked, fields.remove(learner)).await?;
    }
    for (name, value) in &names {
        if fields.insert(name.clone(), value.as_str().into()).is_some() {
            let message = format!("`{name}` is a part of the address");
            return Err(Problem::new("invalid_request", message).with_hint("leave the field out"));
        }
    }
    asked.fields = Fields::Read(Value::Object(fields));
    let (access, headers) = (asked.access.clone(), asked.headers.clone());
    let connection = asked.connection.clone();
    let mut text = answered(app.clone(), verb, asked).await?;
    let mut is_new = resource.creates();
    let mut location = None;
    if let Some(shows) = resource.shows {
        let (id, is_added) = record(&text, &names)?;
        is_new &= is_added;
        let asked = Asked {
            access,
            fields: Fields::Read(json!({ "id": id })),
            headers,
            connection: connection.clone(),
        };
        text = answered(app.clone(), find(shows)?, asked).await?;
        if resource.creates() {
            location = HeaderValue::from_str(&format!("{}/{id}", resource.path)).ok();
        }
    }
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let body: Bytes = room::sent(app, connection.as_deref(), text, verb.effect).await?;
    let mut response = json_text(status, "application/json", body);
    if let Some(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// Makes a request one about the learner that its body names.
async fn about(app: &App, asked: &mut Asked, learner: Option<Value>) -> Result<(), Problem> {
    let learner = match learner {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::String(learner)) => learner,
        Some(_) => return Err(Problem::new("invalid_request", "the learner is no text")),
    };
    let [_, (name, _), _] = SUBJECT;
    if text(&asked.headers, name)?.is_some_and(|own| own != learner) {
        let message = format!("the body and the header `{name}` name two learners");
        return Err(Problem::new("invalid_request", message).with_hint("send one of them"));
    }
    let value = HeaderValue::from_bytes(learner.as_bytes())
        .map_err(|_| Problem::new("invalid_key", "the learner has a control character"))?;
    asked.headers.insert(name, value);
    asked.access = access_again(app, &asked.headers).await?;
    Ok(())
}

/// The record that a change was about, and whether it is new.
fn record(changed: &str, names: &BTreeMap<String, String>) -> Result<(String, bool), Problem> {
    if let Some(id) = names.get("id") {
        return Ok((id.clone(), false));
    }
    let changed: Value = serde_json::from_str(changed)
        .map_err(|error| Problem::new("internal_error", error.to_string()))?;
    let id = |place: &&str| changed.pointer(place).and_then(Value::as_str);
    if let Some(id) = RECORDS.iter().find_map(id) {
        let is_new = changed["added"][0] == id && changed["repeated"] == false;
        return Ok((id.to_owned(), is_new));
    }
    let reason = changed.pointer("/refused/0/reason").and_then(Value::as_str);
    let message = reason.unwrap_or("the change was refused");
    Err(Problem::new("invalid_request", message.to_owned()))
}
