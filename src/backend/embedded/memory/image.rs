//! Images as rows: one for each block, with a checksum, so that a damaged one is named and never read.

use rusqlite::{OptionalExtension, Transaction, params};

use super::state;
use crate::EmbeddedStore;
use crate::error::{Failure, Result};
use crate::rows::Whole;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{ImagePart, MemoryImage, StoreResult};

/// Bytes of a block: a transaction each, so that no writer waits long for an image.
const BLOCK: usize = 1 << 20;

/// Reads a part of the newest complete image.
pub(super) fn read(
    tx: &Transaction<'_>,
    key: &MemoryKey,
    part: ImagePart,
) -> Result<Option<MemoryImage<Vec<u8>>>> {
    let Some((memory, _)) = state::place(tx, key)? else {
        return Ok(None);
    };
    let newest = tx
        .prepare_cached(
            "SELECT image, incarnation, clock,
                 (SELECT sum(length(body)) FROM image_blocks b WHERE b.image = i.image AND part = ?2)
             FROM images i WHERE memory = ?1 AND complete = 1 ORDER BY clock DESC, image DESC LIMIT 1",
        )?
        .query_row(params![memory, part as i64], |row| {
            let size: Option<u64> = row.get::<_, Option<Whole>>(3)?.map(|size| size.0);
            let image = MemoryImage {
                incarnation: row.get(1)?,
                clock: row.get::<_, Whole>(2)?.0,
                bytes: Vec::with_capacity(usize::try_from(size.unwrap_or(0)).unwrap_or(0)),
            };
            Ok((row.get::<_, i64>(0)?, image))
        });
    let Some((number, mut image)) = newest.optional()? else {
        return Ok(None);
    };
    let mut statement = tx.prepare_cached(
        "SELECT block, checksum, body FROM image_blocks WHERE image = ?1 AND part = ?2 ORDER BY block",
    )?;
    let mut rows = statement.query(params![number, part as i64])?;
    while let Some(row) = rows.next()? {
        let (block, checksum): (i64, i64) = (row.get(0)?, row.get(1)?);
        let body = row.get_ref(2)?.as_blob().unwrap_or_default();
        if i64::from(crc32fast::hash(body)) != checksum {
            return Err(Failure::Damaged(format!(
                "block {block} of part {} of the image of the memory `{key}`; it is made again",
                part as i64
            )));
        }
        image.bytes.extend_from_slice(body);
    }
    drop(rows);
    tx.release_memory()?;
    Ok(Some(image))
}

impl EmbeddedStore {
    /// Writes an image block by block, and then puts it in the place of earlier ones.
    pub(super) async fn write_image(
        &self,
        key: &MemoryKey,
        image: MemoryImage<[Vec<u8>; 2]>,
    ) -> StoreResult<()> {
        const PUT: &str = "put_image";
        let MemoryImage {
            incarnation,
            clock,
            bytes,
        } = image;
        let key = key.clone();
        let begun = self.write(PUT, move |tx| begin(tx, &key, &incarnation, clock));
        let Some(number) = begun.await? else {
            return Ok(());
        };
        for (part, bytes) in (0_i64..).zip(&bytes) {
            for (block, body) in (0_i64..).zip(bytes.chunks(BLOCK)) {
                let (place, body) = ([number, part, block], body.to_vec());
                self.write(PUT, move |tx| put_block(tx, place, &body))
                    .await?;
            }
        }
        self.write(PUT, move |tx| complete(tx, number)).await
    }
}

/// Begins an image of a memory in place of the earlier ones, so that the file has room for one; `None` if it is another
/// memory by now.
fn begin(
    tx: &Transaction<'_>,
    key: &MemoryKey,
    incarnation: &str,
    clock: u64,
) -> Result<Option<i64>> {
    let Some((memory, position)) = state::place(tx, key)? else {
        return Ok(None);
    };
    if position.incarnation != incarnation {
        return Ok(None);
    }
    tx.prepare_cached("DELETE FROM images WHERE memory = ?1")?
        .execute([memory])?;
    tx.prepare_cached(
        "INSERT INTO images (memory, incarnation, clock, complete) VALUES (?1, ?2, ?3, 0)",
    )?
    .execute(params![memory, incarnation, Whole(clock)])?;
    Ok(Some(tx.last_insert_rowid()))
}

/// Writes a block of a part, unless the image was dropped meanwhile.
fn put_block(tx: &Transaction<'_>, [image, part, block]: [i64; 3], body: &[u8]) -> Result<()> {
    let checksum = i64::from(crc32fast::hash(body));
    tx.prepare_cached(
        "INSERT INTO image_blocks (image, part, block, checksum, body)
         SELECT image, ?2, ?3, ?4, ?5 FROM images WHERE image = ?1",
    )?
    .execute(params![image, part, block, checksum, body])?;
    Ok(())
}

/// Completes an image, if it was not dropped meanwhile.
fn complete(tx: &Transaction<'_>, image: i64) -> Result<()> {
    tx.prepare_cached("UPDATE images SET complete = 1 WHERE image = ?1")?
        .execute([image])?;
    Ok(())
}
