//! A request as a verb reads it: checked against its schema, and without the secrets in its names.

use serde_json::Value;

use super::check::faults;
use super::names;
use super::problem::Problem;
use super::schema;
use super::verb::Verb;
use hindlore_redact::Redactor;

/// Deserializes a request that the program makes itself and that matches its schema; otherwise lists all faults.
pub fn read<V: Verb>(request: Value) -> Result<V, Problem> {
    read_by(&schema::of_request::<V>(), &Redactor::off(), request)
}

/// As `read`, for a request from outside: without the secrets in its names.
pub fn receive<V: Verb>(redactor: &Redactor, request: Value) -> Result<V, Problem> {
    read_by(&schema::of_request::<V>(), redactor, request)
}

pub(super) fn read_by<V: Verb>(
    schema: &Value,
    redactor: &Redactor,
    mut request: Value,
) -> Result<V, Problem> {
    let faults = faults(schema, &mut request);
    if !faults.is_empty() {
        return Err(invalid::<V>(&faults.join("; ")));
    }
    names::redact(redactor, V::NAME, &mut request);
    serde_json::from_value(request).map_err(|error| invalid::<V>(&error.to_string()))
}

fn invalid<V: Verb>(faults: &str) -> Problem {
    Problem::new("invalid_request", format!("{}: {faults}", V::NAME))
}
