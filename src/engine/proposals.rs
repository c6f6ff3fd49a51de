//! Verbs: corrections by a person that wait as proposals, and their release as bullets.
//!
//! A model is not asked whether a correction is worth keeping: the person who releases it decides, or the second session
//! that states it. A release sends the delta first and deletes the proposal after it. The id of the delta is derived from
//! the proposal, so that a release that was cut off in between is repeated without effect.

use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::id_prefix;
use super::memory::answers::AppliedDelta;
use super::memory::read_bullets::BulletFilter;
use hindlore_domain::correction::{CORRECTION_MAX_CHARS, Wording};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::{Source, Status};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::proposal::{
    BY_SCOPE, PROPOSAL, ProposalRow, SESSIONS_MAX, proposal_key, proposals_of,
};
use hindlore_store::records::{Record, RecordCommit, RecordReads, Scan};

/// Days after which a proposal that no session states again expires.
pub const PROPOSAL_DAYS: u32 = 60;
/// Sessions that release a proposal without a person.
const SESSIONS_TO_RELEASE: usize = 2;
/// Proposals of one scope that are looked at; older ones count as expired.
const PROPOSALS_MAX: usize = 200;
/// Bullets that are compared with a correction.
const BULLETS_MAX: usize = 8;

/// A correction by a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewProposal {
    /// The person's words.
    pub text: String,
    /// The session that stated it.
    pub session: String,
    /// The turn of the session, counted from 1; absent if it is not known.
    pub turn: Option<u32>,
}

/// The result of a correction.
#[derive(Clone, PartialEq, Debug)]
pub enum Proposed {
    /// It waits.
    Waiting(ProposalRow),
    /// Another session had stated it: it is a bullet now.
    Released(ProposalRow, Box<AppliedDelta>),
    /// A bullet of the memory says it already, or was rejected with these words.
    Known,
}

impl Engine {
    /// Proposes a correction as a bullet; the same correction in a second session makes it one. Secrets are removed before
    /// anything is derived from the words.
    ///
    /// # Errors
    /// `Invalid` for words that are empty or too long.
    pub async fn propose(&self, key: &MemoryKey, new: NewProposal) -> EngineResult<Proposed> {
        let (text, _) = self.redacted(new.text.trim());
        if text.is_empty() || text.chars().count() > CORRECTION_MAX_CHARS {
            return Err(EngineError::Invalid(format!(
                "a correction has 1 to {CORRECTION_MAX_CHARS} characters"
            )));
        }
        let wording = Wording::of(&text);
        if self.has_bullet(key, &text, &wording).await? {
            return Ok(Proposed::Known);
        }
        let now = self.now();
        let row = ProposalRow {
            scope: key.scope().to_owned(),
            normalised: wording.normalised().to_owned(),
            text,
            sessions: vec![self.redacted(&new.session).0],
            turn: new.turn,
            first_at: now,
            last_at: now,
        };
        let guard = self.options().lessons.guard.clone();
        let is_same = move |there: &ProposalRow| Wording::of(&there.text).is_same(&wording, &guard);
        let kept = self
            .decide_records(&owner_of(key)?, reads_of(key), move |read| {
                let there = rows(read.scans.iter().flatten())?;
                let (live, old): (Vec<_>, Vec<_>) =
                    there.into_iter().partition(|one| is_live(one, now));
                let same = live.into_iter().find(|one| is_same(one));
                let kept = same.map_or_else(|| row.clone(), |there| again(there, &row));
                // An expired proposal with the same words has the same key.
                let deletes = old
                    .iter()
                    .map(ProposalRow::id)
                    .filter(|id| *id != kept.id());
                let commit = RecordCommit {
                    deletes: deletes.map(|id| proposal_key(&id)).collect(),
                    puts: vec![kept.to_record()],
                };
                Ok((kept, commit))
            })
            .await?;
        if kept.sessions.len() < SESSIONS_TO_RELEASE {
            return Ok(Proposed::Waiting(kept));
        }
        let applied = self.release(key, &kept, None).await?;
        Ok(Proposed::Released(kept, Box::new(applied)))
    }

    /// Lists the proposals for a memory, newest first; those that no session has stated for [`PROPOSAL_DAYS`] are left out.
    pub async fn proposals(&self, key: &MemoryKey) -> EngineResult<Vec<ProposalRow>> {
        let found = self
            .store()
            .scan_records(&owner_of(key)?, scan_of(key))
            .await?;
        let now = self.now();
        let mut rows = rows(found.iter())?;
        rows.retain(|row| is_live(row, now));
        Ok(rows)
    }

