//! Moving all rows of a learner's lessons, and deleting them.

use async_trait::async_trait;
use neo4rs::Row;
use serde::Deserialize;

use super::audit_rows::{ConflictProperties, ReviewProperties, SourceProperties, into_decision};
use super::error_rows::{EventProperties, FingerprintProperties};
use super::hold::{hold, refuse_half_copied};
use super::keys::Keys;
use super::lesson_rows::{ActivationProperties, into_lesson};
use super::run_node::RunNode;
use super::run_rows::ReceiptProperties;
use super::step_rows::StepProperties;
use super::write;
use crate::bolt::pieces::{AT_ONCE, PIECE};
use crate::bolt::random::token;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::Map;
use crate::bolt::work::{Task, decided};
use crate::error::{Failure, Result};
use crate::memory::hold_learner;
use crate::memory::state::Access;
use crate::statements::{
    BEGIN_LESSONS_COPY, COPY_LESSONS, END_LESSONS_COPY, ERASE_LABELS, ERASE_LESSONS,
    ERASE_LESSONS_PIECE, HOLD_LESSONS_COPY, REFER_ALL_RECORDS, Statement,
};
use crate::upkeep::receipts::record;
use hindlore_primitives::ids::FingerprintId;
use hindlore_store::lessons::projection::ExistingRows;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::lessons::rows::FingerprintRow;
use hindlore_store::{CascadeOrder, DecideCascade, EraseReceipt, Erased};

/// Reads all rows of a learner's lessons, taking its lock.
pub(super) struct CopyOut {
    pub(super) keys: Keys,
    pub(super) access: Access,
}

#[async_trait]
impl Task for CopyOut {
    type Output = Option<LessonsCopy>;

    async fn attempt(
        &mut self,
        tx: &mut Transaction,
        _was_lost: bool,
    ) -> Result<Option<LessonsCopy>> {
        hold(tx, &self.keys, self.access).await?;
        read_all(tx, &self.keys).await
    }
}

/// Reads all rows of a locked learner's lessons.
async fn read_all(tx: &mut Transaction, keys: &Keys) -> Result<Option<LessonsCopy>> {
    let rows = tx.query(COPY_LESSONS, keys.owned()).await?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut copy = empty(keys);
    let mut errors = Vec::new();
    for row in &rows {
        take(keys, &mut copy, &mut errors, row)?;
    }
    copy.fingerprints
        .sort_unstable_by_key(|row| row.fingerprint.id);
    // Only now, because a text is found by a binary search in the sorted fingerprints.
    for error in errors {
        let (fine, coarse) = (
            text_of(&copy.fingerprints, &error.fine)?,
            text_of(&copy.fingerprints, &error.coarse)?,
        );
        copy.errors
            .push(error.into_event(&keys.owner, fine, coarse)?);
    }
    Ok(Some(copy.in_order()))
}

fn empty(keys: &Keys) -> LessonsCopy {
    LessonsCopy {
        owner: keys.owner.clone(),
        fingerprints: Vec::new(),
        runs: Vec::new(),
        steps: Vec::new(),
        errors: Vec::new(),
        lessons: Vec::new(),
        sources: Vec::new(),
        conflicts: Vec::new(),
        activations: Vec::new(),
        decisions: Vec::new(),
        reviews: Vec::new(),
        receipts: Vec::new(),
    }
}

/// Adds a row to a copy. Errors are set aside until the texts of their fingerprints are read.
fn take(
    keys: &Keys,
    copy: &mut LessonsCopy,
    errors: &mut Vec<EventProperties>,
    row: &Row,
) -> Result<()> {
    fn of<P: for<'de> Deserialize<'de>>(row: &Row) -> Result<P> {
        Ok(row.get("row")?)
    }
    let sort: String = row.get("sort")?;
    match sort.as_str() {
        "Fingerprint" => copy
            .fingerprints
            .push(of::<FingerprintProperties>(row)?.into_row()?),
        "Run" => copy.runs.push(of::<RunNode>(row)?.into_run()?),
        "RunStep" => copy.steps.push(of::<StepProperties>(row)?.into_step()?),
        "ErrorEvent" => errors.push(of(row)?),
        "Lesson" => copy.lessons.push(into_lesson(&of(row)?, &keys.owner)?),
        "LessonSource" => copy
            .sources
            .push(of::<SourceProperties>(row)?.into_source()?),
        "Decision" => copy.decisions.push(into_decision(&of(row)?, &keys.owner)?),
        "Review" => copy
            .reviews
            .push(of::<ReviewProperties>(row)?.into_review()?),
        "Operation" => copy
            .receipts
            .push(of::<ReceiptProperties>(row)?.into_receipt()?),
        "CONFLICTS_WITH" => copy
            .conflicts
            .push(of::<ConflictProperties>(row)?.into_conflict()?),
        "ACTIVATED" => copy
            .activations
            .push(of::<ActivationProperties>(row)?.into_activation()?),
        other => {
            let what = format!("a row of lessons with the label `{other}`");
            return Err(Failure::Damaged(what));
        }
    }
    Ok(())
}

fn text_of(prints: &[FingerprintRow], id: &str) -> Result<String> {
    let id: FingerprintId = super::keys::read_id(id)?;
    let at = prints.binary_search_by_key(&id, |row| row.fingerprint.id);
    let lacking = |_| Failure::Damaged(format!("an error whose fingerprint {id} is not there"));
    Ok(prints[at.map_err(lacking)?].fingerprint.normalised.clone())
}

/// Replaces all rows of a learner's lessons. Counts and postings are not copied but derived again from the rows. Large
/// numbers of rows are deleted and written in pieces with a transaction each; meanwhile the lessons are invisible. An
/// interrupted copy must be started again.
pub(super) struct CopyIn(pub(super) LessonsCopy);

