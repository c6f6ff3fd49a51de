//! Writing rows in requests of bounded size, and counting the written rows.

use neo4rs::Row;

use super::pieces::ROWS;
use super::transaction::Transaction;
use super::values::Map;
use crate::error::{Failure, Result};
use crate::memory::bullets::{labels, properties};
use crate::memory::deltas;
use crate::memory::deltas::Written;
use crate::memory::events::{Place, change_row, delta_key};
use crate::statements::{CREATE_DELTAS, EXTEND_DELTA, RELABEL, Statement};
use hindlore_domain::memory::bullet::Bullet;

/// Writes bullets with a statement that takes all their properties.
pub(crate) async fn write_bullets(
    tx: &mut Transaction,
    place: Place<'_>,
    statement: Statement,
    bullets: &[&Bullet],
) -> Result<()> {
    for some in bullets.chunks(ROWS) {
        let rows = some.iter().map(|b| properties(place.key, place.memory, b));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let written = Map::new()
            .with("memory", place.memory)
            .list("bullets", rows);
        tx.execute(statement, written).await?;
    }
    Ok(())
}

/// Relates bullets to their tags, topics and concepts.
pub(crate) async fn relabel<'b>(
    tx: &mut Transaction,
    place: Place<'_>,
    bullets: impl Iterator<Item = &'b Bullet> + Send,
) -> Result<()> {
    let rows: Vec<Map> = bullets
        .map(|b| labels(place.key, place.memory, b))
        .collect();
    for some in rows.chunks(ROWS) {
        tx.execute(RELABEL, Map::new().list("bullets", some.to_vec()))
            .await?;
    }
    Ok(())
}

/// Writes deltas with all their changes; the first request also carries new bullets and the memory's changes.
pub(crate) async fn write_deltas(
    tx: &mut Transaction,
    place: Place<'_>,
    written: Written<'_>,
) -> Result<()> {
    let (asked, expected) = deltas::request(place, &written)?;
    check_count(&tx.query(CREATE_DELTAS, asked).await?, "changed", expected)?;
    for (delta, changes) in &written.deltas {
        // The first chunk went along with the delta.
        for some in changes.chunks(ROWS).skip(1) {
            let rows = some.iter().map(|change| change_row(place.memory, change));
            let more = Map::new()
                .with("delta", delta_key(place.memory, &delta.id))
                .list("changes", rows.collect::<Result<_>>()?);
            check_count(&tx.query(EXTEND_DELTA, more).await?, "changed", some.len())?;
        }
    }
    Ok(())
}

/// Refuses a write that reached fewer rows than expected: a MATCH without a bullet writes nothing and reports nothing.
pub(crate) fn check_count(rows: &[Row], column: &str, expected: usize) -> Result<()> {
    let written: u64 = rows.first().map_or(Ok(0), |row| row.get(column))?;
    if usize::try_from(written) == Ok(expected) {
        Ok(())
    } else {
        Err(Failure::Refused(format!(
            "{written} of {expected} were {column}, since the memory lacks a bullet that was named; decide on what the memory holds"
        )))
    }
}
