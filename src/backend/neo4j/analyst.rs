//! The questions of analysts: statements that read, compiled into the program, with parameters from outside.
//!
//! The text must live as long as the program, so that no caller can send one that it has put together.

use serde_json::{Map as Fields, Value};

use super::bolt::values::Map;
use super::bolt::work::send;
use super::error::{Failure, Result};
use super::statements::Statement;
use super::store::Neo4jStore;
use hindlore_store::StoreResult;

impl Neo4jStore {
    /// Asks a question; returns its rows, at most `rows_max`.
    ///
    /// # Errors
    /// `Invalid` for a parameter that is neither text, number nor truth; otherwise those of a read.
    pub async fn ask(
        &self,
        (name, text): (&'static str, &'static str),
        parameters: &Fields<String, Value>,
        rows_max: usize,
    ) -> StoreResult<Vec<Fields<String, Value>>> {
        let asked = async {
            let mut values = Map::new();
            for (name, value) in parameters {
                values = with(values, name, value)?;
            }
            let rows = send(&self.executor, Statement { name, text }, values).await?;
            let rows = rows.into_iter().take(rows_max);
            let rows: Result<Vec<_>> = rows.map(|row| Ok(row.to()?)).collect();
            rows
        };
        asked
            .await
            .map_err(|failure| self.store_error(name, failure))
    }
}

fn with(values: Map, name: &str, value: &Value) -> Result<Map> {
    match value {
        Value::String(text) => Ok(values.with(name, text.as_str())),
        Value::Bool(is) => Ok(values.with(name, *is)),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Ok(values.with(name, whole)),
            (None, Some(float)) => Ok(values.with(name, float)),
            (None, None) => Err(Failure::Refused(format!("`{name}` is {number}"))),
        },
        other => Err(Failure::Refused(format!(
            "`{name}` is {other}, neither text, number nor truth"
        ))),
    }
}