#[async_trait]
impl Task for CopyIn {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        let is_large = is_large(&self.0);
        let keys = Keys::new(&self.0.owner);
        let (commit, receipts) = self.0.clone().into_commit();
        commit.check_owner(&keys.owner).map_err(Failure::Refused)?;
        hold_learner(tx, keys.owner.tenant(), keys.owner.learner()).await?;
        // Random, so that a copy that another instance has begun since is recognised.
        let copying = token();
        let in_pieces = make_room(tx, &keys, &copying, is_large).await?;
        write::write(tx, &keys, &commit, ExistingRows::default()).await?;
        write::add_receipts(tx, &keys, &receipts).await?;
        tx.execute(REFER_ALL_RECORDS, keys.owned()).await?;
        if !in_pieces {
            return Ok(());
        }
        tx.go_on_as_one();
        mark(tx, END_LESSONS_COPY, copied(&keys, &copying)).await
    }
}

/// Deletes the rows that a copy replaces, under the learner's lock; true when the copy continues in pieces.
async fn make_room(
    tx: &mut Transaction,
    keys: &Keys,
    copying: &str,
    is_large_copy: bool,
) -> Result<bool> {
    let nothing = &mut Erased::default();
    // A deleted piece means that the old lessons are large, too.
    let is_large = is_large_copy || erase_piece(tx, &keys.key, PIECE, nothing).await? > 0;
    if !is_large {
        destroy(tx, &keys.key, None, nothing).await?;
        return Ok(false);
    }
    let of = || copied(keys, copying);
    // Committed before the first piece: from then on readers find nothing, and decisions are refused.
    mark(tx, BEGIN_LESSONS_COPY, of()).await?;
    tx.go_on_in_pieces(HOLD_LESSONS_COPY, of()).await?;
    while erase_piece(tx, &keys.key, PIECE, nothing).await? > 0 {}
    destroy(tx, &keys.key, Some(copying), nothing).await?;
    Ok(true)
}

async fn mark(tx: &mut Transaction, statement: Statement, copied: Map) -> Result<()> {
    if tx.query(statement, copied).await?.is_empty() {
        Err(Failure::begun_anew())
    } else {
        Ok(())
    }
}

fn copied(keys: &Keys, copying: &str) -> Map {
    keys.owned().with("copying", copying)
}

/// True for a copy that may exceed the server's memory in one transaction.
fn is_large(copy: &LessonsCopy) -> bool {
    copy.rows() > AT_ONCE
}

/// Replaces a learner's lessons by those that a decision keeps. Always in one transaction, however many rows there are: a
/// crash between two would lose the rows still to be written.
pub(crate) struct Strike {
    pub(crate) keys: Keys,
    pub(crate) order: CascadeOrder,
    /// `None` while it is running, and after a panic.
    pub(crate) decide: Option<DecideCascade>,
}

#[async_trait]
impl Task for Strike {
    type Output = Option<EraseReceipt>;

    fn is_passing(&self, failure: &Failure) -> bool {
        failure.is_repeat()
    }

    async fn attempt(
        &mut self,
        tx: &mut Transaction,
        _was_lost: bool,
    ) -> Result<Option<EraseReceipt>> {
        let keys = &self.keys;
        let locked = hold(tx, keys, Access::Locked).await?;
        refuse_half_copied(&locked, keys)?;
        let struck = match read_all(tx, keys).await? {
            Some(all) => decided(&mut self.decide, all).await?,
            None => None,
        };
        let mut erased = Erased::default();
        if let Some((left, gone)) = struck {
            erased = gone;
            destroy(tx, &keys.key, None, &mut Erased::default()).await?;
            if !left.is_empty() {
                let (commit, receipts) = left.into_commit();
                commit.check_owner(&keys.owner).map_err(Failure::Refused)?;
                write::write(tx, keys, &commit, ExistingRows::default()).await?;
                write::add_receipts(tx, keys, &receipts).await?;
                tx.execute(REFER_ALL_RECORDS, keys.owned()).await?;
            }
            tx.execute(ERASE_LABELS, keys.owned()).await?;
        }
        record(tx, self.order.receipt(erased)).await
    }
}

/// Deletes all lessons of a locked learner and adds their counts to `erased`.
pub(crate) async fn erase(tx: &mut Transaction, owner: &str, erased: &mut Erased) -> Result<()> {
    destroy(tx, owner, None, erased).await
}

/// Like `erase`; the mark of the copy `copying` stays.
async fn destroy(
    tx: &mut Transaction,
    owner: &str,
    copying: Option<&str>,
    erased: &mut Erased,
) -> Result<()> {
    let of = Map::new()
        .with("owner", owner)
        .with_optional("copying", copying);
    count(&tx.query(ERASE_LESSONS, of).await?, erased)
}

/// Deletes a piece of them, if there are that many; returns the number of nodes.
pub(crate) async fn erase_piece(
    tx: &mut Transaction,
    owner: &str,
    piece: i64,
    erased: &mut Erased,
) -> Result<u64> {
    let of = Map::new().with("owner", owner).with("piece", piece);
    let rows = tx.query(ERASE_LESSONS_PIECE, of).await?;
    count(&rows, erased)?;
    Ok(rows.first().map_or(Ok(0), |row| row.get("nodes"))?)
}

fn count(rows: &[Row], erased: &mut Erased) -> Result<()> {
    if let Some(row) = rows.first() {
        erased.lessons += row.get::<u64>("lessons")?;
        erased.runs += row.get::<u64>("runs")?;
        erased.errors += row.get::<u64>("errors")?;
    }
    Ok(())
}
