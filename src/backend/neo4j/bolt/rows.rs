//! The rows of a statement, read to the end, so that nothing of the answer is left on the connection.

use neo4rs::{Query, Row, Txn};

/// Sends a statement within a transaction and reads all its rows.
pub(super) async fn rows_of(txn: &mut Txn, query: Query) -> neo4rs::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut stream = txn.execute(query).await?;
    while let Some(row) = stream.next(&mut *txn).await? {
        rows.push(row);
    }
    Ok(rows)
}
