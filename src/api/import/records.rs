//! Bullets that are sent as JSON objects, without a file around them: each has the fields of ADD.
//!
//! A record counts as a line, from 1, so that what is left out is told as it is of a file.

use serde_json::Value;

use super::Import;
use crate::api::delta_input::read_added;
use crate::api::problem::Problem;

/// Reads records.
pub(crate) fn read(records: &[Value]) -> Import {
    let mut import = Import::default();
    for (line, record) in (1..).zip(records) {
        import.add(line, read_added(record));
    }
    import
}

/// The records as bytes, from which the id of their import follows.
pub(crate) fn bytes_of(records: &[Value]) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(records)
        .map_err(|error| Problem::new("invalid_json", format!("the records are not JSON: {error}")))
}
