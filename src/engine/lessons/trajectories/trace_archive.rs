//! Archived traces: the steps of a trajectory as one text, in a record of its own.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::TraceState;
use hindlore_store::lessons::rows::{RunContents, StepRow};
use hindlore_store::records::trace_archive::{ArchivedTrace, archive_key};
use hindlore_store::records::{RecordCommit, RecordReads};
use hindlore_store::{ErrorKind, StoreError};

impl Engine {
    /// Writes the steps of a run into an archive, unless only its summary is kept, or nothing is left of them.
    pub(super) async fn archive(&self, owner: &LearnerId, run: &str) -> EngineResult<()> {
        let Some(contents) = self.store().run(owner, run).await? else {
            return Ok(());
        };
        let is_whole = contents.row.trajectory.trace == TraceState::Whole;
        if !is_whole || contents.steps.is_empty() {
            return Ok(());
        }
        let steps = u32::try_from(contents.steps.len()).unwrap_or(u32::MAX);
        let record = ArchivedTrace {
            run: run.to_owned(),
            steps,
            body: serde_json::to_string(&contents.steps)
                .map_err(|error| unreadable(run, &error))?,
            at: self.now(),
        }
        .to_record();
        let decide = Box::new(move |_| RecordCommit {
            puts: vec![record.clone()],
            deletes: Vec::new(),
        });
        let reads = RecordReads::default();
        Ok(self.store().transact_records(owner, reads, decide).await?)
    }

    /// Takes a step out of the archive of a run, or the archive away.
    pub(crate) async fn strike_archive(
        &self,
        owner: &LearnerId,
        run: &str,
        step: Option<u32>,
    ) -> EngineResult<()> {
        let key = archive_key(run);
        let found = self
            .store()
            .records(owner, std::slice::from_ref(&key))
            .await?;
        let Some(record) = found.first() else {
            return Ok(());
        };
        let mut commit = RecordCommit::default();
        match step {
            None => commit.deletes.push(key),
            Some(step) => {
                let mut trace =
                    ArchivedTrace::from_record(record).map_err(|error| unreadable(run, &error))?;
                let mut steps: Vec<StepRow> =
                    serde_json::from_str(&trace.body).map_err(|error| unreadable(run, &error))?;
                steps.retain(|row| row.step != step);
                trace.body =
                    serde_json::to_string(&steps).map_err(|error| unreadable(run, &error))?;
                commit.puts.push(trace.to_record());
            }
        }
        let decide = Box::new(move |_| commit.clone());
        let reads = RecordReads::default();
        Ok(self.store().transact_records(owner, reads, decide).await?)
    }

    /// The contents of a run with the steps of its archive, where they were archived.
    pub(super) async fn with_archive(
        &self,
        owner: &LearnerId,
        mut contents: RunContents,
    ) -> EngineResult<RunContents> {
        if contents.row.trajectory.trace != TraceState::Archived {
            return Ok(contents);
        }
        let run = &contents.row.id;
        let found = self.store().records(owner, &[archive_key(run)]).await?;
        let Some(record) = found.first() else {
            return Ok(contents);
        };
        let archived =
            ArchivedTrace::from_record(record).map_err(|error| unreadable(run, &error))?;
        let steps: Vec<StepRow> =
            serde_json::from_str(&archived.body).map_err(|error| unreadable(run, &error))?;
        contents.steps = steps;
        Ok(contents)
    }
}

fn unreadable(run: &str, error: &dyn std::fmt::Display) -> StoreError {
    let context = format!("the archived trace of the run `{run}` cannot be read ({error})");
    StoreError::new(ErrorKind::Damaged, "archive", context)
}
