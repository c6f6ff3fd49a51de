//! Recording retrievals that were ranked at a known position: one request, one commit.
//!
//! A request beyond the driver's buffer may be delayed (see `loopback_padding`). So data that several retrievals share
//! is sent once, and a batch that is still too large goes in several requests of one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use neo4rs::{BoltType, Row};

use super::bullets::parsed;
use super::events::{bullet_part, marks_of, retrieval_key};
use crate::bolt::random::token;
use crate::bolt::times::{Moment, date};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, list_of, memory_key, memory_names, signed, title};
use crate::bolt::work::{Task, carry_out, send, send_anew};
use crate::error::{Failure, Result};
use crate::statements::{TOUCH, TOUCHED};
use crate::store::Neo4jStore;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{Position, RetrievalRecord, TouchBatch, TouchOutcome, Touched};

impl Neo4jStore {
    /// Records a batch, unless the memory has moved on.
    pub(super) async fn record(&self, key: &MemoryKey, batch: TouchBatch) -> Result<TouchOutcome> {
        if batch.retrievals.is_empty() {
            return self.record_nothing(key, &batch).await;
        }
        if self.read_only {
            return Err(Failure::ReadOnly);
        }
        once_each(&batch.retrievals)?;
        let request = Request {
            key: key.clone(),
            memory: memory_key(key),
            token: token(),
            known: batch.known.clone(),
            strict: batch.strict,
            piece_bytes: self.executor.transport.at_once(),
        };
        let retrievals = batch.retrievals;
        let recorded = match self.send_batch(&request, &retrievals).await {
            // The duplicate may be our own, written before an answer was lost.
            Err(failure) if failure.is_repeat() => match self.written(&request, &retrievals).await?
            {
                Recorded::Moved => return Err(failure),
                done => done,
            },
            recorded => recorded?,
        };
        match recorded {
            Recorded::Done { first_tick, others } => {
                Ok(TouchOutcome::Recorded { first_tick, others })
            }
            Recorded::Moved => self.moved(key, &batch.known).await,
        }
    }

    /// Writes a batch in one auto-commit request, or in several requests of one transaction.
    async fn send_batch(
        &self,
        request: &Request,
        retrievals: &[RetrievalRecord],
    ) -> Result<Recorded> {
        let mut pieces = Vec::new();
        request.cut(retrievals, &mut pieces)?;
        let (recorded, was_lost) = match pieces.pop() {
            Some((_, only)) if pieces.is_empty() => {
                let (rows, was_lost) = send_anew(&self.executor, TOUCH, only).await?;
                (recorded(&rows)?, was_lost)
            }
            last => {
                pieces.extend(last);
                carry_out(&self.executor, Many { pieces }).await?
            }
        };
        match recorded {
            // The memory may have moved by an earlier attempt of this very request.
            Recorded::Moved if was_lost => self.written(request, retrievals).await,
            recorded => Ok(recorded),
        }
    }

    /// Looks up the writes of an earlier attempt of this request; `Moved` when there are none.
    async fn written(&self, request: &Request, retrievals: &[RetrievalRecord]) -> Result<Recorded> {
        // All of a request is committed together, so its first retrieval proves the rest.
        let first = retrievals.first().map_or("", |one| one.id.as_str());
        let asked = Map::new()
            .with("memory", request.memory.as_str())
            .with("retrieval", retrieval_key(&request.memory, first))
            .with("request", request.token.as_str())
            .whole("clock", request.known.clock)?;
        let rows = send(&self.executor, TOUCHED, asked).await?;
        let Some(row) = rows.first() else {
            return Ok(Recorded::Moved);
        };
        Ok(Recorded::Done {
            first_tick: row.get("tick")?,
            others: touched(row)?,
        })
    }

