//! Problems as answers: problem details by RFC 9457, with a status for each code.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

use hindlore_api::hint::{HintFormatter, worded};
use hindlore_api::problem::Problem;

/// How hints are worded for HTTP clients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routes;

impl HintFormatter for Routes {
    fn verb(&self, name: &str, behind: &str) -> String {
        format!("`/v1/{}`{behind}", name.replace('.', "/"))
    }

    fn field(&self, name: &str) -> String {
        format!("`{name}`")
    }

    fn subject(&self, part: &str) -> String {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let name: String = first.into_iter().chain(letters).collect();
        format!("the header `Hindlore-{name}`")
    }
}

/// A status that problems have.
pub(super) struct Status {
    /// Its number.
    pub(super) code: StatusCode,
    /// Its name among the responses of the document.
    pub(super) name: &'static str,
    /// Its meaning, for the document.
    pub(super) about: &'static str,
    /// The problems that have it, as codes; a `*` at the end means all that begin so.
    pub(super) problems: &'static [&'static str],
}

const fn row(
    code: StatusCode,
    name: &'static str,
    about: &'static str,
    problems: &'static [&'static str],
) -> Status {
    Status {
        code,
        name,
        about,
        problems,
    }
}

/// The statuses of problems. A problem that is in no row is unprocessable.
#[rustfmt::skip]
pub(super) static STATUSES: [Status; 15] = [
    row(StatusCode::BAD_REQUEST, "BadRequest", "The request cannot be read.",
        &["invalid_cursor", "invalid_json", "invalid_query", "repeated_header"]),
    row(StatusCode::UNAUTHORIZED, "Unauthenticated", "The server needs a valid key or token.", &["unauthenticated"]),
    row(StatusCode::FORBIDDEN, "Forbidden", "The caller may not do this.",
        &["forbidden", "not_allowed", "foreign_origin", "foreign_host", "foreign_conversation"]),
    row(StatusCode::NOT_FOUND, "NotFound", "The named object is not there.",
        &["not_found", "unknown_verb", "unknown_route", "invalid_id", "no_*"]),
    row(StatusCode::METHOD_NOT_ALLOWED, "WrongMethod", "The route has other methods.", &["wrong_method"]),
    row(StatusCode::REQUEST_TIMEOUT, "SlowBody", "The body did not arrive in time.", &["slow_body"]),
    row(StatusCode::CONFLICT, "Conflict", "The present state does not allow this.",
        &["wrong_revision", "delta_id_reused", "operation_reused", "run_ended", "step_taken", "last_owner",
          "playbook_exists", "key_exists", "other_word_tables", "other_embeddings", "undo_refused", "memory_full",
          "ambiguous_id"]),
    row(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", "The body is too large.", &["body_too_large"]),
    row(StatusCode::UNSUPPORTED_MEDIA_TYPE, "NotJson", "The body is not declared as JSON.", &["not_json"]),
    row(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", "The request breaks its schema, or has no meaning here.",
        &["invalid_*"]),
    row(StatusCode::TOO_MANY_REQUESTS, "RateLimited", "The caller has sent too many requests.", &["rate_limited"]),
    row(StatusCode::INTERNAL_SERVER_ERROR, "Fault", "The server or its store failed.",
        &["internal_error", "store_damaged", "store_foreign", "store_newer_schema", "store_read_only",
          "store_unexpected", "export_damaged"]),
    row(StatusCode::SERVICE_UNAVAILABLE, "Busy", "The server or its store is busy; try again.",
        &["too_many_requests", "contended", "stopped", "store_busy", "provider_unavailable", "embedder_failed",
          "audit_unwritable",
          "store_unavailable", "store_half_copied", "store_unknown_outcome"]),
    row(StatusCode::GATEWAY_TIMEOUT, "Late", "There was no answer in time.", &["answer_late"]),
    row(StatusCode::INSUFFICIENT_STORAGE, "StoreFull", "The store is full.", &["store_full"]),
];

/// The status for a problem.
pub(super) fn status(code: &str) -> StatusCode {
    let is_of = |row: &&Status| row.problems.contains(&code);
    let begins = |row: &&Status| {
        let mut starts = row.problems.iter().filter_map(|one| one.strip_suffix('*'));
        starts.any(|start| code.starts_with(start))
    };
    let found = STATUSES.iter().find(is_of);
    let found = found.or_else(|| STATUSES.iter().find(begins));
    found.map_or(StatusCode::UNPROCESSABLE_ENTITY, |row| row.code)
}

/// The server has all the work that it takes.
pub(super) fn crowded() -> Problem {
    Problem::new(
        "too_many_requests",
        "the server has all the work that it takes at once",
    )
    .with_hint("nothing was done; try again")
}

/// The server stops, or the work died.
pub(super) fn stopped() -> Problem {
    Problem::new("stopped", "the work ended before it had an answer")
        .with_hint("send the request again")
}

/// The answer for a problem.
pub(super) fn answer(problem: &Problem) -> Response<Body> {
    let status = status(problem.code);
    let mut response = json_response(
        status,
        "application/problem+json",
        &details(problem, status),
    );
    let headers = response.headers_mut();
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

pub(super) fn details(problem: &Problem, status: StatusCode) -> Value {
    json!({
        "type": format!("urn:hindlore:problem:{}", problem.code),
        "title": status.canonical_reason().unwrap_or("Problem"),
        "status": status.as_u16(),
        "detail": problem.message,
        "code": problem.code,
        "hint": problem.hint.as_deref().map(|hint| worded(hint, &Routes)),
    })
}

/// A response with a JSON body.
pub(super) fn json_response(
    status: StatusCode,
    kind: &'static str,
    value: &Value,
) -> Response<Body> {
    json_text(status, kind, value.to_string())
}

/// A response with a body that is JSON already.
pub(super) fn json_text(
    status: StatusCode,
    kind: &'static str,
    text: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // Answers are one learner's memory.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_problem_has_its_status() {
        for (code, expected) in [
            ("invalid_request", 422),
            ("invalid_json", 400),
            ("no_bullet", 404),
            ("no_memory", 404),
            ("wrong_revision", 409),
            ("store_busy", 503),
            ("store_full", 507),
            ("internal_error", 500),
            ("body_too_large", 413),
        ] {
            assert_eq!(status(code).as_u16(), expected, "{code}");
        }
    }

    #[test]
    fn a_hint_names_routes_fields_and_headers() {
        let hint = "<verb:bullets.list> shows the ids; check <subject:learner> and <field:id>";
        let said = "`/v1/bullets/list` shows the ids; check the header `Hindlore-Learner` and `id`";
        assert_eq!(worded(hint, &Routes), said);
    }
}
