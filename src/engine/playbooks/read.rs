//! Verbs: playbooks as they are, or as they were in a version.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{Playbook, Strategy, Version};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::records::playbook::{
    BY_NAME, BY_NUMBER, PLAYBOOK, PLAYBOOK_VERSION, VersionRow, playbook_from_record, playbook_key,
    playbooks, strategy_from_record, version_key, versions,
};
use hindlore_store::records::{Record, Scan};

/// A playbook with the strategies of one of its versions.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookView {
    /// The playbook.
    pub playbook: Playbook,
    /// The version; `None` while there is none.
    pub version: Option<Version>,
    /// Its strategies, in their order.
    pub strategies: Vec<Strategy>,
}

/// Which version of a playbook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The newest.
    Newest,
    /// The one with this number.
    Number(u32),
    /// The newest one made at that time or before.
    AsOf(Timestamp),
}

impl Engine {
    /// Reads a playbook with the strategies of a version; archived ones too.
    ///
    /// # Errors
    /// `NoPlaybook`; `NoVersion` for one that is not there, or whose strategies are gone.
    pub async fn playbook(
        &self,
        owner: &LearnerId,
        name: &str,
        which: Which,
    ) -> EngineResult<PlaybookView> {
        // A version may be retired between the two reads; the second look then sees that.
        let found = self.playbook_or_none(owner, name).await?;
        let playbook = found.ok_or_else(|| EngineError::NoPlaybook(name.to_owned()))?;
        let none = |asked: String| EngineError::NoVersion {
            playbook: name.to_owned(),
            asked,
            newest: playbook.version,
        };
        let row = match which {
            Which::Newest if playbook.version == 0 => {
                return Ok(PlaybookView {
                    playbook,
                    version: None,
                    strategies: Vec::new(),
                });
            }
            Which::Newest => self.version_row(owner, name, playbook.version).await?,
            Which::Number(number) => self.version_row(owner, name, number).await?,
            Which::AsOf(at) => {
                let rows = self.version_rows(owner, name).await?;
                rows.into_iter().find(|row| row.version.at <= at)
            }
        };
        let asked = match which {
            Which::Newest => format!("version {}", playbook.version),
            Which::Number(number) => format!("version {number}"),
            Which::AsOf(at) => format!("version of {at} or before"),
        };
        let row = row
            .filter(|row| !row.version.retired)
            .ok_or_else(|| none(asked))?;
        let strategies = self.strategies_of(owner, &row).await?;
        Ok(PlaybookView {
            version: Some(row.version),
            playbook,
            strategies,
        })
    }

    /// Reads a playbook without its strategies.
    pub async fn playbook_or_none(
        &self,
        owner: &LearnerId,
        name: &str,
    ) -> EngineResult<Option<Playbook>> {
        let found = self.store().records(owner, &[playbook_key(name)]).await?;
        found
            .first()
            .map(|record| read(record, playbook_from_record))
            .transpose()
    }

    /// Lists playbooks by name, archived ones or the others; at most 1,000 after `after`.
    pub async fn playbooks(
        &self,
        owner: &LearnerId,
        archived: bool,
        after: Option<&Playbook>,
    ) -> EngineResult<Vec<Playbook>> {
        let mut range = playbooks(archived);
        if let Some(after) = after {
            let record = hindlore_store::records::playbook::playbook_to_record(after);
            if let Some(position) = record.position(BY_NAME) {
                range = range.after(&position);
            }
        }
        let scan = Scan {
            kind: &PLAYBOOK,
            order: BY_NAME,
            range,
            limit: PAGE_MAX,
        };
        let found = self.store().scan_records(owner, scan).await?;
        found
            .iter()
            .map(|record| read(record, playbook_from_record))
            .collect()
    }

    /// Lists the versions of a playbook, newest first; at most 1,000.
    ///
    /// # Errors
    /// `NoPlaybook` when there is none of that name.
    pub async fn playbook_versions(
        &self,
        owner: &LearnerId,
        name: &str,
    ) -> EngineResult<Vec<Version>> {
        if self.playbook_or_none(owner, name).await?.is_none() {
            return Err(EngineError::NoPlaybook(name.to_owned()));
        }
        let rows = self.version_rows(owner, name).await?;
        Ok(rows.into_iter().map(|row| row.version).collect())
    }

    /// The versions of a playbook with the keys of their strategies, newest first; at most 1,000.
    pub(super) async fn version_rows(
        &self,
        owner: &LearnerId,
        name: &str,
    ) -> EngineResult<Vec<VersionRow>> {
        let scan = Scan {
            kind: &PLAYBOOK_VERSION,
            order: BY_NUMBER,
            range: versions(name, None),
            limit: PAGE_MAX,
        };
        let found = self.store().scan_records(owner, scan).await?;
        found
            .iter()
            .map(|record| read(record, VersionRow::from_record))
            .collect()
    }

    async fn version_row(
        &self,
        owner: &LearnerId,
        name: &str,
        number: u32,
    ) -> EngineResult<Option<VersionRow>> {
        let found = self
            .store()
            .records(owner, &[version_key(name, number)])
            .await?;
        found
            .first()
            .map(|record| read(record, VersionRow::from_record))
            .transpose()
    }

    async fn strategies_of(
        &self,
        owner: &LearnerId,
        row: &VersionRow,
    ) -> EngineResult<Vec<Strategy>> {
        let found = self.store().records(owner, &row.strategies).await?;
        let mut strategies = Vec::with_capacity(row.strategies.len());
        for key in &row.strategies {
            // Records come ascending by key.
            let at = found.binary_search_by(|record| record.key.cmp(key));
            let record = at
                .ok()
                .and_then(|at| found.get(at))
                .ok_or_else(|| damaged(format!("{key} is missing")))?;
            strategies.push(read(record, strategy_from_record)?);
        }
        Ok(strategies)
    }
}

fn read<T>(record: &Record, from: impl Fn(&Record) -> Result<T, String>) -> EngineResult<T> {
    from(record).map_err(damaged)
}

/// A row that a newer or damaged store holds and this engine cannot read.
pub(super) fn damaged(reason: String) -> EngineError {
    EngineError::damaged("read a playbook", reason)
}