    /// Answers an empty batch, which only asks for the changes by others.
    async fn record_nothing(&self, key: &MemoryKey, batch: &TouchBatch) -> Result<TouchOutcome> {
        let Some(changed) = self.look(key, batch.known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if has_moved(&changed.head.position, batch) {
            return Ok(TouchOutcome::Moved(Box::new(changed)));
        }
        // The revision has not moved, so a changed bullet can only have been touched.
        let touched = changed.bullets.iter().filter_map(|bullet| {
            Some(Touched {
                bullet: bullet.id,
                tick: bullet.changed_tick,
                at: bullet.last_access?,
            })
        });
        let mut others: Vec<Touched> = touched.collect();
        others.sort_unstable_by_key(|one| one.bullet);
        Ok(TouchOutcome::Recorded {
            first_tick: changed.head.position.clock + 1,
            others,
        })
    }

    /// The changes since the known position; only the head for another incarnation, since the caller must reload.
    async fn moved(&self, key: &MemoryKey, known: &Position) -> Result<TouchOutcome> {
        let Some(mut others) = self.look(key, known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if others.head.position.incarnation != known.incarnation {
            others.bullets.clear();
            others.links.clear();
        }
        Ok(TouchOutcome::Moved(Box::new(others)))
    }
}

/// A clock before the known one also counts as moved: the database was restored from a backup.
fn has_moved(position: &Position, batch: &TouchBatch) -> bool {
    let known = &batch.known;
    position.incarnation != known.incarnation
        || position.revision != known.revision
        || position.clock < known.clock
        || (batch.strict && position.clock != known.clock)
}

fn once_each(retrievals: &[RetrievalRecord]) -> Result<()> {
    let mut seen = HashSet::new();
    match retrievals.iter().find(|one| !seen.insert(one.id.as_str())) {
        None => Ok(()),
        Some(one) => Err(Failure::Refused(format!(
            "retrieval `{}` stands in the batch twice; record each once",
            one.id
        ))),
    }
}

/// The common data of all requests of a batch.
struct Request {
    key: MemoryKey,
    memory: String,
    token: String,
    known: Position,
    strict: bool,
    /// Largest request, in bytes, that is sent without delay.
    piece_bytes: usize,
}

/// Texts that are sent once each, with their indexes.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    places: HashMap<String, i64>,
}

impl Texts {
    fn place(&mut self, text: &str) -> BoltType {
        if let Some(place) = self.places.get(text) {
            return (*place).into();
        }
        let place = i64::try_from(self.all.len()).unwrap_or(i64::MAX);
        self.all.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place.into()
    }
}

impl Request {
    /// Cuts a batch into requests that are sent without delay, or hold a single retrieval.
    fn cut(&self, some: &[RetrievalRecord], pieces: &mut Vec<(usize, Map)>) -> Result<()> {
        let parameters = self.parameters(some, pieces.is_empty())?;
        let bytes = TOUCH.bytes(&parameters);
        if some.len() == 1 || bytes <= self.piece_bytes {
            pieces.push((some.len(), parameters));
            return Ok(());
        }
        // An estimate, since each part repeats the statement; parts that are still too large are cut again.
        let parts = bytes.div_ceil(self.piece_bytes).min(some.len());
        for part in some.chunks(some.len().div_ceil(parts)) {
            self.cut(part, pieces)?;
        }
        Ok(())
    }