    /// Makes a proposal a bullet; `name` is its id, or a unique beginning of it.
    ///
    /// # Errors
    /// `NoProposal` if there is none; those of a delta.
    pub async fn release_proposal(
        &self,
        key: &MemoryKey,
        name: &str,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let row = self.proposal(key, name).await?;
        self.release(key, &row, author).await
    }

    /// Deletes a proposal without a bullet; `name` is its id, or a unique beginning of it.
    ///
    /// # Errors
    /// `NoProposal` if there is none.
    pub async fn dismiss_proposal(&self, key: &MemoryKey, name: &str) -> EngineResult<ProposalRow> {
        let row = self.proposal(key, name).await?;
        self.delete_proposal(key, &row).await?;
        Ok(row)
    }

    async fn proposal(&self, key: &MemoryKey, name: &str) -> EngineResult<ProposalRow> {
        let rows = self.proposals(key).await?;
        let ids = rows.iter().map(ProposalRow::id);
        let id = id_prefix::only("proposal", name, ids)?;
        let found = rows.into_iter().find(|row| Some(row.id()) == id);
        found
            .filter(|_| !name.is_empty())
            .ok_or_else(|| EngineError::NoProposal(name.to_owned()))
    }

    async fn release(
        &self,
        key: &MemoryKey,
        row: &ProposalRow,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let source = sources(row);
        let new = NewBullet {
            content: row.text.clone(),
            source: Some(Source::Person),
            ..NewBullet::default()
        };
        let id = DeltaId::derive(&["proposal", &key.derived(), &row.id(), &source]);
        let mut delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
        delta.reasoning = Some(source);
        delta.origin.author = author;
        let applied = self.apply_delta(key, delta).await?;
        self.delete_proposal(key, row).await?;
        Ok(applied)
    }

    async fn delete_proposal(&self, key: &MemoryKey, row: &ProposalRow) -> EngineResult<()> {
        let deletes = vec![proposal_key(&row.id())];
        self.decide_records(&owner_of(key)?, RecordReads::default(), move |_| {
            let commit = RecordCommit {
                puts: Vec::new(),
                deletes: deletes.clone(),
            };
            Ok(((), commit))
        })
        .await
    }

    /// True if a bullet says the same, or was rejected with these words.
    async fn has_bullet(
        &self,
        key: &MemoryKey,
        text: &str,
        wording: &Wording,
    ) -> EngineResult<bool> {
        let filter = BulletFilter {
            kind: None,
            status: None,
            learned_only: false,
            limit: BULLETS_MAX,
        };
        let page = match self.search_bullets_after(key, text, (filter, None)).await {
            Err(EngineError::NoMemory(_)) => return Ok(false),
            page => page?,
        };
        let guard = &self.options().lessons.guard;
        let mut found = page.bullets.iter();
        Ok(found.any(|bullet| {
            bullet.status != Status::Archived
                && Wording::of(bullet.content.as_str()).is_same(wording, guard)
        }))
    }
}

/// The proposal that was there, stated once more.
fn again(there: ProposalRow, new: &ProposalRow) -> ProposalRow {
    let mut sessions = there.sessions.clone();
    for session in &new.sessions {
        if !sessions.contains(session) && sessions.len() < SESSIONS_MAX {
            sessions.push(session.clone());
        }
    }
    ProposalRow {
        sessions,
        last_at: new.last_at,
        ..there
    }
}

fn is_live(row: &ProposalRow, now: Timestamp) -> bool {
    row.last_at >= now.minus_days(PROPOSAL_DAYS)
}

/// The source of a released bullet, as the history shows it.
fn sources(row: &ProposalRow) -> String {
    let sessions = row.sessions.join(", session ");
    match row.turn {
        Some(turn) => format!("the user, turn {turn} of session {sessions}"),
        None => format!("the user, session {sessions}"),
    }
}

fn scan_of(key: &MemoryKey) -> Scan {
    Scan {
        kind: &PROPOSAL,
        order: BY_SCOPE,
        range: proposals_of(key.scope()),
        limit: PROPOSALS_MAX,
    }
}

fn reads_of(key: &MemoryKey) -> RecordReads {
    RecordReads {
        scans: vec![scan_of(key)],
        ..RecordReads::default()
    }
}

fn rows<'r>(records: impl Iterator<Item = &'r Record>) -> EngineResult<Vec<ProposalRow>> {
    let read = |record| {
        ProposalRow::from_record(record)
            .map_err(|reason| EngineError::damaged("read a proposal", reason))
    };
    records.map(read).collect()
}

fn owner_of(key: &MemoryKey) -> EngineResult<LearnerId> {
    LearnerId::new(key.tenant(), key.learner())
        .map_err(|error| EngineError::Invalid(error.to_string()))
}
