//! Recording retrievals that were ranked on a known position: one request, one commit.
//!
//! A request above the driver's buffer leaves in pieces, and the second one waits some 40 ms for the
//! server to confirm the first. So what several retrievals share is sent once, and a batch that is still
//! too large goes in several requests of one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use neo4rs::{BoltList, BoltType, Row};

use super::Neo4jStore;
use super::bullets::parsed;
use super::error::{Failure, Work};
use super::events::{Place, bullet_part, marks, retrieval_key};
use super::executor::Unit;
use super::statements::TOUCH;
use super::values::{Map, memory_key, signed, title};
use super::work::{Task, carry_out, send, token};
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::key::MemoryKey;
use crate::domain::timestamp::Timestamp;
use crate::store::{Position, RetrievalRecord, TouchBatch, TouchOutcome, Touched};

/// The driver's buffer.
const BUFFER_BYTES: usize = 8_192;
/// Bytes of a request beside its statement and what is counted below.
const FRAME_BYTES: usize = 600;
/// Bytes of a retrieval without its texts and what it returned.
const ROW_BYTES: usize = 110;
/// Bytes of a returned bullet in its row.
const RETURNED_BYTES: usize = 14;
/// Bytes of its marks, where there are any.
const MARKS_BYTES: usize = 24;
/// Bytes of a bullet that no other row names.
const BULLET_BYTES: usize = 48;

impl Neo4jStore {
    /// Records a batch, unless the memory moved on.
    pub(super) async fn record(&self, key: &MemoryKey, batch: TouchBatch) -> Work<TouchOutcome> {
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
        };
        let retrievals = batch.retrievals;
        let recorded = match pieces(&retrievals).len() {
            1 => {
                let asked = request.parameters(&retrievals, None)?;
                let rows = send(&self.executor, TOUCH, asked).await?;
                recorded(&rows, &retrievals)?
            }
            _ => {
                let many = Many {
                    request,
                    retrievals,
                };
                carry_out(&self.executor, many).await?
            }
        };
        match recorded {
            Recorded::Missing => Ok(TouchOutcome::Missing),
            Recorded::Done { first_tick, others } => {
                Ok(TouchOutcome::Recorded { first_tick, others })
            }
            Recorded::Moved => self.moved(key, &batch.known).await,
        }
    }

    /// An empty batch asks only what others did.
    async fn record_nothing(&self, key: &MemoryKey, batch: &TouchBatch) -> Work<TouchOutcome> {
        let Some(changed) = self.look(key, batch.known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if has_moved(&changed.head.position, batch) {
            return Ok(TouchOutcome::Moved(Box::new(changed)));
        }
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

    /// What changed since the known position; of another incarnation the head alone, since the caller
    /// has to load anew.
    async fn moved(&self, key: &MemoryKey, known: &Position) -> Work<TouchOutcome> {
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

/// A clock behind the known one is a memory that was put back to an earlier day.
fn has_moved(position: &Position, batch: &TouchBatch) -> bool {
    let known = &batch.known;
    position.incarnation != known.incarnation
        || position.revision != known.revision
        || position.clock < known.clock
        || (batch.strict && position.clock != known.clock)
}

fn once_each(retrievals: &[RetrievalRecord]) -> Work<()> {
    let mut seen = HashSet::new();
    match retrievals.iter().find(|one| !seen.insert(one.id.as_str())) {
        None => Ok(()),
        Some(one) => Err(Failure::Refused(format!(
            "retrieval `{}` stands in the batch twice; record each once",
            one.id
        ))),
    }
}

/// Cuts a batch so that each piece fits into the driver's buffer, or is a single retrieval.
fn pieces(retrievals: &[RetrievalRecord]) -> Vec<&[RetrievalRecord]> {
    let room = BUFFER_BYTES.saturating_sub(TOUCH.sent().len() + FRAME_BYTES);
    let (mut pieces, mut start, mut size) = (Vec::new(), 0, 0);
    let (mut texts, mut bullets) = (HashSet::new(), HashSet::new());
    for (at, one) in retrievals.iter().enumerate() {
        let marked = one.returned.iter().filter(|one| marks(one).is_some());
        let mut more = ROW_BYTES
            + one.id.len()
            + one.returned.len() * RETURNED_BYTES
            + marked.count() * MARKS_BYTES;
        for text in [one.parameters.as_str(), one.query.as_str()] {
            more += if texts.insert(text) {
                2 * text.len().min(70) + text.len()
            } else {
                0
            };
        }
        let new = one.returned.iter().filter(|one| bullets.insert(one.bullet));
        more += new.count() * BULLET_BYTES;
        if at > start && size + more > room {
            pieces.push(&retrievals[start..at]);
            (start, size) = (at, 0);
            texts.clear();
            bullets.clear();
        }
        size += more;
    }
    pieces.push(&retrievals[start..]);
    pieces
}

/// What all the requests of a batch have in common.
struct Request {
    key: MemoryKey,
    memory: String,
    token: String,
    known: Position,
    strict: bool,
}

/// Texts that are sent once each, with their places.
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
    /// The parameters for some retrievals; `after` is the clock that this very transaction has moved the
    /// memory to, for all pieces but the first.
    fn parameters(&self, some: &[RetrievalRecord], after: Option<u64>) -> Work<Map> {
        let place = Place {
            key: &self.key,
            memory: &self.memory,
            request: &self.token,
        };
        let mut texts = Texts::default();
        // Of each bullet its place among them, and the last retrieval that returned it.
        let mut bullets: BTreeMap<BulletId, (i64, i64, Timestamp)> = BTreeMap::new();
        for (row, retrieval) in (1..).zip(some) {
            for one in &retrieval.returned {
                bullets.insert(one.bullet, (0, row, retrieval.at));
            }
        }
        for (at, bullet) in (0..).zip(bullets.values_mut()) {
            bullet.0 = at;
        }
        let mut rows = Vec::new();
        for one in some {
            let mut row: Vec<BoltType> = vec![
                retrieval_key(&self.memory, &one.id).into(),
                one.id.as_str().into(),
                one.at.millis().into(),
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
                returned.extend(marks(one).map(BoltType::from));
                list(returned)
            }));
            rows.push(list(row));
        }
        let bullets = bullets.iter().map(|(id, (_, row, at))| {
            list(vec![
                bullet_part(*id).into(),
                (*row).into(),
                at.millis().into(),
            ])
        });
        Map::new()
            .with("memory", self.memory.as_str())
            .with("incarnation", self.known.incarnation.as_str())
            .with("strict", self.strict && after.is_none())
            .with("event", place.common())
            .texts("texts", texts.all)
            .with("bullets", list(bullets.collect()))
            .with("rows", list(rows))
            .whole("revision", self.known.revision)?
            .whole("clock", after.unwrap_or(self.known.clock))
    }
}

