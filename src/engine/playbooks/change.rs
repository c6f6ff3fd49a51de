//! The one way to write a playbook: decide on the state read, and write it unless another writer came first.

use std::collections::BTreeSet;

use super::read::{PlaybookView, Which, damaged};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{
    Playbook, STRATEGIES_MAX, Strategy, Version, VersionMark, content_digest, retired,
};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::playbook::{
    VersionRow, playbook_from_record, playbook_key, playbook_to_record, strategy_key,
    strategy_to_record,
};
use hindlore_store::records::{RecordCommit, RecordKey, RecordReads};

/// Attempts of a change when other writers come first.
const TRIES: usize = 200;

/// The result of a decision.
pub(super) struct Decided<T> {
    /// The playbook as it shall be; its version and revision are set here.
    pub(super) playbook: Playbook,
    /// A new version, if there shall be one.
    pub(super) version: Option<NewVersion>,
    /// The answer.
    pub(super) answer: T,
}

/// A version to be.
pub(super) struct NewVersion {
    pub(super) strategies: Vec<Strategy>,
    pub(super) reason: String,
    pub(super) author: Option<String>,
    pub(super) major: bool,
    pub(super) restores: Option<u32>,
}

impl Engine {
    /// Changes a playbook, or makes it where `decide` is given `None`. Returns the playbook as it is now, its newest version,
    /// and the answer of the decision that was written.
    pub(super) async fn change_playbook<T>(
        &self,
        owner: &LearnerId,
        name: &str,
        decide: impl Fn(Option<&PlaybookView>, Timestamp) -> EngineResult<Decided<T>>,
    ) -> EngineResult<(PlaybookView, T)> {
        for _ in 0..TRIES {
            let before = match self.playbook(owner, name, Which::Newest).await {
                Ok(view) => Some(view),
                Err(EngineError::NoPlaybook(_)) => None,
                // Retired or replaced between two reads: look again.
                Err(EngineError::NoVersion { .. }) => continue,
                Err(error) => return Err(error),
            };
            let now = self.now();
            let decided = decide(before.as_ref(), now)?;
            let after = next(before.as_ref(), &decided, now)?;
            let Some(after) = after else {
                let view = before.ok_or_else(|| EngineError::NoPlaybook(name.to_owned()))?;
                return Ok((view, decided.answer));
            };
            let is_new_version = decided.version.is_some();
            // Read without the lock; the write below is refused if the playbook has changed since.
            let commit = self.commit_of(owner, &after, is_new_version).await?;
            if self
                .write_unless_changed(owner, before.as_ref(), &after, commit)
                .await?
            {
                return Ok((after, decided.answer));
            }
        }
        Err(EngineError::PlaybookContended(name.to_owned()))
    }

    /// The records of a playbook as it shall be; with a new version also those of the versions that retire for it.
    async fn commit_of(
        &self,
        owner: &LearnerId,
        after: &PlaybookView,
        is_new_version: bool,
    ) -> EngineResult<RecordCommit> {
        let mut commit = RecordCommit {
            puts: vec![playbook_to_record(&after.playbook)],
            deletes: Vec::new(),
        };
        let Some(version) = after.version.as_ref().filter(|_| is_new_version) else {
            return Ok(commit);
        };
        let name = &after.playbook.name;
        let keys: Vec<RecordKey> = after.strategies.iter().map(strategy_key).collect();
        commit
            .puts
            .extend(after.strategies.iter().map(strategy_to_record));
        let rows = self.version_rows(owner, name).await?;
        retire(
            &rows,
            (version.number, &keys),
            self.now(),
            self.options().playbooks,
            &mut commit,
        );
        let row = VersionRow {
            playbook: name.clone(),
            version: version.clone(),
            strategies: keys,
        };
        commit.puts.push(row.to_record());
        Ok(commit)
    }

    /// Writes a commit if the playbook is as it was read; returns whether it was.
    async fn write_unless_changed(
        &self,
        owner: &LearnerId,
        before: Option<&PlaybookView>,
        after: &PlaybookView,
        commit: RecordCommit,
    ) -> EngineResult<bool> {
        let reads = RecordReads {
            keys: vec![playbook_key(&after.playbook.name)],
            ..RecordReads::default()
        };
        let seen = before.map(|view| view.playbook.revision);
        self.decide_records(owner, reads, move |read| {
            let found = read
                .records
                .first()
                .map(playbook_from_record)
                .transpose()
                .map_err(damaged)?;
            // Every change raises the revision, so an equal revision proves an equal playbook.
            let is_as_seen = found.map(|playbook| playbook.revision) == seen;
            let commit = if is_as_seen {
                commit.clone()
            } else {
                RecordCommit::default()
            };
            Ok((is_as_seen, commit))
        })
        .await
    }
}

/// The playbook after a decision; `None` where it changes nothing.
fn next<T>(
    before: Option<&PlaybookView>,
    decided: &Decided<T>,
    now: Timestamp,
) -> EngineResult<Option<PlaybookView>> {
    let mut playbook = decided.playbook.clone();
    let is_same = before.is_some_and(|view| view.playbook == playbook);
    if is_same && decided.version.is_none() {
        return Ok(None);
    }
    playbook.revision += 1;
    playbook.updated = now;
    let (mut version, mut strategies) = before.map_or((None, Vec::new()), |view| {
        (view.version.clone(), view.strategies.clone())
    });
    if let Some(new) = &decided.version {
        let count = new.strategies.len();
        if count > STRATEGIES_MAX {
            let message = format!(
                "the playbook `{}` would have {count} strategies; the limit is {STRATEGIES_MAX}",
                playbook.name
            );
            return Err(EngineError::Invalid(message));
        }
        playbook.version += 1;
        strategies.clone_from(&new.strategies);
        version = Some(Version {
            number: playbook.version,
            digest: content_digest(&strategies),
            strategies: u32::try_from(count).unwrap_or(u32::MAX),
            reason: new.reason.clone(),
            author: new.author.clone(),
            major: new.major,
            restores: new.restores,
            retired: false,
            at: now,
        });
    }
    Ok(Some(PlaybookView {
        playbook,
        version,
        strategies,
    }))
}

/// Takes the strategies from versions that need not keep them, and deletes those that no version holds any more.
fn retire(
    rows: &[VersionRow],
    (newest, keys): (u32, &[RecordKey]),
    now: Timestamp,
    rules: hindlore_domain::playbook::RetentionRules,
    commit: &mut RecordCommit,
) {
    let marks: Vec<VersionMark> = rows
        .iter()
        .filter(|row| !row.version.retired)
        .map(|row| VersionMark {
            number: row.version.number,
            major: row.version.major,
            at: row.version.at,
        })
        .collect();
    let numbers = retired(&marks, newest, rules, now);
    let is_retired = |row: &&VersionRow| numbers.contains(&row.version.number);
    let kept = rows
        .iter()
        .filter(|row| !is_retired(row))
        .flat_map(|row| &row.strategies);
    let held: BTreeSet<&RecordKey> = kept.chain(keys).collect();
    let mut orphans: BTreeSet<&RecordKey> = BTreeSet::new();
    for row in rows.iter().filter(is_retired) {
        orphans.extend(row.strategies.iter().filter(|key| !held.contains(key)));
        let mut without = row.clone();
        without.version.retired = true;
        without.strategies.clear();
        commit.puts.push(without.to_record());
    }
    commit.deletes.extend(orphans.into_iter().cloned());
}
