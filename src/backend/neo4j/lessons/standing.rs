//! Lessons compared with the engine's writes: the doctor's check, and accepting edits by hand.
//!
//! A lesson is its properties. Its seal reveals whether they were edited, and its relationships must be those that follow
//! from them.

use std::collections::BTreeSet;

use async_trait::async_trait;
use neo4rs::Row;
use serde::Deserialize;

use super::fields::Properties;
use super::hold::{hold, refuse_half_copied};
use super::keys::Keys;
use super::lesson_rows::{into_lesson, posting_texts};
use super::run_rows::listed;
use super::seal::seal;
use super::write;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::Map;
use crate::bolt::work::{Task, carry_out, send};
use crate::error::{Failure, Result};
use crate::memory::state::Access;
use crate::statements::{CHECK_LESSONS, LESSON_STANDING, SETTLE_LESSONS, UNTIE_LESSONS};
use crate::store::Neo4jStore;
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::transaction::LessonCommit;

/// Lessons compared in one read.
const PAGE: i64 = 500;
/// The advice for a lesson that differs from the engine's write.
const ADOPT: &str = "`hindlore doctor adopt --yes` for this learner takes it as it stands";
/// The advice for an unreadable property.
const PUT_RIGHT: &str = "set the property to a value that can be read";

/// A lesson compared with the engine's write.
struct Compared {
    lesson: Lesson,
    /// The differences.
    found: Vec<String>,
}

fn page(keys: &Keys, after: &str) -> Map {
    keys.owned().with("after", after).with("limit", PAGE)
}

/// Compares the lesson of a row.
fn compare(keys: &Keys, row: &Row) -> Result<Compared> {
    let properties: Properties = row.get("lesson")?;
    let lesson = into_lesson(&properties, &keys.owner)?;
    let ties: Vec<String> = row.get("ties")?;
    // A set alone would hide a relationship that exists twice.
    let count = ties.len();
    let ties: BTreeSet<String> = ties.into_iter().collect();
    let mut found = Vec::new();
    let sealed = properties.get("seal").and_then(|seal| seal.as_str());
    if sealed != Some(&*seal(&lesson)?) {
        found.push(edited(&lesson, sealed)?);
    }
    if ties.len() != count || ties != posting_texts(keys, &lesson) {
        found.push(
            "is tied to other triggers, tags or places than its properties name, and is found by those"
                .to_owned(),
        );
    }
    Ok(Compared { lesson, found })
}

/// The edit that breaks a seal: the status alone, where another one fits the seal, else any property.
fn edited(lesson: &Lesson, sealed: Option<&str>) -> Result<String> {
    for status in Status::ALL {
        let before = Lesson {
            status: *status,
            ..lesson.clone()
        };
        if sealed == Some(&*seal(&before)?) {
            let (old, new) = (status.word(), lesson.status.word());
            return Ok(format!("was changed by hand from {old} to {new}"));
        }
    }
    Ok("was changed by hand in its rule, its numbers or another property".to_owned())
}

#[derive(Deserialize)]
struct Orphans {
    kind: String,
    number: u64,
    lesson: String,
}

/// Checks the lessons of a learner; each finding comes with its advice.
pub(super) async fn wrong(store: &Neo4jStore, keys: &Keys) -> Result<Vec<String>> {
    let mut found = wrong_numbers(store, keys).await?;
    let mut after = keys.key.clone();
    loop {
        let rows = send(&store.executor, LESSON_STANDING, page(keys, &after)).await?;
        let Some(last) = rows.last() else {
            return Ok(found);
        };
        after = last.get("key")?;
        for row in &rows {
            match compare(keys, row) {
                Ok(one) => found.extend(one.found.iter().map(|what| {
                    let id = one.lesson.id;
                    format!("the lesson `{id}` {what}; {ADOPT}")
                })),
                Err(Failure::Damaged(what)) => found.push(format!("{what}; {PUT_RIGHT}")),
                Err(failure) => return Err(failure),
            }
        }
    }
}

async fn wrong_numbers(store: &Neo4jStore, keys: &Keys) -> Result<Vec<String>> {
    let rows = send(&store.executor, CHECK_LESSONS, keys.owned()).await?;
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    let number = |name: &str| -> Result<u64> { Ok(row.get(name)?) };
    let mut found = Vec::new();
    for (what, kept, counted) in [
        ("fingerprints", number("kept")?, number("counted")?),
        ("lessons", number("lessons_kept")?, number("lessons")?),
    ] {
        if kept != counted {
            found.push(format!(
                "{kept} {what} are kept in number and {counted} are there; {ADOPT}"
            ));
        }
    }
    let tags: Vec<String> = row.get("tags")?;
    found.extend(tags.iter().map(|tag| {
        format!("the kept number of fingerprints with the tag `{tag}` is wrong; {ADOPT}")
    }));
    for one in listed(&rows, "orphans", |one: Orphans| Ok(one))? {
        let Orphans {
            kind,
            number,
            lesson,
        } = one;
        found.push(format!(
            "{number} {kind} are about lessons that are not there, such as `{lesson}`; {ADOPT}"
        ));
    }
    Ok(found)
}

/// Accepts the edited lessons of a learner: seals them, rebuilds their relationships and counters, and returns them.
pub(super) async fn adopt(store: &Neo4jStore, keys: &Keys) -> Result<Vec<LessonId>> {
    let mut adopted = Vec::new();
    let mut after = Some(keys.key.clone());
    while let Some(from) = after {
        let task = AdoptSome {
            keys: keys.clone(),
            after: from,
        };
        let some = carry_out(&store.executor, task).await?;
        adopted.extend(some.0);
        after = some.1;
    }
    // Last, because the counters follow from the lessons of all pages.
    carry_out(&store.executor, Settle(keys.clone())).await?;
    Ok(adopted)
}

/// Accepts the edited lessons of a page; returns them, and the start of the next page.
struct AdoptSome {
    keys: Keys,
    after: String,
}

#[async_trait]
impl Task for AdoptSome {
    type Output = (Vec<LessonId>, Option<String>);

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Self::Output> {
        let keys = &self.keys;
        refuse_half_copied(&hold(tx, keys, Access::Locked).await?, keys)?;
        let rows = tx.query(LESSON_STANDING, page(keys, &self.after)).await?;
        let next = rows.last().map(|row| row.get("key")).transpose()?;
        let mut strange = Vec::new();
        for row in &rows {
            match compare(keys, row) {
                Ok(one) if !one.found.is_empty() => strange.push(one.lesson),
                // An unreadable lesson stays as it is; the doctor names it.
                Ok(_) | Err(Failure::Damaged(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        let ids: Vec<LessonId> = strange.iter().map(|lesson| lesson.id).collect();
        if !strange.is_empty() {
            // Without the digest of its postings, the write below takes a lesson for changed and rebuilds its
            // relationships.
            let named = Map::new().texts("lessons", ids.iter().map(|id| keys.id(id)));
            tx.execute(UNTIE_LESSONS, named).await?;
            let commit = LessonCommit {
                lessons: strange,
                ..LessonCommit::default()
            };
            write::apply(tx, keys, &commit).await?;
        }
        Ok((ids, next))
    }
}

struct Settle(Keys);

#[async_trait]
impl Task for Settle {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        tx.execute(SETTLE_LESSONS, self.0.owned()).await
    }
}
