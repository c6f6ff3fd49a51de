//! A request as typed.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::redaction;
use crate::session::Session;
use hindlore_api::catalog;
use hindlore_api::problem::Problem;
use hindlore_api::verb::Verb;

impl From<Request> for Value {
    fn from(request: Request) -> Self {
        Self::Object(request.0)
    }
}

/// A request as typed: JSON, not yet checked.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Request(Map<String, Value>);

impl Request {
    /// A request with these fields.
    pub(super) fn new(fields: Map<String, Value>) -> Self {
        Self(fields)
    }

    /// A typed field.
    pub(crate) fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Sets a field, overriding the typed one.
    pub(crate) fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.0.insert(field.to_owned(), value.into());
    }

    /// Takes the path typed for a field.
    pub(crate) fn take_path(&mut self, field: &str) -> PathBuf {
        let path = self.0.remove(field);
        let path = path.as_ref().and_then(Value::as_str);
        path.unwrap_or("-").into()
    }

    /// Takes a flag of the command itself.
    pub(crate) fn take_flag(&mut self, flag: &str) -> bool {
        self.0.remove(flag).is_some()
    }

    /// Takes the words typed for a field.
    pub(crate) fn take_texts(&mut self, field: &str) -> Vec<String> {
        let texts = self.0.remove(field);
        let texts = texts.as_ref().and_then(Value::as_array);
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// Checks the request as every surface does.
    pub(crate) fn read<V: Verb>(self, session: &Session) -> Result<V, Problem> {
        // A faulty rule stops commands that write, by the options of the engine; reading continues.
        let redactor = redaction::read(&session.settings).unwrap_or_default();
        catalog::receive(&redactor, Value::Object(self.0))
    }
}
