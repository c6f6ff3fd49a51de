//! Reads fields of a vendor's answer, and names the one that is not as known.

use serde_json::Value;

use crate::model::ModelError;

/// A reader of one vendor's answer.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub(super) vendor: &'static str,
}

impl Reader {
    /// The text at a path; `field` is the path as people write it.
    pub(super) fn text<'v>(
        self,
        body: &'v Value,
        at: &str,
        field: &'static str,
    ) -> Result<&'v str, ModelError> {
        let found = body.pointer(at).and_then(Value::as_str);
        found.ok_or_else(|| self.missing(field))
    }

    /// The list at a path.
    pub(super) fn list<'v>(
        self,
        body: &'v Value,
        at: &str,
        field: &'static str,
    ) -> Result<&'v [Value], ModelError> {
        let found = body.pointer(at).and_then(Value::as_array);
        found.map(Vec::as_slice).ok_or_else(|| self.missing(field))
    }

    /// A count at a path: 0 where there is none, since not every server bills.
    pub(super) fn count(
        self,
        body: &Value,
        at: &str,
        field: &'static str,
    ) -> Result<u64, ModelError> {
        match body.pointer(at) {
            None | Some(Value::Null) => Ok(0),
            Some(value) => value.as_u64().ok_or_else(|| self.missing(field)),
        }
    }

    pub(super) fn missing(self, field: &'static str) -> ModelError {
        ModelError::Field {
            field,
            vendor: self.vendor,
        }
    }
}