fn list(values: Vec<BoltType>) -> BoltType {
    BoltType::List(BoltList::from(values))
}

/// What the server says of a batch.
enum Recorded {
    Missing,
    Moved,
    Done {
        first_tick: u64,
        others: Vec<Touched>,
    },
}

/// Reads an answer.
fn recorded(rows: &[Row], some: &[RetrievalRecord]) -> Work<Recorded> {
    let Some(row) = rows.first() else {
        return Ok(Recorded::Missing);
    };
    let written: Option<u64> = row.get("written")?;
    let fits: bool = row.get("fits")?;
    if written.is_none() && !fits {
        return Ok(Recorded::Moved);
    }
    let returned = some.iter().flat_map(|one| &one.returned);
    let expected = returned.map(|one| one.bullet).collect::<HashSet<_>>().len();
    let there: usize = row.get("there")?;
    if written.is_none() && there != expected {
        return Err(Failure::Refused(format!(
            "{there} of {expected} returned bullets are in this memory; record what the memory returned"
        )));
    }
    let before: u64 = row.get("before")?;
    let others: Vec<(String, u64, i64)> = row.get("others")?;
    let others = others.into_iter().map(|(id, tick, at)| {
        Ok(Touched {
            bullet: parsed(&id)?,
            tick,
            at: Timestamp::from_millis(at),
        })
    });
    let mut others = others.collect::<Work<Vec<_>>>()?;
    others.sort_unstable_by_key(|one| one.bullet);
    Ok(Recorded::Done {
        // Sent again after a lost answer, the memory may have moved on meanwhile; what came later is
        // not part of this answer and will be part of the next one.
        first_tick: written.unwrap_or(before + 1),
        others,
    })
}

/// A batch that is too large for one request.
struct Many {
    request: Request,
    retrievals: Vec<RetrievalRecord>,
}

#[async_trait]
impl Task for Many {
    type Output = Recorded;

    async fn attempt(&mut self, unit: &mut Unit, _was_lost: bool) -> Work<Recorded> {
        let mut whole = None;
        let mut after = None;
        for some in pieces(&self.retrievals) {
            let asked = self.request.parameters(some, after)?;
            let done = recorded(&unit.ask(TOUCH, asked).await?, some)?;
            let Recorded::Done { first_tick, .. } = done else {
                return Ok(done);
            };
            after = Some(first_tick - 1 + some.len() as u64);
            whole.get_or_insert(done);
        }
        Ok(whole.unwrap_or(Recorded::Missing))
    }
}
