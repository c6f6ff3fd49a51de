//! One operation of the document: a verb at its own path, or at that of a resource.

use serde_json::{Map, Value, json};

use super::parameters::{headers, query};
use super::{Named, Registered, Resource, find};
use crate::http::problem::{STATUSES, Status};
use hindlore_api::examples::example;

/// The statuses of problems of every operation.
const OF_ALL: [u16; 8] = [400, 401, 403, 404, 409, 422, 429, 503];
/// The one that a body adds. Rarer ones are among `default`.
const OF_BODIES: [u16; 1] = [413];

/// Where a verb is reached.
pub(super) struct Place {
    pub(super) path: String,
    name: String,
    verb: &'static Registered,
    /// The resource, if it is one.
    resource: Option<&'static Resource>,
}

impl Place {
    /// The path of a verb.
    pub(super) fn of_verb(verb: &'static Registered) -> Self {
        Self {
            path: format!("/v1/{}", verb.path()),
            name: verb.name.to_owned(),
            verb,
            resource: None,
        }
    }

    /// The path of a resource.
    pub(super) fn of_resource(resource: &'static Resource) -> Option<Self> {
        Some(Self {
            path: resource.path.to_owned(),
            name: resource.operation.to_owned(),
            verb: find(resource.verb).ok()?,
            resource: Some(resource),
        })
    }

    fn has_body(&self) -> bool {
        self.resource
            .map_or_else(|| self.verb.method() == "POST", Resource::has_body)
    }

    /// The field that the path holds.
    fn field(&self) -> Option<&'static str> {
        self.resource.and_then(Resource::field)
    }
}

/// The first part of the name of a verb.
pub(super) fn noun(verb: &Registered) -> &'static str {
    verb.name.split('.').next().unwrap_or_default()
}

/// Describes the operation at a place; a request that only this place takes becomes a named schema.
pub(super) fn described(place: &Place, named: &mut Named) -> Value {
    let verb = place.verb;
    let shapes = named.verbs.get(verb.name).cloned();
    let request = shapes.as_ref().map(|shapes| shapes.request.clone());
    let request = request.unwrap_or_default();
    let mut fields = named.resolved(&request).clone();
    let mut example = example(verb);
    let mut parameters = headers(verb.once_by.is_some());
    if let Some(name) = place.field() {
        parameters.push(in_path(name, &mut fields, &mut example));
    }
    let has_body = place.has_body();
    if !has_body {
        parameters.extend(query(&fields, &example));
    }
    let mut operation = json!({
        "operationId": place.name,
        "tags": [noun(verb)],
        "summary": verb.title(),
        "parameters": parameters,
        "responses": answers(place, named),
    });
    // Its first paragraph is the summary.
    if let Some((_, about)) = verb.about().split_once("\n\n") {
        operation["description"] = about.into();
    }
    if has_body {
        let schema = body(place, (request, fields), (named, &mut example));
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": schema, "example": example } },
        });
    }
    operation
}

/// Takes the field of the path out of a request.
fn in_path(name: &str, fields: &mut Value, example: &mut Value) -> Value {
    let mut schema = fields["properties"]
        .as_object_mut()
        .and_then(|fields| fields.remove(name))
        .unwrap_or_default();
    if let Some(required) = fields["required"].as_array_mut() {
        required.retain(|one| one != name);
    }
    let about = schema
        .as_object_mut()
        .and_then(|it| it.remove("description"));
    let value = example.as_object_mut().and_then(|it| it.remove(name));
    // A path without it is another path.
    schema["minLength"] = 1.into();
    json!({
        "name": name, "in": "path", "required": true, "description": about, "schema": schema, "example": value,
    })
}

/// The schema of a body: that of the verb, or a new one where the place takes other fields.
fn body(
    place: &Place,
    (request, mut fields): (Value, Value),
    (named, example): (&mut Named, &mut Value),
) -> Value {
    let learner = place.resource.and_then(|resource| resource.learner);
    if let Some(learner) = learner {
        fields["properties"][learner] = json!({
            "type": ["string", "null"], "maxLength": 256,
            "description": "Learner of the memory, as in the header `hindlore-learner`.",
        });
        example[learner] = "alice".into();
    }
    if learner.is_none() && place.field().is_none() {
        return request;
    }
    let mut name = place.name.clone();
    name[..1].make_ascii_uppercase();
    named.schemas.insert(name.clone(), fields);
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn answers(place: &Place, named: &Named) -> Map<String, Value> {
    let shows = place.resource.and_then(|resource| resource.shows);
    let answer = named.verbs.get(shows.unwrap_or(place.verb.name));
    let answer = answer
        .map(|shapes| shapes.answer.clone())
        .unwrap_or_default();
    let is_created = place.resource.is_some_and(Resource::creates);
    let mut ok = json!({
        "description": "The answer.",
        "content": { "application/json": { "schema": answer } },
    });
    let mut answers = Map::new();
    if is_created && shows.is_some() {
        answers.insert("200".to_owned(), {
            let mut known = ok.clone();
            known["description"] = "The text was known; its record.".into();
            known
        });
        ok["description"] = "The new record.".into();
        ok["headers"] = json!({ "location": {
            "description": "Address of the new record.", "schema": { "type": "string" },
        } });
    }
    let status = if is_created { "201" } else { "200" };
    answers.insert(status.to_owned(), ok);
    answers.extend(problems(place.has_body()));
    answers
}

/// True for a status that operations list.
pub(super) fn names(status: &Status) -> bool {
    let code = status.code.as_u16();
    OF_ALL.contains(&code) || OF_BODIES.contains(&code)
}

/// The problems of an operation, by their statuses.
pub(super) fn problems(has_body: bool) -> Map<String, Value> {
    let reference = |name: &str| json!({ "$ref": format!("#/components/responses/{name}") });
    let statuses = OF_ALL.iter().chain(OF_BODIES.iter().filter(|_| has_body));
    let problem = |status: &u16| {
        let row = STATUSES.iter().find(|row| row.code.as_u16() == *status)?;
        Some((status.to_string(), reference(row.name)))
    };
    let mut problems: Map<String, Value> = statuses.filter_map(problem).collect();
    problems.insert("default".to_owned(), reference("Problem"));
    problems
}
