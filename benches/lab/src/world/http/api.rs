//! The definition of an interface, the requests that it accepts, and those of an expert.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::request::Request;
use crate::error::{LabError, LabResult};
use crate::tool::{PlanStep, Task};

/// Why a request is refused.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) values: Vec<(&'static str, String)>,
}

/// One thing that can be asked for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Endpoint {
    pub(super) does: String,
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    body: BTreeMap<String, String>,
}

/// An interface.
#[derive(Clone, PartialEq, Debug)]
pub struct Api {
    endpoints: BTreeMap<String, Endpoint>,
    header: String,
    scheme: String,
    pub(super) token: String,
    pub(super) page_name: String,
    pub(super) page_size: usize,
    pub(super) window: u64,
    pub(super) calls: u64,
    pub(super) faults: f64,
    pub(super) records: Vec<Map<String, Value>>,
}

impl Refusal {
    pub(super) fn new(status: u16, kind: &'static str, values: &[(&'static str, &str)]) -> Self {
        let values = values
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()));
        Self {
            status,
            kind,
            values: values.collect(),
        }
    }
}

impl Api {
    /// Reads the key `api` of `tool.json` and `data/records.json`.
    pub(crate) fn parse(tool: &Value, data: &BTreeMap<String, String>) -> LabResult<Self> {
        let api = tool.get("api").ok_or_else(|| wrong("`api` is missing"))?;
        let text = |key: &str| {
            let text = api.get(key).and_then(Value::as_str).map(str::to_owned);
            text.ok_or_else(|| wrong(format!("`api` has no `{key}`")))
        };
        let number = |key: &str, usual: u64| api.get(key).and_then(Value::as_u64).unwrap_or(usual);
        let endpoints = api
            .get("endpoints")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        let endpoints = endpoints.map(|(name, json)| Ok((name.clone(), endpoint(name, json)?)));
        let records = data.get("records.json").map_or("[]", String::as_str);
        Ok(Self {
            endpoints: endpoints.collect::<LabResult<_>>()?,
            header: text("header")?,
            scheme: text("scheme")?,
            token: text("token")?,
            page_name: text("page_name")?,
            page_size: number("page_size", 10).max(1) as usize,
            window: number("window", 4).max(1),
            calls: number("calls", 3).max(1),
            faults: api.get("faults").and_then(Value::as_f64).unwrap_or(0.0),
            records: serde_json::from_str(records)
                .map_err(|error| LabError::definition("data/records.json", error))?,
        })
    }

    /// Finds the operation of a request, and the id in its path; the first fault refuses it.
    pub(super) fn admits<'a>(
        &'a self,
        request: &Request,
    ) -> Result<(&'a Endpoint, Option<String>), Refusal> {
        let of_path: Vec<(&Endpoint, Option<String>)> = self
            .endpoints
            .values()
            .filter_map(|endpoint| Some((endpoint, endpoint.id_in(&request.path)?)))
            .collect();
        if of_path.is_empty() {
            let paths: Vec<&str> = self
                .endpoints
                .values()
                .map(|one| one.path.as_str())
                .collect();
            return Err(Refusal::new(
                404,
                "no_route",
                &[("path", &request.path), ("paths", &paths.join(", "))],
            ));
        }
        let methods: Vec<&str> = of_path.iter().map(|(one, _)| one.method.as_str()).collect();
        let methods = methods.join(", ");
        let found = of_path
            .into_iter()
            .find(|(one, _)| one.method == request.method);
        let (endpoint, id) = found.ok_or_else(|| {
            Refusal::new(
                405,
                "wrong_method",
                &[("method", &request.method), ("methods", &methods)],
            )
        })?;
        self.authorised(request)?;
        endpoint.fits(request)?;
        Ok((endpoint, id))
    }

    fn authorised(&self, request: &Request) -> Result<(), Refusal> {
        let values = [
            ("header", self.header.as_str()),
            ("scheme", self.scheme.as_str()),
        ];
        let Some(given) = request.headers.get(&self.header.to_ascii_lowercase()) else {
            return Err(Refusal::new(401, "no_auth", &values));
        };
        if *given == self.credential() {
            Ok(())
        } else {
            Err(Refusal::new(403, "wrong_auth", &values))
        }
    }

    fn credential(&self) -> String {
        self.scheme.replace("<token>", &self.token)
    }

    /// Writes a step of a plan as one who knows the interface would.
    pub(crate) fn request(&self, step: &PlanStep) -> LabResult<String> {
        let endpoint = self.endpoints.get(&step.intent);
        let endpoint = endpoint.ok_or_else(|| wrong(format!("no endpoint `{}`", step.intent)))?;
        let given = |name: &String| {
            let value = step.data.get(name).cloned();
            value.ok_or_else(|| wrong(format!("`{}` needs `{name}`", step.intent)))
        };
        let mut line = format!("{} {}", endpoint.method, endpoint.path);
        if line.contains("<id>") {
            line = line.replace("<id>", &super::text(Some(&given(&"id".to_owned())?)));
        }
        let mut sign = '?';
        for (field, name) in &endpoint.query {
            line.push_str(&format!(
                "{sign}{field}={}",
                super::text(Some(&given(name)?))
            ));
            sign = '&';
        }
        line.push_str(&format!(" [{}: {}]", self.header, self.credential()));
        if !endpoint.body.is_empty() {
            let body = endpoint
                .body
                .iter()
                .map(|(field, name)| Ok((field.clone(), given(name)?)));
            line.push_str(&format!(
                " {}",
                Value::Object(body.collect::<LabResult<_>>()?)
            ));
        }
        Ok(line)
    }

    /// Checks that the requests of a task can be made.
    pub(crate) fn check(&self, task: &Task) -> LabResult<()> {
        for step in &task.plan {
            let line = self.request(step)?;
            let request = Request::read(&line);
            let admitted = request.ok_or("malformed").and_then(|request| {
                self.admits(&request)
                    .map(|_| ())
                    .map_err(|refusal| refusal.kind)
            });
            admitted.map_err(|kind| {
                LabError::definition(
                    "tasks.json",
                    format!("`{line}` of `{}` is refused: {kind}", task.name),
                )
            })?;
        }
        Ok(())
    }
}