    /// The parameters for some retrievals at the known clock. Only the first request can be strict about the clock: the
    /// others follow it in the same transaction.
    fn parameters(&self, some: &[RetrievalRecord], is_first: bool) -> Result<Map> {
        let event = memory_names(&self.key).with("request", self.token.as_str());
        let mut texts = Texts::default();
        // For each bullet: its index, and the number and time of the last retrieval that returned it.
        let mut bullets: BTreeMap<BulletId, (i64, i64, Timestamp)> = BTreeMap::new();
        for (row, retrieval) in (1..).zip(some) {
            for one in &retrieval.returned {
                // Later rows overwrite earlier ones: the last touch of a bullet counts.
                bullets.insert(one.bullet, (0, row, retrieval.at));
            }
        }
        // Indexes follow the order of ids, known only once all are in.
        for (at, bullet) in (0..).zip(bullets.values_mut()) {
            bullet.0 = at;
        }
        let mut rows = Vec::new();
        for one in some {
            let mut row: Vec<BoltType> = vec![
                retrieval_key(&self.memory, &one.id).into(),
                one.id.as_str().into(),
                date(one.at),
                signed(one.revision)?.into(),
                signed(one.ranked_at)?.into(),
                texts.place(one.profile.word()),
                texts.place(&one.parameters),
                texts.place(&one.query),
                texts.place(&title(&one.query)),
            ];
            row.extend(one.returned.iter().map(|one| {
                let mut returned: Vec<BoltType> =
                    vec![bullets[&one.bullet].0.into(), one.score.into()];
                returned.extend(marks_of(one).map(BoltType::from));
                list_of(returned)
            }));
            rows.push(list_of(row));
        }
        let bullets = bullets.iter().map(|(id, (_, row, at))| {
            list_of(vec![
                bullet_part(*id).into(),
                BoltType::from(*row),
                date(*at),
            ])
        });
        Map::new()
            .with("memory", self.memory.as_str())
            .with("incarnation", self.known.incarnation.as_str())
            .with("strict", self.strict && is_first)
            .with("event", event)
            .texts("texts", texts.all)
            .with("bullets", list_of(bullets))
            .with("rows", list_of(rows))
            .whole("revision", self.known.revision)?
            .whole("clock", self.known.clock)
    }
}

/// The server's answer to a batch.
enum Recorded {
    /// Nothing was written: the memory has moved on, or does not exist.
    Moved,
    Done {
        first_tick: u64,
        others: Vec<Touched>,
    },
}

/// Reads the answer of `events/touch`.
fn recorded(rows: &[Row]) -> Result<Recorded> {
    let Some(row) = rows.first() else {
        return Ok(Recorded::Moved);
    };
    // The statement writes all of a batch, which is never empty, or nothing.
    if row.get::<u64>("recorded")? == 0 {
        let what = "a returned bullet is not in this memory; record what the memory returned";
        return Err(Failure::Refused(what.to_owned()));
    }
    let before: u64 = row.get("before")?;
    Ok(Recorded::Done {
        first_tick: before + 1,
        others: touched(row)?,
    })
}

/// Reads the touches by others.
fn touched(row: &Row) -> Result<Vec<Touched>> {
    let others: Vec<(String, u64, Moment)> = row.get("others")?;
    let others = others.into_iter().map(|(id, tick, Moment(at))| {
        Ok(Touched {
            bullet: parsed(&id)?,
            tick,
            at,
        })
    });
    let mut others = others.collect::<Result<Vec<_>>>()?;
    others.sort_unstable_by_key(|one| one.bullet);
    Ok(others)
}

/// A batch in several requests: the number of retrievals and the parameters of each.
struct Many {
    pieces: Vec<(usize, Map)>,
}

#[async_trait]
impl Task for Many {
    /// The answer, and whether an earlier answer was lost.
    type Output = (Recorded, bool);

    async fn attempt(&mut self, tx: &mut Transaction, was_lost: bool) -> Result<(Recorded, bool)> {
        let mut whole = Recorded::Moved;
        let mut clock = None;
        for (count, parameters) in &self.pieces {
            // The first request took the lock and has seen all touches by others; none can follow.
            let asked = match clock {
                None => parameters.clone(),
                Some(clock) => parameters.clone().whole("clock", clock)?,
            };
            let Recorded::Done { first_tick, others } = recorded(&tx.query(TOUCH, asked).await?)?
            else {
                return Ok((Recorded::Moved, was_lost));
            };
            if clock.is_none() {
                whole = Recorded::Done { first_tick, others };
            }
            clock = Some(first_tick - 1 + *count as u64);
        }
        Ok((whole, was_lost))
    }
}
