//! Bullets sent as JSON objects without a file: each has the fields of ADD.
//!
//! A record's number, from 1, serves as its line, so that refusals read as they do for a file.

use serde_json::Value;

use super::Import;
use crate::delta_input::read_added;
use crate::problem::Problem;

/// Reads records.
pub(crate) fn read(records: &[Value]) -> Import {
    let mut import = Import::default();
    for (line, record) in (1..).zip(records) {
        import.add(line, read_added(record));
    }
    import
}

/// The records as bytes, from which the import's id is derived.
pub(crate) fn bytes_of(records: &[Value]) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(records)
        .map_err(|error| Problem::new("invalid_json", format!("the records are not JSON: {error}")))
}