impl Endpoint {
    /// `None` when the path is another one, else the id in it.
    fn id_in(&self, path: &str) -> Option<Option<String>> {
        match self.path.split_once("<id>") {
            None => (self.path == path).then_some(None),
            Some((before, after)) => {
                let id = path.strip_prefix(before)?.strip_suffix(after)?;
                let is_id = !id.is_empty() && !id.contains('/');
                is_id.then(|| Some(id.to_owned()))
            }
        }
    }

    fn fits(&self, request: &Request) -> Result<(), Refusal> {
        let known: Vec<&str> = self
            .query
            .keys()
            .chain(self.body.keys())
            .map(String::as_str)
            .collect();
        let known = known.join(", ");
        let refuse = |status, kind, field: &str| {
            Err(Refusal::new(
                status,
                kind,
                &[("field", field), ("fields", &known)],
            ))
        };
        if let Some(field) = request
            .query
            .keys()
            .find(|field| !self.query.contains_key(*field))
        {
            return refuse(400, "unknown_query", field);
        }
        if let Some(field) = self
            .query
            .keys()
            .find(|field| !request.query.contains_key(*field))
        {
            return refuse(400, "missing_query", field);
        }
        if request.has_bad_body {
            return refuse(400, "bad_body", "");
        }
        if let Some(field) = request
            .body
            .keys()
            .find(|field| !self.body.contains_key(*field))
        {
            return refuse(422, "unknown_field", field);
        }
        if let Some(field) = self
            .body
            .keys()
            .find(|field| !request.body.contains_key(*field))
        {
            return refuse(422, "missing_field", field);
        }
        let is_numeric_text = |value: &Value| {
            value
                .as_str()
                .is_some_and(|text| text.parse::<f64>().is_ok())
        };
        match request
            .body
            .iter()
            .find(|(_, value)| is_numeric_text(value))
        {
            Some((field, _)) => refuse(422, "wrong_type", field),
            None => Ok(()),
        }
    }
}

fn endpoint(name: &str, json: &Value) -> LabResult<Endpoint> {
    let text = |key: &str| {
        let text = json.get(key).and_then(Value::as_str).map(str::to_owned);
        text.ok_or_else(|| wrong(format!("the endpoint `{name}` has no `{key}`")))
    };
    let texts = |key: &str| -> BTreeMap<String, String> {
        let map = json
            .get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        map.filter_map(|(field, from)| Some((field.clone(), from.as_str()?.to_owned())))
            .collect()
    };
    Ok(Endpoint {
        does: text("does")?,
        method: text("method")?,
        path: text("path")?,
        query: texts("query"),
        body: texts("body"),
    })
}

fn wrong(what: impl std::fmt::Display) -> LabError {
    LabError::definition("tool.json", what)
}
