//! Removes a learner from the records of others before it is erased: the other ends of its grants, its places in groups,
//! the keys that let in to it alone, and its verdicts about bullets of others.
//!
//! Each kind of records declares where it names a learner and how the record changes. This comes before the erase of
//! the learner's own rows, so that an interrupted erase is repeated whole, and the wipe at its end covers both. The
//! price is one pass over the records of the kinds that name others, for each learner of the tenant.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::sharing::tenant_of;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::order_key::{OrderKey, Range};
use hindlore_store::records::{
    Fate, KINDS, Kind, Names, Record, RecordCommit, RecordKey, RecordReads, RecordsRead, Scan,
};

/// Records changed in one transaction.
const AT_ONCE: usize = 200;

/// The records of others that changed because of an erase.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Forgotten {
    /// Records that went or were rewritten.
    pub(super) records: u64,
    /// Keys that let in to the learner alone, among them.
    pub(super) keys: u64,
}

impl Engine {
    /// Removes a learner from the records of its tenant and of the other learners there.
    pub(super) async fn forget_learner(
        &self,
        tenant: &str,
        learner: &str,
    ) -> EngineResult<Forgotten> {
        let mut forgotten = self.forget_in(&tenant_of(tenant)?, learner).await?;
        for name in self.record_learners(tenant).await? {
            if name == learner {
                continue;
            }
            let owner = LearnerId::new(tenant, &name);
            let owner = owner.map_err(|error| EngineError::Invalid(error.to_string()))?;
            let more = self.forget_in(&owner, learner).await?;
            forgotten.records += more.records;
            forgotten.keys += more.keys;
        }
        Ok(forgotten)
    }

    async fn forget_in(&self, owner: &LearnerId, learner: &str) -> EngineResult<Forgotten> {
        let (mut rewritten, mut gone) = (Vec::new(), Vec::new());
        for kind in KINDS {
            let Some(order) = kind.learners.listed_in else {
                continue;
            };
            for (key, fate) in self.fates(owner, kind, order, learner).await? {
                match fate {
                    Fate::Stays => {}
                    Fate::Becomes(_) => rewritten.push(key),
                    Fate::Goes => gone.push(key),
                }
            }
        }
        let is_confined = |name: &Names| matches!(name, Names::Confined(_));
        let is_key = |key: &&RecordKey| key.kind.learners.names.iter().any(is_confined);
        let keys = gone.iter().filter(is_key).count() as u64;
        let mut records = 0;
        // Rewritten ones first: a group must let go of its leader before the leader can go.
        for some in rewritten.chunks(AT_ONCE).chain(gone.chunks(AT_ONCE)) {
            records += self.forget_some(owner, some.to_vec(), learner).await?;
        }
        Ok(Forgotten { records, keys })
    }

    /// The fates of all records of a kind that do not stay as they are.
    async fn fates(
        &self,
        owner: &LearnerId,
        kind: &'static Kind,
        order: &'static str,
        learner: &str,
    ) -> EngineResult<Vec<(RecordKey, Fate)>> {
        let mut range = Range::starting_with(&OrderKey::new());
        let mut found = Vec::new();
        loop {
            let scan = Scan {
                kind,
                order,
                range: range.clone(),
                limit: PAGE_MAX,
            };
            let page = self.store().scan_records(owner, scan).await?;
            for record in &page {
                let fate = fate_of(record, learner)?;
                if fate != Fate::Stays {
                    found.push((record.key.clone(), fate));
                }
            }
            let last = page.last().and_then(|last| last.position(order));
            match last.filter(|_| page.len() >= PAGE_MAX) {
                Some(last) => range = range.after(&last),
                None => return Ok(found),
            }
        }
    }

    /// Decides again under the lock of the owner, where the records may have changed meanwhile.
    async fn forget_some(
        &self,
        owner: &LearnerId,
        keys: Vec<RecordKey>,
        learner: &str,
    ) -> EngineResult<u64> {
        let reads = RecordReads {
            keys,
            ..RecordReads::default()
        };
        let learner = learner.to_owned();
        self.decide_records(owner, reads, move |read: RecordsRead| {
            let mut commit = RecordCommit::default();
            for record in &read.records {
                match fate_of(record, &learner)? {
                    Fate::Stays => {}
                    Fate::Goes => commit.deletes.push(record.key.clone()),
                    Fate::Becomes(record) => commit.puts.push(*record),
                }
            }
            let count = commit.keys().count() as u64;
            Ok((count, commit))
        })
        .await
    }
}

fn fate_of(record: &Record, learner: &str) -> EngineResult<Fate> {
    Fate::of(record, learner).map_err(|reason| {
        EngineError::damaged("look for the learner", format!("{}: {reason}", record.key))
    })
}
