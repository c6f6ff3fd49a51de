//! The driver itself: the cost of the same writes on the server without an engine around them.
//!
//! A bare statement is given everything ready. It decides nothing, checks nothing, and finds nothing
//! when it is sent twice; it is the floor that a retrieval and an ingest are measured against.

use neo4rs::{BoltMap, ConfigBuilder, Graph, Query, Row};

use super::scratch::failed;
use crate::EvalError;
use hindlore_neo4j::Neo4jOptions;

/// A connection to the server without an engine.
#[derive(Clone)]
pub(crate) struct Bare {
    graph: Graph,
    database: String,
}

impl Bare {
    /// Reaches the server as the store does.
    pub(crate) fn connect(options: &Neo4jOptions) -> Result<Self, EvalError> {
        let config = ConfigBuilder::new()
            .uri(options.uri.as_str())
            .user(options.user.as_str())
            .password(options.password.as_str())
            .db(options.database.as_str())
            .fetch_size(1_000)
            .build()
            .map_err(failed)?;
        Ok(Self {
            graph: Graph::connect(config).map_err(failed)?,
            database: options.database.clone(),
        })
    }

    /// Sends a statement that is a transaction of its own and reads its answer to the end.
    pub(crate) async fn ask(
        &self,
        statement: &'static str,
        parameters: BoltMap,
    ) -> Result<Vec<Row>, EvalError> {
        let query = Query::new(statement.to_owned()).with_params(parameters);
        let database = self.database.as_str();
        let mut stream = self
            .graph
            .execute_on(database, query)
            .await
            .map_err(failed)?;
        let mut rows = Vec::new();
        while let Some(row) = stream.next().await.map_err(failed)? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// A connection for a task of its own.
    pub(crate) async fn asked(
        self,
        statement: &'static str,
        parameters: BoltMap,
    ) -> Result<Vec<Row>, EvalError> {
        self.ask(statement, parameters).await
    }
}

/// A map with one more value.
pub(crate) fn with(mut map: BoltMap, name: &str, value: impl Into<neo4rs::BoltType>) -> BoltMap {
    map.put(name.into(), value.into());
    map
}

/// A column of the first row.
pub(crate) fn first<T: serde::de::DeserializeOwned>(
    rows: &[Row],
    column: &str,
) -> Result<T, EvalError> {
    let row = rows
        .first()
        .ok_or_else(|| failed(format!("no row with `{column}`")))?;
    row.get(column).map_err(failed)
}
